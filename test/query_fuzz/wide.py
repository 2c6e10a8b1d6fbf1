"""More shapes of queries and conditions than queries.py has: fuzz.py --wide.

A separate module, because it would change the cases of a seed otherwise.  A
mixin for Stars or Joins, whose select() sometimes returns one of these.
"""

from __future__ import annotations

from typing import List

from expressions import Scope, Source
from joins import Joins
from part import Part, Text, optional
from queries import Select
from stars import Stars


class _Wide:
    """Needs the methods of Queries."""

    def _of_any_kind(self, scope: Scope) -> Part:
        if self.chance(0.35):
            return self._by_expression(self.random.choice(scope).alias)
        return super()._of_any_kind(scope)

    def _by_expression(self, a: str) -> Part:
        """Conditions for schema.py's other indexes, and row comparisons."""
        n, m = self.number(), self.number(6)
        return Part(self.random.choice((
            f"{a}.x + {a}.g = {n}", f"{a}.x + {a}.g < {n}",
            f"ARRAY[{a}.x, {a}.g] @> ARRAY[{m}]",
            f"point({a}.x, {a}.g) <@ box '({n},{m}),(1,1)'",
            f"lower({a}.t) = '{n}'", f"{a}.t ^@ '{m}'",
            f"{a}.t ~ '^[0-{m}]'", f"({a}.x, {a}.g) < ({n}, {m})",
            f"({a}.x, {a}.g) IN (({n}, {m}), (1, 2), (3, {m}))",
            f"{a}.x IS NOT DISTINCT FROM {n}", f"{a}.u BETWEEN {n} AND {m}9",
            f"num_nulls({a}.x, {a}.t) = 0", f"{a}.x IS NULL",
            f"({a}.x > {m}) IS UNKNOWN")), less=["true"])

    def select(self, depth: int = 2) -> Select:
        if self.chance(0.7):
            return super().select(depth)
        return self.random.choice((
            self._with_ties, self._frame, self._ordered_set, self._grouping,
            self._recursive, self._nested_sets, self._using, self._top,
            self._distinct_aggregates, self._filtered_union,
            self._arrays))(depth)

    def _with_ties(self, depth: int) -> Select:
        """The first column decides which rows come, and all ties come."""
        tail, scope = self.star(depth)
        columns = [f"{scope[0].alias}.{self.random.choice('xgu')}",
                   *self._columns(scope, 2)]
        return Select(Part(f"SELECT {', '.join(columns)} ", tail,
                           f" ORDER BY 1 FETCH FIRST {self.number(9)} ROWS "
                           "WITH TIES"), len(columns))

    def _frame(self, depth: int) -> Select:
        """Frames by value: all rows of one value are in the frame, or none."""
        tail, scope = self.star(depth)
        fact = scope[0].alias
        what = self.random.choice((f"sum({fact}.x)", "count(*)",
                                   f"min({fact}.x)", f"max({fact}.u)"))
        frame = self.random.choice((
            "RANGE BETWEEN 5 PRECEDING AND 3 FOLLOWING",
            "GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW",
            "RANGE BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING",
            "GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
            "RANGE BETWEEN CURRENT ROW AND 4 FOLLOWING EXCLUDE GROUP"))
        by = self.random.choice((f"PARTITION BY {fact}.g ", ""))
        return self._limited(Select(Part(
            f"SELECT {fact}.u, {what} OVER ({by}ORDER BY {fact}.u {frame}), "
            f"percent_rank() OVER (ORDER BY {fact}.x) ", tail), 3), True)

    def _ordered_set(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        fact = scope[0].alias
        what = self.random.choice((
            f"percentile_disc(0.5) WITHIN GROUP (ORDER BY {fact}.x)",
            f"percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY "
            f"{fact}.u)",
            f"rank({self.number()}) WITHIN GROUP (ORDER BY {fact}.x)",
            f"mode() WITHIN GROUP (ORDER BY {fact}.g)"))
        return self._limited(Select(Part(
            f"SELECT {fact}.g, {what}, count(*) ", tail,
            f" GROUP BY {fact}.g", self._having(scope, depth)), 3), True)

    def _grouping(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        group = [f"{scope[0].alias}.{name}" for name in ("x", "g")]
        names = ", ".join(group)
        how = self.random.choice((
            f"GROUPING SETS (({names}), ROLLUP ({names}))",
            f"DISTINCT CUBE ({names}), ROLLUP ({names})",
            f"ROLLUP ({group[0]}), {group[1]}"))
        return self._limited(Select(Part(
            f"SELECT {names}, GROUPING({names}), {self._aggregated(scope)} ",
            tail, f" GROUP BY {how}", self._having(scope, depth)), 4), True)

    def _recursive(self, depth: int) -> Select:
        name, dimension = self.alias("w"), self.dimension()
        alias = self.alias("d")
        tail, scope = self.star(depth - 1)
        where = self.conditions([Source(alias, dimension.columns)], 1, 2)
        return Select(Part(
            f"WITH RECURSIVE {name} (n, d) AS (SELECT {scope[0].alias}.x, 0 ",
            tail, f" UNION SELECT {alias}.u % 10, d + 1 FROM {name} JOIN "
            f"{dimension.name} {alias} ON {alias}.x = n WHERE d < 4 AND ",
            where, f") SELECT d, count(*), sum(n) FROM {name} GROUP BY d"), 3)

    def _nested_sets(self, depth: int) -> Select:
        def one() -> Text:
            tail, scope = self.star(depth - 1)
            return Part(f"SELECT {scope[0].alias}.x, {scope[-1].alias}.g ",
                        tail)
        first, second, third = (one() for _ in "123")
        how, other = (self.random.choice((
            "UNION", "UNION ALL", "INTERSECT", "INTERSECT ALL", "EXCEPT",
            "EXCEPT ALL")) for _ in "12")
        return self._limited(Select(Part(
            "(", first, f" {how} ", second, f") {other} (", third, ")"), 2),
            True)

    def _using(self, depth: int) -> Select:
        fact, dimension = (self.random.choice(self.schema.facts),
                           self.dimension())
        f, d = self.alias("f"), self.alias("d")
        how = self.random.choice(("", "LEFT ", "FULL ", "RIGHT "))
        by = self.random.choice(("u", "u, g", "x, u"))
        where = self.conditions([Source(f, fact.columns),
                                 Source(d, dimension.columns)], depth, 2)
        return Select(Part(
            f"SELECT count(*), sum(u), sum({d}.x), max({f}.t) FROM "
            f"{fact.name} {f} {how}JOIN {dimension.name} {d} USING ({by})",
            optional(" WHERE ", where)), 4)

    def _top(self, depth: int) -> Select:
        """The first few of each: LATERAL with LIMIT."""
        relation = self.dimension()
        alias = self.alias("o")
        tail, scope = self.star(depth - 1)
        fact = scope[0].alias
        joined = " AND " if tail.pieces[-1] != "" else " WHERE "
        return Select(Part(
            f"SELECT {alias}.u, y.u FROM {relation.name} {alias} CROSS JOIN "
            f"LATERAL (SELECT {fact}.u ", tail, f"{joined}{fact}.x = "
            f"{alias}.x ORDER BY {fact}.u "
            f"{self.random.choice(('', 'DESC '))}LIMIT {self.number(4)}) y "
            f"WHERE {alias}.u < 20"), 2)

    def _distinct_aggregates(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        fact, last = scope[0].alias, scope[-1].alias
        return self._limited(Select(Part(
            f"SELECT {fact}.g, count(DISTINCT {last}.x), string_agg(DISTINCT "
            f"{fact}.t, ',' ORDER BY {fact}.t), sum({fact}.x) FILTER (WHERE "
            f"{last}.g > 1), count(DISTINCT ({fact}.x, {last}.g)) ", tail,
            f" GROUP BY {fact}.g"), 5), True)

    def _filtered_union(self, depth: int) -> Select:
        """A condition that core pushes into both arms."""
        texts: List[Text] = []
        for _ in "12":
            tail, scope = self.star(depth - 1)
            texts.append(Part(f"SELECT {scope[0].alias}.x, "
                              f"{scope[-1].alias}.g ", tail))
        how = self.random.choice(("UNION ALL", "UNION"))
        return self._limited(Select(Part(
            "SELECT x, count(*) FROM (", texts[0], f" {how} ", texts[1],
            f") both_of WHERE g < {self.number(5)} AND x > {self.number(5)} "
            "GROUP BY x"), 2), True)

    def _arrays(self, depth: int) -> Select:
        relation = self.any_relation()
        alias = self.alias("o")
        scope = [Source(alias, relation.columns)]
        tail, inner = self.star(depth - 1, scope)
        return Select(Part(
            f"SELECT {alias}.u, ARRAY(SELECT {inner[0].alias}.u ", tail,
            f" ORDER BY 1), {alias}.g FROM {relation.name} {alias} WHERE "
            f"{alias}.u < 15"), 3)


class WideQueries(_Wide, Stars):
    """Stars and more."""


class WideJoins(_Wide, Joins):
    """Joins of any tables and more."""
