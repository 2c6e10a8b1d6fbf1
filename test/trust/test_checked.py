#!/usr/bin/env python3
"""Kinds of checking that a server does not support are skipped, and named."""

import contextlib
import io
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import place  # noqa: E402,F401  pylint: disable=unused-import
import tap  # noqa: E402
from checked import Checked  # noqa: E402
from session import Answer  # noqa: E402


class Server:
    """The place and session of a server that accepts values up to most."""

    def __init__(self, most):
        self.most = most
        self.running = False

    def run_with(self, _settings):
        self.running = True

    def stop(self):
        self.running = False

    def session(self, _database):
        return self

    def must(self, _statement):
        size = len(self.most).to_bytes(4, "big")
        return Answer([[b"\0\1" + size + self.most]])

    def close(self):
        pass


class CachesTest(unittest.TestCase):
    def kinds(self, most):
        """What is tried, and the output."""
        server = Server(most)
        part = Checked(server, 1, None)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            units = part.units()
            self.assertEqual(part.units(), units)
        self.assertFalse(server.running)
        kinds = [kind.name for kind, _ in part._all]
        self.assertEqual(len(kinds), units)
        return set(kinds), said.getvalue()

    def test_with_assertions(self):
        self.assertEqual(self.kinds(b"5"), ({"valgrind", "caches"}, ""))

    def test_without(self):
        kinds, said = self.kinds(b"0")
        self.assertEqual(kinds, {"valgrind"})
        self.assertRegex(said, r"\Assdpar: left out: checked: .*\n\Z")


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
