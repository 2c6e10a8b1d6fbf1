#!/usr/bin/env python3
"""What is judged, and how, about random queries.

The timeout of a query ends that query, and no later message.  An error is a
finding unless core raises it.
"""

import os
import re
import sys
import unittest
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, folder)
                for folder in ("query_fuzz", "structure")]
# pylint: disable=wrong-import-position
import compare  # noqa: E402
import settings  # noqa: E402
import tap  # noqa: E402


class Recording:
    """A session that records what it is sent; each answer is a number."""

    def __init__(self):
        self.sent = []

    def run(self, statements):
        self.sent.append(statements)
        return SimpleNamespace(sqlstate=None, message="", results=[[b"1"]],
                               text=lambda: ["1"])

    must = run


class TimeoutTest(unittest.TestCase):
    CASE = SimpleNamespace(
        script=lambda *_: "SELECT 1", circumstances=lambda *_: "",
        statement=SimpleNamespace(query="SELECT 1", rows=True, plainly=True,
                                  ordered=True))

    def check(self, session):
        timed = [re.findall(r"statement_timeout = '?(\w+)", message)
                 for message in session.sent]
        self.assertEqual(timed[0], ["4s", "0"])
        self.assertEqual([one for one in timed[1:] if one], [])

    def test_query(self):
        session = Recording()
        # pylint: disable=protected-access
        compare.Comparer(lambda: session)._run(self.CASE, (), ())
        self.assertGreater(len(session.sent), 1)
        self.check(session)

    def test_plan(self):
        session = Recording()
        compare.Comparer(lambda: session).explain(self.CASE, (), ())
        self.check(session)


# Both tables are filtered, and the second one by an expression that fails.
PLAN = """Hash Join
  Hash Cond: (f.k = e.k)
  ->  Custom Scan (SsdparStarScan) on f
        Filter: ((10 / (f.x - 5)) = 2)
        Reducer: d on k  (keys=1 kept=0.0050)
        ->  Seq Scan on d
              Filter: (d.x < 9)
  ->  Hash
        ->  Seq Scan on e
              Filter: ((10 / (e.x - 5)) = 2)"""


class Answering(compare.Comparer):
    """Core's plans give rows, but one does not."""

    ROWS = compare.Outcome(None, (b"f",), 0)

    def __init__(self, plan, hashed_first):
        super().__init__(Recording)
        self._plan = plan
        self._hashed_first = hashed_first

    def explain(self, case, ssdpar, planner, options=""):
        return self._plan

    def _run(self, case, ssdpar, planner):
        return self._hashed_first if planner == settings.HASHED_FIRST \
            else self.ROWS


class ErrorTest(unittest.TestCase):
    CASE = SimpleNamespace(ssdpar=[], planner=[],
                           statement=SimpleNamespace(query="SELECT 1"))
    ZERO = compare.Outcome(("22012", "division by zero"), (), 0)

    def kind(self, plan, error, hashed_first):
        # pylint: disable=protected-access
        return Answering(plan, hashed_first)._error_kind(
            self.CASE, error, [Answering.ROWS], [Answering.ROWS])

    def test_hashed_first(self):
        self.assertEqual(self.kind(PLAN, self.ZERO, self.ZERO),
                         "core raises it too")

    def test_core_answers(self):
        for other in (Answering.ROWS,
                      compare.Outcome(("22P02", 'invalid "bad"'), (), 0),
                      compare.Outcome(("57014", "timeout"), (), 0)):
            self.assertEqual(self.kind(PLAN, self.ZERO, other), "error")

    def test_not_of_queries(self):
        intern = compare.Outcome(("XX000", "no such path"), (), 0)
        self.assertEqual(self.kind(PLAN, intern, intern), "error")

    def test_raised_by_reducer(self):
        for filter_of_d in ("((10 / (d.x - 5)) < 9)", "(raises(d.x) < 9)",
                            "((d.t)::integer < 9)", "(d.x = $0)"):
            plan = PLAN.replace("(d.x < 9)", filter_of_d)
            self.assertNotEqual(plan, PLAN)
            self.assertEqual(self.kind(plan, self.ZERO, self.ZERO), "error")
            only = "\n".join(line[6:] for line in plan.splitlines()[2:7])
            self.assertEqual(self.kind(only, self.ZERO, self.ZERO), "error")


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
