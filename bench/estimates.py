"""./run bench estimates: how far the planner's numbers of rows are off.

SSB's 13 queries, TPC-H's 22 and snowflakes from a seed are run by EXPLAIN
ANALYZE without ssdpar (off: core's estimates) and with it (on).  An estimate's
q-error is how many times too many or too few rows were expected: of base
relations, of joins, and of each query's topmost join.  Times of execution say
nothing here (everything cached, ANALYZE counts rows); times of planning say
what better estimates cost.
"""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

from lib import cli, estimates, legs, load, raw, read_plan, report, results
from lib import scenario, session, snowflakes, statistics, tpch
from lib.errors import UserError
from lib.estimates import Line
from lib.progress import Progress
from lib.scenario import Run
from lib.server import Server

SCENARIO = "estimated and actual row counts: SSB, TPC-H, 200 snowflakes"

OFF, ON = VARIANTS = "off", "on"
SSB, TPCH, SNOWFLAKE = GROUPS = "ssb", "tpch", "snowflake"
_ADDED = ("q0", "q1.2n")            # the paper's, not the benchmark's
_QUERIES = "queries.csv"
_COLUMNS = ("group", "query", "variant", "round", "timed_out",
            "planning_first_ms", "planning_ms", "measuring_ms",
            "execution_ms", "rows")
_ESTIMATES = "estimates.csv"
_MEASURED = "ssdpar Rows Measured"  # EXPLAIN VERBOSE's property
_CLEARLY = 1.1                      # times closer or farther
_SHOWN = 10                         # of the worst


@dataclass(frozen=True)
class Query:
    """One of a group's queries."""

    group: str
    name: str
    statement: str


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench estimates", description=__doc__)
    scenario.add_options(parser, rounds=1, scale=1.0)
    parser.set_defaults(hot=True, profile=True)
    parser.add_argument("--snowflakes", type=cli.count(1, 100000),
                        default=200, metavar="N",
                        help="number of snowflake queries (default 200)")
    parser.add_argument("--seed", type=cli.count(0, 999999999), default=1,
                        help="seed of the snowflakes (default 1)")
    parser.add_argument("--groups", default=list(GROUPS),
                        type=scenario.list_of(
                            scenario.one_of(GROUPS, "group"), "a group"),
                        help="default: all, " + ",".join(GROUPS))
    return scenario.parse(parser, "estimates", arguments)


def _worlds(options) -> List[snowflakes.World]:
    return snowflakes.worlds(options.snowflakes, options.seed, options.scale)


def _queries(options) -> List[Query]:
    found: List[Query] = []
    where = os.path.join(load.SSB, "queries")
    if SSB in options.groups:
        found += [Query(SSB, name,
                        legs.query_text(legs.query_path(where, name)))
                  for name in scenario.QUERIES if name not in _ADDED]
    if TPCH in options.groups:
        found += [Query(TPCH, name, tpch.statement(name, options.scale))
                  for name in tpch.QUERIES]
    if SNOWFLAKE in options.groups:
        found += [Query(SNOWFLAKE, one.name, one.statement)
                  for one in snowflakes.questions(
                      options.snowflakes, options.seed, _worlds(options))]
    return found


def _source(options) -> load.Source:
    return load.Source(options.scale) if SSB in options.groups \
        else load.Nothing()


def _prepare(options, server: Server, progress: Progress) -> None:
    """What does not come with the cluster."""
    if TPCH in options.groups:
        tpch.ensure_tables(server, options.scale, progress)
    if SNOWFLAKE in options.groups:
        snowflakes.ensure_tables(server, _worlds(options), options.seed,
                                 options.scale, progress)


# ----- one query -----

def measuring_ms(explained: List[dict]) -> Optional[float]:
    """What ssdpar spent on counting rows while it planned; None if nothing."""
    found = [part[_MEASURED] for part in explained if _MEASURED in part]
    return sum(map(_milliseconds, found)) if found else None


def _milliseconds(measured: Any) -> float:
    """Of the property, whose entries may be of a query level each."""
    if isinstance(measured, list):
        return sum(map(_milliseconds, measured))
    if isinstance(measured, dict):
        return sum(float(value) for name, value in measured.items()
                   if name in ("Time", "Milliseconds"))
    return 0.0


def _settings(query: Query, variant: str) -> legs.Settings:
    path = tpch.SESSION if query.group == TPCH else {}
    return dict(path, **{"ssdpar.enabled": variant})


