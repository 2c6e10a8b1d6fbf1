"""Cloud disks: what is measured on which, and the results."""

import unittest
from types import SimpleNamespace
from unittest import mock

import cloud
from lib import emulator, summary
from lib.cold import CacheState
from lib.errors import UsageError, UserError
from lib.legs import Leg


def leg(query, variant, seconds, round_=1):
    return Leg(query, variant, round_, {}, CacheState(0, 9), seconds, 10 ** 6,
               1, "x", [{"Plan": {"Node Type": "Result"}}])


def run(done, rounds=1):
    return SimpleNamespace(
        file=SimpleNamespace(done=done),
        options=SimpleNamespace(rounds=rounds, queries=["q1.1", "q2.1"],
                                variants=["default", "ssdpar"]))


class Server:
    """The settings with which it runs."""

    major = 18

    def __init__(self):
        self.settings = {"io_method": "io_uring"}
        self.start()

    def start(self):
        self.runs_with = dict(self.settings)

    def stop(self):
        self.runs_with = None


class CloudTest(unittest.TestCase):
    def test_kinds_are_shipped(self):
        self.assertLessEqual(set(cloud.KINDS), set(emulator.profiles()))

    def test_options(self):
        options = cloud._options(["--kinds", "net-1", "--quick"])
        self.assertEqual((options.kinds, options.scale, options.rounds),
                         (["net-1"], 0.2, 1))
        with self.assertRaisesRegex(UserError, "--kinds"):
            cloud._options(["--device", "nvme"])
        for wrong in (["--kinds", "floppy"], ["--queries", "q9"],
                      ["--variants", "ssdpar,ssdpar"],
                      ["--io-method", "sync"]):
            with self.assertRaises(UsageError):
                cloud._options(wrong)

    def test_io_method(self):
        server = Server()
        cloud._set_io_method(server, None)
        self.assertEqual(server.runs_with, {"io_method": "io_uring"})
        cloud._set_io_method(server, "worker")
        self.assertEqual(server.runs_with, {"io_method": "worker"})
        with self.assertRaisesRegex(UserError, "--server 18"):
            cloud._set_io_method(SimpleNamespace(major=17, settings={}),
                                 "worker")

    def test_io_method_is_set_before_the_facts_are_taken(self):
        server = Server()

        def running(_options, progress, prepare=None, **_more):
            if prepare is not None:
                prepare(server, progress)
            raise InterruptedError
        with mock.patch.object(cloud.scenario, "running", running), \
                self.assertRaises(InterruptedError):
            cloud.cloud(["--server", "18", "--io-method", "worker"])
        self.assertEqual(server.runs_with, {"io_method": "worker"})

    def test_least_first(self):
        found = summary.of([
            leg("q1.1", "net-1 default", 3.0), leg("q1.1", "net-1 ssdpar", 1),
            leg("q2.1", "net-1 default", 1.0), leg("q2.1", "net-1 ssdpar", 2),
            leg("q2.1", "net-2 default", 9.0), leg("q2.1", "net-2 ssdpar", 1)])
        self.assertEqual(
            cloud.times_faster(found, "net-1", "default", ["q1.1", "q2.1"]),
            [(0.5, "q2.1"), (3.0, "q1.1")])

    def test_a_kind_is_measured_when_all_of_it_is(self):
        done = [leg(query, f"net-1 {variant}", 1.0)
                for query in ("q1.1", "q2.1")
                for variant in ("default", "ssdpar")]
        points = cloud._points(run(done), "net-1")
        self.assertTrue(cloud._is_measured(run(done), points))
        self.assertFalse(cloud._is_measured(run(done[1:]), points))
        self.assertFalse(cloud._is_measured(run(done, 2), points))
        self.assertFalse(cloud._is_measured(
            run(done), cloud._points(run(done), "net-2")))


if __name__ == "__main__":
    unittest.main()
