"""./run bench cloud: SSB on the kinds of disks in clouds, emulated.

Each kind is mounted below the scratch server's data, measured by
ssdpar.calibrate() as a user would, and runs the benchmark's queries cold, with
ssdpar off and on.  The kinds are descriptions in bench/ssdsim/devices: an SSD
behind a network of 0.5, 1 and 2 ms, and one with a limit on requests and bytes
per second.  --io-method worker measures the default of PostgreSQL 18, where
three I/O workers read for all.  The machine's processors limit the emulator's
throughput; with long latencies that is far from the limit.
"""

from __future__ import annotations

import argparse
import dataclasses
from typing import Dict, List, Optional, Sequence, Tuple

from lib import cli, emulator, load, report, scenario, statistics, summary
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Point, Run
from lib.server import Server

SCENARIO = "SSB on emulated cloud disks"

KINDS = ("net-half", "net-1", "net-2", "net-capped")
VARIANTS = {
    "default": {"ssdpar.enabled": "off"},
    # The settings in every guide to PostgreSQL on SSDs.
    "tuned": {"ssdpar.enabled": "off", "random_page_cost": "1.1",
              "effective_io_concurrency": "200"},
    "ssdpar": {"ssdpar.enabled": "on"},
}
DEPTHS = (1, 8, 32)
_POINTS = ("SELECT string_agg(round(ssdpar.profile_iops('pg_default', "
           "'random', 8192, depth))::text, ' ' ORDER BY depth) "
           f"FROM unnest(ARRAY{list(DEPTHS)}) AS depth")
_SUMMARY = ("SELECT saturation_depth, round(peak_bytes_per_second / 1e6) "
            "FROM ssdpar.device_summary WHERE tablespace = 'pg_default'")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = cli.Parser(prog="./run bench cloud", description=__doc__)
    scenario.add_options(parser, rounds=2, scale=1.0)
    parser.add_argument("--kinds", default=list(KINDS),
                        type=scenario.list_of(
                            scenario.one_of(emulator.profiles(), "device"),
                            "a device"),
                        help="default: " + ",".join(KINDS))
    parser.add_argument("--variants", default=["default", "ssdpar"],
                        type=scenario.list_of(
                            scenario.one_of(tuple(VARIANTS), "variant"),
                            "a variant"),
                        help="of " + ",".join(VARIANTS) +
                        " (default default,ssdpar)")
    parser.add_argument("--queries", default=list(scenario.OWN_QUERIES),
                        type=scenario.list_of(
                            scenario.one_of(scenario.QUERIES, "query"),
                            "a query"),
                        help="default: the benchmark's 13")
    parser.add_argument("--io-method", default=None,
                        choices=("worker", "io_uring"),
                        help="the server's io_method, since 18 (default "
                        "io_uring if the server supports it)")
    options = scenario.parse(parser, "cloud", arguments)
    if options.device is not None:
        raise UserError("./run bench cloud brings its own emulated devices: "
                        "give --kinds in place of --device.")
    return options


def _set_io_method(server: Server, method: Optional[str]) -> None:
    """In the running server, which is restarted with it."""
    if method is None:
        return
    if server.major < 18:
        raise UserError("--io-method is for PostgreSQL 18 and later: give "
                        "--server 18 as well, or leave it out.")
    server.settings["io_method"] = method
    server.stop()
    server.start()


def variant_of(kind: str, variant: str) -> str:
    """The names of legs in the raw numbers."""
    return f"{kind} {variant}"


def _points(run: Run, kind: str) -> List[Point]:
    return [Point(query, variant_of(kind, name), VARIANTS[name])
            for query in run.options.queries for name in run.options.variants]


def _is_measured(run: Run, points: Sequence[Point]) -> bool:
    have = {(leg.query, leg.variant, leg.round) for leg in run.file.done}
    return all((point.query, point.variant, round_) in have
               for point in points
               for round_ in range(1, run.options.rounds + 1))


