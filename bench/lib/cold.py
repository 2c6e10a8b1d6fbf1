"""A cold cache, and the proof of it.

Restarting empties shared buffers; `vmtouch -e` asks the kernel to drop the
cluster's files from its page cache, which needs no root.  What the kernel
kept is counted and recorded with every run: "cold" is never just assumed.
A disk's or a hypervisor's own cache is out of reach from here.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Iterable

from . import process
from .errors import UserError
from .server import Server

_PAGES = re.compile(r"Resident Pages:\s*(\d+)/(\d+)")


@dataclass(frozen=True)
class CacheState:
    """Pages of the cluster in the page cache just before a run."""

    resident: int
    total: int

    @property
    def is_cold(self) -> bool:
        """A hundredth may stay: the kernel skips pages that are in use."""
        return self.resident * 100 <= self.total

    def __str__(self) -> str:
        return f"{self.resident} of {self.total} pages cached"


def summary(states: Iterable[CacheState]) -> str:
    """A sentence on how cold a run's legs were; shouts when they were not."""
    worst = max(states, key=lambda state: state.resident)
    if worst.is_cold:
        return f"cold: before a run at most {worst}"
    return (f"NOT COLD: before a run up to {worst}, which this file system "
            "does not let go; do not believe the times")


def _vmtouch(server: Server, *options: str) -> str:
    result = process.run(["vmtouch", *options, server.scratch.data],
                         user=server.user)
    if result.status != 0:
        raise UserError("vmtouch could not look after the scratch data's "
                        f"page cache. It said:\n{result.last_words(4)}")
    return result.out


def resident(server: Server) -> CacheState:
    """What of the cluster is cached at this moment."""
    found = _PAGES.search(_vmtouch(server))
    if found is None:
        raise UserError("vmtouch did not say how many pages are resident, "
                        "so no run can be called cold. Is it Debian's?")
    return CacheState(int(found.group(1)), int(found.group(2)))


def _sync(server: Server) -> None:
    """Only clean pages can be dropped."""
    fd = os.open(server.scratch.data, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
    process.check(["sync", "-f", server.scratch.data], "sync")


def warm(server: Server) -> None:
    """Read every file of the cluster into the page cache."""
    _vmtouch(server, "-q", "-t")


def drop_all_caches() -> None:
    """Everything the kernel can drop, root only, for benchmarks."""
    with open("/proc/sys/vm/drop_caches", "w") as file:
        file.write("3\n")


def empty(server: Server, everything: bool = False) -> CacheState:
    """Stop the server and empty its cache; leaves it stopped."""
    server.stop()
    _sync(server)
    _vmtouch(server, "-q", "-e")
    if everything:
        drop_all_caches()
    return resident(server)


def restart_cold(server: Server, everything: bool = False) -> CacheState:
    """Restart the server with nothing of its files cached."""
    state = empty(server, everything)
    server.start()
    return state
