"""./run bench fig13: Figure 13 of Chen et al. (2016) on this device.

Section 7.5 there: Q2.2 and Q1.2n, each as an index join and as a hash join,
split into 1 to 16 subqueries; on an SSD the index join loses alone and wins in
parallel.  Every leg's plan is checked to be the intended one, and all legs
must return the same rows.  It says nothing about the planner's own choice,
because the plans are forced.
"""

from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

from lib import cli, report, split, summary
from lib.split import ACCESSES, Cell
from lib.statistics import Spread

SCENARIO = "index join against hash join, split in 1 to 16 subqueries"

QUERIES = ("q2.2", "q1.2n")


def _cells(options) -> List[Cell]:
    return [Cell(query, access, n) for query in options.queries
            for access in ACCESSES for n in options.n]


def _spread(done: split.Done, cell: Cell) -> Spread:
    return Spread.of([leg.seconds for leg in done[cell]])


def _cell_text(done: split.Done, invalid: Dict[Cell, str],
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


def _table(options, done: split.Done,
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


def _show(options, done: split.Done, headline: str,
          where: str) -> Dict[Cell, str]:
    invalid = split.invalid(done)
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


def fig13(arguments: Sequence[str]) -> int:
    options = split.options("fig13", __doc__, QUERIES, arguments)
    return split.measure(options, _cells(options), "Figure 13", _show)


if __name__ == "__main__":
    cli.main(fig13)
