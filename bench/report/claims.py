"""What the paper says of each figure, and whether a run bears it out.

"The paper" is Chen, Hou and Lee (2016); the numbers are its own, read from
its text, not from its plots.  A claim is judged by medians; how far those can
be trusted stands beside it, in the caveats.  Pure functions of raw numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Tuple

import fig10
import fig12
import power
import sweep
from lib import micro, statistics, summary

from .collect import Result

HOLDS, DIFFERS, OPEN = "holds", "differs", "cannot be said"
NOTED = "no claim"
NOT_THERE = "not in the paper"


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper (or a goal), its number and ours."""

    text: str
    paper: str
    here: str
    holds: Optional[bool]

    @property
    def verdict(self) -> str:
        if self.holds is None:
            return NOTED if self.paper == NOT_THERE else OPEN
        return HOLDS if self.holds else DIFFERS


SAW: Dict[str, str] = {
    "fig5": "Small random reads gain most from depth: 4 kB reads of SSD-S "
            "are 7.2 times faster in sum at depth 32 than at 1. Deep 16 kB "
            "random reads (225.5 MB/s) reach 64 kB sequential ones at depth "
            "1 (221.3 MB/s). Large requests gain less (section 6.1).",
    "table2": "A reader and a writer together never reach the sum of both "
              "alone, and random reads hurt most: sequential writes alone "
              "61.4 MB/s, with a random reader 32.8 MB/s for both "
              "(section 6.2).",
    "fig6": "A second sequential stream spoils the device's read-ahead: at "
            "4 kB the sum of both is 43 % below one stream alone; more "
            "streams make up for it (section 6.3).",
    "fig10": "Split in subqueries, index plans become up to 5 times faster, "
             "hash plans up to 2 times, Q0, which only reads, 1.4 times "
             "(section 7.2).",
    "fig11": "A daemon that reads ahead of the scan takes up to 40 % off a "
             "hash plan (Q1.1) (section 7.3).",
    "fig12": "Two random readers disturb each other least (QR/QR: 6 %), a "
             "sequential one disturbs a random one most (QR beside QS: "
             "181 %). Q0 beside postmark: 0.9 % (section 7.4).",
    "fig13": "Alone the hash join wins (Q2.2: 1.9 times faster), split the "
             "index join (Q2.2: 1.4 times): the planner cannot be right "
             "without knowing of parallelism (section 7.5).",
    "sweep": "Not in the paper. Where its two queries do not cross on a "
             "device, this finds the share of the fact table at which they "
             "would.",
    "power": "Not in the paper: all queries with stock settings, with the "
             "usual advice for SSDs, and with ssdpar.",
}


def _fig5(result: Result) -> List[Claim]:
    found = micro.speeds(result.rows)

    def speed(pattern: str, size: int, depth: int) -> float:
        return found[f"{pattern}-{size}-{depth}"].median
    small = speed("randread", 4, 32) / speed("randread", 4, 1)
    large = speed("randread", 256, 32) / speed("randread", 256, 1)
    near = speed("randread", 16, 32) / speed("read", 64, 1)
    return [Claim("4 kB random reads gain from depth 32", "7.2 times",
                  f"{small:.1f} times", small > 2),
            Claim("256 kB random reads gain less", "less",
                  f"{large:.1f} times", large < small),
            Claim("deep 16 kB random reads reach 64 kB sequential ones",
                  "1.02 of them", f"{near:.2f} of them", near > 0.8)]


def _table2(result: Result) -> List[Claim]:
    found = {name: entry.median
             for name, entry in micro.speeds(result.rows).items()}
    shares = {name: value / sum(found[part] for part in name.split("+"))
              for name, value in found.items() if "+" in name}
    best = max(shares.values())
    hurt = found["randread+write"] / found["write"]
    return [Claim("together less than the sum of both alone",
                  "81 % of it at best", f"{best:.0%} of it at best",
                  best < 1),
            Claim("a random reader takes a sequential writer's bandwidth",
                  "both 53 % of the writer alone",
                  f"both {hurt:.0%} of the writer alone", hurt < 1)]


