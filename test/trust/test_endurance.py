#!/usr/bin/env python3
"""Growth is distinguished from fluctuation, and samples are stored."""

import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from random import Random
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import place  # noqa: E402,F401  pylint: disable=unused-import
import endurance  # noqa: E402
import endurance_chart  # noqa: E402
import growth  # noqa: E402
import tap  # noqa: E402
from unit import Sample  # noqa: E402
from lib.errors import UserError  # noqa: E402
import samples  # noqa: E402

SEEDS = range(50)
UNIT = 24               # samples
MEMORY = growth.Thing("memory", "kB", 132)


def noisy(seed, count, base=lambda at: 5000.0):
    """Fluctuation above a base, like memory under load."""
    random = Random(seed)
    return [base(at) + random.choice((0, 4, 64, 300, 3000)) * random.random()
            for at in range(count)]


class GrowthTest(unittest.TestCase):
    def assert_flat(self, values, thing=MEMORY):
        self.assertIsNone(growth.problem(thing, values), values)

    def assert_grows(self, values, thing=MEMORY):
        self.assertIsNotNone(growth.problem(thing, values), values)

    def test_flat_with_noise(self):
        for seed in SEEDS:
            for units in (1, 3, 20):
                self.assert_flat(noisy(seed, UNIT * units))

    def test_slow_leak_in_noise(self):
        for seed in SEEDS:
            # 30 kB per sample are 700 kB per unit; over 20 units, 1 kB per
            # sample
            for units, leak in ((1, 30.0), (3, 8.0), (20, 1.0)):
                self.assert_grows(noisy(seed, UNIT * units,
                                        lambda at, leak=leak: 5000 +
                                        leak * at))

    def test_warming_up(self):
        for seed in SEEDS:
            self.assert_flat(noisy(seed, UNIT,
                                   lambda at: 5000 + 400 * min(at, 7)))

    def test_one_step_of_the_heap(self):
        self.assert_flat([5000] * 10 + [5132] * 14)
        self.assert_grows([5000] * 10 + [5133] * 14)

    def test_leak_in_steps(self):
        """An allocator hides it until its block is full."""
        self.assert_grows([5000 + 132 * (at // 4) for at in range(UNIT)])

    def test_what_shrinks_does_not_grow(self):
        self.assert_flat([9000 - 10 * at for at in range(UNIT)])

    def test_idle_counts_are_exact(self):
        thing = growth.NAMED["daemon descriptors"]
        self.assert_flat([13] * 4, thing)
        for values in ([13, 14], [13, 13, 13, 14], [13, 12, 13], [1, 2, 3]):
            self.assert_grows(values, thing)

    def test_too_few_to_say(self):
        for values in ([], [1.0]):
            for thing in growth.THINGS:
                self.assert_flat(values, thing)

    def test_two_idle_times(self):
        """A single unit has one before the load and one after it."""
        thing = growth.NAMED["contexts of ssdpar"]
        self.assert_flat([60, 60 + thing.room], thing)
        self.assert_grows([60, 61 + thing.room], thing)

    def test_each_is_named(self):
        self.assertEqual(growth.problems({
            "daemon memory": [1000 * at for at in range(9)],
            "supervisor memory": [1000] * 9,
            "daemon sessions": [3, 4], "log": [1, 9]}), {
                "daemon memory": "has risen by 3000 kB",
                "daemon sessions": "3 became 4 between idle times"})

    def test_lines_of_ours(self):
        found = endurance.OURS.findall("""\
2026-11-24 LOG:  started the prefetch daemon with process ID 7
ssdpard: stopping: 0 ranges queued
2026-11-24 WARNING:  ssdpar: no more of it
2026-11-24 LOG:  checkpoint starting: time
2026-11-24 STATEMENT:  SET ssdpar.star_access = bitmap
""")
        self.assertEqual(len(found), 3, found)


class DescriptorsTest(unittest.TestCase):
    def seen(self, before):
        """With two descriptors more in the first checks than in later ones."""
        more = [os.open("/dev/null", os.O_RDONLY) for _ in range(2)]
        looks = []

        def wait(_seconds):
            looks.append(None)
            if len(looks) > before:
                while more:
                    os.close(more.pop())
        with mock.patch.object(endurance.time, "sleep", wait):
            seen = endurance.descriptors({"ours": os.getpid()})["ours"]
        while more:
            os.close(more.pop())
        return seen

    def test_least(self):
        """One that is closed soon does not count, one that stays does."""
        rest = self.seen(0)
        self.assertEqual(self.seen(3), rest)
        self.assertEqual(self.seen(100), rest + 2)


class SamplesTest(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.path = os.path.join(place.name, "endurance.csv")

    def keep(self, server, unit, *taken):
        samples.keep(self.path, server, 1, unit,
                     [Sample(*one) for one in taken])

    def write(self, text):
        with open(self.path, "a", encoding="ascii") as file:
            file.write(text)

    def test_kept(self):
        self.keep(15, 0, (1.5, "log", 7))
        self.write("15,1,1,2.0,lo")
        self.assertEqual(samples.read(self.path),
                         [(15, 1, 0, 1.5, "log", 7)])
        self.keep(15, 1, (2.0, "log", 8))
        self.assertEqual(samples.read(self.path),
                         [(15, 1, 0, 1.5, "log", 7),
                          (15, 1, 1, 2.0, "log", 8)])

    def test_no_sample(self):
        self.keep(15, 0, (1.5, "log", 7))
        self.write("15,1,1,2.0,lo15,1,1,2.0,log,7\n")
        with self.assertRaisesRegex(UserError,
                                    f"^line 3 of {self.path} [^\n]*$"):
            samples.read(self.path)

    def test_chart(self):
        name = growth.STAR_QUERIES
        self.keep(15, 0, (1, name, 10), (1, "log", 5), (2, name, 30),
                  (2, "log", 6))
        self.keep(18, 0, (1, name, 7), (1, "log", 9))
        self.keep(15, 1, (1, name, 5), (1, "log", 8),
                  (1, "daemon memory", 100))
        rows = samples.read(self.path)
        self.assertEqual(endurance_chart.series_of(rows), {
            ("log", 15): [(10, 5), (30, 6), (35, 8)],
            ("log", 18): [(7, 9)], ("daemon memory", 15): [(35, 100)]})
        root = xml.etree.ElementTree.fromstring(endurance_chart.draw(rows))
        self.assertEqual(len(root.findall("{*}g")), 2)
        self.assertEqual(len(root.findall("{*}g/{*}polyline")), 3)
        self.assertIn("| log, bytes | 15 | 5 | 8 | not judged |",
                      endurance_chart.table(rows))


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
