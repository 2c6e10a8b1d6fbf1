"""Random tables: facts, their dimensions, and various forms of tables.

Each relation is a list of SQL statements that make the same rows anywhere, so
that a reproduction can have the few that its query needs.  They contain what
makes scans and joins go wrong: NULLs, duplicate keys, skew, keys of two types,
dead rows, dropped columns, partitions in another column order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Dict, List, Set, Tuple

from kinds import (FAMILIES, FUNCTIONS, KINDS, NOTES, TYPES, WIDE_FAMILIES,
                   WRAPPERS, Kind)

NAME = "fz"     # the SQL schema of all objects
ROLE = "CREATE ROLE reader"


@dataclass
class Relation:
    """A relation to select from."""

    name: str
    columns: Dict[str, Kind]
    sql: List[str] = field(default_factory=list)
    links: Dict[str, "Relation"] = field(default_factory=dict)
    rows: int = 0

    @property
    def is_table(self) -> bool:
        """Can it be sampled?  Not if it is a view or foreign."""
        return any(re.match(rf"CREATE (TABLE|MATERIALIZED VIEW) {self.name} ",
                            statement) for statement in self.sql)


    def names(self) -> Set[str]:
        """Its name, and those of its partitions and similar objects."""
        return {self.name, *re.findall(
            r"CREATE (?:MATERIALIZED |FOREIGN )?(?:TABLE|VIEW) (\w+)",
            " ".join(self.sql))}


@dataclass
class Schema:
    """The tables of a few hundred queries."""

    dimensions: List[Relation]
    facts: List[Relation]
    target: Relation

    def relations(self) -> List[Relation]:
        return self.dimensions + self.facts + [self.target]

    def statements(self) -> List[str]:
        """All of them, starting from an empty database."""
        made = [f"DROP SCHEMA IF EXISTS {NAME} CASCADE",
                f"CREATE SCHEMA {NAME}",
                f"GRANT ALL ON SCHEMA {NAME} TO reader"]
        return made + [sql for relation in self.relations()
                       for sql in relation.sql] + [_GRANT]

    def needed_for(self, query: str) -> str:
        """The SQL that precedes the query in a reproduction."""
        return "\n".join(sql + ";" for sql in self.needs(query))

    def needs(self, query: str) -> List[str]:
        """The same, statement by statement."""
        words = _words(query)
        used: List[Relation] = []
        for name in words & set(FUNCTIONS):
            words |= _words(FUNCTIONS[name])
        for relation in reversed(self.relations()):
            if relation.names() & words:
                used.insert(0, relation)
                words |= _words(" ".join(relation.sql))
        if words & {*FUNCTIONS, "coins"}:
            words.add("calls")
        made = [ROLE, *re.split(r"\n(?=CREATE )", TYPES)]
        made += [sql for name, sql in FUNCTIONS.items() if name in words]
        if words & {"run", "run_to"}:
            made.append(WRAPPERS)
        if "noted" in words:
            made += [NOTES, "GRANT ALL ON notes TO reader"]
        made += [f"CREATE SCHEMA {NAME}", f"SET search_path = {NAME}, public"]
        made += [sql for relation in used for sql in relation.sql]
        return [sql.rstrip(";") for sql in made] + [
            f"GRANT ALL ON SCHEMA {NAME} TO reader", _GRANT,
            "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader"]


def _words(text: str) -> Set[str]:
    return set(re.findall(r"\w+", text))


_GRANT = f"GRANT ALL ON ALL TABLES IN SCHEMA {NAME} TO reader"


@dataclass
class _Draft:
    """A table before its form is chosen."""

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
    """A nonnegative number from i: uniform, skewed, or with few values."""
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
    """An index on the key of a dimension is unique if its rows allow it."""
    plain = f"CREATE INDEX ON {name} ({index})"
    if index != "k":
        return plain
    return (f"DO $$ BEGIN CREATE UNIQUE INDEX ON {name} ({index}); "
            f"EXCEPTION WHEN unique_violation THEN {plain}; END $$")


# Forms: each takes a draft and returns the statements that create it.

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


def _by_key(random: Random, draft: _Draft) -> List[str]:
    """Partitions by a key, so that a dimension's may exclude some."""
    name = draft.name
    keys = [column for column, kind, _ in draft.columns
            if column.startswith("k") and kind.family == "int"]
    if not keys:
        return _partitioned(random, draft)
    how, bounds = random.choice((
        ("RANGE", ("FROM (MINVALUE) TO (2)", "FROM (2) TO (3)",
                   "FROM (3) TO (7)", "FROM (7) TO (8)", "FROM (8) TO (30)")),
        ("LIST", ("IN (0, 3)", "IN (1, NULL)", "IN (2)", "IN (4, 9, 12)"))))
    made = [f"CREATE TABLE {name} ({draft.definition()}) "
            f"PARTITION BY {how} ({random.choice(keys)})"]
    made += [f"CREATE TABLE {name}_{i} PARTITION OF {name} FOR VALUES {bound}"
             for i, bound in enumerate(bounds)]
    made += [f"CREATE TABLE {name}_rest PARTITION OF {name} DEFAULT",
             draft.fill(name)]
    return made + [f"CREATE INDEX ON {name} ({index})"
                   for index in draft.indexes]