def _explained(server: Server, query: Query, variant: str, timeout: int
               ) -> Tuple[List[dict], List[dict]]:
    """Planned once, which fills the session's caches, then run."""
    text = server.sql(
        f"{legs.set_text(_settings(query, variant))}"
        f"SET statement_timeout = {timeout * 1000};\n"
        f"EXPLAIN (FORMAT JSON, SUMMARY)\n{query.statement}\n;\n"
        "EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF, VERBOSE, SUMMARY, "
        f"FORMAT JSON)\n{query.statement}\n;\n")
    first, end = json.JSONDecoder().raw_decode(text)
    second, _ = json.JSONDecoder().raw_decode(text[end:].lstrip())
    return first, second


def _plan_path(run: Run, row: Dict[str, Any]) -> str:
    name = "-".join(str(row[part]) for part in _COLUMNS[:4])
    return os.path.join(run.file.made(), "plans", f"{name}.json")


def _run_one(run: Run, query: Query, variant: str, round_: int
             ) -> Dict[str, object]:
    row: Dict[str, object] = {
        "group": query.group, "query": query.name, "variant": variant,
        "round": round_, "timed_out": 0}
    try:
        first, second = _explained(run.server, query, variant,
                                   run.options.timeout)
    except UserError as error:
        if legs.CANCELLED not in str(error):
            raise
        return dict(row, timed_out=1)
    results.write_json(_plan_path(run, row), second)
    return dict(row, planning_first_ms=first[0]["Planning Time"],
                planning_ms=second[0]["Planning Time"],
                measuring_ms=measuring_ms(second),
                execution_ms=second[0]["Execution Time"],
                rows=second[0]["Plan"]["Actual Rows"])


def _measure(run: Run, queries: List[Query], file: raw.RowFile) -> None:
    have = {(row["group"], row["query"], row["variant"], int(row["round"]))
            for row in file.rows}
    os.makedirs(os.path.join(run.file.made(), "plans"), exist_ok=True)
    points = [(query, variant) for query in queries for variant in VARIANTS]
    order = [(round_, (query, variant)) for round_, (query, variant)
             in scenario.shuffled(points, run.options.rounds)
             if (query.group, query.name, variant, round_) not in have]
    for round_, (query, variant) in scenario.in_turn(
            run.progress, f"running {len(order)} queries", order,
            run.options.rounds,
            lambda point: f"{point[0].group} {point[0].name} {point[1]}"):
        file.add(_run_one(run, query, variant, round_))


# ----- what came of it -----

def _lines(run: Run, rows: Sequence[raw.Row]) -> List[Line]:
    """Estimates of the first round: the others' are the same."""
    found: List[Line] = []
    for row in rows:
        if row["round"] != "1" or row["timed_out"] == "1":
            continue
        path = _plan_path(run, row)
        try:
            plan = read_plan.of_file(path)[0]["Plan"]
        except (OSError, ValueError) as error:
            raise UserError(
                f"{path} cannot be read back ({error}), so that run cannot "
                "be told. Begin a new one without --resume.") from None
        found += [Line(row["group"], row["query"], row["variant"], estimate)
                  for estimate in estimates.of_plan(plan)]
    return found


def _write(run: Run, lines: Sequence[Line]) -> None:
    """A line an estimate, made anew from the plans each time."""
    path = os.path.join(run.file.made(), _ESTIMATES)
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(estimates.COLUMNS)
        out.writerows(map(estimates.fields, lines))


def _error(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.3g}"


def _percentile_row(name: Sequence[str], both: Sequence[Sequence[float]]
                    ) -> List[str]:
    columns = [list(map(_error, estimates.percentiles(values)))
               if values else ["-"] * (len(estimates.PERCENTILES) + 1)
               for values in both]
    return list(name) + ["/".join(str(len(values)) for values in both)] + \
        [text for pair in zip(*columns) for text in pair]


def percentile_table(lines: Sequence[Line]) -> str:
    """A line a kind and number of tables, core's beside ours."""
    head = ["", "tables", "off/on"] + [
        f"{name} {variant}" for name in
        [f"p{share * 100:.0f}" for share in estimates.PERCENTILES] + ["max"]
        for variant in VARIANTS]
    rows = []
    for kind in estimates.KINDS:
        both = [estimates.errors(lines, kind, variant)
                for variant in VARIANTS]
        for key in sorted({key for found in both for key in found}):
            rows.append(_percentile_row(
                (kind, key), [found.get(key, []) for found in both]))
    return report.table(head, rows, left=(0, 1))


def _group_table(lines: Sequence[Line]) -> str:
    head = ["final, by group", "off/on"] + [
        f"{name} {variant}" for name in ("p50", "p90", "p95", "p99", "max")
        for variant in VARIANTS]
    rows = []
    for group in dict.fromkeys(line.group for line in lines):
        part = [line for line in lines if line.group == group]
        rows.append(_percentile_row((group,), [
            estimates.errors(part, estimates.FINAL, variant).get("all", [])
            for variant in VARIANTS]))
    return report.table(head, rows)


