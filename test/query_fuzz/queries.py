"""Random SELECTs: stars of a fact and its dimensions, with other constructs.

A query's rows are the same for any plan, as far as its functions allow: LIMIT
counts rows or follows an order of all columns, aggregates do not depend on the
order of their input, and sampling is REPEATABLE.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import List, Tuple

from expressions import INTS, Expressions, Scope, Source
from part import Part, Text, joined, optional
from schema import Relation, Schema

# Kinds with equal values that look different: the plan decides which one of a
# group is shown.
UNLIKE = ("scaled", "any_case", "float8", "float4", "interval")


@dataclass
class Select:
    text: Text
    columns: int
    ordered: bool = False       # by a total order


class Queries(Expressions):
    def __init__(self, random: Random, schema: Schema):
        super().__init__(random)
        self.schema = schema
        self._ctes: List[Relation] = []
        self._cte_texts: List[Text] = []

    # Sources in FROM.

    def dimension(self) -> Relation:
        return self.random.choice(self.schema.dimensions + self._ctes)

    def any_relation(self) -> Relation:
        if self.chance(0.25):
            return self.random.choice(self.schema.facts)
        return self.dimension()

    def source(self, relation: Relation, alias: str,
               depth: int) -> Tuple[Text, Source]:
        """The relation, or a subquery of it with the same columns."""
        source = Source(alias, relation.columns)
        plain = f"{relation.name} {alias}"
        if self.chance(0.62):
            return plain, source
        return Part(self._wrapped(relation, depth), f" {alias}",
                    less=[plain]), source

    def _wrapped(self, relation: Relation, depth: int) -> Part:
        inner = self.alias("s")
        scope = [Source(inner, relation.columns)]
        names = list(relation.columns)
        table: Text = f"{relation.name} {inner}"
        roll = self.random.random()
        where = self.conditions(scope, depth - 1)
        if roll < 0.06 and relation.is_table:
            method = self.random.choice(("SYSTEM", "BERNOULLI"))
            table = Part(f"{relation.name} {inner}",
                         optional(f" TABLESAMPLE {method} (60) "
                                  f"REPEATABLE ({self.number()})"))
        body = Part("SELECT * FROM ", table, optional(" WHERE ", where))
        if roll < 0.2:
            columns = ", ".join(names)
            body = Part(f"SELECT {columns} FROM ", table,
                        optional(" WHERE ", where), f" GROUP BY {columns}")
        elif roll < 0.28:
            body = Part("SELECT ", optional("DISTINCT "), "* FROM ", table,
                        optional(" WHERE ", where))
        elif roll < 0.32:
            body = Part(body, optional(" OFFSET 0"))
        elif roll < 0.36:
            body = Part(f"SELECT DISTINCT ON ({names[0]}) * FROM ", table,
                        optional(" WHERE ", where), f" ORDER BY {names[0]}, "
                        + ", ".join(names[1:]))
        elif roll < 0.41:
            body = Part(body, " UNION ALL SELECT * FROM ", table,
                        less=[body])
        if self.chance(0.45):
            outer = self.alias("s")
            over = self.conditions([Source(outer, relation.columns)],
                                   depth - 1, 2)
            body = Part("SELECT * FROM (", body,
                        optional(" OFFSET 0") if roll > 0.8 else "",
                        f") {outer} WHERE ", over)
        return Part("(", body, ")")

    def _add_cte(self) -> None:
        relation = self.any_relation()
        name = self.alias("c")
        how = self.random.choice(("", "MATERIALIZED ", "NOT MATERIALIZED "))
        self._cte_texts.append(
            Part(f"{name} AS {how}", self._wrapped(relation, 1)))
        self._ctes.append(Relation(name, relation.columns, [],
                                   relation.links, relation.rows))

    # Stars.

    def _join(self, fact: str, column: str, dimension: Relation,
              scope: Scope, where: List[Text], depth: int) -> Text:
        """What one dimension adds to FROM; its filters go to where."""
        alias = self.alias("d")
        text, source = self.source(dimension, alias, depth)
        key = f"{fact}.{column} = {alias}.k"
        filters = self.conditions([source], depth, 2)
        way = self.random.choice(("inner",) * 9 + (
            "in", "exists", "exists", "anti", "left", "left", "right",
            "full", "lateral", "values"))
        if way == "in":
            where.append(Part(f"{fact}.{column} IN (SELECT {alias}.k FROM ",
                              text, optional(" WHERE ", filters), ")",
                              less=["true"]))
        elif way in ("exists", "anti"):
            where.append(Part("NOT " if way == "anti" else "",
                              "EXISTS (SELECT FROM ", text, " WHERE ", key,
                              optional(" AND ", filters), ")",
                              less=["true"]))
        elif way in ("left", "right", "full"):
            on = optional(" AND ", filters) if way != "full" else ""
            scope.append(source)
            return Part(f" {way.upper()} JOIN ", text, " ON ", key, on)
        elif way == "lateral":
            inner = self.alias("l")
            scope.append(Source(inner, source.columns))
            return Part(" CROSS JOIN LATERAL (SELECT * FROM ", text,
                        " WHERE ", key, optional(" AND ", filters),
                        f") {inner}")
        elif way == "values":
            kind = dimension.columns["k"]
            rows = ", ".join(f"({kind.of(self.number(30))})"
                             for _ in range(3))
            return optional(f" JOIN (VALUES {rows}) {alias} (k) ON ", key)
        else:
            scope.append(source)
            if self.chance(0.5):
                where.append(filters)
                return Part(" JOIN ", text, " ON ", key)
            return Part(" JOIN ", text, " ON ", key,
                        optional(" AND ", filters),
                        optional(" AND ", self.condition(scope, depth))
                        if self.chance(0.15) else "")
        return ""

    def star(self, depth: int, outer: Scope = ()) -> Tuple[Part, Scope]:
        """FROM and WHERE of a fact with some of its dimensions."""
        fact = self.random.choice(self.schema.facts)
        alias = self.alias("f")
        text, source = ((f"{fact.name} {alias}",
                         Source(alias, fact.columns))
                        if self.chance(0.8)
                        else self.source(fact, alias, depth))
        scope: Scope = [source]
        where: List[Text] = []
        if self.chance(0.5):
            where.append(self.conditions([source], depth, 2))
        joins: List[Text] = []
        columns = list(fact.links)
        for column in self.random.sample(
                columns, self.random.choice((0, 1, 1, 1, 2, 2, 3))):
            dimension = fact.links[column]
            for cte in self._ctes:
                if "k" in cte.columns and cte.columns["k"].family == \
                        dimension.columns["k"].family:
                    dimension = cte
            joins.append(optional(self._join(alias, column, dimension, scope,
                                             where, depth)))
        if self.chance(0.2):
            where.append(self.conditions(scope, depth, 2))
        if self.chance(0.06):
            other = self.alias("d")
            relation = self.dimension()
            joins.append(optional(f", {relation.name} {other}"))
            where.append(Part(f"{other}.x = ", self.value(scope, 0),
                              less=["true"]))
        if outer and self.chance(0.7):
            column = self.column(outer, INTS)
            if column:
                where.append(Part(f"{alias}.{self.random.choice('xg')} = "
                                  f"{column}", less=["true"]))
        return Part("FROM ", text, *joins,
                    optional(" WHERE ", joined(" AND ", where))
                    if where else ""), scope

    # A scope keeps sources whose join the reducer has removed; then the
    # reduced statement fails, and the reducer restores the join.

    def subselect(self, scope: Scope, depth: int, many: bool) -> Text:
        """With one int column, and one row unless many."""
        if self.chance(0.15):
            tail, inner = self.star(depth, scope)
            value: Text = self.value(inner, 0)
        else:
            relation = self.any_relation() if many else self.dimension()
            alias = self.alias("q")
            text, source = self.source(relation, alias, depth)
            inner = [source]
            value = self.value(inner, depth if self.chance(0.3) else 0)
            where = [self.conditions(inner, depth, 2)]
            column = self.column(scope, INTS)
            if column and self.chance(0.35):
                where.append(Part(
                    f"{alias}.{self.random.choice('xg')} "
                    f"{self.random.choice('==<')} {column}",
                    less=["true"]))
            tail = Part("FROM ", text,
                        optional(" WHERE ", joined(" AND ", where)))
        if many:
            return Part("SELECT ", value, " ", tail,
                        optional(f" LIMIT {self.number(4)}")
                        if self.chance(0.04) else "")
        how = self.random.choice(("max", "min", "sum", "count"))
        return Part(f"SELECT {how}(", value, ")::int ", tail,
                    less=["SELECT 3"])

    # Shapes of complete queries.

    def select(self, depth: int = 2) -> Select:
        if self.chance(0.15):
            self._add_cte()
        shape = self.random.choice((
            self._aggregate, self._aggregate, self._aggregate, self._rows,
            self._rows, self._sets, self._distinct, self._window,
            self._set_operation, self._lateral, self._scalar, self._few,
            self._few, self._simple, self._simple, self._series))
        found = shape(depth)
        if self._cte_texts:
            found.text = Part(optional("WITH ", joined(", ", self._cte_texts),
                                       " "), found.text)
        return found

    def _aggregated(self, scope: Scope) -> str:
        column = self.column(scope, INTS) or "1"
        return self.random.choice((
            "count(*)", f"sum({column})", f"count(DISTINCT {column})",
            f"max({column})", f"min({column})",
            f"array_agg({column} ORDER BY {column})",
            f"count(*) FILTER (WHERE {column} > 3)",
            f"bool_and({column} > 2)"))

    def _columns(self, scope: Scope, most: int) -> List[str]:
        names = [f"{source.alias}.{name}" for source in scope
                 for name in source.columns if name != "pad"]
        return self.random.sample(
            names, min(len(names), self.random.randint(1, most)))

    def _alike(self, scope: Scope, columns: List[str]) -> bool:
        kinds = {f"{source.alias}.{name}": kind for source in scope
                 for name, kind in source.columns.items()}
        return not any(kinds[column].name in UNLIKE for column in columns)

    def _having(self, scope: Scope, depth: int) -> Text:
        if not self.chance(0.2):
            return ""
        inner = self.subselect([], depth - 1, False)
        return optional(self.random.choice((
            Part(" HAVING count(*) > ", self.number(4)),
            Part(" HAVING count(*) > (", inner, ")"),
            Part(" HAVING ", self._aggregated(scope), " IS NOT NULL"))))

    def _aggregate(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        what = [self._aggregated(scope)
                for _ in range(self.random.randint(1, 2))]
        if self.chance(0.5):
            return Select(Part(f"SELECT {', '.join(what)} ", tail,
                               self._having(scope, depth)), len(what))
        group = self._columns(scope, 2)
        names = ", ".join(group)
        found = Select(Part(f"SELECT {names}, {', '.join(what)} ", tail,
                            f" GROUP BY {names}", self._having(scope, depth)),
                       len(group) + len(what))
        return self._limited(found, self._alike(scope, group))

    def _limited(self, found: Select, alike: bool) -> Select:
        """Possibly with an order of all columns, possibly with LIMIT."""
        if not alike or not self.chance(0.4):
            return found
        order = ", ".join(str(i + 1) for i in range(found.columns))
        found.text = Part(found.text, f" ORDER BY {order}", optional(
            f" LIMIT {self.number(30)}",
            optional(f" OFFSET {self.number(5)}"))
            if self.chance(0.6) else "")
        found.ordered = True
        return found

    def _rows(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        columns = self._columns(scope, 4)
        targets: List[Text] = list(columns)
        for _ in range(self.random.choice((0, 0, 1, 2))):
            targets.append(self.value(scope, depth))
        found = Select(Part("SELECT ", Part(*_commas(targets)), " ", tail),
                       len(targets))
        found = self._limited(found, self._alike(scope, columns))
        if self.chance(0.05):
            found.text = Part(found.text, optional(" FOR SHARE"))
        return found

    def _simple(self, depth: int) -> Select:
        """No star: a table, and SubPlans above its scans."""
        relation = self.any_relation()
        alias = self.alias()
        text, source = self.source(relation, alias, depth)
        scope = [source]
        self.plans = max(self.plans, 0.3)
        where = self.conditions(scope, depth)
        if self.chance(0.5):
            return Select(Part(f"SELECT {self._aggregated(scope)} FROM ",
                               text, optional(" WHERE ", where)), 1)
        columns = self._columns(scope, 3)
        value = self.value(scope, depth)
        found = Select(Part(f"SELECT {', '.join(columns)}, ", value,
                            " FROM ", text, optional(" WHERE ", where)),
                       len(columns) + 1)
        if self.chance(0.1):
            found.text = Part(found.text, optional(
                " ORDER BY (", self.subselect(scope, depth - 1, False), ")"))
            return found
        return self._limited(found, self._alike(scope, columns))

    def _sets(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        group = self._columns(scope, 3)
        names = ", ".join(group)
        how = self.random.choice((f"GROUPING SETS (({names}), ({group[0]}), "
                                  "())", f"ROLLUP ({names})",
                                  f"CUBE ({names})"))
        return Select(Part(f"SELECT {names}, {self._aggregated(scope)} ",
                           tail, f" GROUP BY {how}",
                           self._having(scope, depth)), len(group) + 1)

    def _distinct(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        columns = self._columns(scope, 3)
        names = ", ".join(columns)
        if self.chance(0.4) and self._alike(scope, columns):
            return Select(Part(f"SELECT DISTINCT ON ({columns[0]}) {names} ",
                               tail, f" ORDER BY {names}"), len(columns),
                          True)
        return self._limited(
            Select(Part("SELECT ", optional("DISTINCT "), names, " ", tail),
                   len(columns)), self._alike(scope, columns))

    def _window(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        fact = scope[0].alias
        what = self.random.choice((
            f"count(*) OVER (PARTITION BY {fact}.g)",
            f"rank() OVER (ORDER BY {fact}.u)",
            f"sum({fact}.x) OVER (PARTITION BY {fact}.x)",
            f"dense_rank() OVER (PARTITION BY {fact}.g ORDER BY {fact}.x)"))
        inner = Select(Part(f"SELECT {fact}.u, {what} AS w ", tail), 2)
        if self.chance(0.3):
            inner.text = Part("SELECT * FROM (", inner.text,
                              ") w WHERE w < ", self.number(9))
        return self._limited(inner, True)

    def _set_operation(self, depth: int) -> Select:
        texts: List[Text] = []
        for _ in "12":
            tail, scope = self.star(depth)
            texts.append(Part("SELECT ", self.value(scope, depth), "::int, ",
                              self.value(scope, 0), "::int ", tail))
        how = self.random.choice(("UNION", "UNION ALL", "UNION ALL",
                                  "INTERSECT", "EXCEPT", "EXCEPT ALL"))
        return self._limited(Select(Part(
            Part(texts[0], f" {how} ", texts[1], less=texts)), 2), True)

    def _lateral(self, depth: int) -> Select:
        relation = self.dimension()
        alias = self.alias("o")
        scope = [Source(alias, relation.columns)]
        tail, inner = self.star(depth - 1, scope)
        how, on = self.random.choice((
            ("CROSS JOIN LATERAL", ""), ("LEFT JOIN LATERAL", " ON true")))
        return Select(Part(
            f"SELECT {alias}.x, y.n FROM {relation.name} {alias} {how} "
            f"(SELECT {self._aggregated(inner)} AS n ", tail, f") y{on} "
            f"WHERE {alias}.u < 20"), 2)

    def _scalar(self, depth: int) -> Select:
        relation = self.dimension()
        alias = self.alias("o")
        scope = [Source(alias, relation.columns)]
        tail, inner = self.star(depth - 1, scope)
        where = self.conditions(scope, depth, 1)
        return Select(Part(
            f"SELECT {alias}.x, (SELECT {self._aggregated(inner)} ", tail,
            f") FROM {relation.name} {alias} WHERE {alias}.u < 15 AND ",
            where), 2)

    def _few(self, depth: int) -> Select:
        """Queries that end before their scans do."""
        tail, scope = self.star(depth)
        fact = scope[0].alias
        limit = self.random.choice(("0", "1", "1", "2", "7"))
        if self.chance(0.3):
            return Select(Part("SELECT EXISTS (SELECT ", tail, ")"), 1)
        return Select(Part(f"SELECT count(*) FROM (SELECT {fact}.u ", tail,
                           optional(f" LIMIT {limit}"), ") few"), 1)

    def _series(self, depth: int) -> Select:
        tail, scope = self.star(depth)
        fact = scope[0].alias
        return self._limited(Select(Part(
            f"SELECT {fact}.g, generate_series(1, {fact}.g % 3) ", tail), 2),
            True)


    def change(self) -> Text:
        """An UPDATE or DELETE of a fact's rows that returns their contents."""
        fact = self.random.choice(self.schema.facts)
        column, dimension = self.random.choice(list(fact.links.items()))
        alias, other = self.alias("f"), self.alias("d")
        text, source = self.source(dimension, other, 1)
        where = self.conditions([source, Source(alias, fact.columns)], 1, 2)
        key = Part(f" WHERE {alias}.{column} = {other}.k",
                   optional(" AND ", where))
        if self.chance(0.3):
            return Part(f"DELETE FROM {fact.name} {alias} USING ", text, key,
                        f" RETURNING {alias}.u")
        if self.chance(0.4):
            return Part(f"UPDATE {fact.name} {alias} SET g = 1 WHERE EXISTS "
                        "(SELECT FROM ", text, key, f") RETURNING {alias}.u")
        return Part(f"UPDATE {fact.name} {alias} SET g = 0 FROM ", text, key,
                    f" RETURNING {alias}.u")


def _commas(items: List[Text]) -> List[Text]:
    return [items[0]] + [piece for item in items[1:]
                         for piece in (", ", item)]
