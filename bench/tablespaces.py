"""./run bench tablespaces: a fact partitioned over several devices.

A star query on the same rows in eight partitions, which are on one, two and
four tablespaces (Chen et al. 2016, section 8: external parallelism).  Each
tablespace is an emulated device with its own profile.  The devices run at full
speed, where the machine's processors are the limit, and with one channel each,
where the devices are.
"""

from __future__ import annotations

from typing import List, Sequence

from lib import cli, cold, legs, load, report, results, scenario, session
from lib import statistics, summary, tablespaces
from lib.errors import UserError
from lib.legs import Leg
from lib.progress import Progress
from lib.scenario import Run
from lib.tablespaces import ACCESSES, COUNTS, SPEEDS, Devices

SCENARIO = "a fact partitioned over one, two and four devices"

EACH = "devices.csv"
EACH_COLUMNS = ("query", "variant", "round", "device", "bytes_read",
                "busy_ms")
EACH_KEY = EACH_COLUMNS[:4]
_TIMEOUT = 300


def query_of(speed: str, access: str) -> str:
    return f"{speed}, {access}"


def variant_of(count: int) -> str:
    return str(count)


def _calibrate(run: Run, speed: str) -> None:
    """When mounted again, each is another device to the server."""
    with run.progress.step(f"measuring the devices, {speed}"):
        for number in range(max(COUNTS)):
            run.progress.update(tablespaces.space(number),
                                number / max(COUNTS))
            run.server.sql("SELECT * FROM ssdpar.calibrate("
                           f"'{tablespaces.space(number)}', seconds => "
                           f"{8 if run.options.quick else 30}, "
                           "file_size_mb => 64);")


def _leg(run: Run, devices: Devices, files: List[str], speed: str,
         access: str, count: int, round_: int) -> Leg:
    cache = cold.restart_files_cold(run.server, files)
    before = devices.bytes_each(), devices.busy_each()
    leg = legs.run_leg(run.server, devices, cache, query_of(speed, access),
                       tablespaces.statement(count), variant_of(count),
                       round_, ACCESSES[access], _TIMEOUT)
    each = run.file.rows(EACH, EACH_COLUMNS)
    for number, (read, busy) in enumerate(zip(devices.bytes_each(),
                                              devices.busy_each())):
        each.add({"query": leg.query, "variant": leg.variant,
                  "round": round_, "device": number,
                  "bytes_read": read - before[0][number],
                  "busy_ms": f"{(busy - before[1][number]) * 1e3:.1f}"})
    return leg


def _measure_speed(run: Run, speed: str) -> None:
    have = {(leg.query, leg.variant, leg.round) for leg in run.file.done}
    order = [(round_, point) for round_, point in scenario.shuffled(
        [(access, count) for access in ACCESSES for count in COUNTS],
        run.options.rounds)
        if (query_of(speed, point[0]), variant_of(point[1]), round_)
        not in have]
    if not order:
        return
    files = tablespaces.files(run.server)
    with tablespaces.mounted(run.server, speed, run.progress) as devices:
        run.file.add_facts({"tablespace_device": devices.facts()})
        _calibrate(run, speed)
        for round_, (access, count) in scenario.in_turn(
                run.progress, f"{len(order)} legs, {speed}", order,
                run.options.rounds,
                lambda point: f"{point[0]} on {point[1]}"):
            run.file.add(_leg(run, devices, files, speed, access, count,
                              round_))


def table(file: results.LegFile) -> str:
    """One line per number of devices."""
    found = summary.of(file.done)
    each = file.rows(EACH, EACH_COLUMNS).latest(EACH_KEY)
    lines = []
    for query in dict.fromkeys(query for query, _ in found):
        alone = found[(query, variant_of(1))].median
        for count in COUNTS:
            one = found[(query, variant_of(count))]
            mine = [row for row in each if row["query"] == query and
                    row["variant"] == variant_of(count)]

            def of(name: str, by: float, mine: List[dict] = mine) -> str:
                return " ".join(str(round(statistics.median(
                    [float(row[name]) for row in mine
                     if row["device"] == str(number)]) / by))
                    for number in range(max(COUNTS)))
            lines.append([query, variant_of(count), one.text(),
                          f"{alone / one.median:.2f}", of("bytes_read", 1e6),
                          of("busy_ms", 10 * one.median)])
    return "\n".join([report.table(
        ["query", "devices", "s", "times one", "MB of each",
         "channels busy, % of one's time, of each"], lines)] +
        summary.legend(list(found.values())))


def run_tablespaces(arguments: Sequence[str]) -> int:
    parser = cli.Parser(prog="./run bench tablespaces", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=0.4, timeout=False)
    parser.add_argument("--speeds", default=list(SPEEDS),
                        type=scenario.list_of(
                            scenario.one_of(tuple(SPEEDS), "speed"),
                            "a speed"),
                        help="speeds of the devices; default: both, " +
                        ",".join(SPEEDS))
    parser.set_defaults(profile=True)
    options = scenario.parse(parser, "tablespaces", arguments)
    if options.device is not None:
        raise UserError("./run bench tablespaces brings its own emulated "
                        "devices: leave out --device.")
    progress = Progress()
    try:
        tablespaces.check_memory(options.scale, options.memory)
        with scenario.running(
                options, progress,
                lambda server, steps: tablespaces.ensure_tables(
                    server, options.scale, steps),
                load.Nothing(), session.TABLESPACES) as run:
            run.file.add_facts({"tablespaces": {"scale": options.scale}})
            for speed in options.speeds:
                _measure_speed(run, speed)
        # the frame's is the device of the server's own data
        run.file.add_facts({"device": run.file.facts["tablespace_device"]})
    finally:
        progress.close()
    print("\n" + scenario.headline(run, "Tablespaces", data="own") + "\n")
    print(table(run.file))
    wrong = [name for name in legs.differing(run.file.done)]
    print(f"Raw numbers: {run.file.directory}", flush=True)
    if wrong:
        raise UserError("rows differ between one device and several: " +
                        "; ".join(wrong))
    return 0


if __name__ == "__main__":
    cli.main(run_tablespaces)
