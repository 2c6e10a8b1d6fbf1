"""Shards: the prediction for 64, bytes on the wire, places."""

import contextlib
import io
import math
import os
import socket
import tempfile
import threading
import unittest
from types import SimpleNamespace
from unittest import mock

import shards as scenario
from lib import legs, results, server, shard_model, shards, summary, wire
from lib.shards_citus import Citus
from lib.shards_foreign import Foreign
from lib.shards_here import Here
from lib.cold import CacheState
from lib.legs import Leg


def leg(query, variant, seconds, round_=1, **more):
    return Leg(query, variant, round_, {}, CacheState(0, 9), seconds, 10 ** 6,
               1, "x", [{"Plan": {"Node Type": "Result"}}], **more)


class ModelTest(unittest.TestCase):
    def test_gives_back_what_it_was_made_of(self):
        made = shard_model.Model(0.2, 8.0, 0.01)
        found = shard_model.fit({count: made.seconds(count)
                                 for count in (1, 2, 4)}, 0.01)
        for name in ("fixed", "divided", "each"):
            self.assertAlmostEqual(getattr(found, name), getattr(made, name))
        self.assertAlmostEqual(found.best, math.sqrt(800))
        self.assertEqual(found.limit(1), "shards")
        self.assertEqual(found.limit(64), "keys and round trips")

    def test_no_part_is_less_than_nothing(self):
        slower = shard_model.fit({1: 1.0, 2: 1.5, 4: 2.0}, 0)
        self.assertEqual((slower.divided, slower.best), (0.0, math.inf))
        self.assertGreater(slower.fixed, 0)
        self.assertEqual(shard_model.Model(1.0, 0.0, 0.1).best, 1.0)
        better = shard_model.fit({1: 8.0, 2: 3.0, 4: 0.5}, 0)
        self.assertEqual(better.fixed, 0.0)
        self.assertGreater(better.divided, 0)

    def test_one_count_alone_is_all_fixed(self):
        self.assertEqual(shard_model.fit({1: 3.0}, 0).fixed, 3.0)

    def test_simulated_reading_takes_the_place_of_division(self):
        model = shard_model.Model(0.5, 8.0, 0.01)
        self.assertAlmostEqual(
            model.simulated(4, {1: 3.0, 4: 0.75}), model.seconds(4))
        self.assertAlmostEqual(
            model.simulated(4, {1: 3.0, 4: 1.5}), 0.5 + 4.0 + 0.04)

    def test_keys_cost_each_shard(self):
        few = shard_model.each_shard(80, 1e-4, 1e8)
        many = shard_model.each_shard(8e6, 1e-4, 1e8)
        self.assertAlmostEqual(few, 4e-4, places=5)
        self.assertAlmostEqual(many, 0.2 + 0.08 + 4e-4)


class PlacesTest(unittest.TestCase):
    def shown(self, done, measured):
        """The text on legs, with rows of the measured ones' devices.

        Each leg's devices read as many megabytes as its round says.
        """
        file = results.LegFile("shards")
        file.done = list(done)
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as file.directory, \
                mock.patch("os.fsync"):
            each = file.rows(scenario.EACH, scenario.EACH_COLUMNS)
            processors = file.rows(scenario.PROCESSORS,
                                   scenario.PROCESSOR_COLUMNS)
            for one in measured:
                same = {"query": one.query, "variant": one.variant,
                        "round": one.round}
                processors.add(dict(same, busy_share=one.round / 10))
                for number in range(4):
                    each.add(dict(same, device=number, busy_ms=10,
                                  bytes_read=one.round * 10 ** 6,
                                  ahead_in_vain=0))
            with contextlib.redirect_stdout(out):
                scenario._show(SimpleNamespace(
                    options=SimpleNamespace(queries=["q2.1"]), file=file),
                    [shards.HERE])
        return out.getvalue()

    def test_settings(self):
        for spread in (Here, Foreign, Citus):
            found = spread.settings(spread.__new__(spread), 2, "off")
            self.assertEqual(found["ssdpar.enabled"], "off")
            self.assertTrue(
                found["search_path"].startswith(f"{spread.KIND}_2,"))

    def test_both_schemas_are_searched(self):
        self.assertIn("SET search_path = 'here_4', 'public';\n",
                      legs.set_text(Here.settings(Here(None), 4, "on")))

    def test_names_are_apart(self):
        names = [place.name for kind in shards.KINDS
                 for place in scenario.PLACES[kind]]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(names), 3 * 3 * 2)

    def test_a_time_that_was_cut_off_is_marked(self):
        done = [leg("q2.1", scenario.ALONE, 9.0)] + [
            leg("q2.1", place.name, 600.0 if cut else 6.0, round_,
                timed_out=cut)
            for place in scenario.PLACES[shards.HERE] for round_ in (1, 2)
            for cut in [place.name == "here 1 off"]]
        text = self.shown(done, done)
        self.assertRegex(text, r"q2\.1 +1 +>600\.00 +6\.00 +100\.00")
        self.assertIn("> a run hit the statement timeout", text)
        self.assertNotIn("~", text)

    def test_what_was_cut_off_before_its_leg_counts_once(self):
        done = [leg("q2.1", place.name, 1.0, round_)
                for place in scenario.PLACES[shards.HERE]
                for round_ in (1, 2, 3)]
        cut = [leg("q2.1", "here 1 on", 1.0, 3)] * 2
        self.assertRegex(self.shown(done, cut + done),
                         r"q2\.1 +1 .* 2 +1 +0 +20%\n")

    def test_processors(self):
        tick = os.sysconf("SC_CLK_TCK")
        self.assertEqual(scenario.busy_seconds(
            f"cpu  {tick} 0 {tick} 500 70 0 {tick} 0 9 9\ncpu0 1\n"), 3.0)


