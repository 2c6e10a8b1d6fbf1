"""./run bench partitions: SSB with its fact in partitions, and in one table.

Each query on one table and on 84 monthly partitions of the same rows, with
ssdpar and without.  Then the planning of four queries on 1,000 partitions,
none of which can be excluded, alternating with and without in one session.

Rows must be the same everywhere.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Dict, List, Sequence, Tuple

from lib import cli, legs, load, months, planning_time, report, scenario
from lib import session, statistics, summary
from lib.legs import Leg, Settings
from lib.progress import Progress
from lib.scenario import Point, Run

SCENARIO = "SSB over 84 monthly partitions and one table; 1,000 planned"

SCHEMAS = {"one": months.WHOLE, "months": months.MONTHS}
STATES = OFF, ON = "off", "on"
# of one, two and three dimensions
PLANNED = "q1.2", "q2.2", "q3.2", "q4.3"
PLANNING = "planning.csv"
PLANNING_COLUMNS = ("query", "variant", "plan", "ms")
PLANNING_KEY = PLANNING_COLUMNS[:3]
_WARMING = 3            # plans of 1,000 partitions take a second

Medians = Dict[Tuple[str, str], float]


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench partitions", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=1.0)
    scenario.add_hot(parser)
    parser.set_defaults(profile=True)
    parser.add_argument("--queries", default=list(scenario.OWN_QUERIES),
                        type=scenario.list_of(
                            scenario.one_of(scenario.OWN_QUERIES, "query"),
                            "a query"),
                        help="for example q2.2,q3.2 (default: all 13)")
    parser.add_argument("--plans", type=cli.count(1, 1000), default=15,
                        help="timed plans of each query over 1,000 "
                        "partitions, with and without (default 15)")
    return scenario.parse(parser, "partitions", arguments)


def _settings(schema: str, state: str) -> Settings:
    return {"ssdpar.enabled": state, "search_path": months.search_path(schema)}


def variant(name: str, state: str) -> str:
    """A leg's, such as "months on"."""
    return f"{name} {state}"


def _points(queries: Sequence[str]) -> List[Point]:
    return [Point(query, variant(name, state), _settings(schema, state))
            for query in queries for name, schema in SCHEMAS.items()
            for state in STATES]


def _plan_thousand(run: Run) -> List[dict]:
    """Milliseconds of each plan, including those of a continued run."""
    file = run.file.rows(PLANNING, PLANNING_COLUMNS)
    have = Counter(row["query"] for row in file.latest(PLANNING_KEY))
    whole = len(STATES) * run.options.plans
    variants = {state: _settings(months.THOUSAND, state) for state in STATES}
    with run.progress.step("planning over 1,000 partitions"):
        for query in [query for query in PLANNED if have[query] < whole]:
            text = legs.query_text(legs.query_path(
                os.path.join(load.SSB, "queries"), query))
            times = planning_time.in_turns(run.server, text, variants,
                                           run.options.plans, _WARMING)
            for state, found in times.items():
                for number, value in enumerate(found):
                    file.add({"query": query, "variant": state,
                              "plan": number, "ms": f"{value:.3f}"})
    return file.latest(PLANNING_KEY)


# ----- results -----

def medians(done: Sequence[Leg]) -> Medians:
    """Seconds of only the execution, by query and variant."""
    times: Dict[Tuple[str, str], List[float]] = {}
    for leg in done:
        times.setdefault((leg.query, leg.variant), []).append(leg.execution)
    return {key: statistics.median(found) for key, found in times.items()}


def table(queries: Sequence[str], done: Sequence[Leg]) -> str:
    """One line per query: milliseconds, and the effects of partitions and
    ssdpar."""
    times, found = medians(done), summary.of(done)
    variants = [variant(name, state) for name in SCHEMAS for state in STATES]
    lines = []
    for query in queries:
        one_off, one_on, parts_off, parts_on = (
            times[(query, one)] for one in variants)
        lines.append([query] +
                     [f"{found[(query, one)].marks}"
                      f"{1e3 * times[(query, one)]:.1f}" for one in variants] +
                     [f"{value:.2f}" for value in
                      (one_off / one_on, parts_off / parts_on,
                       parts_off / one_off, parts_on / one_on)] +
                     [report.megabytes([
                         leg.device_bytes for leg in done
                         if (leg.query, leg.variant) == (query, one)])
                      for one in variants])
    return "\n".join([report.table(
        ["query", "one off", "on", "months off", "on", "one off/on",
         "months off/on", "months/one off", "on", "MB one off", "on",
         "months off", "on"], lines)] + summary.legend(list(found.values())))


def planning_table(rows: Sequence[dict]) -> str:
    """One line per query on 1,000 partitions."""
    lines = []
    for query in dict.fromkeys(row["query"] for row in rows):
        off, on = ([float(row["ms"]) for row in rows
                    if (row["query"], row["variant"]) == (query, state)]
                   for state in STATES)
        lines.append([query, *(f"{statistics.median(found):.1f}"
                               for found in (off, on)),
                      f"{statistics.median(on) / statistics.median(off):.3f}",
                      f"{min(on) / min(off):.3f}"])
    return report.table(["query", "ms off", "ms on", "on/off",
                         "of the least"], lines)


def _show(run: Run, done: List[Leg], planned: Sequence[dict]) -> None:
    print("\n" + scenario.headline(
        run, "Partitions", [leg.cache for leg in done]) + "\n")
    print("Milliseconds of execution, medians; MB from the device, means:\n"
          f"{table(run.options.queries, done)}\n\n"
          "Planning over 1,000 partitions, catalogs in the session's caches:"
          f"\n{planning_table(planned)}\n\n"
          f"Raw numbers and plans: {run.file.directory}", flush=True)


def run_partitions(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(options, progress, months.ensure_tables,
                              apart=session.PARTITIONS) as run:
            done = scenario.measure(run, _points(options.queries))
            planned = _plan_thousand(run)
    finally:
        progress.close()
    _show(run, done, planned)
    scenario.check_rows(done)
    return 0


if __name__ == "__main__":
    cli.main(run_partitions)
