"""Estimates: which parts of plans are compared, errors, snowflakes."""

import unittest

import estimates as scenario
from lib import estimates, regrets, snowflakes
from lib.estimates import BASE, FINAL, INNER, JOIN, STAR, Line


def node(kind, rows, real, *plans, loops=1, relation="Outer", **more):
    return dict({"Node Type": kind, "Plan Rows": rows, "Actual Rows": real,
                 "Actual Loops": loops, "Parent Relationship": relation,
                 "Plans": list(plans)},
                **{name.replace("_", " "): value
                   for name, value in more.items()})


def scan(alias, rows, real, kind="Seq Scan", **more):
    return node(kind, rows, real, Relation_Name=alias, Alias=alias, **more)


def hashed(child):
    return node("Hash", child["Plan Rows"], child["Actual Rows"], child,
                relation="Inner")


def found(plan):
    return {(one.kind, one.tables): (one.expected, one.real)
            for one in estimates.of_plan(plan)}


class PlanTest(unittest.TestCase):
    def test_scans_and_joins(self):
        plan = node("Aggregate", 1, 1, node(
            "Hash Join", 50, 200, scan("f", 1000, 900),
            hashed(scan("d", 10, 5))))
        self.assertEqual(found(plan), {
            (BASE, ("f",)): (1000, 900), (BASE, ("d",)): (10, 5),
            (JOIN, ("d", "f")): (50, 200), (FINAL, ("d", "f")): (50, 200)})

    def test_shares_of_processes_are_put_together(self):
        join = node("Hash Join", 10, 20,
                    scan("f", 100, 200, loops=3, Parallel_Aware=True),
                    hashed(scan("d", 5, 6, loops=3)), loops=3)
        plan = node("Aggregate", 1, 1, node("Gather", 24, 60, join,
                                            Workers_Planned=2))
        both = regrets.parallel_divisor(2)
        self.assertAlmostEqual(both, 2.4)
        values = found(plan)
        self.assertEqual(values[JOIN, ("d", "f")], (10 * both, 60))
        self.assertEqual(values[BASE, ("f",)], (100 * both, 600))
        # each process reads all of it
        self.assertEqual(values[BASE, ("d",)], (5, 6))

    def test_inner_sides_are_sums_of_loops(self):
        inner = scan("f", 3, 2, "Index Scan", loops=50, relation="Inner")
        plan = node("Nested Loop", 30, 100, scan("d", 10, 50), inner)
        values = found(plan)
        self.assertEqual(values[INNER, ("f",)], (150, 100))
        self.assertEqual(values[BASE, ("d",)], (10, 50))

    def test_inner_sides_give_a_row_at_least(self):
        inner = scan("f", 1, 0, "Index Scan", loops=50, relation="Inner")
        plan = node("Nested Loop", 30, 20, scan("d", 10, 50), inner)
        self.assertEqual(found(plan)[INNER, ("f",)], (50, 50))

    def test_a_materialized_inner_side_is_read_once(self):
        inner = node("Materialize", 7, 8, scan("d", 7, 8), loops=50,
                     relation="Inner")
        plan = node("Nested Loop", 30, 100, scan("f", 10, 50), inner)
        self.assertEqual(found(plan)[BASE, ("d",)], (7, 8))

    def test_what_need_not_run_to_its_end_is_left_out(self):
        cut = node("Limit", 10, 10, scan("f", 1000, 10))
        self.assertEqual(found(cut), {})
        whole = node("Limit", 10, 10, node("Sort", 10, 10, cut["Plans"][0]))
        self.assertEqual(found(whole), {(BASE, ("f",)): (1000, 10)})
        semi = node("Nested Loop", 5, 5, scan("d", 5, 5),
                    scan("f", 3, 1, loops=5, relation="Inner"),
                    Join_Type="Semi")
        self.assertNotIn((INNER, ("f",)), found(semi))
        merged = node("Merge Join", 5, 5, scan("d", 9, 2),
                      node("Sort", 3, 3, scan("f", 3, 3), relation="Inner"))
        self.assertEqual(set(found(merged)), {
            (JOIN, ("d", "f")), (FINAL, ("d", "f")), (BASE, ("f",))})
        empty = node("Hash Join", 5, 0, scan("f", 1000, 1),
                     hashed(scan("d", 5, 0)))
        self.assertNotIn((BASE, ("f",)), found(empty))
        self.assertIn((BASE, ("d",)), found(empty))

    def test_what_never_ran_is_left_out(self):
        plan = node("Hash Join", 5, 0, scan("f", 10, 0),
                    hashed(scan("d", 5, 0, loops=0)))
        self.assertNotIn((BASE, ("d",)), found(plan))

    def test_subselects(self):
        value = node("Aggregate", 1, 1, scan("g", 4, 5), Strategy="Plain",
                     relation="InitPlan")
        each = scan("h", 4, 5, loops=9, relation="SubPlan")
        plan = node("Hash Join", 5, 6, scan("f", 10, 9, ),
                    hashed(scan("d", 5, 4)), value, each)
        values = found(plan)
        self.assertEqual(values[BASE, ("g",)], (4, 5))
        self.assertNotIn((INNER, ("h",)), values)
        self.assertIn((FINAL, ("d", "f")), values)

    def test_a_star_scan_is_a_kind_of_its_own(self):
        star = scan("f", 10, 20, "Custom Scan",
                    Custom_Plan_Provider="SsdparStarScan")
        star["Plans"] = [scan("d", 3, 3, relation="children")]
        plan = node("Hash Join", 10, 20, star, hashed(scan("d", 3, 3)))
        values = found(plan)
        self.assertEqual(values[STAR, ("d", "f")], (10, 20))
        self.assertEqual(values[JOIN, ("d", "f")], (10, 20))

    def test_a_subselects_name_is_no_table(self):
        plan = node("Hash Join", 5, 6, node(
            "Subquery Scan", 4, 4, scan("f", 9, 9), Alias="s"),
            hashed(scan("d", 5, 4)))
        self.assertIn((JOIN, ("d", "f")), found(plan))


