"""Plans and figures of ./run bench ablation: no server, no file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

from . import legs, statistics
from .legs import Leg

SLOWER = 0.95
_LEAST = 1e-3
# Integers that are part of a plan; all other numbers are estimates.
_KEPT = ("Workers Planned", "Subqueries")
_LEFT_OUT = ("Output", "Predicted", "Cost", "Planning", "Expected", "Rows",
             "Query Identifier", "Settings", "Query Text", "Seconds", "Star",
             "Not Used")


def normalized(part: Any, name: str = "") -> Any:
    """A plan without its estimates; None for an estimate."""
    if isinstance(part, dict):
        return {key: value for key, value in
                ((key, normalized(value, key)) for key, value in part.items()
                 if key == "Plans" or
                 not any(word in key for word in _LEFT_OUT))
                if value is not None}
    if isinstance(part, list):
        return [normalized(one, name) for one in part]
    if isinstance(part, (int, float)) and not isinstance(part, bool) \
            and name not in _KEPT:
        return None
    return part


def shape(explained: List[Dict[str, Any]]) -> str:
    """The text of a plan's shape; equal texts mean the same plan."""
    return json.dumps(normalized(explained[0]["Plan"]), sort_keys=True)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def plans_script(text: str, variants: Sequence[Tuple[str, legs.Settings]]
                 ) -> str:
    """SQL that plans a statement under one variant after another."""
    return "".join(
        f"RESET ALL;\n{legs.set_text(settings)}"
        f"EXPLAIN (FORMAT JSON, SUMMARY)\n{text}\n;\n"
        for _, settings in variants)


def read_plans(out: str) -> List[List[Dict[str, Any]]]:
    """Its results."""
    decoder, found, text = json.JSONDecoder(), [], out.lstrip()
    while text:
        plan, end = decoder.raw_decode(text)
        found.append(plan)
        text = text[end:].lstrip()
    return found


@dataclass(frozen=True)
class Planned:
    """Plans of a query: for each variant the observed shapes."""

    shapes: Dict[str, List[str]]
    planning: Dict[str, float]          # milliseconds, the shortest

    def differs(self, variant: str, base: str) -> bool:
        """Never compared with one plan of the base, because those may vary."""
        return not set(self.shapes[variant]) & set(self.shapes[base])


def base_of(variant: str) -> str:
    return "star" if variant.startswith("star+") else "all"


def to_time(planned: Planned, variants: Iterable[str],
            executes: Dict[str, bool]) -> Dict[str, str]:
    """The variants of a query that should be timed, with what runs for them.

    If a variant has the same plan as another, only the other is run. executes
    has those that may differ with the same plan.
    """
    runs: Dict[Tuple[str, str], str] = {}
    result: Dict[str, str] = {}
    for variant in variants:
        base = base_of(variant)
        if planned.differs(variant, base):
            key = (base, planned.shapes[variant][-1])
            result[variant] = runs.setdefault(key, variant)
        elif executes.get(variant, False):
            result[variant] = variant
    return result


@dataclass(frozen=True)
class Effect:
    """Of one feature, over all queries of a workload."""

    name: str
    ratios: Dict[str, float]            # time without / time with; 1: the same
    differing: int                      # queries
    timed: int                          # of these, both
    low: float                          # the mean's bootstrapped interval
    high: float
    slower: Optional[int]               # than core, without it
    planning: float                     # time without / time with

    @property
    def mean(self) -> float:
        return statistics.geometric_mean(self.ratios.values())

    @property
    def lowest(self) -> Tuple[str, float]:
        return min(self.ratios.items(), key=lambda item: item[1])

    @property
    def highest(self) -> Tuple[str, float]:
        return max(self.ratios.items(), key=lambda item: item[1])

    @property
    def below(self) -> int:
        return sum(ratio < SLOWER for ratio in self.ratios.values())


Times = Dict[Tuple[str, str], List[float]]          # by query and variant


def times_of(done: Sequence[Leg]) -> Times:
    found: Times = {}
    for leg in done:
        found.setdefault((leg.query, leg.variant), []).append(leg.seconds)
    return found


def slower_than_core(times: Times, queries: Sequence[str],
                     runs: Dict[str, str]) -> int:
    """Queries that take longer than core's, in the runs for each."""
    middle = statistics.median
    return sum(
        middle(times[(query, "core")]) /
        middle(times[(query, runs[query])]) < SLOWER
        for query in queries if (query, "core") in times
        and (query, runs[query]) in times)


def effect(name: str, base: str, queries: Sequence[str], times: Times,
           runs: Dict[str, str], planning: float) -> Effect:
    """runs: the variant that was run for it, for queries where it differs."""
    # of an interrupted run, the queries that were reached
    queries = [query for query in queries
               if (query, base) in times] or list(queries)
    ratios = {query: 1.0 for query in queries}
    per_round: List[List[float]] = []
    for query, run in runs.items():
        with_, without = times.get((query, base)), times.get((query, run))
        if query in ratios and (not with_ or not without):
            del ratios[query]
        if not with_ or not without:
            continue
        # avoid a division by zero, for queries that read nothing
        pairs = [(max(one, _LEAST), max(other, _LEAST)) for one, other
                 in zip(without, with_)]
        ratios[query] = statistics.median([one for one, _ in pairs]) / \
            statistics.median([other for _, other in pairs])
        per_round.append([one / other for one, other in pairs])
    rounds = min(map(len, per_round), default=0)
    means = [statistics.geometric_mean(
        [one[number] for one in per_round] +
        [1.0] * (len(ratios) - len(per_round)))
        for number in range(rounds)] or [1.0]
    as_run = {query: runs.get(query, base) for query in queries}
    if not per_round and runs:
        ratios = {"none": 1.0}
    return Effect(name, ratios, len(runs), len(per_round), min(means),
                  max(means),
                  slower_than_core(times, queries, as_run), planning)