class OnNoServer(Foreign):
    """A pass over the wire, without any servers."""

    def __init__(self):
        self.servers = []

    @contextlib.contextmanager
    def mounted(self, _progress):
        yield SimpleNamespace(facts=dict)

    def set_variant(self, variant):
        pass

    def calibrate(self, seconds):
        return iter(())

    def links(self):
        return {"shard_0": [1e-4, 1e8]}


class ResumeTest(unittest.TestCase):
    def test_the_wire_is_counted_when_all_legs_are_there(self):
        places = scenario.PLACES[shards.FOREIGN]
        told = []
        with tempfile.TemporaryDirectory() as place, mock.patch("os.fsync"):
            file = results.LegFile("shards")
            file.directory = place
            file.done = [leg("q2.1", one.name, 1.0) for one in places]
            kept = file.rows(scenario.WIRE, scenario.WIRE_COLUMNS)
            kept.add({"query": "q2.1", "variant": places[0].name,
                      "bytes_to": 5, "bytes_from": 5})
            run = SimpleNamespace(
                file=file, options=SimpleNamespace(queries=["q2.1"], rounds=1,
                                                   quick=True),
                server=SimpleNamespace(sql=told.append),
                progress=SimpleNamespace(
                    step=lambda _: contextlib.nullcontext()))
            found = summary.of(file.done)
            file.facts["links"] = {"shard_0": [1e-4, 1e8]}
            with self.assertRaises(ValueError):
                scenario.models(run, found)
            for _ in range(2):
                scenario._measure(run, OnNoServer())
                self.assertEqual(len(told), len(places) - 1)
            self.assertEqual(list(scenario.models(run, found)), ["q2.1"])


class WireTest(unittest.TestCase):
    def _echo(self, listener):
        connection, _ = listener.accept()
        with connection:
            got = connection.recv(100)
            connection.sendall(got * 3)

    def test_counts_both_ways(self):
        with tempfile.TemporaryDirectory() as top:
            own = os.path.join(top, "own")
            os.mkdir(own)
            name = f".s.PGSQL.{server.PORT}"
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(os.path.join(own, name))
            listener.listen(1)
            thread = threading.Thread(target=self._echo, args=(listener,))
            thread.start()
            behind = SimpleNamespace(
                user=SimpleNamespace(uid=os.getuid(), gid=os.getgid()),
                scratch=SimpleNamespace(socket=own))
            front = os.path.join(top, "front")
            with wire.counted(behind, front) as counts:
                with socket.socket(socket.AF_UNIX,
                                   socket.SOCK_STREAM) as client:
                    client.connect(os.path.join(front, name))
                    client.sendall(b"ten bytes.")
                    got = b""
                    while True:
                        more = client.recv(100)
                        if not more:
                            break
                        got += more
                thread.join()
            listener.close()
            self.assertEqual(got, b"ten bytes." * 3)
            self.assertEqual(counts.bytes, {wire.TO: 10, wire.FROM: 30})
            self.assertFalse(os.path.exists(front))


if __name__ == "__main__":
    unittest.main()
