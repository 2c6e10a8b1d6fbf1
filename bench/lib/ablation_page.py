"""The page of ./run bench ablation, from the raw numbers of its runs."""

from __future__ import annotations

import json
import os
from typing import Dict, Iterable, List, Optional, Sequence

from . import ablation, features, raw, results, statistics
from .ablation import Effect, Planned
from .errors import UserError

_PAYS, _TWICE = 1.03, 2         # the rule: a mean, and times as many queries


def planned(rows: Sequence[raw.Row]) -> Dict[str, Planned]:
    """plans.csv by query."""
    found: Dict[str, Planned] = {}
    for row in rows:
        one = found.setdefault(row["query"], Planned({}, {}))
        variant, took = row["variant"], float(row["planning_ms"])
        one.shapes.setdefault(variant, []).append(row["shape"])
        one.planning[variant] = min(took, one.planning.get(variant, took))
    return found


def _shape_text(directory: str, name: str) -> str:
    with open(os.path.join(directory, "shapes", f"{name}.json")) as file:
        return file.read()


def runs(query: str, plans: Planned, counts: Sequence[raw.Row],
         directory: str, variants: Iterable[str]) -> Dict[str, str]:
    """What is run of a query for each relevant variant."""
    counted = {name: float(row[name]) for row in reversed(counts)
               if (row["query"], row["variant"]) == (query, "all")
               for name in ("requests", "local_blocks")}
    text = _shape_text(directory, plans.shapes["all"][0])
    executes = {f"-{name}": feature.executes(text, counted)
                for name, feature in features.FEATURES.items()}
    executes.update({f"-{group}": any(executes[f"-{name}"] for name in names)
                     for group, names in features.GROUPS.items()})
    return ablation.to_time(
        plans, [variant for variant in variants
                if variant not in ("all", "core", "star")], executes)


def _by_leg(rows: Sequence[raw.Row], column: str) -> ablation.Times:
    found: ablation.Times = {}
    for row in rows:
        if row["round"] != "0":
            found.setdefault((row["query"], row["variant"]),
                             []).append(float(row[column]))
    return found


class Found:
    """The raw numbers of one run."""

    def __init__(self, directory: str) -> None:
        facts = results.read_facts(directory)
        if "ablation" not in facts:
            raise UserError(f"{directory} is no run of ablation.")
        self.facts = facts["ablation"]
        self.queries: List[str] = self.facts["queries"]
        self.directory = directory
        self.plans = planned(self._rows("plans.csv"))
        self.legs = self._rows("legs.csv")
        self.counts = self._rows("counts.csv")
        self.rounds = max((int(row["round"]) for row in self.legs), default=0)
        self.times = _by_leg(self.legs, "seconds")
        self.work = {name: _by_leg(self.counts, name)
                     for name in ("processor_seconds", "blocks_read")}

    def _rows(self, name: str) -> List[raw.Row]:
        path = os.path.join(self.directory, name)
        return raw.read(path)[1] if os.path.exists(path) else []

    def _planning(self, variant: str) -> float:
        return sum(self.plans[query].planning[variant]
                   for query in self.queries)

    def _runs(self, variant: str) -> Dict[str, str]:
        """What was run for it, for queries where it differs."""
        names = list(self.plans[self.queries[0]].shapes)
        found = {query: runs(query, self.plans[query], self.counts,
                             self.directory, names)
                 for query in self.queries}
        return {query: one[variant] for query, one in found.items()
                if variant in one}

    def effect(self, variant: str) -> Optional[Effect]:
        """Of a feature; None if it was not requested."""
        if any(variant not in self.plans[query].shapes
               for query in self.queries):
            return None
        base = ablation.base_of(variant)
        return ablation.effect(
            variant, base, self.queries, self.times, self._runs(variant),
            self._planning(variant) / max(self._planning(base), 1e-9))

    def work_ratio(self, variant: str, what: str) -> float:
        """Of processor seconds or blocks, without / with."""
        return ablation.effect(
            variant, ablation.base_of(variant), self.queries,
            self.work[what], self._runs(variant), 0.0).mean

    def against_core(self) -> Dict[str, float]:
        """Core's time divided by that with all features."""
        middle = statistics.median
        return {query: middle(self.times[(query, "core")]) /
                middle(self.times[(query, "all")]) for query in self.queries
                if {(query, "core"), (query, "all")} <= self.times.keys()}

    def title(self) -> str:
        return (f"{self.facts['workload']}, scale {self.facts['scale']:g}, "
                f"{'cached' if self.facts['hot'] else 'cold'}")


