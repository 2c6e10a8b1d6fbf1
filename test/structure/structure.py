#!/usr/bin/env python3
"""structure.py: checks the C of this repository against the rules of rules.py.

Usage: test/structure/structure.py [TOP]

Prints every rule with its violations, then figures; the exit code is 1 if a
mandatory rule is violated.  Under test/harness.pl (HARNESS_ACTIVE is set) it
prints TAP, with the rules only.  TOP is the repository, by default the one
that contains this file.  Needs only Python.  It reads words, not types
(c_source.py), so a local variable with the name of another file's extern is
mistaken for it.
"""

from __future__ import annotations

import argparse
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from c_source import CannotRead             # noqa: E402
from figures import FIGURES                 # noqa: E402
from rules import MUST, SHOULD              # noqa: E402
from tree import Tree                       # noqa: E402


def _indented(lines, mark: str) -> None:
    for line in lines:
        print(f"{mark}{line}")


def _report(tree: Tree) -> bool:
    kept = True
    for name, rule in MUST:
        found = rule(tree)
        kept = kept and not found
        print(f"{'FAILED' if found else 'ok'}: {name}")
        _indented(found, "  ")
    for name, rule in SHOULD:
        found = rule(tree)
        print(f"{name}: {len(found)}")
        _indented(found, "  ")
    for figure in FIGURES:
        _indented(figure(tree), "")
    return kept


def _report_tap(tree: Tree) -> bool:
    kept = True
    print(f"1..{len(MUST)}")
    for number, (name, rule) in enumerate(MUST, 1):
        found = rule(tree)
        kept = kept and not found
        print(f"{'not ok' if found else 'ok'} {number} - {name}", flush=True)
        for line in found:
            print(f"# {line}", file=sys.stderr)
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("top", nargs="?", default=os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    options = parser.parse_args()
    try:
        tree = Tree(options.top)
    except CannotRead as problem:
        print(f"structure: {problem}", file=sys.stderr)
        return 2
    show = _report_tap if os.environ.get("HARNESS_ACTIVE") else _report
    return 0 if show(tree) else 1


if __name__ == "__main__":
    sys.exit(main())
