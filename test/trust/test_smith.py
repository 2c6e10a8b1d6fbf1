#!/usr/bin/env python3
"""Testing nothing is no success, and a crash is core's only if core has it."""

import os
import sys
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import place  # noqa: E402,F401  pylint: disable=unused-import
import smith  # noqa: E402
import tap  # noqa: E402
from session import Answer, Lost  # noqa: E402

CRASH = {"message": "server process was terminated by signal 11",
         "detail": "Failed process was running: SELECT 1"}


class SmithTest(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = directory.name
        self.place = SimpleNamespace(
            scratch=SimpleNamespace(path=self.path), socket=self.path,
            server=SimpleNamespace(port=1), run_with=lambda settings: None,
            path=lambda name: os.path.join(self.path, name),
            directory=lambda name: os.mkdir(os.path.join(self.path, name)))
        self.part = smith.Smith(self.place, 1)
        # reducing is tested in test_smaller.py
        for name in ("smith.make_database", "smith.Reproduction",
                     "smith.Smith._reduce", "time.sleep"):
            change = mock.patch(name, return_value="")
            change.start()
            self.addCleanup(change.stop)

    def ran(self, script):
        """A unit in which this script replaces sqlsmith."""
        program = os.path.join(self.path, "sqlsmith")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(program, 0o755)
        path = f"{self.path}:{os.environ['PATH']}"
        with mock.patch.dict(os.environ, PATH=path):
            return self.part.run(3, 1.0)

    def judged(self, sessions, entry=CRASH):
        """A line of the log, then the result of each attempt to connect."""
        self.place.session = mock.Mock(side_effect=sessions)
        return self.part._judged(None, [entry], 1)

    def test_statements(self):
        result = self.ran("echo Loading types...done.; echo .ee.; echo .C")
        self.assertEqual(result.counts["statements"], 6)
        self.assertEqual(result.findings, [])

    def test_no_statement(self):
        result = self.ran("echo no such type; exit 3")
        self.assertEqual(result.counts["statements"], 0)
        found, = result.findings
        self.assertEqual(found.title,
                         "seed 100003: sqlsmith came to no statement")
        self.assertEqual(found.text,
                         "-- exit status 3; it said:\n-- no such type\n")

    def test_crash_before_the_end(self):
        """The server is still recovering when core is to run the statement."""
        well = mock.Mock(**{"run.return_value": Answer()})
        found = self.judged([Lost("in recovery mode")] * 3 + [well])
        self.assertEqual(len(found.findings), 1)
        self.assertNotIn("core fails too", found.counts)

    def test_no_recovery(self):
        found = self.judged([Lost("in recovery mode")] * 1000)
        self.assertEqual(len(found.findings), 1)

    def test_core_crashes_too(self):
        bad = mock.Mock(**{"run.side_effect": Lost("closed")})
        found = self.judged([Lost("in recovery mode"), bad])
        self.assertEqual(found.findings, [])
        self.assertEqual(found.counts["core fails too"], 1)

    def test_core_always_says_so(self):
        """When run again, the statement ends with another error."""
        other = mock.Mock(**{"run.return_value": Answer(sqlstate="22012")})
        entry = {"state_code": "XX000", "error_severity": "ERROR",
                 "message": "cannot advance OID counter anymore"}
        found = self.judged([other], entry)
        self.assertEqual(found.findings, [])
        self.assertEqual(found.counts["core fails too"], 1)
        entry["message"] += ", or so"
        self.assertEqual(len(self.judged([other], entry).findings), 1)


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
