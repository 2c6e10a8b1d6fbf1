"""Partitions: every leg's schema, and the text on the times."""

import contextlib
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

import partitions
from lib import planning_time, results
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

    def test_half_of_a_query_s_planning_is_made_again(self):
        told = []

        def in_turns(_server, text, variants, plans, _warming):
            told.append(text)
            return {state: [7.0] * plans for state in variants}
        with tempfile.TemporaryDirectory() as place, \
                mock.patch.object(planning_time, "in_turns", in_turns):
            file = results.LegFile("partitions")
            file.directory = place
            run = SimpleNamespace(
                file=file, server=None, options=SimpleNamespace(plans=2),
                progress=SimpleNamespace(
                    step=lambda _: contextlib.nullcontext()))
            kept = file.rows(partitions.PLANNING, partitions.PLANNING_COLUMNS)
            for query, state, number in (
                    ("q1.2", "off", 0), ("q1.2", "off", 1), ("q1.2", "on", 0),
                    ("q1.2", "on", 1), ("q2.2", "off", 0), ("q2.2", "off", 1)):
                kept.add({"query": query, "variant": state, "plan": number,
                          "ms": 5})
            rows = partitions._plan_thousand(run)
            self.assertEqual(len(told), 3)
            self.assertEqual(rows, partitions._plan_thousand(run))
            self.assertEqual(len(told), 3)
        self.assertEqual([row["ms"] for row in rows],
                         ["5"] * 4 + ["7.000"] * 12)

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