def paired(lines: Sequence[Line]) -> str:
    """The same sizes, estimated by both."""
    texts, worst = [], []
    for kind in (estimates.BASE, estimates.JOIN, estimates.FINAL):
        pairs = [pair for pair in estimates.pairs(lines, OFF, ON)
                 if pair.off.estimate.kind == kind]
        if not pairs:
            continue
        ratios = [pair.ratio for pair in pairs]
        closer = sum(ratio > _CLEARLY for ratio in ratios)
        farther = sum(ratio < 1 / _CLEARLY for ratio in ratios)
        texts.append(
            f"{kind}: {len(pairs)} sizes in both plans; on is closer in "
            f"{closer}, farther in {farther}; off's error over on's, "
            f"geometric mean {statistics.geometric_mean(ratios):.2f}")
        worst += [pair for pair in pairs if pair.ratio < 1 / _CLEARLY]
    worst.sort(key=lambda pair: pair.ratio)
    return "\n".join(texts + [
        f"  farther: {pair.on.group} {pair.on.query} "
        f"{','.join(pair.on.estimate.tables)}: "
        f"{pair.on.estimate.real:.0f} rows, off "
        f"{pair.off.estimate.expected:.0f}, on "
        f"{pair.on.estimate.expected:.0f}" for pair in worst[:_SHOWN]])


def _numbers(rows: Sequence[raw.Row], variant: str, column: str
             ) -> List[float]:
    return [float(row[column]) for row in rows
            if row["variant"] == variant and row[column]]


def cost(rows: Sequence[raw.Row]) -> str:
    """What planning took, by group."""
    head = ["planning ms", "p50 off", "p50 on", "p95 off", "p95 on",
            "max off", "max on", "measuring p50", "p95", "max", "in"]
    table = []
    for group in dict.fromkeys(row["group"] for row in rows):
        part = [row for row in rows if row["group"] == group]
        times = [_numbers(part, variant, "planning_ms")
                 for variant in VARIANTS]
        spent = _numbers(part, ON, "measuring_ms")
        table.append([group] + [
            f"{estimates.quantile(values, share):.2f}" if values else "-"
            for share in (0.5, 0.95, 1.0) for values in times] + [
            f"{estimates.quantile(spent, share):.2f}" if spent else "-"
            for share in (0.5, 0.95, 1.0)] + [str(len(spent))])
    return report.table(head, table)


def _more(rows: Sequence[raw.Row]) -> str:
    planning, running = [
        {variant: sum(_numbers(rows, variant, column))
         for variant in VARIANTS}
        for column in ("planning_ms", "execution_ms")]
    return (f"In sum, off and on: planning {planning[OFF]:.0f} and "
            f"{planning[ON]:.0f} ms, execution under ANALYZE "
            f"{running[OFF]:.0f} and {running[ON]:.0f} ms. Queries that "
            f"timed out: {sum(row['timed_out'] == '1' for row in rows)}.")


def differing(rows: Sequence[raw.Row]) -> List[str]:
    """Queries that did not give the same number of rows each time."""
    counts: Dict[Tuple[str, str], set] = {}
    for row in rows:
        if row["timed_out"] != "1":
            counts.setdefault((row["group"], row["query"]),
                              set()).add(float(row["rows"]))
    return [" ".join(key) for key, found in counts.items() if len(found) > 1]


def _show(run: Run, rows: Sequence[raw.Row]) -> None:
    options, lines = run.options, _lines(run, rows)
    _write(run, lines)
    print(f"\nEstimated rows, PostgreSQL {run.server.major}, scale "
          f"{options.scale:g}, seed {options.seed}: q-errors, the number of "
          "times too many or too few.\n")
    parts = [percentile_table(lines), _group_table(lines), paired(lines),
             cost(rows), _more(rows),
             f"Raw numbers and plans: {run.file.directory}"]
    print("\n\n".join(part for part in parts if part), flush=True)


def run_estimates(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: _prepare(options, server, steps),
                _source(options), session.ESTIMATES) as run:
            run.file.add_facts({"estimates": {"scale": options.scale}})
            file = run.file.rows(_QUERIES, _COLUMNS, progress)
            _measure(run, _queries(options), file)
    finally:
        progress.close()
    _show(run, file.rows)
    wrong = differing(file.rows)
    if wrong:
        raise UserError(
            f"DIFFERENT NUMBERS OF ROWS in runs of {', '.join(wrong)}: a "
            "defect of ssdpar. Please report it with the directory above.")
    return 0


if __name__ == "__main__":
    cli.main(run_estimates)
