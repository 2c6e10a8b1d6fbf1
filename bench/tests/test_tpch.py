"""TPC-H: its queries' texts, and the text on their times."""

import unittest

import tpch as scenario
from lib import cli, off_on, summary, tpch
from lib.cold import CacheState
from lib.errors import UserError
from lib.legs import Leg
from tests.test_plan import FACT_SCAN


def leg(query, variant, seconds, round_=1):
    return Leg(query, variant, round_, {}, CacheState(0, 9), seconds, 10 ** 6,
               1, "x", [{"Plan": FACT_SCAN}])


class QueriesTest(unittest.TestCase):
    def test_all_22_are_single_statements(self):
        self.assertEqual(len(tpch.QUERIES), 22)
        for query in tpch.QUERIES:
            text = tpch.statement(query, 3.0)
            self.assertNotIn(";", text, query)
            self.assertNotIn("{", text, query)

    def test_a_fraction_that_depends_on_the_scale(self):
        self.assertIn("* 0.0001000000\n", tpch.statement("q11", 1.0))
        self.assertIn("* 0.0000333333\n", tpch.statement("q11", 3.0))

    def test_settings(self):
        self.assertEqual(off_on.settings(tpch.SESSION, "off", "on",
                                         "index_join"),
                         {"search_path": "tpch", "jit": "on",
                          "ssdpar.index_join": "off"})

    def test_options(self):
        options = scenario._options(["--queries", "q1,q21"])
        self.assertEqual((options.scale, options.rounds, options.jit,
                          options.setting, options.hot, options.queries),
                         (3.0, 3, "off", "enabled", False, ["q1", "q21"]))
        with self.assertRaisesRegex(UserError, "'q23' is no query"):
            scenario._options(["--queries", "q23"])
        self.assertEqual(cli.SCALE_LOWEST, 0.01)


class TableTest(unittest.TestCase):
    DONE = [leg("q1", "off", 2.0), leg("q1", "off", 4.0, 2),
            leg("q1", "on", 1.5), leg("q1", "on", 1.5, 2),
            leg("q2", "off", 1.0), leg("q2", "on", 2.0)]

    def test_ratios(self):
        found = off_on.ratios(summary.of(self.DONE))
        self.assertEqual(found, {"q1": 2.0, "q2": 0.5})
        text = off_on.in_short(found)
        self.assertIn("geometric mean 1.00, lowest 0.50 (q2)", text)
        self.assertIn("Below 0.95: q2 0.50.", text)

    def test_a_line_a_query(self):
        text = off_on.table(["q1", "q2"], self.DONE)
        self.assertRegex(text, r"(?m)^q1 .* 2\.00-4\.00 .*1\.50-1\.50 "
                         r".*2\.00 +1 +1$")


if __name__ == "__main__":
    unittest.main()
