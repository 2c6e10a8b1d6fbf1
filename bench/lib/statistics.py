"""The little arithmetic that results need."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable, Sequence


def median(values: Sequence[float]) -> float:
    """The middle value; the mean of the two middle ones of an even count."""
    if not values:
        raise ValueError("median of nothing")
    ordered = sorted(values)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) / 2


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
