#!/usr/bin/env python3
"""Random queries give the same results with ssdpar; see
docs/internals/testing.md.

Needs a server on a UNIX socket that trusts a superuser, with ssdpar in
shared_preload_libraries, and creates a database there.  Everything depends on
the seed: case N of a seed is the same in any run.

Prints findings, each with a reproduction as short as possible, then one line
of counts.  The exit code is 1 if there are findings.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import signal
import sys
import time
from random import Random
from typing import Counter, Optional, Tuple

import joins
import settings
from company import Company
from compare import VOLATILE, Case, Comparer, Verdict
from kinds import FUNCTIONS, NOTES, TYPES, WRAPPERS
from reduce import reduce
from schema import NAME, Schema, random_schema
from session import Lost, Session
from statements import random_statement

_DEVICE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir,
                       "invent_device.sql")
_PROFILE = ("SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', "
            "128, 5e-6);")

# Further partitions are there, on separate devices.
_SPACES = ("fuzz_one", "fuzz_two")
_SCATTER = f"""DO $$ DECLARE part regclass; n int; BEGIN
  FOR part, n IN SELECT oid, row_number() OVER (ORDER BY relname) % 3
      FROM pg_class WHERE relispartition AND relkind = 'r' AND
           relnamespace = '{NAME}'::regnamespace LOOP
    IF n > 0 THEN
      EXECUTE format('ALTER TABLE %s SET TABLESPACE %I', part,
                     CASE n WHEN 1 THEN '{_SPACES[0]}' ELSE '{_SPACES[1]}' END);
    END IF;
  END LOOP;
