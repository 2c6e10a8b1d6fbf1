"""TPC-DS: changes to its queries' texts, and its options."""

import os
import re
import unittest
from unittest import mock

import tpcds as scenario
from lib import legs, scenario as frame, tpcds
from lib.cold import CacheState
from lib.errors import UserError
from lib.legs import Leg
from lib.scenario import Point


class QueriesTest(unittest.TestCase):
    def test_a_limit_at_the_end_goes(self):
        self.assertEqual(
            tpcds.unlimited("SELECT a FROM (SELECT b LIMIT 1) s\n"
                            "ORDER BY a\nLIMIT 100\n"),
            "SELECT a FROM (SELECT b LIMIT 1) s\nORDER BY a")
        self.assertEqual(tpcds.unlimited("SELECT limit_100 FROM t"),
                         "SELECT limit_100 FROM t")

    def test_the_limit(self):
        self.assertEqual(tpcds.limit("SELECT a ORDER BY a\nLIMIT 100\n"), 100)
        self.assertIsNone(tpcds.limit("SELECT a FROM (SELECT b LIMIT 1) s"))

    def test_options(self):
        options = scenario._options(["--queries", "q3,q99"])
        self.assertEqual((options.scale, options.rounds, options.jit,
                          options.setting, options.hot, options.queries),
                         (2.0, 1, "off", "enabled", False, ["q3", "q99"]))
        with self.assertRaisesRegex(UserError, "'q100' is no query"):
            scenario._options(["--queries", "q100"])


def leg(variant, rows, checksum, timed_out=False, round_=1):
    return Leg("q3", variant, round_, {}, CacheState(0, 9), 1.0, None, rows,
               checksum, [], timed_out=timed_out)


class RowsTest(unittest.TestCase):
    def compared(self, statement, done, again="x"):
        """The compared legs, and those that were repeated for it."""
        points = [Point("q3", variant, {}, statement=statement)
                  for variant in ("off", "on")]
        ran = []

        def as_it_is(_run, _query, text, variant, _settings):
            ran.append((text, variant))
            return leg(variant, 700, again)
        with mock.patch.object(frame, "leg_as_it_is", as_it_is):
            return scenario._rows(None, points, done), ran

    def test_ties_at_the_limit_are_no_difference(self):
        rows, ran = self.compared("SELECT a LIMIT 2",
                                  [leg("off", 2, "x"), leg("on", 2, "y")])
        self.assertEqual(ran, [("SELECT a", "off"), ("SELECT a", "on")])
        self.assertEqual([one.rows for one in rows], [700, 700])

    def test_other_differences_are(self):
        for statement, done in (
                ("SELECT a", [leg("off", 2, "x"), leg("on", 2, "y")]),
                ("SELECT a LIMIT 2", [leg("off", 2, "x"), leg("on", 1, "y")]),
                ("SELECT a LIMIT 3", [leg("off", 2, "x"), leg("on", 2, "y")])):
            rows, ran = self.compared(statement, done)
            self.assertEqual((rows, ran), (done, []))
            with self.assertRaisesRegex(UserError, "DIFFERENT ROWS"):
                frame.check_rows(rows)

    def test_a_side_that_never_ended_is_not_run_again(self):
        late = leg("on", 0, "", timed_out=True)
        rows, ran = self.compared("SELECT a LIMIT 2", [
            leg("off", 2, "x"), leg("off", 2, "y", round_=2), late])
        self.assertEqual(ran, [("SELECT a", "off")])
        self.assertEqual(legs.never_ended(rows), ["q3 on"])


class TablesTest(unittest.TestCase):
    def test_each_table_is_made_and_has_a_key(self):
        def text(name):
            with open(os.path.join(tpcds._PLACE, name)) as file:
                return file.read()
        made = re.findall(r"create table (\w+)", text("schema.sql"))
        keyed = re.findall(r"alter table (\w+) add primary key",
                           text("indexes.sql"))
        self.assertEqual(sorted(made), sorted(tpcds._TABLES))
        self.assertEqual(sorted(keyed), sorted(tpcds._TABLES))


if __name__ == "__main__":
    unittest.main()
