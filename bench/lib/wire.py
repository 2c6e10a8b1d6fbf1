"""Counts bytes to a server, by a socket in front of its own.

Data takes longer through it, so times are measured without.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import threading
from dataclasses import dataclass, field
from typing import Dict, Iterator, List

from . import own_files
from . import server as servers
from .server import Server

_CHUNK = 1 << 18
TO, FROM = "to", "from"


@dataclass
class Counts:
    """Bytes to a server and from it."""

    bytes: Dict[str, int] = field(default_factory=lambda: {TO: 0, FROM: 0})
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, way: str, count: int) -> None:
        with self._lock:
            self.bytes[way] += count


def _pass_on(source: socket.socket, sink: socket.socket, counts: Counts,
             way: str) -> None:
    """Until either side closes; then closes the other one."""
    with contextlib.suppress(OSError):
        while True:
            data = source.recv(_CHUNK)
            if not data:
                break
            counts.add(way, len(data))
            sink.sendall(data)
    for side in (source, sink):
        with contextlib.suppress(OSError):
            side.shutdown(socket.SHUT_RDWR)


class _Front:
    """A listening socket in a separate directory."""

    def __init__(self, directory: str, behind: str, counts: Counts) -> None:
        self._behind, self._counts = behind, counts
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path = os.path.join(directory, os.path.basename(behind))
        self._listener.bind(path)
        os.chmod(path, 0o777)       # others cannot enter the directory
        self._listener.listen(16)
        self._pairs: List[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                backend = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self._pairs += [client, backend]
                try:
                    backend.connect(self._behind)
                except OSError:
                    client.close()
                    continue
                for source, sink, way in ((client, backend, TO),
                                          (backend, client, FROM)):
                    threading.Thread(target=_pass_on, daemon=True, args=(
                        source, sink, self._counts, way)).start()

    def close(self) -> None:
        # closing alone does not wake up accept()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        for one in (self._listener, *self._pairs):
            one.close()


@contextlib.contextmanager
def counted(server: Server, directory: str) -> Iterator[Counts]:
    """Counts what clients of that directory's socket send and receive."""
    own_files.new_directory(directory)
    counts = Counts()
    front = _Front(directory, os.path.join(
        server.scratch.socket, f".s.PGSQL.{servers.PORT}"), counts)
    own_files.give_directory(directory, server.user)
    try:
        yield counts
    finally:
        front.close()
        shutil.rmtree(directory, ignore_errors=True)
