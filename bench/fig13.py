"""./run bench fig13: Figure 13 of Chen et al. (2016) on this device.

Section 7.5 there: Q2.2 and Q1.2n, each as an index join and as a hash join,
split in 1 to 16 subqueries; on an SSD the index join loses alone and wins in
parallel.  Every leg's plan is checked to be the one that is meant, and every
leg must give the same rows.  It says nothing about what the planner would
choose by itself: the plans are forced.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from lib import ceiling, cli, cold, emulator, legs, load, memory, report
from lib.device import AnyDevice, Device
from lib.errors import UserError
from lib.legs import Leg
from lib.plan import Shape
from lib.progress import Progress
from lib.server import Server
from lib.session import session
from lib.statistics import Spread

SCENARIO = "index join against hash join, split in 1 to 16 subqueries"

# The dimension that drives the index join: its key, as EXPLAIN writes it.
QUERIES = {"q2.2": ("lo_partkey", "p_partkey"),
           "q1.2n": ("lo_orderdate", "d_datekey")}
ACCESSES = ("index", "hash")
ORDER_SEED = 13

# How each plan is forced.  Random pages are made cheap rather than sequential
# scans impossible, so that the small dimensions may still be scanned and
# hashed; which they are does not matter to the reads.
#
# The figure compares plans by their own reads, so nothing is prefetched.
FORCED: Dict[str, legs.Settings] = {
    "index": {"ssdpar.prefetch": "off", "ssdpar.partition": "dimension",
              "enable_mergejoin": "off", "enable_bitmapscan": "off",
              "random_page_cost": "0.1"},
    "hash": {"ssdpar.prefetch": "off", "ssdpar.partition": "fact",
             "enable_mergejoin": "off", "enable_bitmapscan": "off",
             "enable_nestloop": "off"},
}


@dataclass(frozen=True)
class Cell:
    """A point of the figure."""

    query: str
    access: str
    subqueries: int

    @property
    def variant(self) -> str:
        return f"{self.access}-{self.subqueries}"

    def settings(self) -> legs.Settings:
        settings = dict(FORCED[self.access])
        settings["ssdpar.subqueries"] = str(self.subqueries)
        if self.subqueries == 1:
            settings["max_parallel_workers_per_gather"] = "0"
        return settings


def _list_of(convert, what: str):
    def parse(text: str) -> list:
        values = [convert(part) for part in text.split(",")]
        if len(set(values)) != len(values):
            raise argparse.ArgumentTypeError(f"'{text}' names {what} twice")
        return values
    return parse


def _query(text: str) -> str:
    if text not in QUERIES:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not of the figure: {', '.join(QUERIES)} are")
    return text


def _memory(text: str) -> int:
    try:
        value = memory.parse(text)
    except ValueError:
        value = 0
    if value < memory.LOWEST:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a size such as 2G, of at least "
            f"{memory.LOWEST // 2 ** 20}M, which the server itself needs")
    return value


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench fig13", description=__doc__)
    parser.add_argument("--scale", type=cli.scale, default=None,
                        help="scale factor (default 5)")
    parser.add_argument("--rounds", type=cli.count(1, 100), default=None,
                        help="runs of each leg (default 3)")
    parser.add_argument("--memory", type=_memory, default=2 * 2 ** 30,
                        help="the server's memory limit (default 2G)")
    parser.add_argument("--n", default=None,
                        type=_list_of(cli.count(1, 64), "a number"),
                        help="numbers of subqueries (default 1,2,4,8,16)")
    parser.add_argument("--device", default=None, metavar="PROFILE",
                        choices=emulator.profiles(),
                        help="run on an emulated device in place of the "
                        "machine's: " + ", ".join(emulator.profiles()))
    parser.add_argument("--queries", default=list(QUERIES),
                        type=_list_of(_query, "a query"),
                        help="default q2.2,q1.2n")
    parser.add_argument("--quick", action="store_true",
                        help="a short try: scale 0.2, one round, N 1,4,16, "
                        "where not told otherwise; no figure to quote")
    options = parser.parse_args(arguments)
    usual = (0.2, 1, [1, 4, 16]) if options.quick else \
        (5.0, 3, [1, 2, 4, 8, 16])
    options.scale = options.scale or usual[0]
    options.rounds = options.rounds or usual[1]
    options.n = sorted(options.n or usual[2])
    return options


def _cells(options) -> List[Cell]:
    return [Cell(query, access, n) for query in options.queries
            for access in ACCESSES for n in options.n]


def _order(cells: List[Cell], rounds: int) -> List[Tuple[int, Cell]]:
    """Every cell once a round, each round in an order of its own."""
    chance = random.Random(ORDER_SEED)
    order = []
    for round_ in range(1, rounds + 1):
        shuffled = list(cells)
        chance.shuffle(shuffled)
        order += [(round_, cell) for cell in shuffled]
    return order


def wrong_plan(cell: Cell, shape: Shape) -> Optional[str]:
    """Why a leg's plan is not the one that is meant; None if it is."""
    if shape.access != cell.access:
        return f"reaches lineorder by {shape.access}"
    if cell.access == "index":
        for key in QUERIES[cell.query]:
            if key not in shape.index_cond:
                return f"has no {key} in its index condition"
    if cell.subqueries == 1:
        return "runs in parallel" if shape.split or shape.workers else None
    if shape.split is None:
        return "is not split"
    if shape.split.subqueries != cell.subqueries:
        return f"is split in {shape.split.subqueries}"
    wanted = FORCED[cell.access]["ssdpar.partition"]
    if shape.split.partition != wanted:
        return f"is split over {shape.split.table}"
    return None


