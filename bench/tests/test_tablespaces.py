"""Tablespaces: the text on times, device by device."""

import tempfile
import unittest
from unittest import mock

import tablespaces as scenario
from lib import results
from lib.cold import CacheState
from lib.legs import Leg
from tests.test_plan import FACT_SCAN

QUERY = scenario.query_of("one channel", "off")


def leg(count, seconds, round_, timed_out=False):
    return Leg(QUERY, scenario.variant_of(count), round_, {},
               CacheState(0, 9), seconds, 10 ** 6, 1, "x",
               [{"Plan": FACT_SCAN}], timed_out=timed_out)


DONE = [leg(count, seconds, round_, count == 1) for round_ in (1, 2, 3)
        for count, seconds in ((1, 300.0), (2, 200.0), (4, 100.0))]


class TableTest(unittest.TestCase):
    def lines(self, measured):
        """Of DONE, with rows of the devices of the measured legs.

        Those of a leg together read 2 MB in round 1, 4 in round 2, 6 in 3.
        """
        file = results.LegFile("tablespaces")
        file.done = list(DONE)
        with tempfile.TemporaryDirectory() as file.directory, \
                mock.patch("os.fsync"):
            each = file.rows(scenario.EACH, scenario.EACH_COLUMNS)
            for one in measured:
                count = int(one.variant)
                for number in range(4):
                    share = one.round / count * (number < count)
                    each.add({"query": one.query, "variant": one.variant,
                              "round": one.round, "device": number,
                              "bytes_read": share * 2e6,
                              "busy_ms": share * 5e4})
            return scenario.table(file).splitlines()

    def test_a_time_that_was_cut_off_is_marked(self):
        lines = self.lines(DONE)
        self.assertRegex(lines[2], r" 1  >300\.00 +1\.00 +4 0 0 0 +33 0 0 0$")
        self.assertRegex(lines[4], r" 4 +100\.00 +3\.00 +1 1 1 1 +"
                         "25 25 25 25$")
        self.assertTrue(lines[5].startswith("> a run hit"), lines)

    def test_what_was_cut_off_before_its_leg_counts_once(self):
        last = [one for one in DONE if one.round == 3]
        self.assertEqual(self.lines(last + last + DONE), self.lines(DONE))


if __name__ == "__main__":
    unittest.main()
