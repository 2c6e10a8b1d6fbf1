"""The paper's statements on each figure, and whether a run confirms them.

"The paper" is Chen, Hou and Lee (2016); the numbers are its own, read from its
text, not from its plots.  A claim is judged by medians; the caveats next to it
tell how reliable those are.  Pure functions of raw numbers.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Tuple

import fig10
import power
import sweep
from lib import interference, micro, off_on, statistics
from lib import summary

from . import inside_claims, reasons, tablespaces_claims
from .claim import NOT_THERE, Claim
from .collect import Result

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
    "tpch": "Not in the paper: queries most of which ssdpar was not made "
            "for, without it and with it.",
    "inside": "Other papers. PAQ (2012): a queue below the mapping gains "
              "32.6 % bandwidth on average, 62.7 % at best, over one that "
              "knows logical addresses alone, and never loses. Amphibian "
              "(2018): reads before writes, small before large and nothing "
              "for chips that collect garbage take 22.9, 20.1 and 11.1 % "
              "off response times on three SSDs. Here all of it is "
              "simulated.",
    "tablespaces": "Several devices are another level of parallelism, and "
                   "both have to be kept busy: a RAID-0 of four gives large "
                   "parallel requests most, TPC-H 10 % (section 8). Here a "
                   "fact's partitions lie on tablespaces of their own.",
}


def _fig5(result: Result) -> List[Claim]:
    found = micro.speeds(result.rows)

    def speed(pattern: str, size: int, depth: int) -> float:
        return found[f"{pattern}-{size}-{depth}"].median
    small = speed("randread", 4, 32) / speed("randread", 4, 1)
    large = speed("randread", 256, 32) / speed("randread", 256, 1)
    near = speed("randread", 16, 32) / speed("read", 64, 1)
    return [Claim("4 kB random reads gain from depth 32", "7.2 times",
                  f"{small:.1f} times", small > 2,
                  reasons.most_of_any(found, "randread-4-1")),
            Claim("256 kB random reads gain less", "less",
                  f"{large:.1f} times", large < small,
                  reasons.most_of_any(found, "randread-256-1")),
            Claim("deep 16 kB random reads reach 64 kB sequential ones",
                  "1.02 of them", f"{near:.2f} of them", near > 0.8,
                  reasons.most_of_any(found, "randread-16-32"))]


def _table2(result: Result) -> List[Claim]:
    found = {name: entry.median
             for name, entry in micro.speeds(result.rows).items()}
    shares = {name: value / sum(found[part] for part in name.split("+"))
              for name, value in found.items() if "+" in name}
    best = max(shares.values())
    hurt = found["randread+write"] / found["write"]
    return [Claim("together less than the sum of both alone",
                  "81 % of it at best", f"{best:.0%} of it at best",
                  best < 1, _sums(found)),
            Claim("a random reader takes a sequential writer's bandwidth",
                  "both 53 % of the writer alone",
                  f"both {hurt:.0%} of the writer alone", hurt < 1,
                  _sums(found))]


def _sums(found: Dict[str, float]) -> str:
    return "MB/s in sum: " + ", ".join(
        f"{name} {value / 1e6:.0f}" for name, value in sorted(found.items()))


def _fig6(result: Result) -> List[Claim]:
    found = micro.speeds(result.rows)
    one, two, many = (found[f"direct-4-{n}"].median for n in (1, 2, 32))
    return [Claim("4 kB: a second stream costs bandwidth", "-43 %",
                  f"{two / one - 1:+.0%}", two < one,
                  f"{two / 2e6:.0f} MB/s each with two streams, "
                  f"{one / 1e6:.0f} alone: the device reads ahead for both"),
            Claim("more streams make up for it", "yes",
                  f"32 streams {many / one:.1f} times one", many > one,
                  reasons.most_of_any(found, "direct-4-1"))]


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
                  None if best_index is None else best_index > 1.5,
                  _busiest(result, "index", reasons.RANDOM_DEEP)),
            Claim("hash plans less than index plans", "up to 2 times",
                  _named(hash_), None if None in (best_index, best_hash)
                  else best_hash < best_index,
                  _idle_while_computing(found, result, index, hash_)),
            Claim("Q0, which only reads, less than hash plans", "1.4 times",
                  "not measured" if q0 is None else f"{q0:.1f} times",
                  None if None in (q0, best_hash) else q0 < best_hash,
                  _busiest(result, "hash", reasons.SEQUENTIAL_DEEP))]


def _idle_while_computing(found: Found, result: Result,
                          index: Dict[str, float], hash_: Dict[str, float]
                          ) -> str:
    """Device utilization of the plans that gain most."""
    parts = []
    for access, gains, ceiling in (
            ("index", index, reasons.RANDOM_DEEP),
            ("hash", hash_, reasons.SEQUENTIAL_DEEP)):
        best = max(gains, key=lambda name, gains=gains: gains[name],
                   default=None)
        if best is not None:
            parts.append(reasons.busy(result, found[(best, f"{access}-1")],
                                      ceiling))
    told = "; ".join(part for part in parts if part)
    return told and told + ("; the rest of the time they compute, and "
                            "processors share that too")


def _busiest(result: Result, access: str, ceiling: str) -> str:
    """Device utilization of the single plans."""
    parts = [reasons.busy(result, entry, ceiling)
             for (_, variant), entry in sorted(result.summaries().items())
             if variant == f"{access}-1"]
    return "; ".join(part for part in parts if part)


def _fig11(result: Result) -> List[Claim]:
    found = result.summaries()
    claims = []
    for value in sorted({int(variant.rsplit("-", 1)[1])
                         for _, variant in found}):
        changes = {query: entry.median /
                   found[(query, f"off-{value}")].median - 1
                   for (query, variant), entry in found.items()
                   if variant == f"daemon-{value}"
                   and (query, f"off-{value}") in found}
        if changes:
            claims.append(_prefetching(result, found, value, changes))
    return claims


def _prefetching(result: Result, found: Found, value: int,
                 changes: Dict[str, float]) -> Claim:
    """Time with the daemon against time without it, at one read-ahead."""
    best = min(changes, key=lambda name: changes[name])
    worst = max(changes, key=lambda name: changes[name])
    text = (f"time {changes[best]:+.0%} ({best.upper()}) to "
            f"{changes[worst]:+.0%} ({worst.upper()})")
    if result.special:
        return Claim(f"the daemon costs nothing, read_ahead_kb {value}",
                     NOT_THERE, text, changes[worst] < 0.05,
                     reasons.both(found, worst, f"off-{value}",
                                  f"daemon-{value}"))
    return Claim(f"the daemon saves time, read_ahead_kb {value}",
                 "-40 % at best (Q1.1)", text, changes[best] < -0.05,
                 reasons.busy(result, found[(best, f"off-{value}")],
                              reasons.SEQUENTIAL_DEEP))


def _percent(cell: Optional[interference.Slowdown]) -> str:
    return "not measured" if cell is None else \
        f"{cell.value:+.0%} ({cell.interval_text})"


def _readers(found: interference.Costs) -> List[Claim]:
    """The paper's two statements on pairs of readers."""
    plain = {(target, other): interference.slowdown(
        found, interference.PLAIN, target, other)
        for target in interference.READERS for other in interference.READERS}
    values = {pair: cell.value for pair, cell in plain.items()
              if cell is not None}
    if len(values) < len(plain):
        return []
    every = "slowdowns: " + ", ".join(
        f"{target} beside {other} {value:+.0%}"
        for (target, other), value in values.items())
    return [Claim("QR beside QR is the least of the readers' pairs", "+6 %",
                  _percent(plain[("QR", "QR")]),
                  values[("QR", "QR")] == min(values.values()), every),
            Claim("QR beside QS is the worst of them", "+181 %",
                  _percent(plain[("QR", "QS")]),
                  values[("QR", "QS")] == max(values.values()), every)]