def _verdict(one: Effect, slower: int, rounds: int) -> str:
    """By the rule; if rounds are on both sides of the mean, it is undecided.
    """
    if len(one.ratios) < 2:
        return "not timed"
    if rounds < 2:
        return "one round"
    if one.low >= _PAYS:
        return "pays"
    if one.slower is not None and slower and one.slower >= _TWICE * slower:
        return "pays: queries"
    if one.high < _PAYS:
        return "costs" if one.high < 1 / _PAYS else "does not pay"
    return "undecided"


def _effect_row(found: Found, one: Effect, slower: int) -> List[str]:
    times = len(one.ratios) > 1
    worst, best = one.lowest, one.highest
    return [one.name, str(one.differing), str(one.timed),
            f"{one.mean:.3f}" if times else "",
            f"{one.low:.3f} to {one.high:.3f}" if times else "",
            *(f"{found.work_ratio(one.name, what):.3f}" if times else ""
              for what in found.work),
            f"{worst[1]:.2f} ({worst[0]})" if worst[1] < 1 and times else "",
            f"{best[1]:.2f} ({best[0]})" if best[1] > 1 and times else "",
            str(one.below) if times else "",
            str(one.slower) if times else "", f"{one.planning:.2f}",
            _verdict(one, slower, found.rounds)]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in
             [head, ["---"] * len(head), *rows]]
    return "\n".join(lines) + "\n"


def _of_run(found: Found) -> str:
    gains = found.against_core()
    names = features.variants()
    base = [query for query in found.queries]
    slower = ablation.slower_than_core(found.times, base,
                                       {query: "all" for query in base})
    effects = [one for one in map(found.effect,
                                  [name for name in names
                                   if name not in ("all", "core", "star")])
               if one is not None]
    text = f"### {found.title()}\n\n"
    if gains:
        below = sorted((ratio, query) for query, ratio in gains.items()
                       if ratio < ablation.SLOWER)
        cut = {f"{row['query']} {row['variant']}" for row in found.legs
               if row["timed_out"] == "1"}
        text += (
            f"Core's time over that with everything, {len(gains)} queries, "
            f"{found.rounds} rounds: geometric mean "
            f"{statistics.geometric_mean(gains.values()):.2f}, lowest "
            f"{min(gains.values()):.2f}. Below {ablation.SLOWER:g}: "
            + (", ".join(f"{query} {ratio:.2f}" for ratio, query in below)
               or "none") + f". Cut off: {', '.join(sorted(cut)) or 'none'}."
            "\n\n")
    same = [one for one in effects if one.differing == 0]
    if same:
        text += ("The same plan in every query, and nothing else counted, with "
                 "and without: " + ", ".join(one.name for one in same) +
                 ".\n\n")
    return text + _table(
        ("variant", "queries that differ", "timed", "mean", "its rounds",
         "processor", "blocks", "lowest",
         "highest", f"below {ablation.SLOWER:g}", "slower than core",
         "planning time", "by the rule"),
        [_effect_row(found, one, slower) for one in effects
         if one.differing])


def _stands_on() -> str:
    """The code, settings and server contacts of each feature."""
    rows = []
    for name, feature in features.FEATURES.items():
        rows.append([name, f"{feature.lines():,}", " ".join(feature.settings),
                     str(len(feature.contacts()))])
    return _table(("feature", "lines", "settings", "contacts"), rows)


def page(directories: Sequence[str]) -> str:
    """Markdown of all of them."""
    parts = [_of_run(Found(directory)) for directory in directories]
    return ("\n".join(parts) + "\n### What each has\n\n" + _stands_on() +
            "\n" + json.dumps(directories) + "\n")
