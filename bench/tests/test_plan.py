"""Reading plans, and distinguishing a leg's plan from others."""

import unittest

from lib.plan import Split, shape
from lib.split import Cell, wrong_plan


def explained(root):
    return [{"Plan": root}]


def node(kind, *children, **properties):
    result = {"Node Type": kind}
    result.update({name.replace("_", " "): value
                   for name, value in properties.items()})
    if children:
        result["Plans"] = list(children)
    return result


FACT_BY_INDEX = node(
    "Index Scan", Relation_Name="lineorder",
    Index_Cond="(lineorder.lo_partkey = part.p_partkey)")
FACT_SCAN = node("Seq Scan", Relation_Name="lineorder")
DATE = node("Seq Scan", Relation_Name="date")


def split(kind, table, number, child):
    return node("Custom Scan", child, Custom_Plan_Provider="SsdparPartition",
                Partitioned_Table=table, Partition=kind, Subqueries=number)


def index_plan(number):
    part = node("Seq Scan", Relation_Name="part")
    if number > 1:
        part = split("dimension", "part", number, part)
    joined = node("Hash Join", node("Nested Loop", part, FACT_BY_INDEX),
                  node("Hash", DATE))
    if number == 1:
        return explained(node("Aggregate", joined))
    return explained(node("Gather", joined, Workers_Planned=number - 1))


class ShapeTest(unittest.TestCase):
    def test_core_plans(self):
        hashed = node("Hash Join", FACT_SCAN, node("Hash", DATE))
        self.assertEqual(str(shape(explained(hashed))), "hash, 1 process")
        gathered = node("Gather", hashed, Workers_Planned=2)
        self.assertEqual(str(shape(explained(gathered))), "hash, 2 workers")
        one = node("Gather", FACT_SCAN, Workers_Planned=1)
        self.assertEqual(str(shape(explained(one))), "scan, 1 worker")
        bitmap = node("Nested Loop", DATE, node(
            "Bitmap Heap Scan", node("Bitmap Index Scan"),
            Relation_Name="lineorder"))
        self.assertEqual(str(shape(explained(bitmap))), "bitmap, 1 process")

    def test_split_plans(self):
        found = shape(index_plan(16))
        self.assertEqual(str(found), "index x16 (part)")
        self.assertEqual(found.split, Split(16, "part", "dimension"))
        hashed = node("Hash Join", split("fact", "lineorder", 3, FACT_SCAN),
                      node("Hash", DATE))
        self.assertEqual(str(shape(explained(hashed))), "hash x3 (lineorder)")

    def test_star_scan(self):
        star = node("Custom Scan", node("Seq Scan", Relation_Name="date"),
                    Custom_Plan_Provider="SsdparStarScan",
                    Relation_Name="lineorder", Access="bitmap")
        self.assertEqual(
            str(shape(explained(node("Hash Join", star, DATE)))),
            "star bitmap, 1 process")

    def test_no_fact(self):
        self.assertEqual(str(shape(explained(node("Result")))),
                         "scan, 1 process")


class WrongPlanTest(unittest.TestCase):
    def test_right_ones(self):
        for number in (1, 16):
            self.assertIsNone(wrong_plan(Cell("q2.2", "index", number),
                                         shape(index_plan(number))))

    def test_wrong_ones(self):
        plan = shape(index_plan(16))
        for cell in (Cell("q2.2", "index", 8), Cell("q2.2", "index", 1),
                     Cell("q2.2", "hash", 16), Cell("q1.2n", "index", 16)):
            self.assertIsNotNone(wrong_plan(cell, plan), cell)
        self.assertIsNotNone(wrong_plan(Cell("q2.2", "index", 4),
                                        shape(index_plan(1))))


if __name__ == "__main__":
    unittest.main()
