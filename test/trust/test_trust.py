#!/usr/bin/env python3
"""Parts alternate by their shares; one that watches a server continues."""

import argparse
import contextlib
import io
import itertools
import os
import sys
import unittest
from types import SimpleNamespace
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import tap  # noqa: E402
import trust  # noqa: E402
from journal import Entry, Journal  # noqa: E402
from unit import Part, Result  # noqa: E402

MINUTE = 60.0


class Clock:
    now = 0.0

    def monotonic(self):
        return self.now


class Minutes(Part):
    """A part whose units take a minute."""

    def __init__(self, name, lives_on, clock):
        super().__init__(None, 1)
        self.NAME, self.LIVES_ON, self.clock = name, lives_on, clock

    def run(self, number, seconds):
        self.clock.now += min(MINUTE, seconds)
        return Result("a minute", {})


class Kept(Journal):
    """In memory."""

    # pylint: disable=super-init-not-called
    def __init__(self):
        self.entries = []

    def locked(self):
        return contextlib.nullcontext()

    def add(self, entry, result):
        self.entries.append(entry)


class TurnsTest(unittest.TestCase):
    def journal_of(self, hours, *parts, unit=None):
        """The journal of a run of these parts."""
        clock = Clock()
        run = trust.Run.__new__(trust.Run)
        run.options = argparse.Namespace(hours=hours, seed=1, jobs=1,
                                         unit=unit)
        run.place = SimpleNamespace(major=15, check_room=lambda: None)
        run.journal = Kept()
        run.job, run.found = 0, 0
        run.build, run.commit = "15.1", "1234567"
        run.parts = [Minutes(name, name == "endurance", clock)
                     for name in parts]
        with mock.patch.object(trust, "time", clock), \
                mock.patch.object(trust, "write"), \
                contextlib.redirect_stdout(io.StringIO()):
            run.until(hours * 3600)
        return run.journal.entries

    def ran(self, hours, *parts):
        """Names of the parts, and the number of consecutive units of each."""
        return [(name, len(list(units))) for name, units in itertools.groupby(
            entry.part for entry in self.journal_of(hours, *parts))]

    @staticmethod
    def rows_of(turns, name):
        return [count for part, count in turns if part == name]

    def test_goes_on(self):
        turns = self.ran(8, "rows", "endurance", "faults")
        rows = self.rows_of(turns, "endurance")
        self.assertEqual(set(rows[:-1]), {30})
        # its share is 1.5 of 8
        self.assertAlmostEqual(sum(rows), 480 * 1.5 / 8, delta=30)

    def test_short_run(self):
        turns = self.ran(1, "rows", "endurance", "faults")
        self.assertEqual(self.rows_of(turns, "endurance"), [12])

    def test_others_take_turns(self):
        turns = self.ran(1, "faults", "smith")
        self.assertEqual({count for _, count in turns}, {1})

    def test_alone(self):
        self.assertEqual(self.ran(2, "endurance"), [("endurance", 120)])

    def test_one_unit_once_more(self):
        for part in "rows", "endurance":
            entries = self.journal_of(1, part, unit=7)
            self.assertEqual([one.unit for one in entries], [7])


def entry(seed=4711, server=15, found=()):
    return Entry("rows", server, seed, 3, "--wide", 60.0, {}, list(found),
                 [f"trust-2001-01-01/{n}.sql" for n in range(len(found))])


class TellTest(unittest.TestCase):
    """The last lines of a run."""

    def told(self, *entries):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            trust.tell(entries, 4711, 15)
        return out.getvalue().splitlines()

    def test_findings(self):
        self.assertEqual(self.told(entry(), entry(found=["a", "b"])), [
            "rows 3 (--wide) found:",
            "  a: docs/results/raw/trust-2001-01-01/0.sql",
            "  b: docs/results/raw/trust-2001-01-01/1.sql",
            "  again: ./run trust --server 15 --seed 4711 --only rows "
            "--unit 3"])

    def test_nothing(self):
        self.assertEqual(self.told(entry()), [])

    def test_others_in_the_journal(self):
        self.assertEqual(self.told(entry(seed=1, found=["a"]),
                                   entry(server=18, found=["a"])), [])


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
