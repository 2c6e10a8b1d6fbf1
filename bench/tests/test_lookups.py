"""Lookups: the queries and their shapes, and the text on their times."""

import unittest

import lookups as scenario
from lib import lookups
from lib.cold import CacheState
from lib.errors import UserError
from lib.legs import Leg

LOOP = {"Node Type": "Aggregate", "Plans": [
    {"Node Type": "Nested Loop", "Plans": [
        {"Node Type": "Seq Scan", "Relation Name": "uniform_10"},
        {"Node Type": "Index Scan", "Relation Name": "target"}]}]}
BATCHED = {"Node Type": "Aggregate", "Plans": [
    {"Node Type": "Custom Scan", "Custom Plan Provider": "SsdparIndexJoin",
     "Plans": [{"Node Type": "Seq Scan"}]}]}


def leg(query, variant, seconds, round_=1, plan=None):
    return Leg(query, variant, round_, {}, CacheState(0, 9), seconds + 0.5,
               10 ** 6, 1, "x",
               [{"Plan": plan or LOOP, "Execution Seconds": seconds}])


class QueriesTest(unittest.TestCase):
    def test_names(self):
        self.assertEqual(len(lookups.NAMES), 6 + 6 + 5)
        for name in ("loop-uniform-10", "loop-skewed-100000",
                     "range-1000", "ordered-100000", "bitmap-100000",
                     "limit-1", "limit-10000"):
            self.assertIn(name, lookups.NAMES)
        for scale in (0.01, 3.0):
            self.assertEqual(tuple(lookups.queries(scale)), lookups.NAMES)

    def test_single_statements(self):
        for query in lookups.queries(0.2).values():
            self.assertNotIn(";", query.statement, query.name)

    def test_ranges_are_within_the_table(self):
        for scale in (0.01, 3.0):
            count = lookups.rows(scale)
            self.assertGreater(count // 2, max(lookups.RANGES))
            self.assertGreater(count - count // 3, max(lookups.LIMITS))

    def test_both_sides_have_the_same_settings(self):
        query = lookups.queries(1.0)["loop-skewed-10"]
        off, on = [scenario.settings(query, variant)
                   for variant in scenario.VARIANTS]
        self.assertEqual(off.pop("ssdpar.enabled"), "off")
        self.assertEqual(on.pop("ssdpar.enabled"), "on")
        self.assertEqual(off, on)
        self.assertNotIn("effective_io_concurrency", on)

    def test_options(self):
        options = scenario._options(["--queries", "limit-1,range-1000"])
        self.assertEqual((options.scale, options.rounds, options.hot,
                          options.queries),
                         (3.0, 3, False, ["limit-1", "range-1000"]))
        self.assertTrue(scenario._options(["--hot"]).hot)
        with self.assertRaisesRegex(UserError, "'limit-2' is no query"):
            scenario._options(["--queries", "limit-2"])


class TableTest(unittest.TestCase):
    DONE = [leg("limit-1", "off", 4.0), leg("limit-1", "off", 3.0, 2),
            leg("limit-1", "on", 2.0, 1, BATCHED),
            leg("limit-1", "on", 1.0, 2, BATCHED)]

    def test_quotients_are_of_the_same_round(self):
        self.assertEqual(scenario.quotients(self.DONE, "limit-1"),
                         [2.0, 3.0])
        self.assertEqual(scenario.quotients(self.DONE[:3], "limit-1"),
                         [2.0])
        self.assertEqual(scenario.quotients(
            self.DONE, "limit-1", lambda one: one.seconds), [1.8, 3.5 / 1.5])

    def test_a_line_a_query(self):
        text = scenario.table(["limit-1"], self.DONE)
        self.assertRegex(text, r"(?m)^limit-1 +~?3500\.00 +~?1500\.00 +"
                         r"2\.50 \(2\.00-3\.00\) +2\.07 .* 1 +1$")

    def test_plans(self):
        self.assertEqual(scenario.plan_text(self.DONE[0]),
                         "Nested Loop, Seq Scan, Index Scan")
        self.assertEqual(scenario.plan_text(self.DONE[2]),
                         "SsdparIndexJoin, Seq Scan")

    def test_in_short(self):
        self.assertEqual(
            scenario._in_short(["limit-1"], self.DONE),
            "limit: off/on, geometric mean 2.50, lowest 2.50, highest 2.50")


if __name__ == "__main__":
    unittest.main()