def _sharded(random: Random, draft: _Draft) -> List[str]:
    """Partitions, some of them foreign."""
    name = draft.name
    made = [f"CREATE TABLE {name} ({draft.definition()}) "
            "PARTITION BY RANGE (u)"]
    tables = []
    for i, (least, end) in enumerate((("MINVALUE", "70"), ("70", "150"),
                                      ("150", "MAXVALUE"))):
        part = f"PARTITION OF {name} FOR VALUES FROM ({least}) TO ({end})"
        if random.random() < 0.5:
            tables.append(f"{name}_{i}")
            made.append(f"CREATE TABLE {name}_{i} {part}")
            continue
        tables.append(f"{name}_{i}_t")
        made += [f"CREATE TABLE {name}_{i}_t ({draft.definition()})",
                 f"CREATE FOREIGN TABLE {name}_{i} {part} SERVER loopback "
                 f"OPTIONS (schema_name '{NAME}', table_name '{name}_{i}_t')"]
    made.append(draft.fill(name))
    return made + [f"CREATE INDEX ON {table} ({index})" for table in tables
                   for index in draft.indexes]


def _added(random: Random, draft: _Draft) -> List[str]:
    """Half of the rows are older than a column and have its default."""
    name = draft.name
    column, kind, value = draft.columns[1]
    before = _Draft(name, [one for one in draft.columns if one[0] != column],
                    draft.rows)
    made = [f"CREATE TABLE {name} ({before.definition()})",
            before.fill(name, "i % 2 = 0"),
            f"ALTER TABLE {name} ADD {column} {kind.type} DEFAULT "
            f"{kind.of(str(random.randrange(9)))}",
            draft.fill(name, "i % 2 = 1")]
    return made + [f"CREATE INDEX ON {name} ({index})"
                   for index in draft.indexes]


def _generated(random: Random, draft: _Draft) -> List[str]:
    """x and t are generated from u; t is virtual, from 18 on."""
    name = draft.name
    plain = _Draft(name, [one for one in draft.columns
                          if one[0] not in ("x", "t")], draft.rows)
    made = [f"CREATE TABLE {name} ({plain.definition()}, x int4 GENERATED "
            f"ALWAYS AS (u * {random.choice((1, 3, 7))} % 10) STORED)",
            f"DO $$ BEGIN EXECUTE 'ALTER TABLE {name} ADD t text GENERATED "
            "ALWAYS AS ((u % 9)::text) ' || CASE WHEN current_setting("
            "'server_version_num')::int < 180000 THEN 'STORED' ELSE "
            "'VIRTUAL' END; END $$", plain.fill(name)]
    return made + [_index(name, index) for index in draft.indexes]


