"""A fact whose partitions are on one, two or four tablespaces, each a device.

The same rows three times, in eight partitions each: all on the first
tablespace, alternating on two, alternating on four.  A tablespace is a
directory next to the scratch server's data, over which an emulated device is
mounted.

It does not measure times.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Sequence

from . import emulator, own_files, own_schema
from .emulator import EmulatedDevice
from .legs import Settings
from .progress import Progress
from .server import Server

SCHEMA = "tablespaces"
_VERSION = 1                    # of the tables' definition
COUNTS = (1, 2, 4)              # devices
_PARTS = 8
ROW_BYTES = 800
_KEYS = 100_000
_KEPT = 0.08                    # of the dimension
PROFILE = "ssd-s"
# The first is limited by the processors, the second by the device: one channel
# instead of ten, with the same bytes.
SPEEDS: Dict[str, Sequence[str]] = {
    "full": (), "one channel": ("--set", "channels 1", "--set", "blocks 9000")}

_SERIAL = {"max_parallel_workers_per_gather": "0", "ssdpar.subqueries": "1",
           "search_path": SCHEMA}
ACCESSES: Dict[str, Settings] = {
    "bitmap": dict(_SERIAL, **{"ssdpar.star_access": "bitmap"}),
    "sequential": dict(_SERIAL, **{"ssdpar.star_access": "sequential"}),
    "workers": dict(_SERIAL, **{
        "ssdpar.star_access": "bitmap",
        "max_parallel_workers_per_gather": "3",
        "min_parallel_table_scan_size": "0", "parallel_setup_cost": "0"}),
    "off": dict(_SERIAL, **{"ssdpar.enabled": "off"})}


def rows(scale: float) -> int:
    """Of each fact, which has scale GB."""
    return max(10_000, int(scale * 1e9 / ROW_BYTES))


def statement(count: int) -> str:
    """The same rows from each fact."""
    return ("SELECT d.grp, count(*), sum(f.revenue) "
            f"FROM lineorder_{count} f JOIN parts d ON f.part = d.key "
            f"WHERE d.share < {_KEPT} GROUP BY d.grp")


def space(number: int) -> str:
    return f"bench_{number}"


def directory(server: Server, number: int) -> str:
    return os.path.join(server.scratch.path, "tablespaces", str(number))


def make_spaces(server: Server) -> None:
    """Creates missing ones; existing directories belong to another cluster."""
    have = server.sql("SELECT spcname FROM pg_tablespace").split()
    for number in range(max(COUNTS)):
        path = directory(server, number)
        if space(number) in have:
            continue
        own_files.make_directory(os.path.dirname(path), server.user)
        own_files.new_directory(path)
        own_files.give_directory(path, server.user)
        server.sql(f"CREATE TABLESPACE {space(number)} LOCATION '{path}'")


def _fill_dimension(server: Server) -> None:
    server.sql(
        f"CREATE TABLE {SCHEMA}.parts AS SELECT i AS key, i % 10 AS grp, "
        f"(hashint8(i) & 1048575) / 1048576.0::float8 AS share "
        f"FROM generate_series(1, {_KEYS}) i;"
        f"ALTER TABLE {SCHEMA}.parts ADD PRIMARY KEY (key);")


def _fill_fact(server: Server, count: int, of: int) -> None:
    """Partition and key of a row are independent."""
    name = f"{SCHEMA}.lineorder_{count}"
    server.sql(
        f"CREATE TABLE {name} (id int, place int, part int, revenue int, "
        "padding text) PARTITION BY LIST (place);" + "".join(
            f"CREATE TABLE {name}_{part} PARTITION OF {name} FOR VALUES IN "
            f"({part}) TABLESPACE {space(part % count)};"
            for part in range(_PARTS)) +
        f"INSERT INTO {name} SELECT i, i % {_PARTS}, "
        f"1 + (hashint8(i / {_PARTS}) & 2147483647) % {_KEYS}, i % 1000, "
        f"repeat('x', {ROW_BYTES - 48}) FROM generate_series(1, {of}) i;" +
        "".join(f"CREATE INDEX ON {name}_{part} (part) TABLESPACE "
                f"{space(part % count)};" for part in range(_PARTS)))


def ensure_tables(server: Server, scale: float, progress: Progress) -> None:
    """The tables of that scale, created once."""
    count = rows(scale)
    stamp = f"ssdpar tablespaces {_VERSION}: {count}"
    if own_schema.is_made(server, SCHEMA, stamp):
        return
    own_schema.check_space(server, f"scale {scale:g}",
                           len(COUNTS) * count * ROW_BYTES * 1.5 + 1e9)
    with progress.step(f"making three facts of {count} rows"), \
            own_schema.made(server, SCHEMA, stamp):
        make_spaces(server)
        server.sql(f"CREATE SCHEMA {SCHEMA}")
        _fill_dimension(server)
        for devices in COUNTS:
            _fill_fact(server, devices, count)


def files(server: Server) -> List[str]:
    """The first file of each table and index, relative to the data."""
    return server.sql(
        "SELECT pg_relation_filepath(c.oid) FROM pg_class c JOIN "
        "pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = "
        f"'{SCHEMA}' AND c.relkind IN ('r', 'i')").split()


def check_memory(scale: float, limit: int) -> None:
    """An emulated device's data stay in memory."""
    emulator.check_bytes(len(COUNTS) * rows(scale) * ROW_BYTES * 1.3 + limit)


@dataclass(frozen=True)
class Devices:
    """What a leg needs from a device, for several."""

    devices: List[EmulatedDevice]

    @property
    def name(self) -> str:
        return self.devices[0].name

    def bytes_each(self) -> List[int]:
        return [device.bytes_read() for device in self.devices]

    def busy_each(self) -> List[float]:
        return [device.busy_seconds() for device in self.devices]

    def in_vain_each(self) -> List[int]:
        """Pages that each device read ahead itself but were not requested."""
        counts = [device.counters() for device in self.devices]
        return [count["pages_read_ahead"] - count["pages_read_ahead_used"]
                for count in counts]

    def bytes_read(self) -> int:
        return sum(self.bytes_each())

    def bytes_written(self) -> int:
        return sum(device.bytes_written() for device in self.devices)

    def mark(self, name: str) -> None:
        for device in self.devices:
            device.mark(name)

    def read_ahead_kb(self) -> Optional[int]:
        return self.devices[0].read_ahead_kb()

    def read_ahead_path(self) -> Optional[str]:
        return None

    def facts(self) -> dict:
        return dict(self.devices[0].facts(), devices=len(self.devices))


@contextlib.contextmanager
def mounted(server: Server, speed: str, progress: Progress
            ) -> Iterator[Devices]:
    """A device over each tablespace, under the running server."""
    server.stop()
    try:
        with contextlib.ExitStack() as stack:
            devices = [stack.enter_context(emulator.mounted_over(
                directory(server, number), PROFILE, progress, SPEEDS[speed]))
                for number in range(max(COUNTS))]
            try:
                server.start()
                yield Devices(devices)
            finally:
                server.stop()
    finally:
        server.start()