END $$"""

# A device, and settings of core's and ours, under which index joins win.  The
# prices are so far from core's that another plan may raise a query's errors.
_INDEX_PROFILE = (
    "SELECT invent_device('CASE WHEN pattern = ''sequential'' OR size > 8192 "
    "THEN 20 WHEN depth = 1 THEN 100 ELSE depth * 2e5 END', 128, 5e-6);")
# Slow enough for row counts to be worth measuring.
_SLOW_PROFILE = (
    "SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);")
_STALE = ("UPDATE pg_class SET reltuples = 1 + relpages WHERE reltuples > "
          f"relpages AND relkind = 'r' AND relnamespace = '{NAME}'::regnamespace")
_NO_OTHER_JOINS = ("enable_hashjoin", "enable_mergejoin", "enable_material",
                   "enable_memoize", "enable_bitmapscan")
_INDEX_JOINS = ("ssdpar.star_access=auto", "ssdpar.star_scan=off",
                "ssdpar.residency=cold", "ssdpar.cost_model=on",
                "ssdpar.cost_model_min_size=0", "ssdpar.index_join=on",
                "ssdpar.subqueries=1")


# Patterns by which plans are counted: the first matches any of ssdpar's nodes,
# the last one matches if they are executed.
_NODES = {name: re.compile(text) for name, text in {
    "Ssdpar": r"Custom Scan \(Ssdpar",
    "SsdparStarScan": r"\(SsdparStarScan\)",
    "by bitmap": "Access: bitmap",
    "sequentially": "Access: sequential",
    "by workers": r"Parallel Custom Scan \(SsdparStarScan\)",
    "of array keys": "Reducer: keys ",
    "joined": "Reducer: .*, joined",
    "SsdparStarKeys": r"\(SsdparStarKeys\)",
    "SsdparShardKeys": r"\(SsdparShardKeys\)",
    "SsdparPartition": r"\(SsdparPartition\)",
    "SsdparIndexJoin": r"\(SsdparIndexJoin\)",
    "Rows Measured": "Rows Measured",
    "Nested Loop": "Nested Loop",
    "Index Scan": "Index Scan",
    "Bitmap Heap Scan": "Bitmap Heap Scan",
    "SubPlan": "SubPlan",
    "Gather": "Gather",
    "Append": "Append",
}.items()}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", maxsplit=1)[0])
    add = parser.add_argument
    add("--socket", required=True, help="directory of the server's socket")
    add("--port", type=int, default=5432)
    add("--user", default="postgres")
    add("--seed", type=int, default=1)
    add("--queries", type=int, default=1000, help="how many, from --first on")
    add("--first", type=int, default=0, help="the first case's number")
    add("--seconds", type=float, default=float("inf"),
        help="begin no query after so many")
    add("--schema-queries", type=int, default=200,
        help="queries before the tables are made anew; part of what a seed "
        "means")
    add("--no-foreign", dest="foreign", action="store_false",
        help="no tables by postgres_fdw back to this server; other seeds")
    add("--scale", type=int, default=1,
        help="multiplies the facts' rows; other cases, and slower")
    add("--joins", action="store_true",
        help="joins of any tables in place of stars; other cases")
    add("--set", action="append", default=[], metavar="NAME=VALUE",
        help="one of ssdpar's settings for all queries, such as "
        "ssdpar.prefetch=off")
    add("--index-joins", action="store_true",
        help="a device and settings under which index joins win")
    add("--stale", action="store_true",
        help="with --index-joins: plain tables, and statistics that tell of "
        "one row a page")
    add("--wide", action="store_true",
        help="more types, tables, indexes, shapes and settings; other cases")
    add("--company", type=int, default=0, metavar="N",
        help="N sessions that write, vacuum and kill the daemon meanwhile")
    add("--plans", action="store_true",
        help="compare nothing, count what plans have")
    add("--findings", type=int, default=10, help="stop after so many")
    add("--show", action="store_true", help="print every case before it runs")
    return parser.parse_args()


class Fuzzer:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.database = f"query_fuzz_{os.getpid()}"
        self.counts: Counter[str] = collections.Counter()
        self.nodes: Counter[str] = collections.Counter()
        self.errors: Counter[str] = collections.Counter()
        self.schema: Optional[Schema] = None
        self._begun = -1
        self._profile = self._first_profile()
        self.findings = 0
        self._make_database()
        self.comparer = Comparer(self._connect)
        self.acts: Counter[str] = collections.Counter()
        self.company = Company(self._connect, options.company, self.acts)
        self.major = int(self.comparer.session.must(
            "SHOW server_version_num").text()[0]) // 10000
        self._start = time.monotonic()

    def _open(self, database: str, first: str = "") -> Session:
        """Waits while the server recovers from a crash."""
        last = Lost("never tried")
        for _ in range(600):
            try:
                session = Session(self.options.socket, self.options.port,
                                  self.options.user, database)
                session.must(first)
                return session
            except Lost as problem:
                last = problem
                time.sleep(0.1)
        raise last

    def _make_devices(self, session: Session) -> None:
        """Tablespaces that count as separate devices, for partitions."""
        session.must("SET allow_in_place_tablespaces = on")
        for space in _SPACES:
            session.run(f"CREATE TABLESPACE {space} LOCATION ''")
            session.must(
                f"SELECT ssdpar.store_profile('{space}', "
                f"ssdpar.profile_document('pg_default'))")

    def _make_database(self) -> None:
        session = self._open("postgres")
        session.run("CREATE ROLE reader")
        self._drop(session)
        session.must(f"CREATE DATABASE {self.database}")
        session.close()
        session = self._open(self.database)
        session.must("CREATE EXTENSION ssdpar")
        with open(_DEVICE, encoding="utf-8") as file:
            session.must(file.read())
        session.must(self._profile)
        for name in self._switched_off():
            session.must(f"ALTER DATABASE {self.database} SET {name} = off")
        self._make_devices(session)
        session.must(TYPES)
        session.must("\n".join(FUNCTIONS.values()) + WRAPPERS)
        if self.options.foreign:
            session.must(
                "CREATE EXTENSION postgres_fdw; CREATE SERVER loopback "
                "FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host "
                f"'{self.options.socket}', port '{self.options.port}', "
                f"dbname '{self.database}'); CREATE USER MAPPING FOR PUBLIC "
                f"SERVER loopback OPTIONS (user '{self.options.user}', "
                "password_required 'false')")
        session.must("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader; "
                     "GRANT USAGE ON SCHEMA ssdpar TO reader")
        session.close()

    def _first_profile(self) -> str:
        return _INDEX_PROFILE if self.options.index_joins else _PROFILE

    def _switched_off(self) -> Tuple[str, ...]:
        """Features that the database switches off."""
        if not self.options.index_joins:
            return ()
        return _NO_OTHER_JOINS + ("enable_seqscan",) * self.options.stale

    def _drop(self, session: Session) -> None:
        session.must(f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")

    def _connect(self) -> Session:
        return self._open(
            self.database, "SET client_min_messages = warning; "
            "SET jit = off; "
            f"SET search_path = {NAME}, public; {NOTES}; "
            "GRANT ALL ON notes TO reader")

    def _make_schema(self, number: int) -> None:
        begin = number - number % self.options.schema_queries
        if begin == self._begun:
            return
        self._begun = begin
        if self.options.wide and not self.options.index_joins:
            self._profile = Random(
                f"{self.options.seed}/profile {begin}").choice(
                    (_PROFILE, _INDEX_PROFILE, _SLOW_PROFILE))
            self.comparer.session.must("ROLLBACK; " + self._profile)
        self.schema = random_schema(
            Random(f"{self.options.seed}/schema {begin}"),
            self.options.foreign, self.options.scale, self.options.stale,
            self.options.wide)
        if self.options.joins:
            self.schema = joins.indexed(
                Random(f"{self.options.seed}/indexes {begin}"), self.schema)
        self.comparer.session.must("ROLLBACK")
        with self.company.away():
            # committed one by one, because foreign tables connect to this
            # database
            for statement in self.schema.statements():
                self.comparer.session.must(statement)
            self.comparer.session.must(_SCATTER)
            self.company.tables = [
                relation.name for relation
                in self.schema.facts + self.schema.dimensions]
        if self.options.stale:
            self.comparer.session.must("VACUUM ANALYZE")
            self.comparer.session.must(_STALE)
        self.comparer.reconnect()

    def case(self, number: int) -> Case:
        random = Random(f"{self.options.seed}/{number}")
        statement = random_statement(random, self.schema, self.options.joins,
                                     self.options.wide)
        fixed = [(name, value) for name, _, value in
                 (one.partition("=") for one in
                  [*(_INDEX_JOINS if self.options.index_joins else ()),
                   *self.options.set])]
        ssdpar, planner = settings.random_settings(random, self.major)
        if self.options.joins:
            ssdpar, planner = settings.for_joins(random, ssdpar, planner)
        if self.options.wide:
            ssdpar, planner = settings.widened(random, ssdpar, planner)
        case = Case(number, statement, ssdpar + fixed, planner,
                    random.random() < 0.4)
        needs = self.schema.needed_for(str(statement))
        case.volatile = bool(VOLATILE.search(
            str(statement) + re.sub("CREATE FUNCTION.*", "", needs)))
        return case

    def run(self) -> bool:
        """Returns whether there were no findings."""
        try:
            self._run_all()
        except KeyboardInterrupt:
            for one in (signal.SIGTERM, signal.SIGINT):
                signal.signal(one, signal.SIG_IGN)
            print("stopped by a signal")
        self._summary()
        return self.findings == 0

    def _run_all(self) -> None:
        options = self.options
        for number in range(options.first, options.first + options.queries):
            if self.findings >= options.findings or \
                    self._seconds() > options.seconds:
                break
            self._make_schema(number)
            case = self.case(number)
            if options.show:
                print(f"-- {number}\n{case.script(case.ssdpar, case.planner)}",
                      flush=True)
            verdict = self._verdict(case)
            self._count(case, verdict)
            if verdict.finding:
                self.findings += 1
                self._report(case, verdict)

    def _verdict(self, case: Case) -> Verdict:
        if not self.options.plans:
            return self.comparer.judge(case)
        self.comparer.begin()
        return Verdict("same")

    def _seconds(self) -> float:
        return time.monotonic() - self._start

    def _count(self, case: Case, verdict: Verdict) -> None:
        self.counts["queries"] += 1
        self.counts[verdict.kind] += 1
        if verdict.on and verdict.on.error:
            self.counts["same error"] += verdict.kind == "same"
            self.errors[" ".join(verdict.on.error)[:60]] += 1
        elif verdict.on and verdict.on.rows:
            self.counts["with rows"] += 1
        if verdict.kind == "same" and \
                (self.options.joins or self.options.wide or
                 case.number % 8 == 0):
            plan = self.comparer.explain(
                case, case.ssdpar, case.planner,
                "VERBOSE")
            self.nodes["plans"] += plan != ""
            for name, text in _NODES.items():
                self.nodes[name] += bool(text.search(plan))

    def _report(self, case: Case, verdict: Verdict) -> None:
        print(f"-- FOUND {verdict.kind}: seed {self.options.seed}, case "
              f"{case.number}, after {self.counts['queries']} queries and "
              f"{self._seconds():.0f} s {verdict.note}", flush=True)
        latest = [verdict]

        def holds() -> bool:
            again = self.comparer.judge(case)
            if again.kind == verdict.kind and again.finding:
                latest[0] = again
                return True
            return False

        if holds():
            reduce(case, holds)
        else:
            print("-- not a second time")
        self._print(case, latest[0])

    def _print(self, case: Case, verdict: Verdict) -> None:
        text = case.script(case.ssdpar, case.planner)
        print(self.schema.needed_for(text))
        print("LOAD 'ssdpar'; CREATE EXTENSION ssdpar;\n"
              f"\\i test/invent_device.sql\n{self._profile}\n"
              "SET jit = off;\n" + "".join(
                  f"SET {name} = off;\n" for name in self._switched_off()) +
              f"BEGIN;\n{text}\nROLLBACK;")
        print(f"--   with ssdpar: {verdict.on}")
        for one in dict.fromkeys(map(str, verdict.core)):
            print(f"--   without:     {one}")
        print(flush=True)

    def _summary(self) -> None:
        counts = dict(self.counts)
        queries = counts.pop("queries", 0)
        print(f"seed {self.options.seed}: {queries} queries, "
              f"{self.findings} findings, {queries / self._seconds():.0f} a "
              "second")
        print("verdicts: " + ", ".join(
            f"{name} {count}" for name, count in sorted(counts.items())))
        print("errors: " + ", ".join(
            f"{name} {count}" for name, count in self.errors.most_common(12)))
        print("plans: " + ", ".join(
            f"{name} {count}" for name, count in self.nodes.items()))
        if self.options.company:
            print("company: " + ", ".join(
                f"{name} {count}" for name, count in self.acts.items()))

    def close(self) -> None:
        self.company.close()
        self.comparer.session.close()
        session = self._open("postgres")
        self._drop(session)
        session.close()


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    fuzzer = Fuzzer(_arguments())
    try:
        return 0 if fuzzer.run() else 1
    finally:
        fuzzer.close()


if __name__ == "__main__":
    sys.exit(main())
