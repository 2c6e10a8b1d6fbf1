"""Snowflakes from a seed: tables that mislead estimates, and queries.

A world is a fact with three to six dimensions, some of which have further
dimensions.  It randomly has properties of real warehouses that a planner's
statistics do not show:

  skew         keys by Zipf's law, and attributes correlated with them, so that
               a class of few members may have most of the fact's rows
  correlation  a key that follows from another dimension's, attributes that
               follow from each other
  calendars    of a hundred years, of which the fact has seven
  NULL keys    up to a fifth of a key's

A query joins some of a world's dimensions, most of them inner, some by outer
joins, EXISTS or NOT EXISTS, and filters most of them.

Everything is a hash of row number and seed, so it is the same in each run.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import List, Optional, Tuple

from . import own_schema
from .progress import Progress
from .server import Server

SCHEMA = "snowflake"
_VERSION = 1                        # of the tables' definition
_FACT_ROWS = (1_000_000, 3_000_000)     # at scale 1
QUERIES_A_WORLD = 25
_CALENDAR_DAYS = 36525              # 1970 to 2069
_FIRST_DAY, _DAYS = 12783, 2557     # of the fact: 2005 to 2011
UNIFORM, ZIPF, ORDERED, FOLLOWS = "uniform", "zipf", "ordered", "follows"
INNER, LEFT, EXISTS, MISSING = "inner", "left", "exists", "not exists"
_JOINS = (INNER, LEFT, EXISTS, MISSING)
_JOIN_WEIGHTS = (70, 12, 12, 6)


@dataclass(frozen=True)
class Dimension:
    """A dimension of a fact, or of another dimension."""

    name: str
    rows: int
    classes: int                    # distinct values of its attribute
    calendar: bool = False
    above: Optional[Dimension] = None   # its own dimension

    @property
    def chain(self) -> List[Dimension]:
        """The dimension and those above it."""
        return [self] + (self.above.chain if self.above else [])


@dataclass(frozen=True)
class Key:
    """A key of the fact."""

    dimension: Dimension
    kind: str                       # its distribution
    nulls: float                    # share
    indexed: bool

    @property
    def column(self) -> str:
        return f"{self.dimension.name}_key"


@dataclass(frozen=True)
class World:
    """One snowflake's tables."""

    number: int
    rows: int                       # of the fact
    keys: Tuple[Key, ...]

    @property
    def prefix(self) -> str:
        return f"w{self.number}_"

    @property
    def dimensions(self) -> List[Dimension]:
        return [one for key in self.keys for one in key.dimension.chain]


@dataclass(frozen=True)
class Question:
    """One query."""

    name: str
    statement: str


# ----- worlds from the seed -----

def _size(chance: random.Random, low: int, high: int) -> int:
    """Uniform on a logarithmic scale."""
    return round(math.exp(chance.uniform(math.log(low), math.log(high))))