def _measure(server: Server, device: Optional[AnyDevice], drop_all: bool,
             order: List[Tuple[int, Cell]], file: report.LegFile,
             progress: Progress) -> Dict[Cell, list]:
    done: Dict[Cell, list] = {}
    with progress.step(f"running {len(order)} cold legs"):
        for number, (round_, cell) in enumerate(order):
            progress.update(f"{cell.query} {cell.access} N={cell.subqueries}"
                            f", round {round_}", number / len(order))
            cache = cold.restart_cold(server, everything=drop_all)
            leg = legs.run_leg(
                server, device, cache, cell.query,
                legs.query_path(os.path.join(load.SSB, "queries"),
                                cell.query),
                cell.variant, round_, cell.settings())
            file.add(leg)
            done.setdefault(cell, []).append(leg)
    return done


def _invalid(done: Dict[Cell, List[Leg]]) -> Dict[Cell, str]:
    """Cells with a leg whose plan is not the one meant, and why."""
    result = {}
    for cell, group in done.items():
        for leg in group:
            why = wrong_plan(cell, leg.shape)
            if why is not None:
                result[cell] = f"its plan {why} ({leg.shape})"
    return result


def _spread(done: Dict[Cell, List[Leg]], cell: Cell) -> Spread:
    return Spread.of([leg.seconds for leg in done[cell]])


def _cell_text(done: Dict[Cell, List[Leg]], invalid: Dict[Cell, str],
               cell: Cell) -> str:
    if cell in invalid:
        return "INVALID"
    spread = _spread(done, cell)
    text = f"{spread.median:.2f} ({spread.low:.2f}-{spread.high:.2f})"
    one = Cell(cell.query, cell.access, 1)
    if one in done and one not in invalid and cell != one:
        text += f" {_spread(done, one).median / spread.median:.2f}x"
    return text


def _table(options, done: Dict[Cell, List[Leg]],
           invalid: Dict[Cell, str]) -> str:
    rows = []
    for query in options.queries:
        for access in ACCESSES:
            cells = [Cell(query, access, n) for n in options.n]
            rows.append([f"{query} {access}, s"] + [
                _cell_text(done, invalid, cell) for cell in cells])
            rows.append(["  device MB read"] + [
                report.megabytes([leg.device_bytes for leg in done[cell]])
                for cell in cells])
    return report.table(["plan"] + [f"N={n}" for n in options.n], rows)


def _compare(name: str, first: Tuple[str, float],
             second: Tuple[str, float]) -> str:
    """A verdict on two (name, seconds)."""
    fast, slow = sorted((first, second), key=lambda pair: pair[1])
    return (f"{name}: {fast[0]} ({fast[1]:.2f} s) is "
            f"{slow[1] / fast[1]:.2f} times faster than {slow[0]} "
            f"({slow[1]:.2f} s)")


