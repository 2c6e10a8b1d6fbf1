"""./run bench fig13: Figure 13 of Chen et al. (2016) on this device.

Section 7.5 there: Q2.2 and Q1.2n, each as an index join and as a hash join,
split in 1 to 16 subqueries; on an SSD the index join loses alone and wins in
parallel.  Every leg's plan is checked to be the one that is meant, and every
leg must give the same rows.  It says nothing about what the planner would
choose by itself: the plans are forced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from lib import cli, legs, report, scenario, summary
from lib.errors import UserError
from lib.legs import Leg
from lib.plan import Shape
from lib.progress import Progress
from lib.scenario import Point
from lib.statistics import Spread

SCENARIO = "index join against hash join, split in 1 to 16 subqueries"

# The dimension that drives the index join: its key, as EXPLAIN writes it.
QUERIES = {"q2.2": ("lo_partkey", "p_partkey"),
           "q1.2n": ("lo_orderdate", "d_datekey")}
ACCESSES = ("index", "hash")

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


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench fig13", description=__doc__)
    scenario.add_options(parser, rounds=3)
    parser.add_argument("--n", default=None,
                        type=scenario.list_of(cli.count(1, 64), "a number"),
                        help="numbers of subqueries (default 1,2,4,8,16)")
    parser.add_argument("--queries", default=list(QUERIES),
                        type=scenario.list_of(
                            scenario.one_of(list(QUERIES), "query"),
                            "a query"),
                        help="default " + ",".join(QUERIES))
    options = scenario.parse(parser, "fig13", arguments)
    usual = [1, 4, 16] if options.quick else [1, 2, 4, 8, 16]
    options.n = sorted(options.n or usual)
    return options


def _cells(options) -> List[Cell]:
    return [Cell(query, access, n) for query in options.queries
            for access in ACCESSES for n in options.n]


def _points(cells: List[Cell]) -> List[Point]:
    return [Point(cell.query, cell.variant, cell.settings())
            for cell in cells]


def _by_cell(cells: List[Cell], done: List[Leg]) -> Dict[Cell, List[Leg]]:
    return {cell: [leg for leg in done if leg.query == cell.query
                   and leg.variant == cell.variant] for cell in cells}


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
    marks = summary.of(done[cell])[(cell.query, cell.variant)].marks
    text = f"{marks}{spread.median:.2f} ({spread.low:.2f}-{spread.high:.2f})"
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


def _show(options, done: Dict[Cell, List[Leg]], headline: str,
          where: str) -> Dict[Cell, str]:
    invalid = _invalid(done)
    print(f"\n{headline}\nIn brackets lowest and highest; x: speed-up "
          "against N=1.\n")
    print(_table(options, done, invalid))
    found = summary.of([leg for group in done.values() for leg in group])
    print("\n".join(summary.legend(list(found.values()))) + "\n")
    seconds = {cell: _spread(done, cell).median for cell in done
               if cell not in invalid}
    for query in options.queries:
        for line in _verdicts(query, options.n, seconds):
            print(line)
    print(f"Raw numbers and plans: {where}", flush=True)
    return invalid


def _judge(done: Dict[Cell, List[Leg]], invalid: Dict[Cell, str]) -> None:
    """Rows first: wrong rows are worse than a plan that was not meant."""
    scenario.check_rows([leg for group in done.values() for leg in group])
    if invalid:
        listed = "\n".join(f"  {cell.query} {cell.access} N="
                           f"{cell.subqueries}: {why}"
                           for cell, why in invalid.items())
        raise UserError("these legs did not run the plan that is meant, so "
                        f"the figure is incomplete:\n{listed}")


def fig13(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    cells = _cells(options)
    try:
        with scenario.running(options, progress) as run:
            done = _by_cell(cells, scenario.measure(run, _points(cells)))
    finally:
        progress.close()
    invalid = _show(options, done, scenario.headline(run, "Figure 13"),
                    run.file.directory or "")
    _judge(done, invalid)
    return 0


if __name__ == "__main__":
    cli.main(fig13)
