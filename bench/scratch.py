"""./run psql, stop and clean: the scratch server outside a demo.

They never touch another server, nor a scratch server that a demo is using.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn, Sequence

from lib import cli, packages
from lib.errors import UsageError, UserError
from lib.installation import Installation
from lib.scratch import Scratch
from lib.server import Server
from lib.session import beside, locked


def _server(scratch: Scratch) -> Server:
    pg_config = packages.find_pg_config()
    if pg_config is None:
        raise UserError("there is no PostgreSQL 15, 17 or 18 here. ./run demo "
                        "installs one.")
    return Server(scratch, Installation(pg_config))


def _psql(scratch: Scratch, arguments: Sequence[str]) -> NoReturn:
    """Becomes psql; the server continues to run after it."""
    if not scratch.stamp():
        raise UserError(f"there is no loaded data in {scratch.path}. "
                        "./run demo loads it.")
    server = _server(scratch)
    if server.pid() is None:
        with locked(scratch):
            server.start()
        print("ssdpar: started the scratch server; ./run stop stops it.",
              file=sys.stderr)
    command = [part for part in server.psql_command() if part != "-X"]
    os.environ.clear()
    os.environ.update(_inherited)
    os.execv(command[0], command + list(arguments))


# psql is the user's: keep its settings, but not those that redirect it.
_inherited = {name: value for name, value in os.environ.items()
              if name not in ("PGHOST", "PGPORT", "PGUSER", "PGDATABASE",
                              "PGSERVICE", "PGHOSTADDR", "PGOPTIONS")}


def _has_server(scratch: Scratch) -> bool:
    """Does one run, or was one killed?"""
    return os.path.exists(os.path.join(scratch.data, "postmaster.pid"))


def _stop(scratch: Scratch) -> None:
    """The usual scratch server, and remains of killed runs."""
    if scratch.exists():
        with locked(scratch):
            stopped = _server(scratch).stop()
        print("The scratch server is stopped." if stopped
              else "The scratch server was not running.")
    else:
        print(f"There is no scratch server in {scratch.path}.")
    for other in filter(_has_server, beside(scratch)):
        with locked(other):
            if _server(other).stop():
                print(f"The server in {other.path} is stopped.")


def _clean_all(scratch: Scratch) -> None:
    """The usual scratch data, that of other servers, and separate data."""
    if not scratch.exists():
        print(f"There is no scratch data in {scratch.path}.")
    for one in [scratch] * scratch.exists() + beside(scratch):
        _clean(one)


def _clean(scratch: Scratch) -> None:
    with locked(scratch):
        if _has_server(scratch):
            _server(scratch).stop()
        scratch.forget()    # locked() removes what is left without a stamp
    print(f"Removed {scratch.path}.")


def command(arguments: Sequence[str]) -> int:
    name, rest = arguments[0], arguments[1:]
    if name != "psql" and rest:
        raise UsageError(f"./run {name} takes no arguments, and got "
                         f"'{rest[0]}'. See ./run help.")
    scratch = Scratch()
    if name == "psql":
        _psql(scratch, rest)
    elif name == "stop":
        _stop(scratch)
    else:
        _clean_all(scratch)
    return 0


if __name__ == "__main__":
    cli.main(command)
