"""Star queries from a seed, and their tables.

Three facts of the same shape and different sizes, four dimensions.  Each fact
has two keys of each dimension, one with an index and one without, so that the
query decides whether an index leads to it.  The first indexed key follows the
order of the table, as dates do in a warehouse; all others are uniform.

The number of rows that a dimension's filter keeps is exact, because each row
has a unique number.  Some filters repeat a condition on two equal columns,
which the planner assumes to be independent, so its estimate is wrong.  The
condition alone keeps the same rows, and the planner knows their number
(Question.true).

It knows neither candidates nor times.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import List, Tuple

from . import own_schema
from .progress import Progress
from .server import Server

SCHEMA = "regret"
_VERSION = 1                    # of the tables' definition
FACTS = ("lineorder_s", "lineorder_m", "lineorder_l")
_SHARES = (1 / 15, 1 / 3, 1.0)  # of the largest fact: 0.2, 1, 3 GB at scale 3
ROW_BYTES = 112                 # header, line pointer, ten numbers, padding
_DIMENSIONS = (1_000, 10_000, 100_000, 1_000_000)
LEAST, MOST = 1e-6, 0.5         # share of the fact that a query keeps
_INDEXED = 0.75                 # probability of a key with an index
_TWICE = 0.3                    # probability of a misleading filter


def fact_rows(scale: float) -> List[int]:
    """Rows of each fact; the largest has scale GB."""
    return [max(1000, int(scale * 1e9 * share / ROW_BYTES))
            for share in _SHARES]


def dimension_rows(scale: float) -> List[int]:
    """Rows of each dimension: at most a tenth of the largest fact's."""
    most = fact_rows(scale)[-1] / 10
    return [min(rows, 10 ** int(math.log10(most))) for rows in _DIMENSIONS]


@dataclass(frozen=True)
class Filter:
    """The filter on one dimension."""

    dimension: int              # 1 to 4
    rows: int                   # kept
    of: int
    indexed: bool               # does the fact's key have an index?
    twice: bool                 # is the planner misled?

    @property
    def share(self) -> float:
        return self.rows / self.of

    def _key(self) -> str:
        return f"{'i' if self.indexed else 'p'}{self.dimension}"

    def conditions(self, true: bool) -> List[str]:
        name = f"d{self.dimension}"
        found = [f"f.{self._key()} = {name}.key",
                 f"{name}.place < {self.rows}"]
        if self.twice and not true:
            found.append(f"{name}.again < {self.rows}")
        return found

    def __str__(self) -> str:
        marks = ("" if self.indexed else " no index") + \
            (" twice" if self.twice else "")
        return f"d{self.dimension}:{self.rows}/{self.of}{marks}"


@dataclass(frozen=True)
class Question:
    """One star query."""

    name: str
    fact: str
    filters: Tuple[Filter, ...]

    @property
    def share(self) -> float:
        """Of the fact's rows that it keeps."""
        return math.prod(one.share for one in self.filters)

    @property
    def indexed(self) -> bool:
        return any(one.indexed for one in self.filters)

    @property
    def misleading(self) -> bool:
        return any(one.twice for one in self.filters)

    def statement(self, true: bool = False) -> str:
        """SQL; true: the same rows, with filters that the planner can
        estimate."""
        tables = [f"{SCHEMA}.{self.fact} f"] + [
            f"{SCHEMA}.d{one.dimension}" for one in self.filters]
        conditions = [text for one in self.filters
                      for text in one.conditions(true)]
        group = f"d{self.filters[0].dimension}.class"
        return (f"SELECT {group}, count(*), sum(f.revenue)\n"
                f"FROM {', '.join(tables)}\n"
                f"WHERE {' AND '.join(conditions)}\nGROUP BY {group}")


def joined_rows(lines: List[bytes]) -> int:
    """Input rows of a question's aggregation: the sum of its counts."""
    return sum(int(line.split(b"|")[1]) for line in lines)


def _shares(chance: random.Random, count: int) -> List[float]:
    """Shares of one query's dimensions, smallest first."""
    total = chance.uniform(math.log(LEAST), math.log(MOST))
    weights = [chance.uniform(0.1, 1.0) for _ in range(count)]
    return sorted(math.exp(total * weight / sum(weights))
                  for weight in weights)


