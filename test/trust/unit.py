"""What the parts of ./run trust have in common: a unit of work and its result.

A part does one unit after the other, each a minute or few.  What a unit does
follows from its number and the seed of the run, so that a run that was broken
off goes on where it was, and a unit can be done again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, NamedTuple, Optional

from place import Place


@dataclass
class Finding:
    """Something that must not be; text is a reproduction or the evidence."""

    title: str
    text: str


class Sample(NamedTuple):
    seconds: float      # since the unit began
    thing: str
    value: int


@dataclass
class Result:
    what: str                   # the unit, in a few words
    counts: Dict[str, int]      # of what was tried and what came of it
    findings: List[Finding] = field(default_factory=list)
    samples: List[Sample] = field(default_factory=list)     # to be drawn


class Part:
    NAME = ""
    TRIES = ""          # a line for the table of results
    SIDE_BY_SIDE = False    # others may do units of it on this machine
    LIVES_ON = False    # units in a row watch one server; there is no last

    def __init__(self, place: Place, seed: int):
        self.place = place
        self.seed = seed

    def lacks(self) -> Optional[str]:
        """Why it cannot be done here, None if it can."""
        return None

    def units(self) -> Optional[int]:
        """How many there are; None: as many as time allows."""
        return None

    def rotated(self, number: int, count: int) -> int:
        """Which of so many a unit takes; the seed says where a run begins,
        because a short run takes only the first few."""
        return (number + self.seed) % count

    def run(self, number: int, seconds: float) -> Result:
        raise NotImplementedError
