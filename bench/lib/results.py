"""A run's directory of raw numbers: legs.csv, plans/, environment.json.

Every aggregate can be recomputed from them.  Nothing is created before the
first number; every number is on the disk before the next is measured, so that
an interrupted run can be continued.
"""

from __future__ import annotations

import json
import os
import time
from typing import Dict, List, Optional

from . import raw, read_plan
from .cold import CacheState
from .errors import UserError
from .installation import TOP
from .legs import Leg
from .progress import Progress

RESULTS = os.path.join(TOP, "bench", "results")
LEGS = "legs.csv"
INTO = "SSDPAR_BENCH_INTO"      # set by all.py: where numbers go
ENVIRONMENT = "environment.json"

COLUMNS = ("query", "variant", "round", "plan", "seconds", "timed_out",
           "device_bytes_read", "cache", "cached_pages_before",
           "pages_total", "read_ahead_kb", "rows", "checksum", "settings")


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


def read_facts(directory: str) -> dict:
    """environment.json of a run; one message if that is impossible."""
    path = os.path.join(directory, ENVIRONMENT)
    try:
        with open(path) as file:
            content = json.load(file)
    except FileNotFoundError:
        raise UserError(
            f"{directory} is no directory of results: it has no "
            f"{ENVIRONMENT}. ls {RESULTS} shows those there are.") from None
    except ValueError:
        raise UserError(f"{path} is damaged, so nobody can tell what was "
                        "measured there. Begin a new run.") from None
    return content if isinstance(content, dict) else {}


def write_json(path: str, content: object) -> None:
    """A file that is written completely or not at all."""
    draft = path + ".new"
    with open(draft, "w") as file:
        json.dump(content, file, indent=1, sort_keys=True)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.rename(draft, path)


def read_json(path: str):
    """The content written by write_json()."""
    with open(path) as file:
        return json.load(file)


class Results:
    """The directory of one run, created with the first number."""

    def __init__(self, name: str, directory: Optional[str] = None) -> None:
        self._name = name
        self.directory = directory
        self.facts: dict = read_facts(directory) if directory else {}

    def made(self) -> str:
        if self.directory is None:
            given = os.environ.get(INTO)
            if given:
                os.makedirs(given, exist_ok=True)
            self.directory = given or new_directory(self._name)
        return self.directory

    def add_facts(self, facts: dict) -> None:
        """Adds facts to the existing ones."""
        self.facts.update(facts)
        write_json(os.path.join(self.made(), ENVIRONMENT), self.facts)

    def rows(self, file: str, columns: tuple,
             progress: Optional[Progress] = None) -> raw.RowFile:
        """One of its files; a truncated line is removed and reported."""
        kept = raw.RowFile(os.path.join(self.made(), file), columns)
        if kept.cut and progress is not None:
            progress.say(f"removed {kept.cut} bytes of a cut-off last line "
                         f"from {kept.path}; that is measured again")
        return kept


def _plan_path(directory: str, query: str, variant: str, round_: int) -> str:
    return os.path.join(directory, "plans",
                        f"{query}-{variant}-{round_}.json")


def _leg_of(directory: str, row: raw.Row) -> Leg:
    path = _plan_path(directory, row["query"], row["variant"],
                      int(row["round"]))
    try:
        plan = read_plan.of_file(path)
        return Leg(
            row["query"], row["variant"], int(row["round"]),
            json.loads(row["settings"]),
            CacheState(int(row["cached_pages_before"]),
                       int(row["pages_total"])),
            float(row["seconds"]),
            int(row["device_bytes_read"] or 0)
            if row["device_bytes_read"] else None,
            int(row["rows"]), row["checksum"], plan,
            int(row["read_ahead_kb"]) if row["read_ahead_kb"] else None,
            row["cache"] == "hot", row["timed_out"] == "1")
    except (OSError, ValueError, KeyError) as error:
        raise UserError(
            f"a leg of {directory} cannot be read back ({error}), so that "
            "run cannot be continued. Begin a new run without --resume."
        ) from None


class LegFile(Results):
    """Legs of queries; done has those of an interrupted run."""

    def __init__(self, name: str, directory: Optional[str] = None,
                 progress: Optional[Progress] = None) -> None:
        super().__init__(name, directory)
        self._file: Optional[raw.RowFile] = None
        self.done: List[Leg] = []
        if directory is not None and \
                os.path.exists(os.path.join(directory, LEGS)):
            self._file = self.rows(LEGS, COLUMNS, progress)
            self.done = [_leg_of(directory, row) for row in self._file.rows]

    def add(self, leg: Leg) -> None:
        """The plan first, so that a line in the CSV file implies that both
        exist."""
        directory = self.made()
        os.makedirs(os.path.join(directory, "plans"), exist_ok=True)
        write_json(_plan_path(directory, leg.query, leg.variant, leg.round),
                   leg.explained)
        if self._file is None:
            self._file = self.rows(LEGS, COLUMNS)
        self._file.add(_row_of(leg))
        self.done.append(leg)


def _row_of(leg: Leg) -> Dict[str, object]:
    return {
        "query": leg.query, "variant": leg.variant, "round": leg.round,
        "plan": str(leg.shape), "seconds": f"{leg.seconds:.6f}",
        "timed_out": int(leg.timed_out),
        "device_bytes_read": leg.device_bytes,
        "cache": "hot" if leg.hot else "cold",
        "cached_pages_before": leg.cache.resident,
        "pages_total": leg.cache.total,
        "read_ahead_kb": leg.read_ahead_kb, "rows": leg.rows,
        "checksum": leg.checksum,
        "settings": json.dumps(leg.settings, sort_keys=True)}
