"""Stars that a star scan can read: fuzz.py --wide.

A star scan refuses most random joins for various reasons.  This module
generates stars that it accepts, so that its nodes are compared as often as its
refusals: a fact table, dimensions by inner or semijoin, and filters that raise
no errors.
"""

from __future__ import annotations

from typing import List, Tuple

from expressions import INTS, Scope, Source
from part import Part, Text, joined, optional
from queries import Queries
from schema import Relation


class Stars(Queries):
    """Every other star is one of these."""

    def star(self, depth: int, outer: Scope = ()) -> Tuple[Part, Scope]:
        if self.chance(0.2):
            return super().star(depth, outer)
        facts = self.schema.facts   # the first two are suitable for star scans
        fact = self.random.choice(facts[:1] + facts[:2] * 2 + facts)
        alias = self.alias("f")
        scope: Scope = [Source(alias, fact.columns)]
        where: List[Text] = [self._filter(alias)]
        columns = self.random.sample(list(fact.links),
                                     self.random.choice((1, 1, 2, 2, 3)))
        joins = [optional(self._reduced_by(alias, column, fact.links[column],
                                           scope, where))
                 for column in columns]
        if self.chance(0.1):
            where.append(self.conditions(scope, depth, 2))
        column = self.column(outer, INTS)
        if column and self.chance(0.7):
            where.append(Part(f"{alias}.{self.random.choice('xg')} = "
                              f"{column}", less=["true"]))
        return Part("FROM ", f"{fact.name} {alias}", *joins,
                    optional(" WHERE ", joined(" AND ", where))), scope

    def _columns(self, scope: Scope, most: int) -> List[str]:
        """Half of the time all columns of the last table, which prevents
        semijoins."""
        if self.chance(0.5):
            return super()._columns(scope, most)
        last = scope[-1]
        return [f"{last.alias}.{name}" for name in last.columns
                if name != "pad"]

    def _reduced_by(self, fact: str, column: str, dimension: Relation,
                    scope: Scope, where: List[Text]) -> Text:
        """What a dimension adds to FROM, or to where."""
        key = f"{fact}.{column}"
        if self.chance(0.1):
            kind = dimension.columns["k"]
            some = ", ".join(kind.of(self.number(15)) for _ in range(5))
            where.append(Part(f"{key} = ANY (ARRAY[{some}])", less=["true"]))
            return ""
        alias = self.alias("d")
        table = f"{dimension.name} {alias}"
        on = Part(f"{key} = {alias}.k", optional(
            f" AND {fact}.{self.random.choice('xg')} = {alias}.g")
            if self.chance(0.12) else "")
        rows = self._filter(alias)
        way = self.random.choice(("inner",) * 7 + ("in", "exists"))
        if way == "in":
            where.append(Part(f"{key} IN (SELECT {alias}.k FROM {table} "
                              "WHERE ", rows, ")", less=["true"]))
            return ""
        if way == "exists":
            where.append(Part(f"EXISTS (SELECT FROM {table} WHERE ", on,
                              " AND ", rows, ")", less=["true"]))
            return ""
        scope.append(Source(alias, dimension.columns))
        where.append(rows)
        if self.chance(0.2):
            return Part(f" JOIN {table} ON ", on,
                        optional(self._below(alias, scope, where)))
        return Part(f" JOIN {table} ON ", on)

    def _below(self, dimension: str, scope: Scope,
               where: List[Text]) -> Text:
        """A dimension of a dimension."""
        relation = self.random.choice(self.schema.dimensions)
        alias = self.alias("d")
        scope.append(Source(alias, relation.columns))
        where.append(self._filter(alias))
        return (f" JOIN {relation.name} {alias} ON {dimension}."
                f"{self.random.choice('xu')} = {alias}.u")

    def _filter(self, alias: str) -> Part:
        """For any table: usually half of its rows or more; skewed ones are
        low."""
        if self.chance(0.35):
            return Part("true")
        n, m = self.number(), self.number(60)
        low = self.number(3)
        a = f"{alias}.{self.random.choice('xg')}"
        return Part(self.random.choice((
            f"{a} < {n}", f"{n} > {a}", f"{a} <= {low}", f"{low} >= {a}",
            f"{a} >= {low}", f"{a} > 0", f"{a} BETWEEN 0 AND {n}",
            f"{a} = {low}", f"{a} IN ({n}, 0, 1)", f"{a} <> {n}",
            f"{alias}.x IS NULL", f"{a} IS NOT NULL", f"{alias}.u < {m}",
            f"{alias}.u > {n}", f"{n} <= {alias}.u", f"{alias}.u <= 1{m}",
            f"{alias}.u BETWEEN {n} AND 1{m}", f"{alias}.t <= '{n}'",
            f"{alias}.x < {n} AND {alias}.g < 4")), less=["true"])
