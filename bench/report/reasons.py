"""Why a claim does not hold, according to the same run's measurements.

Uses only numbers of that run; if they do not explain it, the text is empty,
and the page says that the run does not tell.
"""

from __future__ import annotations

from typing import Dict, Optional, Sequence

from lib import micro, summary

from .collect import Result

RANDOM_ALONE, RANDOM_DEEP = "random 8 kB x1", "random 8 kB x32"
SEQUENTIAL_ALONE, SEQUENTIAL_DEEP = ("sequential 256 kB x1",
                                     "sequential 256 kB x8")
Entry = summary.Summary


def _ceiling(result: Result, name: str) -> Optional[float]:
    """Bytes per second of the device before the legs."""
    limits = (result.facts.get("ceiling") or {}).get("before") or {}
    return (limits.get("bytes_per_second") or {}).get(name)


def _speed(entry: Entry) -> Optional[float]:
    if entry.device_bytes is None or not entry.median:
        return None
    return entry.device_bytes / entry.median


def busy(result: Result, entry: Entry, name: str) -> str:
    """How much of the device a leg already used."""
    speed, most = _speed(entry), _ceiling(result, name)
    if speed is None or not most:
        return ""
    return (f"{entry.query.upper()} {entry.variant} already read "
            f"{speed / 1e6:.0f} MB/s, {speed / most:.0%} of what the device "
            f"gave for {name}")


def accesses(result: Result, index: Entry, hash_: Entry, deep: bool) -> str:
    """Device time of both plans, from their bytes and the ceilings."""
    names = (RANDOM_DEEP, SEQUENTIAL_DEEP) if deep else \
        (RANDOM_ALONE, SEQUENTIAL_ALONE)
    speeds = [_ceiling(result, name) for name in names]
    read = (index.device_bytes, hash_.device_bytes)
    if None in speeds or None in read or 0 in speeds:
        return ""
    seconds = [count / speed for count, speed in zip(read, speeds)]
    return (f"the index join read {read[0] / 1e6:.0f} MB, {seconds[0]:.2f} s "
            f"of this device at {names[0]} ({speeds[0] / 1e6:.0f} MB/s); the "
            f"hash join {read[1] / 1e6:.0f} MB, {seconds[1]:.2f} s at "
            f"{names[1]} ({speeds[1] / 1e6:.0f} MB/s)")


def most_of_any(found: Dict[str, micro.Speed], name: str) -> str:
    """A point next to the fastest read of the run."""
    reads = {point: entry.median for point, entry in found.items()
             if "write" not in point}
    best = max(reads, key=lambda point: reads[point])
    return (f"{name} gave {found[name].median / 1e6:.0f} MB/s, and no read "
            f"of this run more than {reads[best] / 1e6:.0f} MB/s ({best})")


def both(found: Dict[summary.Key, Entry], query: str, first: str,
         second: str) -> str:
    """Two legs' times, and whether they can be distinguished."""
    one, two = found[(query, first)], found[(query, second)]
    apart = one.interval[1] < two.interval[0] or \
        two.interval[1] < one.interval[0]
    return (f"{query.upper()} took {one.median:.3g} s ({first}) and "
            f"{two.median:.3g} s ({second}); their intervals "
            f"{'do not overlap' if apart else 'overlap'}")


def slower(found: Dict[summary.Key, Entry], bases: Sequence[str],
           variant: str) -> str:
    """The queries that a variant runs slower than the best of some others."""
    parts = []
    for (query, name), entry in sorted(found.items()):
        others = [found[(query, base)] for base in bases
                  if (query, base) in found]
        best = min(others, key=lambda other: other.median, default=None)
        if name == variant and best is not None and \
                entry.median > best.median:
            parts.append(f"{query.upper()} {entry.median:.2f} s "
                         f"({entry.plan}) against {best.median:.2f} s "
                         f"({best.plan})")
    return "slower: " + "; ".join(parts) if parts else ""
