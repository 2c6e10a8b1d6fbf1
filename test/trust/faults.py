"""Faults while queries run: rows stay right, and nothing is left behind.

Sessions run star queries repeatedly and compare each answer with the previous
one.  Meanwhile the daemon is killed or stopped, its socket is removed or
replaced, backends are terminated in any phase, the server is stopped
immediately and recovers, and resources are scarce (scarce.py).  A query that
was not terminated itself must not fail.
"""

from __future__ import annotations

import contextlib
import glob
import os
import signal
import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Callable, List, Optional, Tuple

from unit import Finding, Part, Result
from place import WITH_SSDPAR, Place
from held import (GOOD_LIFE, database_dropped, disk_full, out_of_memory,
                  tablespace_dropped)
from scarce import (bind_for_all, calibration_ended, check_calibrations,
                    few_descriptors, few_in_backends, no_fork,
                    server_stopped_amid_calibration, wrong_listener)
from session import Lost, Session, columns_of
from tables import invent

_DATABASE = "faults"
_SLICE = 45.0
_LOADS = 3

_EARLY = 0.6            # age of the daemon; sessions use it twice per second
_PATIENCE = 30.0        # for a daemon

_TABLES = """
CREATE TABLE dimension AS SELECT i AS k, i % 10 AS x
  FROM generate_series(1, 1000) i;
CREATE TABLE fact AS SELECT i AS u, (i * 7919) % 1000 + 1 AS k,
    (i * 31) % 1000 + 1 AS k2, repeat('x', 200) AS pad
  FROM generate_series(1, 60000) i;
CREATE INDEX ON fact (k); CREATE INDEX ON fact (k2);
CREATE INDEX ON dimension (k);
VACUUM ANALYZE dimension, fact;
"""

# Each reads ahead in another way.
_QUERIES = (
    "SET ssdpar.star_access = bitmap; SELECT count(*), sum(u) FROM fact f "
    "JOIN dimension d ON d.k = f.k WHERE d.x = 3",
    "SET ssdpar.star_access = sequential; SELECT count(*), sum(u) FROM fact f "
    "JOIN dimension d ON d.k = f.k JOIN dimension e ON e.k = f.k2 "
    "WHERE d.x = 3 AND e.x < 5",
    "SET ssdpar.star_scan = off; SELECT count(*), sum(u) FROM fact",
    "SET ssdpar.subqueries = 2; SET max_parallel_workers_per_gather = 2; "
    "SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; "
    "SET parallel_tuple_cost = 0; SELECT count(*), sum(u) FROM fact f "
    "JOIN dimension d ON d.k = f.k WHERE d.x = 3",
)

# Errors of sessions that were terminated, or connect too early.
_ENDED = ("57014", "57P01", "57P02", "57P03")


@dataclass(frozen=True)
class _Turn:
    """A fault that is repeated under load."""

    do: Callable[[Faults], int]     # returns how often it was done
    ends_sessions: bool = False
    errors: Tuple[str, ...] = ()    # that core alone raises as well
    # Kills backends, after which an 18 server recreates its io_uring
    # instances; core alone can do so four times with 8 MB of lockable memory,
    # and then ends.
    kills: bool = False

    @property
    def name(self) -> str:
        return self.do.__name__.strip("_").replace("_", " ")


class _Load(threading.Thread):
    """One session's queries; errors are recorded."""

    def __init__(self, faults: Faults, number: int):
        super().__init__(daemon=True)
        self.faults = faults
        self.queries = 0
        self.broken_off = 0
        self.wrong: List[str] = []
        self._random = Random(number)

    def run(self) -> None:
        session: Optional[Session] = None
        while not self.faults.over:
            number = self._random.randrange(len(_QUERIES))
            try:
                session = session or self.faults.place.session(_DATABASE)
                self._ask(session, number)
            except Lost as problem:
                self.broken_off += 1
                if not self.faults.turn.ends_sessions:
                    self.wrong.append(f"{_QUERIES[number]}: lost: {problem}")
                session = None
                time.sleep(0.05)

    def _ask(self, session: Session, number: int) -> None:
        answer = session.run("RESET ALL; " + _QUERIES[number])
        if answer.sqlstate:
            self.broken_off += 1
            if not (answer.sqlstate in self.faults.turn.errors or
                    answer.sqlstate in _ENDED and
                    self.faults.turn.ends_sessions):
                self.wrong.append(f"{_QUERIES[number]}: {answer.sqlstate} "
                                  f"{answer.message}")
            return
        self.queries += 1
        if answer.results[-1] != self.faults.right[number]:
            self.wrong.append(f"{_QUERIES[number]}: other rows: "
                              f"{answer.results[-1]!r}")


