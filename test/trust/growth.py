"""The quantities that part endurance watches, and when one has grown.

Pure: no server.  There are two rules.  Under load, memory fluctuates, so the
minimum of the last third of the samples is compared with that of the middle
third; the first third is for warming up.  Quantities that are counted while
all sessions are idle must not change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence


@dataclass(frozen=True)
class Thing:
    name: str
    unit: str                       # "" for a number
    room: Optional[float] = None    # allowed increase; None: not judged
    exact: bool = False             # counted when idle: constant

    @property
    def title(self) -> str:
        return f"{self.name}, {self.unit}" if self.unit else self.name


STAR_QUERIES = "star queries"

# How much may fluctuate, and why.
THINGS = (
    # The top of the heap moves by 132 kB at a time: twice, if there are more
    # sessions and ranges than ever before, as on a machine that is busy with
    # other work.
    Thing("daemon memory", "kB", 264),
    # It only waits.
    Thing("supervisor memory", "kB", 16),
    # Core's caches get entries and double their hash tables; pages of blocks
    # are touched gradually, and plans need different amounts.
    Thing("backend memory", "kB", 512),
    # Memory of the same caches when nothing runs.
    Thing("backend contexts", "kB", 48),
    # For all permanent sessions: one more block of 8 kB each.
    Thing("contexts of ssdpar", "kB", 24),
    Thing("daemon descriptors", "", exact=True),
    Thing("supervisor descriptors", "", exact=True),
    # Core keeps files open for later use, a limited number per table.
    Thing("backend descriptors", "", 12),
    Thing("daemon sessions", "", exact=True),
    Thing("daemon files", "", exact=True),
    Thing("shared memory", "bytes", exact=True),
    Thing("rows of pg_stat_ssdpar", "", exact=True),
    Thing("files in the data directory", "", exact=True),
    # A line of ssdpar's is itself a finding.
    Thing("log", "bytes"),
)
NAMED = {thing.name: thing for thing in THINGS}


def risen(values: Sequence[float]) -> float:
    """The difference between the minimum of the last third and the middle
    one's."""
    count = len(values)
    middle = values[count // 3:2 * count // 3]
    last = values[2 * count // 3:]
    return min(last) - min(middle) if middle else 0.0


def problem(thing: Thing, values: Sequence[float]) -> Optional[str]:
    """The problem with a series, or None if it is flat."""
    if thing.exact and len(set(values)) > 1:
        return f"{values[0]:g} became {values[-1]:g} between idle times"
    if thing.room is not None and risen(values) > thing.room:
        return f"has risen by {risen(values):g} {thing.unit}"
    return None


def problems(series: Dict[str, List[float]]) -> Dict[str, str]:
    found = {name: problem(NAMED[name], values)
             for name, values in series.items() if name in NAMED}
    return {name: words for name, words in found.items() if words}
