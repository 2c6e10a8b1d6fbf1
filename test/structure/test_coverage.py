#!/usr/bin/env python3
"""test_coverage.py: the problems that test/coverage.py finds, with reasons.

Usage: test/structure/test_coverage.py     prints TAP, for test/harness.pl
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import unittest
from typing import Dict, List, Tuple

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(TOP, "test")]

import tap                                  # noqa: E402
import coverage                             # noqa: E402

FUNCTIONS = {("src/a.c", "called"): 3, ("src/a.c", "never"): 0}


class Invented(coverage.Coverage):
    """One file, with this number of ten lines executed."""

    def __init__(self, executed: int):
        self.lines = {"src/a.c": {line: int(line < executed)
                                  for line in range(10)}}
        self.called = FUNCTIONS


def reported(executed: int, known: Dict[coverage.Function, str]
             ) -> Tuple[int, List[str], str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        wrong = coverage.report(Invented(executed), known)
    return wrong, out.getvalue().splitlines(), err.getvalue()


class ReportTest(unittest.TestCase):
    def test_all_is_well(self):
        wrong, lines, complaints = reported(9, {("src/a.c", "never"): "why"})
        self.assertEqual((wrong, complaints), (0, ""))
        self.assertIn("| all | 10 | 9 | 90.0 % |", lines)
        self.assertIn("2 functions, 1 never called, 1 of them with a reason.",
                      lines)
        self.assertIn("| `never` in src/a.c | why |", lines)

    def test_a_reason_is_missing(self):
        wrong, lines, complaints = reported(10, {})
        self.assertEqual(wrong, 1)
        self.assertIn("| `never` in src/a.c | no reason |", lines)
        self.assertIn("1 functions are never called and have no reason",
                      complaints)

    def test_a_reason_is_out_of_date(self):
        # a reason belongs to one file's function
        known = {("src/a.c", "never"): "why", ("src/b.c", "never"): "why"}
        wrong, _, complaints = reported(10, known)
        self.assertEqual(wrong, 1)
        self.assertIn("there is no never in src/b.c", complaints)

    def test_too_few_lines(self):
        wrong, _, complaints = reported(8, {("src/a.c", "never"): "why"})
        self.assertEqual(wrong, 1)
        self.assertIn("80.0 % of the lines were executed", complaints)


class ReasonsTest(unittest.TestCase):
    def test_of_functions_that_there_are(self):
        for path, name in coverage.reasons():
            with open(os.path.join(TOP, path), encoding="utf-8") as file:
                self.assertTrue(re.search(rf"^{name}\(", file.read(), re.M),
                                f"{name} in {path}")


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
