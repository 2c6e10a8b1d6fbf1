"""Random joins of two to six arbitrary tables.

Like queries.py, but FROM is not a star: each table is joined with an earlier
one by comparable columns of any type, with NULLs and duplicates on both sides,
by every kind of join.  Most of the columns have indexes, so that index joins
are possible; some statements change rows before the query.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import List, Optional, Tuple

from expressions import Scope, Source
from part import Part, Text, joined, optional
from queries import Queries
from schema import Relation, Schema

# Rough limit for the rows of a FROM, because more take too long.
_MOST_ROWS = 20_000

# Rough number of distinct values by column.
_VALUES = {"x": 10, "g": 5, "t": 10}

_WAYS = ("inner",) * 7 + ("left",) * 4 + ("right", "full", "exists",
                                         "exists", "anti", "anti", "in",
                                         "lateral", "left lateral")

Pair = Tuple[str, str]      # a column of the tables before, one of the new


def indexed(random: Random, schema: Schema) -> Schema:
    """The same schema with indexes on most join columns."""
    for relation in schema.dimensions + schema.facts:
        if not relation.is_table:
            continue
        at = len(relation.sql) - relation.sql[-1].startswith("ANALYZE")
        never = ["pad"]
        if any("VIRTUAL" in statement for statement in relation.sql):
            never.append("t")
        for name in relation.columns:
            if name not in never and random.random() < 0.6:
                other = random.choice([one for one in relation.columns
                                       if one not in (*never, name)])
                more = random.choice(("", "", "", " DESC", ", u", ", g, x",
                                      f", {other}", f", {other} DESC",
                                      f" DESC, {other}, u"))
                relation.sql.insert(at, f"CREATE INDEX ON {relation.name} "
                                    f"({name}{more})")
    return schema


class Joins(Queries):
    def __init__(self, random: Random, schema: Schema):
        super().__init__(random, schema)
        self._rows_so_far = 1.0

    def star(self, depth: int, outer: Scope = ()) -> Tuple[Part, Scope]:
        """FROM and WHERE of some tables; fewer if it is repeated."""
        most = 6 if not outer and depth >= 2 else 3
        first, source = self._table("f", depth)
        scope: Scope = [source]
        where: List[Text] = [self.conditions(scope, depth, 2)]
        joins: List[Text] = []
        for _ in range(self.random.randint(2, most) - 1):
            joins.append(optional(self._joined(scope, where, depth)))
        if self.chance(0.2):
            where.append(self.conditions(scope, depth, 2))
        if outer and self.chance(0.7):
            column = self.column(outer, ("int4",))
            if column:
                where.append(Part(f"{source.alias}."
                                  f"{self.random.choice('xgu')} = {column}",
                                  less=["true"]))
        return Part("FROM ", first, *joins, " WHERE ",
                    joined(" AND ", where)), scope

    def _table(self, letter: str, depth: int) -> Tuple[Text, Source]:
        relation = self.any_relation() if self.chance(0.4) else \
            self.random.choice(self.schema.facts + self.schema.dimensions)
        alias = self.alias(letter)
        self._rows_so_far = max(relation.rows, 1)
        if self.chance(0.75):
            return f"{relation.name} {alias}", Source(alias, relation.columns)
        return self.source(relation, alias, depth)

    def _matches(self, relation: Relation, name: str) -> float:
        """Rough number of rows with one value of the column."""
        if name == "u":
            return 1.0
        if name == "k":
            return 2.0
        return relation.rows / _VALUES.get(name, 30)

    def _pairs(self, scope: Scope, relation: Relation, alias: str
               ) -> List[Pair]:
        """Join columns that do not lead to too many rows."""
        return [(f"{source.alias}.{left}", f"{alias}.{right}")
                for source in scope
                for left, one in source.columns.items()
                for right, other in relation.columns.items()
                if "pad" not in (left, right) and one.family == other.family
                and self._rows_so_far * self._matches(relation, right)
                < _MOST_ROWS]

    def _condition_of(self, pairs: List[Pair], scope: Scope, source: Source,
                      way: str, depth: int) -> Part:
        """Equality, and sometimes a further condition."""
        left, right = pairs[0]
        more: List[Text] = []
        for pair in pairs[1:3]:
            if self.chance(0.3):
                more.append(optional(" AND ", " = ".join(pair)))
        ints = [name for name, kind in source.columns.items()
                if kind.family == "int"]
        if way != "full" and ints and self.chance(0.15):
            more.append(optional(f" AND {source.alias}."
                                 f"{self.random.choice(ints)} = "
                                 f"{self.number(6)}"))
        if way != "full" and self.chance(0.4):
            more.append(optional(" AND ",
                                 self.conditions([source], depth, 2)))
        if way != "full" and self.chance(0.2):
            one = self.column(scope, ("int4",))
            if one:
                more.append(optional(f" AND {one} "
                                     f"{self.random.choice(('<', '<>'))} "
                                     f"{source.alias}.u"))
        sides = (left, right) if self.chance(0.5) else (right, left)
        return Part(" = ".join(sides), *more)

    def _joined(self, scope: Scope, where: List[Text], depth: int) -> Text:
        """What another table adds to FROM, or to where."""
        relation = self.random.choice(
            self.schema.facts + self.schema.dimensions * 2)
        alias = self.alias("j")
        pairs = self._pairs(scope, relation, alias)
        if not pairs:
            return ""
        keys = [pair for pair in pairs
                if re.search(r"\.(u|k\d?)$", pair[1])]
        chosen = self.random.choice(keys if keys and self.chance(0.7)
                                    else pairs)
        self.random.shuffle(pairs)
        way = self.random.choice(_WAYS)
        text: Text = f"{relation.name} {alias}"
        source = Source(alias, relation.columns)
        if self.chance(0.15):
            text, source = self.source(relation, alias, depth)
        key = self._condition_of(
            [chosen] + [pair for pair in pairs if pair != chosen], scope,
            source, way, depth)
        if way in ("exists", "anti", "in"):
            where.append(self._semijoin(way, text, key, chosen))
            return ""
        self._rows_so_far *= max(
            1.0, self._matches(relation, chosen[1].split(".")[1]))
        if way.endswith("lateral"):
            return self._lateral_join(way, scope, text, source, key)
        scope.append(source)
        name = "" if way == "inner" else way.upper() + " "
        return Part(f" {name}JOIN ", text, " ON ", key)

    def _semijoin(self, way: str, text: Text, key: Part, pair: Pair) -> Part:
        if way == "in":
            left, right = pair
            no = "NOT " if self.chance(0.15) else ""
            return Part(f"{left} {no}IN (SELECT {right} FROM ", text, ")",
                        less=["true"])
        return Part("NOT " if way == "anti" else "", "EXISTS (SELECT FROM ",
                    text, " WHERE ", key, ")", less=["true"])

    def _lateral_join(self, way: str, scope: Scope, text: Text,
                      source: Source, key: Part) -> Part:
        inner = self.alias("l")
        scope.append(replace(source, alias=inner))
        how, on = ("LEFT", " ON true") if way == "left lateral" \
            else ("CROSS", "")
        return Part(f" {how} JOIN LATERAL (SELECT * FROM ", text, " WHERE ",
                    key, f") {inner}{on}")

    def changes(self) -> Optional[str]:
        """Statements that change some rows of tables; usually None."""
        tables = [relation for relation
                  in self.schema.facts + self.schema.dimensions
                  if any(sql.startswith(f"CREATE TABLE {relation.name} ")
                         for sql in relation.sql)]
        if not tables or not self.chance(0.35):
            return None
        return " ".join(self._change_of(self.random.choice(tables))
                        for _ in range(self.random.randint(1, 3)))

    def _change_of(self, relation: Relation) -> str:
        name, some = relation.name, f"u % {self.random.choice((3, 7, 11))}" \
            f" = {self.number(3)}"
        column = self.random.choice(
            [one for one in relation.columns
             if one not in ("u", "g", "pad", "t")])
        return self.random.choice((
            f"UPDATE {name} SET {column} = NULL WHERE {some};",
            f"UPDATE {name} SET {column} = {column} WHERE {some};",
            f"UPDATE {name} SET u = -u WHERE {some};",
            f"DELETE FROM {name} WHERE {some};",
            f"INSERT INTO {name} SELECT * FROM {name} WHERE {some} "
            "ON CONFLICT DO NOTHING;"))
