"""./run bench throughput: the benchmark's queries in many concurrent sessions.

1 to 16 streams, each with its own order of SSB's 13 queries, without ssdpar
and with it, without writers and with pgbench.  The results are queries per
hour, the time of each query under this load, and whether a stream gets less
than the others.

A stream runs its order once, as in TPC-H's throughput test, so that all do the
same work, regardless of their speed.  The time is that of the last stream. A
stream that is not finished after --stream-seconds ends: its current query
counts as unfinished, its time counts, and the number of queries per hour is
marked as a lower bound.
"""

from __future__ import annotations

import contextlib
import csv
import json
import os
import time
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from lib import cli, cold, legs, load, raw, results, scenario
from lib import stream_tables, streams, workloads
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Run
from lib.server import Server
from lib.stream_tables import VARIANTS, Cell, Key, key_of
from lib.streams import Execution

SCENARIO = "SSB in 1 to 16 concurrent streams, with and without writers"

RUNS, QUERIES = "runs.csv", "queries.csv"
COLUMNS = ("variant", "streams", "writers", "round", "seconds", "finished",
           "unfinished", "queries_an_hour", "slowest_share",
           "transactions_per_second", "writers_ended", "device_bytes_read",
           "cache", "cached_pages_before", "pages_total", "read_ahead_kb",
           "settings")
_USUAL = {"streams": [1, 2, 4, 8, 16], "stream_seconds": 900,
          "pgbench_scale": 20}
_QUICK = {"streams": [1, 4], "stream_seconds": 12, "pgbench_scale": 2}
# The server's default: the scratch server's own has room for 64 subqueries,
# but this shows how sessions share a usual server's workers.
_WORKERS = {"max_parallel_workers": "8"}
_LEAD_SECONDS = 1.0             # head start of writers before the streams


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench throughput", description=__doc__)
    scenario.add_options(parser, rounds=2, timeout=False)
    scenario.add_hot(parser)
    parser.set_defaults(profile=True)
    parser.add_argument("--streams", default=None, type=scenario.list_of(
        cli.count(1, 64), "a number"), help="default 1,2,4,8,16")
    parser.add_argument("--writers", default=[0, 2], type=scenario.list_of(
        cli.count(0, 64), "a number"), help="numbers of concurrent pgbench "
        "clients that write; 0 is none (default 0,2)")
    parser.add_argument("--stream-seconds", type=cli.count(1, 86400),
                        default=None, metavar="S",
                        help="maximum duration of a stream (default 900)")
    parser.add_argument("--pgbench-scale", type=cli.count(1, 1000),
                        default=None, help="default 20, about 300 MB")
    parser.add_argument("--queries", default=list(scenario.OWN_QUERIES),
                        type=scenario.list_of(
                            scenario.one_of(scenario.OWN_QUERIES, "query"),
                            "a query"), help="queries of a stream (default: all 13)")
    options = scenario.parse(parser, "throughput", arguments)
    for name, value in (_QUICK if options.quick else _USUAL).items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    return options


def settings(variant: str) -> legs.Settings:
    """Of a stream's session."""
    return dict(_WORKERS, **{"ssdpar.enabled": variant})


def turns(cells: Sequence[Cell], rounds: int) -> List[Tuple[int, Tuple[
        str, Cell]]]:
    """Without and with, alternating which is first."""
    result = []
    for number, (round_, cell) in enumerate(scenario.shuffled(cells,
                                                              rounds)):
        both = VARIANTS if number % 2 == 0 else VARIANTS[::-1]
        result += [(round_, (variant, cell)) for variant in both]
    return result


# ----- measuring -----

def _texts(queries: Sequence[str]) -> Dict[str, str]:
    return {query: legs.query_text(legs.query_path(
        os.path.join(load.SSB, "queries"), query)) for query in queries}


@contextlib.contextmanager
def _writing(server: Server, clients: int
             ) -> Iterator[Callable[[], Optional[str]]]:
    """Clients that write during the body; their message if they ended."""
    if clients == 0:
        yield lambda: None
        return
    background = workloads.start_writers(server, clients)
    try:
        time.sleep(_LEAD_SECONDS)
        yield background.ended
    finally:
        background.end()


def _cache(run: Run) -> cold.CacheState:
    if not run.hot:
        return scenario.make_cold(run)
    # the streams should not write the previous writers' data
    run.server.sql("CHECKPOINT")
    return cold.resident(run.server)


def _row(key: Key, done: Sequence[Execution]) -> Dict[str, object]:
    finished = sum(one.finished for one in done)
    return dict(zip(COLUMNS, key), seconds=f"{streams.elapsed(done):.3f}",
                finished=finished, unfinished=len(done) - finished,
                queries_an_hour=f"{streams.an_hour(done):.1f}",
                slowest_share=f"{streams.slowest_share(done):.4f}")


