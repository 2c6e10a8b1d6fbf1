"""Simulations inside a device: points, arithmetic, verdicts."""

import os
import tempfile
import unittest

from lib import inside, raw, results, simulator
from report import collect, digest, figures, inside_claims, page


def row(part, workload="w", device="paq", scheduler="noop", setting="",
        **metrics):
    return dict(zip(simulator.KEY, (part, workload, device, scheduler,
                                    setting)),
                **{name: str(metrics.get(name, 0))
                   for name in simulator.METRICS}, options="")


def paq(gains):
    """Workloads in which PAQ2 has this multiple of VAQ's bandwidth."""
    return [row(inside.PAQ, name, scheduler=scheduler, iops=100 * gain,
                bandwidth_mb_s=100 * gain, all_mean_us=900 / gain,
                die_idle_percent=50, seconds=1 / gain, queued_ms=9 / gain,
                contention_ms=gain)
            for name, value in gains.items()
            for scheduler, gain in (("vaq", 1.0), ("paq2", value))]


def verdicts(rows):
    found = collect.Result("x", {"scenario": "inside"}, rows)
    return {claim.text: claim for claim in inside_claims.of(found)}


class PointsTest(unittest.TestCase):
    def test_every_point_once(self):
        keys = [point.key for point in inside.points(inside.PARTS, 1000)]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertEqual({key[0] for key in keys} |
                         {inside.PAIRS, inside.PARTITIONS, inside.HELD,
                          inside.PROBING},
                         set(inside.PARTS))

    def test_twenty_and_eight_workloads(self):
        self.assertEqual(len(inside.TABLE_1), 20)
        self.assertEqual(len(inside.TABLE_3), 8)

    def test_parts_are_left_out(self):
        self.assertEqual({point.part for point in
                          inside.points([inside.BOUND], 1000)},
                         {inside.BOUND})

    def test_nothing_is_collected_under_paq(self):
        for point in inside.points([inside.PAQ], 10 ** 6):
            words = dict(zip(point.options[::2], point.options[1::2]))
            trace = inside.TABLE_1[point.workload]
            written = int(words["--requests"]) * trace.kilobytes / 4 * (
                1 - trace.read_share / 100)
            self.assertLessEqual(written, inside.PAQ_WRITTEN)
            self.assertEqual(words["--size"], f"{trace.kilobytes}kB")

    def test_sizes_have_the_tables_mean(self):
        for point in inside.points([inside.TRACES], 1000):
            words = dict(zip(point.options[::2], point.options[1::2]))
            share = float(words["--large-share"]) / 100
            self.assertAlmostEqual(4 * (1 - share) + 64 * share,
                                   inside.TABLE_3[point.workload][2], 2)


class ArithmeticTest(unittest.TestCase):
    def test_lines_of_names_and_values(self):
        self.assertEqual(simulator.parse("a 1\nb two 3\n\nc\n"),
                         {"a": "1", "b": "two 3"})

    def test_within_a_third(self):
        self.assertTrue(inside.within_a_third(0.3, 0.326))
        self.assertTrue(inside.within_a_third(-0.17, -0.25))
        self.assertFalse(inside.within_a_third(-0.16, -0.25))
        self.assertFalse(inside.within_a_third(0.25, -0.25))
        self.assertFalse(inside.within_a_third(0, 0.3))

    def test_theory(self):
        # Luojie and Kurkoski (2012): 2.36 for large blocks
        self.assertAlmostEqual(
            inside.write_amplification(0.3, 10 ** 9, 10 ** 5), 2.36, 2)

    def test_slowdowns(self):
        rows = [row(inside.PAIRS, target, "nvme", "daemon", other,
                    seconds=seconds) for target, other, seconds in
                (("QS", "alone", 2), ("QS", "QR", 3), ("QR", "alone", 1),
                 ("QR", "QS", 1))]
        self.assertEqual(inside.slowdowns(rows, "nvme", "daemon"),
                         {("QS", "QR"): 0.5, ("QR", "QS"): 0.0})
        self.assertEqual(inside.slowdowns(rows, "nvme", "plain"), {})


    def test_speed_ups(self):
        rows = [row(inside.PARTITIONS, "scan", "nvme", "daemon", str(count),
                    seconds=seconds)
                for count, seconds in ((1, 4), (2, 2), (4, 1.25))]
        self.assertEqual(inside.speed_ups(rows),
                         {"nvme": {1: 1.0, 2: 2.0, 4: 3.2}})
        self.assertEqual([claim.holds for claim in verdicts(rows).values()],
                         [True, False])


