"""./run bench sweep: where index join and hash join cross, by selectivity.

Figure 13 of Chen et al. (2016) compares the plans for two queries.  A device
that does not cross there crosses elsewhere: this joins lineorder with a
growing share of part, unsplit and split, and finds the share up to which the
index join is the faster one.  It starts with small shares; a number of
subqueries is done when its index join has become clearly slower.
"""

from __future__ import annotations

import math
from typing import Dict, List, Optional, Sequence

from lib import cli, report, scenario, split, summary
from lib.legs import Leg
from lib.progress import Progress
from lib.scenario import Point, Run
from lib.split import ACCESSES, BRANDS, Cell

SCENARIO = "the share of the fact at which index and hash plans cross"

ALL_BRANDS = 1000
_CLEARLY = 1.5          # times slower: larger shares will not be faster


def _share(text: str) -> int:
    return int(scenario.one_of([str(number) for number in BRANDS],
                               "number of brands")(text))


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench sweep", description=__doc__)
    scenario.add_options(parser, rounds=3)
    parser.add_argument("--n", default=[1, 16],
                        type=scenario.list_of(cli.count(1, 64), "a number"),
                        help="numbers of subqueries (default 1,16)")
    parser.add_argument("--brands", default=list(BRANDS),
                        type=scenario.list_of(_share, "a number of brands"),
                        help="fractions of part, in brands of 1,000 (default "
                        "1,2,4 and so on to 512)")
    options = scenario.parse(parser, "sweep", arguments)
    options.n = sorted(options.n)
    options.brands = sorted(options.brands)
    return options


def brands(number: int) -> List[str]:
    """This number of SSB's 1,000 brands, spread over all categories."""
    names = [f"MFGR#{maker}{category}{brand}" for brand in range(1, 41)
             for maker in range(1, 6) for category in range(1, 6)]
    return names[:number]


def statement(number: int) -> str:
    """The query for this number of brands."""
    return ("SELECT sum(lo_revenue), count(*) FROM lineorder, part\n"
            "WHERE lo_partkey = p_partkey AND p_brand1 = ANY ('{" +
            ",".join(brands(number)) + "}')")


def _point(cell: Cell) -> Point:
    number = int(cell.query[len("brands"):])
    return Point(cell.query, cell.variant, cell.settings(),
                 statement=statement(number))


def _measure(run: Run) -> Dict[Cell, List[Leg]]:
    """Share by share, until every number of subqueries is done."""
    cells: List[Cell] = []
    open_ = list(run.options.n)
    for number in run.options.brands:
        level = [Cell(f"brands{number}", access, n) for n in open_
                 for access in ACCESSES]
        run.progress.say(f"{number} of {ALL_BRANDS} brands, N = "
                         f"{', '.join(map(str, open_))}")
        done = scenario.measure(run, [_point(cell) for cell in level])
        cells += level
        found = summary.of(done)
        for n in list(open_):
            ratio = _ratio(found, number, n)
            if ratio is not None and ratio > _CLEARLY:
                open_.remove(n)
        if not open_:
            break
    return split.by_cell(cells, run.file.done)


Found = Dict[summary.Key, summary.Summary]


def _ratio(found: Found, number: int, n: int) -> Optional[float]:
    """Time of the index join / time of the hash join."""
    index, hash_ = (found.get((f"brands{number}", f"{access}-{n}"))
                    for access in ACCESSES)
    if index is None or hash_ is None:
        return None
    return index.median / hash_.median


def crossing(ratios: Dict[int, float]) -> Optional[float]:
    """The number of brands at which both take equally long; None outside.

    Between two measured shares, the ratio's logarithm is interpolated
    linearly.
    """
    known = sorted(ratios)
    for low, high in zip(known, known[1:]):
        first, second = math.log(ratios[low]), math.log(ratios[high])
        if first <= 0 < second:
            part = -first / (second - first)
            return low * (high / low) ** part
    return None


def verdict(n: int, ratios: Dict[int, float]) -> str:
    """A sentence on one number of subqueries."""
    at = crossing(ratios)
    name = "alone (N=1)" if n == 1 else f"split in {n}"
    if at is not None:
        return (f"{name}: the index join is faster up to "
                f"{at / ALL_BRANDS:.2%} of the fact")
    if not ratios:
        return f"{name}: not measured"
    if min(ratios.values()) > 1:
        return (f"{name}: the hash join is faster from "
                f"{min(ratios) / ALL_BRANDS:.2%} of the fact on, the "
                "smallest share measured")
    return (f"{name}: the index join is still faster at "
            f"{max(ratios) / ALL_BRANDS:.2%} of the fact, the largest share "
            "measured")


def _show(run: Run, done: Dict[Cell, List[Leg]], headline: str
          ) -> Dict[Cell, str]:
    bad = split.invalid(done)
    found = summary.of([leg for group in done.values() for leg in group])
    numbers = sorted({int(cell.query[len("brands"):]) for cell in done})
    rows = []
    for number in numbers:
        row = [f"{number / ALL_BRANDS:.1%}"]
        for n in run.options.n:
            for access in ACCESSES:
                cell = Cell(f"brands{number}", access, n)
                entry = found.get((cell.query, cell.variant))
                row.append("INVALID" if cell in bad
                           else entry.text() if entry else "")
        rows.append(row)
    print(f"\n{headline}\n")
    print(report.table(["share"] + [f"{access} N={n}" for n in run.options.n
                                    for access in ACCESSES], rows))
    print("\n".join(summary.legend(list(found.values()))))
    for n in run.options.n:
        ratios = {number: value for number in numbers
                  for value in [_ratio(found, number, n)]
                  if value is not None}
        print(verdict(n, ratios))
    print(f"Raw numbers and plans: {run.file.directory}", flush=True)
    return bad


def sweep(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(options, progress) as run:
            done = _measure(run)
    finally:
        progress.close()
    bad = _show(run, done, scenario.headline(run, "Crossing"))
    split.judge(done, bad)
    return 0


if __name__ == "__main__":
    cli.main(sweep)
