"""SSB's fact as a distributed table of Citus, dimensions as reference tables.

A coordinator and four workers on this machine, separate from the scratch
server; each of a place's workers has its share of the four shards.  Nodes
reach each other by the directories of their sockets.
"""

from __future__ import annotations

import contextlib
import os
from typing import Iterator, List

from . import cold, server as servers, shards
from .cold import CacheState
from .errors import UserError
from .progress import Progress
from .server import Server
from .shards import CITUS, FACT, OFF, ON, PARTS
from .tablespaces import COUNTS, Devices

_DIMENSIONS = ("customer", "part", "supplier", "date")
_SETTINGS = {"shared_preload_libraries": "citus,ssdpar",
             "citus.node_conninfo": "sslmode=disable",
             # otherwise the files of shards are not found when evicting them
             "citus.override_table_visibility": "off",
             "max_prepared_transactions": "50"}


def is_installed(server: Server) -> bool:
    return os.path.exists(os.path.join(
        server.where.ask("--sharedir"), "extension", "citus.control"))


class Citus(shards.Spread):
    """Four shards, on one, two and four workers."""

    KIND = CITUS
    OVER = "workers of Citus"
    VERSION = 1

    def __init__(self, server: Server) -> None:
        if not is_installed(server):
            raise UserError("Citus is not installed for PostgreSQL "
                            f"{server.major}: leave out the kind citus.")
        self.home = server
        self.front = shards.beside(server, "citus", **_SETTINGS)
        self.workers = [shards.beside(server, f"citus_{number}", **_SETTINGS)
                        for number in range(PARTS)]

    @property
    def _nodes(self) -> List[Server]:
        return [self.front, *self.workers]

    # ----- data -----

    def _make_nodes(self, progress: Progress) -> None:
        for number, one in enumerate(self._nodes):
            progress.update(f"node {number}", number / len(self._nodes))
            shards.make_anew(one)
            one.sql("CREATE EXTENSION citus")
        self.front.sql(
            "SELECT citus_set_coordinator_host("
            f"'{self.front.scratch.socket}', {servers.PORT});" + "".join(
                f"SELECT citus_add_node('{one.scratch.socket}', "
                f"{servers.PORT});" for one in self.workers))
        self.front.sql("CREATE EXTENSION ssdpar")

    def _make_dimensions(self) -> None:
        for name in _DIMENSIONS:
            key = self.home.sql(
                "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE "
                f"conrelid = 'public.{name}'::regclass AND contype = 'p'")
            columns = shards.definition(self.home, name)
            self.front.sql(f"CREATE TABLE {name} ({columns}, {key});"
                           f"SELECT create_reference_table('{name}')")
            shards.copy(self.home, f"SELECT * FROM public.{name}",
                        self.front, name)

    def _fill(self, count: int) -> None:
        """Shards go to the first workers."""
        name = f"{shards.schema(CITUS, count)}.{FACT}"
        self.front.sql(
            f"CREATE SCHEMA {shards.schema(CITUS, count)};"
            f"CREATE TABLE {name} ({shards.definition(self.home)});" +
            "".join("SELECT citus_set_node_property("
                    f"'{one.scratch.socket}', {servers.PORT}, "
                    f"'shouldhaveshards', {number < count});"
                    for number, one in enumerate(self.workers)) +
            f"SELECT create_distributed_table('{name}', 'lo_orderkey', "
            f"colocate_with => 'none', shard_count => {PARTS})")
        shards.copy(self.home, f"SELECT * FROM public.{FACT}", self.front,
                    name)
        shards.index_all(self.front, name)

    def make(self, progress: Progress) -> None:
        try:
            self._make_nodes(progress)
            self._make_dimensions()
            for count in COUNTS:
                progress.update(f"{count} workers")
                self._fill(count)
            for one in self._nodes:
                one.sql("VACUUM (FREEZE, ANALYZE)")
        finally:
            for one in self._nodes:
                one.stop()
        # a mark in SSB's database, of which these are a copy
        self.home.sql(f"CREATE SCHEMA {shards.schema(CITUS, COUNTS[-1])}")

    # ----- running -----

    def set_variant(self, variant: str) -> None:
        """Takes effect at the restart that begins every leg."""
        assert variant in (OFF, ON)
        for one in self._nodes:
            one.settings["ssdpar.enabled"] = variant

    def restart_cold(self) -> CacheState:
        names = ["public"] + [shards.schema(CITUS, count) for count in COUNTS]
        states = [cold.restart_files_cold(one, shards.files(one, names))
                  for one in self._nodes]
        return CacheState(sum(state.resident for state in states),
                          sum(state.total for state in states))

    @contextlib.contextmanager
    def mounted(self, progress: Progress) -> Iterator[Devices]:
        """The coordinator has no rows, so it has no such device."""
        limit = self.home.limit
        with shards.devices_below(self.workers, limit, progress) as devices, \
                shards.started([self.front], limit):
            yield devices

    def calibrate(self, seconds: int) -> Iterator[str]:
        """As in docs/howto/shards.md, one node after another."""
        yield "all workers"
        found = self.front.sql(
            "SELECT DISTINCT result FROM run_command_on_workers($$SELECT "
            "problem FROM ssdpar.calibrate('pg_default', seconds => "
            f"{seconds}, file_size_mb => 64)$$, parallel => false)")
        if found:
            raise UserError(f"a worker could not be calibrated: {found}")
