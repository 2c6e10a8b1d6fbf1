"""Missing tools: each is reported in a line, and the rest is run."""

import argparse
import contextlib
import io
import os
import unittest
from unittest import mock

import all as every
import fig6
import fig12
import make_report
from lib import cold, emulator, micro, packages, process, results
from lib import workloads
from lib.errors import UserError
from report import collect, figures
from tests import test_report


class Said:
    """Progress that records its lines."""

    def __init__(self):
        self.lines = []

    def say(self, text):
        self.lines.append(text)

    step = staticmethod(lambda text: contextlib.nullcontext())

    def close(self):
        pass


def options(*arguments):
    return every._options(list(arguments))


class AllTest(unittest.TestCase):
    def test_steps(self):
        both = every.steps_of(["fig13", "power"], None)
        self.assertEqual([step.directory for step in both],
                         ["fig13", "power", "fig13-ssd-s"])
        self.assertEqual(every.steps_of(["power"], "hdd")[0].title,
                         "power on hdd")

    def test_what_is_asked_for_is_passed_on(self):
        step, micro_step = every.steps_of(["fig12", "fig5"], "ssd-s")
        asked = options("--timeout", "20", "--calibrate", "--server", "15")
        words = every._arguments(asked, step)
        found = fig12._options(words)
        self.assertEqual((found.timeout, found.calibrate, found.server),
                         (20, True, 15))
        self.assertEqual(every._arguments(asked, micro_step),
                         ["--device", "ssd-s"])
        self.assertEqual(fig12._options(every._arguments(
            options(), step)).timeout, 600)

    def test_no_fuse(self):
        told = Said()
        with mock.patch("os.path.exists", return_value=False), \
                mock.patch.object(every, "_check_disk"):
            steps = every._choose(options("--only", "fig13"), told)
            with self.assertRaisesRegex(UserError, "nothing of what was"):
                every._choose(options("--only", "fig13", "--device",
                                      "ssd-s"), told)
        self.assertEqual([step.title for step in steps], ["fig13"])
        self.assertIn("leaving out fig13 on ssd-s: an emulated device needs "
                      "FUSE, and there is no /dev/fuse", told.lines)
        with mock.patch("os.path.exists", return_value=False), \
                self.assertRaisesRegex(UserError, "modprobe fuse"):
            emulator.check_bytes(0)
        with mock.patch("os.path.exists", return_value=True), \
                mock.patch("os.access", return_value=False):
            self.assertIn("only root may use /dev/fuse here",
                          emulator.no_fuse())

    def test_not_root(self):
        told = Said()
        with mock.patch("os.geteuid", return_value=1000):
            every._say_what_root_could(told, every.steps_of(
                ["fig6", "power"], None))
        self.assertEqual(len(told.lines), 2)
        self.assertIn("fig6 can be measured at the read_ahead_kb found only",
                      told.lines[0])
        self.assertIn("memory is not limited", told.lines[1])
        device = mock.Mock()
        device.read_ahead_kb.return_value = 4096
        with mock.patch("os.geteuid", return_value=1000), \
                mock.patch("lib.readahead.can_change", return_value=False):
            points = fig6._points(device, told)
        self.assertIn("only root can change read_ahead_kb: 128 is left out",
                      told.lines)
        self.assertEqual({point.read_ahead_kb for point in points},
                         {None, 4096})

    def test_too_little_disk(self):
        usage = mock.Mock(free=10 ** 9)
        with mock.patch("shutil.disk_usage", return_value=usage), \
                mock.patch("lib.scratch.Scratch.exists",
                           return_value=False), \
                self.assertRaisesRegex(UserError, "are free there"):
            every._choose(options("--only", "fig12"), Said())

    def test_quick_is_quick_all_through(self):
        quick = options("--quick")
        step = every.Step("fig5", None)
        self.assertEqual(every._arguments(quick, step),
                         ["--rounds", "1", "--file-size", "128"])
        parsed = micro._options("fig5", "", every._arguments(quick, step))
        self.assertEqual((parsed.rounds, parsed.file_size), (1, 128))
        self.assertIn("--quick", every._arguments(
            quick, every.Step("fig12", None)))
        self.assertEqual(fig12._options(["--quick"]).transactions, 100)
        self.assertEqual(fig12._options([]).transactions, 20000)


