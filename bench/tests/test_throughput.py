"""Throughput: streams' orders, reading psql's output, the text."""

import json
import os
import sys
import tempfile
import unittest

import throughput
from lib import process, raw, results, scenario, stream_tables, streams
from lib.errors import UserError
from lib.stream_tables import Cell
from lib.streams import Execution
from tests.test_plan import DATE, FACT_SCAN, node

HASH = node("Gather", node("Hash Join", FACT_SCAN, node("Hash", DATE)),
            Workers_Planned=2)
QUERIES = ("q1.1", "q2.1", "q3.1")


def plan_message(root):
    return ("LOG:  duration: 12.5 ms  plan:\n" +
            json.dumps({"Query Text": "SELECT", "Plan": root}, indent=2) +
            "\n")


def execution(stream, query, began, seconds, finished=True, checksum="x",
              plan="hash, 2 workers"):
    return Execution(stream, 1, query, began, seconds, finished, plan, 1,
                     checksum if finished else "")


class OrderTest(unittest.TestCase):
    def test_each_stream_its_own_and_always_the_same(self):
        orders = [streams.order(scenario.OWN_QUERIES, stream, 1)
                  for stream in range(1, 17)]
        self.assertEqual(orders[3], streams.order(scenario.OWN_QUERIES, 4, 1))
        self.assertNotEqual(orders[3],
                            streams.order(scenario.OWN_QUERIES, 4, 2))
        self.assertEqual(len({tuple(order) for order in orders}), 16)
        for order in orders:
            self.assertEqual(sorted(order), sorted(scenario.OWN_QUERIES))

    def test_the_benchmark_s_own(self):
        self.assertEqual(len(scenario.OWN_QUERIES), 13)

    def test_both_variants_next_to_each_other(self):
        cells = [Cell(number, 0) for number in (1, 2, 4)]
        found = throughput.turns(cells, 2)
        self.assertEqual(len(found), 12)
        firsts = []
        for (_, (first, cell)), (_, (second, other)) in zip(found[::2],
                                                            found[1::2]):
            self.assertEqual((cell, {first, second}), (other, {"off", "on"}))
            firsts.append(first)
        self.assertEqual(firsts.count("off"), 3)


class ScriptTest(unittest.TestCase):
    TEXT = streams.script({name: f"SELECT '{name}'" for name in QUERIES},
                          QUERIES, {"ssdpar.enabled": "on"}, 1000.0, 60)

    def test_all_wait_for_the_same_instant(self):
        self.assertIn("pg_sleep_until(to_timestamp(1000.000))", self.TEXT)

    def test_a_query_may_take_what_is_left(self):
        self.assertEqual(self.TEXT.count("(1060.000 - "), 3)
        self.assertEqual(self.TEXT.count("SET statement_timeout = :left_ms"),
                         3)

    def test_only_queries_plans_are_handed_out(self):
        for part in self.TEXT.split("\\echo @begin ")[1:]:
            query, rest = part.split("\n", 1)
            self.assertIn(query.split(" ")[0], rest.split("\\timing off")[0])
            self.assertIn("log_min_duration = -1", rest)


