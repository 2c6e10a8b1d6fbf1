"""Random tables: facts, their dimensions, and the forms that tables come in.

Each relation is a list of SQL statements that make the same rows anywhere, so
that a reproduction can hold the few that its query needs.  What makes scans
and joins go wrong is here: NULLs, keys there twice, skew, keys of two types,
dead rows, dropped columns, partitions in another column order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Dict, List, Set, Tuple

from kinds import FAMILIES, FUNCTIONS, KINDS, NOTES, TYPES, Kind

NAME = "fz"     # the SQL schema that all is in


@dataclass
class Relation:
    """Something to select from."""

    name: str
    columns: Dict[str, Kind]
    sql: List[str] = field(default_factory=list)
    links: Dict[str, "Relation"] = field(default_factory=dict)
    rows: int = 0

    @property
    def is_table(self) -> bool:
        """Not a view, not foreign: it can be sampled."""
        return any(re.match(rf"CREATE (TABLE|MATERIALIZED VIEW) {self.name} ",
                            statement) for statement in self.sql)


@dataclass
class Schema:
    """The tables of some hundred queries."""

    dimensions: List[Relation]
    facts: List[Relation]
    target: Relation

    def relations(self) -> List[Relation]:
        return self.dimensions + self.facts + [self.target]

    def statements(self) -> List[str]:
        """All, from an empty database on."""
        made = [f"DROP SCHEMA IF EXISTS {NAME} CASCADE",
                f"CREATE SCHEMA {NAME}",
                f"GRANT ALL ON SCHEMA {NAME} TO reader"]
        return made + [sql for relation in self.relations()
                       for sql in relation.sql] + [_GRANT]

    def needed_for(self, query: str) -> str:
        """The SQL that a reproduction of the query starts with."""
        words = _words(query)
        used: List[Relation] = []
        for name in words & set(FUNCTIONS):
            words |= _words(FUNCTIONS[name])
        for relation in reversed(self.relations()):
            if relation.name in words:
                used.insert(0, relation)
                words |= _words(" ".join(relation.sql))
        if words & set(FUNCTIONS):
            words.add("calls")
        lines = ["CREATE ROLE reader;", TYPES]
        lines += [sql for name, sql in FUNCTIONS.items() if name in words]
        if "noted" in words:
            lines.append(f"{NOTES}; GRANT ALL ON notes TO reader;")
        lines += [f"CREATE SCHEMA {NAME}; SET search_path = {NAME}, public;"]
        lines += [sql + ";" for relation in used for sql in relation.sql]
        return "\n".join(lines) + (
            f"\nGRANT ALL ON SCHEMA {NAME} TO reader;\n{_GRANT};\n"
            "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;")


def _words(text: str) -> Set[str]:
    return set(re.findall(r"\w+", text))


_GRANT = f"GRANT ALL ON ALL TABLES IN SCHEMA {NAME} TO reader"


@dataclass
class _Draft:
    """A table before it has a form."""

    name: str
    columns: List[Tuple[str, Kind, str]]     # name, kind, value from i
    rows: int
    indexes: List[str] = field(default_factory=list)

    def definition(self) -> str:
        return ", ".join(f"{name} {kind.type}"
                         for name, kind, _ in self.columns)

    def fill(self, name: str, where: str = "true") -> str:
        names = ", ".join(name for name, _, _ in self.columns)
        values = ", ".join(value for _, _, value in self.columns)
        return (f"INSERT INTO {name} ({names}) SELECT {values} "
                f"FROM generate_series(1, {self.rows}) i WHERE {where}")


def _number(random: Random, below: int) -> str:
    """A number from 0 on, from i: even, skewed, or of few values."""
    step, start = random.choice((1, 7, 31, 7919)), random.randrange(50)
    below = max(below, 1)
    even = f"(i * {step} + {start}) % {below}"
    if random.random() < 0.3:
        return f"least({even}, (i * 13) % {max(below // 5, 1)})"
    return even


def _value(random: Random, kind: Kind, number: str) -> str:
    value = kind.of(number)
    if random.random() < 0.35:
        every = random.choice((3, 11, 29))
        return f"CASE WHEN i % {every} <> 0 THEN {value} END"
    return value


def _index(name: str, index: str) -> str:
    """One on the key of a dimension is unique wherever its rows allow it."""
    plain = f"CREATE INDEX ON {name} ({index})"
    if index != "k":
        return plain
    return (f"DO $$ BEGIN CREATE UNIQUE INDEX ON {name} ({index}); "
            f"EXCEPTION WHEN unique_violation THEN {plain}; END $$")


# Forms: each takes a draft and returns the statements that make it.

def _table(random: Random, draft: _Draft) -> List[str]:
    name = draft.name
    if random.random() < 0.2:
        made = [f"CREATE TABLE {name} (gone int, {draft.definition()}, "
                "lost text)", draft.fill(name),
                f"ALTER TABLE {name} DROP gone, DROP lost"]
    else:
        made = [f"CREATE TABLE {name} ({draft.definition()})",
                draft.fill(name)]
    if random.random() < 0.3:
        made += [f"UPDATE {name} SET x = x WHERE u % 5 = 0",
                 f"DELETE FROM {name} WHERE u % 13 = 4"]
    return made + [_index(name, index) for index in draft.indexes]


def _partitioned(random: Random, draft: _Draft) -> List[str]:
    name = draft.name
    how = random.choice(("RANGE (x)", "LIST (g)", "HASH (u)"))
    made = [f"CREATE TABLE {name} ({draft.definition()}) PARTITION BY {how}"]
    shuffled = draft.columns[:]
    random.shuffle(shuffled)
    other = ", ".join(f"{column} {kind.type}" for column, kind, _ in shuffled)
    if how == "RANGE (x)":
        bounds = ["FROM (MINVALUE) TO (3)", "FROM (3) TO (6)", None]
    elif how == "LIST (g)":
        bounds = ["IN (0, 1)", "IN (2)", None]
    else:
        bounds = [f"WITH (MODULUS 3, REMAINDER {i})" for i in range(3)]
    for i, bound in enumerate(bounds):
        values = ("DEFAULT" if bound is None else
                  "FOR VALUES " + bound)
        if i == 1:
            made += [f"CREATE TABLE {name}_{i} (gone int, {other})",
                     f"ALTER TABLE {name}_{i} DROP gone",
                     f"ALTER TABLE {name} ATTACH PARTITION {name}_{i} "
                     f"{values}"]
        elif i == 2 and random.random() < 0.3:
            made += [f"CREATE TABLE {name}_{i} PARTITION OF {name} {values} "
                     "PARTITION BY HASH (u)"]
            made += [f"CREATE TABLE {name}_{i}{j} PARTITION OF {name}_{i} "
                     f"FOR VALUES WITH (MODULUS 2, REMAINDER {j})"
                     for j in range(2)]
        else:
            made += [f"CREATE TABLE {name}_{i} PARTITION OF {name} {values}"]
    made.append(draft.fill(name))
    return made + [f"CREATE INDEX ON {name} ({index})"
                   for index in draft.indexes]


def _inherited(random: Random, draft: _Draft) -> List[str]:
    name = draft.name
    made = [f"CREATE TABLE {name} ({draft.definition()})",
            f"CREATE TABLE {name}_1 (more int) INHERITS ({name})",
            draft.fill(name, "i % 2 = 0"),
            draft.fill(f"{name}_1", "i % 2 = 1")]
    for table in (name, f"{name}_1"):
        made += [f"CREATE INDEX ON {table} ({index})"
                 for index in draft.indexes]
    return made


def _below(draft: _Draft, suffix: str) -> _Draft:
    return _Draft(draft.name + suffix, draft.columns, draft.rows,
                  draft.indexes)


def _union(random: Random, draft: _Draft) -> List[str]:
    made: List[str] = []
    for suffix, where in (("_a", "i % 3 = 0"), ("_b", "i % 3 > 0")):
        part = _below(draft, suffix)
        made += [f"CREATE TABLE {part.name} ({part.definition()})",
                 part.fill(part.name, where)]
        made += [f"CREATE INDEX ON {part.name} ({index})"
                 for index in part.indexes]
    return made + [f"CREATE VIEW {draft.name} AS SELECT * FROM "
                   f"{draft.name}_a UNION ALL SELECT * FROM {draft.name}_b"]


def _view(random: Random, draft: _Draft) -> List[str]:
    base = _below(draft, "_t")
    where = random.choice(("g < 4", "x <> 5", "u > 0", "plain(x) < 9"))
    barrier = random.choice((" WITH (security_barrier)",) * 2 + ("",))
    distinct = random.choice(("DISTINCT ", "", "", ""))
    return _table(random, base) + [
        f"CREATE VIEW {draft.name}{barrier} AS SELECT {distinct}* "
        f"FROM {base.name} WHERE {where}"]


def _materialized(random: Random, draft: _Draft) -> List[str]:
    base = _below(draft, "_t")
    return _table(random, base) + [
        f"CREATE MATERIALIZED VIEW {draft.name} AS SELECT * "
        f"FROM {base.name}"] + [
        _index(draft.name, index) for index in draft.indexes]


def _owned(random: Random, draft: _Draft) -> List[str]:
    rule = random.choice((
        "x % 3 > 0", "quiet(x) < 8", "plain(g) <> 1",
        f"u IN (SELECT u FROM {draft.name}_t)",
        "counted_quietly(x) < 8"))
    base = _below(draft, "_t")
    made = _table(random, draft)
    made += [f"CREATE TABLE {base.name} AS SELECT u FROM {draft.name} "
             "WHERE x < 7"]
    return made + [
        f"ALTER TABLE {draft.name} ENABLE ROW LEVEL SECURITY",
        f"CREATE POLICY own ON {draft.name} TO reader USING ({rule}) "
        "WITH CHECK (true)"]


def _foreign(random: Random, draft: _Draft) -> List[str]:
    base = _below(draft, "_t")
    return _table(random, base) + [
        f"CREATE FOREIGN TABLE {draft.name} ({draft.definition()}) "
        f"SERVER loopback OPTIONS (schema_name '{NAME}', "
        f"table_name '{base.name}')"]


_FORMS = ([_table] * 6 + [_partitioned] * 3 + [_inherited, _union, _union] +
          [_view] * 4 + [_materialized] + [_owned] * 2)
_FORMS_WITH_FOREIGN = _FORMS + [_foreign]
_PLAIN = [_table]


def _finish(random: Random, draft: _Draft, forms, form=None) -> Relation:
    sql = (form or random.choice(forms))(random, draft)
    if random.random() < 0.85:
        tables = [match.group(1) for match in (
            re.match(r"CREATE (?:TABLE|MATERIALIZED VIEW) (\w+)", statement)
            for statement in sql) if match]
        sql.append("ANALYZE " + ", ".join(tables))
    return Relation(draft.name, {n: kind for n, kind, _ in draft.columns},
                    sql, rows=draft.rows)


def _rest(random: Random) -> List[Tuple[str, Kind, str]]:
    """The columns that every table has: two to filter by, one of text."""
    return [
        ("x", KINDS["int4"], _value(random, KINDS["int4"],
                                    _number(random, 10))),
        ("g", KINDS["int4"], _number(random, 5)),
        # a cast of it to int fails for some rows
        ("t", KINDS["text"], "CASE WHEN i % 17 = 3 THEN 'bad' "
         "ELSE (i % 9)::text END"),
    ]


def _dimension(random: Random, i: int, forms) -> Relation:
    family = random.choice(("int",) * 6 + tuple(FAMILIES))
    kind = random.choice(FAMILIES[family])
    rows = random.choice((0, 1, 12, 40, 40, 90, 90))
    keys = max(1, int(rows * random.choice((1, 1, 1, 0.6, 1.5))))
    draft = _Draft(f"d{i}", [
        ("u", KINDS["int4"], "i"),
        ("k", kind, _value(random, kind, _number(random, keys)
                           if random.random() < 0.5 else "i"))
    ] + _rest(random), rows)
    if random.random() < 0.6:
        draft.indexes.append("k")
    if random.random() < 0.3:
        draft.indexes.append(random.choice(("x", "g, x", "u")))
    return _finish(random, draft, forms)


def _fact(random: Random, i: int, dimensions: List[Relation],
          forms, scale: int) -> Relation:
    rows = random.choice((0, 100, 200, 300, 300, 600)) * scale
    columns = [("u", KINDS["int4"], "i")]
    links = {}
    for j, dimension in enumerate(dimensions):
        kind = dimension.columns["k"]
        if random.random() < 0.4:
            kind = random.choice(FAMILIES[kind.family])
        below = int(dimension.rows * random.choice((1, 1.3, 0.5, 3))) + 2
        columns.append((f"k{j}", kind,
                        _value(random, kind, _number(random, below))))
        links[f"k{j}"] = dimension
    columns += _rest(random)
    columns.append(("pad", KINDS["text"],
                    f"repeat('x', {random.choice((1, 100, 300))})"))
    draft = _Draft(f"f{i}", columns, rows)
    for j in range(len(dimensions)):
        if random.random() < 0.7:
            draft.indexes.append(random.choice((
                f"k{j}", f"k{j}", f"k{j}", f"k{j} DESC", f"k{j}, x",
                f"k{j}) WHERE (g < 4")))
    if random.random() < 0.3:
        draft.indexes.append("u")
    form = random.choice((_table, _table, _partitioned, None))
    relation = _finish(random, draft, forms,
                       None if forms is _PLAIN else form)
    relation.links = links
    return relation


def random_schema(random: Random, foreign: bool, scale: int,
                  plain: bool = False) -> Schema:
    forms = _PLAIN if plain else _FORMS_WITH_FOREIGN if foreign else _FORMS
    dimensions = [_dimension(random, i, forms)
                  for i in range(random.choice((3, 4, 5)))]
    facts = [_fact(random, i, dimensions, forms, scale)
             for i in range(random.choice((2, 2, 3)))]
    target = Relation("target", {"a": KINDS["int4"], "b": KINDS["int4"]}, [
        "CREATE TABLE target (a int, b int)",
        "INSERT INTO target SELECT i, i % 7 FROM generate_series(1, 30) i"])
    return Schema(dimensions, facts, target)
