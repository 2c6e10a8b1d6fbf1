"""Findings with everything that a server with ssdpar needs to reproduce them,
reduced: the statement, the settings, the tables and their rows.

Each trial starts from nothing but the reproduction's own objects, so that the
result is complete.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Callable, List, Optional

from place import Place
from schema import ROLE, Schema
from kinds import NOTES
from session import Lost, Session
from settings import Settings
from smaller import Patience, fewer, fewer_rows
from tables import ACTING, invent, reopen_session

SECONDS = 60.0          # for one finding

_DATABASE = "smaller"
_EXTENSION = "CREATE EXTENSION ssdpar"

# Settings of each session of a trial.  Those in the server's configuration
# would be missing in the reproduction.
_SESSION = ("SELECT set_config(name, boot_val, false) FROM pg_settings WHERE "
            "name LIKE 'ssdpar.%' AND source = 'configuration file' AND "
            "context IN ('user', 'superuser')",
            "SET statement_timeout = '2s'")


def _needed(schema: Schema, statement: str) -> List[str]:
    return [_EXTENSION, invent(), *schema.needs(statement)]


@dataclass
class Reproduction:
    setup: List[str]
    settings: Settings
    statement: str
    note: str = ""

    @classmethod
    def of(cls, schema: Schema, chosen: Settings,
           statement: str) -> Reproduction:
        """The original."""
        return cls(_needed(schema, statement), [*ACTING.items(), *chosen],
                   statement)

    def __str__(self) -> str:
        settings = [f"SET {name} = '{value}'"
                    for name, value in self.settings]
        return self.note + "".join(
            line.rstrip().rstrip(";") + ";\n"
            for line in [*self.setup, *settings, self.statement])


class Trial:
    """A database with the objects of some statements."""

    def __init__(self, place: Place):
        self._place = place
        self._session: Optional[Session] = None
        self._of_session: List[str] = []

    def make(self, setup: List[str]) -> bool:
        """Was every statement executed?"""
        self.close()
        self._of_session = [one for one in setup
                            if one.startswith("SET ") or one == NOTES]
        try:
            session = reopen_session(self._place, "postgres")
            new = not any(session.run(one).sqlstate for one in (
                f"DROP DATABASE IF EXISTS {_DATABASE} WITH (FORCE)",
                f"CREATE DATABASE {_DATABASE}"))
            session.close()
            return new and self._filled(setup)
        except Lost:
            return False

    def _filled(self, setup: List[str]) -> bool:
        session = self._place.session(_DATABASE)
        try:
            return all(self._made(session, statement) for statement in setup)
        finally:
            session.close()

    @staticmethod
    def _made(session: Session, statement: str) -> bool:
        """Objects outside the database may already exist in the server."""
        if statement == ROLE:
            return True
        if statement == _EXTENSION:
            statement += ("; SELECT ssdpar.forget_profile(tablespace) "
                          "FROM ssdpar.device")
        return not session.run(statement).sqlstate

    def session(self) -> Session:
        """In no transaction; a new one after a crash."""
        try:
            if self._session is not None:
                self._session.must("ROLLBACK")
                return self._session
        except Lost:
            self.close()
        # the server may need time to recover
        reopen_session(self._place, "postgres").close()
        self._session = self._place.session(_DATABASE)
        for statement in [*self._of_session, *_SESSION]:
            self._session.must(statement)
        return self._session

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, *_problem) -> None:
        self.close()

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None


# Does the trial show the finding, with this statement and these settings?
Shows = Callable[[str, Settings], bool]


def make_smaller(found: Reproduction, schema: Schema, trial: Trial,
                 shows: Shows, less: Callable[[Patience], Optional[str]],
                 seconds: float = SECONDS) -> None:
    """less() shortens the statement as long as the function it is given is
    true for a statement; it returns None if that never was."""
    size = len(str(found))
    end = time.monotonic() + seconds
    if seconds <= 0:
        found.note = "-- as it came: there was no time to reduce it\n"
        return
    if not trial.make(found.setup):
        found.note = "-- as it came: not all it needs could be made again\n"
        return
    still = Patience(lambda text: shows(text, found.settings), end)
    statement = less(still)
    if statement is None:
        found.note = "-- as it came: not a second time by itself\n"
        return
    found.statement = statement
    tries = still.tries + _fewer(found, schema, trial, shows, end)
    found.note = (f"-- by {tries} tries, of {size} characters "
                  f"{len(str(found))}\n")


def _fewer(found: Reproduction, schema: Schema, trial: Trial, shows: Shows,
           end: float) -> int:
    """Settings and objects; returns the number of trials."""
    of_settings = Patience(lambda chosen: shows(found.statement, chosen), end)
    found.settings = fewer(found.settings, of_settings)

    def made(setup: List[str]) -> bool:
        return _EXTENSION in setup and trial.make(setup) and \
            shows(found.statement, found.settings)
    of_setup = Patience(made, end)
    needed = _needed(schema, found.statement)
    if of_setup(needed):
        found.setup = needed
    # no trial in this cluster can tell whether the role has to be created
    less = [one for one in found.setup if one != ROLE]
    less = fewer_rows(fewer(less, of_setup), of_setup)
    if re.search(r"\breader\b", "\n".join(less)):
        less.insert(1, ROLE)
    found.setup = less
    return of_settings.tries + of_setup.tries
