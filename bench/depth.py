"""./run bench depth: how much of the device a star scan keeps busy.

The heap phase of Q2.2's star scan, from one process, against fio reading the
same files through the page cache at random, 8 kB each and 32 at once, in
turns.  Both are cold, and both copy what they read; the star scan also looks
at the rows.  Pages a second of it over fio's reads a second is the figure.
"""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from typing import Iterator, List, Sequence

from lib import cli, cold, legs, load, packages, process, report
from lib import scenario
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Run
from lib.statistics import Spread

SCENARIO = "star scan's heap pages against fio's buffered random reads"

QUERY = "q2.2"
DEPTH = 32
FIO_SECONDS = 2         # too short to come back to a page that is cached
METHODS = ("auto", "daemon", "local", "off")


@dataclass(frozen=True)
class Turn:
    """One star scan and the fio run before it."""

    method: str
    cache: cold.CacheState
    fio_per_second: float
    pages: int
    heap_seconds: float
    waits: int
    depth: float

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.heap_seconds

    @property
    def ratio(self) -> float:
        return self.pages_per_second / self.fio_per_second


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench depth", description=__doc__)
    scenario.add_options(parser, rounds=5)
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


def _turn(run: Run, files: List[str], method: str) -> Turn:
    ceiling = _fio(run, files)
    cache = scenario.make_cold(run)
    node = _star_scan(run, method)
    return Turn(method, cache, ceiling, node["Pages Read"],
                node["Heap Time"] / 1000, node["Reads Waited For"],
                node["Depth Mean"])


def _table(turns: List[Turn], methods: Sequence[str]) -> str:
    rows = []
    for method in methods:
        mine = [turn for turn in turns if turn.method == method]
        ratio = Spread.of([turn.ratio for turn in mine])
        rows.append([
            method, f"{Spread.of([t.fio_per_second for t in mine]).median:,.0f}",
            f"{Spread.of([t.pages_per_second for t in mine]).median:,.0f}",
            f"{ratio.median:.2f} ({ratio.low:.2f}-{ratio.high:.2f})",
            f"{mine[0].pages:,}",
            f"{Spread.of([float(t.waits) for t in mine]).median:,.0f}",
            f"{Spread.of([t.depth for t in mine]).median:.1f}"])
    return report.table(["ssdpar.prefetch", "fio, reads/s", "pages/s",
                         "of fio", "pages", "waits", "mean depth"], rows)


def depth(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    if not packages.have([packages.FIO], progress):
        raise UserError("fio is not there and cannot be installed here; the "
                        "ceiling is measured by it.")
    turns: List[Turn] = []
    try:
        with scenario.running(options, progress) as run:
            files = _segments(run)
            with progress.step("star scans and fio in turns"):
                for _ in range(options.rounds):
                    turns += [_turn(run, files, method)
                              for method in options.methods]
    finally:
        progress.close()
    path = os.path.join(run.file.directory, "turns.json")
    with open(path, "w") as file:
        json.dump([dataclasses.asdict(turn) for turn in turns], file,
                  indent=1)
    print("\n" + scenario.headline(
        run, "Heap phase of Q2.2's star scan",
        [turn.cache for turn in turns]) + "\n\n" +
          _table(turns, options.methods) + f"\n\nRaw numbers: {path}",
          flush=True)
    return 0


if __name__ == "__main__":
    cli.main(depth)
