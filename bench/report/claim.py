"""A statement of a paper or a goal, and whether a run confirms it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

HOLDS, DIFFERS, OPEN = "holds", "does not hold", "cannot be said"
NOTED = "no claim"
NOT_THERE = "not in the paper"


@dataclass(frozen=True)
class Claim:
    """A statement of the paper (or a goal), its number and ours."""

    text: str
    paper: str
    here: str
    holds: Optional[bool]
    why: str = ""               # it might fail, by the run's numbers
    is_goal: bool = False       # then "paper" is the goal

    @property
    def said(self) -> str:
        """The reference number, with a word for what it is."""
        if not self.paper or self.paper == NOT_THERE:
            return ""
        return f"{'wanted' if self.is_goal else 'paper'}: {self.paper}"

    @property
    def reason(self) -> str:
        """Why it does not hold; empty if it does."""
        if self.holds is not False:
            return ""
        return self.why or "the run has no number that says why"

    @property
    def verdict(self) -> str:
        if self.holds is None:
            return NOTED if self.paper == NOT_THERE else OPEN
        return HOLDS if self.holds else DIFFERS
