"""Effects of another session's DDL on a query, with and without ssdpar.

Each kind of DDL is executed at three moments: between the planning and the
execution of a prepared statement, while a cursor is in the middle of its rows,
and while the query waits for the lock that the DDL holds.  The results of
query and DDL, rows or an error, must be those of core alone.
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from random import Random
from typing import Callable, Dict, List, Tuple

from unit import Finding, Part, Result
from place import WITH_SSDPAR, Place
from session import Answer, Lost, Session
from tables import OFF, invent

_SLICE = 60.0
_DATABASE = "ddl"

# Small, and recreated for each run; with partitions, an index for each key, a
# materialized view, and a column to drop.
_TABLES = """
DROP TABLE IF EXISTS fact, fact_1, fact_2, dimension CASCADE;
CREATE TABLE dimension AS SELECT i AS k, i % 10 AS x
  FROM generate_series(1, 200) i;
CREATE UNIQUE INDEX dimension_k ON dimension (k);
CREATE TABLE fact (u int, k int, x int, lost int, pad text)
  PARTITION BY RANGE (u);
CREATE TABLE fact_1 PARTITION OF fact FOR VALUES FROM (0) TO (1500);
CREATE TABLE fact_2 PARTITION OF fact FOR VALUES FROM (1500) TO (10000);
INSERT INTO fact SELECT i, (i * 7919) % 200 + 1, i % 7, i, repeat('x', 100)
  FROM generate_series(1, 3000) i;