def _question(chance: random.Random, name: str, sizes: List[int]
              ) -> Question:
    fact = chance.choice(FACTS)
    count = chance.randint(1, len(sizes))
    # The smallest share to the largest dimension, which alone has enough rows.
    chosen = sorted(chance.sample(range(len(sizes)), count), reverse=True)
    filters = []
    for place, share in zip(chosen, _shares(chance, count)):
        rows = max(1, round(share * sizes[place]))
        filters.append(Filter(place + 1, rows, sizes[place],
                              chance.random() < _INDEXED,
                              chance.random() < _TWICE))
    return Question(name, fact, tuple(filters))


def questions(count: int, seed: int, scale: float) -> List[Question]:
    """This number of questions; the same for the same seed and scale."""
    chance = random.Random(seed)
    sizes = dimension_rows(scale)
    return [_question(chance, f"p{number:04d}", sizes)
            for number in range(1, count + 1)]


def one_dimension(name: str, rows: int, scale: float) -> Question:
    """The largest fact by its largest dimension, through the index."""
    sizes = dimension_rows(scale)
    return Question(name, FACTS[-1], (Filter(4, rows, sizes[3], True,
                                             False),))


def _dimension_sql(number: int, rows: int) -> str:
    # A factor near the golden ratio and prime to rows, a power of ten, spreads
    # consecutive positions over all keys.
    factor = int(rows * 0.618) // 10 * 10 + 1
    return (f"CREATE TABLE {SCHEMA}.d{number} AS SELECT key::int4 AS key, "
            f"(key * {factor} % {rows})::int4 AS place, "
            f"(key * {factor} % {rows})::int4 AS again, "
            f"(key * {factor} % {rows} % 7)::int4 AS class, "
            "'dimension ' || key AS label "
            f"FROM generate_series(0::int8, {rows - 1}) key;\n"
            f"ALTER TABLE {SCHEMA}.d{number} ADD PRIMARY KEY (key);\n")


def _fact_sql(name: str, rows: int, sizes: List[int]) -> str:
    def spread(seed: int, size: int) -> str:
        return (f"(hashint8extended(n, {seed}) & 9223372036854775807) "
                f"% {size}")
    keys = [f"(n * {sizes[0]} / {rows})::int4 AS i1"]
    keys += [f"({spread(place, sizes[place])})::int4 AS i{place + 1}"
             for place in range(1, 4)]
    keys += [f"({spread(place + 10, sizes[place])})::int4 AS p{place + 1}"
             for place in range(4)]
    indexes = "".join(f"CREATE INDEX ON {SCHEMA}.{name} (i{number});\n"
                      for number in range(1, 5))
    return (f"CREATE TABLE {SCHEMA}.{name} AS SELECT n::int4 AS id, "
            f"{', '.join(keys)}, (n % 9973)::int4 AS revenue, "
            "repeat('x', 43) AS padding "
            f"FROM generate_series(0::int8, {rows - 1}) n;\n{indexes}")


def ensure_tables(server: Server, scale: float, progress: Progress) -> None:
    """Creates the tables unless they exist."""
    stamp = f"version {_VERSION} scale {scale:g}"
    if own_schema.is_made(server, SCHEMA, stamp):
        progress.say("the tables of star queries are there already")
        return
    sizes = dimension_rows(scale)
    with progress.step(f"making tables of star queries, {scale:g} GB the "
                       "largest"), own_schema.made(server, SCHEMA, stamp):
        server.sql(f"CREATE SCHEMA {SCHEMA};")
        for number, rows in enumerate(sizes, 1):
            server.sql(_dimension_sql(number, rows))
        for name, rows in zip(FACTS, fact_rows(scale)):
            server.sql(_fact_sql(name, rows, sizes))


def files(server: Server) -> List[str]:
    """The first file of each table and index, relative to the data."""
    return server.sql(
        "SELECT pg_relation_filepath(c.oid) FROM pg_class c JOIN "
        "pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = "
        f"'{SCHEMA}' AND c.relkind IN ('r', 'i')").split()