class ExecutionsTest(unittest.TestCase):
    OUT = ("@start 1000.01 77\n@begin q1.1 1000.010000\nb|2\na|1\n"
           "Time: 1500.250 ms (00:01.500)\n@end\n"
           "@begin q2.1 1001.510000\nTime: 58490.1 ms\n")

    def executions(self, out, err, status=0):
        result = process.Result(status, out, err)
        streams._check([result])
        return [one for one, _ in streams.executions_of(
            2, result, 1000.0, 60)]

    def cut_off(self):
        return self.executions(
            self.OUT, plan_message(HASH) +
            "psql:<stdin>:9: ERROR:  canceling statement due to statement "
            "timeout\n", 3)

    def test_finished(self):
        one = self.cut_off()[0]
        self.assertEqual((one.stream, one.position, one.query, one.rows,
                          one.finished, one.plan),
                         (2, 1, "q1.1", 2, True, "hash, 2 workers"))
        self.assertAlmostEqual(one.began, 0.01)
        self.assertAlmostEqual(one.seconds, 1.50025)
        other_order = self.OUT.replace("b|2\na|1\n", "a|1\nb|2\n")
        again = self.executions(other_order.split("@begin q2")[0],
                                plan_message(HASH))
        self.assertEqual(again[0].checksum, one.checksum)

    def test_cut_off_at_the_limit(self):
        last = self.cut_off()[1]
        self.assertEqual((last.query, last.finished, last.checksum),
                         ("q2.1", False, ""))
        self.assertAlmostEqual(last.ended, 60.0)

    def test_another_error(self):
        with self.assertRaisesRegex(UserError, "(?s)stream 1 failed.*no such"):
            self.executions("", "ERROR:  no such table\n", 3)

    def test_a_plan_is_missing(self):
        with self.assertRaisesRegex(UserError, "plan of query q1.1"):
            self.executions(self.OUT, "")

    def test_writes(self):
        begins = [process.Result(0, f"@start {at} {written}\n", "")
                  for at, written in ((1000.5, 120), (1000.0, 100))]
        self.assertAlmostEqual(streams.writes(begins, "1010.0|350"), 25.0)


class ArithmeticTest(unittest.TestCase):
    DONE = [execution(1, "q1.1", 0.0, 1.0), execution(1, "q2.1", 1.0, 3.0),
            execution(2, "q2.1", 0.0, 4.0), execution(2, "q1.1", 4.0, 4.0)]

    def test_until_the_last_stream_ends(self):
        self.assertEqual(streams.elapsed(self.DONE), 8.0)
        self.assertEqual(streams.an_hour(self.DONE), 4 * 3600 / 8.0)

    def test_an_unfinished_query_counts_with_its_time_only(self):
        done = self.DONE + [execution(2, "q3.1", 8.0, 2.0, False)]
        self.assertEqual(streams.an_hour(done), 4 * 3600 / 10.0)

    def test_slowest_share(self):
        # 2 queries in 4 s and 2 in 8 s: a half and a quarter per second
        self.assertAlmostEqual(streams.slowest_share(self.DONE), 0.25 / 0.375)
        self.assertEqual(streams.slowest_share(self.DONE[:2]), 1.0)
        starved = self.DONE[:2] + [execution(2, "q1.1", 0.0, 9.0, False)]
        self.assertEqual(streams.slowest_share(starved), 0.0)


def row(variant, number, an_hour, round_=1, writers=0, **more):
    fields = dict.fromkeys(throughput.COLUMNS, "")
    fields.update(variant=variant, streams=str(number), round=str(round_),
                  writers=str(writers), seconds="10.0", unfinished="0",
                  queries_an_hour=str(an_hour), slowest_share="0.9",
                  device_bytes_read="5000000000", cache="cold",
                  cached_pages_before="0", pages_total="9")
    return dict(fields, **more)