class RecordedTest(unittest.TestCase):
    def test_share_of_requests(self):
        # half of the time in a third: two thirds are left
        self.assertAlmostEqual(inside.share_of_requests(1.5, 3), 0.5)

    def test_program_speed_ups(self):
        rows = [row(inside.PROGRAMS, "mail", "ssd-s", setting=str(count),
                    bandwidth_mb_s=40 + 10 * count) for count in (1, 2, 4)]
        self.assertEqual(inside.program_speed_ups(rows, "ssd-s"),
                         {"mail": {1: 1.0, 2: 1.2, 4: 1.6}})
        self.assertEqual(inside.program_speed_ups(rows[1:], "ssd-s"), {})

    def test_traces_are_there_and_small(self):
        sizes = [os.path.getsize(point.options[
            point.options.index("--trace") + 1])
            for point in inside.points([inside.RECORDED], 1000)]
        self.assertEqual(len(set(sizes)), len(inside.RECORDINGS))
        self.assertLess(sum(set(sizes)), 300_000)

    def test_claims(self):
        rows = [row(inside.RECORDED, "ssb", "paq", scheduler,
                    bandwidth_mb_s=speed) for scheduler, speed in
                (("vaq", 100), ("paq2", 110))] + [
            row(inside.RECORDED, "ssb", device, host, all_mean_us=9)
            for device in inside.DEVICES for host in inside.HOSTS]
        found = verdicts(rows)
        self.assertTrue(found["recorded: PAQ2 is never below VAQ"].holds)
        self.assertEqual(len(found), 2 + len(inside.DEVICES))


