"""The arithmetic of results.

Intervals are bootstrapped: they show the uncertainty of the median, not the
spread of single runs.  With a handful of runs that is a rough guide, not a
test of significance.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Callable, Iterable, Sequence, Tuple

CONFIDENCE = 0.95
WIDEST = 0.25           # of the median; a wider interval is marked
_RESAMPLES = 2000
_SEED = 95


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    if not values:
        raise ValueError("median of nothing")
    ordered = sorted(values)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) / 2


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of them does not exceed."""
    if not values:
        raise ValueError("percentile of nothing")
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def geometric_mean(values: Iterable[float]) -> float:
    """The mean for ratios: 2 and 1/2 give 1."""
    logs = [math.log(value) for value in values]
    if not logs:
        raise ValueError("geometric mean of nothing")
    return math.exp(sum(logs) / len(logs))


@dataclass(frozen=True)
class Spread:
    """Median, lowest and highest of repeated runs."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(median(values), min(values), max(values))


Interval = Tuple[float, float]


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _interval(found: Sequence[float]) -> Interval:
    """The middle 95 % of the resampled figures."""
    ordered = sorted(found)
    tail = (1 - CONFIDENCE) / 2
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def bootstrap(values: Sequence[float],
              of: Callable[[Sequence[float]], float] = median) -> Interval:
    """95 % interval of the median (or another figure) of repeated runs.

    The same values always give the same interval.  A single value says nothing
    about its spread, so it gives the widest possible interval.
    """
    if not values:
        raise ValueError("interval of nothing")
    if len(values) == 1:
        return 0.0, math.inf
    chance = random.Random(_SEED)
    return _interval([of(chance.choices(values, k=len(values)))
                      for _ in range(_RESAMPLES)])


def bootstrap_ratio(above: Sequence[float], below: Sequence[float]
                    ) -> Interval:
    """95 % interval of the ratio of two medians, as bootstrap() makes it."""
    if not above or not below:
        raise ValueError("interval of nothing")
    if len(above) == 1 or len(below) == 1:
        return 0.0, math.inf
    chance = random.Random(_SEED)
    return _interval([
        median(chance.choices(above, k=len(above))) /
        median(chance.choices(below, k=len(below)))
        for _ in range(_RESAMPLES)])


def is_wide(values: Sequence[float]) -> bool:
    """Is the median's interval too wide to be relied on?"""
    low, high = bootstrap(values)
    return high - low > WIDEST * median(values)
