"""./run bench tpch: TPC-H's 22 queries without ssdpar and with it.

Most of them are no star queries, so this is where it shows what ssdpar's plans
do to queries that it was not made for.  The parameters are those that the
specification validates with; the data is that of its generator.  Results are
not comparable with published TPC-H results, which are of whole audited systems
and of streams of queries.

Rows have to be the same in all runs of a query.
"""

from __future__ import annotations

from typing import Dict, List, Sequence

from lib import cli, legs, load, report, scenario, session, statistics
from lib import summary, tpch
from lib.errors import UserError
from lib.legs import Leg
from lib.progress import Progress
from lib.scenario import Point, Run

SCENARIO = "TPC-H's 22 queries without ssdpar and with it"

OFF, ON = VARIANTS = "off", "on"
_CLEARLY = 0.9          # off/on below: told as slower
SETTINGS = ("enabled", "index_join", "star_scan", "cost_model",
            "prefetch_index_scans", "prefetch_bitmap_scans")


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench tpch", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=3.0)
    scenario.add_hot(parser)
    parser.set_defaults(profile=True)
    parser.add_argument("--jit", choices=("on", "off"), default="off",
                        help="the server's jit, for both (default off)")
    parser.add_argument("--setting", choices=SETTINGS, default="enabled",
                        help="what is off and on, of ssdpar's settings "
                        "(default enabled: all of it); any other leaves the "
                        "rest on")
    parser.add_argument("--queries", default=list(tpch.QUERIES),
                        type=scenario.list_of(
                            scenario.one_of(tpch.QUERIES, "query"),
                            "a query"),
                        help="such as q1,q21 (default: all 22)")
    return scenario.parse(parser, "tpch", arguments)


def settings(variant: str, jit: str, setting: str) -> legs.Settings:
    """Of a leg's session."""
    return dict(tpch.SESSION, jit=jit, **{f"ssdpar.{setting}": variant})


def _check_jit(run: Run) -> None:
    """A server without it takes the setting and does nothing."""
    if run.options.jit == "on" and run.server.sql(
            "SET jit = on; SELECT pg_jit_available()") != "t":
        raise UserError("this server has no jit (llvmjit.so, in Debian part "
                        "of the server or of postgresql-N-jit). Leave out "
                        "--jit on, or install that.")


def ratios(found: Dict[summary.Key, summary.Summary]) -> Dict[str, float]:
    """Time without over time with, of each query that has both."""
    return {query: entry.median / found[(query, ON)].median
            for (query, variant), entry in found.items()
            if variant == OFF and (query, ON) in found}


def _spread(done: Sequence[Leg], query: str, variant: str) -> str:
    """The fastest run and the slowest."""
    spread = statistics.Spread.of([leg.seconds for leg in done
                                   if (leg.query, leg.variant) ==
                                   (query, variant)])
    return f"{spread.low:.2f}-{spread.high:.2f}"


def table(queries: Sequence[str], done: Sequence[Leg]) -> str:
    """A line a query."""
    found = summary.of(done)
    quotients = ratios(found)
    rows = []
    for query in queries:
        pair = [found[(query, variant)] for variant in VARIANTS]
        rows.append([query] + [one.plan for one in pair] +
                    [text for one in pair for text in
                     (one.text(), _spread(done, query, one.variant))] +
                    [f"{quotients[query]:.2f}"] +
                    [report.megabytes([one.device_bytes]) for one in pair])
    return report.table(
        ["query", "plan off", "plan on", "s off", "range", "s on", "range",
         "off/on", "MB off", "MB on"], rows, left=(0, 1, 2))


def in_short(quotients: Dict[str, float]) -> str:
    """The mean, the worst, and who is slower."""
    worst = min(quotients, key=lambda query: quotients[query])
    slower = [f"{query} {ratio:.2f}" for query, ratio in quotients.items()
              if ratio < _CLEARLY]
    return (f"off/on, {len(quotients)} queries: geometric mean "
            f"{statistics.geometric_mean(quotients.values()):.2f}, lowest "
            f"{quotients[worst]:.2f} ({worst}). Below {_CLEARLY:g}: "
            f"{', '.join(slower) or 'none'}.")


def _show(run: Run, done: List[Leg]) -> None:
    options, found = run.options, summary.of(done)
    what = f"TPC-H's queries, ssdpar.{options.setting} off and on, " \
        f"jit {options.jit}"
    print("\n" + scenario.headline(run, what, data="TPC-H") + "\n")
    parts = [table(options.queries, done),
             "\n".join(summary.legend(list(found.values()))),
             in_short(ratios(found)),
             "off/on: above 1, ssdpar is faster; range: the fastest run and "
             "the slowest. A timed-out\nleg counts with the time it was "
             f"allowed.\nRaw numbers and plans: {run.file.directory}"]
    print("\n\n".join(part for part in parts if part), flush=True)


def run_tpch(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: tpch.ensure_tables(
                    server, options.scale, steps),
                load.Nothing(), session.TPCH) as run:
            _check_jit(run)
            run.file.add_facts({"tpch": {"scale": options.scale,
                                         "jit": options.jit,
                                         "setting": options.setting,
                                         "generator": tpch.GENERATOR,
                                         "version": tpch.VERSION}})
            points = [Point(query, variant,
                            settings(variant, options.jit, options.setting),
                            statement=tpch.statement(query, options.scale))
                      for query in options.queries for variant in VARIANTS]
            done = scenario.measure(run, points)
    finally:
        progress.close()
    _show(run, done)
    scenario.check_rows(done)
    return 0


if __name__ == "__main__":
    cli.main(run_tpch)