def _list_of_ranges(_random: Random, draft: _Draft) -> List[str]:
    """Partitions by list, one of them subpartitioned by range; NULLs in one.
    """
    name = draft.name
    made = [f"CREATE TABLE {name} ({draft.definition()}) "
            "PARTITION BY LIST (x)",
            f"CREATE TABLE {name}_n PARTITION OF {name} "
            "FOR VALUES IN (NULL, 0, 1)",
            f"CREATE TABLE {name}_r PARTITION OF {name} DEFAULT "
            "PARTITION BY RANGE (u)",
            f"CREATE TABLE {name}_r1 PARTITION OF {name}_r "
            "FOR VALUES FROM (MINVALUE) TO (50)",
            f"CREATE TABLE {name}_r2 PARTITION OF {name}_r DEFAULT",
            draft.fill(name)]
    return made + [f"CREATE INDEX ON {name} ({index})"
                   for index in draft.indexes]


_FORMS = ([_table] * 6 + [_partitioned] * 3 + [_inherited, _union, _union] +
          [_view] * 4 + [_materialized] + [_owned] * 2)
_FORMS_WITH_FOREIGN = _FORMS + [_foreign]
_PLAIN = [_table]
_ONE = [_table, _table, _added]
_SEVERAL = [_partitioned, _list_of_ranges, _by_key, _by_key, _by_key]
_SEVERAL_WITH_FOREIGN = _SEVERAL + [_sharded]
_FORMS_WIDE = [_added, _added, _generated, _generated, _list_of_ranges]

# Indexes other than btrees on plain columns; expressions.py has conditions for
# them.
_INDEXES_WIDE = (
    "USING hash (x)", "USING brin (u)", "USING brin (x)", "USING hash (t)",
    "USING gin ((ARRAY[x, g]))", "USING gist ((point(x, g)))",
    "USING spgist (t)", "((x + g))", "(lower(t))", "(u) WHERE x > 2",
    "(u) INCLUDE (x, g)", "(x NULLS FIRST, g DESC)", "(g) WHERE x IS NULL",
)


def _other_indexes(random: Random, sql: List[str]) -> List[str]:
    """Some on each plain table; a virtual t is not indexed."""
    tables = [match.group(1) for match in (
        re.match(r"CREATE (?:TABLE|MATERIALIZED VIEW) (\w+) [(A]", statement)
        for statement in sql) if match]
    return [f"DO $$ BEGIN CREATE INDEX ON {table} {index}; EXCEPTION WHEN "
            "feature_not_supported OR undefined_column THEN END $$"
            for table in tables
            for index in random.sample(_INDEXES_WIDE,
                                       random.choice((0, 1, 2)))]


def _finish(random: Random, draft: _Draft, forms, wide: bool,
            form=None) -> Relation:
    if wide and not form and random.random() < 0.3:
        form = random.choice(_FORMS_WIDE)
    sql = (form or random.choice(forms))(random, draft)
    if wide:
        sql += _other_indexes(random, sql)
    if random.random() < 0.85:
        tables = [match.group(1) for match in (
            re.match(r"CREATE (?:TABLE|MATERIALIZED VIEW) (\w+)", statement)
            for statement in sql) if match]
        sql.append("ANALYZE " + ", ".join(tables))
    return Relation(draft.name, {n: kind for n, kind, _ in draft.columns},
                    sql, rows=draft.rows)


def _rest(random: Random, wide: bool) -> List[Tuple[str, Kind, str]]:
    """The columns that every table has: two for filters, one of text."""
    x = _value(random, KINDS["int4"], _number(random, 10))
    g = _number(random, 5)
    # casting it to int fails for some rows
    t = ("CASE WHEN i % 17 = 3 THEN 'bad' "
         f"{'WHEN i % 4 < 2 THEN NULL ' if wide else ''}"
         "ELSE (i % 9)::text END")
    return [("x", KINDS["int4"], x), ("g", KINDS["int4"], g),
            ("t", KINDS["text"], t)]


