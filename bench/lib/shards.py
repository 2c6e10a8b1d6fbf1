"""SSB's fact on several devices: common code of all ways of spreading it.

Partitions in one server (shards_here), tables of others that postgres_fdw
reaches (shards_foreign), a distributed table of Citus (shards_citus).  Every
device is an emulated one, of which only one channel is used, because otherwise
the processors, which simulate the devices too, would be the limit.

A place is a schema with its own lineorder, searched before the dimensions'. It
does not measure times.
"""

from __future__ import annotations

import abc
import contextlib
import os
from typing import ContextManager, Iterator, List, Sequence

from . import emulator, own_schema, process, server as servers
from .cold import CacheState
from .errors import UserError
from .legs import Settings
from .progress import Progress
from .scratch import Scratch
from .server import Server
from .tablespaces import COUNTS, PROFILE, SPEEDS, Devices

HERE, FOREIGN, CITUS = KINDS = ("here", "foreign", "citus")
OFF, ON = VARIANTS = ("off", "on")
ALONE = "one table"
PARTS = max(COUNTS)
KEYS = ("lo_custkey", "lo_partkey", "lo_suppkey", "lo_orderdate")
FACT = "lineorder"
_ROW_BYTES = 150                # a row of lineorder with its index entries
_CHANNEL = SPEEDS["one channel"]


def rows_bytes(scale: float) -> float:
    """Of one copy of the fact."""
    return scale * 6e6 * _ROW_BYTES


def space_needed(scale: float) -> float:
    """Of a kind: a copy for each number of devices."""
    return len(COUNTS) * rows_bytes(scale) * 1.5 + 1e9


def check_memory(scale: float, limit: int) -> None:
    """An emulated device's data stay in memory."""
    emulator.check_bytes(len(COUNTS) * rows_bytes(scale) * 1.3 + limit)


def schema(kind: str, count: int) -> str:
    return f"{kind}_{count}"


class Spread(abc.ABC):
    """A kind of places, on one, two and four devices."""

    KIND: str
    OVER: str
    VERSION: int                # of the tables' definition
    home: Server                # the scratch server, with SSB's tables
    front: Server               # receives the queries

    def ensure(self, scale: float, progress: Progress) -> None:
        """All places at that scale, created once."""
        stamp = f"ssdpar shards {self.VERSION}: {scale:g}"
        last = schema(self.KIND, COUNTS[-1])
        if own_schema.is_made(self.home, last, stamp):
            return
        own_schema.check_space(self.home, f"scale {scale:g}",
                               space_needed(scale))
        with progress.step(f"making the fact over {self.OVER}"):
            forget(self.home, self.KIND)
            self.make(progress)
            self.home.sql(f"COMMENT ON SCHEMA {last} IS '{stamp}'")
            self.home.sql("CHECKPOINT")

    @abc.abstractmethod
    def make(self, progress: Progress) -> None:
        """Creates all places; a schema in home marks the last of them."""

    @abc.abstractmethod
    def set_variant(self, variant: str) -> None:
        """Switches ssdpar on or off for queries at the front, from the next
        leg."""

    @abc.abstractmethod
    def restart_cold(self) -> CacheState:
        """Nothing is cached of the facts, nor of the dimensions."""

    @abc.abstractmethod
    def mounted(self, progress: Progress) -> ContextManager[Devices]:
        """A device below each part; all servers run."""

    @abc.abstractmethod
    def calibrate(self, seconds: int) -> Iterator[str]:
        """Measures the devices and the links, announcing each step."""

    def settings(self, count: int, variant: str) -> Settings:
        """Of a leg's session at the front."""
        return {"search_path": f"{schema(self.KIND, count)},public",
                "ssdpar.enabled": variant}


# ----- other servers on this machine -----

def beside(server: Server, name: str, **settings: str) -> Server:
    """A server next to another one's data, not running."""
    suffix = server.scratch.path[len(Scratch().path):]
    made = Server(Scratch(os.path.join(suffix, name)), server.where)
    made.settings = dict(server.settings, shared_buffers="128MB",
                         max_worker_processes="16", max_parallel_workers="8",
                         **settings)
    made.scratch.make()
    # of a killed run
    made.stop()
    emulator.unmount(made.scratch.data)
    return made


def make_anew(server: Server) -> None:
    """An empty database in a new cluster; it runs."""
    server.stop()
    emulator.unmount(server.scratch.data)
    server.scratch.remove_data()
    server.create()
    server.start()
    server.sql(f"CREATE DATABASE {servers.DATABASE}", "postgres")


@contextlib.contextmanager
def devices_below(running: Sequence[Server], limit, progress: Progress
                  ) -> Iterator[Devices]:
    """The servers, started, each on its own device."""
    with contextlib.ExitStack() as stack:
        devices = [stack.enter_context(emulator.mounted_over(
            one.scratch.data, PROFILE, progress, _CHANNEL))
            for one in running]
        with started(running, limit):
            yield Devices(devices)


@contextlib.contextmanager
def started(running: Sequence[Server], limit) -> Iterator[None]:
    try:
        for one in running:
            one.limit = limit
            one.start()
        yield
    finally:
        with process.held():
            for one in running:
                one.stop()


# ----- tables -----

def index_all(server: Server, table: str, where: str = "") -> None:
    server.sql("".join(f"CREATE INDEX ON {table} ({key}){where};"
                       for key in KEYS))


def copy(source: Server, query: str, target: Server, table: str) -> None:
    """Through a file: both servers belong to one user, on one machine."""
    path = os.path.join(source.scratch.path, "rows.copy")
    try:
        source.sql(f"COPY ({query}) TO '{path}' (FORMAT binary)")
        target.sql(f"COPY {table} FROM '{path}' (FORMAT binary)")
    finally:
        if os.path.exists(path):
            os.unlink(path)


def definition(server: Server, table: str = FACT) -> str:
    """Columns of a table of SSB."""
    return server.sql(
        "SELECT string_agg(attname || ' ' || format_type(atttypid, "
        "atttypmod), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid "
        f"= 'public.{table}'::regclass AND attnum > 0")


def files(server: Server, schemas: Sequence[str]) -> List[str]:
    """Of tables and indexes; raises an error if none is found."""
    names = ", ".join(f"'{name}'" for name in schemas)
    found = server.sql(
        "SELECT pg_relation_filepath(c.oid) FROM pg_class c JOIN "
        "pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN "
        f"({names}) AND c.relkind IN ('r', 'i')").split()
    if not found:
        raise UserError(f"the server in {server.scratch.path} shows no table "
                        f"of {names}, so none can be made cold.")
    return found


def forget(server: Server, kind: str) -> None:
    server.sql("SET client_min_messages = warning;" + "".join(
        f"DROP SCHEMA IF EXISTS {schema(kind, count)} CASCADE;"
        for count in COUNTS))
