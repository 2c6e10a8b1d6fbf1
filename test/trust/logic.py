"""Answers that must fit each other, whatever core alone would say.

Ternary logic partitioning (Rigger and Su, OOPSLA 2020): for any condition p the
rows where p, where NOT p and where p IS NULL are all rows, and each row is one
of them.  NoREC (the same, ESEC/FSE 2020): as many rows pass WHERE p as p is
true for when it is computed as a value.  Unlike part rows this sees what is
wrong with and without ssdpar alike; that is counted, and a finding only where
core alone, by several plans, is right.
"""

from __future__ import annotations

import time
from collections import Counter
from random import Random
from typing import List, Optional, Tuple

import settings
from unit import Finding, Part, Result
from place import WITH_SSDPAR
from schema import Schema
from session import Lost, Session
from settings import Settings
from tables import (make_database, open_session, reopen_session,
                    reproduction)
from wide import WideJoins, WideQueries

_SLICE = 45.0
_DATABASE = "logic"

Check = Tuple[str, List[str]]       # its name; what must be alike


def _partition(head: str, tail: str, and_: str, p: str) -> Check:
    """Two queries: all rows, and the three parts of them."""
    parts = " UNION ALL ".join(f"(SELECT {head} {tail}{and_}{one})" for one in
                               (f"({p})", f"NOT ({p})", f"({p}) IS NULL"))
    return "partition", [f"SELECT {head} {tail}", parts]


def _count(_head: str, tail: str, and_: str, p: str) -> Check:
    return "norec", [f"SELECT count(*) {tail}{and_}({p})",
                     f"SELECT count(*) FILTER (WHERE {p}) {tail}"]


def random_check(random: Random, schema: Schema) -> Optional[Check]:
    make = random.choice((WideQueries, WideQueries, WideJoins))
    generator = make(random, schema)
    # a row that fails, or a call that counts, is another test's concern
    generator.volatile = generator.raising = False
    tail, scope = generator.star(1)
    p = str(generator.condition(scope, 1))
    head = ", ".join(f"{column}::text" for column in
                     generator._columns(scope, 3))
    and_ = " AND " if tail.pieces[-1] != "" else " WHERE "
    text = str(tail) + p
    if " LIMIT " in text or "counted" in text:
        return None
    return random.choice((_partition, _count))(head, str(tail), and_, p)


class Logic(Part):
    NAME = "logic"
    SIDE_BY_SIDE = True
    TRIES = ("ternary logic partitioning and NoREC: queries with ssdpar whose "
             "answers must fit each other")

    def run(self, number: int, seconds: float) -> Result:
        seed = self.seed * 100000 + number
        self.place.run_with({**WITH_SSDPAR, "max_worker_processes": "24"})
        schema = make_database(self.place, _DATABASE, f"{seed}/logic")
        counts: Counter[str] = Counter({"checks": 0})
        findings: List[Finding] = []
        session = open_session(self.place, _DATABASE)
        end = time.monotonic() + min(seconds, _SLICE)
        random = Random(seed)
        while time.monotonic() < end and len(findings) < 3:
            check = random_check(random, schema)
            ssdpar, planner = settings.widened(
                random, *settings.random_settings(random, self.place.major))
            if check is None:
                continue
            try:
                kind = self._judge(session, check, ssdpar + planner)
            except Lost as problem:
                kind = f"crash: {problem}"
                session = reopen_session(self.place, _DATABASE)
            counts["checks"] += 1
            if kind != "same":
                counts[kind] += 1
            if kind == "wrong" or kind.startswith("crash"):
                findings.append(Finding(
                    f"seed {seed}: {check[0]} {kind}", reproduction(
                        schema, settings.as_sql(ssdpar + planner).replace(
                            "SET LOCAL", "SET") + ";\n".join(check[1]))))
        session.close()
        findings += [Finding(f"seed {seed}: a process died", line)
                     for line in self.place.deaths()]
        return Result("on random tables", dict(counts), findings)

    def _judge(self, session: Session, check: Check, chosen: Settings) -> str:
        kind = self._fits(session, check[1], chosen)
        if kind != "differ":
            return kind
        for plan in settings.OTHER:
            if self._fits(session, check[1], settings.OFF + plan) != "same":
                return "core does not fit either"
        return "wrong"

    @staticmethod
    def _fits(session: Session, queries: List[str], chosen: Settings) -> str:
        session.must("ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ; "
                     "SAVEPOINT s")
        answers = []
        for query in queries:
            answer = session.run(settings.as_sql(chosen) + query)
            session.run("ROLLBACK TO s")
            if answer.sqlstate:
                return f"error {answer.sqlstate}"
            answers.append(sorted(answer.results[-1]))
        return "same" if answers[0] == answers[1] else "differ"
