"""Runs fio on a device: direct I/O, no server.

One job of a read keeps `depth` requests outstanding; writers are that number
of processes with a file each, because the kernel serializes direct writes to
one file on some file systems (FUSE).  Files are written once before measuring.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import List, Sequence

from . import process
from .errors import UserError
from .progress import Progress

WRITERS = 32
_BLOCK = 2 ** 20


@dataclass(frozen=True)
class Job:
    """A pattern in fio's words, size in kB, depth, parallel streams."""

    pattern: str
    kilobytes: int
    depth: int = 1
    streams: int = 1

    @property
    def writes(self) -> bool:
        return "write" in self.pattern

    def arguments(self, place: str, number: int, megabytes: int
                  ) -> List[str]:
        """The job's options for fio."""
        own = [f"--name=job{number}", f"--rw={self.pattern}",
               f"--bs={self.kilobytes}k", f"--randseed={number + 1}"]
        if self.writes and self.depth > 1:
            return own + [f"--numjobs={self.depth}", "--iodepth=1",
                          f"--directory={place}",
                          "--filename_format=w$jobnum",
                          f"--size={megabytes // WRITERS}M"]
        name = "write" if self.writes else "read"
        part = megabytes // self.streams
        own += [f"--filename={place}/{name}", f"--size={part}M",
                f"--iodepth={self.depth}"]
        if self.streams > 1:
            own += [f"--numjobs={self.streams}",
                    f"--offset_increment={part}M"]
        return own


def lay_files(place: str, megabytes: int, progress: Progress) -> None:
    """Random content, because some devices compress."""
    block = os.urandom(_BLOCK)
    sizes = {"read": megabytes, "write": megabytes}
    sizes.update({f"w{number}": megabytes // WRITERS
                  for number in range(WRITERS)})
    with progress.step(f"writing {sum(sizes.values())} MB to measure on"):
        for name, size in sizes.items():
            with open(os.path.join(place, name), "wb") as file:
                for _ in range(size):
                    file.write(block)
                file.flush()
                os.fsync(file.fileno())


def bytes_needed(megabytes: int) -> int:
    """The size of lay_files's files."""
    return 3 * megabytes * _BLOCK


def measure(place: str, jobs: Sequence[Job], seconds: int, megabytes: int,
            buffered: bool = False) -> List[float]:
    """Bytes per second of each job, all of them running together.

    If buffered, each file is read at most once, because its second reading
    would come from the cache.
    """
    command = ["fio", "--output-format=json", "--ioengine=io_uring",
               f"--runtime={seconds}", "--group_reporting",
               "--fallocate=none", "--invalidate=1", "--thread"]
    command += ["--direct=0"] if buffered else ["--direct=1", "--time_based"]
    for number, job in enumerate(jobs):
        command += job.arguments(place, number, megabytes)
        if len(jobs) > 1:
            command += ["--new_group"]
    result = process.check(command, "fio")
    try:
        groups = json.loads(result.out[result.out.index("{"):])["jobs"]
        found = [float(group["read"]["bw_bytes"] + group["write"]["bw_bytes"])
                 for group in groups]
    except (ValueError, KeyError):
        found = []
    if len(found) != len(jobs):
        raise UserError("fio's answer cannot be understood. It said:\n"
                        f"{result.last_words(4)}")
    return found
