"""Text of which parts may be omitted or replaced by shorter ones.

The query generator builds statements from it, so that the reducer (reduce.py)
can shorten them without knowing SQL: it only tries what the generator marked
as still being a statement.
"""

from __future__ import annotations

from typing import Iterator, List, Optional, Sequence, Union


class Part:
    """A sequence of pieces; `less` has possible replacements."""

    def __init__(self, *pieces: "Text", less: Sequence["Text"] = ()):
        self.pieces = pieces
        self.less = list(less)
        self.chosen: Optional[int] = None  # in less; None is all of it

    def _now(self) -> Sequence["Text"]:
        if self.chosen is None:
            return self.pieces
        return [self.less[self.chosen]]

    def __str__(self) -> str:
        return "".join(map(str, self._now()))

    def parts(self) -> Iterator["Part"]:
        """This part and all that it contains now, outermost first."""
        level: List[Text] = [self]
        while level:
            below: List[Text] = []
            for part in level:
                if isinstance(part, Part):
                    yield part
                    below += part._now()
            level = below


Text = Union[str, Part]


def optional(*pieces: Text) -> Part:
    return Part(*pieces, less=[""])


def joined(separator: str, items: Sequence[Text]) -> Part:
    """Items, of which any but one may be removed."""
    if not items:
        return Part("")
    tail = [optional(separator, item) for item in items[1:]]
    return Part(items[0], *tail)
