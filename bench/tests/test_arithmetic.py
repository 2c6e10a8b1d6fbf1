"""Medians, means, sizes, tables, options."""

import argparse
import unittest

import power
from lib import cli, memory, report, statistics, summary


class StatisticsTest(unittest.TestCase):
    def test_median(self):
        self.assertEqual(statistics.median([3, 1, 2]), 2)
        self.assertEqual(statistics.median([4, 1, 2, 3]), 2.5)
        with self.assertRaises(ValueError):
            statistics.median([])

    def test_geometric_mean(self):
        self.assertAlmostEqual(statistics.geometric_mean([2, 0.5]), 1)
        with self.assertRaises(ValueError):
            statistics.geometric_mean([])

    def test_spread(self):
        spread = statistics.Spread.of([5, 1, 3])
        self.assertEqual((spread.median, spread.low, spread.high), (3, 1, 5))


class OptionsTest(unittest.TestCase):
    def test_scale(self):
        self.assertEqual(cli.scale("0.01"), 0.01)
        self.assertEqual(cli.scale("100"), 100)
        for text in ("0", "-1", "x", "nan", "inf", "100.1", "", "0.0099"):
            with self.assertRaises(argparse.ArgumentTypeError, msg=text):
                cli.scale(text)

    def test_count(self):
        self.assertEqual(cli.count(1, 64)("64"), 64)
        for text in ("0", "65", "1.5", "-1", "", "\u0663", "9" * 40):
            with self.assertRaises(argparse.ArgumentTypeError, msg=text):
                cli.count(1, 64)(text)

    def test_memory(self):
        self.assertEqual(memory.parse("2G"), 2 * 2 ** 30)
        self.assertEqual(memory.parse("800m"), 800 * 2 ** 20)
        for text in ("", "G", "2GB", "-1G", "1.5G"):
            with self.assertRaises(ValueError, msg=text):
                memory.parse(text)


class TableTest(unittest.TestCase):
    def test_alignment(self):
        self.assertEqual(report.table(("a", "b"), [("xx", "1"), ("y", "22")]),
                         "a    b\n--  --\nxx   1\ny   22")

    def test_megabytes(self):
        self.assertEqual(report.megabytes([None]), "n/a")
        self.assertEqual(report.megabytes([1000000, 3000000]), "2")


class DeviceLimitTest(unittest.TestCase):
    """The device's minimum: 1 GB/s scattered, 2 in order."""

    LIMITS = {when: {"bytes_per_second": {"random 8 kB x32": speed / 2,
                                          "sequential 256 kB x8": speed}}
              for when, speed in (("before", 1e9), ("after", 3e9))}

    @staticmethod
    def entries(query, **legs):
        return {(query, name): summary.Summary(query, name, seconds, None, 1,
                                               read, "", "")
                for name, (seconds, read) in legs.items()}

    def in_short(self, found, queries):
        return power._in_short(["default", "ssdpar"], found, queries,
                               self.LIMITS)

    def test_seconds(self):
        found = power.device_seconds({"all": 4e9, "most": 3.8e9, "some": 1e9},
                                     1e9, 2e9)
        self.assertEqual(found, {"all": 2, "most": 1.9, "some": 1})

    def test_in_short(self):
        found = self.entries("q0", default=(9, 4e9), ssdpar=(1, 4e9))
        found.update(
            self.entries("q1.1", default=(4, 4e9), ssdpar=(2, 4e9)))
        found.update(
            self.entries("q1.2", default=(8, 4e9), ssdpar=(1, 0.25e9)))
        text = self.in_short(found, ["q0", "q1.1", "q1.2"])
        # factors of 2 and 8; the device alone takes 2 and 0.25 s
        self.assertIn("(2 of 13)", text)
        self.assertIn("4.00 times as fast as default, at least 2.00; "
                      "the device's limit is 8.00", text)

    def test_nothing_to_tell(self):
        found = self.entries("q0", default=(9, 4e9), ssdpar=(1, 4e9))
        self.assertEqual(self.in_short(found, ["q0"]), "")
        cached = self.entries("q1.1", default=(4, 0), ssdpar=(2, 0))
        self.assertNotIn("limit", self.in_short(cached, ["q1.1"]))


if __name__ == "__main__":
    unittest.main()
