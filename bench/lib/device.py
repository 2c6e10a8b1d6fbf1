"""The block device under a directory: its name, read-ahead, bytes read.

Bytes come from /proc/diskstats, so they are the whole device's: on a machine
with other load they are an upper bound.  Directories on memory, network or
overlay file systems have no device here; callers get None and say so.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Optional, Protocol

_SECTOR = 512           # the unit of /proc/diskstats, for all devices


def _mounted_device(path: str) -> Optional[int]:
    """The device from which a file system with an anonymous number is mounted.
    """
    best, source = "", ""
    with open("/proc/self/mountinfo") as file:
        for line in file:
            left, _, right = line.partition(" - ")
            point = left.split()[4].encode().decode("unicode_escape")
            inside = point == "/" or path == point or \
                path.startswith(point + "/")
            if inside and len(point) >= len(best):
                best, source = point, right.split()[1]
    try:
        return os.stat(source).st_rdev or None
    except OSError:
        return None


class AnyDevice(Protocol):
    """What a leg needs from a device, real or emulated."""

    @property
    def name(self) -> str: ...

    def bytes_read(self) -> int: ...

    def bytes_written(self) -> int: ...

    def mark(self, name: str) -> None: ...

    def read_ahead_kb(self) -> Optional[int]: ...

    def read_ahead_path(self) -> Optional[str]: ...

    def facts(self) -> dict: ...


@dataclass(frozen=True)
class Device:
    """A line of /proc/diskstats."""

    name: str

    @classmethod
    def under(cls, directory: str) -> Optional[Device]:
        """The device that has a directory, or None."""
        number: Optional[int] = os.stat(directory).st_dev
        if os.major(number) == 0:
            number = _mounted_device(os.path.realpath(directory))
        if not number:
            return None
        wanted = [str(os.major(number)), str(os.minor(number))]
        with open("/proc/diskstats") as file:
            for line in file:
                fields = line.split()
                if fields[:2] == wanted:
                    return cls(fields[2])
        return None

    def _count(self, field: int) -> int:
        with open("/proc/diskstats") as file:
            for line in file:
                fields = line.split()
                if fields[2] == self.name:
                    return int(fields[field])
        raise OSError(f"device {self.name} has gone from /proc/diskstats")

    def bytes_read(self) -> int:
        """Bytes read from the device since the machine started."""
        return self._count(5) * _SECTOR

    def bytes_written(self) -> int:
        """Bytes written to it since then."""
        return self._count(9) * _SECTOR

    def mark(self, name: str) -> None:
        """Only an emulated device records reads."""

    def _queue_path(self, what: str) -> Optional[str]:
        # A partition's queue is its disk's, one directory up.
        base = os.path.realpath(f"/sys/class/block/{self.name}")
        for directory in (base, os.path.dirname(base)):
            path = os.path.join(directory, "queue", what)
            if os.path.exists(path):
                return path
        return None

    def _queue(self, what: str) -> Optional[str]:
        path = self._queue_path(what)
        if path is None:
            return None
        with open(path) as file:
            return file.read().strip()

    def read_ahead_path(self) -> Optional[str]:
        """The file with the read-ahead window, for writing."""
        return self._queue_path("read_ahead_kb")

    def read_ahead_kb(self) -> Optional[int]:
        """The kernel's sequential read-ahead window."""
        value = self._queue("read_ahead_kb")
        return int(value) if value else None

    def facts(self) -> dict:
        """Facts on the device for readers of a result."""
        return {"name": self.name, "read_ahead_kb": self.read_ahead_kb(),
                "scheduler": self._queue("scheduler"),
                "rotational": self._queue("rotational"),
                "nr_requests": self._queue("nr_requests")}
