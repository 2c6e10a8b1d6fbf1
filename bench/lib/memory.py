"""A memory limit for the scratch server, by control group (v1 or v2).

With less memory than data, a large machine behaves like a small one: pages are
charged to the group whose process reads them.  Only root can do this; without
root the caller reports that the server ran without a limit.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from typing import Iterator, Optional, Tuple

from .errors import UserError

_UNITS = {"": 1, "K": 2 ** 10, "M": 2 ** 20, "G": 2 ** 30, "T": 2 ** 40}
LOWEST = 768 * 2 ** 20      # shared buffers, hash tables, 64 processes


def parse(text: str) -> int:
    """Bytes from text such as 2G; ValueError if it is none."""
    found = re.fullmatch(r"(\d{1,9})([KMGT]?)", text.upper())
    if found is None:
        raise ValueError(text)
    return int(found.group(1)) * _UNITS[found.group(2)]


def hierarchies() -> Iterator[Tuple[str, str]]:
    """(kind, mount point) of hierarchies that may limit memory."""
    with open("/proc/self/mountinfo") as file:
        for line in file:
            left, _, right = line.partition(" - ")
            kind, _, options = right.split(" ", 2)
            if kind == "cgroup" and \
                    "memory" in options.strip().split(","):
                yield "v1", left.split()[4]
            elif kind == "cgroup2":
                yield "v2", left.split()[4]


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def v2_can_limit(mount: str) -> bool:
    """May groups below this one limit memory?  OSError if it is not ours."""
    with open(os.path.join(mount, "cgroup.controllers")) as file:
        if "memory" not in file.read().split():
            return False
    _write(os.path.join(mount, "cgroup.subtree_control"), "+memory")
    return True


def _own_group(kind: str, mount: str) -> str:
    """The group of this process, to return to."""
    with open("/proc/self/cgroup") as file:
        for line in file:
            number, controllers, path = line.rstrip("\n").split(":", 2)
            if (kind == "v2" and number == "0") or \
                    (kind == "v1" and "memory" in controllers.split(",")):
                inside = os.path.join(mount, path.lstrip("/"))
                return inside if os.path.isdir(inside) else mount
    return mount


class MemoryLimit:
    """A control group with a limit, while it exists."""

    def __init__(self, kind: str, mount: str, limit: int) -> None:
        self.limit = limit
        self._home = _own_group(kind, mount)
        self._path = os.path.join(mount, f"ssdpar-bench-{os.getpid()}")
        os.mkdir(self._path)
        try:
            name = {"v1": "memory.limit_in_bytes", "v2": "memory.max"}[kind]
            _write(os.path.join(self._path, name), str(limit))
        except BaseException:
            os.rmdir(self._path)
            raise

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Processes started in here, and their children, are limited."""
        _write(os.path.join(self._path, "cgroup.procs"), str(os.getpid()))
        try:
            yield
        finally:
            _write(os.path.join(self._home, "cgroup.procs"),
                   str(os.getpid()))

    def remove(self) -> None:
        """Removes the group, whose last process may just be ending."""
        for _ in range(50):
            try:
                os.rmdir(self._path)
                return
            except OSError as error:
                problem = error
                time.sleep(0.1)
        raise UserError(f"cannot remove the control group {self._path}: "
                        f"{problem.strerror}. Remove it with rmdir when its "
                        "processes have ended.")


def _make(limit: int) -> Optional[MemoryLimit]:
    for kind, mount in hierarchies():
        try:
            if kind == "v1" or v2_can_limit(mount):
                return MemoryLimit(kind, mount, limit)
        except OSError:
            continue
    return None


@contextlib.contextmanager
def limited(limit: int) -> Iterator[Optional[MemoryLimit]]:
    """A limit for the body; None if this process may not set one."""
    group = _make(limit) if os.geteuid() == 0 else None
    try:
        yield group
    finally:
        if group is not None:
            group.remove()
