"""Harms that ssdpar.advise() finds, each made on purpose, and what shows it.

A case makes its harm in a schema of its own, so that the advisor has nothing
else to speak of, and has work that shows it: what is measured, before the
advisor's own fix and after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Optional, Tuple

from .small_devices import DISK, SmallDevice

SCHEMA = "advised"
LARGE_BYTES = 1 << 20       # of the advisor: objects and harms that count

# Rows of about 230 bytes; 64 MB at scale 1.
_ROWS = 280_000


@dataclass(frozen=True)
class Case:
    """A harm, who speaks of it, and the work that shows it."""

    name: str
    rule: str               # as ssdpar.advise() calls it
    object: str             # of the advice: this is in it
    make: str               # the harm
    work: str               # what is measured
    # Neither is measured: what comes before the work each time, and what the
    # advisor's counters have to see beside it.
    ready: str = ""
    seen: str = ""
    files: Tuple[str, ...] = ()         # relations that are cold before it
    settings: Dict[str, str] = field(default_factory=dict)
    read_ahead_kb: Optional[int] = None     # the kernel's; as found
    # What a second session does meanwhile, over and over.
    beside: str = ""
    # Whether the work gives the longest that it waited for a page, seconds.
    waits: bool = False
    # Tablespaces of its own, empty, while the case is measured.
    devices: Tuple[SmallDevice, ...] = ()
    # Whether what those do counts; else they are where harm is moved to.
    counted: bool = True


def _rows(scale: float) -> int:
    return int(_ROWS * scale)


def _table(columns: str, scale: float, keys: str = "i") -> str:
    return (f"CREATE TABLE t AS SELECT {keys} AS key, {columns}, "
            "repeat('x', 190) AS padding FROM "
            f"generate_series(1, {_rows(scale)}) i;\n")


def _moved_updates(scale: float) -> Case:
    """Pages with no room: each update changes every index."""
    indexes = "".join(
        f"CREATE INDEX t_{n} ON t (hashint4(key + {n}));\n" for n in range(4))
    return Case(
        "updates that find no room", "in-place updates", "table advised.t",
        _table("0 AS value", scale) + indexes + "VACUUM FREEZE ANALYZE t;\n",
        "UPDATE t SET value = value + 1 WHERE key % 10 = 0; CHECKPOINT;",
        # what holds for pages to come is measured on pages that have come
        ready="VACUUM (FULL, FREEZE) t; CHECKPOINT;")


def _full_pages(scale: float) -> Case:
    """Updates all over the table, soon after a checkpoint."""
    return Case(
        "whole pages in the WAL", "in-place updates",
        "setting wal_compression",
        _table("0 AS value", scale) + "CREATE INDEX t_key ON t (key);\n"
        "ALTER TABLE t SET (fillfactor = 50);\nVACUUM FULL t;\n"
        "VACUUM FREEZE ANALYZE t;\n",
        "UPDATE t SET value = value + 1 WHERE key % 40 = 0; CHECKPOINT;",
        ready="VACUUM t; CHECKPOINT;",
        settings={"wal_compression": "off", "wal_level": "replica",
                  "checkpoint_timeout": "30min"})


def _bloated_table(scale: float) -> Case:
    """A table of which most was deleted."""
    return Case(
        "a table of empty pages", "compact data", "table advised.t",
        _table("0 AS value", scale) + "DELETE FROM t WHERE key % 10 <> 0;\n"
        "VACUUM FREEZE ANALYZE t;\n",
        "SELECT sum(value) FROM t;", files=("t",))


def _redundant_index(scale: float) -> Case:
    """An index that another one begins with, in an order unlike the rows'."""
    return Case(
        "an index too many", "compact data", "index advised.t_short",
        _table("hashint4(i) AS value", scale) +
        "CREATE INDEX t_short ON t (value);\n"
        "CREATE INDEX t_long ON t (value, key);\nVACUUM FREEZE ANALYZE t;\n",
        f"INSERT INTO t SELECT i, hashint4(i + {_rows(scale)}), 'x' "
        f"FROM generate_series(1, {_rows(scale) // 4}) i; CHECKPOINT;",
        ready=f"DELETE FROM t WHERE padding = 'x'; VACUUM t; CHECKPOINT;")


