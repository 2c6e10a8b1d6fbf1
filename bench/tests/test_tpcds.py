"""TPC-DS: what is done to its queries' texts, its options."""

import os
import re
import unittest

import tpcds as scenario
from lib import tpcds
from lib.errors import UserError


class QueriesTest(unittest.TestCase):
    def test_a_limit_at_the_end_goes(self):
        self.assertEqual(
            tpcds.unlimited("SELECT a FROM (SELECT b LIMIT 1) s\n"
                            "ORDER BY a\nLIMIT 100\n"),
            "SELECT a FROM (SELECT b LIMIT 1) s\nORDER BY a")
        self.assertEqual(tpcds.unlimited("SELECT limit_100 FROM t"),
                         "SELECT limit_100 FROM t")

    def test_options(self):
        options = scenario._options(["--queries", "q3,q99"])
        self.assertEqual((options.scale, options.rounds, options.jit,
                          options.setting, options.hot, options.queries),
                         (2.0, 1, "off", "enabled", False, ["q3", "q99"]))
        with self.assertRaisesRegex(UserError, "'q100' is no query"):
            scenario._options(["--queries", "q100"])


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
