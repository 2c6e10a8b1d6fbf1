"""Random conditions and values, with SubPlans at any position.

The class that extends it must have subselect(), a query of one int column.
Side effects of a statement are chosen once for each, so that most statements
have none and are compared strictly.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Dict, List, Optional

from kinds import Kind
from part import Part, Text, optional

INTS = ("int2", "int4", "int8", "small")


@dataclass
class Source:
    """A relation under the name that a query gives it."""

    alias: str
    columns: Dict[str, Kind]


Scope = List[Source]


class Expressions:
    def __init__(self, random: Random):
        self.random = random
        self.volatile = random.random() < 0.2
        self.raising = random.random() < 0.18
        self.plans = random.choice((0.0, 0.0, 0.1, 0.25))  # share of SubPlans
        self._aliases = 0
        self._coins = 1     # with two, answers depend on the plan

    def subselect(self, scope: Scope, depth: int, many: bool) -> Text:
        raise NotImplementedError

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def number(self, below: int = 10) -> str:
        return str(self.random.randrange(below))

    def alias(self, letter: str = "r") -> str:
        self._aliases += 1
        return f"{letter}{self._aliases}"

    def column(self, scope: Scope, kinds=None) -> Optional[str]:
        """A column of one of these kinds; the innermost tables come first in a
        scope."""
        names = [f"{source.alias}.{name}" for source in scope
                 for name, kind in source.columns.items()
                 if name != "pad" and (kinds is None or kind.name in kinds)]
        return self.random.choice(names) if names else None

    def value(self, scope: Scope, depth: int = 2) -> Text:
        """An int."""
        column = self.column(scope, INTS) or self.number()
        return self._special_value(scope, column, depth) or column

    def _special_value(self, scope: Scope, column: str,
                       depth: int) -> Optional[Part]:
        random = self.random
        roll = random.random()
        if self.volatile and roll < 0.2:
            name = random.choice(("counted", "counted", "counted_sql",
                                  "counted_quietly", "noted"))
            return Part(f"{name}({column}::int)", less=[column])
        if self.raising and roll < 0.35:
            return Part(random.choice((
                f"(10 / ({column} - 5))", f"raises({column}::int)",
                f"({column}::int::few)",
                f"({self.column(scope, ('text',)) or column}::text::int)")),
                less=[column])
        if depth > 0 and random.random() < self.plans:
            return Part("(", self.subselect(scope, depth - 1, False), ")",
                        less=[column])
        if roll > 0.9:
            return Part(random.choice((
                f"coalesce({column}, 3)", f"({column} % 7)",
                f"CASE WHEN {column} > 4 THEN {column} END",
                f"quiet({column}::int)", f"plain({column}::int)",
                f"looks_up({column}::int % 10)", f"abs({column}::int)",
                f"joins(CASE WHEN {column} < 3 THEN {column}::int END)")),
                less=[column])
        return None

    def condition(self, scope: Scope, depth: int = 2) -> Part:
        random = self.random
        if depth > 0 and random.random() < self.plans:
            return self._subplan(scope, depth - 1)
        if random.random() < 0.12:
            return self._combined(scope, depth)
        if self.volatile and self._coins and random.random() < 0.1:
            self._coins -= 1
            return Part(f"coin({random.choice('2233')})", less=["true"])
        if random.random() < 0.2:
            return self._of_any_kind(scope)
        value = self.value(scope, depth)
        number = self.number()
        return Part(random.choice((
            Part(value, " = ", number), Part(value, " < ", number),
            Part(value, " > ", number), Part(value, " <> ", number),
            Part(value, f" BETWEEN {self.number(5)} AND {number}"),
            Part(value, f" IN ({self.number()}, {number}, 1, 2)"),
            Part(value, " <= ", self.value(scope, depth)),
            Part(value, " IS NOT NULL"))), less=["true"])

    def conditions(self, scope: Scope, depth: int, most: int = 3) -> Part:
        """True, or conditions joined by AND."""
        count = self.random.randrange(most + 1)
        if count == 0:
            return Part("true")
        items = [self.condition(scope, depth) for _ in range(count)]
        return Part(items[0], *(optional(" AND ", item)
                                for item in items[1:]))

    def _combined(self, scope: Scope, depth: int) -> Part:
        one, two = (self.condition(scope, depth - 1) for _ in "12")
        if self.chance(0.3):
            return Part("NOT (", one, ")", less=[one, "true"])
        return Part("(", one, " OR ", two, ")", less=[one, two, "true"])

    def _of_any_kind(self, scope: Scope) -> Part:
        source = self.random.choice(scope)
        name, kind = self.random.choice(
            [item for item in source.columns.items() if item[0] != "pad"])
        column = f"{source.alias}.{name}"
        constant = kind.of(self.number(40))
        return Part(self.random.choice((
            f"{column} = {constant}", f"{column} IS NULL",
            f"{column} > {constant}", f"{column} <= {constant}",
            f"{column} = ANY (ARRAY[{constant}, {kind.of('3')}])",
            f"{column}::text LIKE '%{self.number()}'",
            f"{column} IS DISTINCT FROM {constant}")), less=["true"])

    def _subplan(self, scope: Scope, depth: int) -> Part:
        value = self.value(scope, 0)
        inner = self.subselect(scope, depth, True)
        one = self.subselect(scope, depth, False)
        return Part(self.random.choice((
            Part(value, " IN (", inner, ")"),
            Part(value, " NOT IN (", inner, ")"),
            Part(value, " NOT IN (", inner, ")"),
            Part("(", value, " IN (", inner, ")) IS NOT TRUE"),
            Part("EXISTS (", inner, ")"), Part("NOT EXISTS (", inner, ")"),
            Part(value, " > (", one, ")"), Part(value, " = (", one, ")"),
            Part("(", one, ") IS NULL"),
            Part(value, " = ANY (ARRAY(", inner, "))"),
            Part(value, " <> ALL (", inner, ")"),
            Part(value, " > ALL (", inner, ")"))), less=["true"])
