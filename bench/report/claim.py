"""A sentence of a paper's or a goal, and whether a run bears it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

HOLDS, DIFFERS, OPEN = "holds", "does not hold", "cannot be said"
NOTED = "no claim"
NOT_THERE = "not in the paper"


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper (or a goal), its number and ours."""

    text: str
    paper: str
    here: str
    holds: Optional[bool]
    why: str = ""               # it might not hold, by the run's own numbers
    is_goal: bool = False       # then "paper" is what is wanted

    @property
    def said(self) -> str:
        """What it is held against, with a word for what that is."""
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
