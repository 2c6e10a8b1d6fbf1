#!/usr/bin/env python3
"""test_versions.py: one version of ssdpar, one list of servers, everywhere.

The version is ssdpar.control's default_version.  The servers are those in
META.json that it is tested with; no other file may claim others.

Usage: test/structure/test_versions.py     prints TAP, for test/harness.pl
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unittest
from typing import List

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(TOP, "bench")]

import tap                                  # noqa: E402
from lib import installation, packages      # noqa: E402


def text_of(path: str) -> str:
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def found(pattern: str, path: str) -> str:
    match = re.search(pattern, text_of(path), re.M)
    return match.group(1) if match else f"nothing in {path}"


META = json.loads(text_of("META.json"))
VERSION = found(r"^default_version = '(.*)'$", "ssdpar.control")
SERVERS: List[int] = META["x_tested_with"]["PostgreSQL"]

# Tested, but not claimed: one that is in no Debian release, and a release
# candidate.
TRIED = [16, 19]


class VersionTest(unittest.TestCase):
    def test_meta(self):
        provides = META["provides"]["ssdpar"]
        # PGXN requires three numbers.
        self.assertEqual(META["version"], f"{VERSION}.0")
        self.assertEqual(provides["version"], f"{VERSION}.0")
        self.assertEqual(provides["file"], f"ssdpar--{VERSION}.sql")
        for name in ("file", "docfile"):
            self.assertTrue(os.path.exists(os.path.join(TOP, provides[name])))

    def test_makefile_installs_it(self):
        self.assertEqual(found(r"^DATA_built = (.*)$", "Makefile"),
                         f"built/ssdpar--{VERSION}.sql")

    def test_changelog(self):
        self.assertEqual(found(r"^## (\S+)", "CHANGELOG.md"), VERSION)

    def test_programs(self):
        for path, pattern in (
                ("daemon/main.c", r'^#define VERSION "(.*)"$'),
                ("probe/probe.h", r'^#define SSDPAR_PROBE_VERSION "(.*)"$'),
                ("docs/ssdpard.8", r'^\.TH .*"ssdpar (.*?)"'),
                ("docs/ssdpar-probe.1", r'^\.TH .*"ssdpar (.*?)"')):
            self.assertEqual(found(pattern, path), VERSION, path)

    def test_packages(self):
        self.assertEqual(found(r"^ssdpar \((.*)-\d+\)", "debian/changelog"),
                         VERSION)
        self.assertEqual(found(r"^Version: +(\S+)", "rpm/ssdpar.spec"), VERSION)
        self.assertEqual(found(r"^(\d+)\+$", "debian/pgversions"),
                         str(SERVERS[0]))

    def test_debian_control(self):
        """As pg_buildext creates it on the Debian that has the oldest version.
        """
        self.assertEqual(text_of("debian/control"),
                         text_of("debian/control.in").replace(
                             "PGVERSION", str(SERVERS[0])))

    def test_run(self):
        said = subprocess.run([os.path.join(TOP, "run"), "--version"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout, f"ssdpar {VERSION}\n")

    def test_programs_of_bench(self):
        for program in ("ssdemu", "ssdsim"):
            said = subprocess.run(
                ["make", "-s", "-C", os.path.join(TOP, "bench", program),
                 "--eval=print: ; @echo $(VERSION)", "print"],
                capture_output=True, text=True, check=True)
            self.assertEqual(said.stdout.split("\n")[0], VERSION)


class ServersTest(unittest.TestCase):
    WORDS = ", ".join(map(str, SERVERS[:-1]))

    def test_check_takes_them(self):
        self.assertEqual(found(r"^\t\t'' \| ([0-9 |]+)\) ;;$",
                               "test/check.sh"),
                         " | ".join(map(str, sorted(SERVERS + TRIED))))
        for other in range(SERVERS[0] - 1, SERVERS[-1] + 3):
            if other in SERVERS + TRIED:
                continue
            said = subprocess.run(
                ["bash", os.path.join(TOP, "test", "check.sh"),
                 f"--server={other}"], capture_output=True, text=True,
                check=False)
            self.assertEqual(said.returncode, 2)
            self.assertIn(f'not "{other}"', said.stderr)

    def test_there_is_a_tree_for_each(self):
        self.assertEqual(
            re.findall(r"^\t\t(\d+)\) echo \w+ ;;$", text_of("test/tree.sh"),
                       re.M), [str(server) for server in sorted(SERVERS + TRIED)])

    def test_benchmarks_take_them(self):
        self.assertEqual(list(installation.MAJORS), SERVERS)
        self.assertEqual(sorted(packages.SERVER_MAJORS), SERVERS)

    def test_compat_accepts_them(self):
        low, high = re.search(
            r"PG_VERSION_NUM < (\d+) \|\| PG_VERSION_NUM >= (\d+)",
            text_of("src/base/compat.h")).groups()
        for server in SERVERS:
            self.assertLessEqual(int(low), server * 10000)
            self.assertGreater(int(high), server * 10000)

    def test_what_is_said(self):
        for path in ("README.md", "CHANGELOG.md", "run", "Makefile",
                     "docs/internals/testing.md", "test/check.sh"):
            said = re.search(rf"{self.WORDS}\s+(?:and|or)\s+{SERVERS[-1]}\b",
                             text_of(path))
            self.assertIsNotNone(said, path)
        for path in ("README.md", "run", "Makefile", "docs", "bench", "test",
                     "t"):
            said = subprocess.run(
                ["grep", "-rIEl", f"{SERVERS[0]} to {SERVERS[-1]}",
                 os.path.join(TOP, path)], capture_output=True, text=True,
                check=False)
            self.assertEqual(said.stdout, "", "a range claims what is "
                             "between, too")


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
