"""./run demo: the Star Schema Benchmark with ssdpar off and on, cold.

It compares PostgreSQL's plans with ssdpar's plans on this machine's device. It
is not a benchmark of absolute speed: only the ratios within one run are
meaningful.
"""

from __future__ import annotations

import os
from typing import Dict, List, Sequence, Tuple

from lib import cli, cold, legs, load, report, results, statistics
from lib.device import Device
from lib.errors import UsageError, UserError
from lib.progress import Progress, clock
from lib.server import Server
from lib.session import session

QUERIES = ("q0", "q1.1", "q1.2", "q1.2n", "q1.3", "q2.1", "q2.2", "q2.3",
           "q3.1", "q3.2", "q3.3", "q3.4", "q4.1", "q4.2", "q4.3")
VARIANTS: Dict[str, legs.Settings] = {
    "off": {"ssdpar.enabled": "off"},
    "on": {"ssdpar.enabled": "on"},
}

Leg = legs.Leg


def _options(arguments: Sequence[str]):
    parser = cli.Parser(
        prog="./run demo", description="SSB with ssdpar off and on, cold.")
    parser.add_argument("--scale", type=cli.scale, metavar="N",
                        help="scale factor, 0.01 to 100 (default 1)")
    parser.add_argument("--data", metavar="DIR",
                        help="load the .tbl files in DIR instead")
    parser.add_argument("--rounds", type=cli.count(1, 100), default=3,
                        metavar="R", help="runs of each query (default 3)")
    parser.add_argument("--calibrate", action="store_true",
                        help="measure the device again")
    parser.add_argument("--keep", action="store_true",
                        help="leave the server running at the end")
    options = parser.parse_args(arguments)
    if options.data is not None and options.scale is not None:
        raise UsageError("--data and --scale exclude each other: the files' "
                         "own size is their scale. Leave one out.")
    return options


def _order(rounds: int) -> List[Tuple[int, str, str]]:
    """Off and on next to each other, alternating which is first."""
    order = []
    for round_ in range(1, rounds + 1):
        for number, query in enumerate(QUERIES):
            names = list(VARIANTS)
            if (number + round_) % 2 == 0:
                names.reverse()
            order += [(round_, query, name) for name in names]
    return order


def _run_all(server: Server, rounds: int, file: results.LegFile,
             progress: Progress) -> List[Leg]:
    device = Device.under(server.scratch.data)
    read_ahead = device.read_ahead_kb() if device else "unknown"
    order = _order(rounds)
    done: List[Leg] = []
    file.add_facts(report.environment(server, device, rounds=rounds,
                                      data=server.scratch.stamp()))
    with progress.step(f"running {len(order)} cold queries (device "
                       f"{device.name if device else 'unknown'}, "
                       f"read_ahead_kb {read_ahead})"):
        for number, (round_, query, variant) in enumerate(order):
            progress.update(f"{query} with ssdpar {variant}, round {round_} "
                            f"of {rounds}", number / len(order))
            cache = cold.restart_cold(server)
            leg = legs.run_leg(
                server, device, cache, query,
                legs.query_text(legs.query_path(
                    os.path.join(load.SSB, "queries"), query)),
                variant, round_, VARIANTS[variant])
            file.add(leg)
            done.append(leg)
    return done


def _of(done: List[Leg], query: str, variant: str) -> List[Leg]:
    return [leg for leg in done
            if leg.query == query and leg.variant == variant]


def _row(done: List[Leg], query: str) -> Tuple[List[str], float]:
    """A query's line of the table, and its ratio."""
    off, on = (_of(done, query, variant) for variant in ("off", "on"))
    seconds = [statistics.median([leg.seconds for leg in group])
               for group in (off, on)]
    ratio = seconds[0] / seconds[1]
    return [query, str(off[0].shape), str(on[0].shape),
            f"{seconds[0]:.2f}", f"{seconds[1]:.2f}", f"{ratio:.2f}",
            report.megabytes([leg.device_bytes for leg in off]),
            report.megabytes([leg.device_bytes for leg in on])], ratio


def _show(done: List[Leg], rounds: int, source: str, where: str) -> None:
    rows, ratios = [], []
    for query in QUERIES:
        row, ratio = _row(done, query)
        rows.append(row)
        ratios.append(ratio)
    what = "seconds" if rounds == 1 else f"median seconds of {rounds} rounds"
    print(f"\nStar Schema Benchmark, {source}, {what},\n"
          f"{cold.summary(leg.cache for leg in done)}.\n")
    print(report.table(("query", "plan off", "plan on", "s off", "s on",
                        "off/on", "MB off", "MB on"), rows, left=(0, 1, 2)))
    print(f"\nGeometric mean of off/on: "
          f"{statistics.geometric_mean(ratios):.2f} (above 1: faster with "
          f"ssdpar). MB are read from the device.\nRaw numbers and plans: "
          f"{where}", flush=True)


def _check_rows(done: List[Leg]) -> None:
    wrong = legs.differing(done)
    if wrong:
        raise UserError(
            f"DIFFERENT ROWS with ssdpar off and on: {', '.join(wrong)}. "
            "This is a defect of ssdpar; please report it with the plans in "
            "the directory above. SET ssdpar.enabled = off avoids it.")
    print("The rows were the same with ssdpar off and on, in every query.",
          flush=True)


def demo(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    source = load.Source(options.scale or 1.0) if options.data is None \
        else load.Source.of_directory(options.data)
    progress = Progress()
    try:
        file = results.LegFile("demo")
        with session(source, progress, calibrate=options.calibrate,
                     keep=options.keep) as server:
            done = _run_all(server, options.rounds, file, progress)
            path = server.scratch.path
        took = clock(progress.elapsed())
    finally:
        progress.close()
    _show(done, options.rounds, str(source), file.directory or "")
    _check_rows(done)
    print(f"{took} in all. " +
          ("The server still runs: ./run psql, ./run stop." if options.keep
           else f"The data stays in {path} for the next run (./run psql, "
           "./run clean)."))
    return 0


if __name__ == "__main__":
    cli.main(demo)