def _grown_index(scale: float) -> Case:
    """A btree on a table that only grows, asked for long ranges."""
    rows = _rows(scale)
    return Case(
        "a btree where BRIN is enough", "hot and cold data",
        "index advised.t_key",
        "CREATE TABLE t (key bigint, padding text);\n"
        "CREATE INDEX t_key ON t (key);\n"
        f"INSERT INTO t SELECT i, repeat('x', 90) FROM "
        f"generate_series(1, {rows}) i;\nVACUUM FREEZE ANALYZE t;\n",
        f"INSERT INTO t SELECT {rows} + i, repeat('x', 90) FROM "
        f"generate_series(1, {rows}) i; CHECKPOINT;",
        seen="SET enable_seqscan = off; SET enable_bitmapscan = off; "
             f"SELECT count(padding) FROM t WHERE key < {rows // 4};\n")


def _read_ahead(scale: float) -> Case:
    """A kernel that reads ahead hardly anything, and nobody else does."""
    return Case(
        "the kernel's read-ahead", "large I/O", "device ",
        _table("0 AS value", scale) + "VACUUM FREEZE ANALYZE t;\n",
        "SELECT sum(value) FROM t;", files=("t",), read_ahead_kb=16,
        settings={"ssdpar.prefetch": "off",
                  "max_parallel_workers_per_gather": "0"})


def _concurrency(scale: float) -> Case:
    """ANALYZE that waits for each page by itself."""
    return Case(
        "one page at a time", "many for small I/O",
        "maintenance_io_concurrency of tablespace pg_default",
        _table("0 AS value", scale) + "VACUUM FREEZE t;\n",
        # 3,000 pages, spread over the table
        "SET default_statistics_target = 10; ANALYZE t;", files=("t",),
        settings={"maintenance_io_concurrency": "1"})


_HUGE = 1 << 44             # more than the machine's own disk has free

# Full to nine tenths, a page has room for three versions more of its rows.
_LOOSE = 31


