"""Medians, means, sizes, tables, options."""

import argparse
import unittest

from lib import cli, memory, report, statistics


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


if __name__ == "__main__":
    unittest.main()
