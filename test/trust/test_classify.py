#!/usr/bin/env python3
"""Kinds of differences in the server's own suites are distinguished."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import classify  # noqa: E402
import tap  # noqa: E402

SCRIPT = """-- some rows
select a
  from t;

select a from t order by a;
explain select a
  from t;
select a from t limit 1;
copy t from stdin;
1
\\.
select 1;"""
OUTPUT = """-- some rows
select a
  from t;
{0}
(2 rows)

select a from t order by a;
{1}
explain select a
  from t;
 QUERY PLAN
{2}

select a from t limit 1;
{3}
copy t from stdin;
select 1;
1
"""
SAME = OUTPUT.format("1\n2", "1\n2", "Seq Scan", "1")


def kinds(other, again=SAME, core=()):
    return [one.kind for one in
            classify.compare_scripts(SCRIPT, other, [SAME, again, *core])]


class ScriptTest(unittest.TestCase):
    def test_same(self):
        self.assertEqual(kinds(SAME), [])

    def test_too_few_workers(self):
        told = ("NOTICE:  only 0 of 4 subqueries can run at once\n"
                "HINT:  Raise max_parallel_workers.\n")
        for values, kind in (("1\n2", "plan"), ("1\n3", "rows")):
            self.assertEqual(kinds(OUTPUT.format(
                "1\n2", told + values, "Seq Scan", "1")), [kind])

    def test_each_kind(self):
        for values, kind in (
                (("2\n1", "1\n2", "Seq Scan", "1"), "order"),
                (("1\n2", "1\n2", "Index Scan", "1"), "plan"),
                (("1\n2", "1\n2", "Seq Scan", "2"), "choice"),
                (("1\n2", "2\n1", "Seq Scan", "1"), "rows"),
                (("1\n3", "1\n2", "Seq Scan", "1"), "rows"),
                (("1", "1\n2", "Seq Scan", "1"), "rows"),
                (("ERROR:  no", "1\n2", "Seq Scan", "1"), "rows")):
            self.assertEqual(kinds(OUTPUT.format(*values)), [kind], values)

    def test_unstable(self):
        one = OUTPUT.format("1\n3", "1\n2", "Seq Scan", "1")
        two = OUTPUT.format("1\n4", "1\n2", "Seq Scan", "1")
        self.assertEqual(kinds(one, two), ["unstable"])

    def test_core_gives_it_too(self):
        other = OUTPUT.format("1\n3", "1\n2", "Seq Scan", "1")
        self.assertEqual(kinds(other, core=[other]), ["core's"])

    def test_order_that_nobody_asked_for(self):
        for statement, kind in (
                ("select sum(a) over (order by b) from t;", "order"),
                ("select a from (select a from t order by a) s;", "order"),
                ("select a from t order by a;", "rows")):
            self.assertEqual(classify.kind_of(statement, ["1", "2"],
                                              ["2", "1"]), kind, statement)
        collects = "select string_agg(a, ',') from t order by 1;"
        self.assertEqual(classify.kind_of(collects, ["a,b"], ["b,a"]),
                         "order")
        self.assertEqual(classify.kind_of(collects, ["a,b"], ["b,c"]), "rows")

    def test_a_comment_explains_nothing(self):
        self.assertEqual(classify.kind_of("-- explain\nselect 1;", ["1"],
                                          ["2"]), "rows")

    def test_quoted_statement(self):
        lines = ["select 1;", "select f($$", "select 2;", "$$);"]
        self.assertEqual(classify.statement_at(
            lines, classify.ends_of(lines), 3),
                         "\n".join(lines[1:]))

    def test_a_crash_is_not_lost(self):
        cut_off = SAME[:SAME.index("copy")] + "server closed the connection"
        self.assertIn("rows", kinds(cut_off))

    def test_statement(self):
        other = OUTPUT.format("1\n3", "1\n2", "Seq Scan", "1")
        found, = classify.compare_scripts(SCRIPT, other, [SAME, SAME])
        self.assertEqual(found.step.statement, "select a\n  from t;")
        self.assertEqual(found.step.line, 3)


class PermutationTest(unittest.TestCase):
    TEXT = ("starting permutation: a b\nstep a: SELECT 1;\n1\n"
            "step b: EXPLAIN SELECT 1;\n{}\n")

    def test_kinds(self):
        one, two = self.TEXT.format("Result"), self.TEXT.format("Other")
        self.assertEqual([found.kind for found in
                          classify.compare_permutations(two, [one, one])],
                         ["plan"])
        three = one.replace("\n1\n", "\n2\n")
        self.assertEqual([found.kind for found in
                          classify.compare_permutations(three, [one, one])],
                         ["rows"])


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
