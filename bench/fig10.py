"""./run bench fig10: Figure 10 of Chen et al. (2016), splitting queries.

Case 1, section 7.2 there: how much faster index plans and hash plans become
when they are split in 1 to 16 subqueries.  The plans are forced and checked.
"""

from __future__ import annotations

from typing import Dict, List, Sequence

from lib import cli, report, scenario, split, summary
from lib.legs import Leg
from lib.progress import Progress
from lib.split import Cell

SCENARIO = "speed-up by splitting, index and hash plans"

PLANS = {"index": ("q1.1", "q1.2", "q2.2", "q3.2", "q4.3"),
         "hash": ("q0", "q1.1", "q1.2", "q2.2", "q4.1", "q4.2")}
_QUERIES = tuple(dict.fromkeys(query for group in PLANS.values()
                               for query in group))


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench fig10", description=__doc__)
    scenario.add_options(parser, rounds=3)
    parser.set_defaults(timeout=900)
    parser.add_argument("--n", default=None,
                        type=scenario.list_of(cli.count(1, 64), "a number"),
                        help="numbers of subqueries (default 1,2,4,8,16)")
    parser.add_argument("--queries", default=list(_QUERIES),
                        type=scenario.list_of(
                            scenario.one_of(_QUERIES, "query"), "a query"),
                        help="default " + ",".join(_QUERIES))
    options = scenario.parse(parser, "fig10", arguments)
    usual = [1, 4, 16] if options.quick else [1, 2, 4, 8, 16]
    options.n = sorted(options.n or usual)
    return options


def cells_of(queries: Sequence[str], numbers: Sequence[int]) -> List[Cell]:
    return [Cell(query, access, n) for access, group in PLANS.items()
            for query in group if query in queries for n in numbers]


def _row(query: str, access: str, numbers: List[int],
         found: Dict[summary.Key, summary.Summary],
         bad: Dict[Cell, str]) -> List[str]:
    cells = [Cell(query, access, n) for n in numbers]
    one = None if cells[0] in bad or numbers[0] != 1 else \
        found[(query, cells[0].variant)]
    row = [f"{query} {access}"]
    for cell in cells:
        entry = found[(query, cell.variant)]
        text = "INVALID" if cell in bad else entry.text()
        if one is not None and entry is not one and cell not in bad:
            more = ">" if ">" in one.marks else ""
            text += f" {more}{one.median / entry.median:.2f}x"
        row.append(text)
    return row


def _show(options, done: Dict[Cell, List[Leg]], headline: str, where: str
          ) -> Dict[Cell, str]:
    bad = split.invalid(done)
    found = summary.of([leg for group in done.values() for leg in group])
    rows = [_row(query, access, options.n, found, bad)
            for access, group in PLANS.items() for query in group
            if query in options.queries]
    print(f"\n{headline}\nx: speed-up against N=1.\n")
    print(report.table(["seconds"] + [f"N={n}" for n in options.n], rows))
    print("\n".join(summary.legend(list(found.values()))))
    print(f"Raw numbers and plans: {where}", flush=True)
    return bad


def fig10(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    cells = cells_of(options.queries, options.n)
    try:
        with scenario.running(options, progress) as run:
            done = split.by_cell(
                cells, scenario.measure(run, split.points(cells)))
    finally:
        progress.close()
    bad = _show(options, done, scenario.headline(run, "Figure 10"),
                run.file.directory or "")
    split.judge(done, bad)
    return 0


if __name__ == "__main__":
    cli.main(fig10)
