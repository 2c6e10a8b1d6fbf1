"""./run bench lookups: rows reached one by one, through an index.

Nested loops of 10 to 100,000 keys, uniform and skewed; ranges of an index, by
an index scan with and without an order and by a bitmap scan; the first rows of
an order.  Each without ssdpar, where PostgreSQL reads one page after another,
and with it.  PostgreSQL's own settings force the same shape of plan on both
sides, so the results do not tell which plan is best.

All runs of a query must return the same rows.
"""

from __future__ import annotations

from typing import Dict, Iterator, List, Sequence

from lib import cli, legs, load, lookups, report, scenario, session
from lib import statistics, summary
from lib.legs import Leg
from lib.progress import Progress
from lib.scenario import Point, Run
from lib.statistics import Spread

SCENARIO = "single rows through an index: loops, ranges, LIMIT"

OFF, ON = VARIANTS = "off", "on"
_SCANS = ("Scan", "Join", "Nested Loop", "Memoize")


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench lookups", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=3.0)
    scenario.add_hot(parser)
    parser.set_defaults(profile=True)
    parser.add_argument("--queries", default=list(lookups.NAMES),
                        type=scenario.list_of(
                            scenario.one_of(lookups.NAMES, "query"),
                            "a query"),
                        help="for example loop-uniform-1000,limit-10 (default: "
                        f"all {len(lookups.NAMES)})")
    return scenario.parse(parser, "lookups", arguments)


def settings(query: lookups.Query, variant: str) -> legs.Settings:
    """Of a leg's session."""
    return dict(query.settings, **{"ssdpar.enabled": variant})


def _points(run: Run) -> List[Point]:
    known = lookups.queries(run.options.scale)
    return [Point(name, variant, settings(known[name], variant),
                  statement=known[name].statement)
            for name in run.options.queries for variant in VARIANTS]


def _nodes(plan: dict) -> Iterator[str]:
    yield plan.get("Custom Plan Provider") or plan["Node Type"]
    for child in plan.get("Plans", []):
        yield from _nodes(child)


def plan_text(leg: Leg) -> str:
    """The nodes that join and read, from the top."""
    names = list(_nodes(leg.explained[0]["Plan"]))
    return ", ".join(name for name in names
                     if name.startswith("Ssdpar") or name.endswith(_SCANS))


def quotients(done: Sequence[Leg], query: str,
              seconds=lambda leg: leg.execution) -> List[float]:
    """Time without / time with, one number per round."""
    times: Dict[str, Dict[int, float]] = {variant: {} for variant in VARIANTS}
    for leg in done:
        if leg.query == query:
            times[leg.variant][leg.round] = seconds(leg)
    return [times[OFF][round_] / times[ON][round_] for round_ in times[OFF]
            if round_ in times[ON]]


def _ratio(values: Sequence[float]) -> str:
    if not values:
        return "-"
    spread = Spread.of(values)
    return f"{spread.median:.2f} ({spread.low:.2f}-{spread.high:.2f})"


def _milliseconds(group: Sequence[Leg]) -> str:
    return f"{1000 * statistics.median([leg.execution for leg in group]):.2f}"


def table(queries: Sequence[str], done: Sequence[Leg]) -> str:
    """One line per query."""
    found = summary.of(done)
    rows = []
    for query in queries:
        groups = [[leg for leg in done
                   if (leg.query, leg.variant) == (query, variant)]
                  for variant in VARIANTS]
        pair = [found[(query, variant)] for variant in VARIANTS]
        rows.append([query] + [
            one.marks + _milliseconds(group)
            for one, group in zip(pair, groups)] + [
            _ratio(quotients(done, query)),
            _ratio(quotients(done, query, lambda leg: leg.seconds))] + [
            report.megabytes([one.device_bytes]) for one in pair])
    return report.table(["query", "ms off", "ms on", "off/on",
                         "with planning", "MB off", "MB on"], rows)


def plans(queries: Sequence[str], done: Sequence[Leg]) -> str:
    """The nodes of both sides, if they are not the same each time."""
    rows = []
    for query in queries:
        texts = [" or ".join(dict.fromkeys(
            plan_text(leg) for leg in done
            if (leg.query, leg.variant) == (query, variant)))
            for variant in VARIANTS]
        rows.append([query] + texts)
    return report.table(["query", "plan off", "plan on"], rows,
                        left=(0, 1, 2))


def _in_short(queries: Sequence[str], done: Sequence[Leg]) -> str:
    """The mean of each kind of query."""
    lines = []
    for kind in dict.fromkeys(query.rsplit("-", 1)[0] for query in queries):
        ratios = [statistics.median(quotients(done, query))
                  for query in queries if query.rsplit("-", 1)[0] == kind
                  and quotients(done, query)]
        if ratios:
            lines.append(f"{kind}: off/on, geometric mean "
                         f"{statistics.geometric_mean(ratios):.2f}, lowest "
                         f"{min(ratios):.2f}, highest {max(ratios):.2f}")
    return "\n".join(lines)


def _show(run: Run, done: List[Leg]) -> None:
    queries, found = run.options.queries, summary.of(done)
    print("\n" + scenario.headline(run, "Single rows through an index",
                                   data="lookups") + "\n")
    parts = [table(queries, done),
             "\n".join(summary.legend(list(found.values()))),
             _in_short(queries, done), plans(queries, done),
             "ms: median of the execution alone; off/on: of the rounds, "
             "lowest to highest, above 1\nssdpar is faster; with planning: "
             "the same of all that a client waits for. A timed-out leg\n"
             "counts with the time it was allowed.\n"
             f"Raw numbers and plans: {run.file.directory}"]
    print("\n\n".join(part for part in parts if part), flush=True)


def run_lookups(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: lookups.ensure_tables(
                    server, options.scale, steps),
                load.Nothing(), session.LOOKUPS) as run:
            run.file.add_facts({"lookups": {
                "scale": options.scale, "rows": lookups.rows(options.scale)}})
            done = scenario.measure(run, _points(run))
    finally:
        progress.close()
    _show(run, done)
    scenario.check_rows(done)
    return 0


if __name__ == "__main__":
    cli.main(run_lookups)
