"""./run bench reads: predicted and actual times of reads.

Index loops of growing length and sequential scans over the tables of ./run
bench regret, cold, in one process that waits for each of its reads, because
only then can the device's time be told.  Both times are those used for
ssdpar.device_summary's drift, for the pages that were really read, so that
neither wrong row counts nor computing affect them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, List, Sequence

from lib import cli, cold, legs, process, raw, regrets, report
from lib import scenario, stars, statistics
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Run
from lib.stars import SCHEMA

SCENARIO = "predicted and actual time of reads"

READS = "reads.csv"
COLUMNS = ("query", "round", "pages", "taken_ms", "predicted_ms",
           "device_bytes_read", "cache", "cached_pages_before", "pages_total",
           "read_ahead_kb")
_ALONE = {"ssdpar.prefetch": "off", "ssdpar.star_scan": "off",
          "ssdpar.subqueries": "1", "max_parallel_workers_per_gather": "0",
          "enable_bitmapscan": "off", "enable_mergejoin": "off",
          "enable_material": "off", "client_min_messages": "debug1"}
_LOOP = dict(_ALONE, enable_hashjoin="off")
_SCAN = dict(_ALONE, enable_indexscan="off", enable_indexonlyscan="off")
_LEAST_PAGES = 1024         # minimum for a time: profile_drift.c
_MOST_SHARE = 0.3           # of the table's pages: more takes minutes
_TAKEN = re.compile(r"DEBUG:  (\d+) pages took the device ([0-9.]+) ms, "
                    r"predicted were ([0-9.]+) ms")


@dataclass(frozen=True)
class Query:
    """One query that reads in one way."""

    name: str
    statement: str
    settings: legs.Settings


def _loops(scale: float) -> List[Query]:
    """Through the indexes of two dimensions, twice as far each time."""
    result = []
    sizes = stars.dimension_rows(scale)
    for fact, fact_rows in zip(stars.FACTS, stars.fact_rows(scale)):
        pages = fact_rows * stars.ROW_BYTES / 8192
        for number in (3, 4):
            of = sizes[number - 1]
            rows = 1
            while rows <= of:
                found = rows * fact_rows / of
                if 2 * _LEAST_PAGES <= found <= _MOST_SHARE * pages:
                    result.append(Query(
                        f"{fact}, {rows} keys of d{number}",
                        f"SELECT sum(f.revenue) FROM {SCHEMA}.{fact} f, "
                        f"{SCHEMA}.d{number} d WHERE f.i{number} = d.key "
                        f"AND d.place < {rows}", _LOOP))
                rows *= 2
    return result


def queries_of(scale: float) -> List[Query]:
    return _loops(scale) + [
        Query(f"{fact}, all", f"SELECT sum(f.revenue) FROM {SCHEMA}.{fact} f",
              _SCAN) for fact in stars.FACTS]


def _ask(run: Run, query: Query) -> Dict[str, str]:
    result = process.run(
        run.server.psql_command() + ["-qAt", "-v", "ON_ERROR_STOP=1",
                                     "-f", "-"],
        stdin=legs.set_text(query.settings) + query.statement + ";\n")
    found = _TAKEN.findall(result.err)
    if result.status != 0 or len(found) > 1:
        raise UserError(f"'{query.name}' failed in the scratch server:\n"
                        f"{result.last_words(6)}")
    # None: too few pages, or a plan that does not simply wait.
    pages, taken, predicted = found[0] if found else ("0", "", "")
    return {"pages": pages, "taken_ms": taken, "predicted_ms": predicted}


def _measure(run: Run, queries: Sequence[Query]) -> List[raw.Row]:
    file = run.file.rows(READS, COLUMNS, run.progress)
    files = stars.files(run.server)
    have = {(row["query"], int(row["round"])) for row in file.rows}
    order = [(round_, query) for round_, query
             in scenario.shuffled(queries, run.options.rounds)
             if (query.name, round_) not in have]
    for round_, query in scenario.in_turn(
            run.progress, f"{len(order)} queries", order,
            run.options.rounds, lambda query: query.name):
        cache = cold.restart_files_cold(run.server, files)
        before = run.device.bytes_read() if run.device else 0
        found = _ask(run, query)
        file.add(dict(
            found, query=query.name, round=round_,
            device_bytes_read=run.device.bytes_read() - before
            if run.device else None, cache="cold",
            cached_pages_before=cache.resident, pages_total=cache.total,
            read_ahead_kb=run.device.read_ahead_kb() if run.device else None))
    return file.rows


def _ratio(row: raw.Row) -> float:
    return float(row["predicted_ms"]) / float(row["taken_ms"])


def _show(rows: Sequence[raw.Row], queries: Sequence[Query]) -> None:
    lines = []
    ratios: List[float] = []
    for query in queries:
        mine = [row for row in rows if row["query"] == query.name
                and row["taken_ms"]]
        if not mine:
            lines.append([query.name, "too few reads, or another plan",
                          "", "", ""])
            continue
        if query.settings is _LOOP:
            ratios += map(_ratio, mine)

        def of(name: str, mine: List[raw.Row] = mine) -> float:
            return statistics.median([float(row[name]) for row in mine])
        lines.append([query.name, f"{of('pages'):,.0f}",
                      f"{of('predicted_ms'):,.0f}", f"{of('taken_ms'):,.0f}",
                      f"{statistics.median(list(map(_ratio, mine))):.2f}"])
    print(report.table(["query", "pages", "predicted, ms", "taken, ms",
                        "ratio"], lines))
    if not ratios:
        raise UserError(
            "No index loop gave a time: the server did not take what they "
            "waited for to be the device's (docs/internals/cost-model.md, Drift). "
            "Loops of fewer than 2,048 pages are not asked: try --scale 1.")
    off = regrets.symmetric(ratios)
    print("\nOf what sequential scans took only bounds are known: a ratio of 1 "
          f"is within them.\n{len(ratios)} loops: predicted / taken, median "
          f"{statistics.median(ratios):.2f}; off by a factor of "
          f"{regrets.quantile(off, 0.5):.2f} (median), "
          f"{regrets.quantile(off, 0.95):.2f} (95th percentile)")


def reads(arguments: Sequence[str]) -> int:
    parser = cli.Parser(prog="./run bench reads", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=1.0, timeout=False)
    parser.set_defaults(profile=True)
    options = scenario.parse(parser, "reads", arguments)
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: stars.ensure_tables(
                    server, options.scale, steps)) as run:
            queries = queries_of(options.scale)
            rows = _measure(run, queries)
    finally:
        progress.close()
    states = [cold.CacheState(int(row["cached_pages_before"]),
                              int(row["pages_total"])) for row in rows]
    print("\n" + scenario.headline(run, "Reads", states) + "\n")
    _show(rows, queries)
    print(f"Raw numbers: {run.file.directory}", flush=True)
    return 0


if __name__ == "__main__":
    cli.main(reads)
