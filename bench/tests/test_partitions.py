"""Partitions: every leg's schema, and what is said of the times."""

import unittest

import partitions
from lib.cold import CacheState
from lib.legs import Leg


def leg(name, state, seconds, round_=1):
    return Leg("q2.2", partitions.variant(name, state), round_, {},
               CacheState(0, 9), seconds + 0.5, None, 1, "x",
               [{"Plan": {"Node Type": "Result"},
                 "Execution Seconds": seconds}])


def cut_off(name, state, seconds, round_=1):
    return Leg("q2.2", partitions.variant(name, state), round_, {},
               CacheState(0, 9), seconds, None, 0, "",
               [{"Plan": {"Node Type": "Result"}}], timed_out=True)


class PartitionsTest(unittest.TestCase):
    def test_points(self):
        found = {point.variant: point.settings["search_path"]
                 for point in partitions._points(["q2.2"])}
        self.assertEqual(found, {"one off": "public", "one on": "public",
                                 "months off": "months,public",
                                 "months on": "months,public"})

    def test_execution_alone_counts(self):
        text = partitions.table(["q2.2"], [
            leg(name, state, seconds, round_) for round_ in (1, 2)
            for name, state, seconds in (
                ("one", "off", 0.4), ("one", "on", 0.1),
                ("months", "off", 0.6), ("months", "on", 0.2))])
        self.assertEqual(text.splitlines()[-1].split(),
                         ["q2.2", "400.0", "100.0", "600.0", "200.0", "4.00",
                          "3.00", "1.50", "2.00"] + ["n/a"] * 4)

    def test_a_time_that_was_cut_off_is_marked(self):
        text = partitions.table(["q2.2"], [
            make(name, state, seconds, round_) for round_ in (1, 2)
            for make, name, state, seconds in (
                (leg, "one", "off", 0.4), (leg, "one", "on", 0.1),
                (cut_off, "months", "off", 150), (leg, "months", "on", 0.2))])
        line, legend = text.splitlines()[-2:]
        self.assertEqual(line.split()[1:5],
                         ["400.0", "100.0", ">150000.0", "200.0"])
        self.assertTrue(legend.startswith("> a run hit"), legend)

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