class Faults(Part):
    NAME = "faults"
    SIDE_BY_SIDE = True
    TRIES = ("star queries that give the same rows, meet no error of their own "
             "and leave nothing behind, while this is done again and again")

    def __init__(self, place: Place, seed: int):
        super().__init__(place, seed)
        self.over = False
        self.right: List[List[bytes]] = []
        self.random = Random(seed)
        self._found: List[Finding] = []
        self._asks: Optional[Session] = None
        self.killed = 0         # the last daemon
        self.counts: Counter[str] = Counter()
        self.turn = _TURNS[0]

    def run(self, number: int, seconds: float) -> Result:
        self.random = Random(self.seed * 100000 + number)
        self._found = []
        self.turn = self._turn_of(number)
        settings = {
            **WITH_SSDPAR, "shared_buffers": "2MB", "fsync": "on",
            "ssdpar.prefetch": "daemon", "restart_after_crash": "on",
            "synchronize_seqscans": "off"}
        if self.place.major >= 18 and self.turn.kills:
            settings["io_method"] = "worker"
        self.place.run_with(settings)
        self._make()
        name = self.turn.name
        self.place.deaths()
        self.counts = Counter({name: 0})
        self._under_load(min(seconds, _SLICE))
        for line in self.place.deaths():
            self._found.append(Finding(f"{name}: a process died", line))
        try:
            self._check_after(name)
        except Lost as problem:
            self.find(f"after {name}: the server does not answer",
                      f"-- {problem}; its log ends:\n"
                      f"{self.place.server.log_tail(40)}\n")
            self.place.stop()
        return Result(name, dict(self.counts), self._found)

    def _turn_of(self, number: int) -> _Turn:
        """Each once, then one of them after those often done."""
        if number < len(_TURNS):
            return _TURNS[self.rotated(number, len(_TURNS))]
        cycle, place = divmod(number - len(_TURNS), len(_OFTEN) + 1)
        if place < len(_OFTEN):
            return _OFTEN[place]
        return _TURNS[cycle % len(_TURNS)]

    def _make(self) -> None:
        session = self.place.session("postgres")
        session.must(f"DROP DATABASE IF EXISTS {_DATABASE} WITH (FORCE)")
        session.must(f"CREATE DATABASE {_DATABASE}")
        session.close()
        session = self.place.session(_DATABASE)
        session.must("CREATE EXTENSION ssdpar; " + invent())
        for statement in _TABLES.strip().split(";\n"):
            session.must(statement)
        session.must("CHECKPOINT")
        self.right = [session.must(
            "RESET ALL; SET ssdpar.enabled = off; " + query).results[-1]
            for query in _QUERIES]
        session.close()

    def _under_load(self, seconds: float) -> None:
        name = self.turn.name
        self.over = False
        loads = [_Load(self, self.random.randrange(10**6))
                 for _ in range(_LOADS)]
        for load in loads:
            load.start()
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end and not any(
                    load.wrong for load in loads):
                with contextlib.suppress(Lost):
                    self.counts[name] += self.turn.do(self)
        finally:
            self.over = True
            for load in loads:
                load.join()
            if self._asks is not None:
                self._asks.close()
                self._asks = None
        for load in loads:
            self.counts["queries"] += load.queries
            self.counts["broken off"] += load.broken_off
            self._found += [Finding(f"{name}: {line[:150]}", self._story(
                name, line)) for line in load.wrong[:3]]

    @staticmethod
    def _story(name: str, line: str) -> str:
        return (f"-- while: {name}\nCREATE EXTENSION ssdpar;\n{invent()}\n"
                f"{_TABLES}{line.replace(': ', chr(10) + '-- ', 1)}\n")

    def _check_after(self, name: str) -> None:
        """Checks the rows, held resources, and remains of calibrations."""
        session = self.patient_session()
        for query, right in zip(_QUERIES, self.right):
            answer = session.must("RESET ALL; " + query)
            if answer.results[-1] != right:
                self._found.append(Finding(f"after {name}: other rows",
                                           self._story(name, query)))
        session.close()
        self._check_held(name)
        self._found += check_calibrations(self)
        if self._asks is not None:
            self._asks.close()
            self._asks = None

    def _check_held(self, name: str) -> None:
        """Two seconds after the last query, the daemon has no file open; if it
        was killed, we may have to wait for it too."""
        session = self.patient_session()
        end = time.monotonic() + _PATIENCE
        files: Optional[str] = None
        why: Optional[str] = None
        while files != "0" and time.monotonic() < end:
            time.sleep(0.5)
            row, = session.must("SELECT files, problem FROM "
                                "ssdpar.daemon_status()").results[-1]
            files, why = columns_of(row)
        session.close()
        if files is None:
            self.find(f"after {name}: the daemon does not answer",
                      f"-- {why}\n")
        elif files != "0":
            self.find(f"after {name}: files are held", f"-- files: {files}\n")

    def patient_session(self) -> Session:
        last = Lost("never tried")
        for _ in range(300):
            try:
                return self.place.session(_DATABASE)
            except Lost as problem:
                last = problem
                time.sleep(0.1)
        raise last

    # ----- the faults; each returns how often it was done -----

    def find(self, title: str, text: str) -> None:
        self._found.append(Finding(title, text))

    def ask(self, query: str) -> str:
        """In a session that stays as long as the server allows."""
        if self._asks is None:
            self._asks = self.patient_session()
        try:
            return self._asks.must(query).text()[0]
        except Lost:
            self._asks = None
            raise

    def pause(self, seconds: float) -> None:
        time.sleep(self.random.random() * seconds)

    @property
    def daemon_socket(self) -> str:
        return os.path.join(self.place.scratch.data, "pg_stat_tmp",
                            "ssdpard.sock")

    def daemon_pid(self) -> int:
        """0 if there is none now; the daemon need not answer for it."""
        option = f"--socket={self.daemon_socket}".encode()
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                if option in file.read():
                    return int(path.split("/")[2])
        return 0

    def another_daemon(self, age: float) -> int:
        """A new daemon, once it is about this many seconds old; 0 if none is
        started."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            pid = self.daemon_pid()
            if pid not in (0, self.killed):
                time.sleep(age)
                return pid
            time.sleep(0.02)
        self.find("the daemon is not started anew", f"-- {_PATIENCE:g} s\n")
        return 0

    def daemon_killed(self) -> int:
        """Two of them, so that the restart is not delayed."""
        killed = 0
        for least, more in ((GOOD_LIFE, 0.2), (0.0, _EARLY)):
            pid = self.another_daemon(
                least + self.random.random() * more)
            with contextlib.suppress(ProcessLookupError):
                if pid:
                    os.kill(pid, signal.SIGKILL)
                    self.killed = pid
                    killed += 1
        return killed

    def daemon_stopped(self) -> int:
        pid = self.daemon_pid()
        if not pid:
            return 0
        os.kill(pid, signal.SIGSTOP)
        try:
            self.pause(3)
        finally:
            os.kill(pid, signal.SIGCONT)
        self.pause(0.5)
        return 1

    def socket_gone(self) -> int:
        """Removed, or replaced by a file or by a silent listener."""
        path = self.daemon_socket
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        how = self.random.randrange(3)
        other = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with contextlib.suppress(OSError):
            if how == 1:
                with open(path, "x", encoding="ascii"):
                    pass
            elif how == 2:
                bind_for_all(other, path)
                other.listen(3)
        self.pause(1)
        other.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        # the daemon checks every two seconds; it may just have been killed
        for _ in range(300):
            if os.path.exists(path):
                return 1
            time.sleep(0.1)
        self.find("the daemon's socket did not come back", "-- 30 s\n")
        return 1

    def _at_random(self, what: str) -> int:
        self.pause(0.15)
        return int(self.ask(
            f"SELECT count({what}) FROM pg_stat_activity WHERE datname = "
            f"'{_DATABASE}' AND state = 'active' AND "
            "pid <> pg_backend_pid()"))

    def canceled(self) -> int:
        return self._at_random("pg_cancel_backend(pid) OR NULL")

    def terminated(self) -> int:
        return self._at_random("pg_terminate_backend(pid) OR NULL")

    def backend_killed(self) -> int:
        """Any process of a query: the server restarts all others."""
        self.pause(0.5)
        pids = self.ask(
            "SELECT coalesce(string_agg(pid::text, ' '), '') FROM "
            f"pg_stat_activity WHERE datname = '{_DATABASE}' AND "
            "pid <> pg_backend_pid() AND state = 'active'").split()
        if not pids:
            return 0
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(self.random.choice(pids)), signal.SIGKILL)
        return 1

    def stop_and_start(self) -> None:
        """Immediate shutdown; the server recovers."""
        self.place.ctl("-m", "immediate", "-w", "-s", "stop")
        self.place.ctl("-w", "-s", "start")

    def server_stopped(self) -> int:
        self.pause(0.7)
        self.stop_and_start()
        return 1


# Failures to start a worker or to open a file are core's errors.
_KILLED = _Turn(Faults.daemon_killed)
_STOPPED = _Turn(Faults.server_stopped, True)
_STOPPED_AMID = _Turn(server_stopped_amid_calibration, True)
_TURNS = (
    _KILLED, _Turn(Faults.daemon_stopped),
    _Turn(Faults.socket_gone), _Turn(Faults.canceled, True),
    _Turn(Faults.terminated, True),
    _Turn(Faults.backend_killed, True, kills=True),
    _STOPPED, _Turn(few_descriptors),
    _Turn(few_in_backends, errors=("53000",)),
    _Turn(no_fork, True, ("55000",)), _Turn(wrong_listener),
    _Turn(calibration_ended, True, kills=True), _Turn(database_dropped),
    _Turn(tablespace_dropped), _Turn(out_of_memory), _Turn(disk_full),
    _STOPPED_AMID,
)
# A thousand and a hundred of these are required.
_OFTEN = (_KILLED, _STOPPED, _KILLED, _STOPPED_AMID, _KILLED)