def _loose_bytes(rows: int) -> int:
    return -(-rows // _LOOSE) * 8192


def _loose_table(rows: int, space: str) -> str:
    """A table whose rows can be updated where they are."""
    return (f"CREATE TABLE t WITH (fillfactor = 90) TABLESPACE {space} AS "
            "SELECT i AS key, 0 AS value, repeat('x', 190) AS padding FROM "
            f"generate_series(1, {rows}) i;\nVACUUM FREEZE ANALYZE t;\n")


# Data written by checkpoints alone is to be counted, not the WAL's copies.
_LITTLE_WAL = {"full_page_writes": "off"}


def _full_device(scale: float) -> Case:
    """Pages written all over a device that has nine tenths in use."""
    rows = _rows(max(scale, 1))         # no device is smaller
    size = _loose_bytes(rows)
    return Case(
        "a full device", "full device", "(crowded)",
        _loose_table(rows, "crowded"),
        "".join("UPDATE t SET value = value + 1 WHERE "
                f"hashint4(key + {turn}) % 100 = 0; CHECKPOINT;\n"
                for turn in range(20)),
        ready="VACUUM t; CHECKPOINT;", settings=_LITTLE_WAL,
        devices=(SmallDevice("crowded", size * 10 // 9),
                 SmallDevice("spare", 4 * size, shown_bytes=_HUGE)))


_UNTIL_CHECKPOINT = """
DO $$
DECLARE
    redo CONSTANT pg_lsn := (SELECT redo_lsn FROM pg_control_checkpoint());
    pages CONSTANT integer := pg_relation_size('other') / 8192;
    page integer := 0;
    began timestamptz;
    longest interval := '0';
BEGIN
    WHILE redo = (SELECT redo_lsn FROM pg_control_checkpoint()) LOOP
        began := clock_timestamp();
        PERFORM FROM other WHERE ctid = format('(%s,1)', page)::tid;
        longest := greatest(longest, clock_timestamp() - began);
        page := (page + 997) % pages;
        PERFORM pg_sleep(0.05);
    END LOOP;
    PERFORM set_config('advised.longest',
                       extract(epoch FROM longest)::text, false);
END $$;
SELECT current_setting('advised.longest');
"""


def _burst(scale: float) -> Case:
    """A checkpoint written in a tenth of the time that it has.

    The device was overwritten before, so that it has to collect garbage for
    what is written: in idle moments, if it has some.
    """
    rows = _rows(max(scale, 0.5))       # what is written has to count
    return Case(
        "a checkpoint in a burst", "heavy writes",
        "setting checkpoint_completion_target",
        _loose_table(rows, "aged") +
        "CREATE TABLE other TABLESPACE aged AS SELECT i, "
        "repeat('x', 1000) AS padding FROM generate_series(1, 14000) i;\n"
        "VACUUM FREEZE other;\n",
        "UPDATE t SET value = value + 1 WHERE hashint4(key) % 20 = 0;\n" +
        _UNTIL_CHECKPOINT,
        # its checkpoint is the restart's: most are to come by their time
        ready="VACUUM t;", files=("other",), waits=True,
        settings={**_LITTLE_WAL, "checkpoint_timeout": "30s",
                  "checkpoint_completion_target": "0.1"},
        devices=(SmallDevice("aged", 4 * _loose_bytes(rows), 1, age=2,
                             free_blocks=8),))


_EACH_PAGE = """
DO $$
DECLARE
    pages CONSTANT integer := pg_relation_size('t') / 8192;
    page integer := 0;
BEGIN
    FOR n IN 1 .. pages LOOP
        PERFORM FROM t WHERE ctid = format('(%s,1)', page)::tid;
        page := (page + 997) % pages;
    END LOOP;
END $$;
"""


def _temporary_files(scale: float) -> Case:
    """Pages read one at a time, beside a sort that goes to the device."""
    return Case(
        "reads beside temporary files", "mixed reads and writes",
        "temporary files",
        _table("0 AS value", max(scale, 1)) + "VACUUM FREEZE ANALYZE t;\n",
        _EACH_PAGE, files=("t",), settings={"track_io_timing": "on"},
        beside="SET work_mem = '16MB'; SELECT i, repeat('x', 1000) FROM "
               "generate_series(1, 100000) i ORDER BY hashint4(i) "
               "OFFSET 1000000;\n",
        devices=(SmallDevice("elsewhere", 1 << 30, shown_bytes=_HUGE),),
        counted=False)


_PARTS = 4


def _readers(scale: float) -> Case:
    """Partitions read at once, each by a process, on a disk with one arm.

    The advisor knows what several readers get from the tablespace's profile,
    so that is measured here.
    """
    rows = _rows(max(scale, 1))
    parts = [f"t_{n}" for n in range(_PARTS)]
    step = rows // _PARTS
    return Case(
        "several readers of one arm", "few for large I/O",
        "setting max_parallel_workers_per_gather",
        "CREATE TABLE t (key integer, value integer, padding text) "
        "PARTITION BY RANGE (key);\n" + "".join(
            f"CREATE TABLE {part} PARTITION OF t FOR VALUES FROM "
            f"({n * step}) TO ({(n + 1) * step}) TABLESPACE arm;\n"
            for n, part in enumerate(parts)) +
        "INSERT INTO t SELECT i, 0, repeat('x', 190) FROM "
        f"generate_series(0, {_PARTS * step - 1}) i;\n" +
        # not in one: it takes partitions by themselves
        "".join(f"VACUUM FREEZE ANALYZE {part};\n" for part in parts) +
        "SET client_min_messages = warning;\n"
        "SELECT 1 FROM ssdpar.calibrate('arm', file_size_mb => 64);\n",
        "SELECT sum(value) FROM t;", files=tuple(parts),
        settings={"max_parallel_workers_per_gather": str(_PARTS - 1),
                  "max_parallel_maintenance_workers": "0",
                  "min_parallel_table_scan_size": "0",
                  "parallel_setup_cost": "0", "parallel_tuple_cost": "0",
                  # a plan by the profile would have no workers
                  "ssdpar.cost_model": "off", "ssdpar.prefetch": "off"},
        devices=(SmallDevice("arm", 4 * 230 * rows, profile=DISK),))


def cases(scale: float) -> Dict[str, Case]:
    """All of them, by name."""
    return {case.name: case for case in (
        _moved_updates(scale), _full_pages(scale), _grown_index(scale),
        _bloated_table(scale), _redundant_index(scale), _read_ahead(scale),
        _concurrency(scale), _full_device(scale), _burst(scale),
        _temporary_files(scale), _readers(scale))}


# Names do not depend on the scale.
NAMES = tuple(cases(1.0))
