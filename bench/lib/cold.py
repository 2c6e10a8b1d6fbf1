"""A cold cache, with a proof.

Restarting empties shared buffers; `vmtouch -e` asks the kernel to drop the
cluster's files from its page cache, which needs no root.  Pages that the
kernel kept are counted and recorded with every run, so that "cold" is never
just assumed.  A disk's or a hypervisor's own cache is out of reach.
"""

from __future__ import annotations

import glob
import os
import re
import time
from dataclasses import dataclass
from typing import Iterable, List, Sequence

from . import process
from .errors import UserError
from .server import Server

_INTERRUPTED = "Interrupted system call"
_SYNC_TRIES = 3
_PAGES = re.compile(r"Resident Pages:\s*(\d+)/(\d+)")


@dataclass(frozen=True)
class CacheState:
    """Pages of the cluster in the page cache just before a run."""

    resident: int
    total: int

    @property
    def is_cold(self) -> bool:
        """A hundredth may stay, because the kernel skips pages in use."""
        return self.resident * 100 <= self.total

    def __str__(self) -> str:
        return f"{self.resident} of {self.total} pages cached"


def summary(states: Iterable[CacheState]) -> str:
    """A sentence on how cold a run's legs were; emphatic if they were not."""
    worst = max(states, key=lambda state: state.resident)
    if worst.is_cold:
        return f"cold: before a run at most {worst}"
    return (f"NOT COLD: before a run up to {worst}, which this file system "
            "does not let go; do not believe the times")


def _vmtouch(server: Server, *options: str,
             files: Sequence[str] = ()) -> str:
    result = process.run(["vmtouch", *options,
                          *(files or [server.scratch.data])],
                         user=server.user)
    if result.status != 0:
        raise UserError("vmtouch could not look after the scratch data's "
                        f"page cache. It said:\n{result.last_words(4)}")
    return result.out


def resident(server: Server, files: Sequence[str] = ()) -> CacheState:
    """Pages of the cluster, or of these files, that are cached now."""
    found = _PAGES.search(_vmtouch(server, files=files))
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
    for _ in range(_SYNC_TRIES):
        result = process.run(["sync", "-f", server.scratch.data])
        if result.status == 0:
            return
        # Seen once on an emulated device (FUSE), when a co-runner was ended
        # during a write; repeating succeeds.
        if _INTERRUPTED not in result.err:
            break
    raise UserError("the scratch data could not be written to its device, "
                    "so its cache cannot be emptied. sync said:\n"
                    f"{result.last_words(2)}")


def warm(server: Server) -> None:
    """Reads every file of the cluster into the page cache."""
    _vmtouch(server, "-q", "-t")


def drop_all_caches() -> None:
    """Everything that the kernel can drop; root only, for benchmarks."""
    with open("/proc/sys/vm/drop_caches", "w") as file:
        file.write("3\n")


def empty(server: Server, everything: bool = False) -> CacheState:
    """Stops the server and empties its cache; leaves it stopped."""
    server.stop()
    _sync(server)
    _vmtouch(server, "-q", "-e")
    if everything:
        drop_all_caches()
    return resident(server)


def restart_cold(server: Server, everything: bool = False) -> CacheState:
    """Restarts the server with nothing of its files cached."""
    state = empty(server, everything)
    server.start()
    return state


# Only some relations.  A scenario of thousands of legs, none of which writes,
# cannot empty everything each time, and unused relations may stay.

def _segments(server: Server, files: Iterable[str]) -> List[str]:
    """All files of relations: further segments, maps."""
    found = []
    for file in files:
        path = os.path.join(server.scratch.data, file)
        found += [path] + glob.glob(glob.escape(path) + "[._]*")
    return found


def resident_files(server: Server, files: Iterable[str]) -> CacheState:
    """Cached pages of these relations; files are relative to the data."""
    return resident(server, _segments(server, files))


def _wait_for_daemon(server: Server) -> None:
    """It starts after the server, and an earlier leg would not be prefetched.
    """
    for _ in range(100):
        if server.sql("SELECT problem IS NULL FROM "
                      "ssdpar.daemon_status()") == "t":
            return
        time.sleep(0.05)
    raise UserError("the prefetch daemon did not start within 5 seconds of "
                    "the scratch server, so legs would not be comparable. "
                    f"The server's log ends:\n{server.log_tail()}")


def restart_files_cold(server: Server, files: Iterable[str]) -> CacheState:
    """Restarts the server with nothing of these relations cached."""
    segments = _segments(server, files)
    server.stop()
    for path in segments:
        fd = os.open(path, os.O_RDONLY)
        try:
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(fd)
    state = resident(server, segments)
    server.start()
    _wait_for_daemon(server)
    return state
