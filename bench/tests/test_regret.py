"""Regret: the queries from a seed, a choice's regret, crossings."""

import math
import unittest

from lib import regrets, stars
from lib.cold import CacheState
from lib.legs import Leg
from tests.test_plan import DATE, FACT_SCAN, node

HASH = node("Hash Join", FACT_SCAN, node("Hash", DATE))
LOOP = node("Nested Loop", DATE, FACT_SCAN)


def leg(variant, seconds, plan=HASH, timed_out=False, round_=1, **settings):
    return Leg("p0001", variant, round_, settings, CacheState(0, 9), seconds, 5,
               1, "x", [{"Plan": plan}], timed_out=timed_out)


class QuestionsTest(unittest.TestCase):
    def test_the_same_for_the_same_seed(self):
        first = stars.questions(50, 7, 1.0)
        self.assertEqual(first, stars.questions(50, 7, 1.0))
        self.assertNotEqual(first, stars.questions(50, 8, 1.0))

    def test_what_was_asked_for(self):
        found = stars.questions(400, 1, 1.0)
        self.assertEqual({len(one.filters) for one in found}, {1, 2, 3, 4})
        self.assertEqual({one.fact for one in found}, set(stars.FACTS))
        self.assertLess(min(one.share for one in found), 1e-5)
        self.assertGreater(max(one.share for one in found), 0.2)
        self.assertTrue(any(not one.indexed for one in found))
        for one in found:
            numbers = [part.dimension for part in one.filters]
            self.assertEqual(len(numbers), len(set(numbers)))
            for part in one.filters:
                self.assertTrue(1 <= part.rows <= part.of)

    def test_true_says_less_and_keeps_the_same(self):
        one = stars.Question("p", "lineorder_s", (
            stars.Filter(2, 30, 10000, True, True),))
        self.assertIn("d2.again < 30", one.statement())
        self.assertNotIn("again", one.statement(True))
        self.assertIn("d2.place < 30", one.statement(True))

    def test_places_are_a_permutation(self):
        """The factor in the tables' SQL must be prime to the size."""
        for rows in stars.dimension_rows(10.0):
            sql = stars._dimension_sql(1, rows)
            factor = int(sql.split("key * ")[1].split(" ")[0])
            self.assertEqual(math.gcd(factor, rows), 1)


