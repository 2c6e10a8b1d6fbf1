"""The report from invented results: verdicts, caveats, refusals."""

import argparse
import os
import tempfile
import unittest

import depth
import fig12
import sweep
from lib import interference, plan, raw, results, split
from lib import statistics, workloads
from lib.errors import UserError
from report import claims, collect, digest, figures, markdown, page

CEILING = {"bytes_per_second": {"random 8 kB x1": 1e8}, "text": "fast"}
SLOWER = {"bytes_per_second": {"random 8 kB x1": 5e7}, "text": "slow"}


def render(*runs):
    return page.render(digest.Digest.of(runs), {})


class Made(unittest.TestCase):
    """Directories of results as scenarios would leave them."""

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)

    def make(self, scenario, rows, columns=results.COLUMNS,
             file=results.LEGS, **facts):
        number = len(os.listdir(self.place.name))
        directory = os.path.join(self.place.name, f"{scenario}{number}")
        os.mkdir(directory)
        results.write_json(
            os.path.join(directory, results.ENVIRONMENT),
            dict({"scenario": scenario, "complete": True, "rounds": 2,
                  "server_major": 15, "device": {"name": "vda"},
                  "arguments": [], "memory_limit": 2 ** 31}, **facts))
        kept = raw.RowFile(os.path.join(directory, file), columns)
        for row in rows:
            kept.add(row)
        return directory

    @staticmethod
    def leg(query, variant, seconds, round_=1, checksum="x"):
        return {"query": query, "variant": variant, "round": round_,
                "plan": "index", "seconds": seconds, "timed_out": 0,
                "device_bytes_read": 10 ** 6, "cache": "cold",
                "cached_pages_before": 0, "pages_total": 9, "rows": 1,
                "checksum": checksum, "settings": "{}"}

    def tpch(self, **facts):
        return self.make("tpch", [
            self.leg(query, variant, seconds * (2 if variant == "off" else 1))
            for query, seconds in (("q1", 1.0), ("q17", 3.0))
            for variant in ("off", "on")], **facts)

    def fig13(self, **facts):
        seconds = {"index-1": 4.0, "index-16": 1.0, "hash-1": 2.0,
                   "hash-16": 2.1}
        return self.make("fig13", [
            self.leg("q2.2", variant, value + round_ / 100, round_)
            for variant, value in seconds.items() for round_ in (1, 2)],
            **facts)