def _one(run: Run, key: Key, texts: Dict[str, str]
         ) -> Tuple[Dict[str, object], streams.Outcome]:
    variant, number, writers, round_ = key
    cache = _cache(run)
    with _writing(run.server, writers) as ended:
        before = run.device.bytes_read() if run.device else 0
        outcome = streams.run(run.server, texts, number, round_,
                              settings(variant), run.options.stream_seconds)
        read = run.device.bytes_read() - before if run.device else None
        words = ended()
    return dict(
        _row(key, outcome.executions), device_bytes_read=read,
        transactions_per_second=f"{outcome.written:.1f}" if writers else None,
        writers_ended=words, cache="hot" if run.hot else "cold",
        cached_pages_before=cache.resident, pages_total=cache.total,
        read_ahead_kb=run.device.read_ahead_kb() if run.device else None,
        settings=json.dumps(settings(variant), sort_keys=True)), outcome


def _path(directory: str, folder: str, key: Key) -> str:
    return os.path.join(directory, folder,
                        "-".join(map(str, key)) + ".json")


def _keep(run: Run, key: Key, outcome: streams.Outcome) -> None:
    """Before the line of runs.csv, which implies that they exist."""
    directory = run.file.made()
    for folder, content in (
            ("executions", [vars(one) for one in outcome.executions]),
            ("plans", outcome.plans)):
        os.makedirs(os.path.join(directory, folder), exist_ok=True)
        results.write_json(_path(directory, folder, key), content)


def _measure(run: Run) -> List[raw.Row]:
    options, texts = run.options, _texts(run.options.queries)
    file = run.file.rows(RUNS, COLUMNS, run.progress)
    have = {key_of(row) for row in file.rows}
    cells = [Cell(number, writers) for number in options.streams
             for writers in options.writers]
    order = [(round_, (variant, cell.streams, cell.writers, round_))
             for round_, (variant, cell) in turns(cells, options.rounds)]
    order = [(round_, key) for round_, key in order if key not in have]
    if run.hot and order:
        with run.progress.step("executing everything once, unmeasured"):
            for variant in VARIANTS:
                streams.run(run.server, texts, 1, 0, settings(variant),
                            options.stream_seconds)
    for _, key in scenario.in_turn(
            run.progress, f"running {len(order)} times all streams", order,
            options.rounds, lambda key: f"{key[1]} streams, {key[0]}, "
            f"{key[2]} writers"):
        row, outcome = _one(run, key, texts)
        _keep(run, key, outcome)
        file.add(row)
    return file.rows


def _read(directory: str, rows: Sequence[raw.Row]
          ) -> Dict[Key, List[Execution]]:
    """The executions of all runs, including those of a continued run."""
    found: Dict[Key, List[Execution]] = {}
    for key in map(key_of, rows):
        path = _path(directory, "executions", key)
        try:
            found[key] = [Execution(**one)
                          for one in results.read_json(path)]
        except (OSError, ValueError, TypeError) as error:
            raise UserError(
                f"{path} cannot be read back ({error}), so that run cannot "
                "be told. Begin a new one without --resume.") from None
    return found


def _write_queries(directory: str, found: Dict[Key, List[Execution]]) -> None:
    """One line per query, rebuilt from the stored data of each run."""
    names = list(Execution.__dataclass_fields__)
    with open(os.path.join(directory, QUERIES), "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*COLUMNS[:4], *names])
        for key, done in found.items():
            out.writerows([*key, *(getattr(one, name) for name in names)]
                          for one in done)


def _show(run: Run, rows: List[raw.Row], found: Dict[Key, List[Execution]]
          ) -> None:
    print("\n" + scenario.headline(run, "Throughput",
                                   stream_tables.states(rows)) + "\n\n" +
          stream_tables.table(rows) + "\n")
    for cell in stream_tables.cells_of(rows):
        lines = stream_tables.query_table(found, cell, run.options.queries)
        print(f"{cell.streams} streams, {cell.writers} writers\n{lines}\n")
    print("q/h: queries an hour until the last stream has ended; > a stream "
          f"was ended after {run.options.stream_seconds} s:\nits last query "
          "does not count, its time does. slowest: the slowest stream's "
          "queries a second\nby the mean of all. MB/s: of the device. tps: "
          "of the writers; ? they ended early. * not cold.\n+N: as many "
          f"other plans.\nRaw numbers: {run.file.directory}", flush=True)


def _check_rows(found: Dict[Key, List[Execution]]) -> None:
    wrong = stream_tables.differing(found)
    if wrong:
        raise UserError(
            f"DIFFERENT ROWS between executions of {', '.join(wrong)}: a "
            "defect of ssdpar, and no time above means anything. Please "
            "report it with the directory above.")
    print("The rows were the same each time a query ran.", flush=True)


def _preparing(options) -> Callable[[Server, Progress], None]:
    """pgbench's tables; without pgbench there are no writers."""
    def prepare(server: Server, progress: Progress) -> None:
        if not any(options.writers):
            return
        if workloads.has_pgbench(server, progress):
            workloads.ensure_pgbench(server, options.pgbench_scale, progress)
        else:
            progress.say("nobody writes beside the streams")
            options.writers = [0]
    return prepare


def throughput(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(options, progress,
                              _preparing(options)) as run:
            rows = _measure(run)
            found = _read(run.file.made(), rows)
            _write_queries(run.file.made(), found)
    finally:
        progress.close()
    _show(run, rows, found)
    _check_rows(found)
    return 0


if __name__ == "__main__":
    cli.main(throughput)
