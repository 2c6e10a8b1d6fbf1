"""The progress of a run of ./run trust: one line of JSON per unit.

The lines are in docs/results/raw, one file per date, with a further file for
each finding.  A unit that was interrupted has no line and is repeated.  Runs
against several servers may add to one journal concurrently.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import re
import shutil
from dataclasses import asdict, dataclass
from typing import BinaryIO, Dict, Iterator, List, Optional

from unit import Finding, Result
from place import TOP
import samples
from lib import process
from lib.errors import UserError
from lines import append

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
    files: List[str]    # of the findings, in the journal's folder
    build: str = ""     # of the server
    commit: str = ""    # of ssdpar's sources; + means that they had changes


def _parse(line: bytes) -> Optional[Entry]:
    try:
        return Entry(**json.loads(line))
    except (ValueError, TypeError):
        return None


def commit_of(top: str) -> str:
    """The commit of a working tree, in Entry's form; empty if there is none.
    Files that runs write, and untracked files, do not count as changes."""
    def git(*arguments: str) -> process.Result:
        return process.run(["git", "-C", top, *arguments])
    if not shutil.which("git"):
        return ""
    above = git("rev-parse", "--show-prefix")
    if above.status != 0 or above.out.strip():
        return ""
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".",
                  ":!docs/results").out
    commit = git("rev-parse", "--short", "HEAD").out.strip()
    return commit + "+" * bool(changed)


class Journal:
    def __init__(self, date: str):
        self.date = date
        self.path = os.path.join(RESULTS, "raw", f"trust-{date}.jsonl")
        self.samples_path = os.path.join(RESULTS, "raw",
                                         f"endurance-{date}.csv")
        self.entries: List[Entry] = []
        self._whole = b""   # the file, without a truncated line
        self._locked: Optional[BinaryIO] = None
        if os.path.exists(self.path):
            self._read()

    def _read(self) -> None:
        """All lines, because a run against another server may add some as
        well. Ignores half a line, which is being written or was truncated."""
        with open(self.path, "rb") as file:
            lines = file.readlines()
        if lines and not lines[-1].endswith(b"\n") and \
                _parse(lines[-1]) is None:
            lines.pop()
        self.entries = []
        for number, line in enumerate(lines, 1):
            entry = _parse(line)
            if entry is None:
                raise UserError(
                    f"line {number} of {self.path} is not a unit's. Mend or "
                    "remove that line, then run again.")
            self.entries.append(entry)
        self._whole = b"".join(lines)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Prevents others from adding to it or writing its page."""
        with open(self.path, "ab", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._read()
            self._locked = file
            try:
                yield
            finally:
                self._locked = None

    def of(self, part: str, server: int, seed: int) -> List[Entry]:
        return [one for one in self.entries
                if (one.part, one.server, one.seed) == (part, server, seed)]

    def next_unit(self, part: str, server: int, seed: int,
                  first: int = 0, step: int = 1) -> int:
        """The first of each step's that is not done."""
        done = {one.unit for one in self.of(part, server, seed)}
        return next(unit for unit in itertools.count(first, step)
                    if unit not in done)

    def add(self, entry: Entry, result: Result) -> None:
        """Adds a line, its files and samples, or nothing; the journal is
        locked."""
        assert self._locked is not None
        entry.files = [self._name(entry, number)
                       for number in range(len(result.findings))]
        try:
            for name, finding in zip(entry.files, result.findings):
                self._keep(name, finding)
            self._append(self._locked,
                         json.dumps(asdict(entry)).encode() + b"\n")
            samples.keep(self.samples_path, entry.server, entry.seed,
                         entry.unit, result.samples)
        except OSError as problem:
            self._locked.truncate(len(self._whole))
            self._remove(entry.files)
            raise UserError(
                f"{entry.part} {entry.unit} could not be written down beside "
                f"{self.path}: {problem.strerror}. Free space or mend the "
                "permissions, then run again: the unit is done again."
            ) from None
        self._read()

    def _append(self, file: BinaryIO, line: bytes) -> None:
        """After the last complete line, overwriting a truncated one."""
        if self._whole[-1:] not in (b"", b"\n"):
            line = b"\n" + line    # an editor has removed the last line end
        append(file, len(self._whole), line)

    def _name(self, entry: Entry, number: int) -> str:
        """The name of a finding's file, in the journal's folder."""
        name = re.sub(r"\W+", "-", f"{entry.part}-{entry.server}-"
                      f"{entry.seed}-{entry.unit}-{number}") + ".sql"
        return os.path.join(f"trust-{self.date}", name)

    def _keep(self, name: str, finding: Finding) -> None:
        path = self._beside(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"-- {finding.title}\n{finding.text}")

    def _remove(self, names: List[str]) -> None:
        for name in names:
            with contextlib.suppress(OSError):
                os.unlink(self._beside(name))
        with contextlib.suppress(OSError):      # others may have files there
            os.rmdir(self._beside(f"trust-{self.date}"))

    def _beside(self, name: str) -> str:
        return os.path.join(os.path.dirname(self.path), name)
