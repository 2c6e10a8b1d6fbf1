"""./run bench depth: how much of the device a star scan uses.

The heap phase of Q2.2's star scan, in one process, alternates with fio, which
reads the same files at random through the page cache, 8 kB each and 32 at
once.  Both start cold, and both copy what they read; the star scan also checks
the rows.  The figure is the star scan's pages per second divided by fio's
reads per second.
"""

from __future__ import annotations

import json
import os
from typing import (Callable, Dict, Iterator, List, Sequence, Tuple,
                    TypeVar)

from lib import cli, cold, legs, load, packages, process, raw, report
from lib import results, scenario, statistics
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Run
from lib.statistics import Spread

SCENARIO = "star scan's heap pages against fio's buffered random reads"

QUERY = "q2.2"
DEPTH = 32
FIO_SECONDS = 2         # too short to return to a cached page
METHODS = ("auto", "daemon", "local", "off")

T = TypeVar("T")

TURNS = "turns.csv"
# One line is one turn: fio, then the star scan, each cold.
COLUMNS = ("method", "round", "fio_reads_per_second", "fio_device_bytes",
           "pages", "heap_seconds", "device_bytes_read", "reads_waited_for",
           "mean_depth", "cache", "cached_pages_before", "pages_total",
           "read_ahead_kb")


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench depth", description=__doc__)
    scenario.add_options(parser, rounds=5, timeout=False)
    parser.add_argument("--methods", default=list(METHODS),
                        type=scenario.list_of(
                            scenario.one_of(METHODS, "method"), "a method"),
                        help="values of ssdpar.prefetch (default "
                        f"{','.join(METHODS)})")
    return scenario.parse(parser, "depth", arguments)


def _segments(run: Run) -> List[str]:
    first = os.path.join(run.server.scratch.data, run.server.sql(
        "SELECT pg_relation_filepath('lineorder')").strip())
    names = [first] + [f"{first}.{number}" for number in range(1, 1000)]
    return [name for name in names if os.path.exists(name)]


def _fio(run: Run, files: List[str]) -> float:
    scenario.make_cold(run)
    result = process.check(
        ["fio", "--name=buffered", f"--filename={':'.join(files)}",
         "--readonly", "--rw=randread", "--bs=8k", "--ioengine=io_uring",
         f"--iodepth={DEPTH}", "--direct=0", f"--runtime={FIO_SECONDS}",
         "--file_service_type=random",
         "--output-format=json"], "fio")
    try:
        job = json.loads(result.out[result.out.index("{"):])["jobs"][0]
        return float(job["read"]["iops"])
    except (ValueError, KeyError, IndexError):
        raise UserError("fio's answer cannot be understood. It said:\n"
                        f"{result.last_words(4)}") from None


def _nodes(plan: dict) -> Iterator[dict]:
    yield plan
    for child in plan.get("Plans", []):
        yield from _nodes(child)


def _star_scan(run: Run, method: str) -> dict:
    settings = {"ssdpar.star_access": "bitmap", "ssdpar.prefetch": method,
                "max_parallel_workers_per_gather": "0"}
    text = legs.query_text(legs.query_path(
        os.path.join(load.SSB, "queries"), QUERY))
    out = run.server.sql(f"{legs.set_text(settings)}"
                         f"EXPLAIN (ANALYZE, FORMAT JSON)\n{text}\n;\n")
    for node in _nodes(json.loads(out)[0]["Plan"]):
        if node.get("Custom Plan Provider") == "SsdparStarScan":
            return node
    raise UserError(f"{QUERY} was not run by a star scan, so there is "
                    "nothing to measure. Is ssdpar.enabled off?")


def _counted(run: Run, body: Callable[[], T]) -> Tuple[T, object]:
    """The result of body, and the bytes that the device read meanwhile."""
    before = run.device.bytes_read() if run.device else 0
    found = body()
    return found, run.device.bytes_read() - before if run.device else None


def _turn(run: Run, files: List[str], method: str, round_: int
          ) -> Dict[str, object]:
    ceiling, fio_read = _counted(run, lambda: _fio(run, files))
    cache = scenario.make_cold(run)
    node, read = _counted(run, lambda: _star_scan(run, method))
    # The plan first, so that a line in the CSV file implies that both exist.
    plans = os.path.join(run.file.made(), "plans")
    os.makedirs(plans, exist_ok=True)
    results.write_json(os.path.join(plans, f"{method}-{round_}.json"), node)
    return {"method": method, "round": round_,
            "fio_reads_per_second": f"{ceiling:.1f}",
            "fio_device_bytes": fio_read, "pages": node["Pages Read"],
            "heap_seconds": f"{node['Heap Time'] / 1000:.6f}",
            "device_bytes_read": read,
            "reads_waited_for": node["Reads Waited For"],
            "mean_depth": node["Depth Mean"], "cache": "cold",
            "cached_pages_before": cache.resident,
            "pages_total": cache.total,
            "read_ahead_kb": run.device.read_ahead_kb()
            if run.device else None}


def _measure(run: Run, methods: Sequence[str]) -> List[raw.Row]:
    """All turns, including those of a continued run."""
    file = run.file.rows(TURNS, COLUMNS, run.progress)
    have = {(row["method"], int(row["round"])) for row in file.rows}
    order = [(round_, method) for round_, method
             in scenario.shuffled(methods, run.options.rounds)
             if (method, round_) not in have]
    files = _segments(run)
    for round_, method in scenario.in_turn(
            run.progress, f"{len(order)} star scans and fio in turns", order,
            run.options.rounds, str):
        file.add(_turn(run, files, method, round_))
    return file.rows


def _pages_per_second(row: raw.Row) -> float:
    return int(row["pages"]) / float(row["heap_seconds"])


def _ratio(row: raw.Row) -> float:
    return _pages_per_second(row) / float(row["fio_reads_per_second"])


def table(rows: Sequence[raw.Row], methods: Sequence[str]) -> str:
    """One line per method, with medians of its turns."""
    lines = []
    for method in methods:
        mine = [row for row in rows if row["method"] == method]

        def of(name: str, mine: List[raw.Row] = mine) -> float:
            return statistics.median([float(row[name]) for row in mine])
        ratio = Spread.of([_ratio(row) for row in mine])
        speed = statistics.median([_pages_per_second(row) for row in mine])
        lines.append([
            method, f"{of('fio_reads_per_second'):,.0f}", f"{speed:,.0f}",
            f"{ratio.median:.2f} ({ratio.low:.2f}-{ratio.high:.2f})",
            f"{of('pages'):,.0f}",
            report.megabytes([int(row["device_bytes_read"])
                              if row["device_bytes_read"] else None
                              for row in mine]),
            f"{of('reads_waited_for'):,.0f}", f"{of('mean_depth'):.1f}"])
    return report.table(["ssdpar.prefetch", "fio, reads/s", "pages/s",
                         "of fio", "pages", "device MB", "waits",
                         "mean depth"], lines)


def depth(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    if not packages.have([packages.FIO], progress):
        raise UserError("fio is not there and cannot be installed here; the "
                        "ceiling is measured by it.")
    try:
        with scenario.running(options, progress) as run:
            rows = _measure(run, options.methods)
    finally:
        progress.close()
    states = [cold.CacheState(int(row["cached_pages_before"]),
                              int(row["pages_total"])) for row in rows]
    print("\n" + scenario.headline(run, "Heap phase of Q2.2's star scan",
                                   states) +
          f"\n\n{table(rows, options.methods)}\n\nRaw numbers: "
          f"{run.file.directory}", flush=True)
    return 0


if __name__ == "__main__":
    cli.main(depth)