def _dimension(chance: random.Random, name: str, most: int, depth: int
               ) -> Dimension:
    rows = _size(chance, min(50, most), most)
    above = None
    if depth and rows > 200 and chance.random() < 0.6:
        above = _dimension(chance, name + "x", max(20, rows // 20), depth - 1)
    return Dimension(name, rows, _size(chance, 3, 60), above=above)


def _key(chance: random.Random, dimension: Dimension, first: bool) -> Key:
    kinds = (UNIFORM, ZIPF, ORDERED) if first or dimension.calendar \
        else (UNIFORM, ZIPF, ZIPF, FOLLOWS)
    nulls = chance.choice((0, 0, 0, 0.02, 0.2))
    return Key(dimension, chance.choice(kinds), nulls, chance.random() < 0.6)


def world(number: int, seed: int, scale: float) -> World:
    chance = random.Random(f"{seed} {number}")
    rows = round(_size(chance, *_FACT_ROWS) * scale)
    keys: List[Key] = []
    for place in range(chance.randint(3, 6)):
        dimension = Dimension("cal", _CALENDAR_DAYS, 7, calendar=True) \
            if place == 0 and chance.random() < 0.7 else \
            _dimension(chance, f"d{place}", max(100, rows // 20), 2)
        keys.append(_key(chance, dimension, place == 0))
    return World(number, rows, tuple(keys))


def worlds(count: int, seed: int, scale: float) -> List[World]:
    """Enough for this number of queries."""
    return [world(number, seed, scale)
            for number in range(math.ceil(count / QUERIES_A_WORLD))]


# ----- the tables -----

def _uniform(n: str, seed: int) -> str:
    """A number from 0 to below 1, determined by n."""
    return (f"((hashint8extended({n}, {seed}) & 9007199254740991)"
            "::float8 / 9007199254740992)")


def _spread(kind: str, rows: int, seed: int, of: int) -> str:
    """A position from 0, the most frequent first; n is the fact's row."""
    share = _uniform("n", seed)
    if kind == ORDERED:
        return f"(n * {rows} / {of})"
    if kind == ZIPF:                # the exponent is 1
        return f"(least(floor(exp({share} * ln({rows + 1}::float8))), " \
               f"{rows}) - 1)::int8"
    return f"floor({share} * {rows})::int8"


def _stride(rows: int) -> int:
    """Prime to rows, so that multiples of it modulo rows are a permutation."""
    found = max(1, int(rows * 0.618))
    while math.gcd(found, rows) != 1:
        found += 1
    return found


def _dimension_sql(prefix: str, dimension: Dimension, seed: int) -> str:
    """place is a member's rank by frequency, which determines its class."""
    rows, table = dimension.rows, f"{SCHEMA}.{prefix}{dimension.name}"
    if dimension.calendar:
        day = "(date '1970-01-01' + place::int4)"
        columns = (f"place::int4 AS key, place::int4 AS place, {day} AS day, "
                   f"extract(year FROM {day})::int4 AS year, "
                   f"extract(month FROM {day})::int4 AS month, "
                   f"extract(dow FROM {day})::int4 AS class, "
                   f"extract(dow FROM {day})::int4 % 3 AS kind")
    else:
        klass = f"floor((place::float8 / {rows}) ^ 0.5 * " \
                f"{dimension.classes})::int4"
        columns = (f"(place * {_stride(rows)} % {rows})::int4 AS key, "
                   f"place::int4 AS place, {klass} AS class, "
                   f"{klass} / 3 AS kind, "
                   f"floor({_uniform('place', seed)} * 100)::int4 AS hue, "
                   "'member ' || place AS label")
    if dimension.above:
        upper = dimension.above.rows
        columns += (f", (floor((place::float8 / {rows}) ^ 0.7 * {upper})"
                    f"::int8 * {_stride(upper)} % {upper})::int4 AS up")
    return (f"CREATE TABLE {table} AS SELECT {columns} "
            f"FROM generate_series(0::int8, {rows - 1}) place;\n"
            f"ALTER TABLE {table} ADD PRIMARY KEY (key);\n")


def _key_sql(key: Key) -> str:
    """The key of a position: frequent members may have any key."""
    place, rows = f"place_{key.dimension.name}", key.dimension.rows
    if key.dimension.calendar:
        return f"({_FIRST_DAY} + {place})::int4"
    return f"({place} * {_stride(rows)} % {rows})::int4"


def _place_sql(key: Key, before: Optional[Key], seed: int, of: int) -> str:
    """The position of the fact's row in the dimension, by rank."""
    rows = _DAYS if key.dimension.calendar else key.dimension.rows
    if key.kind == FOLLOWS and before is not None:
        most = _DAYS if before.dimension.calendar else before.dimension.rows
        other = _spread(before.kind, most, seed - 1, of)
        near = f"floor({other}::float8 / {most} * {rows})::int8"
        noise = f"floor({_uniform('n', seed)} * {max(1, rows // 50)})::int8"
        return f"least({near} + {noise}, {rows - 1})"
    return _spread(key.kind, rows, seed, of)


def _fact_sql(one: World, seed: int) -> str:
    places, columns = [], []
    before = None
    for number, key in enumerate(one.keys):
        places.append(f"{_place_sql(key, before, seed + number, one.rows)} "
                      f"AS place_{key.dimension.name}")
        text = _key_sql(key)
        if key.nulls:
            text = (f"CASE WHEN {_uniform('n', seed + 100 + number)} >= "
                    f"{key.nulls} THEN {text} END")
        columns.append(f"{text} AS {key.column}")
        before = key if key.kind != FOLLOWS else None
    table = f"{SCHEMA}.{one.prefix}fact"
    indexes = "".join(f"CREATE INDEX ON {table} ({key.column});\n"
                      for key in one.keys if key.indexed)
    return (f"CREATE TABLE {table} AS SELECT n::int4 AS id, "
            f"{', '.join(columns)}, "
            f"floor({_uniform('n', seed + 200)} * 1000)::int4 AS amount, "
            f"floor({_uniform('n', seed + 201)} * 50)::int4 AS quantity "
            f"FROM (SELECT n, {', '.join(places)} FROM "
            f"generate_series(0::int8, {one.rows - 1}) n) AS made;\n{indexes}")


def ensure_tables(server: Server, wanted: List[World], seed: int,
                  scale: float, progress: Progress) -> None:
    """Creates the worlds unless they exist."""
    stamp = (f"version {_VERSION} seed {seed} scale {scale:g} "
             f"worlds {len(wanted)}")
    if own_schema.is_made(server, SCHEMA, stamp):
        progress.say("the snowflakes' tables are there already")
        return
    need = sum(one.rows for one in wanted) * 150.0
    own_schema.check_space(server, "the snowflakes' tables", need)
    with progress.step(f"making tables of {len(wanted)} snowflakes"), \
            own_schema.made(server, SCHEMA, stamp):
        server.sql(f"CREATE SCHEMA {SCHEMA};")
        for number, one in enumerate(wanted):
            progress.update(f"snowflake {number + 1}, {one.rows} rows",
                            number / len(wanted))
            for place, dimension in enumerate(one.dimensions):
                server.sql(_dimension_sql(one.prefix, dimension, place))
            server.sql(_fact_sql(one, 1000 * (number + 1)))


# ----- queries from the seed -----

def _range(chance: random.Random, column: str, rows: int) -> str:
    """Consecutive positions, the most frequent first."""
    width = _size(chance, 1, rows)
    low = chance.randint(0, rows - width)
    return f"{column} >= {low} AND {column} < {low + width}"


def _calendar_filter(chance: random.Random, alias: str) -> str:
    year = chance.randint(2005, 2011)
    return chance.choice((
        f"{alias}.year = {year}",
        f"{alias}.year BETWEEN {year} AND {year + 2}",
        f"{alias}.year = {year} AND {alias}.month <= {chance.randint(1, 12)}",
        f"{alias}.day >= date '{year}-03-01' AND "
        f"{alias}.day < date '{year}-03-01' + {_size(chance, 1, 500)}",
        f"{alias}.day >= date '{year}-01-01'",
        f"{alias}.month = {chance.randint(1, 12)}"))


def _filter(chance: random.Random, dimension: Dimension, alias: str) -> str:
    if dimension.calendar:
        return _calendar_filter(chance, alias)
    klass = chance.randrange(dimension.classes)
    return chance.choice((
        f"{alias}.class = {klass}",
        # the second condition is redundant
        f"{alias}.class = {klass} AND {alias}.kind = {klass // 3}",
        f"{alias}.class IN ({klass}, {klass + 1}, {klass + 2})",
        f"{alias}.hue < {chance.randint(1, 60)}",
        f"{alias}.class <= {klass} AND {alias}.hue >= "
        f"{chance.randint(20, 90)}",
        _range(chance, f"{alias}.place", dimension.rows)))


@dataclass
class _Branch:
    """A key's dimension in a query, with those above it."""

    key: Key
    join: str
    chain: List[Dimension]
    filters: List[str]


def _branch(chance: random.Random, key: Key) -> _Branch:
    join = chance.choices(_JOINS, _JOIN_WEIGHTS)[0]
    whole = key.dimension.chain
    chain = whole[:chance.randint(1, len(whole))]
    filters = [_filter(chance, one, one.name) for one in chain
               if chance.random() < 0.65]
    if join in (EXISTS, MISSING) and not filters:
        filters = [_filter(chance, chain[0], chain[0].name)]
    return _Branch(key, join, chain, filters)


def _tables(prefix: str, chain: List[Dimension]) -> List[str]:
    return [f"{SCHEMA}.{prefix}{one.name} {one.name}" for one in chain]


def _links(branch: _Branch) -> List[str]:
    """The conditions that join a branch's tables, starting from the fact."""
    found = [f"f.{branch.key.column} = {branch.chain[0].name}.key"]
    return found + [f"{low.name}.up = {high.name}.key" for low, high
                    in zip(branch.chain, branch.chain[1:])]


def _from(prefix: str, branches: List[_Branch]) -> str:
    text = f"{SCHEMA}.{prefix}fact f"
    for branch in branches:
        names, links = _tables(prefix, branch.chain), _links(branch)
        if branch.join == INNER:
            text += "".join(f"\n JOIN {name} ON {link}"
                            for name, link in zip(names, links))
        elif branch.join == LEFT:
            # a filter in ON keeps the fact's rows
            links[0] = " AND ".join(
                [links[0]] + [one for one in branch.filters if
                              one.startswith(branch.chain[0].name + ".")])
            text += "".join(f"\n LEFT JOIN {name} ON {link}"
                            for name, link in zip(names, links))
    return text


def _where(prefix: str, branch: _Branch) -> List[str]:
    if branch.join == INNER:
        return branch.filters
    if branch.join == LEFT:
        return []
    inside = (f"SELECT 1 FROM {', '.join(_tables(prefix, branch.chain))} "
              f"WHERE {' AND '.join(_links(branch) + branch.filters)}")
    return [f"{'NOT ' if branch.join == MISSING else ''}EXISTS ({inside})"]


def _question(chance: random.Random, name: str, one: World) -> Question:
    keys = chance.sample(one.keys, chance.randint(2, len(one.keys)))
    branches = [_branch(chance, key) for key in keys]
    where = [text for branch in branches
             for text in _where(one.prefix, branch)]
    if chance.random() < 0.25:
        where.append(f"f.quantity < {chance.randint(1, 50)}")
    shown = [branch for branch in branches if branch.join in (INNER, LEFT)]
    group = f"{shown[0].chain[0].name}.class" if shown else "f.quantity"
    return Question(name, (
        f"SELECT {group}, count(*), sum(f.amount)\n"
        f"FROM {_from(one.prefix, branches)}\n" +
        (f"WHERE {' AND '.join(where)}\n" if where else "") +
        f"GROUP BY {group}"))


def questions(count: int, seed: int, wanted: List[World]) -> List[Question]:
    """Distributes them evenly over the worlds; the same for the same seed."""
    chance = random.Random(seed)
    return [_question(chance, f"s{number:04d}",
                      wanted[number % len(wanted)])
            for number in range(count)]