def _fig12(result: Result) -> List[Claim]:
    found = interference.costs(result.rows)
    claims = _readers(found)
    q0 = interference.slowdown(found, interference.PLAIN, "Q0", "PM")
    if q0 is not None:
        claims.append(Claim("Q0 beside postmark gains nothing", "+0.9 %",
                            _percent(q0), q0.value > -0.05))
    return claims + [
        Claim(f"goal, {goal.text}", goal.wanted, goal.here, goal.holds,
              goal.why, True) for goal in interference.goals(result.rows)]


Fastest = Tuple[int, summary.Summary]


def _fastest(found: Found, query: str, access: str, only_one: bool
             ) -> Optional[Fastest]:
    """N and legs of a query's best split by that access, or of N=1."""
    values = [(int(variant.split("-")[1]), entry)
              for (name, variant), entry in found.items()
              if name == query and variant.split("-")[0] == access]
    values = [value for value in values if not only_one or value[0] == 1]
    return min(values, key=lambda value: value[1].median) if values else None


def _fig13(result: Result) -> List[Claim]:
    found, claims = result.summaries(), []
    paper = {"q2.2": ("1.9 times", "1.4 times")}
    for query in sorted({name for name, _ in found}):
        index, hash_ = (_fastest(found, query, access, True)
                        for access in ("index", "hash"))
        best, best_hash = (_fastest(found, query, access, False)
                           for access in ("index", "hash"))
        if None in (index, hash_, best, best_hash):
            continue
        ratio = index[1].median / hash_[1].median
        gain = best_hash[1].median / best[1].median
        said = paper.get(query, ("yes", "yes"))
        claims += [
            Claim(f"{query.upper()} alone: the hash join is faster", said[0],
                  f"{ratio:.2f} times", ratio > 1,
                  reasons.accesses(result, index[1], hash_[1], False)),
            Claim(f"{query.upper()} split: the index join is faster",
                  said[1], f"{gain:.2f} times (N={best[0]} against "
                  f"N={best_hash[0]})", gain > 1,
                  reasons.accesses(result, best[1], best_hash[1], True))]
    return claims


