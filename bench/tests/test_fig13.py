"""The Figure 13 scenario's output and exit status, from invented legs."""

import argparse
import contextlib
import io
import unittest

import fig13
from lib import split
from lib.cold import CacheState
from lib.errors import UserError
from lib.legs import Leg
from tests.test_plan import index_plan


def legs(cell, seconds, checksum="same"):
    return [Leg(cell.query, cell.variant, number, cell.settings(),
                CacheState(0, 100), value, 10 ** 6, 1, checksum,
                index_plan(cell.subqueries))
            for number, value in enumerate(seconds)]


class ShowTest(unittest.TestCase):
    def setUp(self):
        self.options = argparse.Namespace(queries=["q2.2"], n=[1, 16],
                                          scale=1.0, rounds=3,
                                          device=None)
        self.done = {cell: legs(cell, (2.0, 8.0, 4.0 / cell.subqueries))
                     for cell in fig13._cells(self.options)}

    def show(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            invalid = fig13._show(self.options, self.done, "Figure 13",
                                  "/there")
            split.judge(self.done, {})
        return out.getvalue(), invalid

    def test_figure(self):
        text, invalid = self.show()
        for part in ("~4.00 (2.00-8.00)", "~2.00 (0.25-8.00) 2.00x",
                     "INVALID", "wider than 25%", "/there",
                     "N=16 (2.00 s) is 2.00 times faster than N=1 (4.00 s)"):
            self.assertIn(part, text)
        self.assertEqual({cell.access for cell in invalid}, {"hash"})
        with self.assertRaisesRegex(UserError, "reaches lineorder by index"):
            split.judge(self.done, invalid)

    def test_different_rows(self):
        cell = split.Cell("q2.2", "index", 16)
        self.done[cell] = legs(cell, (1.0, 1.0, 1.0), "other")
        with self.assertRaisesRegex(UserError, "DIFFERENT ROWS"):
            self.show()


if __name__ == "__main__":
    unittest.main()
