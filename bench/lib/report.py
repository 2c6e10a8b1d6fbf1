"""Tables for reading, and the facts needed to interpret numbers.

results.py stores the numbers.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from typing import List, Optional, Sequence

from .device import AnyDevice
from .installation import TOP
from .server import SETTINGS, Server

def commit() -> str:
    try:
        done = subprocess.run(
            ["git", "-c", f"safe.directory={TOP}", "-C", TOP,
             "describe", "--always", "--dirty"], capture_output=True,
            text=True)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def _memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def environment(server: Server, device: Optional[AnyDevice], **more) -> dict:
    """Facts that a reader needs to judge the numbers."""
    settings = server.sql(
        "SELECT json_object_agg(name, setting ORDER BY name) "
        "FROM pg_settings WHERE source NOT IN ('default', 'override') "
        "OR name ~ '^(ssdpar|enable_|jit$|random_page|seq_page|effective)'")
    return {
        "server": server.sql("SELECT version()"),
        "ssdpar_commit": commit(),
        "server_settings": json.loads(settings),
        "settings_of_the_scratch_server": dict(SETTINGS, **server.settings),
        "server_major": server.major,
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
    """The mean of device bytes in MB, or n/a if there is no device."""
    known = [value for value in values if value is not None]
    if not known:
        return "n/a"
    return f"{sum(known) / len(known) / 1e6:.0f}"
