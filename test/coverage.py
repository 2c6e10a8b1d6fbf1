#!/usr/bin/env python3
"""How much of the product the tests execute, and which functions none calls.

Usage: test/coverage.py [TREE]

In a tree (default: this one) that was built with COPT=--coverage and whose
tests, unit tests among them, have run there, prints a table of the folders and the functions that were
never called, each with its reason in test/uncovered.txt, or "no reason" where
there is none yet.  See docs/internals/testing.md.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from typing import Any, Dict, Iterator, List, Set, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = ("src", "daemon", "probe", "common")
# What was compiled from them: the product, and anew for the unit tests.
_BUILT = (*FOLDERS, "test/unit/obj")


def _data_files(top: str) -> Iterator[str]:
    for folder in _BUILT:
        for directory, _, names in os.walk(os.path.join(top, folder)):
            for name in names:
                # what was never loaded has notes and no data
                if name.endswith(".gcno"):
                    yield os.path.join(directory, name)


def _documents(top: str) -> Iterator[Dict[str, Any]]:
    """What gcov says of each compiled file."""
    with tempfile.TemporaryDirectory() as place:
        for path in _data_files(top):
            subprocess.run(["gcov", "--json-format", path], cwd=place,
                           check=True, capture_output=True)
            for name in os.listdir(place):
                with gzip.open(os.path.join(place, name), "rt") as file:
                    yield json.load(file)
                os.unlink(os.path.join(place, name))


class Coverage:
    """Lines and functions by file; a file compiled twice is looked at once."""

    def __init__(self, top: str):
        self.lines: Dict[str, Dict[int, int]] = defaultdict(dict)
        self.called: Dict[Tuple[str, str], int] = defaultdict(int)
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

    def table(self) -> List[str]:
        rows = ["| folder | lines | executed | share |", "|---|---|---|---|"]
        for folder in (*FOLDERS, ""):
            counts = [count for path, lines in self.lines.items()
                      if path.startswith(folder) for count in lines.values()]
            if counts:
                done = sum(map(bool, counts))
                rows.append(f"| {folder or 'all'} | {len(counts):,} | "
                            f"{done:,} | {100 * done / len(counts):.1f} % |")
        return rows

    def uncovered(self) -> List[Tuple[str, str]]:
        return sorted(key for key, count in self.called.items() if not count)


def reasons() -> Dict[str, str]:
    """By function: why no test calls it."""
    found = {}
    with open(os.path.join(HERE, "uncovered.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, reason = line.rstrip("\n").split("\t")
                found[name] = reason
    return found


def main() -> int:
    top = os.path.abspath(sys.argv[1] if len(sys.argv) > 1
                          else os.path.dirname(HERE))
    coverage = Coverage(top)
    if not coverage.lines:
        print(f"coverage: {top} has not been built with COPT=--coverage.",
              file=sys.stderr)
        return 2
    print("\n".join(coverage.table()) + "\n")
    known = reasons()
    seen: Set[str] = set()
    print("| never called | why |\n|---|---|")
    for path, name in coverage.uncovered():
        seen.add(name)
        print(f"| `{name}` in {path} | {known.get(name, 'no reason')} |")
    for name in sorted(set(known) - seen):
        print(f"coverage: {name} is called by now; take it out of "
              "test/uncovered.txt.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