class ReportTest(Made):
    def test_crossing_holds(self):
        found = claims.of(collect.read(self.fig13()))
        self.assertEqual([claim.verdict for claim in found],
                         ["holds", "holds"])
        self.assertIn("N=16 against N=1", found[1].here)

    def test_page(self):
        run = collect.read(self.fig13())
        text = render(run)
        for part in ("What the paper saw", "Verdict", "Caveats",
                     "Of 2 claims", "2 hold", "viewport"):
            self.assertIn(part, text)
        self.assertEqual(run.caveats, [])

    def test_caveats(self):
        run = collect.read(self.fig13(
            complete=False, memory_limit=None, profile_problem="no room",
            data={"identity": {"source": {"scale": 0.1}}},
            ceiling={"before": CEILING, "after": SLOWER}))
        told = " ".join(run.caveats)
        for part in ("was interrupted", "calibrate failed", "not limited",
                     "Scale factor 0.1",
                     "changed by -50%"):
            self.assertIn(part, told)

    def test_marked_legs_are_told(self):
        run = collect.read(self.make("power", [
            self.leg("q1.1", "default", 1.0, 1, "x"),
            self.leg("q1.1", "default", 1.0, 2, "x"),
            self.leg("q1.1", "ssdpar", 9.0, 1, "y")]))
        told = " ".join(run.caveats)
        self.assertIn("Rows differ from the other legs of the query: "
                      "q1.1 ssdpar", told)
        self.assertIn("wider than 25%", told)

    def test_what_is_text_is_no_markup(self):
        run = collect.read(self.fig13(device={"name": "<script>"}))
        self.assertNotIn("<script>", render(run))

    def test_too_little_is_no_verdict(self):
        for scenario in ("fig13", "fig10", "fig11", "power", "sweep"):
            run = collect.read(self.make(scenario, []))
            self.assertTrue(all(claim.holds is None
                                for claim in claims.of(run)), scenario)
            self.assertIn("<h2", render(run))

    def test_refusals(self):
        with self.assertRaisesRegex(UserError, "holds no results"):
            collect.given([self.place.name])
        with self.assertRaisesRegex(UserError, "Give one"):
            collect.given([self.fig13(), self.fig13()])
        empty = self.make("fig13", [])
        os.unlink(os.path.join(empty, results.LEGS))
        with self.assertRaisesRegex(UserError, "holds no numbers yet"):
            collect.read(empty)

    def test_interference(self):
        def row(target, other, value, mode="plain", unit="seconds"):
            return {"mode": mode, "target": target, "co_runner": other,
                    "round": 1, "unit": unit, "value": value,
                    "timed_out": 0}
        rows = [row("QS", "alone", 1.0), row("QR", "alone", 1.0),
                row("QS", "QS", 1.5), row("QS", "QR", 1.2),
                row("QR", "QS", 3.0), row("QR", "QR", 1.1),
                row("QR", "alone", 1.0, "daemon"),
                row("QR", "QS", 1.9, "daemon")]
        run = collect.read(self.make("fig12", rows, fig12.COLUMNS,
                                     fig12.PAIRS))
        self.assertEqual([claim.verdict for claim in claims.of(run)],
                         ["holds"] * 4)
        tps = interference.costs([row("PB", "alone", 100.0, unit="tps"),
                                  row("PB", "QS", 50.0, unit="tps")])
        self.assertEqual(
            interference.slowdown(tps, "plain", "PB", "QS").value, 1.0)

    def test_a_failed_claim_has_its_reason(self):
        seconds = {"index-1": 1.0, "index-16": 0.5, "hash-1": 2.0,
                   "hash-16": 2.1}
        limits = {"random 8 kB x1": 1e8, "random 8 kB x32": 5e8,
                  "sequential 256 kB x1": 1e9, "sequential 256 kB x8": 2e9}
        run = collect.read(self.make("fig13", [
            self.leg("q2.2", variant, value, 1)
            for variant, value in seconds.items()],
            ceiling={"before": {"bytes_per_second": limits, "text": ""}}))
        found = claims.of(run)
        self.assertEqual([claim.verdict for claim in found],
                         ["does not hold", "holds"])
        self.assertIn("0.01 s of this device at random 8 kB x1 (100 MB/s)",
                      found[0].reason)
        self.assertEqual(found[1].reason, "")
        for text in (render(run),
                     markdown.render(digest.Digest.of([run]), {})):
            self.assertIn("1 hold.", text)
            self.assertIn("What does not hold", text)
            self.assertIn("of this device at random 8 kB x1", text)

    def test_tpch(self):
        result = collect.read(self.tpch(tpch={"scale": 3.0}))
        mean, lowest = claims.of(result)
        self.assertEqual(mean.here, "2.00 times as fast")
        self.assertEqual(lowest.here, "2.00 times as fast (Q1)")
        self.assertFalse(result.is_try)
        self.assertTrue(collect.read(self.tpch(tpch={"scale": 0.1})).is_try)
        self.assertIn("<td>q17 on</td>", render(result))
        self.assertEqual(result.special, "")
        self.assertEqual(collect.read(self.tpch(tpch={
            "scale": 3.0, "setting": "index_join"})).special,
            "--setting index_join")

    def test_plots(self):
        if not figures.available():
            self.skipTest("no matplotlib")
        self.assertIn("<svg", figures.draw(collect.read(self.tpch())))

    def test_markdown(self):
        run = collect.read(self.fig13(device={"name": "a|b_*c"}))
        text = markdown.render(digest.Digest.of([run]),
                               {digest.anchor(run): "plots/x.svg"})
        self.assertIn("](plots/x.svg)", text)
        self.assertIn("a\\|b\\_\\*c", text)
        self.assertIn("| Q2.2 alone: the hash join is faster | 1.9 times |",
                      text)

    def test_a_resumed_run_of_pairs_is_read(self):
        made = self.make("fig12", [], fig12.COLUMNS, fig12.PAIRS)
        results.LegFile("fig12", made)
        self.assertFalse(os.path.exists(os.path.join(made, results.LEGS)))


