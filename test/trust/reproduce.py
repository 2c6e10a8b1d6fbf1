"""What was found, with all that a server with ssdpar needs to show it again,
and made smaller: the statement, the settings, the tables and their rows.

Each try is made where nothing is but what the reproduction makes, so that what
is kept is whole.
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

# What each session of a trial has.  What only the server's configuration says
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
        """As it came."""
        return cls(_needed(schema, statement), [*ACTING.items(), *chosen],
                   statement)

    def __str__(self) -> str:
        settings = [f"SET {name} = '{value}'"
                    for name, value in self.settings]
        return self.note + "".join(
            line.rstrip().rstrip(";") + ";\n"
            for line in [*self.setup, *settings, self.statement])


class Trial:
    """A database with what some statements make."""

    def __init__(self, place: Place):
        self._place = place
        self._session: Optional[Session] = None
        self._of_session: List[str] = []

    def make(self, setup: List[str]) -> bool:
        """Whether every statement was executed."""
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
        """What the server has beside the database, it has already."""
        if statement == ROLE:
            return True
        if statement == _EXTENSION:
            statement += ("; SELECT ssdpar.forget_profile(tablespace) "
                          "FROM ssdpar.device")
        return not session.run(statement).sqlstate

    def session(self) -> Session:
        """In no transaction; another one after a crash."""
        try:
            if self._session is not None:
                self._session.must("ROLLBACK")
                return self._session
        except Lost:
            self.close()
        # the server may need a while to recover
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


# Whether the finding shows in the trial, by this statement and these settings.
Shows = Callable[[str, Settings], bool]


def make_smaller(found: Reproduction, schema: Schema, trial: Trial,
                 shows: Shows, less: Callable[[Patience], Optional[str]],
                 seconds: float = SECONDS) -> None:
    """less() makes the statement smaller while what it is given holds, of a
    statement; None if it never did."""
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
    """Settings and what is made; how many tries it took."""
    of_settings = Patience(lambda chosen: shows(found.statement, chosen), end)
    found.settings = fewer(found.settings, of_settings)

    def made(setup: List[str]) -> bool:
        return _EXTENSION in setup and trial.make(setup) and \
            shows(found.statement, found.settings)
    of_setup = Patience(made, end)
    needed = _needed(schema, found.statement)
    if of_setup(needed):
        found.setup = needed
    # no try in this cluster can show whether the role has to be made
    less = [one for one in found.setup if one != ROLE]
    less = fewer_rows(fewer(less, of_setup), of_setup)
    if re.search(r"\breader\b", "\n".join(less)):
        less.insert(1, ROLE)
    found.setup = less
    return of_settings.tries + of_setup.tries
