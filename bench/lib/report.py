"""Writing results down: tables for reading, CSV and JSON for keeping.

Raw numbers are kept leg by leg; every aggregate can be made again from them.
"""

from __future__ import annotations

import csv
import json
import os
import platform
import subprocess
import time
from typing import List, Optional, Sequence

from . import build
from .device import AnyDevice
from .legs import Leg
from .server import SETTINGS, Server

RESULTS = os.path.join(build.TOP, "bench", "results")

_COLUMNS = ("query", "variant", "round", "plan", "seconds",
            "device_bytes_read", "cached_pages_before", "pages_total",
            "rows", "checksum", "settings")


def new_directory(name: str) -> str:
    """A directory for one run's raw numbers, never an existing one."""
    stamp = time.strftime("%Y%m%dT%H%M%S")
    for suffix in [""] + [f"-{n}" for n in range(2, 100)]:
        path = os.path.join(RESULTS, f"{stamp}-{name}{suffix}")
        try:
            os.makedirs(path)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(17, "too many results of one second", RESULTS)


class LegFile:
    """legs.csv, written leg by leg so that an interrupted run keeps its own.

    Nothing is made before the first leg.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.directory: Optional[str] = None

    def _open(self) -> str:
        self.directory = new_directory(self._name)
        os.mkdir(os.path.join(self.directory, "plans"))
        path = os.path.join(self.directory, "legs.csv")
        with open(path, "w", newline="") as file:
            csv.writer(file).writerow(_COLUMNS)
        return self.directory

    def add(self, leg: Leg) -> None:
        directory = self.directory or self._open()
        with open(os.path.join(directory, "legs.csv"), "a",
                  newline="") as file:
            csv.writer(file).writerow((
                leg.query, leg.variant, leg.round, str(leg.shape),
                f"{leg.seconds:.6f}",
                "" if leg.device_bytes is None else leg.device_bytes,
                leg.cache.resident, leg.cache.total, leg.rows, leg.checksum,
                json.dumps(leg.settings, sort_keys=True)))
        name = f"{leg.query}-{leg.variant}-{leg.round}.json"
        with open(os.path.join(directory, "plans", name), "w") as file:
            json.dump(leg.explained, file, indent=1)
            file.write("\n")

    def add_facts(self, facts: dict) -> None:
        directory = self.directory or self._open()
        with open(os.path.join(directory, "environment.json"), "w") as file:
            json.dump(facts, file, indent=1, sort_keys=True)
            file.write("\n")


def _commit() -> str:
    try:
        done = subprocess.run(
            ["git", "-c", f"safe.directory={build.TOP}", "-C", build.TOP,
             "describe", "--always", "--dirty"], capture_output=True,
            text=True)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def _memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def environment(server: Server, device: Optional[AnyDevice], **more) -> dict:
    """What a reader must know to judge the numbers."""
    settings = server.sql(
        "SELECT json_object_agg(name, setting ORDER BY name) "
        "FROM pg_settings WHERE source NOT IN ('default', 'override') "
        "OR name ~ '^(ssdpar|enable_|jit$|random_page|seq_page|effective)'")
    return {
        "server": server.sql("SELECT version()"),
        "ssdpar_commit": _commit(),
        "server_settings": json.loads(settings),
        "settings_of_the_scratch_server": SETTINGS,
        "kernel": platform.release(), "machine": platform.machine(),
        "cores": os.cpu_count(), "memory_bytes": _memory_bytes(),
        "device": device.facts() if device else None,
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), **more}


def table(head: Sequence[str], rows: List[Sequence[str]],
          left: Sequence[int] = (0,)) -> str:
    """Columns of text, aligned; those in left to the left."""
    lines = [list(head)] + [list(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]

    def render(line: Sequence[str]) -> str:
        cells = [cell.ljust(width) if i in left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(line, widths))]
        return "  ".join(cells).rstrip()
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([render(lines[0]), rule] +
                     [render(line) for line in lines[1:]])


def megabytes(values: Sequence[Optional[int]]) -> str:
    """The mean of device bytes in MB, or n/a where there is no device."""
    known = [value for value in values if value is not None]
    if not known:
        return "n/a"
    return f"{sum(known) / len(known) / 1e6:.0f}"
