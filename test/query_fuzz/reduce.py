"""Makes a finding shorter by removing what it does not need.

Tries every part of the query that has a shorter form, outermost first, then
the settings, until nothing more can be removed or the time is over.
"""

from __future__ import annotations

from typing import Callable

from compare import Case
from part import Part

_PATIENCE = 250


def reduce(case: Case, holds: Callable[[], bool]) -> None:
    """holds() tells whether the current case still shows the finding."""
    tries = [_PATIENCE]

    def still() -> bool:
        tries[0] -= 1
        return tries[0] >= 0 and holds()

    _plain_statement(case, still)
    while tries[0] > 0 and smaller_parts(case.statement.part(), still):
        pass
    _fewer_settings(case, still)


def _plain_statement(case: Case, still: Callable[[], bool]) -> None:
    case.statement.plainly = True
    if not still():
        case.statement.plainly = False
    if case.reader:
        case.reader = False
        if not still():
            case.reader = True


def smaller_parts(whole: Part, still: Callable[[], bool]) -> bool:
    """One round; returns whether anything was removed."""
    smaller = False
    for part in list(whole.parts()):
        if part.chosen is not None:
            continue
        for choice in range(len(part.less)):
            part.chosen = choice
            if still():
                smaller = True
                break
            part.chosen = None
    return smaller


def _fewer_settings(case: Case, still: Callable[[], bool]) -> None:
    for name in ("planner", "ssdpar"):
        for setting in list(getattr(case, name)):
            before = getattr(case, name)
            setattr(case, name, [one for one in before if one != setting])
            if not still():
                setattr(case, name, before)
