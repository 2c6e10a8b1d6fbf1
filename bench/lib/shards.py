"""SSB's fact over devices: partitions in one server, or tables of others.

Here: partitions of the scratch server on one, two and four tablespaces.
Foreign: on one, two and four servers of this machine, reached by postgres_fdw;
the dimensions stay in the scratch server, which coordinates.  Every device is
an emulated one, of whose channels one is used: else the processors, which are
the devices too, are what ends it.

A place is a schema with a lineorder of its own, searched before SSB's.  Knows
nothing of times.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import Dict, Iterator, List, Sequence

from . import cold, emulator, own_schema, process, tablespaces
from . import server as servers
from .cold import CacheState
from .errors import UserError
from .legs import Settings
from .progress import Progress
from .scratch import Scratch
from .server import Server
from .tablespaces import COUNTS, PROFILE, SPEEDS, Devices

HERE, FOREIGN = KINDS = ("here", "foreign")
OFF, ON = VARIANTS = ("off", "on")
ALONE = "one table"
_VERSION = 1                    # of the tables' definition
_PARTS = max(COUNTS)
_ROW_BYTES = 150                # a row of lineorder with its index entries
_KEYS = ("lo_custkey", "lo_partkey", "lo_suppkey", "lo_orderdate")
_FACT = "lineorder"
_SHARE = "lo_orderkey % {} = {}"
_CHANNEL = SPEEDS["one channel"]


def rows_bytes(scale: float) -> float:
    """Of one copy of the fact."""
    return scale * 6e6 * _ROW_BYTES


def schema(kind: str, count: int) -> str:
    return f"{kind}_{count}"


def settings(kind: str, count: int, variant: str) -> Settings:
    """Of a leg's session; those of the shards are in their options."""
    return {"search_path": f"{schema(kind, count)},public",
            "ssdpar.enabled": variant, "ssdpar.shard_keys": "100000",
            "enable_partitionwise_aggregate": "on"}


def shard(number: int) -> str:
    return f"shard_{number}"


@dataclass(frozen=True)
class Shards:
    """The other servers."""

    coordinator: Server
    servers: List[Server]

    @property
    def sides(self) -> List[Server]:
        return [self.coordinator, *self.servers]


def _make_server(coordinator: Server, number: int) -> Server:
    """One beside the coordinator's data."""
    suffix = coordinator.scratch.path[len(Scratch().path):]
    made = Server(Scratch(os.path.join(suffix, shard(number))),
                  coordinator.where)
    made.settings = dict(coordinator.settings, shared_buffers="128MB",
                         max_worker_processes="16", max_parallel_workers="8")
    made.scratch.make()
    # of a run that was killed
    made.stop()
    emulator.unmount(made.scratch.data)
    return made


def of(coordinator: Server) -> Shards:
    return Shards(coordinator, [_make_server(coordinator, number)
                                for number in range(_PARTS)])


# ----- data -----

def _index_all(server: Server, table: str, where: str = "") -> None:
    server.sql("".join(f"CREATE INDEX ON {table} ({key}){where};"
                       for key in _KEYS))


def _fill_here(server: Server, count: int) -> None:
    name = f"{schema(HERE, count)}.{_FACT}"
    server.sql(f"CREATE SCHEMA {schema(HERE, count)}; CREATE TABLE {name} "
               f"(LIKE public.{_FACT}) PARTITION BY HASH (lo_orderkey);" +
               "".join(f"CREATE TABLE {name}_{part} PARTITION OF {name} FOR "
                       f"VALUES WITH (MODULUS {_PARTS}, REMAINDER {part}) "
                       f"TABLESPACE {tablespaces.space(part % count)};"
                       for part in range(_PARTS)) +
               f"INSERT INTO {name} SELECT * FROM public.{_FACT};")
    for part in range(_PARTS):
        _index_all(server, f"{name}_{part}",
                   f" TABLESPACE {tablespaces.space(part % count)}")


def _copy(source: Server, query: str, target: Server, table: str) -> None:
    """By way of a file: both servers are one user's, on one machine."""
    path = os.path.join(source.scratch.path, "rows.copy")
    try:
        source.sql(f"COPY ({query}) TO '{path}' (FORMAT binary)")
        target.sql(f"COPY {table} FROM '{path}' (FORMAT binary)")
    finally:
        if os.path.exists(path):
            os.unlink(path)