class TableTest(unittest.TestCase):
    ROWS = [row("off", 4, 1000.0), row("on", 4, 3000.0),
            row("off", 4, 1100.0, 2), row("on", 4, 2200.0, 2),
            row("off", 4, 900.0, writers=2, transactions_per_second="50.0",
                unfinished="1"),
            row("on", 4, 1800.0, writers=2, transactions_per_second="45.0"),
            row("off", 8, 1000.0)]
    FOUND = {("off", 4, 0, 1): [execution(1, "q1.1", 0.0, 1.0),
                                execution(2, "q1.1", 0.0, 3.0)],
             ("on", 4, 0, 1): [execution(1, "q1.1", 0.0, 0.5),
                               execution(2, "q1.1", 0.0, 0.7,
                                         plan="star bitmap, 1 process"),
                               execution(2, "q2.1", 0.7, 9.0, False)]}

    def test_quotients_are_of_the_same_round(self):
        self.assertEqual(stream_tables.quotients(self.ROWS, Cell(4, 0)),
                         [3.0, 2.0])

    def test_a_line_a_cell_that_has_both(self):
        text = stream_tables.table(self.ROWS)
        self.assertRegex(text, r"(?m)^0 +4 +1050 +2600 +2\.50 \(2\.00-3\.00\)"
                         r" +90% +90% +500 +500$")
        self.assertRegex(text, r"(?m)^2 +4 +>900 +1800 .* 50 +45$")
        self.assertEqual(len(text.splitlines()), 4)

    def test_a_line_a_query(self):
        text = stream_tables.query_table(self.FOUND, Cell(4, 0),
                                         ["q1.1", "q2.1"])
        self.assertRegex(text, r"(?m)^q1\.1 +1\.00 +3\.00 +3\.00 +0\.50 "
                         r"+0\.70 +0\.70  hash, 2 workers +hash, 2 workers "
                         r"\+1$")
        self.assertRegex(text, r"(?m)^q2\.1( +-){6}$")

    def test_rows(self):
        self.assertEqual(stream_tables.differing(self.FOUND), [])
        other = {("on", 4, 0, 2): [execution(1, "q1.1", 0.0, 1.0,
                                             checksum="y")]}
        self.assertEqual(stream_tables.differing({**self.FOUND, **other}),
                         ["q1.1"])


class KeptTest(unittest.TestCase):
    """A run's files can be read when it is continued."""

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)

    def test_read_back(self):
        key, done = ("on", 4, 0, 1), TableTest.FOUND[("on", 4, 0, 1)]
        path = throughput._path(self.place.name, "executions", key)
        os.mkdir(os.path.dirname(path))
        results.write_json(path, [vars(one) for one in done])
        rows = [row("on", 4, 1.0)]
        self.assertEqual(throughput._read(self.place.name, rows),
                         {key: done})
        throughput._write_queries(self.place.name, {key: done})
        _, lines, _ = raw.read(os.path.join(self.place.name, "queries.csv"))
        self.assertEqual([line["query"] for line in lines],
                         ["q1.1", "q1.1", "q2.1"])

    def test_damaged(self):
        with self.assertRaisesRegex(UserError, "cannot be read back"):
            throughput._read(self.place.name, [row("on", 4, 1.0)])


class OptionsTest(unittest.TestCase):
    def test_usual_and_quick(self):
        usual = throughput._options([])
        self.assertEqual((usual.streams, usual.writers, usual.rounds,
                          usual.stream_seconds, len(usual.queries)),
                         ([1, 2, 4, 8, 16], [0, 2], 2, 900, 13))
        quick = throughput._options(["--quick", "--streams", "3"])
        self.assertEqual((quick.streams, quick.stream_seconds, quick.scale),
                         ([3], 12, 0.2))
        with self.assertRaisesRegex(UserError, "names a number twice"):
            throughput._options(["--writers", "2,2"])

    def test_both_sides_have_the_same_settings(self):
        off, on = [throughput.settings(variant)
                   for variant in stream_tables.VARIANTS]
        self.assertEqual((off.pop("ssdpar.enabled"),
                          on.pop("ssdpar.enabled")), ("off", "on"))
        self.assertEqual(off, on)


class TogetherTest(unittest.TestCase):
    def test_each_reads_its_own_text(self):
        command = [sys.executable, "-c", "import sys\n"
                   "text = sys.stdin.read()\nprint(text, end='')\n"
                   "print(len(text), file=sys.stderr)\n"
                   "sys.exit(len(text))"]
        self.assertEqual(process.together([command] * 2, ["one", "fourth"]),
                         [process.Result(3, "one", "3\n"),
                          process.Result(6, "fourth", "6\n")])


if __name__ == "__main__":
    unittest.main()
