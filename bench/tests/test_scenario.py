"""Order, resuming, marks, ratios: scenarios without measuring."""

import contextlib
import io
import os
import tempfile
import unittest

import fig11
import power
from lib import legs, readahead, results, scenario, statistics, summary
from lib.cold import CacheState
from lib.errors import UsageError
from lib.legs import Leg
from lib.scenario import Point
from tests.test_plan import DATE, FACT_SCAN, explained, node

HASH = explained(node("Hash Join", FACT_SCAN, node("Hash", DATE)))


def leg(seconds, variant="a", checksum="x", **more):
    return Leg("q1.1", variant, 1, {}, CacheState(0, 9), seconds, 5, 1,
               checksum, HASH, **more)


class OrderTest(unittest.TestCase):
    def test_every_point_once_a_round_and_always_the_same(self):
        points = [Point("q1.1", str(n), {}) for n in range(5)]
        order = scenario.shuffled(points, 3)
        self.assertEqual(order, scenario.shuffled(points, 3))
        self.assertEqual(len(set(order)), 15)
        self.assertEqual({round_ for round_, _ in order[:5]}, {1})


class ResumeTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        results.write_json(
            os.path.join(self.place.name, "environment.json"),
            {"scenario": "fig11", "arguments": ["--scale", "0.5",
                                                "--rounds", "7"]})

    def test_the_run_s_own_options(self):
        options = fig11._options(["--resume", self.place.name])
        self.assertEqual((options.scale, options.rounds, options.resume),
                         (0.5, 7, self.place.name))

    def test_refusals(self):
        for arguments in (["--resume", self.place.name, "--hot"],
                          ["--rounds", "2", "--resume=" + self.place.name]):
            with self.assertRaisesRegex(UsageError, "Leave out the others"):
                fig11._options(arguments)
        with self.assertRaisesRegex(UsageError, "is no run of power"):
            power._options(["--resume", self.place.name])


class MarksTest(unittest.TestCase):
    def marks(self, *group):
        return summary.of(list(group))[("q1.1", "a")].marks

    def test_nothing_wrong(self):
        self.assertEqual(self.marks(*[leg(1.0 + n / 100)
                                      for n in range(5)]), "")

    def test_wide(self):
        self.assertEqual(self.marks(leg(1.0), leg(2.0), leg(3.0)), "~")
        self.assertEqual(self.marks(leg(1.0)), "~")

    def test_rows(self):
        others = [leg(1.0, "b"), leg(1.0, "b")]
        self.assertEqual(self.marks(leg(1.0, checksum="y"), *others,
                                    leg(1.0, checksum="y")), "!")
        self.assertEqual(legs.differing([leg(1.0), leg(1.0, checksum="y")]),
                         ["q1.1"])

    def test_timeout_is_no_difference(self):
        late = leg(9.0, checksum="", timed_out=True)
        self.assertEqual(self.marks(late, late, leg(1.0, "b")), ">")
        self.assertEqual(legs.differing([late, leg(1.0)]), [])

    def told(self, *group):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            scenario.check_rows(group)
        return out.getvalue()

    def test_what_was_not_compared_is_said(self):
        late = leg(9.0, checksum="", timed_out=True)
        self.assertEqual(self.told(leg(1.0), leg(1.0, "b"), late),
                         "The rows were the same in all legs of a query.\n")
        self.assertIn("Not compared, as none of theirs did: q1.1 a.\n",
                      self.told(late, leg(1.0, "b"), late))
        many = [leg(9.0, str(n), "", timed_out=True) for n in range(42)]
        self.assertIn("q1.1 39 and 2 more.", self.told(*many))

    def test_warm(self):
        warm = Leg("q1.1", "a", 1, {}, CacheState(5, 9), 1.0, 5, 1, "x",
                   HASH)
        self.assertIn("*", self.marks(warm, warm))


class StatisticsTest(unittest.TestCase):
    def test_interval(self):
        values = [1.0, 1.1, 1.2, 1.3, 9.0]
        low, high = statistics.bootstrap(values)
        self.assertEqual((low, high), statistics.bootstrap(values))
        self.assertEqual(low, 1.0)
        self.assertEqual(high, 9.0)
        self.assertEqual(statistics.bootstrap([2.0] * 5), (2.0, 2.0))
        with self.assertRaises(ValueError):
            statistics.bootstrap([])


class PowerTest(unittest.TestCase):
    def test_oracle_and_ratios(self):
        seconds = power.with_oracle({
            "q1": {"default": 4.0, "tuned": 2.0, "ssdpar": 1.0},
            "q2": {"default": 3.0, "tuned": 9.0, "ssdpar": 3.0}})
        self.assertEqual([seconds[query]["oracle"] for query in seconds],
                         [2.0, 3.0])
        self.assertEqual(power.ratios(seconds, "oracle", "ssdpar"),
                         [2.0, 1.0])
        self.assertEqual(power.with_oracle({"q": {"ssdpar": 1.0}}),
                         {"q": {"ssdpar": 1.0}})

    def test_jit(self):
        self.assertEqual(power.variant("default", True),
                         {"jit": "on", "ssdpar.enabled": "off"})
        self.assertEqual(power.variant("default", False),
                         {"ssdpar.enabled": "off"})
        self.assertEqual(power.variant("tuned", True)["jit"], "off")


class ReadAheadTest(unittest.TestCase):
    """A file instead of the kernel's."""

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.path = os.path.join(self.place.name, "read_ahead_kb")
        self.write("4096")

    def write(self, text):
        with open(self.path, "w") as file:
            file.write(text + "\n")

    def read_ahead_path(self):
        return self.path

    def read_ahead_kb(self):
        with open(self.path) as file:
            return int(file.read())

    def test_restored_also_after_an_error(self):
        for error in (KeyboardInterrupt, ValueError):
            with contextlib.suppress(error), \
                    readahead.set_to(self, 128, self.place.name):
                self.assertEqual(self.read_ahead_kb(), 128)
                raise error
            self.assertEqual(self.read_ahead_kb(), 4096)
        self.assertEqual(os.listdir(self.place.name), ["read_ahead_kb"])

    def test_restored_by_the_next_run(self):
        body = readahead.set_to(self, 128, self.place.name)
        body.__enter__()            # and killed
        readahead.restore(self.place.name)
        self.assertEqual(self.read_ahead_kb(), 4096)
        readahead.restore(self.place.name)


class OptionsTest(unittest.TestCase):
    def test_bad_ones(self):
        for arguments in (["--queries", "q9"], ["--queries", "q1.1,q1.1"],
                          ["--read-ahead", "x"], ["--methods", ""],
                          ["--server", "14"], ["--timeout", "0"]):
            with self.assertRaises(UsageError, msg=arguments), \
                    contextlib.redirect_stderr(io.StringIO()):
                fig11._options(arguments)

    def test_quick_gives_way_to_what_is_told(self):
        options = fig11._options(["--quick", "--rounds", "4"])
        self.assertEqual((options.scale, options.rounds), (0.2, 4))
        self.assertEqual(fig11._options([]).scale, 5.0)


if __name__ == "__main__":
    unittest.main()
