"""What a run of ./run trust has done so far: a line of JSON a unit.

The lines stand in docs/results/raw, a file a date, and what was found beside
them, a file each.  A unit that was broken off has no line and is done again.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from typing import Dict, List

from unit import Finding, Result
from place import TOP

RESULTS = os.path.join(TOP, "docs", "results")


@dataclass
class Entry:
    part: str
    server: int         # major version
    seed: int           # of the run
    unit: int
    what: str
    seconds: float
    counts: Dict[str, int]
    found: List[str]    # titles
    files: List[str]    # of what was found, beside the journal
    build: str = ""     # of the server


class Journal:
    def __init__(self, date: str):
        self.date = date
        self.path = os.path.join(RESULTS, "raw", f"trust-{date}.jsonl")
        self.entries: List[Entry] = []
        self._read()

    def _read(self) -> None:
        """All lines: a run against another server may add to it as well."""
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.entries = [Entry(**json.loads(line)) for line in file
                                if line.endswith("\n")]

    def of(self, part: str, server: int, seed: int) -> List[Entry]:
        return [one for one in self.entries
                if (one.part, one.server, one.seed) == (part, server, seed)]

    def next_unit(self, part: str, server: int, seed: int) -> int:
        done = self.of(part, server, seed)
        return max((one.unit for one in done), default=-1) + 1

    def add(self, entry: Entry, result: Result) -> None:
        entry.files = [self._keep(entry, number, finding)
                       for number, finding in enumerate(result.findings)]
        line = json.dumps(asdict(entry)) + "\n"
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(line)
        self._read()

    def _keep(self, entry: Entry, number: int, finding: Finding) -> str:
        directory = self.path[:-len(".jsonl")]
        os.makedirs(directory, exist_ok=True)
        name = re.sub(r"\W+", "-", f"{entry.part}-{entry.server}-"
                      f"{entry.seed}-{entry.unit}-{number}") + ".sql"
        with open(os.path.join(directory, name), "w",
                  encoding="utf-8") as file:
            file.write(f"-- {finding.title}\n{finding.text}")
        return os.path.join(os.path.basename(directory), name)
