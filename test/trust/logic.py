"""Answers that must be consistent, regardless of core's.

Ternary logic partitioning (Rigger and Su, OOPSLA 2020): for any condition p,
the rows where p, where NOT p and where p IS NULL together are all rows, and
each row is in one of these sets.  NoREC (the same authors, ESEC/FSE 2020): the
number of rows that pass WHERE p is the number for which p is true when it is
computed as a value.  Unlike part rows, this detects errors that also occur
without ssdpar; those are counted, and are findings only if core alone is right
with several plans.  An internal error (class XX) is a finding unless core
alone raises it.  Findings are reduced.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Callable, Dict, List, Optional

import settings
from part import Part as Piece
from part import joined
from reduce import smaller_parts
from reproduce import Reproduction, Trial, make_smaller
from unit import Finding, Part, Result
from place import WITH_SSDPAR
from schema import Schema
from session import Lost, Session
from settings import Settings
from smaller import Patience, shorter
from tables import make_database, open_session, reopen_session
from wide import WideJoins, WideQueries

_SLICE = 45.0
_DATABASE = "logic"

# The kind of a finding precedes a colon, because a crash may have other words
# each time.
_FOUND = ("wrong", "crash", "internal error")


def _partition(head: str, tail: str, and_: str, p: str) -> List[str]:
    """Two queries: all rows, and the three sets of them."""
    parts = " UNION ALL ".join(f"(SELECT {head} {tail}{and_}{one})" for one in
                               (f"({p})", f"NOT ({p})", f"({p}) IS NULL"))
    return [f"SELECT {head} {tail}", parts]


def _count(_head: str, tail: str, and_: str, p: str) -> List[str]:
    return [f"SELECT count(*) {tail}{and_}({p})",
            f"SELECT count(*) FILTER (WHERE {p}) {tail}"]


_QUERIES: Dict[str, Callable[[str, str, str, str], List[str]]] = {
    "partition": _partition, "norec": _count}


@dataclass
class Check:
    """Columns, FROM and WHERE, and a condition, from which queries with
    consistent answers are made."""

    name: str
    head: Piece
    tail: Piece
    p: Piece

    def queries(self) -> List[str]:
        and_ = " AND " if str(self.tail.pieces[-1]) else " WHERE "
        return _QUERIES[self.name](str(self.head), str(self.tail), and_,
                                   str(self.p))

    def script(self) -> str:
        return ";\n".join(self.queries())

    def reduce(self, still: Patience) -> Optional[str]:
        """Reduces it to the smallest that still fails; None if it does not
        fail now."""
        if not still(self.script()):
            return None
        whole = Piece(self.head, self.tail, self.p)
        while smaller_parts(whole, lambda: still(self.script())):
            pass
        # parts that the generator cannot shorten, as text: core judges it too
        *joins, where = self.tail.pieces
        self.head, self.p = Piece(str(self.head)), Piece(str(self.p))
        self.tail = Piece("".join(map(str, joins)), str(where))
        for piece, at in ((self.head, 0), (self.tail, 1), (self.p, 0),
                          (self.tail, 0)):
            self._shorten(piece, at, still)
        return self.script()

    def _shorten(self, piece: Piece, at: int, still: Patience) -> None:
        def put(text: str) -> None:
            space = " " if at > 0 and text else ""
            piece.pieces = (*piece.pieces[:at], space + text,
                            *piece.pieces[at + 1:])

        def holds(text: str) -> bool:
            put(text)
            return still(self.script())
        before = str(piece.pieces[at]).strip()
        text = shorter(before, still.of(holds))
        put(before if text is None else text)


def random_check(random: Random, schema: Schema) -> Optional[Check]:
    make = random.choice((WideQueries, WideQueries, WideJoins))
    generator = make(random, schema)
    # other tests handle rows that raise errors and calls that count
    generator.volatile = generator.raising = False
    tail, scope = generator.star(1)
    p = generator.condition(scope, 1)
    head = joined(", ", [f"{column}::text" for column in
                         generator._columns(scope, 3)])
    text = str(tail) + str(p)
    if " LIMIT " in text or "counted" in text:
        return None
    return Check(random.choice(("partition", "norec")), head, tail, p)


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
        died: List[str] = []
        session = open_session(self.place, _DATABASE)
        end = time.monotonic() + min(seconds, _SLICE)
        random = Random(seed)
        while time.monotonic() < end and len(findings) < 3:
            check = random_check(random, schema)
            ssdpar, planner = settings.widened(
                random, *settings.random_settings(random, self.place.major))
            if check is None:
                continue
            chosen = ssdpar + planner
            try:
                kind = self._judge(session, check.queries(), chosen)
                counts["with a node of ssdpar's"] += self._acts(
                    session, check.queries()[0], chosen)
            except Lost as problem:
                kind = f"crash: {problem}"
                session = reopen_session(self.place, _DATABASE)
            counts["checks"] += 1
            if kind != "same":
                counts[kind] += 1
            if kind.startswith(_FOUND):
                died += self.place.deaths()
                findings.append(Finding(
                    f"seed {seed}: {check.name} {kind}",
                    self._reduced(schema, check, chosen, kind)))
                # ignore deaths caused by the trials, which may have ended our
                # session
                self.place.deaths()
                session.close()
                session = reopen_session(self.place, _DATABASE)
        session.close()
        findings += [Finding(f"seed {seed}: a process died", line)
                     for line in died + self.place.deaths()]
        return Result("on random tables", dict(counts), findings)

    def _reduced(self, schema: Schema, check: Check, chosen: Settings,
                 kind: str) -> str:
        found = Reproduction.of(schema, chosen, check.script())
        trial = Trial(self.place)

        def shows(_statement: str, less: Settings) -> bool:
            try:
                session = trial.session()
            except Lost:        # the server does not come back
                return False
            try:
                again = self._judge(session, check.queries(), less)
            except Lost:
                again = "crash"
            return again.partition(":")[0] == kind.partition(":")[0]
        with trial:
            make_smaller(found, schema, trial, shows, check.reduce)
        return str(found)

    def _judge(self, session: Session, queries: List[str],
               chosen: Settings) -> str:
        kind = self._fits(session, queries, chosen)
        if kind.startswith("error XX"):
            return kind if kind == self._fits(
                session, queries, settings.OFF + chosen) else f"internal {kind}"
        if kind != "differ":
            return kind
        for plan in settings.OTHER:
            if self._fits(session, queries, settings.OFF + plan) != "same":
                return "core does not fit either"
        return "wrong"

    @staticmethod
    def _acts(session: Session, query: str, chosen: Settings) -> bool:
        answer = session.run("ROLLBACK; BEGIN; " + settings.as_sql(chosen) +
                             "EXPLAIN (COSTS OFF) " + query)
        return not answer.sqlstate and "(Ssdpar" in "".join(answer.text())

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
