"""Plans are compared by their shape, and figures cover all queries."""

from __future__ import annotations

import json
import os
import unittest

from lib import ablation, ablation_page, features, made
from lib.build import TOP


def _plan(rows: int, index: str = "a") -> list:
    return [{"Plan": {"Node Type": "Gather", "Workers Planned": 2,
                      "Plan Rows": rows, "Total Cost": 1.5, "Plans": [
                          {"Node Type": "Index Scan", "Index Name": index,
                           "Output": ["x"], "Plan Rows": rows}]},
             "Planning Time": 0.5}]


class Shapes(unittest.TestCase):
    def test_estimates_are_no_difference(self) -> None:
        self.assertEqual(ablation.shape(_plan(1)), ablation.shape(_plan(9)))

    def test_nodes_are(self) -> None:
        self.assertNotEqual(ablation.shape(_plan(1)),
                            ablation.shape(_plan(1, "b")))
        self.assertIn("Workers Planned", ablation.shape(_plan(1)))

    def test_several_plans_are_read(self) -> None:
        out = "\n".join(json.dumps(_plan(n), indent=1) for n in range(3))
        self.assertEqual(len(ablation.read_plans(out)), 3)

    def test_one_that_changes_from_time_to_time_does_not_differ(self) -> None:
        planned = ablation.Planned(
            {"all": ["a", "b"], "-x": ["b", "b"], "-y": ["c", "c"],
             "-z": ["c", "c"], "-w": ["a", "a"]}, {})
        found = ablation.to_time(planned, ["-x", "-y", "-z", "-w"],
                                 {"-w": True})
        self.assertEqual(found, {"-y": "-y", "-z": "-y", "-w": "-w"})


class Effects(unittest.TestCase):
    def test_the_mean_is_of_all_queries(self) -> None:
        times = {("a", "all"): [1.0], ("a", "-x"): [16.0],
                 ("a", "core"): [0.5], ("b", "all"): [1.0],
                 ("b", "core"): [2.0], ("c", "all"): [1.0],
                 ("d", "all"): [1.0]}
        one = ablation.effect("-x", "all", ["a", "b", "c", "d", "e"], times,
                              {"a": "-x"}, 1.0)
        self.assertAlmostEqual(one.mean, 2.0)
        self.assertEqual((one.low, one.high), (one.mean, one.mean))
        self.assertEqual(one.highest, ("a", 16.0))
        self.assertEqual((one.differing, one.below, one.slower), (1, 0, 1))

    def test_what_was_not_timed_does_not_count(self) -> None:
        one = ablation.effect("-x", "all", ["a", "b", "c"],
                              {("a", "all"): [1.0], ("b", "all"): [1.0],
                               ("b", "-x"): [3.0]},
                              {"a": "-x", "b": "-x", "c": "-x"}, 1.0)
        self.assertEqual(one.ratios, {"b": 3.0})
        self.assertEqual((one.differing, one.timed), (3, 1))


class Features(unittest.TestCase):
    def test_each_has_files(self) -> None:
        for feature in features.FEATURES.values():
            for pattern in feature.sources:
                self.assertTrue(
                    features.Feature("", {}, (pattern,)).files(),
                    f"{feature.name}: {pattern}")

    def test_names_of_switches_are_the_server_s(self) -> None:
        with open(os.path.join(TOP, "src", "base", "settings.c")) as file:
            text = file.read().partition("without_names[] = {")[2]
        names = {line.strip().strip('",') for line
                 in text.partition("};")[0].splitlines() if line.strip()}
        self.assertEqual(names, {feature.name for feature
                                 in features.FEATURES.values()
                                 if feature.switch})

    def test_what_is_added_comes_with_what_it_needs(self) -> None:
        variants = features.variants()
        self.assertIn("ssdpar.index_join", variants["star"])
        added = variants["star+loop_prices"]
        self.assertIn("ssdpar.index_join", added)
        self.assertNotIn("loop_prices", added[features.WITHOUT])
        self.assertIn("load", added[features.WITHOUT])


class Workloads(unittest.TestCase):
    def test_there_are_twenty_queries(self) -> None:
        for workload in made.WORKLOADS.values():
            queries = workload.queries()
            self.assertEqual(len(queries), 20)
            self.assertTrue(all(";" not in text for text
                                in queries.values()))


class Page(unittest.TestCase):
    def test_rows_of_plans(self) -> None:
        rows = [{"query": "a", "variant": "all", "number": str(n),
                 "shape": f"s{n}", "planning_ms": str(3.0 - n)}
                for n in (1, 2)]
        one = ablation_page.planned(rows)["a"]
        self.assertEqual(one.shapes, {"all": ["s1", "s2"]})
        self.assertEqual(one.planning, {"all": 1.0})


if __name__ == "__main__":
    unittest.main()