def _dimension(random: Random, i: int, forms, wide: bool) -> Relation:
    families = WIDE_FAMILIES if wide else FAMILIES
    family = random.choice(("int",) * (20 if wide else 6) + tuple(families))
    kind = random.choice(families[family])
    rows = random.choice((0, 1, 12, 12, 40, 40, 90, 90, 90, 300, 300, 300)
                         if wide else (0, 1, 12, 40, 40, 90, 90))
    keys = max(1, int(rows * random.choice((1, 1, 1, 0.6, 1.5))))
    draft = _Draft(f"d{i}", [
        ("u", KINDS["int4"], "i"),
        ("k", kind, _value(random, kind, _number(random, keys)
                           if random.random() < 0.5 else "i"))
    ] + _rest(random, wide), rows)
    if random.random() < (0.8 if wide else 0.6):
        draft.indexes.append("k")
    if random.random() < 0.3:
        draft.indexes.append(random.choice(("x", "g, x", "u")))
    return _finish(random, draft, forms, wide)


# One length is stored in the row, the other is not.
_PAD = "repeat('x', {})"
_TOASTED = ("(SELECT string_agg(md5((i * j)::text), '') "
            "FROM generate_series(1, 90) j)")


def _fact(random: Random, i: int, dimensions: List[Relation],
          forms, scale: int, wide: bool) -> Relation:
    families = WIDE_FAMILIES if wide else FAMILIES
    rows = random.choice((100, 600, 2000, 3000) if wide and i < 2 else
                         (0, 100, 200, 300, 300, 600)) * scale
    columns = [("u", KINDS["int4"], "i")]
    links = {}
    for j, dimension in enumerate(dimensions):
        kind = dimension.columns["k"]
        if random.random() < 0.4:
            kind = random.choice(families[kind.family])
        below = int(dimension.rows * random.choice((1, 1.3, 0.5, 3))) + 2
        columns.append((f"k{j}", kind,
                        _value(random, kind, _number(random, below))))
        links[f"k{j}"] = dimension
    columns += _rest(random, wide)
    columns.append(("pad", KINDS["text"],
                    _TOASTED if wide and random.random() < 0.1 else
                    _PAD.format(random.choice((1, 100, 300)))))
    draft = _Draft(f"f{i}", columns, rows)
    for j in range(len(dimensions)):
        if random.random() < (0.9 if wide else 0.7):
            draft.indexes.append(random.choice((
                f"k{j}", f"k{j}", f"k{j}", f"k{j} DESC", f"k{j}, x",
                f"k{j}) WHERE (g < 4")))
    if random.random() < 0.3:
        draft.indexes.append("u")
    ways = [_table, _table, _partitioned, None]
    if wide and i < 2:
        # suitable for star scans: one table, and several
        ways = (_ONE, _SEVERAL_WITH_FOREIGN if _foreign in forms
                else _SEVERAL)[i]
    form = random.choice(ways)
    relation = _finish(random, draft, forms, wide,
                       None if forms is _PLAIN else form)
    relation.links = links
    return relation


def random_schema(random: Random, foreign: bool, scale: int,
                  plain: bool = False, wide: bool = False) -> Schema:
    forms = _PLAIN if plain else _FORMS_WITH_FOREIGN if foreign else _FORMS
    dimensions = [_dimension(random, i, forms, wide)
                  for i in range(random.choice((3, 4, 5)))]
    facts = [_fact(random, i, dimensions, forms, scale, wide)
             for i in range(random.choice((2, 2, 3)) + wide)]
    target = Relation("target", {"a": KINDS["int4"], "b": KINDS["int4"]}, [
        "CREATE TABLE target (a int, b int)",
        "INSERT INTO target SELECT i, i % 7 FROM generate_series(1, 30) i"])
    return Schema(dimensions, facts, target)