def _profile(run: Run) -> Dict[str, List[float]]:
    """The results of ssdpar.calibrate(), for the table."""
    deepest, most = run.server.sql(_SUMMARY).split("|")
    return {"iops": [float(word) for word in run.server.sql(_POINTS).split()],
            "saturation_depth": [float(deepest)], "peak_mb": [float(most)]}


def _measure_kind(run: Run, kind: str) -> None:
    points = _points(run, kind)
    if _is_measured(run, points):
        return
    with emulator.mounted(run.server, kind, run.options.memory,
                          run.progress) as device:
        # When mounted again, it is another device and must be measured again.
        load.ensure_calibrated(run.server, True, run.progress, kind)
        profiles = dict(run.file.facts.get("profiles", {}))
        profiles[kind] = _profile(run)
        run.file.add_facts({"profiles": profiles})
        on_it = dataclasses.replace(run, device=device, options=argparse
                                    .Namespace(**dict(vars(run.options),
                                                      device=kind)))
        scenario.measure(on_it, points)


def _device_rows(run: Run) -> List[Sequence[str]]:
    rows = []
    for kind in run.options.kinds:
        found = run.file.facts["profiles"][kind]
        rows.append([kind] + [f"{iops:,.0f}" for iops in found["iops"]] +
                    [f"{found['peak_mb'][0]:,.0f}",
                     f"{found['saturation_depth'][0]:.0f}"])
    return rows


Summaries = Dict[summary.Key, summary.Summary]


def times_faster(found: Summaries, kind: str, base: str, queries:
                 Sequence[str]) -> List[Tuple[float, str]]:
    """ssdpar against another variant, query by query, the smallest first."""
    return sorted(
        (found[(query, variant_of(kind, base))].median /
         found[(query, variant_of(kind, "ssdpar"))].median, query)
        for query in queries)


def _in_short(run: Run, found: Summaries) -> str:
    others = [name for name in run.options.variants if name != "ssdpar"]
    if "ssdpar" not in run.options.variants:
        return ""
    rows = []
    for kind in run.options.kinds:
        for base in others:
            ratios = times_faster(found, kind, base, run.options.queries)
            mean = statistics.geometric_mean([ratio for ratio, _ in ratios])
            rows.append([kind, base, f"{mean:.2f}",
                         f"{ratios[0][0]:.2f} ({ratios[0][1]})",
                         f"{ratios[-1][0]:.1f} ({ratios[-1][1]})"])
    return report.table(["disk", "ssdpar against", "geometric mean", "least",
                         "most"], rows, left=(0, 1))


def _seconds(run: Run, found: Summaries) -> str:
    head, columns = ["seconds"], []
    for kind in run.options.kinds:
        for name in run.options.variants:
            head.append(f"{kind} {name}")
            columns.append(variant_of(kind, name))
    return report.table(head, [
        [query] + [found[(query, name)].text() for name in columns]
        for query in run.options.queries])


def _show(run: Run) -> None:
    found = summary.of(run.file.done)
    print("\n" + scenario.headline(run, "Cloud disks"))
    if "io_method" in run.server.settings:
        print(f"io_method: {run.server.settings['io_method']}.")
    print()
    parts = [report.table(["disk"] + [f"reads/s x{depth}" for depth in DEPTHS]
                          + ["most MB/s", "saturated at"], _device_rows(run)),
             _in_short(run, found), _seconds(run, found),
             "\n".join(summary.legend(list(found.values())))]
    print("\n\n".join(part for part in parts if part))
    print("\nreads: 8 kB at random, as ssdpar.calibrate() measured them.\n"
          f"Raw numbers and plans: {run.file.directory}", flush=True)


def cloud(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, _: _set_io_method(server, options.io_method),
                emulates=True) as run:
            for kind in options.kinds:
                _measure_kind(run, kind)
    finally:
        progress.close()
    _show(run)
    scenario.check_rows(run.file.done)
    return 0


if __name__ == "__main__":
    cli.main(cloud)
