"""./run bench shards: SSB on one, two and four devices and servers.

The same fact in partitions on 1, 2 and 4 tablespaces of one server; on 1, 2
and 4 servers of this machine that postgres_fdw reaches; on 1, 2 and 4 workers
of Citus, if that is installed.  Each tablespace, server or worker has a
separate emulated device; ssdpar is on everywhere, or off everywhere. In
addition to times: bytes over postgres_fdw's connections, what each device read
and how long it worked, the load of the processors, the speed-up over one
device, and a prediction of these times for 64 shards.

Rows must be those of one table, everywhere.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from lib import cli, legs, load, report, scenario, session, shard_model
from lib import shards, shards_citus, simulator, statistics, summary, wire
from lib.errors import UserError
from lib.legs import Leg
from lib.progress import Progress
from lib.scenario import Run
from lib.server import Server
from lib.shards import ALONE, CITUS, COUNTS, FOREIGN, HERE, KINDS, OFF, ON
from lib.shards import VARIANTS, Spread
from lib.shards_citus import Citus
from lib.shards_foreign import Foreign
from lib.shards_here import Here
from lib.tablespaces import PROFILE, Devices

SCENARIO = "SSB over 1, 2 and 4 devices: partitions, other servers, Citus"

EACH = "devices.csv"
EACH_COLUMNS = ("query", "variant", "round", "device", "bytes_read",
                "busy_ms", "ahead_in_vain")
EACH_KEY = EACH_COLUMNS[:4]
PROCESSORS = "processors.csv"
PROCESSOR_COLUMNS = ("query", "variant", "round", "busy_share")
PROCESSOR_KEY = PROCESSOR_COLUMNS[:3]
WIRE = "wire.csv"
WIRE_COLUMNS = ("query", "variant", "bytes_to", "bytes_from")
USUAL = ["q2.1", "q2.2", "q3.2", "q4.3"]
MODELLED = (8, 16, 64)
PAGE = 8192
_TIMEOUT = 600
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Place:
    """Where the fact is, and whether ssdpar is on."""

    kind: str
    count: int
    variant: str

    @property
    def name(self) -> str:
        return f"{self.kind} {self.count} {self.variant}"


PLACES = {kind: [Place(kind, count, variant) for count in COUNTS
                 for variant in VARIANTS] for kind in KINDS}
Point = Tuple[str, Place]


def _statement(query: str) -> str:
    return legs.query_text(legs.query_path(
        os.path.join(load.SSB, "queries"), query))


def busy_seconds(text: str) -> float:
    """Of all processors, from /proc/stat: all but idle and waiting."""
    words = [int(word) for word in text.splitlines()[0].split()[1:9]]
    return (sum(words) - words[3] - words[4]) / _TICK


def _busy() -> float:
    with open("/proc/stat") as file:
        return busy_seconds(file.read())


# ----- measuring -----

def _leg(run: Run, over: Spread, devices: Devices, point: Point, round_: int
         ) -> Leg:
    query, place = point
    over.set_variant(place.variant)
    cache = over.restart_cold()
    in_vain = devices.in_vain_each()
    before = devices.bytes_each(), devices.busy_each(), _busy()
    began = time.monotonic()
    leg = legs.run_leg(over.front, devices, cache, query, _statement(query),
                       place.name, round_,
                       over.settings(place.count, place.variant), _TIMEOUT)
    lasted = time.monotonic() - began
    same = {"query": query, "variant": place.name, "round": round_}
    share = (_busy() - before[2]) / lasted / (os.cpu_count() or 1)
    run.file.rows(PROCESSORS, PROCESSOR_COLUMNS).add(
        dict(same, busy_share=f"{share:.3f}"))
    each = run.file.rows(EACH, EACH_COLUMNS)
    for number, (read, busy, ahead) in enumerate(zip(
            devices.bytes_each(), devices.busy_each(),
            devices.in_vain_each())):
        each.add(dict(same, device=number, bytes_read=read - before[0][number],
                      busy_ms=f"{(busy - before[1][number]) * 1e3:.1f}",
                      ahead_in_vain=ahead - in_vain[number]))
    return leg


@contextlib.contextmanager
def _counted(over: Foreign, fronts: Sequence[str]
             ) -> Iterator[List[wire.Counts]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(wire.counted(one, front))
               for one, front in zip(over.servers, fronts)]


def _not_counted(run: Run) -> List[Point]:
    """Points whose bytes on the wire are unknown."""
    have = {(row["query"], row["variant"])
            for row in run.file.rows(WIRE, WIRE_COLUMNS).rows}
    return [(query, place) for place in PLACES[FOREIGN]
            for query in run.options.queries
            if (query, place.name) not in have]


def _count_wire(run: Run, over: Foreign) -> None:
    """Another pass through counting sockets, whose times are not recorded."""
    file = run.file.rows(WIRE, WIRE_COLUMNS)
    own = [one.scratch.socket for one in over.servers]
    fronts = [os.path.join(one.scratch.path, "front") for one in over.servers]
    for query, place in _not_counted(run):
        over.set_variant(place.variant)
        with _counted(over, fronts) as counts:
            over.go_by(fronts)
            try:
                run.server.sql(legs.set_text(over.settings(
                    place.count, place.variant)) + _statement(query) + ";")
            finally:
                over.go_by(own)
        file.add({"query": query, "variant": place.name,
                  "bytes_to": sum(one.bytes[wire.TO] for one in counts),
                  "bytes_from": sum(one.bytes[wire.FROM] for one in counts)})


def _reference(run: Run) -> None:
    """One table's rows, with which all others are compared; its time does not
    matter."""
    have = {leg.query for leg in run.file.done if leg.variant == ALONE}
    for query in run.options.queries:
        if query not in have:
            run.file.add(scenario.leg_as_it_is(
                run, query, _statement(query), ALONE,
                {"ssdpar.enabled": "off"}))


def _left(run: Run, kind: str) -> List[Tuple[int, Point]]:
    have = {(leg.query, leg.variant, leg.round) for leg in run.file.done}
    return [(round_, point) for round_, point in scenario.shuffled(
        [(query, place) for query in run.options.queries
         for place in PLACES[kind]], run.options.rounds)
        if (point[0], point[1].name, round_) not in have]


def _measure(run: Run, over: Spread) -> None:
    kind = over.KIND
    order = _left(run, kind)
    if not order and not (kind == FOREIGN and _not_counted(run)):
        return
    with over.mounted(run.progress) as devices:
        run.file.add_facts({"shard_device": devices.facts()})
        with run.progress.step(f"measuring devices and links, {kind}"):
            for what in over.calibrate(8 if run.options.quick else 30):
                run.progress.update(what)
        for round_, point in scenario.in_turn(
                run.progress, f"{len(order)} legs, {kind}", order,
                run.options.rounds,
                lambda point: f"{point[0]} {point[1].name}"):
            run.file.add(_leg(run, over, devices, point, round_))
        if isinstance(over, Foreign):
            run.file.add_facts({"links": over.links()})
            with run.progress.step("counting bytes on the wire"):
                _count_wire(run, over)


# ----- results -----

Summaries = Dict[summary.Key, summary.Summary]


def _of(rows: Sequence[dict], query: str, place: Place, name: str
        ) -> List[float]:
    return [float(row[name]) for row in rows
            if (row["query"], row["variant"]) == (query, place.name)]


def _each(rows: Sequence[dict], query: str, place: Place, name: str,
          by: float) -> str:
    """One median per device of the place."""
    found = []
    for number in range(place.count):
        found.append(statistics.median(_of(
            [row for row in rows if row["device"] == str(number)], query,
            place, name)) / by)
    return " ".join(f"{value:.0f}" for value in found)


def _wire_bytes(rows: Sequence[dict], query: str, place: Place) -> float:
    return sum(_of(rows, query, place, "bytes_to") +
               _of(rows, query, place, "bytes_from"))


def _lines(run: Run, kind: str, found: Summaries) -> Iterator[List[str]]:
    each = run.file.rows(EACH, EACH_COLUMNS).latest(EACH_KEY)
    processors = run.file.rows(PROCESSORS, PROCESSOR_COLUMNS).latest(
        PROCESSOR_KEY)
    sent = run.file.rows(WIRE, WIRE_COLUMNS).rows
    for query in run.options.queries:
        for count in COUNTS:
            off, on = (Place(kind, count, variant) for variant in VARIANTS)
            pair = [found[(query, place.name)] for place in (off, on)]
            slow, fast = (entry.median for entry in pair)
            one = found[(query, Place(kind, 1, ON).name)].median
            bytes_ = [_wire_bytes(sent, query, place) for place in (off, on)]
            yield [query, str(count), *(entry.text() for entry in pair),
                   f"{slow / fast:.2f}", f"{one / fast:.2f}",
                   *(f"{value / 1e6:.2f}" if value else "-"
                     for value in bytes_),
                   _each(each, query, on, "bytes_read", 1e6),
                   _each(each, query, on, "busy_ms", 10 * fast),
                   _each(each, query, on, "ahead_in_vain", 1e3),
                   "{:.0%}".format(statistics.median(_of(
                       processors, query, on, "busy_share")))]


_HEADS = ["query", "devices", "s off", "s on", "off/on", "times one",
          "wire MB off", "on", "MB of each", "busy % of each",
          "1000 pages in vain", "processors"]


def models(run: Run, found: Summaries) -> Dict[str, shard_model.Model]:
    """Of the foreign servers with ssdpar, one per query."""
    sent = run.file.rows(WIRE, WIRE_COLUMNS).rows
    links = list(run.file.facts["links"].values())
    latency, speed = (statistics.median([link[i] for link in links])
                      for i in (0, 1))
    made = {}
    for query in run.options.queries:
        most = Place(FOREIGN, COUNTS[-1], ON)
        keys, = _of(sent, query, most, "bytes_to")
        made[query] = shard_model.fit(
            {count: found[(query, Place(FOREIGN, count, ON).name)].median
             for count in COUNTS},
            shard_model.each_shard(keys / most.count, latency, speed))
    return made


def _pages(run: Run, query: str) -> int:
    """Read by all shards, in the median; the simulator needs at least one
    each."""
    most = Place(FOREIGN, COUNTS[-1], ON)
    rows = run.file.rows(EACH, EACH_COLUMNS).latest(EACH_KEY)
    read = sum(statistics.median(_of(
        [row for row in rows if row["device"] == str(number)], query, most,
        "bytes_read")) for number in range(most.count))
    return max(MODELLED[-1], int(read / PAGE))


def _model_table(run: Run, found: Summaries) -> str:
    lines = []
    last = MODELLED[-1]
    for query, model in models(run, found).items():
        reading = simulator.shards(PROFILE, _pages(run, query))
        lines.append([query, f"{model.fixed:.3f}", f"{model.divided:.3f}",
                      f"{model.each * 1e3:.2f}",
                      *(f"{model.seconds(count):.3f}" for count in MODELLED),
                      f"{model.simulated(last, reading):.3f}",
                      f"{model.best:.0f}", model.limit(last)])
    return report.table(["query", "fixed s", "divided s", "ms a shard",
                         *(f"s on {count}" for count in MODELLED),
                         f"simulated {last}", "best number",
                         f"limit on {last}"], lines)


def _show(run: Run, kinds: Sequence[str]) -> None:
    found = summary.of([leg for leg in run.file.done if leg.variant != ALONE])
    for kind in kinds:
        print(f"{kind}:\n" + report.table(
            _HEADS, list(_lines(run, kind, found))) + "\n")
    marks = summary.legend(list(found.values()))
    if marks:
        print("\n".join(marks) + "\n")
    if FOREIGN in kinds:
        print("by the model, with ssdpar (this machine's processors are the "
              "shards', too):\n" + _model_table(run, found) + "\n")
    print(f"Raw numbers and plans: {run.file.directory}", flush=True)


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench shards", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=0.6, timeout=False)
    parser.add_argument("--queries", default=USUAL,
                        type=scenario.list_of(
                            scenario.one_of(scenario.OWN_QUERIES, "query"),
                            "a query"),
                        help="default: " + ",".join(USUAL))
    parser.add_argument("--kinds", default=None,
                        type=scenario.list_of(
                            scenario.one_of(KINDS, "kind"), "a kind"),
                        help="default: all that are available here, of " +
                        ",".join(KINDS))
    parser.set_defaults(profile=True)
    options = scenario.parse(parser, "shards", arguments)
    if options.device is not None:
        raise UserError("./run bench shards brings its own emulated devices: "
                        "leave out --device.")
    return options


def _spreads(server: Server, kinds: Optional[List[str]]) -> List[Spread]:
    """Of the requested kinds, by default the available ones."""
    if kinds is None:
        kinds = [HERE, FOREIGN]
        if shards_citus.is_installed(server):
            kinds.append(CITUS)
        else:
            print("ssdpar: left out: citus, which is not installed for "
                  f"PostgreSQL {server.major}.", file=sys.stderr)
    made: Dict[str, Callable[[Server], Spread]] = {
        HERE: Here, FOREIGN: Foreign, CITUS: Citus}
    return [made[kind](server) for kind in kinds]


def run_shards(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        shards.check_memory(options.scale, options.memory)
        spreads: List[Spread] = []

        def prepare(server: Server, steps: Progress) -> None:
            spreads.extend(_spreads(server, options.kinds))
            for one in spreads:
                one.ensure(options.scale, steps)
                if one.KIND == FOREIGN:
                    simulator.build(steps)

        with scenario.running(options, progress, prepare,
                              apart=session.SHARDS) as run:
            run.file.add_facts({"shards": {"scale": options.scale}})
            _reference(run)
            for one in spreads:
                _measure(run, one)
        # the frame's is the device of the coordinator's own data
        run.file.add_facts({"device": run.file.facts["shard_device"]})
    finally:
        progress.close()
    print("\n" + scenario.headline(
        run, "Shards", [leg.cache for leg in run.file.done
                        if leg.variant != ALONE]) + "\n")
    _show(run, [one.KIND for one in spreads])
    wrong = legs.differing(run.file.done)
    if wrong:
        raise UserError("rows differ between one table and shards: " +
                        "; ".join(wrong))
    return 0


if __name__ == "__main__":
    cli.main(run_shards)
