"""Reading plans: a plan, or one message."""

import json
import os
import tempfile
import unittest

from lib import legs, plan, read_plan

NODE = {"Node Type": "Seq Scan", "Relation Name": "lineorder",
        "Alias": "lineorder", "Plan Rows": 10, "Total Cost": 2.5}


def explained(**changes):
    return [{"Plan": dict(NODE, **changes)}]


class ReadPlanTest(unittest.TestCase):
    def refused(self, value, reason):
        with self.assertRaisesRegex(read_plan.NoPlan, reason):
            read_plan.checked(value)

    def test_taken(self):
        found = read_plan.checked(explained(Plans=[NODE]))
        self.assertEqual(plan.shape(found).access, "scan")

    def test_no_plan(self):
        for value in (None, {}, [], "text", 7, [3], [[]]):
            self.refused(value, "no (list|object)")
        self.refused([{}], "without a type")
        self.refused([{"Plan": []}], "without a type")
        self.refused([{"Plan": {"Node Type": 3}}], "without a type")

    def test_values(self):
        for value in ("7", None, True, [], float("nan"), float("inf"),
                      10 ** 400):
            self.refused(explained(**{"Plan Rows": value}), "is no number")
        for value in ("2", -1, 1.5, True, 10 ** 9):
            self.refused(explained(**{"Workers Planned": value}),
                         "is no count")
        self.refused(explained(**{"Relation Name": None}), "is no text")
        self.refused(explained(Plans={}), "is no list")
        self.refused(explained(Plans=[7]), "without a type")
        self.refused(explained(**{"Custom Plan Provider": "SsdparPartition"}),
                     "a split of nothing")

    def test_rows(self):
        self.refused(explained(**{"Actual Loops": 1}), "without its rows")

    def test_depth(self):
        node = dict(NODE)
        for _ in range(300):
            node = dict(NODE, Plans=[node])
        self.refused([{"Plan": node}], "below each other")
        with self.assertRaises(read_plan.NoPlan):
            read_plan.read("[" * 100000)

    def test_file(self):
        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "plan.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(explained(), file)
            self.assertEqual(read_plan.of_file(path), explained())
            with open(path, "wb") as file:
                file.write(b'[{"Plan": "\xff')
            with self.assertRaises(ValueError):
                read_plan.of_file(path)

    def test_handed_out_in_part(self):
        text = json.dumps(explained()[0])
        words = f"LOG:  duration: 1.5 ms  plan:\n{text}\n"
        self.assertEqual(len(legs.plans_that_ran(words * 2)), 2)
        self.assertEqual(len(legs.plans_that_ran(words + words[:80])), 1)


if __name__ == "__main__":
    unittest.main()
