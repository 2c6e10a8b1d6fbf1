"""The scratch server: a dedicated cluster, on a UNIX socket only.

It never touches another cluster and never opens a TCP port.  SETTINGS is the
only place with its configuration.
"""

from __future__ import annotations

import contextlib
import os
from typing import Dict, List, Optional

from . import own_files, process
from .errors import UserError
from .installation import Installation
from .memory import MemoryLimit
from .scratch import Scratch, server_user

PORT = 54329            # only part of the socket's name
SUPERUSER = "postgres"
DATABASE = "ssb"
_WITHOUT = "SSDPAR_WITHOUT"     # features: see features.py

# Differences from the server's defaults, with reasons.  The planner's cost
# settings are not here, because "off" means the default PostgreSQL.
SETTINGS: Dict[str, str] = {
    "listen_addresses": "",                 # no connections from outside
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "shared_preload_libraries": "ssdpar",
    "shared_buffers": "256MB",              # the page cache does the rest
    "work_mem": "64MB",                     # hash tables in one batch
    "maintenance_work_mem": "512MB",        # index builds
    "max_worker_processes": "80",           # room for 64 subqueries
    "max_parallel_workers": "72",
    "jit": "off",                           # each process compiles for itself
    "autovacuum": "off",                    # vacuumed once, after the load
    "wal_level": "minimal",                 # the load need not be logged
    "max_wal_senders": "0",
    "max_wal_size": "1GB",                  # part of the required disk space
    "synchronous_commit": "off",
    "log_destination": "stderr",
    "logging_collector": "off",
    "timezone": "UTC",
}


def _quote(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def _complaint(result: process.Result) -> str:
    """initdb's error, without the messages before it."""
    lines = [line for line in result.out.splitlines() if "error" in line]
    return lines[-1].rstrip(".") if lines else result.last_words(6)


class Server:
    """The scratch server, running or not."""

    def __init__(self, scratch: Scratch, where: Installation) -> None:
        self.scratch = scratch
        self.where = where
        self.bin = where.ask("--bindir")
        self.major = where.major
        self.user = server_user()
        self.port = PORT
        self.superuser = SUPERUSER
        self.limit: Optional[MemoryLimit] = None
        self.instead: Optional[str] = None  # a program that runs postgres
        # In addition to SETTINGS: those of some versions or scenarios.
        self.settings: Dict[str, str] = {}
        if where.has_uring:
            self.settings["io_method"] = "io_uring"
        if os.environ.get(_WITHOUT):
            self.settings["ssdpar.without"] = os.environ[_WITHOUT]

    @property
    def conninfo(self) -> str:
        """For libpq, values quoted by its rules."""
        path = self.scratch.socket.replace("\\", "\\\\").replace("'", "\\'")
        return (f"host='{path}' port={PORT} user={SUPERUSER} "
                f"dbname={DATABASE}")

    def program(self, name: str) -> str:
        return os.path.join(self.bin, name)

    def _ctl(self, *arguments: str) -> process.Result:
        return self.where.run(
            [self.program("pg_ctl"), "-D", self.scratch.data, *arguments],
            user=self.user, own_session=True, merge=True)

    def log_tail(self, lines: int = 8) -> str:
        try:
            with open(self.scratch.log, errors="replace") as file:
                return "\n".join(file.read().splitlines()[-lines:])
        except OSError:
            return "(the server wrote no log)"

    def _configure(self) -> None:
        path = os.path.join(self.scratch.data, "postgresql.auto.conf")
        settings = dict(SETTINGS, **self.settings,
                        unix_socket_directories=f'"{self.scratch.socket}"')
        with own_files.replace(path) as file:
            for name, value in sorted(settings.items()):
                file.write(f"{name} = {_quote(value)}\n")

    def create(self) -> None:
        """Creates the cluster."""
        # Only its owner (and root) can enter the socket's directory, so all
        # connections are trusted.
        result = self.where.run(
            [self.program("initdb"), "-D", self.scratch.data, "-U", SUPERUSER,
             "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions"],
            user=self.user, merge=True)
        if result.status != 0:
            raise UserError(
                f"initdb could not make a cluster in {self.scratch.path} "
                f"as user {self.user.name}: {_complaint(result)}. If it may "
                "not enter that directory, set SSDPAR_SCRATCH to one it "
                "may.")
        self._configure()

    def pid(self) -> Optional[int]:
        """The postmaster's process ID, None if it does not run."""
        result = self._ctl("status")
        if result.status != 0:
            return None
        with open(os.path.join(self.scratch.data, "postmaster.pid")) as file:
            return int(file.readline())

    def start(self) -> None:
        self._configure()
        within = self.limit.entered() if self.limit \
            else contextlib.nullcontext()
        with process.held(), within:
            result = self.where.run(
                [self.program("pg_ctl"), "-D", self.scratch.data, "-w",
                 "-t", "120", "-s", "-l", self.scratch.log,
                 *(["-p", self.instead] if self.instead else []), "start"],
                user=self.user, own_session=True, merge=True)
        if result.status != 0:
            words = self.log_tail()
            with process.held():
                self._ctl("-m", "immediate", "-w", "stop")
            raise UserError(
                "the scratch server did not start. Its log ends:\n"
                f"{words}")

    def stop(self) -> bool:
        """Stops it if it runs; returns whether it did."""
        if not os.path.exists(os.path.join(self.scratch.data,
                                           "postmaster.pid")):
            return False
        with process.held():
            for mode, seconds in (("fast", "60"), ("immediate", "20")):
                result = self._ctl("-m", mode, "-w", "-t", seconds, "-s",
                                   "stop")
                if result.status == 0:
                    return True
            if self.pid() is None:
                return False
        raise UserError("the scratch server does not stop. pg_ctl said:\n"
                        f"{result.last_words(4)}")

    def psql_command(self, database: str = DATABASE) -> List[str]:
        """psql as the superuser, without the caller's own start file."""
        return self.where.command(
            [self.program("psql"), "-X", "-h", self.scratch.socket, "-p",
             str(PORT), "-U", SUPERUSER, "-d", database])

    def sql(self, text: str, database: str = DATABASE) -> str:
        """Runs SQL; returns its rows, unaligned, with '|' between fields."""
        result = process.run(
            self.psql_command(database) +
            ["-qAt", "-v", "ON_ERROR_STOP=1", "-f", "-"], stdin=text)
        if result.status != 0:
            raise UserError("the scratch server refused a statement:\n"
                            f"{result.last_words(6)}")
        return result.out.rstrip("\n")

    def sql_file(self, path: str) -> None:
        """Runs a file of SQL."""
        with open(path) as file:
            text = file.read()
        process.check(
            self.psql_command() + ["-q", "-v", "ON_ERROR_STOP=1", "-f", "-"],
            f"running {os.path.basename(path)}", stdin=text)
