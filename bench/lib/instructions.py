"""Instructions that the server executes in one of its functions.

Counted by callgrind, which emulates the server: some 50 times slower, but with
the same number each time, whatever else the machine does.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
from typing import Iterator, List

from . import own_files
from .errors import UserError
from .server import Server

# A statement that reaches a unique function and does nothing.
_MARK = "UNLISTEN ssdpar_mark;\n"
_MARK_FUNCTION = "Async_Unlisten"
_TOTAL = re.compile(r"^(?:summary|totals): (\d+)", re.MULTILINE)

_PROGRAM = """#!/bin/sh
exec valgrind --tool=callgrind -q --collect-atstart=no \\
	--toggle-collect={function} --dump-before={mark} \\
	--callgrind-out-file={dumps}/%p {postgres} "$@"
"""


class Counted:
    """A server that runs under callgrind."""

    def __init__(self, server: Server, dumps: str) -> None:
        self._server = server
        self._dumps = dumps

    def _parts(self) -> List[str]:
        """The session's output, one file per mark, in order."""
        parts = glob.glob(os.path.join(self._dumps, "*.*"))
        return sorted(parts, key=lambda path: int(path.rsplit(".", 1)[1]))

    def count(self, prologue: str, runs: List[str]) -> List[int]:
        """Instructions of each run, SQL, in one session."""
        for path in self._parts():
            os.unlink(path)
        script = prologue + "".join(_MARK + run + _MARK for run in runs)
        self._server.sql(f"\\o /dev/null\n{script}")
        parts = self._parts()[1::2]
        if len(parts) != len(runs):
            raise UserError(
                f"callgrind wrote {len(parts)} counts of {len(runs)}, so "
                "none of them can be told from another. Is there an error "
                f"in {self._server.scratch.log}?")
        return [_total(path) for path in parts]

    def keep(self, directory: str, names: List[str]) -> None:
        """Copies the last session's dumps, for callgrind_annotate."""
        os.makedirs(directory, exist_ok=True)
        for path, name in zip(self._parts()[1::2], names):
            shutil.copyfile(path, os.path.join(directory, name))


def _total(path: str) -> int:
    with open(path, errors="replace") as file:
        found = _TOTAL.findall(file.read())
    if not found:
        raise UserError(f"callgrind's count {path} has no sum in it: it was "
                        "cut off. Is the disk full?")
    return int(found[-1])


@contextlib.contextmanager
def counting(server: Server, function: str) -> Iterator[Counted]:
    """The server, stopped before and after, counting in that function.

    Sessions do not count in other functions; the server must export it.
    """
    dumps = os.path.join(server.scratch.path, "callgrind")
    program = os.path.join(server.scratch.path, "postgres-callgrind")
    own_files.new_directory(dumps)
    own_files.give_directory(dumps, server.user)
    with own_files.replace(program, permissions=0o755) as file:
        file.write(_PROGRAM.format(
            function=function, mark=_MARK_FUNCTION, dumps=dumps,
            postgres=server.program("postgres")))
    server.stop()
    server.instead = program
    try:
        server.start()
        yield Counted(server, dumps)
    finally:
        server.stop()
        server.instead = None
        shutil.rmtree(dumps, ignore_errors=True)
        os.unlink(program)