def crossings(result: Result) -> Dict[int, Dict[int, float]]:
    """Per number of subqueries: brands, and index time / hash time."""
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
            high > low, f"{low / sweep.ALL_BRANDS:.2%} of the fact with the "
            f"fewest subqueries, {high / sweep.ALL_BRANDS:.2%} with the "
            "most"))
    return claims


def _power(result: Result) -> List[Claim]:
    seconds: power.Seconds = {}
    found = result.summaries()
    for (query, variant), entry in found.items():
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
            # The other variants are only for comparison.
            ours = variant == "ssdpar"
            claims.append(Claim(
                f"{variant} against {text}", NOT_THERE,
                f"{mean:.2f} times as fast ({min(ratios):.2f} to "
                f"{max(ratios):.2f})", mean > 1 if ours else None,
                reasons.slower(found, ("default",) if base == "default"
                               else power.PLAIN, variant)))
    return claims


def _tpch(result: Result) -> List[Claim]:
    found = result.summaries()
    ratios = off_on.ratios(found)
    mean, lowest = statistics.geometric_mean(ratios.values()), \
        min(ratios, key=lambda query: ratios[query])
    why = reasons.slower(found, (off_on.OFF,), off_on.ON)
    return [Claim("on against off, geometric mean", NOT_THERE,
                  f"{mean:.2f} times as fast", None, why),
            Claim("on against off, the lowest", NOT_THERE,
                  f"{ratios[lowest]:.2f} times as fast "
                  f"({lowest.upper()})", None, why)]


_JUDGES: Dict[str, Callable[[Result], List[Claim]]] = {
    "fig5": _fig5, "table2": _table2, "fig6": _fig6, "fig10": _fig10,
    "fig11": _fig11, "fig12": _fig12, "fig13": _fig13, "sweep": _sweep,
    "power": _power, "tpch": _tpch,
    "inside": inside_claims.of, "tablespaces": tablespaces_claims.of}


def of(result: Result) -> List[Claim]:
    """The claims of a run's figure; of an interrupted one those it has."""
    try:
        return _JUDGES[result.scenario](result)
    except (KeyError, ValueError, ZeroDivisionError):
        return [Claim("the figure as a whole", "", "the run did not come far "
                      "enough to tell", None)]
