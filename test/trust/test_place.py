#!/usr/bin/env python3
"""Which server is tested, the message if there is none, and directories in
which root works although the server's user owns them."""

import os
import sys
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import place  # noqa: E402
import tap  # noqa: E402
from lib.errors import UserError  # noqa: E402
from lib.process import User  # noqa: E402


class DirectoryTest(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = place.Place.__new__(place.Place)
        self.place.scratch = SimpleNamespace(path=directory.name)
        self.place.server = SimpleNamespace(user=User.current())
        self.other = os.path.join(directory.name, "other")
        os.mkdir(self.other, 0o755)

    def test_planted_link(self):
        """The scratch directory belongs to another user, and root works there.
        """
        os.symlink(self.other, self.place.path("suite"))
        for make in (self.place.new_directory, self.place.directory):
            with self.assertRaisesRegex(UserError, "is a link"):
                make("suite")
        self.assertEqual(os.stat(self.other).st_mode & 0o777, 0o755)

    def test_emptied(self):
        for _ in range(2):
            path = self.place.directory("suite")
            self.assertEqual(os.listdir(path), [])
            with open(os.path.join(path, "file"), "w", encoding="utf-8"):
                pass


class FindTest(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = directory.name
        for change in (mock.patch.dict(os.environ),
                       mock.patch.object(place, "native", self.pg_config),
                       mock.patch.object(place, "tree_of", self.tree)):
            change.start()
            self.addCleanup(change.stop)
        os.environ.pop("PG_CONFIG", None)
        os.environ["SSDPAR_TREES"] = self.path

    def pg_config(self, major):
        return os.path.join(self.path, str(major), "pg_config")

    def tree(self, major):
        """For a server that is not installed here."""
        return None if os.path.exists(self.pg_config(major)) else self.path

    def install(self, major, with_ssdpar):
        path = self.pg_config(major)
        os.mkdir(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ncase $1 in\n--version) echo PostgreSQL "
                       f"{major}.1 ;;\n*) dirname $0 ;;\nesac\n")
        os.chmod(path, 0o755)
        if with_ssdpar:
            with open(os.path.join(os.path.dirname(path), "ssdpar.so"), "w",
                      encoding="utf-8"):
                pass

    def refused(self, pattern, major=None):
        with self.assertRaisesRegex(UserError, pattern):
            place.find(major)

    def test_newest_that_has_ssdpar(self):
        self.install(15, True)
        self.install(17, True)
        self.install(18, False)
        self.assertEqual(place.find(None).pg_config, self.pg_config(17))

    def test_asked_for(self):
        self.install(15, True)
        self.install(17, True)
        self.assertEqual(place.find(15).major, 15)

    def test_given(self):
        self.install(15, True)
        self.install(17, True)
        os.environ["PG_CONFIG"] = self.pg_config(15)
        self.assertEqual(place.find(None).major, 15)
        self.refused("is PostgreSQL 15, not 17", 17)

    def test_none_has_ssdpar(self):
        self.install(15, False)
        self.install(17, False)
        self.refused(f"ssdpar is not installed for {self.pg_config(17)}")

    def test_no_server(self):
        self.refused("there is no PostgreSQL server here")

    def test_in_a_tree(self):
        with mock.patch.object(place, "check_tree") as check:
            self.assertIsNone(place.find(18))
        check.assert_called_once_with(18)


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
