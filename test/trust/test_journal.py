#!/usr/bin/env python3
"""The journal has complete lines, on a full disk and with another writer."""

import contextlib
import fcntl
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import journal  # noqa: E402
import page  # noqa: E402
import samples  # noqa: E402
import tap  # noqa: E402
from lib.errors import UserError  # noqa: E402
from unit import Finding, Result, Sample  # noqa: E402

DATE = "2001-01-01"


def entry(unit, server=15):
    return journal.Entry("rows", server, 1, unit, "queries", 60.0,
                         {"queries": 7}, [], [], "15.1")


def result(*texts):
    return Result("queries", {}, [Finding("wrong", one) for one in texts])


@contextlib.contextmanager
def disk_of(size):
    """No file can become larger: a write is truncated there, and the next one
    fails (Python ignores SIGXFSZ)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def waits_for(path):
    """Does a process wait for a lock of the file?"""
    inode = str(os.stat(path).st_ino)
    with open("/proc/locks", encoding="ascii") as file:
        return any("->" in line and line.split()[6].split(":")[2] == inode
                   for line in file)


class JournalTest(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        os.mkdir(os.path.join(self.place.name, "raw"))
        for module in (journal, page):
            change = mock.patch.object(module, "RESULTS", self.place.name)
            change.start()
            self.addCleanup(change.stop)
        self.journal = journal.Journal(DATE)
        self.path = self.journal.path

    @staticmethod
    def add(to, one, what=result()):
        with to.locked():
            to.add(one, what)

    def units(self):
        return [(one.server, one.unit)
                for one in journal.Journal(DATE).entries]

    def text(self):
        with open(self.path, "rb") as file:
            return file.read()

    def write(self, text):
        with open(self.path, "ab") as file:
            file.write(text)

    def files(self):
        return sorted(os.path.join(folder, name) for folder, _, names
                      in os.walk(self.place.name) for name in names)

    def test_next_unit_is_the_first_that_is_not_done(self):
        for unit in (0, 1, 3):
            self.add(self.journal, entry(unit))
        self.assertEqual(self.journal.next_unit("rows", 15, 1), 2)

    def test_next_unit_of_each_job(self):
        for unit in (0, 1, 3):
            self.add(self.journal, entry(unit))
        self.assertEqual([self.journal.next_unit("rows", 15, 1, job, 2)
                          for job in (0, 1)], [2, 5])

    def test_page_names_units_in_ranges(self):
        for unit in (0, 1, 3):
            self.add(self.journal, entry(unit))
        self.assertIn("| 1: 0–1, 3 |", "\n".join(page._table(self.journal)))

    def test_page_names_the_commits(self):
        for unit, commit in enumerate(("", "1234567", "1234567", "89abcde+")):
            one = entry(unit)
            one.commit = commit
            self.add(self.journal, one)
        self.assertIn("| 1: 0; 1: 1–2 at 1234567; 1: 3 at 89abcde+ |",
                      "\n".join(page._table(self.journal)))

    def test_page_tells_of_parts_that_were_tried(self):
        self.add(self.journal, entry(0))
        path = page.write(self.journal, {"rows": "queries", "ddl": "DDL"})
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("\n- rows: queries\n", text)
        self.assertNotIn("ddl", text)

    def test_page_names_the_units_that_came(self):
        for unit, what in enumerate(("socket gone", "canceled",
                                     "socket gone")):
            one = entry(unit)
            one.part, one.what = "faults", what
            self.add(self.journal, one)
        self.assertEqual(page._tried(self.journal, {"faults": "meanwhile"}),
                         ["- faults: meanwhile: socket gone; canceled"])

    def test_page_counts_random_queries_by_turn(self):
        for unit, what in enumerate(("--wide", "as in the check", "--wide")):
            one = entry(unit)
            one.what = what
            self.add(self.journal, one)
        lines = page._turns(self.journal)
        self.assertIn("| 15.1 | --wide | 2 | 14 | – | – |", lines)
        self.assertIn("| 15.1 | as in the check | 1 | 7 | – | – |", lines)

    def test_full_disk(self):
        self.add(self.journal, entry(0))
        before = self.text()
        for room in (0, 1, len(before) // 2, len(before) - 1):
            with disk_of(len(before) + room), \
                    self.assertRaisesRegex(UserError, "rows 1 could not be "
                                           f"written down beside {self.path}"):
                self.add(self.journal, entry(1))
            self.assertEqual(self.text(), before, room)
        self.add(self.journal, entry(1))
        self.assertEqual(self.units(), [(15, 0), (15, 1)])

    def test_full_disk_leaves_no_files_of_findings(self):
        self.add(self.journal, entry(0))
        before = self.files()
        for size in (len(self.text()) + 1, 20):     # the line, a file
            with disk_of(size), self.assertRaises(UserError):
                self.add(self.journal, entry(1), result("a", "b" * 30))
            self.assertEqual(self.files(), before)
            self.assertEqual(os.listdir(os.path.dirname(self.path)),
                             [os.path.basename(self.path)])

    def test_full_disk_leaves_samples_and_line_together(self):
        what = Result("load", {}, [], [Sample(1.5, "log", 7)] * 100)
        self.add(self.journal, entry(0), what)
        before = self.text()
        csv = self.journal.samples_path
        with disk_of(os.path.getsize(csv) + 9), self.assertRaises(UserError):
            self.add(self.journal, entry(1), what)
        self.assertEqual(self.text(), before)
        self.add(self.journal, entry(1), what)
        self.assertEqual([row.unit for row in samples.read(csv)],
                         [0] * 100 + [1] * 100)

    def test_files_of_others_stay(self):
        self.add(self.journal, entry(0), result("select 1"))
        before = self.files()
        with disk_of(len(self.text()) + 1), self.assertRaises(UserError):
            self.add(self.journal, entry(1), result("select 2"))
        self.assertEqual(self.files(), before)

    def test_full_disk_leaves_the_page(self):
        with self.journal.locked():
            self.journal.add(entry(0), result())
            path = page.write(self.journal, {})
        with open(path, encoding="utf-8") as file:
            before = file.read()
        with disk_of(100), self.journal.locked(), \
                self.assertRaisesRegex(UserError, f"cannot write {path}"):
            page.write(self.journal, {})
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(self.files(), sorted([path, self.path]))

    def test_half_a_line(self):
        self.add(self.journal, entry(0))
        self.write(b'{"part": "rows", "server": 1')
        self.assertEqual(self.units(), [(15, 0)])
        self.add(self.journal, entry(1))
        self.assertEqual(self.units(), [(15, 0), (15, 1)])

    def test_a_line_that_lacks_its_end(self):
        self.add(self.journal, entry(0))
        os.truncate(self.path, len(self.text()) - 1)
        self.assertEqual(self.units(), [(15, 0)])
        self.add(self.journal, entry(1))
        self.assertEqual(self.units(), [(15, 0), (15, 1)])

    def test_a_line_that_is_none(self):
        self.add(self.journal, entry(0))
        before = self.text()
        for line in (b'{"part": "ro{"part": "rows"}\n', b"<<<<<<< HEAD\n",
                     b"[1]\n", b'{"part": "rows"}\n', b"\xff\n", b"\n"):
            with open(self.path, "wb") as file:
                file.write(before + line + before)
            with self.assertRaisesRegex(
                    UserError, f"^line 2 of {self.path} [^\n]*$"):
                journal.Journal(DATE)

    def test_one_at_a_time(self):
        self.add(self.journal, entry(0))
        other = journal.Journal(DATE)
        with open(self.path, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            thread = threading.Thread(target=self.add,
                                      args=(other, entry(0, 18)))
            thread.start()
            while thread.is_alive() and not waits_for(self.path):
                thread.join(0.01)
            self.assertEqual(self.units(), [(15, 0)])
        thread.join()
        self.assertEqual(self.units(), [(15, 0), (18, 0)])

    def test_page_tells_of_the_other_s(self):
        self.add(self.journal, entry(0))
        self.add(journal.Journal(DATE), entry(3, 18))
        with self.journal.locked():
            path = page.write(self.journal, {})
        with open(path, encoding="utf-8") as file:
            self.assertIn("1: 0, 3 ", file.read())


@unittest.skipUnless(shutil.which("git"), "no git")
class CommitTest(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.top = directory.name
        os.makedirs(os.path.join(self.top, "docs", "results"))
        self.git("init", "--quiet")
        self.write("code.c", "old")
        self.write("docs/results/page", "old")
        self.git("add", ".")
        self.git("-c", "user.name=a", "-c", "user.email=b", "commit",
                 "--quiet", "--message=c")

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.top, *arguments], check=True)

    def write(self, name, text):
        with open(os.path.join(self.top, name), "w",
                  encoding="utf-8") as file:
            file.write(text)

    def test_commit(self):
        self.assertRegex(journal.commit_of(self.top), r"\A[0-9a-f]{7,}\Z")

    def test_results_are_no_change(self):
        self.write("docs/results/page", "new")
        self.write("another", "new")
        self.assertRegex(journal.commit_of(self.top), r"\A[0-9a-f]{7,}\Z")

    def test_changes(self):
        self.write("code.c", "new")
        self.assertRegex(journal.commit_of(self.top), r"\A[0-9a-f]{7,}\+\Z")

    def test_a_copy_within_another_tree(self):
        self.assertEqual(
            journal.commit_of(os.path.join(self.top, "docs")), "")

    def test_no_tree(self):
        with tempfile.TemporaryDirectory() as top:
            self.assertEqual(journal.commit_of(top), "")


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