def _fig6(result: Result) -> List[Claim]:
    found = micro.speeds(result.rows)
    one, two, many = (found[f"direct-4-{n}"].median for n in (1, 2, 32))
    return [Claim("4 kB: a second stream costs bandwidth", "-43 %",
                  f"{two / one - 1:+.0%}", two < one),
            Claim("more streams make up for it", "yes",
                  f"32 streams {many / one:.1f} times one", many > one)]


Found = Dict[summary.Key, summary.Summary]


def _best_gain(found: Found, query: str, access: str) -> Optional[float]:
    """Speed-up of the best N against N=1."""
    numbers = {int(variant.split("-")[1]): entry.median
               for (name, variant), entry in found.items()
               if name == query and variant.split("-")[0] == access}
    if 1 not in numbers or len(numbers) < 2:
        return None
    return numbers[1] / min(numbers.values())


def _gains(found: Found, access: str) -> Dict[str, float]:
    gains = {query: _best_gain(found, query, access)
             for query in fig10.PLANS[access]}
    return {query: gain for query, gain in gains.items() if gain is not None}


def _named(gains: Dict[str, float]) -> str:
    if not gains:
        return "not measured"
    best = max(gains, key=lambda name: gains[name])
    return f"{gains[best]:.1f} times ({best.upper()})"


def _fig10(result: Result) -> List[Claim]:
    found = result.summaries()
    index, hash_ = _gains(found, "index"), _gains(found, "hash")
    q0 = hash_.pop("q0", None)
    best_index, best_hash = (max(gains.values(), default=None)
                             for gains in (index, hash_))
    return [Claim("index plans become faster by splitting",
                  "up to 5 times", _named(index),
                  None if best_index is None else best_index > 1.5),
            Claim("hash plans less than index plans", "up to 2 times",
                  _named(hash_), None if None in (best_index, best_hash)
                  else best_hash < best_index),
            Claim("Q0, which only reads, less than hash plans", "1.4 times",
                  "not measured" if q0 is None else f"{q0:.1f} times",
                  None if None in (q0, best_hash) else q0 < best_hash)]


def _fig11(result: Result) -> List[Claim]:
    found = result.summaries()
    claims = []
    for value in sorted({int(variant.rsplit("-", 1)[1])
                         for _, variant in found}):
        saved = {query: 1 - entry.median / found[(query,
                                                  f"off-{value}")].median
                 for (query, variant), entry in found.items()
                 if variant == f"daemon-{value}"
                 and (query, f"off-{value}") in found}
        if not saved:
            continue
        best = max(saved, key=lambda name: saved[name])
        worst = min(saved, key=lambda name: saved[name])
        if result.special:
            claims.append(Claim(
                f"costs nothing, read_ahead_kb {value}", NOT_THERE,
                f"{-saved[worst]:+.0%} at worst ({worst.upper()})",
                saved[worst] > -0.05))
            continue
        claims.append(Claim(
            f"the daemon saves time, read_ahead_kb {value}",
            "up to 40 % (Q1.1)",
            f"up to {saved[best]:.0%} ({best.upper()}), at least "
            f"{saved[worst]:.0%} ({worst.upper()})", saved[best] > 0.05))
    return claims


def _percent(value: Optional[float]) -> str:
    return "not measured" if value is None else f"{value:+.0%}"


def _fig12(result: Result) -> List[Claim]:
    found = fig12.costs(result.rows)
    pairs = [(target, other) for target in fig12.READERS
             for other in fig12.READERS]
    plain = {pair: fig12.degradation(found, "plain", *pair)
             for pair in pairs}
    rr, rs = plain[("QR", "QR")], plain[("QR", "QS")]
    claims = []
    if None not in plain.values():
        values = [value for value in plain.values() if value is not None]
        claims += [
            Claim("QR beside QR is the least of the readers' pairs", "+6 %",
                  _percent(rr), rr == min(values)),
            Claim("QR beside QS is the worst of them", "+181 %",
                  _percent(rs), rs == max(values))]
        worst = max(plain, key=lambda pair: plain[pair] or 0.0)
        after = fig12.degradation(found, "daemon", *worst)
        before = plain[worst]
        if after is not None and before is not None:
            claims.append(Claim(
                f"goal: the daemon halves the worst readers' pair ({worst[0]}"
                f" beside {worst[1]})", f"at most {before / 2:+.0%}",
                f"{before:+.0%} to {after:+.0%}", after <= before / 2))
    q0 = fig12.degradation(found, "plain", "Q0", "PM")
    if q0 is not None:
        claims.append(Claim("Q0 beside postmark gains nothing", "+0.9 %",
                            _percent(q0), q0 > -0.05))
    return claims


