"""Gains of a fact on several devices, compared with the goals."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

from lib import summary, tablespaces

from .claim import NOT_THERE, Claim
from .collect import Result

GOALS = {2: 1.9, 4: 3.6}
Panels = Callable[[int, float], Tuple[Any, List[Any]]]


def speed_ups(result: Result) -> Dict[str, Dict[int, float]]:
    """By speed and access: the speed-up over one device."""
    found: Dict[str, Dict[int, float]] = {}
    medians: Dict[summary.Key, summary.Summary] = result.summaries()
    for (query, devices), entry in medians.items():
        alone = medians.get((query, "1"))
        if alone is not None:
            found.setdefault(query, {})[int(devices)] = \
                alone.median / entry.median
    return found


def _why(result: Result, query: str, devices: int) -> str:
    entry = result.summaries()[(query, str(devices))]
    read = entry.device_bytes or 0
    return (f"{read / entry.median / 1e6:.0f} MB/s of all devices together; "
            "at full speed the processors, which are the devices as well, "
            "end it")


def of(result: Result) -> List[Claim]:
    claims = []
    for query, found in speed_ups(result).items():
        # the goal is for devices that are slower than the processors
        judged = query.startswith("one channel") and \
            not query.endswith("off")
        for devices, wanted in GOALS.items():
            if devices not in found:
                continue
            claims.append(Claim(
                f"{query}: {devices} devices against one",
                f"{wanted} times" if judged else NOT_THERE,
                f"{found[devices]:.2f} times",
                found[devices] >= wanted if judged else None,
                _why(result, query, devices), judged))
    return claims


def draw(result: Result, panels: Panels) -> Any:
    """One panel per speed, one line per access."""
    ups = speed_ups(result)
    speeds = [speed for speed in tablespaces.SPEEDS
              if any(query.startswith(f"{speed}, ") for query in ups)]
    figure, axes = panels(len(speeds), 2.8)
    for axis, speed in zip(axes, speeds):
        for query, found in ups.items():
            if query.startswith(f"{speed}, "):
                axis.plot(list(found), list(found.values()), marker="o",
                          ms=3, label=query.split(", ")[1])
        axis.plot(tablespaces.COUNTS, tablespaces.COUNTS, lw=0.8,
                  color="black", label="ideal")
        axis.set_title(speed)
        axis.set_xticks(tablespaces.COUNTS)
        axis.set_xlabel("devices")
        axis.set_ylabel("times as fast as one")
        axis.legend(fontsize=7)
    return figure
