"""Interference: how much longer a program takes if another one runs.

The arithmetic of Figure 12, on the rows that fig12.py measures: slowdowns with
their intervals, and whether a mode reaches its goals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Dict, List, Optional, Sequence, Tuple

from . import raw, statistics, workloads
from .workloads import Outcome

READERS = ("QS", "QR")
WRITERS = ("PB", "PM")
ALONE = "alone"
PLAIN = "plain"
_TOLD = 2                   # pairs whose times are shown
_TOLERANCE = 0.10           # variation of identical runs
_SPEED_KEPT = 0.70          # of a reader's speed, with writers


def has_query(target: str, other: Optional[str]) -> bool:
    """Do the modes differ for a pair?  They only change plans of queries."""
    return target in workloads.QUERIES or other in workloads.QUERIES


Key = Tuple[str, str, str]
Costs = Dict[Key, List[float]]


def costs(rows: Sequence[raw.Row]) -> Costs:
    """For each pair the rounds' seconds, or seconds per transaction."""
    result: Costs = {}
    for row in rows:
        value = Outcome(row["unit"], float(row["value"]), None).cost()
        result.setdefault((row["mode"], row["target"], row["co_runner"]),
                          []).append(value)
    return result


def cost_of(found: Costs, mode: str, target: str, other: str) -> List[float]:
    """A pair's rounds; without a query in it those of any mode."""
    values = found.get((mode, target, other), [])
    if values or has_query(target, other):
        return values
    return next((values for (_, *pair), values in found.items()
                 if pair == [target, other]), [])


@dataclass(frozen=True)
class Slowdown:
    """How much longer a target takes than alone; 1.81 is 181 %."""

    value: float
    interval: statistics.Interval

    @property
    def wide(self) -> bool:
        low, high = self.interval
        return high - low > statistics.WIDEST * (1 + self.value)

    @property
    def interval_text(self) -> str:
        low, high = self.interval
        return "one run" if math.isinf(high) else f"{low:+.0%} to {high:+.0%}"


def slowdown(found: Costs, mode: str, target: str, other: str
             ) -> Optional[Slowdown]:
    """A cell of a mode's matrix; None if it was not measured."""
    alone = cost_of(found, mode, target, ALONE)
    beside = cost_of(found, mode, target, other)
    if not alone or not beside:
        return None
    low, high = statistics.bootstrap_ratio(beside, alone)
    return Slowdown(
        statistics.median(beside) / statistics.median(alone) - 1,
        (low - 1, high - 1))


@dataclass(frozen=True)
class Goal:
    """A goal of a mode, and whether it is reached."""

    text: str
    wanted: str
    here: str
    holds: bool
    why: str                    # the times behind it

    def line(self) -> str:
        verdict = "holds" if self.holds else f"does not hold: {self.why}"
        return (f"{self.text}: {self.here} (wanted: {self.wanted}): "
                f"{verdict}")


Both = Dict[Tuple[str, str], Tuple[Slowdown, Slowdown]]


def _in_both(found: Costs, mode: str) -> Both:
    """The cells with a query in them, plain and in another mode."""
    result: Both = {}
    for (of, target, other) in sorted(found):
        cells = (slowdown(found, PLAIN, target, other),
                 slowdown(found, mode, target, other))
        if of == mode and other != ALONE and has_query(target, other) \
                and cells[0] is not None and cells[1] is not None:
            result[(target, other)] = (cells[0], cells[1])
    return result


def _listed(pairs: Sequence[str]) -> str:
    return "; ".join(pairs) if pairs else "none"


def _seconds(found: Costs, mode: str, pair: Tuple[str, str]) -> float:
    return statistics.median(cost_of(found, mode, *pair))


def _times(found: Costs, mode: str, pairs: Sequence[Tuple[str, str]]) -> str:
    """The first pairs' times, alone and concurrent, plain and in the mode."""
    return "seconds alone and beside, of pgbench a transaction: " + "; ".join(
        f"{target} beside {other} "
        f"{_seconds(found, PLAIN, (target, ALONE)):.3g} and "
        f"{_seconds(found, PLAIN, (target, other)):.3g} plain, "
        f"{_seconds(found, mode, (target, ALONE)):.3g} and "
        f"{_seconds(found, mode, (target, other)):.3g} {mode}"
        for target, other in pairs[:_TOLD])


