#!/usr/bin/env python3
"""The order of faults in units, and the checks afterwards."""

import contextlib
import os
import signal
import struct
import sys
import tempfile
import threading
import unittest
from collections import Counter
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "structure")]
# pylint: disable=wrong-import-position
import place  # noqa: E402,F401  pylint: disable=unused-import
import faults  # noqa: E402
import held  # noqa: E402
import scarce  # noqa: E402
import tap  # noqa: E402
from session import Answer  # noqa: E402

HOUR = 60       # units, nearly


def encoded(row):
    """As the server sends it."""
    values = [None if value is None else str(value).encode() for value in row]
    return struct.pack("!h", len(row)) + b"".join(
        struct.pack("!i", -1 if value is None else len(value)) + (value or b"")
        for value in values)


class Clock:
    now = 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


class FaultsTest(unittest.TestCase):
    def setUp(self):
        change = mock.patch.object(faults, "time", Clock())
        self.clock = change.start()
        self.addCleanup(change.stop)
        self.part = faults.Faults(mock.Mock(), 1)


class TurnsTest(FaultsTest):
    def test_each_once_then_some_often(self):
        names = [self.part._turn_of(number).name for number in range(HOUR)]
        every = {turn.name for turn in faults._TURNS}
        first = names[:len(every)]
        self.assertEqual(set(first), every)
        count = Counter(names[len(every):])
        self.assertGreaterEqual(count["daemon killed"], 21)
        self.assertGreaterEqual(count["server stopped"], 7)
        self.assertGreaterEqual(count["server stopped amid calibration"], 7)

    def test_the_seed_says_where_it_begins(self):
        every = {turn.name for turn in faults._TURNS}
        first = {faults.Faults(mock.Mock(), seed)._turn_of(0).name
                 for seed in range(len(every))}
        self.assertEqual(first, every)

    def test_all_come_again(self):
        again = {self.part._turn_of(number).name
                 for number in range(HOUR, 3 * HOUR)}
        self.assertEqual(again, {turn.name for turn in faults._TURNS})


class KilledTest(FaultsTest):
    def killed(self, pids):
        """How many of those are killed that exist at each check."""
        with mock.patch.object(self.part, "daemon_pid",
                               side_effect=[*pids, *[0] * 10000]), \
                mock.patch.object(faults.os, "kill") as kill:
            count = self.part.daemon_killed()
        return count, [call.args for call in kill.call_args_list]

    def test_each_daemon_once(self):
        """One that is still ending is not killed again."""
        self.assertEqual(self.killed([7, 7, 0, 8]), (
            2, [(7, signal.SIGKILL), (8, signal.SIGKILL)]))
        self.assertGreater(self.clock.now, 1)

    def test_none_comes(self):
        self.assertEqual(self.killed([7])[0], 1)
        found, = self.part._found
        self.assertEqual(found.title, "the daemon is not started anew")


class CalibrationTest(FaultsTest):
    def broken_off(self, *pids, error=None):
        """For a calibration that has these processes when it is searched, and
        ends normally or with an error after the intervention."""
        ended = threading.Event()

        def calibrate(_statements):
            ended.wait(10)
            return Answer(sqlstate=error)
        seen = iter(pids)

        def look(_statement):
            pid = next(seen, None)
            if pid is None:
                ended.set()
            return Answer([[encoded([pid])]])
        self.part.place.session = lambda _: mock.Mock(run=calibrate)
        self.part.patient_session = lambda: mock.Mock(must=look)
        done = []

        def end(pid):
            done.append(pid)
            ended.set()
        return scarce._break_off(self.part, end), done

    def test_broken_off(self):
        self.assertEqual(self.broken_off(None, error="57014"), (0, []))
        self.assertEqual(self.broken_off(7, error="57014"), (1, [7]))

    def test_came_to_its_end(self):
        self.assertEqual(self.broken_off(7), (0, [7]))


class MemoryTest(FaultsTest):
    def ended(self, *lines):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("".join(line + "\n" for line in lines))
            file.flush()
            return held.ended_for_memory(file.name)

    def test_v1(self):
        self.assertEqual(self.ended("oom_kill_disable 0", "under_oom 1",
                                    "oom_kill 2"), 2)

    def test_v2(self):
        self.assertEqual(self.ended("oom 3", "oom_kill 1",
                                    "oom_group_kill 0"), 1)

    def test_not_by_the_kernel(self):
        self.assertEqual(self.ended("oom 0", "oom_kill 0"), 0)
        self.assertEqual(held.ended_for_memory("/no/such/file"), 0)

    def tried(self, kills):
        """A daemon in a group whose kernel kills it when it needs memory, or
        does not."""
        with tempfile.TemporaryDirectory() as group, \
                mock.patch.object(held, "time", self.clock), \
                mock.patch.object(held.os, "kill") as kill, \
                mock.patch.object(held, "_ask_for_memory") as asked, \
                mock.patch.object(held, "_group") as made:
            events = os.path.join(group, "events")

            def write(count):
                with open(events, "w", encoding="ascii") as file:
                    file.write(f"oom_kill {count}\n")
            write(3)        # of earlier ones

            def ask(_part):
                self.assertTrue(os.path.exists(
                    os.path.join(group, "cgroup.procs")))
                if kills:
                    write(4)
            asked.side_effect = ask
            self.part.daemon_pid = lambda: 0 if asked.called and kills else 7
            made.return_value.__enter__.return_value = group, events
            return held.out_of_memory(self.part), kill.call_count

    def test_ended_by_the_kernel(self):
        self.assertEqual(self.tried(True), (1, 0))
        self.assertEqual(self.part.counts, {})

    def test_ended_by_us(self):
        self.assertEqual(self.tried(False), (0, 1))
        self.assertEqual(self.part.counts, {"asked for no memory": 1})