class WorkloadTest(unittest.TestCase):
    def prepared(self, pgbench, postmark):
        told, names = Said(), list(fig12.NAMES)
        server = mock.Mock()
        server.program.return_value = "/there/pgbench"
        server.where.visible.return_value = \
            "/bin/sh" if pgbench else "/nonexistent"
        with mock.patch.object(packages, "have", return_value=postmark), \
                mock.patch.object(workloads, "ensure_pgbench"), \
                mock.patch.object(workloads, "make_copy"):
            fig12._preparing(argparse.Namespace(pgbench_scale=1), names)(
                server, told)
        return names, told.lines

    def test_all_there(self):
        self.assertEqual(self.prepared(True, True),
                         (list(fig12.NAMES), []))

    def test_no_postmark(self):
        names, told = self.prepared(True, False)
        self.assertEqual((names, told), (["QS", "QR", "PB"],
                                         ["PM is left out"]))
        self.assertFalse([pair for pair in fig12.pairs_of(["plain"], names)
                          if "PM" in pair.key or pair.target == "Q0"])

    def test_no_pgbench(self):
        names, told = self.prepared(False, True)
        self.assertEqual(names, ["QS", "QR", "PM"])
        self.assertEqual(told, ["there is no /there/pgbench: PB is left out"])


class SyncTest(unittest.TestCase):
    """An emulated device reports that a co-runner was ended during a write."""

    def sync(self, *statuses):
        answers = [process.Result(int(bool(text)), "", text)
                   for text in statuses]
        server = mock.Mock()
        server.scratch.data = os.path.dirname(os.path.abspath(__file__))
        with mock.patch.object(process, "run", side_effect=answers):
            cold._sync(server)

    def test_interrupted(self):
        self.sync("")
        self.sync("sync: error syncing 'x': Interrupted system call", "")

    def test_failed(self):
        with self.assertRaisesRegex(UserError, "Input/output error"):
            self.sync("sync: error syncing 'x': Input/output error", "")


class MatplotlibTest(test_report.Made):
    """The report without it, from invented results."""

    def report(self, directory, *options):
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(figures, "pyplot", None), \
                mock.patch("importlib.util.find_spec", return_value=None), \
                mock.patch.object(packages, "have", return_value=False), \
                contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(err):
            self.assertEqual(make_report.make_report([directory, *options]),
                             0)
        return err.getvalue()

    def test_no_matplotlib(self):
        made = self.fig13()
        self.assertEqual(self.report(made), "ssdpar: without matplotlib the "
                         "report has no plots.\n")
        with open(os.path.join(made, "report.html")) as file:
            self.assertIn("No plot: matplotlib is missing", file.read())
        with open(os.path.join(made, "report.md")) as file:
            self.assertNotIn("![", file.read())
        self.assertFalse(os.path.exists(os.path.join(made, "report-plots")))

    def test_a_directory_that_is_not_there(self):
        made = self.fig13()
        page = os.path.join(made, "new", "page.html")
        self.report(made, "--output", page)
        self.assertTrue(os.path.exists(page))
        self.assertTrue(os.path.exists(os.path.join(made, "new", "page.md")))

    def test_a_line_that_a_crash_cut_off(self):
        made = self.fig13(complete=False)
        path = os.path.join(made, results.LEGS)
        os.truncate(path, os.path.getsize(path) - 7)
        before = os.path.getsize(path)
        self.report(made)
        self.assertEqual(os.path.getsize(path), before)
        run = collect.read(made)
        self.assertEqual(len(run.rows), 7)
        self.assertIn("was interrupted", run.caveats[0])


if __name__ == "__main__":
    unittest.main()
