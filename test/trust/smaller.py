"""Shortens lists and SQL text as long as a test of them succeeds.

For the fuzzer's own text, test/query_fuzz/reduce.py knows what may be removed.
This module is for other text: it knows brackets and some words, but not the
grammar, so it also tries invalid statements, which a server rejects quickly.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Callable, Iterator, List, Optional, Set, TypeVar, Union

Item = TypeVar("Item")


class Patience:
    """A test that fails once its time is over."""

    def __init__(self, holds: Callable[..., bool], end: float):
        self.tries = 0
        self._holds = holds
        self._end = end     # by time.monotonic()

    def of(self, holds: Callable[..., bool]) -> Patience:
        """Another test with the same time limit."""
        return Patience(holds, self._end)

    @property
    def over(self) -> bool:
        return time.monotonic() >= self._end

    def __call__(self, *candidate) -> bool:
        if self.over:
            return False
        self.tries += 1
        return self._holds(*candidate)


def fewer(items: List[Item], holds: Callable[[List[Item]], bool]
          ) -> List[Item]:
    """Without unnecessary items: tries halves, quarters, ..., the last ones
    first, because items come after those that they need."""
    size = len(items)
    while size > 0:
        before = len(items)
        for end in range(len(items), 0, -size):
            less = items[:max(end - size, 0)] + items[end:]
            if holds(less):
                items = less
        if size > 1 or len(items) == before:
            size //= 2
    return items


_ROWS = re.compile(r"(?<=generate_series\(1, )\d+(?=\) i\b)")


def fewer_rows(items: List[str], holds: Callable[[List[str]], bool]
               ) -> List[str]:
    """Halves the rows of each statement that fills a table, as long as that
    succeeds."""
    for number in range(len(items)):
        while True:
            found = _ROWS.search(items[number])
            if not found or int(found[0]) < 2:
                break
            less = items[:]
            less[number] = _ROWS.sub(str(int(found[0]) // 2), items[number])
            if not holds(less):
                break
            items = less
    return items


# ----- SQL -----

_TOKEN = re.compile(r"\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|"
                    r"--[^\n]*|\s+|[\w.$]+|[-+*/<>=~!@#%^&|?:]+|.", re.S)
_CLOSED_BY = {"(": ")", "[": "]", "case": "end"}

# Where removable text begins or ends.
_BOUNDARIES = frozenset(
    ", ; select distinct from where and or on join left right inner full cross "
    "natural lateral group order by having limit offset fetch for union "
    "intersect except all with window over filter when then else values "
    "returning set using default do tablesample insert update delete "
    "merge".split())
_FILLERS = ([], ["null"], ["true"], ["1"])      # for a value


@dataclass
class _Level:
    """The text between two brackets, or all of it."""

    items: List[Union[str, _Level]]
    opened: str = ""
    closed: str = ""

    def words(self) -> Iterator[str]:
        if self.opened:
            yield self.opened
        for item in self.items:
            if isinstance(item, str):
                yield item
            else:
                yield from item.words()
        if self.closed:
            yield self.closed


def _parsed(text: str) -> _Level:
    levels = [_Level([])]
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word.isspace() or word.startswith("--"):
            continue
        if word.lower() in _CLOSED_BY:
            inner = _Level([], word)
            levels[-1].items.append(inner)
            levels.append(inner)
        elif word.lower() == _CLOSED_BY.get(levels[-1].opened.lower()):
            levels.pop().closed = word
        else:
            levels[-1].items.append(word)
    return levels[0]


def _count(items: List[Union[str, _Level]]) -> int:
    return sum(1 if isinstance(item, str) else len(list(item.words()))
               for item in items)


def _is_boundary(item: Union[str, _Level]) -> bool:
    return isinstance(item, str) and item.lower() in _BOUNDARIES


class _Text:
    """A text that becomes shorter; still() tests each attempt."""

    def __init__(self, text: str, still: Patience):
        self._root = _parsed(text)
        self._still = still
        self._failed: Set[str] = set()

    def __str__(self) -> str:
        return " ".join(self._root.words())

    def _does(self, level: _Level, items: List[Union[str, _Level]]) -> bool:
        """Do these suffice instead of the level's items?  If so, it has them.
        """
        if self._still.over:
            return False
        before, level.items = level.items, items
        text = str(self)
        if text not in self._failed:
            if self._still(text):
                return True
            self._failed.add(text)
        level.items = before
        return False

    def reduce(self) -> None:
        for everywhere in (False, True):
            while self._once(self._root, everywhere):
                pass

    def _once(self, level: _Level, everywhere: bool) -> bool:
        """Outermost first; returns whether anything was removed."""
        went = self._raised(level)
        went = self._without_ranges(level, everywhere) or went
        for inner in level.items:
            if isinstance(inner, _Level):
                went = self._once(inner, everywhere) or went
        return went

    def _raised(self, level: _Level) -> bool:
        """Replaces the surrounding text by the contents of brackets, with or
        without these."""
        went = False
        at = 0
        while at < len(level.items):
            inner = level.items[at]
            if isinstance(inner, _Level) and inner.opened != "case" and (
                    self._does(level, inner.items) or
                    self._does(level, level.items[:at] + inner.items +
                               level.items[at + 1:])):
                went = True
                at = 0
            else:
                at += 1
        return went

    def _without_ranges(self, level: _Level, everywhere: bool) -> bool:
        """The longest first."""
        went = False
        size = len(level.items)
        while size > 0 and not self._still.over:
            if self._without_range(level, size, everywhere):
                went = True
                size = min(size, len(level.items))
            else:
                size -= 1
        return went

    def _without_range(self, level: _Level, size: int,
                       everywhere: bool) -> bool:
        """One range of this number of items, removed or replaced by a value.
        """
        items = level.items
        cuts = [at for at in range(len(items) + 1) if everywhere or
                at in (0, len(items)) or _is_boundary(items[at]) or
                _is_boundary(items[at - 1])]
        for begin in cuts:
            end = begin + size
            if end not in cuts:
                continue
            count = _count(items[begin:end])
            for filler in _FILLERS:
                if count > len(filler) and self._does(
                        level, items[:begin] + filler + items[end:]):
                    return True
        return False


def shorter(text: str, still: Patience) -> Optional[str]:
    """The text without unnecessary parts; None if it fails the test."""
    if not still(text):
        return None
    it = _Text(text, still)
    if not still(str(it)):
        return text         # it was divided at the wrong positions
    it.reduce()
    return str(it)