class InterferenceTest(unittest.TestCase):
    @staticmethod
    def found(plain, mode, seconds=(1.0, 1.0)):
        """Costs of the readers' pairs, from slowdowns in two modes."""
        result = {}
        for name, slowdowns, alone in zip(
                ("plain", "ssdpar"), (plain, mode), seconds):
            for target in interference.READERS:
                result[(name, target, "alone")] = [alone] * 3
            for pair, value in slowdowns.items():
                result[(name, *pair)] = [alone * (1 + value)] * 3
        return result

    def rows_of(self, *arguments, alone=None):
        costs = self.found(*arguments)
        costs.update({("plain", target, "alone"): [value] * 3
                      for target, value in (alone or {}).items()})
        return [{"mode": key[0], "target": key[1], "co_runner": key[2],
                 "unit": "seconds", "value": str(value)}
                for key, values in costs.items() for value in values]

    def goals(self, *arguments):
        return [goal.holds
                for goal in interference.goals(self.rows_of(*arguments))]

    PLAIN = {("QS", "QS"): 1.0, ("QS", "QR"): 0.2, ("QR", "QS"): 3.0,
             ("QR", "QR"): 0.1}

    def test_halved(self):
        half = {pair: value / 2 for pair, value in self.PLAIN.items()}
        self.assertEqual(self.goals(self.PLAIN, half), [True, True, True])

    def test_another_pair_is_as_bad_now(self):
        moved = {**self.PLAIN, ("QR", "QS"): 0.5, ("QS", "QR"): 3.0}
        self.assertEqual(self.goals(self.PLAIN, moved),
                         [False, False, False])

    def test_faster_alone_is_slowed_down_more(self):
        more = {pair: value * 2 for pair, value in self.PLAIN.items()}
        self.assertEqual(self.goals(self.PLAIN, more, (1.0, 0.2)),
                         [False, False, True])

    def test_no_verdict_without_all_of_the_readers(self):
        self.assertEqual(self.goals({("QR", "QR"): 0.1},
                                    {("QR", "QR"): 0.1}), [True, True])
        self.assertEqual(self.goals(self.PLAIN, {}), [])

    def test_who_writes_loses_no_more(self):
        plain = {("PB", "QS"): 1.0}
        for slowdown, good in ((1.05, True), (1.2, False)):
            rows = self.rows_of(plain, {("PB", "QS"): slowdown},
                                alone={"PB": 1.0})
            self.assertEqual(
                [goal.holds for goal in interference.goals(rows)
                 if "who writes loses" in goal.text], [good])

    def test_readers_keep_their_speed(self):
        plain = {("QS", "PB"): 0.0}
        for slowdown, good in ((0.4, True), (0.5, False)):
            rows = self.rows_of(plain, {("QS", "PB"): slowdown})
            self.assertEqual(
                [goal.holds for goal in interference.goals(rows)
                 if "keep their speed" in goal.text], [good])

    def test_interval(self):
        cell = interference.slowdown(
            {("plain", "QS", "alone"): [1.0, 1.0, 1.0],
             ("plain", "QS", "QR"): [1.0, 2.0, 3.0]}, "plain", "QS", "QR")
        self.assertEqual((cell.value, cell.interval), (1.0, (0.0, 2.0)))
        self.assertTrue(cell.wide)
        low, high = statistics.bootstrap_ratio([2.0], [1.0])
        self.assertEqual((low, high), (0.0, float("inf")))

    def test_pairs_without_a_query_are_measured_once(self):
        pairs = fig12.pairs_of(workloads.MODES, fig12.NAMES)
        same = [pair for pair in pairs if not interference.has_query(
            pair.target, pair.co_runner)]
        self.assertEqual({pair.mode for pair in same}, {"plain"})
        self.assertEqual(len(same), 6)
        self.assertEqual(len(pairs), 22 + 2 * 16)
        some = fig12.pairs_of(["plain", "ssdpar"], fig12.NAMES,
                              [("PB", "QS"), ("QR", "PM")])
        self.assertEqual(
            {pair.key for pair in some},
            {("plain", "PB", "alone"), ("plain", "PB", "QS"),
             ("plain", "QR", "alone"), ("plain", "QR", "PM"),
             ("ssdpar", "PB", "QS"), ("ssdpar", "QR", "alone"),
             ("ssdpar", "QR", "PM")})
        costs = {("plain", "PB", "alone"): [1.0],
                 ("ssdpar", "PB", "QS"): [2.0]}
        self.assertEqual(interference.slowdown(costs, "ssdpar", "PB",
                                               "QS").value, 1.0)


