"""Forced plans: an index join or a hash join, split into N subqueries.

Figures 10, 12 and 13 compare these.  Every leg's plan is read back and must be
the intended one; the planner's own choice does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from . import cli, legs, scenario
from .errors import UserError
from .legs import Leg
from .plan import Shape
from .progress import Progress
from .scenario import Point

ACCESSES = ("index", "hash")

# Keys by which an index join may reach the fact, as EXPLAIN writes them: the
# planner may choose among the filtered dimensions of a query.
_DATE = ("lo_orderdate", "d_datekey")
_PART = ("lo_partkey", "p_partkey")
_SUPPLIER = ("lo_suppkey", "s_suppkey")
_CUSTOMER = ("lo_custkey", "c_custkey")
# Numbers of brands, of 1,000, in the sweep's queries.
BRANDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
DRIVERS: Dict[str, Tuple[Tuple[str, str], ...]] = {
    "q1.1": (_DATE,), "q1.2": (_DATE,), "q1.2n": (_DATE,),
    "q2.2": (_PART,), "q3.2": (_CUSTOMER, _SUPPLIER),
    "q4.3": (_PART, _SUPPLIER),
    **{f"brands{number}": (_PART,) for number in BRANDS}}

# How each plan is forced.  Random pages are made cheap instead of disabling
# sequential scans, so that the small dimensions may still be scanned and
# hashed, which does not matter for the reads.
#
# The figures compare plans by their own reads, so nothing is prefetched, and
# no star scan replaces either.  Page costs are used only without a device
# profile.
FORCED: Dict[str, legs.Settings] = {
    "index": {"ssdpar.prefetch": "off", "ssdpar.star_scan": "off",
              "ssdpar.cost_model": "off", "ssdpar.partition": "dimension",
              "enable_mergejoin": "off", "enable_bitmapscan": "off",
              "random_page_cost": "0.1"},
    "hash": {"ssdpar.prefetch": "off", "ssdpar.star_scan": "off",
             "ssdpar.cost_model": "off", "ssdpar.partition": "fact",
             "enable_mergejoin": "off", "enable_bitmapscan": "off",
             "enable_nestloop": "off"},
}


@dataclass(frozen=True)
class Cell:
    """A query, how it reaches the fact, and the number of subqueries."""

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


def points(cells: Sequence[Cell]) -> List[Point]:
    """The points for scenario.measure."""
    return [Point(cell.query, cell.variant, cell.settings())
            for cell in cells]


def by_cell(cells: Sequence[Cell], done: Sequence[Leg]
            ) -> Dict[Cell, List[Leg]]:
    """The legs of each cell."""
    return {cell: [leg for leg in done if leg.query == cell.query
                   and leg.variant == cell.variant] for cell in cells}


def wrong_driver(query: str, shape: Shape) -> Optional[str]:
    """Why an index join's driving dimension is not an allowed one."""
    pairs = DRIVERS.get(query, ())
    if any(all(key in shape.index_cond for key in pair) for pair in pairs):
        return None
    keys = " or ".join(key for pair in pairs for key in pair[1:])
    return f"has no {keys} in its index condition"


def wrong_plan(cell: Cell, shape: Shape) -> Optional[str]:
    """Why a leg's plan is not the intended one, or None."""
    wanted = "scan" if cell.query == "q0" else cell.access
    if shape.access != wanted:
        return f"reaches lineorder by {shape.access}"
    if cell.access == "index":
        why = wrong_driver(cell.query, shape)
        if why is not None:
            return why
    if cell.subqueries == 1:
        return "runs in parallel" if shape.split or shape.workers else None
    if shape.split is None:
        return "is not split"
    if shape.split.subqueries != cell.subqueries:
        return f"is split in {shape.split.subqueries}"
    if shape.split.partition != FORCED[cell.access]["ssdpar.partition"]:
        return f"is split over {shape.split.table}"
    return None


def invalid(done: Dict[Cell, List[Leg]]) -> Dict[Cell, str]:
    """Cells with a leg whose plan is not the intended one, with reasons."""
    result = {}
    for cell, group in done.items():
        for leg in group:
            why = wrong_plan(cell, leg.shape)
            if why is not None:
                result[cell] = f"its plan {why} ({leg.shape})"
    return result


def judge(done: Dict[Cell, List[Leg]], bad: Dict[Cell, str]) -> None:
    """Rows first, because wrong rows are worse than an unintended plan."""
    scenario.check_rows([leg for group in done.values() for leg in group])
    if bad:
        listed = "\n".join(f"  {cell.query} {cell.access} N="
                           f"{cell.subqueries}: {why}"
                           for cell, why in bad.items())
        raise UserError("these legs did not run the plan that is meant, so "
                        f"the figure is incomplete:\n{listed}")


def options(name: str, text: Optional[str], queries: Sequence[str],
            arguments: Sequence[str], timeout: int = 150):
    """The options of a figure of queries by numbers of subqueries."""
    parser = cli.Parser(prog=f"./run bench {name}", description=text)
    scenario.add_options(parser, rounds=3)
    parser.set_defaults(timeout=timeout)
    parser.add_argument("--n", default=None,
                        type=scenario.list_of(cli.count(1, 64), "a number"),
                        help="numbers of subqueries (default 1,2,4,8,16)")
    parser.add_argument("--queries", default=list(queries),
                        type=scenario.list_of(
                            scenario.one_of(queries, "query"), "a query"),
                        help="default " + ",".join(queries))
    chosen = scenario.parse(parser, name, arguments)
    usual = [1, 4, 16] if chosen.quick else [1, 2, 4, 8, 16]
    chosen.n = sorted(chosen.n or usual)
    return chosen


Done = Dict[Cell, List[Leg]]


def measure(chosen, cells: Sequence[Cell], title: str,
            show: Callable[..., Dict[Cell, str]]) -> int:
    """Runs the cells; show(options, done, headline, directory) prints them."""
    progress = Progress()
    try:
        with scenario.running(chosen, progress) as run:
            done = by_cell(cells, scenario.measure(run, points(cells)))
    finally:
        progress.close()
    bad = show(chosen, done, scenario.headline(run, title),
               run.file.directory or "")
    judge(done, bad)
    return 0
