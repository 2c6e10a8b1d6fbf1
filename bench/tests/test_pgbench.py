"""pgbench in pairs: who is first, and ratios of what ran together."""

import unittest

import pgbench


class PairsTest(unittest.TestCase):
    def test_each_is_first_as_often(self):
        first = [pgbench.order(number)[0] for number in range(10)]
        self.assertEqual(first.count("with"), first.count("without"))

    def test_all_cells(self):
        options = pgbench._options([])
        self.assertEqual(len(set(pgbench.cells(options))), 12)

    def test_ratios_are_of_pairs(self):
        cell = pgbench.Cell("select", "simple", 1)
        pairs = [pgbench.Pair(cell, number, {"without": tps, "with": tps / 2})
                 for number, tps in enumerate((100.0, 1000.0, 500.0))]
        line = pgbench.table(pairs).splitlines()[-2]
        self.assertIn("0.500", line)
        self.assertIn("0.500-0.500", line)


if __name__ == "__main__":
    unittest.main()