def line(variant, expected, real=100.0, kind=JOIN, tables=("d", "f"),
         query="s1"):
    return Line("snowflake", query, variant, estimates.Estimate(
        kind, tables, "Hash Join", expected, real))


class ErrorTest(unittest.TestCase):
    def test_too_many_and_too_few_are_the_same(self):
        self.assertEqual(line("off", 400.0).estimate.error, 4.0)
        self.assertEqual(line("off", 25.0).estimate.error, 4.0)
        # no rows count as one
        self.assertEqual(line("off", 3.0, 0.0).estimate.error, 3.0)

    def test_by_number_of_tables(self):
        six = tuple("abcdef")
        values = estimates.errors(
            [line("off", 200.0), line("off", 300.0, tables=six),
             line("on", 100.0), line("off", 1.0, kind=BASE)], JOIN, "off")
        self.assertEqual(values, {"2": [2.0], "5+": [3.0],
                                  "all": [2.0, 3.0]})

    def test_percentiles(self):
        self.assertEqual(estimates.percentiles(range(1, 101)),
                         [50, 90, 95, 99, 100])

    def test_only_the_same_sizes_are_paired(self):
        lines = [line("off", 400.0), line("on", 50.0, 101.0),
                 line("off", 10.0, query="s2"),
                 line("on", 10.0, 900.0, query="s2"),
                 line("off", 10.0, kind=INNER, tables=("f",)),
                 line("on", 10.0, kind=INNER, tables=("f",))]
        pair, = estimates.pairs(lines, "off", "on")
        self.assertAlmostEqual(pair.ratio, 4.0 / 2.02)

    def test_there_and_back(self):
        one = line("on", 12.0)
        row = dict(zip(estimates.COLUMNS, map(str, estimates.fields(one))))
        self.assertEqual(estimates.line_of(row), one)

    def test_tables_of_text(self):
        lines = [line("off", 400.0), line("on", 100.0)]
        self.assertIn("join  all        1/1", scenario.percentile_table(lines))
        self.assertIn("closer in 1, farther in 0", scenario.paired(lines))
        self.assertIn("closer in 0, farther in 1", scenario.paired(
            [line("off", 100.0), line("on", 400.0)]))


class CostTest(unittest.TestCase):
    def test_milliseconds_of_measuring(self):
        self.assertIsNone(scenario.measuring_ms([{"Plan": {}}]))
        self.assertEqual(scenario.measuring_ms(
            [{"Plan": {}}, {"ssdpar Rows Measured":
                            [{"Rows": 7, "Time": 1.5}, {"Time": 2.0}]}]), 3.5)

    def test_different_numbers_of_rows_are_told(self):
        def row(query, rows, timed_out="0"):
            return {"group": "ssb", "query": query, "rows": rows,
                    "timed_out": timed_out}
        self.assertEqual(scenario.differing(
            [row("q1", "5"), row("q1", "5.00"), row("q2", "1"),
             row("q2", "2"), row("q3", "1"), row("q3", "", "1")]),
            ["ssb q2"])


class SnowflakesTest(unittest.TestCase):
    def setUp(self):
        self.worlds = snowflakes.worlds(200, 1, 1.0)

    def test_the_same_for_the_same_seed(self):
        self.assertEqual(self.worlds, snowflakes.worlds(200, 1, 1.0))
        self.assertNotEqual(self.worlds, snowflakes.worlds(200, 2, 1.0))
        first = snowflakes.questions(20, 1, self.worlds)
        self.assertEqual(first, snowflakes.questions(20, 1, self.worlds))

    def test_what_was_asked_for(self):
        self.assertEqual(len(self.worlds), 8)
        keys = [key for one in self.worlds for key in one.keys]
        self.assertEqual({key.kind for key in keys},
                         {snowflakes.UNIFORM, snowflakes.ZIPF,
                          snowflakes.ORDERED, snowflakes.FOLLOWS})
        self.assertTrue(any(key.nulls for key in keys))
        self.assertTrue(any(key.dimension.above for key in keys))
        self.assertTrue(any(key.dimension.calendar for key in keys))
        for one in self.worlds:
            self.assertTrue(1e6 <= one.rows <= 3e6)
            self.assertTrue(3 <= len(one.keys) <= 6)

    def test_all_kinds_of_joins(self):
        texts = [one.statement for one
                 in snowflakes.questions(200, 1, self.worlds)]
        for words in (" JOIN", "LEFT JOIN", "WHERE EXISTS", "NOT EXISTS",
                      ".up = ", ".day >= "):
            self.assertTrue(any(words in text for text in texts), words)

    def test_a_stride_reaches_every_key(self):
        for rows in (20, 117, 1000, 1547, 14604):
            stride = snowflakes._stride(rows)
            self.assertEqual({place * stride % rows
                              for place in range(rows)}, set(range(rows)))


if __name__ == "__main__":
    unittest.main()
