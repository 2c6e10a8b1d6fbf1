"""./run bench fig10: Figure 10 of Chen et al. (2016), splitting queries.

Case 1, section 7.2 there: how much faster index plans and hash plans become if
they are split into 1 to 16 subqueries.  The plans are forced and checked.
"""

from __future__ import annotations

from typing import Dict, List, Sequence

from lib import cli, report, split, summary
from lib.split import Cell

SCENARIO = "speed-up by splitting, index and hash plans"

PLANS = {"index": ("q1.1", "q1.2", "q2.2", "q3.2", "q4.3"),
         "hash": ("q0", "q1.1", "q1.2", "q2.2", "q4.1", "q4.2")}
_QUERIES = tuple(dict.fromkeys(query for group in PLANS.values()
                               for query in group))


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


def _show(options, done: split.Done, headline: str, where: str
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
    # Some of these plans are slow alone, and the figure shows the speed-up.
    options = split.options("fig10", __doc__, _QUERIES, arguments,
                            timeout=900)
    return split.measure(options, cells_of(options.queries, options.n),
                         "Figure 10", _show)


if __name__ == "__main__":
    cli.main(fig10)
