"""Mixed load of part endurance: permanent sessions, short connections,
writers, VACUUM, recreated tables, and profiles that are stored again.

It raises no error that a server would log.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import subprocess
import threading
import time
from random import Random
from typing import Callable, Dict, List, Sequence

from lib import own_files
from lib.server import SUPERUSER
from place import Place
from session import Lost, Session

DATABASE = "endurance"

TABLES = """
CREATE TABLE dimension AS SELECT i AS k, i % 100 AS x
  FROM generate_series(1, 1000) i;
CREATE TABLE fact AS SELECT i AS u, (i * 7919) % 1000 + 1 AS k,
    (i * 31) % 1000 + 1 AS k2, repeat('x', 200) AS pad
  FROM generate_series(1, 30000) i;
CREATE TABLE recent (LIKE fact);
CREATE INDEX ON fact (u); CREATE INDEX ON fact (k); CREATE INDEX ON fact (k2);
CREATE INDEX ON recent (k); CREATE INDEX ON dimension (k);
"""

_ONE = ("SELECT count(*), sum(u) FROM fact f JOIN dimension d ON d.k = f.k "
        "WHERE d.x = {x}")
_TWO = ("SELECT count(*), sum(u) FROM fact f JOIN dimension d ON d.k = f.k "
        "JOIN dimension e ON e.k = f.k2 WHERE d.x = {x} AND e.x < 50")
_BITMAP = "SET ssdpar.star_access = bitmap; "
_INDEX_JOIN = ("SET ssdpar.star_scan = off; SET enable_hashjoin = off; "
               "SET enable_mergejoin = off; ")
_SPLIT = ("SET ssdpar.subqueries = 2; SET max_parallel_workers_per_gather = 2;"
          " SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0;"
          " SET parallel_tuple_cost = 0; ")

# Each reads ahead, or ends, in another way.
_QUERIES = (
    _BITMAP + _ONE,
    _BITMAP + _TWO,
    "SET ssdpar.star_access = sequential; " + _TWO,
    _INDEX_JOIN + _ONE,
    _INDEX_JOIN + _TWO,
    _SPLIT + _ONE,
    _SPLIT + _BITMAP + _TWO,
    _SPLIT + "SET ssdpar.partition = fact; " + _TWO,
    _BITMAP + "EXPLAIN (ANALYZE, FORMAT json) " + _TWO,
    # left in the middle of its rows
    "BEGIN; " + _BITMAP + "DECLARE c CURSOR FOR " +
    _ONE.replace("count(*), sum(u)", "u") + "; FETCH 5 FROM c; COMMIT",
    # an error in the middle of its rows
    _BITMAP + "DO $$ BEGIN PERFORM 1 / (f.u % 7) FROM fact f JOIN dimension d "
    "ON d.k = f.k WHERE d.x = {x}; EXCEPTION WHEN division_by_zero THEN NULL; "
    "END $$",
    # files that are new, and are deleted
    _BITMAP + _ONE.replace("FROM fact", "FROM recent"),
    # planned once
    "DEALLOCATE ALL; SET plan_cache_mode = force_generic_plan; " + _BITMAP +
    "PREPARE q (int) AS " + _ONE.replace("{x}", "$1") +
    "; EXECUTE q ({x}); EXECUTE q (3)",
)

# Core caches for each new table that it has no statistics until the session
# ends, so do not use a session whose total memory is watched.
_NEW_TABLE = (
    "BEGIN; CREATE TEMP TABLE few ON COMMIT DROP AS SELECT k, x FROM dimension"
    " WHERE x = {x}; " + _BITMAP + _ONE.replace("dimension", "few") +
    "; COMMIT")

_SCRIPTS: Dict[str, str] = {
    "connections": "\\set x random(0, 99)\n" + _BITMAP.strip() + "\n" +
    _ONE.replace("{x}", ":x") + ";\n",
    # Rows move to other keys and pages; their number is constant.
    "writes": "\\set u random(1, 30000)\n\\set k random(1, 1000)\nBEGIN;\n"
    "DELETE FROM fact WHERE u = :u;\n"
    "INSERT INTO fact VALUES (:u, :k, :k, repeat('y', 200));\nCOMMIT;\n",
}
_OPTIONS = {"connections": ["-C"], "writes": ["-R", "100"]}

# One of them is done at a time, in turn.
_CHORES = (
    "VACUUM fact",
    "SELECT ssdpar.store_profile(tablespace, profile) "
    "FROM ssdpar.stored_profiles()",
    "BEGIN; TRUNCATE recent; INSERT INTO recent SELECT * FROM fact "
    "WHERE u % 10 = 0; COMMIT",
    "VACUUM (ANALYZE)",
)


def _queries(number: int) -> Sequence[str]:
    """The queries of the session with this number; the first creates no
    tables."""
    return _QUERIES if number == 0 else (*_QUERIES, _NEW_TABLE)


def warm_up(sessions: List[Session], keeper: Session) -> None:
    """Runs everything once."""
    for chore in _CHORES:
        keeper.must(chore)
    for number, session in enumerate(sessions):
        for query in _queries(number):
            session.must("RESET ALL; " + query.replace("{x}", "1"))


class Asker(threading.Thread):
    """Star queries of one session, until the end."""

    def __init__(self, session: Session, queries: Sequence[str],
                 random: Random, over: threading.Event):
        super().__init__(daemon=True)
        self.session = session
        self.queries = 0
        self.wrong: List[str] = []
        self._asks = queries
        self._random = random
        self._over = over

    def run(self) -> None:
        while not self._over.is_set():
            query = self._random.choice(self._asks).replace(
                "{x}", str(self._random.randrange(100)))
            try:
                answer = self.session.run("RESET ALL; " + query)
            except Lost as problem:
                self.wrong.append(f"lost: {problem}: {query}")
                return
            if answer.sqlstate:
                self.wrong.append(
                    f"{answer.sqlstate} {answer.message}: {query}")
                return
            self.queries += 1


class Client:
    """A pgbench of one kind of client, and the number of its completed
    scripts."""

    def __init__(self, place: Place, kind: str, seconds: int):
        self.kind = kind
        path = place.path(f"{kind}.sql")
        with own_files.replace(path) as file:
            file.write(_SCRIPTS[kind])
        self._child = place.popen(place.server.where.command(
            [place.server.program("pgbench"), "-n", "-h", place.socket,
             "-p", str(place.server.port), "-U", SUPERUSER, "-f", path,
             "-T", str(seconds), *_OPTIONS[kind], DATABASE]),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self.done = 0
        self.wrong: List[str] = []

    def end(self) -> None:
        """It ends itself when its time is over."""
        said = self._child.communicate()[0]
        done = re.search(r"actually processed: (\d+)", said)
        if done:
            self.done = int(done[1])
        if self._child.returncode or not self.done:
            self.wrong.append(f"pgbench, {self.kind}: {said[-500:]}")

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._child.kill()
        self._child.wait()


class Load:
    """Everything that has run; run() is one period of load."""

    def __init__(self, place: Place, sessions: List[Session],
                 keeper: Session, random: Random):
        self.place = place
        self.queries = 0        # of the permanent sessions
        self.wrong: List[str] = []
        self.done = {kind: 0 for kind in _SCRIPTS}
        self._sessions = sessions
        self._keeper = keeper
        self._random = random
        self._chores = 0

    def run(self, seconds: int, every: float,
            sample: Callable[[int], None]) -> None:
        """Calls sample with the number of queries done, at intervals."""
        over = threading.Event()
        askers = [Asker(session, _queries(number),
                        Random(self._random.randrange(10 ** 6)), over)
                  for number, session in enumerate(self._sessions)]
        clients = [Client(self.place, kind, seconds) for kind in _SCRIPTS]
        for asker in askers:
            asker.start()
        begun = time.monotonic()
        try:
            at = every
            while at < seconds:
                self._keep_house()
                time.sleep(max(0.0, begun + at - time.monotonic()))
                sample(self.queries + sum(one.queries for one in askers))
                at += every
            for client in clients:
                client.end()
        finally:
            over.set()
            for asker in askers:
                asker.join()
            for client in clients:
                client.kill()
        self.queries += sum(one.queries for one in askers)
        for client in clients:
            self.done[client.kind] += client.done
        for wrong in [one.wrong for one in askers] + [one.wrong for one
                                                      in clients]:
            self.wrong += wrong

    def _keep_house(self) -> None:
        """The next chore, and evicts tables from the page cache, because the
        daemon's reads from the device take another path."""
        chore = _CHORES[self._chores % len(_CHORES)]
        self._chores += 1
        answer = self._keeper.run(chore)
        if answer.sqlstate:
            self.wrong.append(f"{answer.sqlstate} {answer.message}: {chore}")
        for path in glob.glob(f"{self.place.scratch.data}/base/*/*"):
            with contextlib.suppress(OSError):
                fd = os.open(path, os.O_RDONLY)
                os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(fd)
