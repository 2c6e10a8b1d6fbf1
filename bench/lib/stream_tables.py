"""Tables of streams: of runs, and of the queries in them.

From the rows of runs.csv and the executions that throughput.py stores.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from . import cold, raw, report, statistics
from .statistics import Spread
from .streams import Execution

OFF, ON = VARIANTS = "off", "on"
_PERCENTILES = (0.5, 0.9, 1.0)

Key = Tuple[str, int, int, int]     # variant, streams, writers, round


@dataclass(frozen=True)
class Cell:
    """Concurrent streams, and the clients that write meanwhile."""

    streams: int
    writers: int


def key_of(row: raw.Row) -> Key:
    """The run of a line of runs.csv."""
    return (row["variant"], int(row["streams"]), int(row["writers"]),
            int(row["round"]))


def states(rows: Sequence[raw.Row]) -> List[cold.CacheState]:
    """Cached pages before each run."""
    return [cold.CacheState(int(row["cached_pages_before"]),
                            int(row["pages_total"])) for row in rows]


def _of(rows: Sequence[raw.Row], variant: str, cell: Cell) -> List[raw.Row]:
    return sorted((row for row in rows if key_of(row)[:3] ==
                   (variant, cell.streams, cell.writers)),
                  key=lambda row: int(row["round"]))


def _marks(rows: Sequence[raw.Row]) -> str:
    return (">" if any(row["unfinished"] != "0" for row in rows) else "") + \
        ("?" if any(row["writers_ended"] for row in rows) else "") + \
        ("*" if any(row["cache"] == "cold" and not state.is_cold
                    for row, state in zip(rows, states(rows))) else "")


def _middle(rows: Sequence[raw.Row], column: str) -> Optional[float]:
    known = [float(row[column]) for row in rows if row[column]]
    return statistics.median(known) if known else None


def _text(value: Optional[float], form: str) -> str:
    return "" if value is None else format(value, form)


def _rate(rows: Sequence[raw.Row]) -> str:
    """MB per second that the device read meanwhile."""
    if any(not row["device_bytes_read"] for row in rows):
        return "n/a"
    return f"""{statistics.median([
        float(row["device_bytes_read"]) / float(row["seconds"])
        for row in rows]) / 1e6:.0f}"""


def quotients(rows: Sequence[raw.Row], cell: Cell) -> List[float]:
    """Queries per hour with / without, one number per round."""
    pair = [{row["round"]: float(row["queries_an_hour"])
             for row in _of(rows, variant, cell)} for variant in VARIANTS]
    return [pair[1][round_] / value for round_, value in pair[0].items()
            if value > 0 and round_ in pair[1]]


def _quotient(rows: Sequence[raw.Row], cell: Cell) -> str:
    values = quotients(rows, cell)
    if not values:
        return "-"
    spread = Spread.of(values)
    return f"{spread.median:.2f} ({spread.low:.2f}-{spread.high:.2f})"


def cells_of(rows: Sequence[raw.Row]) -> List[Cell]:
    """All that were run both without and with, separated by writers."""
    have = {key_of(row)[:3] for row in rows}
    cells = {Cell(*key[1:]) for key in have
             if all((variant, *key[1:]) in have for variant in VARIANTS)}
    return sorted(cells, key=lambda cell: (cell.writers, cell.streams))


def table(rows: Sequence[raw.Row]) -> str:
    """One line per number of streams and writers."""
    lines = []
    for cell in cells_of(rows):
        pair = [_of(rows, variant, cell) for variant in VARIANTS]
        lines.append(
            [str(cell.writers), str(cell.streams)] +
            [_marks(mine) + _text(_middle(mine, "queries_an_hour"), ".0f")
             for mine in pair] + [_quotient(rows, cell)] +
            [_text(_middle(mine, "slowest_share"), ".0%") for mine in pair] +
            [_rate(mine) for mine in pair] +
            [_text(_middle(mine, "transactions_per_second"), ".0f")
             for mine in pair])
    return report.table(
        ["writers", "streams", "q/h off", "q/h on", "on/off", "slowest off",
         "slowest on", "MB/s off", "MB/s on", "tps off", "tps on"], lines)


def _percentiles(done: Sequence[Execution]) -> List[str]:
    seconds = [one.seconds for one in done]
    if not seconds:
        return ["-"] * len(_PERCENTILES)
    return [f"{statistics.percentile(seconds, share):.2f}"
            for share in _PERCENTILES]


def _plan(done: Sequence[Execution]) -> str:
    """The most frequent plan, and the number of others."""
    plans = Counter(one.plan for one in done).most_common()
    others = f" +{len(plans) - 1}" if len(plans) > 1 else ""
    return plans[0][0] + others if plans else ""


def query_table(found: Dict[Key, List[Execution]], cell: Cell,
                queries: Sequence[str]) -> str:
    """Seconds and plans of each query, of all streams and rounds."""
    lines = []
    for query in queries:
        groups = [[one for key, done in found.items()
                   if key[:3] == (variant, cell.streams, cell.writers)
                   for one in done if one.query == query and one.finished]
                  for variant in VARIANTS]
        lines.append([query] +
                     [text for group in groups
                      for text in _percentiles(group)] +
                     [_plan(group) for group in groups])
    names = [f"{'max' if share == 1 else f'p{share * 100:.0f}'} {variant}"
             for variant in VARIANTS for share in _PERCENTILES]
    return report.table(["seconds", *names, "plan off", "plan on"], lines,
                        left=(0, len(names) + 1, len(names) + 2))


def differing(found: Dict[Key, List[Execution]]) -> List[str]:
    """Queries that did not return the same rows each time."""
    seen: Dict[str, str] = {}
    wrong = [one.query for done in found.values() for one in done
             if one.finished and
             seen.setdefault(one.query, one.checksum) != one.checksum]
    return list(dict.fromkeys(wrong))
