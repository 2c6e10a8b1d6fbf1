"""SSB's fact in partitions: by month, and a thousand small ones.

The queries' own text reads them, by search_path.  It does not measure times.
"""

from __future__ import annotations

from . import load, own_schema
from .progress import Progress
from .server import Server

WHOLE, MONTHS, THOUSAND = "public", "months", "thousand"
_VERSION = 1                    # of the tables' definition
_FACT_SHARE = 1.0               # of load's bytes, for a copy of the fact
# the fact's keys in bench/ssb/indexes.sql that the queries can use
_KEYS = "lo_orderdate", "lo_custkey", "lo_partkey", "lo_suppkey"
_FIRST, _LAST = "1992-01-01", "1998-12-01"

_PART = """
DO $$
DECLARE part record;
BEGIN
  FOR part IN {bounds} LOOP
    EXECUTE format('CREATE TABLE {name}_%s PARTITION OF {name} '
                   'FOR VALUES FROM (%s) TO (%s)',
                   part.number, part.low, part.high);
  END LOOP;
END $$;
"""

_MONTHS = f"""
SELECT to_char(month, 'YYYYMM') AS number, to_char(month, 'YYYYMMDD') AS low,
       to_char(month + interval '1 month', 'YYYYMMDD') AS high
  FROM generate_series('{_FIRST}'::date, '{_LAST}'::date,
                       interval '1 month') month"""

# by the order's key, which no query restricts, so none is excluded
_THOUSANDTHS = """
SELECT number, number * width AS low, (number + 1) * width AS high
  FROM generate_series(0, 999) number,
       (SELECT max(lo_orderkey) / 1000 + 1 AS width
          FROM public.lineorder) w"""


def _fill(server: Server, schema: str, key: str, bounds: str) -> None:
    name = f"{schema}.lineorder"
    server.sql(f"CREATE SCHEMA {schema};"
               f"CREATE TABLE {name} (LIKE public.lineorder) "
               f"PARTITION BY RANGE ({key});" +
               _PART.format(name=name, bounds=bounds) +
               f"INSERT INTO {name} SELECT * FROM public.lineorder;" +
               "".join(f"CREATE INDEX ON {name} ({column});"
                       for column in _KEYS))


def ensure_tables(server: Server, progress: Progress) -> None:
    """Creates both, unless they exist for this data."""
    source = server.scratch.stamp()["source"]
    stamp = f"version {_VERSION}, {source}"
    for schema, key, bounds in (
            (MONTHS, "lo_orderdate", _MONTHS),
            (THOUSAND, "lo_orderkey", _THOUSANDTHS)):
        if own_schema.is_made(server, schema, stamp):
            continue
        own_schema.check_space(server, f"a partitioned copy of {source}",
                               _FACT_SHARE * server.scratch.data_bytes())
        with progress.step(f"filling the partitions of {schema}"), \
                own_schema.made(server, schema, stamp):
            _fill(server, schema, key, bounds)


def search_path(schema: str) -> str:
    """The dimensions are always SSB's own."""
    return WHOLE if schema == WHOLE else f"{schema},{WHOLE}"
