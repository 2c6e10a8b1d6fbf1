"""SSB's fact in partitions of the scratch server, on separate tablespaces."""

from __future__ import annotations

from typing import ContextManager, Iterator

from . import cold, shards, tablespaces
from .cold import CacheState
from .legs import Settings
from .progress import Progress
from .server import Server
from .shards import FACT, HERE, PARTS
from .tablespaces import COUNTS, Devices


class Here(shards.Spread):
    """Four partitions, on one, two and four tablespaces."""

    KIND = HERE
    OVER = "tablespaces"
    VERSION = 2

    def __init__(self, server: Server) -> None:
        self.home = self.front = server

    def _fill(self, count: int) -> None:
        name = f"{shards.schema(HERE, count)}.{FACT}"
        self.front.sql(
            f"CREATE SCHEMA {shards.schema(HERE, count)}; CREATE TABLE {name} "
            f"(LIKE public.{FACT}) PARTITION BY HASH (lo_orderkey);" +
            "".join(f"CREATE TABLE {name}_{part} PARTITION OF {name} FOR "
                    f"VALUES WITH (MODULUS {PARTS}, REMAINDER {part}) "
                    f"TABLESPACE {tablespaces.space(part % count)};"
                    for part in range(PARTS)) +
            f"INSERT INTO {name} SELECT * FROM public.{FACT};")
        for part in range(PARTS):
            shards.index_all(self.front, f"{name}_{part}",
                             f" TABLESPACE {tablespaces.space(part % count)}")
        self.front.sql(f"VACUUM (FREEZE, ANALYZE) {name}")

    def make(self, progress: Progress) -> None:
        tablespaces.make_spaces(self.front)
        for count in COUNTS:
            progress.update(f"{count} tablespaces",
                            COUNTS.index(count) / len(COUNTS))
            self._fill(count)

    def set_variant(self, variant: str) -> None:
        """The session's setting suffices."""

    def settings(self, count: int, variant: str) -> Settings:
        return dict(super().settings(count, variant),
                    enable_partitionwise_aggregate="on")

    def restart_cold(self) -> CacheState:
        names = ["public"] + [shards.schema(HERE, count) for count in COUNTS]
        return cold.restart_files_cold(self.front,
                                       shards.files(self.front, names))

    def mounted(self, progress: Progress) -> ContextManager[Devices]:
        return tablespaces.mounted(self.front, "one channel", progress)

    def calibrate(self, seconds: int) -> Iterator[str]:
        for number in range(PARTS):
            yield f"device {number}"
            self.front.sql(
                f"SELECT * FROM ssdpar.calibrate('{tablespaces.space(number)}'"
                f", seconds => {seconds}, file_size_mb => 64);")
