"""A workload's queries without ssdpar and with it: options, table, verdict.

Shared by ./run bench tpch and tpcds.  Either one of ssdpar's settings or the
whole of ssdpar is switched off and on.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

from . import cli, legs, report, scenario, statistics, summary
from .errors import UserError
from .legs import Leg
from .scenario import Point, Run

OFF, ON = VARIANTS = "off", "on"
_CLEARLY = 0.95         # off/on below: told as slower
SETTINGS = ("enabled", "index_join", "star_scan", "cost_model")


def add_options(parser: cli.Parser, queries: Sequence[str], some: str
                ) -> None:
    """In addition to the usual ones; some: a few of the queries, for the help.
    """
    scenario.add_hot(parser)
    parser.set_defaults(profile=True)
    parser.add_argument("--jit", choices=("on", "off"), default="off",
                        help="the server's jit, for both (default off)")
    parser.add_argument("--setting", choices=SETTINGS, default="enabled",
                        help="the setting of ssdpar that is off and on "
                        "(default enabled, which is all of ssdpar); the "
                        "others stay on")
    parser.add_argument("--queries", default=list(queries),
                        type=scenario.list_of(
                            scenario.one_of(queries, "query"), "a query"),
                        help=f"for example {some} (default: all "
                        f"{len(queries)})")


def settings(session: legs.Settings, variant: str, jit: str, setting: str
             ) -> legs.Settings:
    """Of a leg's session."""
    return dict(session, jit=jit, **{f"ssdpar.{setting}": variant})


def points(options, session: legs.Settings, statements: Dict[str, str]
           ) -> List[Point]:
    """Each requested query, off and on."""
    return [Point(query, variant,
                  settings(session, variant, options.jit, options.setting),
                  statement=statements[query])
            for query in options.queries for variant in VARIANTS]


def check_jit(run: Run) -> None:
    """A server without it accepts the setting but does nothing."""
    if run.options.jit == "on" and run.server.sql(
            "SET jit = on; SELECT pg_jit_available()") != "t":
        raise UserError("this server has no jit (llvmjit.so, in Debian part "
                        "of the server or of postgresql-N-jit). Leave out "
                        "--jit on, or install that.")


def ratios(found: Dict[summary.Key, summary.Summary]) -> Dict[str, float]:
    """Time without / time with, for each query that has both."""
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
    """One line per query."""
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
    """The mean, the worst, and the slower ones."""
    worst = min(quotients, key=lambda query: quotients[query])
    slower = [f"{query} {ratio:.2f}" for query, ratio in quotients.items()
              if ratio < _CLEARLY]
    return (f"off/on, {len(quotients)} queries: geometric mean "
            f"{statistics.geometric_mean(quotients.values()):.2f}, lowest "
            f"{quotients[worst]:.2f} ({worst}). Below {_CLEARLY:g}: "
            f"{', '.join(slower) or 'none'}.")


def show(run: Run, name: str, done: List[Leg], more: Optional[str] = None
         ) -> None:
    """The table of a workload of that name, and its summary."""
    options, found = run.options, summary.of(done)
    what = f"{name}'s queries, ssdpar.{options.setting} off and on, " \
        f"jit {options.jit}"
    print("\n" + scenario.headline(run, what, data=name) + "\n")
    parts = [table(options.queries, done),
             "\n".join(summary.legend(list(found.values()))),
             in_short(ratios(found)), more or "",
             "off/on: above 1, ssdpar is faster; range: the fastest run and "
             "the slowest. A timed-out\nleg counts with the time it was "
             f"allowed.\nRaw numbers and plans: {run.file.directory}"]
    print("\n\n".join(part for part in parts if part), flush=True)
