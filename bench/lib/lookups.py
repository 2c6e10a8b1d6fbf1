"""Tables and queries that reach rows one by one, through an index.

One table is stored in an order unrelated to its key, so that each row looked
up is on a separate page.  Small tables have keys to look up, evenly chosen or
such that few keys repeat.  PostgreSQL's own settings force the desired plan,
the same ones with ssdpar and without.

It does not measure times.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List

from . import own_schema
from .legs import Settings
from .progress import Progress
from .server import Server

SCHEMA = "lookups"
_VERSION = 1                    # of the tables' definition
ROW_BYTES = 256                 # header, line pointer, two numbers, padding
KEYS = (10, 1_000, 100_000)     # of the nested loops
SKEWS = ("uniform", "skewed")
RANGES = (1_000, 100_000)       # rows
LIMITS = (1, 10, 100, 1_000, 10_000)

_SERIAL = {"max_parallel_workers_per_gather": "0",
           "search_path": SCHEMA,
           # not what is compared here
           "ssdpar.star_scan": "off", "ssdpar.subqueries": "1"}
_LOOP = dict(_SERIAL, enable_hashjoin="off", enable_mergejoin="off",
             enable_material="off", enable_bitmapscan="off")
_INDEX = dict(_SERIAL, enable_seqscan="off", enable_bitmapscan="off",
              enable_sort="off")
_BITMAP = dict(_SERIAL, enable_seqscan="off", enable_indexscan="off")


def rows(scale: float) -> int:
    """Of the large table, which has scale GB."""
    return max(10 * max(KEYS), int(scale * 1e9 / ROW_BYTES))


@dataclass(frozen=True)
class Query:
    """One query and the settings that force the desired shape."""

    name: str
    statement: str
    settings: Settings


def _loops() -> List[Query]:
    return [Query(f"loop-{skew}-{count}",
                  "SELECT count(*), sum(t.value) "
                  f"FROM {skew}_{count} k JOIN target t ON t.key = k.key",
                  _LOOP) for skew in SKEWS for count in KEYS]


def _between(count: int, scale: float) -> str:
    """A range in the middle of the keys."""
    first = rows(scale) // 2
    return f"WHERE key BETWEEN {first} AND {first + count - 1}"


def _ranges(scale: float) -> List[Query]:
    """If there is an order, rows are digested in that order."""
    found = []
    for count in RANGES:
        where = _between(count, scale)
        plain = f"SELECT count(*), sum(value) FROM target {where}"
        found += [
            Query(f"range-{count}", plain, _INDEX),
            Query(f"ordered-{count}",
                  "SELECT count(*), md5(string_agg(value::text, ',')) FROM "
                  f"(SELECT value FROM target {where} ORDER BY key OFFSET 0)"
                  " t", _INDEX),
            Query(f"bitmap-{count}", plain, _BITMAP)]
    return found


def _limits(scale: float) -> List[Query]:
    first = rows(scale) // 3
    return [Query(f"limit-{count}",
                  f"SELECT key, value FROM target WHERE key >= {first} "
                  f"ORDER BY key LIMIT {count}", _INDEX) for count in LIMITS]


def queries(scale: float) -> Dict[str, Query]:
    """All of them, by name."""
    return {query.name: query
            for query in _loops() + _ranges(scale) + _limits(scale)}


# Names do not depend on the scale.
NAMES = tuple(queries(1.0))


def _fill_target(server: Server, count: int) -> None:
    """Keys 1 to count, shuffled the same way each time."""
    server.sql(
        f"CREATE TABLE {SCHEMA}.target (key bigint, value bigint, "
        "padding text);"
        f"INSERT INTO {SCHEMA}.target SELECT i, i * 7919 % 1000003, "
        "repeat('x', 208) FROM (SELECT i FROM generate_series(1::bigint, "
        f"{count}) i ORDER BY hashint8extended(i, 1), i) s;"
        f"CREATE UNIQUE INDEX target_key ON {SCHEMA}.target (key);")


# From 0 to below 1, by i.
_EVEN = "((hashint8extended(i, 2) & ((1::bigint << 52) - 1)) / 2.0 ^ 52)"


def _fill_keys(server: Server, count: int) -> None:
    """Skewed: the logarithm of a key is uniform, so that small ones repeat."""
    key = {"uniform": f"{_EVEN} * {count}", "skewed": f"{count} ^ {_EVEN}"}
    for skew in SKEWS:
        for number in KEYS:
            server.sql(
                f"CREATE TABLE {SCHEMA}.{skew}_{number} AS SELECT "
                f"least(1 + floor({key[skew]})::bigint, {count}) AS key "
                f"FROM generate_series(1::bigint, {number}) i")


def ensure_tables(server: Server, scale: float, progress: Progress) -> None:
    """The tables of that scale, created once."""
    count = rows(scale)
    stamp = f"ssdpar lookups {_VERSION}: {count}"
    if own_schema.is_made(server, SCHEMA, stamp):
        return
    # the table, its index, and the sort that shuffles it
    own_schema.check_space(server, "bench lookups",
                           count * (ROW_BYTES + 80) * 1.2 + 0.5e9)
    with progress.step(f"making a table of {count:,} rows to look up"), \
            own_schema.made(server, SCHEMA, stamp):
        server.sql(f"CREATE SCHEMA {SCHEMA};")
        _fill_target(server, count)
        _fill_keys(server, count)