def _definition(server: Server) -> str:
    """Columns of the fact."""
    return server.sql(
        "SELECT string_agg(attname || ' ' || format_type(atttypid, "
        "atttypmod), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid "
        f"= 'public.{_FACT}'::regclass AND attnum > 0")


def _fill_shard(shards: Shards, number: int) -> None:
    """A table for each number of shards that it is one of."""
    server = shards.servers[number]
    columns = _definition(shards.coordinator)
    for count in COUNTS:
        if number >= count:
            continue
        name = f"{_FACT}_{count}"
        server.sql(f"CREATE TABLE {name} ({columns})")
        _copy(shards.coordinator, f"SELECT * FROM public.{_FACT} WHERE "
              + _SHARE.format(count, number), server, name)
        _index_all(server, name)
    server.sql("VACUUM (FREEZE, ANALYZE)")
    server.sql("CHECKPOINT")


def _make_shard(shards: Shards, number: int) -> None:
    server = shards.servers[number]
    server.stop()
    emulator.unmount(server.scratch.data)
    server.scratch.remove_data()
    server.create()
    server.start()
    server.sql(f"CREATE DATABASE {servers.DATABASE}", "postgres")
    server.sql("CREATE EXTENSION ssdpar")
    _fill_shard(shards, number)
    server.stop()


def _options(variant: str) -> str:
    """Of a shard's sessions: a cursor's plan is for all of its rows."""
    return f"-c cursor_tuple_fraction=1 -c ssdpar.enabled={variant}"


def _make_foreign(shards: Shards) -> None:
    """Partitions by list of the remainder, which the shards go by too."""
    server = shards.coordinator
    server.sql("CREATE EXTENSION IF NOT EXISTS postgres_fdw;" + "".join(
        f"DROP SERVER IF EXISTS {shard(number)} CASCADE;"
        f"CREATE SERVER {shard(number)} FOREIGN DATA WRAPPER postgres_fdw "
        f"OPTIONS (host '{one.scratch.socket}', port '{servers.PORT}', "
        f"dbname '{servers.DATABASE}', async_capable 'true', "
        f"fetch_size '10000', options '{_options(ON)}');"
        f"CREATE USER MAPPING FOR CURRENT_USER SERVER {shard(number)} "
        f"OPTIONS (user '{servers.SUPERUSER}');"
        for number, one in enumerate(shards.servers)))
    for count in COUNTS:
        name = f"{schema(FOREIGN, count)}.{_FACT}"
        server.sql(f"CREATE SCHEMA {schema(FOREIGN, count)}; "
                   f"CREATE TABLE {name} (LIKE public.{_FACT}) PARTITION BY "
                   f"LIST ((lo_orderkey % {count}));" + "".join(
                       f"CREATE FOREIGN TABLE {name}_{number} PARTITION OF "
                       f"{name} FOR VALUES IN ({number}) SERVER "
                       f"{shard(number)} OPTIONS (schema_name 'public', "
                       f"table_name '{_FACT}_{count}');"
                       for number in range(count)) + f"ANALYZE {name};" +
                   "".join(f"ANALYZE {name}_{number};"
                           for number in range(count)))


def _forget(server: Server) -> None:
    server.sql("SET client_min_messages = warning;" + "".join(
        f"DROP SCHEMA IF EXISTS {schema(kind, count)} CASCADE;"
        for kind in KINDS for count in COUNTS))


def ensure_tables(shards: Shards, scale: float, progress: Progress) -> None:
    """All places at that scale, made once."""
    server = shards.coordinator
    stamp = f"ssdpar shards {_VERSION}: {scale:g}"
    made = schema(FOREIGN, COUNTS[-1])
    if own_schema.is_made(server, made, stamp):
        return
    own_schema.check_space(server, f"scale {scale:g}",
                           2 * len(COUNTS) * rows_bytes(scale) * 1.5 + 2e9)
    with progress.step("making the fact over tablespaces and servers"):
        _forget(server)
        tablespaces.make_spaces(server)
        for count in COUNTS:
            progress.update(f"{count} tablespaces", COUNTS.index(count) / 7)
            _fill_here(server, count)
        for number in range(_PARTS):
            progress.update(shard(number), (3 + number) / 7)
            _make_shard(shards, number)
        for one in shards.servers:
            one.start()
        # before there are foreign tables, which it would look at
        server.sql("VACUUM (FREEZE, ANALYZE)")
        _make_foreign(shards)
        for one in shards.servers:
            one.stop()
        server.sql(f"COMMENT ON SCHEMA {made} IS '{stamp}'")
        server.sql("CHECKPOINT")


