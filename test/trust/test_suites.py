#!/usr/bin/env python3
"""Core's second run is compared with the whole suite, not with a part of it.
"""

import os
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import place  # noqa: E402,F401  pylint: disable=unused-import
import suites  # noqa: E402
import tap  # noqa: E402

SUITE = suites.Suite("regress", "regress", "", "schedule")
STATEMENT = "select a from made;"
MISSING = "ERROR:  relation \"made\" does not exist"


def output(answer):
    return f"{STATEMENT}\n{answer}\n"


class Suites(suites.Suites):
    """Its test "uses" needs objects of another one, and core's answers to a
    whole run are given."""

    def __init__(self, answers, with_it):
        super().__init__(mock.Mock(**{"deaths.return_value": []}), 1, None)
        self.answers = list(answers)
        self.with_it = with_it
        self.ran = []

    def _outputs(self, suite, settings, library, tests=()):
        self.ran.append("part" if tests else library or "whole")
        if library:
            answer = self.with_it
        else:
            answer = MISSING if tests else self.answers.pop(0)
        return {"uses": output(answer)}


class AgainTest(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        os.makedirs(os.path.join(directory.name, "regress", "sql"))
        with open(os.path.join(directory.name, "regress", "sql", "uses.sql"),
                  "w", encoding="utf-8") as file:
            file.write(STATEMENT + "\n")
        change = mock.patch("suites.sources", return_value=directory.name)
        change.start()
        self.addCleanup(change.stop)

    @staticmethod
    def counts(part, way="as it comes"):
        found = part._suite(SUITE, way).counts
        return {kind: found[kind] for kind in ("rows", "unstable")
                if kind in found}

    def test_a_test_that_needs_another(self):
        part = Suites(["1", "1"], "2")
        self.assertEqual(self.counts(part), {"rows": 1})

    def test_unstable(self):
        part = Suites(["1", "3"], "2")
        self.assertEqual(self.counts(part), {"unstable": 1})

    def test_only_if_in_doubt(self):
        part = Suites(["1"], "1")
        self.assertEqual(self.counts(part), {})
        self.assertEqual(part.ran, ["whole", "ssdpar"])

    def test_twice_for_all_ways(self):
        part = Suites(["1", "1"], "2")
        for way in ("as it comes", "bitmap"):
            self.assertEqual(self.counts(part, way), {"rows": 1})
        self.assertEqual(part.ran.count("whole"), 2)


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