class RegretTest(unittest.TestCase):
    def test_against_the_best(self):
        found = regrets.of_query([leg("auto", 3.0), leg("index-4", 2.0, LOOP),
                                  leg("hash-1", 9.0)])
        # hash-1 has the plan of auto: one candidate, the median of both
        self.assertAlmostEqual(found.ratio, 3.0)
        self.assertEqual(found.best_variant, "index-4")

    def test_the_same_plan_has_none(self):
        found = regrets.of_query([leg("auto", 3.0), leg("hash-1", 2.0)])
        self.assertEqual(found.ratio, 1.0)

    def test_without_ssdpar_is_another_candidate(self):
        found = regrets.of_query([
            leg("auto", 3.0), leg("default", 2.0,
                                  **{"ssdpar.enabled": "off"})])
        self.assertEqual(found.ratio, 1.5)
        self.assertEqual(found.default_seconds, 2.0)

    def test_cut_off_candidates_are_not_the_best(self):
        found = regrets.of_query([leg("auto", 3.0),
                                  leg("index-1", 1.0, LOOP, True)])
        self.assertEqual(found.ratio, 1.0)

    def test_the_default_cut_off(self):
        """Its time is the allowed time, and so are ratios with it."""
        found = regrets.of_query([leg("auto", 0.05),
                                  leg("default", 1.0, LOOP, True)])
        self.assertEqual(found.default_seconds, 1.0)
        self.assertTrue(found.default_timed_out)
        self.assertFalse(regrets.of_query(
            [leg("auto", 0.05), leg("default", 1.0)]).default_timed_out)
        self.assertFalse(regrets.of_query(
            [leg("auto", 0.05)]).default_timed_out)

    def test_distribution(self):
        ratios = [1.0, 2.0, 7.4, 21.3]
        self.assertEqual(
            regrets.distribution(ratios),
            "1 of 4 (25.0%) at most 1.10; median 4.70, 95th percentile "
            "21.30, worst 21.30")
        self.assertEqual(
            regrets.distribution(ratios, [False, False, False, True]),
            "1 of 4 (25.0%) at most 1.10; median 4.70, 95th percentile "
            ">= 21.30, worst >= 21.30; 1 cut off")
        self.assertIn("median >= 4.70", regrets.distribution(
            ratios, [False, False, True, False]))

    def test_choices_are_not_candidates_of_each_other(self):
        legs = [leg("auto", 3.0), leg("auto-true", 1.0, LOOP)]
        self.assertEqual(regrets.of_query(legs).ratio, 1.0)
        self.assertEqual(regrets.of_query(legs, "auto-true").ratio, 1.0)
        self.assertIsNone(regrets.of_query(legs[:1], "auto-true"))

    def test_luck_is_no_regret(self):
        """Each round's best is only the luckier one of two equal plans."""
        found = regrets.of_query([
            leg("auto", 2.0, round_=1), leg("index-4", 1.0, LOOP, round_=1),
            leg("auto", 1.0, round_=2), leg("index-4", 2.0, LOOP, round_=2)])
        self.assertAlmostEqual(found.ratio, math.sqrt(1.0 * 0.5))
        found = regrets.of_query([
            leg("auto", 3.0, round_=1), leg("index-4", 1.0, LOOP, round_=1),
            leg("auto", 3.0, round_=2), leg("index-4", 2.0, LOOP, round_=2)])
        self.assertAlmostEqual(found.ratio, math.sqrt(3.0 * 1.5))

    def test_noise(self):
        same = [leg("auto", 2.0, round_=1), leg("auto", 1.0, round_=2),
                leg("auto", 3.0, LOOP, round_=3), leg("hash-1", 9.0)]
        self.assertEqual(regrets.noise(same), [2.0])

    def test_prices_are_no_shape(self):
        self.assertEqual(regrets.skeleton(dict(HASH, **{"Total Cost": 1.0})),
                         regrets.skeleton(dict(HASH, **{"Total Cost": 2.0})))
        self.assertNotEqual(regrets.skeleton(HASH), regrets.skeleton(LOOP))


class ErrorsTest(unittest.TestCase):
    def plan(self, workers=0):
        scan = node("Seq Scan", **{"Plan Rows": 100, "Total Cost": 5.0})
        bottom = node("Aggregate", scan, **{"Plan Rows": 7})
        if not workers:
            return bottom
        return node("Aggregate", node("Gather", bottom, **{
            "Workers Planned": workers, "Plan Rows": 14}))

    def test_rows(self):
        self.assertEqual(regrets.estimated_rows(self.plan()), 100.0)
        # two workers and 0.4 of a leader
        self.assertAlmostEqual(regrets.estimated_rows(self.plan(2)), 240.0)
        one = leg("auto", 1.0, self.plan())
        one.explained[0]["Joined Rows"] = 25
        self.assertEqual(regrets.cardinality_error(one), 4.0)

    def test_times(self):
        one = leg("auto", 1.0, dict(HASH, **{"Total Cost": 1000.0}))
        self.assertIsNone(regrets.time_error(one, 1e-3))
        one.explained[0]["Execution Seconds"] = 2.0
        self.assertEqual(regrets.time_error(one, 1e-3), 0.5)
        self.assertEqual(regrets.symmetric([0.5, 3.0]), [2.0, 3.0])

    def test_quantiles(self):
        values = [float(n) for n in range(1, 21)]
        self.assertEqual(regrets.quantile(values, 0.95), 19.0)
        self.assertEqual(regrets.quantile(values, 0.5), 10.0)
        self.assertEqual(regrets.quantile([3.0], 0.95), 3.0)

    def test_crossing(self):
        index = {1: 1.0, 4: 4.0, 16: 16.0}
        flat = {1: 8.0, 4: 8.0, 16: 8.0}
        self.assertAlmostEqual(regrets.crossing(index, flat), 8.0)
        self.assertIsNone(regrets.crossing(flat, index))
        self.assertIsNone(regrets.crossing({1: 1.0}, {1: 2.0}))


if __name__ == "__main__":
    unittest.main()
