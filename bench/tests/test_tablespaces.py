"""Tablespaces: what is said of times, device by device."""

import unittest

import tablespaces as scenario
from lib.cold import CacheState
from lib.legs import Leg
from tests.test_plan import FACT_SCAN

QUERY = scenario.query_of("one channel", "off")


def leg(count, seconds, round_, timed_out=False):
    return Leg(QUERY, scenario.variant_of(count), round_, {},
               CacheState(0, 9), seconds, 10 ** 6, 1, "x",
               [{"Plan": FACT_SCAN}], timed_out=timed_out)


def row(count, round_, device, bytes_read, busy_ms):
    return {"query": QUERY, "variant": str(count), "round": str(round_),
            "device": str(device), "bytes_read": str(bytes_read),
            "busy_ms": str(busy_ms)}


class TableTest(unittest.TestCase):
    def test_a_time_that_was_cut_off_is_marked(self):
        done = [leg(count, seconds, round_, count == 1) for round_ in (1, 2)
                for count, seconds in ((1, 300.0), (2, 200.0), (4, 100.0))]
        each = [row(count, round_, device, 4e6 / count * (device < count),
                    1e5 * (device < count))
                for count in scenario.COUNTS for round_ in (1, 2)
                for device in range(4)]
        lines = scenario.table(done, each).splitlines()
        self.assertRegex(lines[2], r" 1  >300\.00 +1\.00 +4 0 0 0 +33 0 0 0$")
        self.assertRegex(lines[4], r" 4 +100\.00 +3\.00 +1 1 1 1 +"
                         "100 100 100 100$")
        self.assertTrue(lines[5].startswith("> a run hit"), lines)


if __name__ == "__main__":
    unittest.main()