# ----- running -----

def set_variant(shards: Shards, variant: str) -> None:
    """ssdpar on or off on the shards."""
    shards.coordinator.sql("".join(
        f"ALTER SERVER {shard(number)} OPTIONS (SET options "
        f"'{_options(variant)}');" for number in range(_PARTS)))


def go_by(shards: Shards, sockets: Sequence[str]) -> None:
    """Reach the shards by other sockets, with what is known of the links."""
    server = shards.coordinator
    for number, directory in enumerate(sockets):
        known = server.sql(
            "SELECT latency_seconds, bytes_per_second FROM ssdpar.server_link"
            f" WHERE server = '{shard(number)}'").split("|")
        server.sql(f"ALTER SERVER {shard(number)} OPTIONS (SET host "
                   f"'{directory}');")
        if known[0]:
            server.sql(f"SELECT ssdpar.store_link('{shard(number)}', "
                       f"{known[0]}, {known[1]})")


def links(shards: Shards) -> Dict[str, List[float]]:
    """Seconds and bytes a second of each."""
    found = shards.coordinator.sql(
        "SELECT server, latency_seconds, bytes_per_second FROM "
        "ssdpar.server_link WHERE latency_seconds IS NOT NULL")
    return {line.split("|")[0]: [float(word) for word in line.split("|")[1:]]
            for line in found.splitlines()}


def _files(server: Server, schemas: Sequence[str]) -> List[str]:
    names = ", ".join(f"'{name}'" for name in schemas)
    return server.sql(
        "SELECT pg_relation_filepath(c.oid) FROM pg_class c JOIN "
        "pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN "
        f"({names}) AND c.relkind IN ('r', 'i')").split()


def restart_cold(shards: Shards, kind: str) -> CacheState:
    """Nothing cached of the facts; the dimensions neither."""
    names = ["public"] + [schema(kind, count) for count in COUNTS]
    states = []
    if kind == FOREIGN:
        states = [cold.restart_files_cold(one, _files(one, ["public"]))
                  for one in shards.servers]
    states.append(cold.restart_files_cold(shards.coordinator,
                                          _files(shards.coordinator, names)))
    return CacheState(sum(state.resident for state in states),
                      sum(state.total for state in states))


def check_memory(scale: float, limit: int) -> None:
    """An emulated device's data stay in memory."""
    emulator.check_bytes(len(COUNTS) * rows_bytes(scale) * 1.3 + limit)


def lacks_citus(server: Server) -> bool:
    return server.sql("SELECT count(*) FROM pg_available_extensions WHERE "
                      "name = 'citus'") == "0"


@contextlib.contextmanager
def mounted(shards: Shards, kind: str, progress: Progress
            ) -> Iterator[Devices]:
    """A device below each tablespace or shard; all servers run."""
    if kind == HERE:
        with tablespaces.mounted(shards.coordinator, "one channel",
                                 progress) as devices:
            yield devices
        return
    with contextlib.ExitStack() as stack:
        devices = [stack.enter_context(emulator.mounted_over(
            one.scratch.data, PROFILE, progress, _CHANNEL))
            for one in shards.servers]
        try:
            for one in shards.servers:
                one.limit = shards.coordinator.limit
                one.start()
            yield Devices(devices)
        finally:
            with process.held():
                for one in shards.servers:
                    one.stop()


def calibrate(shards: Shards, kind: str, seconds: int) -> Iterator[str]:
    """Measure the devices and the links, saying what comes next."""
    limits = f"seconds => {seconds}, file_size_mb => 64"
    for number in range(_PARTS):
        yield f"device {number}"
        if kind == HERE:
            shards.coordinator.sql(
                "SELECT * FROM ssdpar.calibrate("
                f"'{tablespaces.space(number)}', {limits});")
            continue
        shards.servers[number].sql(
            f"SELECT * FROM ssdpar.calibrate('pg_default', {limits});")
        found = shards.coordinator.sql(
            f"SELECT * FROM ssdpar.calibrate_server('{shard(number)}')")
        if not found:
            raise UserError(f"the link to {shard(number)} has no latency.")
