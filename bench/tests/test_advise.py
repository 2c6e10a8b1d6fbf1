"""The advisor's harms: what is made, and what is said of the measurements."""

import unittest

import advise as scenario
from lib import advice


def row(case, state, seconds, seen=""):
    return {"case": case, "rule": "compact data", "round": "1",
            "state": state, "seconds": str(seconds), "read_bytes": "2000000",
            "written_bytes": "0", "seen": seen}


class CasesTest(unittest.TestCase):
    def test_names(self):
        for scale in (0.01, 3.0):
            self.assertEqual(tuple(advice.cases(scale)), advice.NAMES)

    def test_rules(self):
        rules = {case.rule for case in advice.cases(1.0).values()}
        self.assertGreaterEqual(len(rules), 5)

    def test_each_makes_what_it_reads(self):
        for case in advice.cases(0.5).values():
            for name in case.files:
                self.assertIn(f"CREATE TABLE {name} ", case.make)


class TableTest(unittest.TestCase):
    def test_before_and_after(self):
        text = scenario.table([row("a", "before", 3, "much"),
                               row("a", "after", 1.5)])
        self.assertRegex(text, r"a +compact data +3\.00 +1\.50 +2\.00 .* yes")

    def test_not_silent(self):
        text = scenario.table([row("a", "before", 3, "much"),
                               row("a", "after", 3, "much")])
        self.assertRegex(text, r" no *$")

    def test_half_a_case_is_left_out(self):
        self.assertNotIn("3.00", scenario.table([row("a", "before", 3)]))

    def test_underscores_are_no_patterns(self):
        self.assertEqual(scenario.like("t_key"), r"'t\_key%'")


if __name__ == "__main__":
    unittest.main()
