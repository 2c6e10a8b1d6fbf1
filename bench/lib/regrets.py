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

AUTO = "auto"                   # ssdpar's choice
TRUE = "auto-true"              # the same, with the true row counts
DEFAULT = "default"             # without ssdpar
GOOD = 1.10
_CORES_DIVISOR = 0.3            # of a leader's part, per worker (core's)
# Parts of a plan that belong to its price, not to its shape.
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
    """Core's divisor of rows below a Gather (get_parallel_divisor)."""
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
    """The same for the lowest aggregation, below Gather and Sort."""
    for child in aggregate.get("Plans", []):
        if "Plan Rows" not in child:
            return None
        if "Workers Planned" in child:
            return float(child["Plan Rows"])
        return float(child["Plan Rows"]) * processes
    return None


def cardinality_error(leg: Leg) -> Optional[float]:
    """The factor by which too many or too few rows were expected."""
    real = leg.explained[0].get("Joined Rows")
    expected = estimated_rows(leg.explained[0]["Plan"])
    if real is None or expected is None:
        return None
    low, high = sorted((max(float(real), 1.0), max(expected, 1.0)))
    return high / low


def time_error(leg: Leg, seconds_per_cost: float) -> Optional[float]:
    """Predicted / actual execution time; None if it was not priced."""
    real = leg.explained[0].get("Execution Seconds")
    cost = leg.explained[0]["Plan"]["Total Cost"]
    if not real or leg.settings.get("ssdpar.enabled") == "off" or \
            leg.settings.get("ssdpar.cost_model") == "off" or cost > 1e9:
        return None
    return cost * seconds_per_cost / real


def _same(leg: Leg) -> Tuple[bool, str]:
    """Legs with the same key differ only by noise."""
    return (leg.settings.get("ssdpar.enabled") == "off",
            skeleton(leg.explained[0]["Plan"]))


@dataclass(frozen=True)
class Regret:
    """One query: the choice against the best of all candidates."""

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

    Candidates with the same plan are one, and their times are combined, so
    that a plan is not the best because it was measured more often.
    """
    groups = _groups(legs, variant)
    ours = [group for group in groups
            if any(leg.variant == variant for leg in group)]
    if not ours:
        return None
    # A plan can change between rounds, as memory does: use the most frequent.
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
    """The choice's time divided by the best plan's, as chosen by other rounds.

    The fastest of ten plans in the same runs is often only the luckiest one,
    so noise would count as regret.  Therefore, in each round the choice is
    compared with the plan that is the best in all other rounds. The result is
    the mean of the rounds' ratios, and may be below 1 if noise favored the
    choice.
    """
    ratios = []
    for round_ in sorted({leg.round for leg in chosen}):
        others = [group for group in groups if _but(group, round_)
                  and _of(group, round_)]
        if chosen in others:
            best = min(others, key=lambda group: _median(_but(group, round_)))
            ratios.append(_median(_of(chosen, round_)) /
                          _median(_of(best, round_)))
    if not ratios:              # a single round: use the runs themselves
        return _median(chosen) / min(map(_median, groups))
    return statistics.geometric_mean(ratios)


def _of(group: Group, round_: int) -> Group:
    return [leg for leg in group if leg.round == round_]


def _but(group: Group, round_: int) -> Group:
    return [leg for leg in group if leg.round != round_]


def _median(group: Sequence[Leg]) -> float:
    return statistics.median([leg.seconds for leg in group])


def noise(legs: Sequence[Leg]) -> List[float]:
    """How much longer a run took than the same one in the previous round."""
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
    """The smallest value that is not below this share."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def symmetric(errors: Iterable[float]) -> List[float]:
    """Twice and half are the same error."""
    return [max(error, 1 / error) for error in errors if error > 0]


def distribution(ratios: Sequence[float],
                 cut_off: Optional[Sequence[bool]] = None) -> str:
    """A sentence on many regrets.  One that timed out may be any larger."""
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

    Between two measured places, logarithms are interpolated linearly.
    """
    known = sorted(set(index) & set(hash_))
    for low, high in zip(known, known[1:]):
        first = math.log(index[low] / hash_[low])
        second = math.log(index[high] / hash_[high])
        if first <= 0 < second:
            return low * (high / low) ** (-first / (second - first))
    return None