class VerdictTest(unittest.TestCase):
    def test_gain_like_the_papers(self):
        found = verdicts(paq({"web1": 1.3, "fin1": 1.4}))
        self.assertTrue(found["PAQ2 is never below VAQ"].holds)
        self.assertTrue(
            found["PAQ2 against VAQ: bandwidth, mean of twenty"].holds)
        self.assertFalse(
            found["every web workload gains over 100 MB/s"].holds)

    def test_loss_is_seen(self):
        found = verdicts(paq({"web1": 1.3, "fin1": 0.9}))
        self.assertFalse(found["PAQ2 is never below VAQ"].holds)

    def test_what_does_not_hold_has_a_reason(self):
        rows = paq({"web1": 3.0, "fin1": 3.0}) + [
            row(inside.TRACES, "fin1", device, host, "16", all_mean_us=9)
            for device in inside.DEVICES for host in inside.HOSTS]
        for claim in verdicts(rows).values():
            if claim.holds is False:
                self.assertTrue(claim.why, claim.text)

    def test_raid_like_the_papers(self):
        rows = [row(inside.RAID_WRITES, load, "ssd-s", setting=str(chunk),
                    bandwidth_mb_s=1000 - (chunk if load.startswith("seq")
                                           else 500 / chunk))
                for load in inside.WRITE_LOADS
                for chunk in inside.RAID_WRITE_CHUNKS]
        times = {inside.VARMAIL: 1.24, inside.FILESERVER: 0.9,
                 inside.TPC_H: 1.1, inside.LOAD_DB: 1.1}
        rows += [row(inside.PROGRAMS, name, "ssd-s", setting=str(count),
                     bandwidth_mb_s=100 * (times[name] if count > 1 else 1))
                 for name in times for count in inside.PROGRAM_DEVICES]
        claims = verdicts(rows)
        self.assertEqual(len(claims), 7)
        for claim in claims.values():
            self.assertTrue(claim.holds, claim)

    def test_each_raid_for_itself(self):
        rows = [row(inside.RAID, load, device, f"depth {depth}", str(chunk),
                    bandwidth_mb_s=chunk ** 0.1 if load == "random 256 kB"
                    and device == "ssd-p" else 1)
                for device in inside.RAID_NAMES for load in inside.RAID_LOADS
                for chunk in inside.RAID_CHUNKS
                for depth in inside.RAID_DEPTHS]
        gains = [claim.holds for text, claim in verdicts(rows).items()
                 if "large random reads" in text]
        self.assertEqual(gains, [True, False])

    def test_raid_unlike_the_papers(self):
        rows = [row(inside.PROGRAMS, name, "ssd-s", setting=str(count),
                    bandwidth_mb_s=100 * count)
                for name in (inside.VARMAIL, inside.FILESERVER, inside.TPC_H,
                             inside.LOAD_DB)
                for count in inside.PROGRAM_DEVICES]
        held = {text: claim for text, claim in verdicts(rows).items()
                if claim.holds}
        self.assertEqual(len(held), 1)
        for claim in verdicts(rows).values():
            self.assertTrue(claim.holds or claim.why)

    def test_a_list_far_ahead(self):
        rows = [row(inside.HELD, load, "s3700", "daemon", setting,
                    seconds=seconds, read_p99_us=wait)
                for load, far, far_wait in
                (("0 writers, rest 0 ms", 1.0, 9), ("4 writers, rest 1 ms",
                 0.5, 4), ("4 writers, rest 0.3 ms", 0.9, 6))
                for setting, seconds, wait in
                ((inside.NEAR, 1.0, 10), ("0", far, far_wait),
                 ("1000", 2.0, far_wait), ("20000", 3.0, far_wait))]
        found = [claim.holds for text, claim in verdicts(rows).items()
                 if "depths ahead" in text]
        self.assertEqual(found, [True, True, False])
        older = [one for one in rows if one["setting"] != inside.NEAR]
        self.assertFalse([text for text in verdicts(older)
                          if "depths ahead" in text])

    def test_how_a_list_was_read(self):
        self.assertEqual(inside.held_setting({"lead": "2", "hold": "0"}),
                         inside.NEAR)
        self.assertEqual(inside.held_setting({"lead": "8", "hold": "1000"}),
                         "1000")

    def test_msnfs4_beside_the_papers(self):
        found = verdicts(paq({"msnfs4": 1.06, "web1": 1.3}))
        self.assertFalse(found["msnfs4, requests a second"].holds)
        self.assertTrue(found["msnfs4, requests a second"].why)

    def test_theory_is_a_goal(self):
        rows = [row(inside.COLLECTING, setting="25",
                    write_amplification=value) for value in (2.69,)]
        claim, = verdicts(rows).values()
        self.assertTrue(claim.holds and claim.is_goal)


class PageTest(unittest.TestCase):
    def test_a_runs_directory_becomes_a_section(self):
        with tempfile.TemporaryDirectory() as place:
            results.write_json(
                os.path.join(place, results.ENVIRONMENT),
                {"scenario": "inside", "complete": True, "rounds": 1,
                 "device": {"name": "simulated"}, "arguments": []})
            kept = raw.RowFile(os.path.join(place, "inside.csv"),
                               simulator.COLUMNS)
            for one in paq({"web1": 1.3, "fin1": 1.4}):
                kept.add(one)
            run = collect.read(place)
            text = page.render(digest.Digest.of([run]), {})
            self.assertIn("PAQ2 is never below VAQ", text)
            self.assertIn("simulated", text)
            if figures.available():
                self.assertIn("<svg", figures.draw(run))


if __name__ == "__main__":
    unittest.main()