def _verdicts(query: str, numbers: List[int], seconds: Dict[Cell, float]
              ) -> List[str]:
    """What the figure says of a query, from valid cells only."""
    lines = []
    index, last, hash_ = (Cell(query, "index", 1),
                          Cell(query, "index", numbers[-1]),
                          Cell(query, "hash", 1))
    if index in seconds and last in seconds and index != last:
        lines.append(_compare(
            f"{query}, index plan", (f"N={last.subqueries}", seconds[last]),
            ("N=1", seconds[index])))
    if index in seconds and hash_ in seconds:
        lines.append(_compare(f"{query}, N=1", ("hash", seconds[hash_]),
                              ("index", seconds[index])))
    best = []
    for access in ACCESSES:
        valid = [(seconds[cell], n) for n in numbers
                 for cell in [Cell(query, access, n)] if cell in seconds]
        if valid:
            best.append((f"{access} at N={min(valid)[1]}", min(valid)[0]))
    if len(best) == 2:
        lines.append(_compare(f"{query}, best N of each", *best))
    return lines


def _limit_text(group: Optional[memory.MemoryLimit]) -> str:
    if group is None:
        return "none (only root can set one, where control groups allow it)"
    return f"{group.limit >> 20} MiB"


def _show(options, done: Dict[Cell, List[Leg]], group, limits: dict,
          where: str) -> Dict[Cell, str]:
    invalid = _invalid(done)
    every = [leg for group_ in done.values() for leg in group_]
    state = cold.summary(leg.cache for leg in every)
    device = f" on emulated {options.device}" if options.device else ""
    print(f"\nFigure 13{device}, SSB scale {options.scale:g}: median "
          f"seconds of "
          f"{options.rounds} rounds (lowest-highest), speed-up against N=1,"
          f"\n{state}.\nMemory limit: {_limit_text(group)}. read_ahead_kb: "
          f"{limits['before']['read_ahead_kb']}.\nDevice ceiling before the "
          f"legs: {limits['before']['text']};\nafter them: "
          f"{limits['after']['text']}.\n")
    print(_table(options, done, invalid) + "\n")
    seconds = {cell: _spread(done, cell).median for cell in done
               if cell not in invalid}
    for query in options.queries:
        for line in _verdicts(query, options.n, seconds):
            print(line)
    print(f"Raw numbers and plans: {where}", flush=True)
    return invalid


def _judge(done: Dict[Cell, List[Leg]], invalid: Dict[Cell, str]) -> None:
    """Rows first: wrong rows are worse than a plan that was not meant."""
    wrong = legs.differing([leg for group in done.values() for leg in group])
    if wrong:
        raise UserError(
            f"DIFFERENT ROWS between legs of {', '.join(wrong)}: a defect of "
            "ssdpar, and no time above means anything. Please report it "
            "with the directory above.")
    print("The rows were the same in all legs of a query.", flush=True)
    if invalid:
        listed = "\n".join(f"  {cell.query} {cell.access} N="
                           f"{cell.subqueries}: {why}"
                           for cell, why in invalid.items())
        raise UserError("these legs did not run the plan that is meant, so "
                        f"the figure is incomplete:\n{listed}")


@contextlib.contextmanager
def _on_device(options, server: Server, progress: Progress
               ) -> Iterator[Tuple[Optional[AnyDevice], str]]:
    """The device the legs run on, and a directory on it to measure."""
    if options.device is None:
        yield Device.under(server.scratch.data), server.scratch.path
        return
    with emulator.mounted(server, options.device, options.memory,
                          progress) as device:
        yield device, server.scratch.data


def _run(options, server: Server, group, progress: Progress) -> tuple:
    """(legs by cell, ceilings, directory of the raw numbers)."""
    order = _order(_cells(options), options.rounds)
    file = report.LegFile("fig13")
    with _on_device(options, server, progress) as (device, directory):
        facts = report.environment(
            server, device, rounds=options.rounds,
            data=server.scratch.stamp(),
            memory_limit=group.limit if group else None,
            order_seed=ORDER_SEED)
        # Before and after: a shared device is not the same all along.
        limits = {"before": ceiling.measure(directory, device, progress)}
        file.add_facts(dict(facts, ceiling=limits))
        # An emulator's data must stay in the machine's cache.
        drop_all = os.geteuid() == 0 and options.device is None
        done = _measure(server, device, drop_all, order, file, progress)
        limits["after"] = ceiling.measure(directory, device, progress)
        file.add_facts(dict(facts, ceiling=limits))
    return done, limits, file.directory or ""


def fig13(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with memory.limited(options.memory) as group, \
                session(load.Source(options.scale), progress,
                        emulated=options.device is not None) as server:
            server.limit = group
            done, limits, where = _run(options, server, group, progress)
    finally:
        progress.close()
    invalid = _show(options, done, group, limits, where)
    _judge(done, invalid)
    return 0


if __name__ == "__main__":
    cli.main(fig13)
