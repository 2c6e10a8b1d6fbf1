"""SSB's fact in tables of other servers, which postgres_fdw reaches.

One, two and four servers of this machine; the dimensions stay in the scratch
server, which coordinates.
"""

from __future__ import annotations

from typing import ContextManager, Dict, Iterator, List, Sequence

from . import cold, server as servers, shards
from .cold import CacheState
from .errors import UserError
from .legs import Settings
from .progress import Progress
from .server import Server
from .shards import FACT, FOREIGN, ON, PARTS
from .tablespaces import COUNTS, Devices


def shard(number: int) -> str:
    return f"shard_{number}"


def _options(variant: str) -> str:
    """Of a shard's sessions: cursors are planned for all of their rows."""
    return f"-c cursor_tuple_fraction=1 -c ssdpar.enabled={variant}"


class Foreign(shards.Spread):
    """Foreign partitions, on one, two and four servers."""

    KIND = FOREIGN
    OVER = "other servers"
    VERSION = 2

    def __init__(self, server: Server) -> None:
        self.home = self.front = server
        self.servers = [shards.beside(server, shard(number))
                        for number in range(PARTS)]

    # ----- data -----

    def _fill(self, number: int) -> None:
        """A table for each number of shards to which it belongs."""
        server = self.servers[number]
        columns = shards.definition(self.front)
        for count in COUNTS:
            if number >= count:
                continue
            name = f"{FACT}_{count}"
            server.sql(f"CREATE TABLE {name} ({columns})")
            shards.copy(self.front, f"SELECT * FROM public.{FACT} WHERE "
                        f"lo_orderkey % {count} = {number}", server, name)
            shards.index_all(server, name)
        server.sql("VACUUM (FREEZE, ANALYZE)")
        server.sql("CHECKPOINT")

    def _make_shard(self, number: int) -> None:
        server = self.servers[number]
        shards.make_anew(server)
        server.sql("CREATE EXTENSION ssdpar")
        self._fill(number)

    def _make_servers(self) -> None:
        self.front.sql("CREATE EXTENSION IF NOT EXISTS postgres_fdw;" + "".join(
            f"DROP SERVER IF EXISTS {shard(number)} CASCADE;"
            f"CREATE SERVER {shard(number)} FOREIGN DATA WRAPPER postgres_fdw "
            f"OPTIONS (host '{one.scratch.socket}', port '{servers.PORT}', "
            f"dbname '{servers.DATABASE}', async_capable 'true', "
            f"fetch_size '10000', options '{_options(ON)}');"
            f"CREATE USER MAPPING FOR CURRENT_USER SERVER {shard(number)} "
            f"OPTIONS (user '{servers.SUPERUSER}');"
            for number, one in enumerate(self.servers)))

    def _make_tables(self, count: int) -> None:
        """Partitions by list of the remainder that also chooses the shard."""
        name = f"{shards.schema(FOREIGN, count)}.{FACT}"
        self.front.sql(
            f"CREATE SCHEMA {shards.schema(FOREIGN, count)}; "
            f"CREATE TABLE {name} (LIKE public.{FACT}) PARTITION BY "
            f"LIST ((lo_orderkey % {count}));" + "".join(
                f"CREATE FOREIGN TABLE {name}_{number} PARTITION OF "
                f"{name} FOR VALUES IN ({number}) SERVER "
                f"{shard(number)} OPTIONS (schema_name 'public', "
                f"table_name '{FACT}_{count}');"
                for number in range(count)) + f"ANALYZE {name};" +
            "".join(f"ANALYZE {name}_{number};" for number in range(count)))

    def make(self, progress: Progress) -> None:
        for number in range(PARTS):
            progress.update(shard(number), number / PARTS)
            self._make_shard(number)
        try:
            self._make_servers()
            for count in COUNTS:
                self._make_tables(count)
        finally:
            for one in self.servers:
                one.stop()

    # ----- running -----

    def set_variant(self, variant: str) -> None:
        self.front.sql("".join(
            f"ALTER SERVER {shard(number)} OPTIONS (SET options "
            f"'{_options(variant)}');" for number in range(PARTS)))

    def settings(self, count: int, variant: str) -> Settings:
        return dict(super().settings(count, variant),
                    **{"ssdpar.shard_keys": "100000",
                       "enable_partitionwise_aggregate": "on"})

    def restart_cold(self) -> CacheState:
        states = [cold.restart_files_cold(one, shards.files(one, ["public"]))
                  for one in self.servers]
        states.append(cold.restart_files_cold(
            self.front, shards.files(self.front, ["public"])))
        return CacheState(sum(state.resident for state in states),
                          sum(state.total for state in states))

    def mounted(self, progress: Progress) -> ContextManager[Devices]:
        return shards.devices_below(self.servers, self.front.limit, progress)

    def calibrate(self, seconds: int) -> Iterator[str]:
        for number, one in enumerate(self.servers):
            yield f"device {number}"
            one.sql("SELECT * FROM ssdpar.calibrate('pg_default', seconds => "
                    f"{seconds}, file_size_mb => 64);")
            if not self.front.sql("SELECT * FROM ssdpar.calibrate_server("
                                  f"'{shard(number)}')"):
                raise UserError(f"the link to {shard(number)} has no latency.")

    # ----- the wire -----

    def go_by(self, sockets: Sequence[str]) -> None:
        """Reaches the shards by other sockets, with the known links."""
        for number, directory in enumerate(sockets):
            known = self.front.sql(
                "SELECT latency_seconds, bytes_per_second FROM "
                "ssdpar.server_link WHERE server = "
                f"'{shard(number)}'").split("|")
            self.front.sql(f"ALTER SERVER {shard(number)} OPTIONS (SET host "
                           f"'{directory}');")
            if known[0]:
                self.front.sql(f"SELECT ssdpar.store_link('{shard(number)}', "
                               f"{known[0]}, {known[1]})")

    def links(self) -> Dict[str, List[float]]:
        """Seconds and bytes per second of each."""
        found = self.front.sql(
            "SELECT server, latency_seconds, bytes_per_second FROM "
            "ssdpar.server_link WHERE latency_seconds IS NOT NULL")
        return {line.split("|")[0]: [float(word)
                                     for word in line.split("|")[1:]]
                for line in found.splitlines()}
