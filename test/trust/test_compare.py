#!/usr/bin/env python3
"""The timeout of a random query ends that query, and no later message."""

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


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