class WorkloadTest(unittest.TestCase):
    def test_modes(self):
        self.assertEqual(workloads._settings("QR", "plain")
                         ["ssdpar.star_scan"], "off")
        free = workloads._settings("QR", "ssdpar")
        self.assertEqual(free["ssdpar.star_access"], "bitmap")
        for name in ("ssdpar.subqueries", "ssdpar.prefetch",
                     "ssdpar.write_protection"):
            self.assertNotIn(name, free)
        self.assertEqual(workloads._settings("QR", "ssdpar@1ms"), dict(
            free, **{"ssdpar.write_protection": "1ms"}))
        self.assertEqual(workloads._settings("QR", "ssdpar/3"), dict(
            free, max_parallel_workers_per_gather="2"))

    def test_names_of_modes(self):
        for good in ("plain", "ssdpar", "ssdpar@-1", "ssdpar/1",
                     "ssdpar/2@0.25ms"):
            self.assertEqual(workloads.mode_named(good), good)
        for bad in ("other", "plain@1ms", "@1ms", "ssdpar/0", "ssdpar@"):
            with self.assertRaises(argparse.ArgumentTypeError):
                workloads.mode_named(bad)
        rows = [{"mode": mode} for mode in
                ("ssdpar@1ms", "ssdpar", "plain", "ssdpar@-1")]
        self.assertEqual(workloads.modes_of(rows),
                         ["plain", "ssdpar", "ssdpar@-1", "ssdpar@1ms"])

    def test_what_is_no_longer_the_workload(self):
        for name, access, good in (("QS", "star sequential", True),
                                   ("QS", "index", False),
                                   ("QR", "star bitmap", True),
                                   ("QR", "hash", False),
                                   ("Q0", "scan", True)):
            why = workloads.wrong_plan(name, "ssdpar",
                                       plan.Shape(access, "", 0, None))
            self.assertEqual(why is None, good, (name, access))


class DepthTest(unittest.TestCase):
    def test_table(self):
        row = {"method": "auto", "round": "1", "fio_reads_per_second": "200",
               "pages": "300", "heap_seconds": "3", "mean_depth": "5",
               "reads_waited_for": "7", "device_bytes_read": "2000000"}
        text = depth.table([row], ["auto"])
        for part in ("200", "100", "0.50 (0.50-0.50)", "  2  "):
            self.assertIn(part, text)


class SweepTest(unittest.TestCase):
    def test_crossing(self):
        self.assertAlmostEqual(sweep.crossing({1: 0.5, 4: 2.0}), 2.0)
        for ratios in ({1: 2.0, 4: 3.0}, {1: 0.5, 4: 0.9}, {}):
            self.assertIsNone(sweep.crossing(ratios))
        self.assertIn("up to 0.20%", sweep.verdict(1, {1: 0.5, 4: 2.0}))
        self.assertIn("still faster", sweep.verdict(16, {1: 0.5}))

    def test_brands(self):
        self.assertEqual(len(set(sweep.brands(1000))), 1000)
        self.assertEqual(sweep.brands(1), ["MFGR#111"])


class PairsTest(unittest.TestCase):
    def test_matrix(self):
        pairs = fig12.pairs_of(["plain"], fig12.NAMES)
        self.assertEqual(len(set(pairs)), 4 + 16 + 2)

    def test_cells_have_drivers(self):
        for query in split.DRIVERS:
            self.assertTrue(split.DRIVERS[query])


if __name__ == "__main__":
    unittest.main()