def _worst_pair(found: Costs, both: Both, mode: str) -> Optional[Goal]:
    readers = [pair for pair in both if set(pair) <= set(READERS)]
    if len(readers) < len(READERS) ** 2:
        return None
    worst = max(readers, key=lambda pair: both[pair][0].value)
    now = max(readers, key=lambda pair: both[pair][1].value)
    before, after = both[worst][0].value, both[now][1]
    return Goal(f"{mode}: the worst read/read pair's slowdown is halved",
                f"at most {before / 2:+.0%}",
                f"{before:+.0%} plain ({worst[0]} beside {worst[1]}), "
                f"{after.value:+.0%} ({after.interval_text}; {now[0]} beside "
                f"{now[1]})", after.value <= before / 2,
                _times(found, mode, list(dict.fromkeys((worst, now)))))


def _no_pair_worse(found: Costs, both: Both, mode: str) -> Goal:
    """By slowdowns, as the goal was defined."""
    worse = [pair for pair, (before, after) in both.items()
             if after.value > before.value + _TOLERANCE]
    worse.sort(key=lambda pair: both[pair][0].value - both[pair][1].value)
    return Goal(f"{mode}: no pair's slowdown is worse",
                f"none by more than {_TOLERANCE:.0%} of the time alone",
                "worse: " + _listed(
                    [f"{target} beside {other} "
                     f"{both[(target, other)][0].value:+.0%} to "
                     f"{both[(target, other)][1].value:+.0%}"
                     for target, other in worse]), not worse,
                _times(found, mode, worse))


def _writers_keep(found: Costs, both: Both, mode: str) -> Optional[Goal]:
    """With readers they lose no more than with core's."""
    of_writers = {pair: cells for pair, cells in both.items()
                  if pair[0] in WRITERS}
    if not of_writers:
        return None
    goal = _no_pair_worse(found, of_writers, mode)
    return replace(goal, text=f"{mode}: who writes loses no more")


def _readers_keep(found: Costs, both: Both, mode: str) -> Optional[Goal]:
    """Speed is the inverse: 0.7 of it takes 1.43 times as long."""
    kept = {pair: 1 / (1 + cells[1].value) for pair, cells in both.items()
            if pair[0] in READERS and pair[1] in WRITERS}
    if not kept:
        return None
    slow = sorted((pair for pair in kept if kept[pair] < _SPEED_KEPT),
                  key=lambda pair: kept[pair])
    return Goal(f"{mode}: readers keep their speed beside who writes",
                f"at least {_SPEED_KEPT:.0%} of that alone",
                "; ".join(f"{target} beside {other} {share:.0%}"
                          for (target, other), share in kept.items()),
                not slow, _times(found, mode, slow))


def _no_pair_longer(found: Costs, both: Both, mode: str) -> Goal:
    """By times: a faster query may be slowed down more, and still be faster.
    """
    ratios = {pair: _seconds(found, mode, pair) /
              _seconds(found, PLAIN, pair) for pair in both}
    longer = sorted((pair for pair, ratio in ratios.items()
                     if ratio > 1 + _TOLERANCE),
                    key=lambda pair: -ratios[pair])
    mean = statistics.geometric_mean(ratios.values())
    return Goal(f"{mode}: no pair takes longer than plain",
                f"at most {1 + _TOLERANCE:.2f} times as long",
                "longer: " + _listed(
                    [f"{target} beside {other} "
                     f"{ratios[(target, other)]:.2f} times"
                     for target, other in longer]) +
                f"; geometric mean of all pairs {mean:.2f} times as long",
                not longer, _times(found, mode, longer))


def goals(rows: Sequence[raw.Row]) -> List[Goal]:
    """The goals of the modes other than plain."""
    found = costs(rows)
    result: List[Optional[Goal]] = []
    for mode in workloads.modes_of(rows):
        both = _in_both(found, mode) if mode != PLAIN else {}
        if not both:
            continue
        result += [_worst_pair(found, both, mode),
                   _writers_keep(found, both, mode),
                   _readers_keep(found, both, mode),
                   _no_pair_worse(found, both, mode),
                   _no_pair_longer(found, both, mode)]
    return [goal for goal in result if goal is not None]
