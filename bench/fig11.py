"""./run bench fig11: Figure 11 of Chen et al. (2016), prefetching.

Case 2, section 7.3 there: hash plans of Q1.1, Q1.2, Q2.2 and Q4.1 without
parallelism; the fact is not prefetched, or by the server itself (local), or by
the daemon, with small and large read-ahead of the kernel.  --limit answers the
opposite question: the cost of prefetching for a query that ends early. The
plans are forced; the planner's choice does not matter.
"""

from __future__ import annotations

import argparse
from typing import Dict, List, Optional, Sequence

from lib import cli, legs, readahead, report, scenario, statistics, summary
from lib.errors import UserError
from lib.legs import Leg
from lib.progress import Progress
from lib.scenario import Point, Run

SCENARIO = "prefetching off, local and by the daemon, hash plans"

QUERIES = ("q1.1", "q1.2", "q2.2", "q4.1")
METHODS = ("off", "local", "daemon")
LIMITS = (1, 8, 32)
READ_AHEAD = (128, 8192)

# One process that scans the fact once, because Figure 11 assumes it.
FORCED: legs.Settings = {
    "ssdpar.subqueries": "1", "ssdpar.star_scan": "off",
    "max_parallel_workers_per_gather": "0",
    "enable_nestloop": "off", "enable_mergejoin": "off",
    "enable_indexscan": "off", "enable_indexonlyscan": "off",
    "enable_bitmapscan": "off"}


def _read_ahead(text: str) -> Optional[int]:
    if text == "found":
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError(
            f"'{text}' is neither a number of kB such as 128 nor 'found'")
    return int(text)


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench fig11", description=__doc__)
    scenario.add_options(parser)
    scenario.add_hot(parser)
    parser.set_defaults(profile=True)
    parser.add_argument("--queries", default=list(QUERIES),
                        type=scenario.list_of(
                            scenario.one_of(QUERIES, "query"), "a query"),
                        help="default " + ",".join(QUERIES))
    parser.add_argument("--methods", default=list(METHODS),
                        type=scenario.list_of(
                            scenario.one_of(METHODS, "method"), "a method"),
                        help="default " + ",".join(METHODS))
    parser.add_argument("--read-ahead", default=[None, *READ_AHEAD],
                        type=scenario.list_of(_read_ahead, "a value"),
                        metavar="LIST", help="values of read_ahead_kb; "
                        "values other than found require root (default "
                        "found,128,8192)")
    parser.add_argument("--limit", action="store_true",
                        help="instead: SELECT ... LIMIT 1, 8 and 32 of "
                        "lineorder, off against daemon")
    return scenario.parse(parser, "fig11", arguments)


def _values(options, run: Run) -> List[int]:
    """Values of read_ahead_kb, each once; only the current one without root.
    """
    found = run.device.read_ahead_kb() if run.device else None
    if found is None:
        raise UserError("fig11 is about the kernel's read-ahead, and the "
                        "scratch directory has no device to ask for it. Set "
                        "SSDPAR_SCRATCH to a directory on a disk.")
    if run.hot:
        return [found]
    wanted = sorted({value or found for value in options.read_ahead})
    if wanted != [found] and not readahead.can_change(run.device):
        run.progress.say(f"only root can change read_ahead_kb: it stays at "
                         f"{found}, the other values are left out")
        return [found]
    return wanted


def _settings(method: str) -> legs.Settings:
    return dict(FORCED, **{"ssdpar.prefetch": method})


def _hash_points(options, values: List[int]) -> List[Point]:
    return [Point(query, f"{method}-{value}", _settings(method), value)
            for query in options.queries for value in values
            for method in options.methods]


def _limit_points(values: List[int]) -> List[Point]:
    return [Point(f"limit{rows}", f"{method}-{value}", _settings(method),
                  value, f"SELECT * FROM lineorder LIMIT {rows}")
            for rows in LIMITS for value in values
            for method in ("off", "daemon")]


def wrong_plan(leg: Leg) -> Optional[str]:
    """Why a leg's plan is not the intended one, or None."""
    shape = leg.shape
    wanted = "scan" if leg.query.startswith("limit") else "hash"
    if shape.access != wanted:
        return f"reaches lineorder by {shape.access}"
    if shape.split or shape.workers:
        return "runs in parallel"
    return None


def _ratio(found: Dict[summary.Key, summary.Summary], done: List[Leg],
           query: str, value: int, method: str) -> str:
    """Time saved compared with off, with the interval of the ratio's rounds.
    """
    off = found.get((query, f"off-{value}"))
    this = found.get((query, f"{method}-{value}"))
    if off is None or this is None or method == "off":
        return ""
    saved = 1 - this.median / off.median
    pairs = _paired(done, query, value, method)
    low, high = statistics.bootstrap(pairs)
    if len(pairs) < 2:
        return f"{saved:+.0%}"
    return f"{saved:+.0%} ({low:+.0%}..{high:+.0%})"


def _paired(done: List[Leg], query: str, value: int, method: str
            ) -> List[float]:
    """Saved time by round, because legs of one round are close in time."""
    seconds = {(leg.variant, leg.round): leg.seconds for leg in done
               if leg.query == query}
    return [1 - seconds[(f"{method}-{value}", round_)] / base
            for (variant, round_), base in seconds.items()
            if variant == f"off-{value}"
            and (f"{method}-{value}", round_) in seconds]


def _table(points: List[Point], done: List[Leg], values: List[int]) -> str:
    found = summary.of(done)
    queries = list(dict.fromkeys(point.query for point in points))
    methods = list(dict.fromkeys(point.variant.rsplit("-", 1)[0]
                                 for point in points))
    rows = []
    for query in queries:
        for value in values:
            cells = [found[(query, f"{method}-{value}")]
                     for method in methods]
            rows.append([query, str(value)] +
                        [cell.text() for cell in cells] +
                        [_ratio(found, done, query, value, method)
                         for method in methods if method != "off"] +
                        [report.megabytes([cell.device_bytes])
                         for cell in cells])
    head = ["query", "read_ahead_kb"] + [f"{name}, s" for name in methods] + \
        [f"{name} saves" for name in methods if name != "off"] + \
        [f"{name}, MB" for name in methods]
    text = report.table(head, rows)
    notes = summary.legend(list(found.values()))
    return "\n".join([text] + notes)


def _judge(done: List[Leg]) -> None:
    scenario.check_rows(done)
    wrong = sorted({f"  {leg.query} {leg.variant}: {why}" for leg in done
                    for why in [wrong_plan(leg)] if why is not None})
    if wrong:
        raise UserError("these legs did not run the plan that is meant, so "
                        "the figure is incomplete:\n" + "\n".join(wrong))


def fig11(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(options, progress) as run:
            values = _values(options, run)
            points = _limit_points(values) if options.limit \
                else _hash_points(options, values)
            done = scenario.measure(run, points)
    finally:
        progress.close()
    print("\n" + scenario.headline(run, "Figure 11, prefetching") + "\n\n" +
          _table(points, done, values) +
          "\nsaves: of the time without prefetching; interval from the "
          f"rounds.\nRaw numbers and plans: {run.file.directory}",
          flush=True)
    _judge(done)
    return 0


if __name__ == "__main__":
    cli.main(fig11)
