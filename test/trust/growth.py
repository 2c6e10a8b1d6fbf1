"""What part endurance watches, and when a series of samples has grown.

Pure: no server.  Two rules.  Under load memory goes up and down, so the least
of the last third of the samples is held against the least of the middle third;
the first third is for warming up.  What is counted while all sessions are idle
stays what it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence


@dataclass(frozen=True)
class Thing:
    name: str
    unit: str                       # "" where it is a number
    room: Optional[float] = None    # for the least to rise; None: not judged
    exact: bool = False             # counted when idle: always the same

    @property
    def title(self) -> str:
        return f"{self.name}, {self.unit}" if self.unit else self.name


STAR_QUERIES = "star queries"

# How much may come and go, and why.
THINGS = (
    # The heap's top moves by 132 kB at a time: twice, when more sessions and
    # ranges are there at a time than ever before, as on a machine that is
    # busy with something else.
    Thing("daemon memory", "kB", 264),
    # It does nothing but wait.
    Thing("supervisor memory", "kB", 16),
    # Core's caches take entries, and double their hash tables; pages of blocks
    # are touched bit by bit, and plans differ in what they need.
    Thing("backend memory", "kB", 512),
    # What the same caches hold when nothing runs.
    Thing("backend contexts", "kB", 48),
    # Of all sessions that stay: one more block of 8 kB each.
    Thing("contexts of ssdpar", "kB", 24),
    Thing("daemon descriptors", "", exact=True),
    Thing("supervisor descriptors", "", exact=True),
    # Core keeps files open that it may come back to, so many of each table.
    Thing("backend descriptors", "", 12),
    Thing("daemon sessions", "", exact=True),
    Thing("daemon files", "", exact=True),
    Thing("shared memory", "bytes", exact=True),
    Thing("rows of pg_stat_ssdpar", "", exact=True),
    Thing("files in the data directory", "", exact=True),
    # A line of ssdpar's is a finding by itself.
    Thing("log", "bytes"),
)
NAMED = {thing.name: thing for thing in THINGS}


def risen(values: Sequence[float]) -> float:
    """By how much the least of the last third is above the middle one's."""
    count = len(values)
    middle = values[count // 3:2 * count // 3]
    last = values[2 * count // 3:]
    return min(last) - min(middle) if middle else 0.0


def problem(thing: Thing, values: Sequence[float]) -> Optional[str]:
    """What is wrong with a series, None if it is flat."""
    if thing.exact and len(set(values)) > 1:
        return f"{values[0]:g} became {values[-1]:g} between idle times"
    if thing.room is not None and risen(values) > thing.room:
        return f"has risen by {risen(values):g} {thing.unit}"
    return None


def problems(series: Dict[str, List[float]]) -> Dict[str, str]:
    found = {name: problem(NAMED[name], values)
             for name, values in series.items() if name in NAMED}
    return {name: words for name, words in found.items() if words}
