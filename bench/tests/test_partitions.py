"""Partitions: every leg's schema, and what is said of the times."""

import unittest

import partitions
from lib.cold import CacheState
from lib.legs import Leg


def leg(name, state, seconds):
    return Leg("q2.2", partitions.variant(name, state), 1, {},
               CacheState(0, 9), seconds + 0.5, None, 1, "x",
               [{"Plan": {}, "Execution Seconds": seconds}])


class PartitionsTest(unittest.TestCase):
    def test_points(self):
        found = {point.variant: point.settings["search_path"]
                 for point in partitions._points(["q2.2"])}
        self.assertEqual(found, {"one off": "public", "one on": "public",
                                 "months off": "months,public",
                                 "months on": "months,public"})

    def test_execution_alone_counts(self):
        text = partitions.table(["q2.2"], [
            leg("one", "off", 0.4), leg("one", "on", 0.1),
            leg("months", "off", 0.6), leg("months", "on", 0.2)])
        self.assertEqual(text.splitlines()[-1].split(),
                         ["q2.2", "400.0", "100.0", "600.0", "200.0", "4.00",
                          "3.00", "1.50", "2.00"] + ["n/a"] * 4)

    def test_planning(self):
        rows = [{"query": "q2.2", "variant": state, "plan": number, "ms": ms}
                for state, times in (("off", (10, 20, 90)),
                                     ("on", (11, 21, 22)))
                for number, ms in enumerate(times)]
        self.assertEqual(
            partitions.planning_table(rows).splitlines()[-1].split(),
            ["q2.2", "20.0", "21.0", "1.050", "1.100"])


if __name__ == "__main__":
    unittest.main()
