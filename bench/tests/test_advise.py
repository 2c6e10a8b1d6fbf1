"""The advisor's problems: what is created, and what is reported."""

import os
import tempfile
import unittest

import advise as scenario
from lib import advice, raw, small_devices


def row(case, state, seconds, seen=""):
    return {"case": case, "rule": "compact data", "round": "1",
            "state": state, "seconds": str(seconds), "read_bytes": "2000000",
            "written_bytes": "0", "seen": seen, "programmed_pages": "100",
            "moved_pages": "25" if seen else "0",
            "foreground_steps": "7" if seen else "0",
            "busiest_bytes": "3000000"}


class CasesTest(unittest.TestCase):
    def test_names(self):
        for scale in (0.01, 3.0):
            self.assertEqual(tuple(advice.cases(scale)), advice.NAMES)

    def test_rules(self):
        rules = {case.rule for case in advice.cases(1.0).values()}
        self.assertEqual(len(rules), 9)

    def test_each_makes_what_it_reads(self):
        for case in advice.cases(0.5).values():
            for name in case.files:
                self.assertIn(f"CREATE TABLE {name} ", case.make)

    def test_each_fits_its_devices(self):
        for scale in (0.01, 1.0, 5.0):
            for case in advice.cases(scale).values():
                for device in case.devices:
                    self.assertGreater(device.bytes,
                                       small_devices.LEAST_BYTES)


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

    def test_what_was_cut_off_before_its_fix_counts_once(self):
        rows = [row("a", "before", seconds, "much") for seconds in (9, 9, 3)]
        with tempfile.TemporaryDirectory() as place:
            file = raw.RowFile(os.path.join(place, "x.csv"), list(rows[0]))
            for one in rows + [row("a", "after", 1.5)]:
                file.add(one)
        self.assertRegex(scenario.tables(file), r"a .* 3\.00 +1\.50 +2\.00 ")

    def test_inside(self):
        text = scenario.inside_table([row("a", "before", 3, "much"),
                                      row("a", "after", 1),
                                      row("b", "before", 1)])
        self.assertRegex(text, r"a +7 +0 +3\.0 +3\.0 +0\.25 +0\.00")
        self.assertNotIn("b ", text.splitlines()[-1])

    def test_nothing_programmed(self):
        rows = [dict(row("a", state, 1), programmed_pages="0")
                for state in ("before", "after")]
        self.assertIn("0.00", scenario.inside_table(rows))


if __name__ == "__main__":
    unittest.main()