class MustTest(FaultsTest):
    def test_closed(self):
        for answer in Answer(), Answer(sqlstate="55006"):
            session = mock.Mock(**{"run.return_value": answer})
            self.part.patient_session = lambda session=session: session
            held._must(self.part, "x", "DROP DATABASE held")
            session.close.assert_called_once_with()
        self.assertEqual([finding.title for finding in self.part._found],
                         ["x: 55006 "])


class DroppedTest(FaultsTest):
    def dropped(self, *files):
        """With this process as the daemon, which has these files open."""
        with tempfile.TemporaryDirectory() as data, \
                mock.patch.object(held, "time", self.clock), \
                mock.patch.object(held, "_asked"), \
                mock.patch.object(held, "_must"), \
                mock.patch.object(held, "_let_go"), \
                contextlib.ExitStack() as stack:
            self.part.place.scratch.data = data
            self.part.ask = lambda _: "16400"
            self.part.daemon_pid = os.getpid
            for name in files:
                path = os.path.join(data, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                stack.enter_context(open(path, "wb"))
            return held.database_dropped(self.part), dict(self.part.counts)

    def test_held(self):
        self.assertEqual(self.dropped("base/16400/7"), (1, {}))

    def test_nothing_held(self):
        for files in (), ("base/164001/7",), ("base/1/7",):
            self.assertEqual(self.dropped(*files), (
                0, {"database dropped, nothing held": 1}))
            self.part.counts.clear()


class FewTest(FaultsTest):
    def counts(self, status):
        self.part.ask = lambda _: status
        self.part.daemon_pid = os.getpid
        with mock.patch.object(scarce, "_set_soft", return_value=True):
            self.assertEqual(scarce.few_descriptors(self.part), 1)
        return dict(self.part.counts)

    def test_met(self):
        self.assertEqual(self.counts("t"), {"daemon without a descriptor": 1})

    def test_not_met(self):
        self.assertEqual(self.counts("f"), {})


class DiskTest(unittest.TestCase):
    """Possible results of a calibration on a disk that fills."""

    def test_ends_well(self):
        for sqlstate in (None, "", "53100", "58030"):
            self.assertTrue(held.ends_well(sqlstate), sqlstate)

    def test_ends_badly(self):
        for sqlstate in ("XX000", "22012"):
            self.assertFalse(held.ends_well(sqlstate), sqlstate)


class FullTest(FaultsTest):
    def tried(self, sqlstate, full):
        """A calibration that ends in this way, on a disk that is or is not
        full then."""
        session = mock.Mock(**{"run.return_value": Answer(sqlstate=sqlstate)})
        self.part.patient_session = lambda: session
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(held, "_small_disk") as disk, \
                mock.patch.object(held, "_must"), \
                mock.patch.object(held.threading, "Timer") as timer:
            disk.return_value.__enter__.return_value = folder
            timer.return_value.is_alive.return_value = not full
            return held.disk_full(self.part), dict(self.part.counts)

    def test_met(self):
        self.assertEqual(self.tried("53100", False), (1, {}))
        self.assertEqual(self.tried(None, True), (1, {}))

    def test_not_met(self):
        self.assertEqual(self.tried(None, False), (
            0, {"calibrated before the disk was full": 1}))


class HeldTest(FaultsTest):
    def found(self, *said):
        """(files, problem) for each query of the daemon; then the last one."""
        def must(_statement):
            row = said[min(asked.call_count, len(said)) - 1]
            return Answer([[encoded(row)]])
        asked = mock.Mock(side_effect=must)
        self.part.patient_session = lambda: mock.Mock(must=asked)
        self.part._check_held("x")
        return [finding.title for finding in self.part._found]

    def test_let_go(self):
        self.assertEqual(self.found((3, None), (0, None)), [])

    def test_held(self):
        self.assertEqual(self.found((3, None)), ["after x: files are held"])
        self.assertGreater(self.clock.now, 2)

    def test_no_answer_at_first(self):
        self.assertEqual(self.found((None, "gone"), (0, None)), [])

    def test_no_answer(self):
        self.assertEqual(self.found((None, "gone")),
                         ["after x: the daemon does not answer"])


if __name__ == "__main__":
    sys.exit(tap.main(__name__))
