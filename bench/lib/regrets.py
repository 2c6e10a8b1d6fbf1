"""How good choices of plans were: regret, prediction errors, crossings.

Pure functions of legs; no server.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import (Any, Callable, Dict, Iterable, List, Optional, Sequence,
                    Tuple)

from . import statistics
from .legs import Leg

AUTO = "auto"                   # what ssdpar chose
TRUE = "auto-true"              # the same, knowing how many rows there are
DEFAULT = "default"             # without ssdpar
GOOD = 1.10
_CORES_DIVISOR = 0.3            # of a leader's part, by worker (core's)
# What of a plan is its price and not its shape.
_PRICE = ("Startup Cost", "Total Cost", "Plan Rows", "Plan Width",
          "Estimated Keys", "Estimated Kept", "Cost With",
          "Cost Without", "Left Out", "Filter", "Output")

Node = Dict[str, Any]


def skeleton(node: Node) -> str:
    """Equal for plans that do the same."""
    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: bare(part) for name, part in value.items()
                    if name not in _PRICE}
        if isinstance(value, list):
            return [bare(part) for part in value]
        return value
    return json.dumps(bare(node), sort_keys=True)


def parallel_divisor(workers: int) -> float:
    """What core divides rows by below a Gather (get_parallel_divisor)."""
    return workers + max(0.0, 1.0 - _CORES_DIVISOR * workers)


def estimated_rows(node: Node, processes: float = 1.0) -> Optional[float]:
    """Rows that the planner expected to aggregate, of all processes."""
    if "Workers Planned" in node:
        processes = parallel_divisor(int(node["Workers Planned"]))
    found = None
    for child in node.get("Plans", []):
        below = estimated_rows(child, processes)
        found = below if found is None else found
    if found is None and node.get("Node Type") == "Aggregate":
        return _rows_below(node, processes)
    return found


def _rows_below(aggregate: Node, processes: float) -> Optional[float]:
    """The same of the lowest aggregation, looking through Gather and Sort."""
    for child in aggregate.get("Plans", []):
        if "Plan Rows" not in child:
            return None
        if "Workers Planned" in child:
            return float(child["Plan Rows"])
        return float(child["Plan Rows"]) * processes
    return None


def cardinality_error(leg: Leg) -> Optional[float]:
    """How many times too many or too few rows were expected."""
    real = leg.explained[0].get("Joined Rows")
    expected = estimated_rows(leg.explained[0]["Plan"])
    if real is None or expected is None:
        return None
    low, high = sorted((max(float(real), 1.0), max(expected, 1.0)))
    return high / low


def time_error(leg: Leg, seconds_per_cost: float) -> Optional[float]:
    """Predicted over real execution time; None if it was not priced."""
    real = leg.explained[0].get("Execution Seconds")
    cost = leg.explained[0]["Plan"]["Total Cost"]
    if not real or leg.settings.get("ssdpar.enabled") == "off" or \
            leg.settings.get("ssdpar.cost_model") == "off" or cost > 1e9:
        return None
    return cost * seconds_per_cost / real


def _same(leg: Leg) -> Tuple[bool, str]:
    """Legs with the same key differ by noise alone."""
    return (leg.settings.get("ssdpar.enabled") == "off",
            skeleton(leg.explained[0]["Plan"]))


@dataclass(frozen=True)
class Regret:
    """One query: what was chosen against the best of all candidates."""

    query: str
    chosen: str                 # the plan
    best: str
    best_variant: str
    seconds: float
    best_seconds: float
    default_seconds: Optional[float]
    default_timed_out: bool     # it would have taken longer
    ratio: float                # of times; see _ratio()


Group = List[Leg]               # legs with the same plan


def _groups(legs: Sequence[Leg], variant: str) -> List[Group]:
    groups: Dict[Tuple[bool, str], Group] = {}
    for leg in legs:
        if leg.variant in (variant, AUTO, TRUE) and leg.variant != variant:
            continue
        if leg.timed_out and leg.variant != variant:
            continue
        groups.setdefault(_same(leg), []).append(leg)
    return list(groups.values())


def of_query(legs: Sequence[Leg], variant: str = AUTO) -> Optional[Regret]:
    """Regret of that variant; None if it has not run.

    Candidates whose plan is the same are one: their times are put together,
    so that a plan is not the best for having been measured more often.
    """
    groups = _groups(legs, variant)
    ours = [group for group in groups
            if any(leg.variant == variant for leg in group)]
    if not ours:
        return None
    # A plan can change between rounds, as memory does: the usual one counts.
    chosen = max(ours, key=lambda group: sum(leg.variant == variant
                                             for leg in group))
    best = min(groups, key=_median)
    plain = [leg for leg in legs if leg.variant == DEFAULT]
    return Regret(legs[0].query, str(chosen[0].shape), str(best[0].shape),
                  best[0].variant, _median(chosen), _median(best),
                  _median(plain) if plain else None,
                  any(leg.timed_out for leg in plain),
                  _ratio(groups, chosen))


def _ratio(groups: Sequence[Group], chosen: Group) -> float:
    """The choice's time over the best plan's, which other rounds have named.

    The fastest of ten plans in the very runs that are compared is often only
    the luckiest one: noise alone would count as regret.  So of each round
    the choice is held against the plan that is the best in all the others.
    The mean of the rounds' ratios; may be below 1, where noise was on the
    choice's side.
    """
    ratios = []
    for round_ in sorted({leg.round for leg in chosen}):
        others = [group for group in groups if _but(group, round_)
                  and _of(group, round_)]
        if chosen in others:
            best = min(others, key=lambda group: _median(_but(group, round_)))
            ratios.append(_median(_of(chosen, round_)) /
                          _median(_of(best, round_)))
    if not ratios:              # one round: the runs themselves have to do
        return _median(chosen) / min(map(_median, groups))
    return statistics.geometric_mean(ratios)


def _of(group: Group, round_: int) -> Group:
    return [leg for leg in group if leg.round == round_]


def _but(group: Group, round_: int) -> Group:
    return [leg for leg in group if leg.round != round_]


def _median(group: Sequence[Leg]) -> float:
    return statistics.median([leg.seconds for leg in group])


def noise(legs: Sequence[Leg]) -> List[float]:
    """How many times longer a run took than the same one a round before."""
    runs: Dict[Tuple[str, str], List[Leg]] = {}
    for leg in sorted(legs, key=lambda leg: leg.round):
        if not leg.timed_out:
            runs.setdefault((leg.query, leg.variant), []).append(leg)
    return symmetric(after.seconds / before.seconds
                     for same in runs.values()
                     for before, after in zip(same, same[1:])
                     if _same(before) == _same(after))


def by_query(legs: Iterable[Leg]) -> Dict[str, List[Leg]]:
    found: Dict[str, List[Leg]] = {}
    for leg in legs:
        found.setdefault(leg.query, []).append(leg)
    return found


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that so many are not above."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def symmetric(errors: Iterable[float]) -> List[float]:
    """Twice as much and half as much are the same error."""
    return [max(error, 1 / error) for error in errors if error > 0]


def distribution(ratios: Sequence[float],
                 cut_off: Optional[Sequence[bool]] = None) -> str:
    """A sentence on many regrets.  One that was cut off may be any larger."""
    cut = cut_off or [False] * len(ratios)
    most = [math.inf if late else ratio for ratio, late in zip(ratios, cut)]

    def said(figure: Callable[[Sequence[float]], float]) -> str:
        least = figure(ratios)
        return f">= {least:.2f}" if figure(most) > least else f"{least:.2f}"

    good = sum(ratio <= GOOD for ratio in ratios)
    return (f"{good} of {len(ratios)} ({good / len(ratios):.1%}) at most "
            f"{GOOD:.2f}; median {said(statistics.median)}, 95th percentile "
            f"{said(lambda values: quantile(values, 0.95))}, worst "
            f"{said(max)}" + (f"; {sum(cut)} cut off" if any(cut) else ""))


def crossing(index: Dict[int, float], hash_: Dict[int, float]
             ) -> Optional[float]:
    """Where the index plan stops being the cheaper one; None outside.

    Between two measured places logarithms are taken for straight.
    """
    known = sorted(set(index) & set(hash_))
    for low, high in zip(known, known[1:]):
        first = math.log(index[low] / hash_[low])
        second = math.log(index[high] / hash_[high])
        if first <= 0 < second:
            return low * (high / low) ** (-first / (second - first))
    return None