CREATE INDEX fact_k ON fact (k);
CREATE MATERIALIZED VIEW stored AS SELECT * FROM fact;
CREATE INDEX stored_k ON stored (k);
ANALYZE dimension, fact, stored;
"""

KINDS: Dict[str, str] = {
    "truncate": "TRUNCATE fact_2",
    "drop table": "DROP TABLE dimension",
    "drop partition": "DROP TABLE fact_1",
    "detach": "ALTER TABLE fact DETACH PARTITION fact_1",
    "attach": "CREATE TABLE fact_3 PARTITION OF fact DEFAULT; "
              "INSERT INTO fact SELECT 20000 + i, i, 1, 1, '' "
              "FROM generate_series(1, 200) i",
    "drop index": "DROP INDEX fact_k",
    "create index": "CREATE INDEX ON fact (x); ANALYZE fact",
    "reindex": "REINDEX INDEX fact_1_k_idx",
    "drop column": "ALTER TABLE fact DROP lost",
    "add column": "ALTER TABLE fact ADD more int DEFAULT 7",
    "change type": "ALTER TABLE fact ALTER k TYPE bigint",
    "rename": "ALTER TABLE dimension RENAME x TO y",
    "cluster": "CLUSTER fact_1 USING fact_1_k_idx",
    "refresh": "REFRESH MATERIALIZED VIEW stored WITH NO DATA",
    "policy": "ALTER TABLE dimension ENABLE ROW LEVEL SECURITY, "
              "FORCE ROW LEVEL SECURITY",
    "statistics": "DELETE FROM fact WHERE k < 150; ANALYZE fact",
    "no extension": "DROP EXTENSION ssdpar",
}

_QUERIES = (
    "SELECT count(*), sum(u) FROM fact f JOIN dimension d ON d.k = f.k "
    "WHERE d.x = 3",
    "SELECT f.u, d.x FROM fact f JOIN dimension d ON d.k = f.k "
    "WHERE d.x < 3 AND f.x > 1",
    "SELECT s.u, d.x FROM stored s JOIN dimension d ON d.k = s.k "
    "WHERE d.x = 3",
    "SELECT d.x, (SELECT count(*) FROM fact f WHERE f.k = d.k) "
    "FROM dimension d WHERE d.x < 4",
)

_ACTS = (
    "SET ssdpar.star_access = bitmap; ",
    "SET ssdpar.star_access = sequential; ",
    "SET ssdpar.star_scan = off; SET enable_hashjoin = off; "
    "SET enable_mergejoin = off; ",
)

Said = List[Tuple[str, ...]]


def _said(answer: Answer) -> Tuple[str, ...]:
    """Rows without an order, or the error; names of files and OIDs differ."""
    if answer.sqlstate:
        return (answer.sqlstate, re.sub(r"\d+", "N", answer.message))
    return tuple(sorted(map(repr, answer.results[-1]))) \
        if answer.results else ()


class Ddl(Part):
    NAME = "ddl"
    TRIES = (f"{len(KINDS)} kinds of DDL by another session at three moments: "
             "before the execution of a plan, amid a cursor, and while the "
             "query waits; the outcome is core's")

    def __init__(self, place: Place, seed: int):
        super().__init__(place, seed)
        self._counts: Counter[str] = Counter()

    def run(self, number: int, seconds: float) -> Result:
        random = Random(self.seed * 100000 + number)
        self.place.run_with(WITH_SSDPAR)
        session = self.place.session("postgres")
        session.must(f"DROP DATABASE IF EXISTS {_DATABASE} WITH (FORCE)")
        session.must(f"CREATE DATABASE {_DATABASE}")
        session.close()
        session = self.place.session(_DATABASE)
        session.must("CREATE EXTENSION ssdpar; " + invent())
        session.close()
        counts = self._counts = Counter({"tries": 0})
        findings: List[Finding] = []
        end = time.monotonic() + min(seconds, _SLICE)
        tries = [(kind, moment) for kind in KINDS for moment in (
            self._planned, self._cursor, self._waiting)]
        random.shuffle(tries)
        for kind, moment in tries:
            findings += self._try(kind, moment, random.choice(_QUERIES),
                                  random.choice(_ACTS))
            counts["tries"] += 1
            if time.monotonic() > end:
                break
        findings += [Finding(f"ddl {number}: a process died", line)
                     for line in self.place.deaths()]
        return Result("each kind at each moment", dict(counts), findings)

    def _try(self, kind: str,
             moment: Callable[[Session, Session, str, str], Said],
             query: str, act: str) -> List[Finding]:
        statement = KINDS[kind]
        try:
            core = self._outcome(statement, moment, query, act + OFF)
            ours = self._outcome(statement, moment, query, act)
        except Lost as problem:
            core, ours = [], [(f"lost: {problem}",)]
        if core == ours:
            return []
        name = moment.__name__.strip("_")
        return [Finding(f"{kind}, {name}", (
            f"CREATE EXTENSION ssdpar;\n{invent()}\n{_TABLES}{act}\n{query};\n"
            f"-- {name}: {statement};\n-- core: {core}\n-- ssdpar: {ours}\n"))]

    def _outcome(self, statement: str,
                 moment: Callable[[Session, Session, str, str], Said],
                 query: str, act: str) -> Said:
        other = self.place.session(_DATABASE)
        other.must("SET client_min_messages = error; "
                   "CREATE EXTENSION IF NOT EXISTS ssdpar; " + _TABLES +
                   "SET lock_timeout = '50ms'")
        asks = self.place.session(_DATABASE)
        asks.must("SET ssdpar.residency = cold; "
                  "SET plan_cache_mode = force_generic_plan; " + act)
        plan = asks.must(f"EXPLAIN {query}").text()
        self._counts["plans of ssdpar"] += any("Ssdpar" in line
                                               for line in plan)
        try:
            return moment(asks, other, statement, query)
        finally:
            asks.close()
            other.close()

    @staticmethod
    def _planned(asks: Session, other: Session, statement: str,
                 query: str) -> Said:
        asks.must(f"PREPARE q AS {query}; EXECUTE q")
        done = _said(other.run(statement))
        return [done, _said(asks.run("EXECUTE q")),
                _said(asks.run("EXECUTE q"))]

    @staticmethod
    def _cursor(asks: Session, other: Session, statement: str,
                query: str) -> Said:
        """All rows, because the plan decides which come first."""
        asks.must(f"BEGIN; DECLARE c CURSOR FOR {query}")
        first = asks.run("FETCH 3 FROM c")
        done = _said(other.run(statement))
        rest = asks.run("FETCH ALL FROM c")
        if not first.sqlstate and not rest.sqlstate:
            rest.results[-1] += first.results[-1]
        after = _said(asks.run("COMMIT; " + query))
        return [done, _said(rest), after]

    @staticmethod
    def _waiting(asks: Session, other: Session, statement: str,
                 query: str) -> Said:
        """The query begins before the DDL has committed."""
        asks.must(f"PREPARE q AS {query}; EXECUTE q")
        pid = asks.must("SELECT pg_backend_pid()").text()[0]
        done = _said(other.run(f"BEGIN; {statement}"))
        found: Said = []
        thread = threading.Thread(
            target=lambda: found.append(_said(asks.run("EXECUTE q"))),
            daemon=True)
        thread.start()
        for _ in range(300):    # it waits, or has ended
            waits = other.run("SELECT count(*) FROM pg_locks WHERE NOT granted "
                              f"AND pid = {pid}")
            if waits.sqlstate or waits.text() != ["0"] or \
                    not thread.is_alive():
                break
            thread.join(0.01)
        ended = _said(other.run("COMMIT"))
        thread.join()
        return [done, ended, *found, _said(asks.run("EXECUTE q"))]
