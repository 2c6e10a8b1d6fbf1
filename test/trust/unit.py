"""Common code of the parts of ./run trust: a unit of work and its result.

A part does one unit after another, each of which takes a minute or a few. A
unit depends only on its number and the seed of the run, so that an interrupted
run can continue, and a unit can be repeated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, NamedTuple, Optional

from place import Place


@dataclass
class Finding:
    """An error that was found; text is a reproduction or the evidence."""

    title: str
    text: str


class Sample(NamedTuple):
    seconds: float      # since the unit began
    thing: str
    value: int


@dataclass
class Result:
    what: str                   # the unit, in a few words
    counts: Dict[str, int]      # of what was tested, with results
    findings: List[Finding] = field(default_factory=list)
    samples: List[Sample] = field(default_factory=list)     # to be drawn


class Part:
    NAME = ""
    TRIES = ""          # a line for the table of results
    SIDE_BY_SIDE = False    # others may do its units on this machine
    LIVES_ON = False    # consecutive units watch one server, without an end

    def __init__(self, place: Place, seed: int):
        self.place = place
        self.seed = seed

    def lacks(self) -> Optional[str]:
        """Why it is impossible here, or None."""
        return None

    def units(self) -> Optional[int]:
        """Their number; None: as many as time allows."""
        return None

    def rotated(self, number: int, count: int) -> int:
        """Which of so many a unit takes; the seed says where a run begins,
        because a short run takes only the first few."""
        return (number + self.seed) % count

    def run(self, number: int, seconds: float) -> Result:
        raise NotImplementedError