def _fastest(found: Found, query: str, access: str, only_one: bool
             ) -> Optional[Tuple[float, int]]:
    values = [(entry.median, int(variant.split("-")[1]))
              for (name, variant), entry in found.items()
              if name == query and variant.split("-")[0] == access]
    values = [value for value in values if not only_one or value[1] == 1]
    return min(values) if values else None


def _fig13(result: Result) -> List[Claim]:
    found, claims = result.summaries(), []
    paper = {"q2.2": ("1.9 times", "1.4 times")}
    for query in sorted({name for name, _ in found}):
        alone = [_fastest(found, query, access, True)
                 for access in ("index", "hash")]
        best = [_fastest(found, query, access, False)
                for access in ("index", "hash")]
        if None in alone or None in best:
            continue
        ratio = alone[0][0] / alone[1][0]
        gain = best[1][0] / best[0][0]
        said = paper.get(query, ("yes", "yes"))
        claims += [
            Claim(f"{query.upper()} alone: the hash join is faster", said[0],
                  f"{ratio:.2f} times", ratio > 1),
            Claim(f"{query.upper()} split: the index join is faster",
                  said[1], f"{gain:.2f} times (N={best[0][1]} against "
                  f"N={best[1][1]})", gain > 1)]
    return claims


def crossings(result: Result) -> Dict[int, Dict[int, float]]:
    """Per number of subqueries: brands, and index time over hash time."""
    found = result.summaries()
    ratios: Dict[int, Dict[int, float]] = {}
    for (query, variant), entry in found.items():
        access, n = variant.split("-")
        other = found.get((query, f"hash-{n}"))
        if access == "index" and other is not None:
            ratios.setdefault(int(n), {})[int(query[len("brands"):])] = \
                entry.median / other.median
    return ratios


def _sweep(result: Result) -> List[Claim]:
    ratios = crossings(result)
    claims = [Claim(f"crossing, N={n}", NOT_THERE,
                    sweep.verdict(n, values), None)
              for n, values in sorted(ratios.items())]
    places = {n: sweep.crossing(values) for n, values in ratios.items()}
    low, high = (places[n] for n in (min(places), max(places)))
    if len(places) > 1 and low is not None and high is not None:
        claims.append(Claim(
            "splitting moves the crossing to larger shares",
            "follows from section 7.5", f"{high / low:.1f} times as far",
            high > low))
    return claims


def _power(result: Result) -> List[Claim]:
    seconds: power.Seconds = {}
    for (query, variant), entry in result.summaries().items():
        seconds.setdefault(query, {})[variant] = entry.median
    seconds = power.with_oracle(seconds)
    claims = []
    for variant in power.VARIANTS:
        for base, text in (("default", "stock defaults"),
                           ("oracle", "the best stock plan of each query")):
            ratios = power.ratios(seconds, base, variant)
            if not ratios or variant in ("default", base) or \
                    (base == "oracle" and variant in power.PLAIN):
                continue
            mean = statistics.geometric_mean(ratios)
            ours = variant not in power.PLAIN
            claims.append(Claim(
                f"{variant} against {text}", NOT_THERE,
                f"{mean:.2f} times as fast ({min(ratios):.2f} to "
                f"{max(ratios):.2f})", mean > 1 if ours else None))
    return claims


_JUDGES: Dict[str, Callable[[Result], List[Claim]]] = {
    "fig5": _fig5, "table2": _table2, "fig6": _fig6, "fig10": _fig10,
    "fig11": _fig11, "fig12": _fig12, "fig13": _fig13, "sweep": _sweep,
    "power": _power}


def of(result: Result) -> List[Claim]:
    """The claims of a run's figure; of an interrupted one those it has."""
    try:
        return _JUDGES[result.scenario](result)
    except (KeyError, ValueError, ZeroDivisionError):
        return [Claim("the figure as a whole", "", "the run did not come far "
                      "enough to tell", None)]
