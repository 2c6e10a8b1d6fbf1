"""Planning: shares are relative to no ssdpar, the mean is SSB's."""

import unittest

import planning


class TableTest(unittest.TestCase):
    def setUp(self):
        self.planned = [
            planning.Planned(query, variant, 1e6 * factor, factor)
            for query in planning.QUERIES + ("no_star",)
            for variant, factor in (("off", 2.0), ("model", 2.2),
                                    ("all", 3.0 if query == "no_star"
                                     else 2.5))]

    def test_more(self):
        self.assertAlmostEqual(
            planning.more(self.planned, "q1.1", "model"), 0.1)

    def test_the_mean_is_of_ssb(self):
        last = planning.table(self.planned).splitlines()[-1]
        self.assertIn("+25.0%", last)

    def test_every_query_has_a_file(self):
        self.assertEqual(set(planning._statements()),
                         set(planning.QUERIES) | {"twelve", "no_star"})


if __name__ == "__main__":
    unittest.main()
