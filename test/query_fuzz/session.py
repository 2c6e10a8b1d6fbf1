"""A connection to the server: the simple query protocol over a UNIX socket.

It is not a full driver.  Several statements go in one message, and a row
remains the bytes that the server sent, because comparing them needs no types,
and a thousand queries per second leave no time for more.  It trusts a server
that trusts it.
"""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass, field
from typing import Dict, List, Optional


class Lost(Exception):
    """The connection is lost: the server has crashed or was stopped."""


@dataclass
class Answer:
    """The results of one message of statements."""

    results: List[List[bytes]] = field(default_factory=list)  # one per SELECT
    sqlstate: Optional[str] = None
    message: str = ""

    def text(self, result: int = -1) -> List[str]:
        """The first column of a result, as text."""
        rows = []
        for row in self.results[result]:
            size, = struct.unpack_from("!i", row, 2)
            rows.append("" if size < 0 else row[6:6 + size].decode())
        return rows


def columns_of(row: bytes) -> List[Optional[str]]:
    """A row as readable text."""
    count, = struct.unpack_from("!h", row, 0)
    values: List[Optional[str]] = []
    at = 2
    for _ in range(count):
        size, = struct.unpack_from("!i", row, at)
        at += 4
        values.append(None if size < 0 else row[at:at + size].decode())
        at += max(size, 0)
    return values


class Session:
    """One connection, as one user, to one database."""

    def __init__(self, directory: str, port: int, user: str, database: str):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._read = b""
        try:
            self._socket.connect(f"{directory}/.s.PGSQL.{port}")
            pairs = f"user\0{user}\0database\0{database}\0\0".encode()
            self._socket.sendall(
                struct.pack("!ii", len(pairs) + 8, 196608) + pairs)
            answer = self._answer()
        except OSError as problem:
            raise Lost(str(problem)) from problem
        if answer.sqlstate:
            raise Lost(answer.message)

    def run(self, statements: str) -> Answer:
        """Executes them until the first error."""
        text = statements.encode() + b"\0"
        try:
            self._socket.sendall(
                b"Q" + struct.pack("!i", len(text) + 4) + text)
            return self._answer()
        except OSError as problem:
            raise Lost(str(problem)) from problem

    def must(self, statements: str) -> Answer:
        """The same if an error would be a mistake of the fuzzer."""
        answer = self.run(statements)
        if answer.sqlstate:
            raise RuntimeError(f"{answer.sqlstate} {answer.message}\n"
                               f"{statements}")
        return answer

    def close(self) -> None:
        self._socket.close()

    def _messages(self):
        """Yields (type, body) of what has arrived, a buffer at a time."""
        while True:
            buffer, at = self._read, 0
            while len(buffer) - at >= 5:
                size, = struct.unpack_from("!i", buffer, at + 1)
                if len(buffer) - at <= size:
                    break
                yield buffer[at], buffer[at + 5:at + 1 + size]
                at += 1 + size
            self._read = buffer[at:]
            self._read += self._receive()

    def _receive(self) -> bytes:
        more = self._socket.recv(1 << 18)
        if not more:
            raise Lost("the server closed the connection")
        return more

    def _answer(self) -> Answer:
        answer = Answer()
        for kind, body in self._messages():
            if kind == ord("D"):
                answer.results[-1].append(body)
            elif kind == ord("T"):
                answer.results.append([])
            elif kind == ord("E"):
                self._note_error(answer, body)
            elif kind == ord("Z"):
                # nothing follows this before the next query
                self._read = b""
                break
        return answer

    @staticmethod
    def _note_error(answer: Answer, body: bytes) -> None:
        fields: Dict[str, str] = {
            part[:1].decode(): part[1:].decode(errors="replace")
            for part in body.split(b"\0") if part}
        if fields.get("S") in ("FATAL", "PANIC"):
            raise Lost(fields.get("M", ""))
        answer.sqlstate = fields["C"]
        answer.message = fields.get("M", "")
