"""Concurrent load while queries are compared: fuzz.py --company.

It changes no rows, so that a case of a seed still has the same answer: writers
roll back, or write the same values; VACUUM removes what they left; the daemon
is killed and stopped.  Only the positions of rows, the versions that a
snapshot must skip, and the availability of the daemon change.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from random import Random
from typing import Callable, Counter, Iterator, List

from session import Lost, Session

_PID = "SELECT coalesce(pid, 0) FROM ssdpar.daemon_status()"


class _Member(threading.Thread):
    """One session that acts repeatedly, unless it is told to pause."""

    def __init__(self, company: Company, number: int):
        super().__init__(daemon=True)
        self.lock = threading.Lock()
        self._company = company
        self._random = Random(number)

    def run(self) -> None:
        session = None
        while not self._company.closed:
            with self.lock, contextlib.suppress(Lost):
                session = session or self._company.connect()
                try:
                    self._act(session)
                except Lost:
                    session = None
                    raise
            time.sleep(self._random.random() * 0.2)

    def _say(self, session: Session, statements: str) -> None:
        """Ignores errors, such as a lock that is not available."""
        session.run("SET lock_timeout = '100ms'; " + statements)

    def _act(self, session: Session) -> None:
        tables = self._company.tables
        if not tables:
            return
        act = self._random.choice((self._uncommitted, self._rewritten,
                                   self._vacuum, self._daemon))
        act(session, self._random.choice(tables))
        session.run("ROLLBACK")

    def _count(self, what: str) -> None:
        self._company.counts[what] += 1

    def _uncommitted(self, session: Session, table: str) -> None:
        self._count("uncommitted")
        some = f"u % {self._random.randint(2, 5)} = 1"
        self._say(session, "BEGIN; " + self._random.choice((
            f"INSERT INTO {table} SELECT * FROM {table} WHERE {some}",
            f"UPDATE {table} SET u = -u WHERE {some}",
            f"DELETE FROM {table} WHERE {some}",
            f"SAVEPOINT a; DELETE FROM {table} WHERE {some}; ROLLBACK TO a; "
            f"UPDATE {table} SET g = 1 WHERE {some}")))
        time.sleep(self._random.random() * 0.3)

    def _rewritten(self, session: Session, table: str) -> None:
        """New versions of rows with the same contents."""
        self._count("rewritten")
        self._say(session, f"UPDATE {table} SET u = u "
                  f"WHERE u % {self._random.randint(3, 9)} = 0")

    def _vacuum(self, session: Session, table: str) -> None:
        self._count("vacuum")
        session.run("SET lock_timeout = '100ms'")
        session.run(f"VACUUM {table}")

    def _daemon(self, session: Session, _table: str) -> None:
        answer = session.run(_PID)
        pid = 0 if answer.sqlstate else int(answer.text()[0])
        if not pid:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._random.random() < 0.5:
                os.kill(pid, signal.SIGKILL)
                self._count("daemon killed")
                return
            os.kill(pid, signal.SIGSTOP)
            self._count("daemon stopped")
            try:
                time.sleep(self._random.random() * 0.4)
            finally:
                os.kill(pid, signal.SIGCONT)


class Company:
    """All of these sessions."""

    def __init__(self, connect: Callable[[], Session], members: int,
                 counts: Counter[str]):
        self.connect = connect
        self.counts = counts
        self.tables: List[str] = []
        self.closed = False
        self._members = [_Member(self, number) for number in range(members)]
        for member in self._members:
            member.start()

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """They pause while tables are created."""
        with contextlib.ExitStack() as stack:
            for member in self._members:
                stack.enter_context(member.lock)
            yield

    def close(self) -> None:
        self.closed = True
        for member in self._members:
            member.join()
