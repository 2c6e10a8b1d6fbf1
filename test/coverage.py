#!/usr/bin/env python3
"""How much of the product the tests execute, and which functions none calls.

Usage: test/coverage.py [TREE]

TREE (default: this one) must have been built with COPT=--coverage, and the
tests, including unit tests, must have run there.  Prints a table of folders,
and each function that was never called, with its reason in test/uncovered.txt.

The exit code is 1 if fewer than 90 % of the lines were executed, if a function
that was never called has no reason, or if a reason names a missing function.
See docs/internals/testing.md.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from typing import Any, Dict, Iterator, List, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = ("src", "daemon", "probe", "common")
# Objects compiled from them: the product, and those for the unit tests.  Fuzz
# targets are not counted, because sanitizers add lines to them.
_BUILT = (*FOLDERS, "test/unit/obj")
_WANTED_SHARE = 90

# The file and the name, because two files may have static functions of one
# name.
Function = Tuple[str, str]


def _data_files(top: str) -> Iterator[str]:
    for folder in _BUILT:
        for directory, _, names in os.walk(os.path.join(top, folder)):
            for name in names:
                # files that were never loaded have notes but no data
                if name.endswith(".gcno"):
                    yield os.path.join(directory, name)


def _documents(top: str) -> Iterator[Dict[str, Any]]:
    """The output of gcov for each compiled file."""
    with tempfile.TemporaryDirectory() as place:
        for path in _data_files(top):
            subprocess.run(["gcov", "--json-format", path], cwd=place,
                           check=True, capture_output=True)
            for name in os.listdir(place):
                with gzip.open(os.path.join(place, name), "rt") as file:
                    yield json.load(file)
                os.unlink(os.path.join(place, name))


class Coverage:
    """Lines and functions by file; a file compiled twice is counted once."""

    def __init__(self, top: str):
        self.lines: Dict[str, Dict[int, int]] = defaultdict(dict)
        self.called: Dict[Function, int] = defaultdict(int)
        for document in _documents(top):
            for file in document["files"]:
                path = os.path.relpath(os.path.join(
                    document["current_working_directory"], file["file"]), top)
                if path.split("/")[0] in FOLDERS and path.endswith(".c"):
                    self._add(path, file)

    def _add(self, path: str, file: Dict[str, Any]) -> None:
        lines = self.lines[path]
        for line in file["lines"]:
            number = line["line_number"]
            lines[number] = lines.get(number, 0) + line["count"]
        for function in file["functions"]:
            self.called[path, function["name"]] += \
                function["execution_count"]

    def share(self, folder: str = "") -> Tuple[int, int, float]:
        """For a folder, or all: lines, executed lines, percentage."""
        counts = [count for path, lines in self.lines.items()
                  if path.startswith(folder) for count in lines.values()]
        done = sum(map(bool, counts))
        return len(counts), done, 100 * done / max(len(counts), 1)

    def table(self) -> List[str]:
        rows = ["| folder | lines | executed | share |", "|---|---|---|---|"]
        for folder in (*FOLDERS, ""):
            lines, done, share = self.share(folder)
            if lines:
                rows.append(f"| {folder or 'all'} | {lines:,} | {done:,} | "
                            f"{share:.1f} % |")
        return rows

    def uncovered(self) -> List[Function]:
        return sorted(key for key, count in self.called.items() if not count)


def reasons() -> Dict[Function, str]:
    """By file and function: why no test calls it."""
    found = {}
    with open(os.path.join(HERE, "uncovered.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                path, name, reason = line.rstrip("\n").split("\t")
                found[path, name] = reason
    return found


def _complain(text: str) -> None:
    print(f"coverage: {text}", file=sys.stderr)


def report(coverage: Coverage, known: Dict[Function, str]) -> int:
    """Prints both tables; returns the number of problems."""
    never = coverage.uncovered()
    unknown = [function for function in never if function not in known]
    gone = sorted(set(known) - set(coverage.called))
    share = coverage.share()[2]

    print("\n".join(coverage.table()))
    print(f"\n{len(coverage.called):,} functions, {len(never)} never called, "
          f"{len(never) - len(unknown)} of them with a reason.\n")
    print("| never called | why |\n|---|---|")
    for path, name in never:
        print(f"| `{name}` in {path} | "
              f"{known.get((path, name), 'no reason')} |")
    sys.stdout.flush()
    for path, name in sorted(set(known) - set(never) - set(gone)):
        _complain(f"{name} in {path} is called here; take it out of "
                  "test/uncovered.txt if it is everywhere.")
    for path, name in gone:
        _complain(f"test/uncovered.txt: there is no {name} in {path}.")
    if unknown:
        _complain(f"{len(unknown)} functions are never called and have no "
                  "reason in test/uncovered.txt.")
    if share < _WANTED_SHARE:
        _complain(f"{share:.1f} % of the lines were executed, fewer than "
                  f"{_WANTED_SHARE} %.")
    return len(gone) + len(unknown) + (share < _WANTED_SHARE)


def main() -> int:
    top = os.path.abspath(sys.argv[1] if len(sys.argv) > 1
                          else os.path.dirname(HERE))
    coverage = Coverage(top)
    if not coverage.lines:
        _complain(f"{top} has not been built with COPT=--coverage.")
        return 2
    return 1 if report(coverage, reasons()) else 0


if __name__ == "__main__":
    sys.exit(main())
