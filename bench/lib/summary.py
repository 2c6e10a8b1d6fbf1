"""Summaries of repeated legs, with reasons for doubt.

A doubtful leg is marked, never omitted: rows that differ from the others', a
median with a large uncertainty, a cache in the wrong state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from . import statistics
from .legs import Leg

Key = Tuple[str, str]           # query and variant

# Marks in tables, and their meanings.
MARKS = {"!": "rows differ from the other legs of the query",
         "~": f"95 % interval of the median wider than "
              f"{statistics.WIDEST:.0%} of it",
         ">": "a run hit the statement timeout: the time is a lower bound",
         "*": "the cache was not cold before each run"}


@dataclass(frozen=True)
class Summary:
    """The legs of one query and variant."""

    query: str
    variant: str
    median: float
    interval: statistics.Interval
    rounds: int
    device_bytes: Optional[float]
    plan: str
    marks: str

    def text(self) -> str:
        """Median seconds with its marks, for a table."""
        digits = 2 if self.median >= 0.1 else 4
        return f"{self.marks}{self.median:.{digits}f}"


def _expected(legs: Sequence[Leg]) -> Dict[str, Optional[str]]:
    """The checksum of most legs of a query; None if there is a draw."""
    found: Dict[str, Counter] = {}
    for leg in legs:
        if not leg.timed_out:
            found.setdefault(leg.query, Counter())[leg.checksum] += 1
    result: Dict[str, Optional[str]] = {}
    for query, counts in found.items():
        best = counts.most_common(2)
        draw = len(best) > 1 and best[0][1] == best[1][1]
        result[query] = None if draw else best[0][0]
    return result


def _marks(group: List[Leg], expected: Optional[str]) -> str:
    seconds = [leg.seconds for leg in group]
    marks = ""
    if any(not leg.timed_out and leg.checksum != expected for leg in group):
        marks += "!"
    if any(leg.timed_out for leg in group):
        marks += ">"
    elif statistics.is_wide(seconds):
        marks += "~"
    if any(not leg.hot and not leg.cache.is_cold for leg in group):
        marks += "*"
    return marks


def _summarise(group: List[Leg], expected: Optional[str]) -> Summary:
    seconds = [leg.seconds for leg in group]
    known = [leg.device_bytes for leg in group
             if leg.device_bytes is not None]
    plans = Counter(str(leg.shape) for leg in group)
    return Summary(group[0].query, group[0].variant,
                   statistics.median(seconds),
                   statistics.bootstrap(seconds), len(group),
                   statistics.median(known) if known else None,
                   " or ".join(plans), _marks(group, expected))


def of(legs: Sequence[Leg]) -> Dict[Key, Summary]:
    """A summary of each query and variant."""
    expected = _expected(legs)
    groups: Dict[Key, List[Leg]] = {}
    for leg in legs:
        groups.setdefault((leg.query, leg.variant), []).append(leg)
    return {key: _summarise(group, expected.get(key[0]))
            for key, group in groups.items()}


def legend(summaries: Sequence[Summary]) -> List[str]:
    """The meanings of the marks used."""
    used = "".join(summary.marks for summary in summaries)
    return [f"{mark} {meaning}" for mark, meaning in MARKS.items()
            if mark in used]
