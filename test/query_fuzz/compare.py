"""Runs a statement with ssdpar and without, and judges a difference.

The rule (docs/internals/testing.md gives reasons): the same statement runs
with and without ssdpar, in one snapshot and under the same planner settings.
The run without uses a single process and no compiled code, and is repeated
with the original settings only if it differs.  If rows, error and calls of
volatile functions are the same, all is well.  If not, the statement runs
without ssdpar under other plans of core (settings.py), and ssdpar's result is
compared with all of core's:

    crash   always a finding
    error   a finding if no plan of core raises it.  However, if every plan
            raises an error, any of the query's own errors may come first;
            in a plan with only core's nodes core raises it, because its
            joins may have any order; and if a LIMIT without an order cuts
            off arbitrary rows, core runs the query for all of them
    rows    a finding if the plans of core agree, but not with ssdpar
    calls   a finding if the plans of core agree, and volatile functions are
            called a different number of times in a plan with ssdpar's nodes

For a statement with volatile functions, rows and calls depend on how often a
table is read.  Then only plans that read each table once and completely have
to agree, and the difference must also occur under those settings.  Differences
that are not findings are named and counted too.
"""

from __future__ import annotations

import copy
import re
import time
from dataclasses import dataclass, replace
from typing import Callable, List, Optional, Set, Tuple

import settings
from session import Answer, Lost, Session, columns_of
from settings import Settings
from statements import Statement

VOLATILE = re.compile(r"\b(counted|counted_sql|counted_quietly|noted|coin)\b")

# Answers without meaning: a timeout, a resource limit, or the effect of
# another session (company.py).
_NOTHING = ("57014", "53000", "53100", "53200", "53300", "54001",
            "40001", "40P01", "55P03")

# Classes of errors that the functions and casts of the queries raise.
_OF_QUERIES = ("22", "23", "P0")

# Expressions that may raise an error, as EXPLAIN shows them: functions, casts
# of columns, arithmetic, and values of subqueries.
_MAY_RAISE = re.compile(r"\w\(|\)::| [-+*/%] |\$\d")

FINDINGS = ("crash", "error", "rows", "calls")


@dataclass
class Outcome:
    error: Optional[Tuple[str, str]]    # SQLSTATE and message
    rows: Tuple[bytes, ...]
    calls: int                          # of all volatile functions
    notes: str = ""                     # number and sum of their notes

    @property
    def effects(self) -> Tuple[int, str]:
        return self.calls, self.notes

    def __str__(self) -> str:
        if self.error:
            said = " ".join(self.error)
        else:
            some = [str(columns_of(row)) for row in self.rows[:5]]
            said = f"{len(self.rows)} rows {', '.join(some)}"
        return f"{said}; calls {self.calls}, written {self.notes}"


@dataclass
class Case:
    """A statement and the settings under which it runs."""

    number: int
    statement: Statement
    ssdpar: Settings
    planner: Settings
    reader: bool
    volatile: bool = False

    def circumstances(self, ssdpar: Settings, planner: Settings) -> str:
        role = "SET LOCAL ROLE reader; " if self.reader else ""
        return settings.as_sql(planner + ssdpar) + role

    def script(self, ssdpar: Settings, planner: Settings) -> str:
        return self.circumstances(ssdpar, planner) + str(self.statement)


@dataclass
class Verdict:
    kind: str           # "same", or what differs
    finding: bool = False
    on: Optional[Outcome] = None
    core: Tuple[Outcome, ...] = ()
    note: str = ""


def _blame(one: Outcome) -> Optional[Tuple[str, str]]:
    """Its error without the wrong value, because any row may come first."""
    if one.error is None or one.error[0][:2] not in _OF_QUERIES:
        return one.error
    return one.error[0], re.sub('"[^"]*"', '""', one.error[1])


def _may_raise_below(plan: str) -> bool:
    """Can anything below a node of ssdpar's raise an error?

    Its own lines do not count, because a star scan evaluates the fact's filter
    as core's scans do.
    """
    column = None           # of the outermost node's own lines
    for line in plan.splitlines():
        text = line.lstrip()
        indent = len(line) - len(text)
        child = text.startswith("->")
        if column is not None and indent < column:
            column = None
        if column is None:
            if "(Ssdpar" in text:
                column = indent + (6 if child else 2)
        elif (child or indent > column) and _MAY_RAISE.search(text):
            return True
    return False


def _without_limits(case: Case) -> Optional[Case]:
    """The case without its LIMITs; None if it has none."""
    query = str(case.statement.query)
    whole = re.sub(r"\bLIMIT \d+", "", query)
    if whole == query:
        return None
    statement = copy.copy(case.statement)
    statement.query = whole
    return replace(case, statement=statement)


# The server's timer for it starts with a message and runs until one of its
# statements resets it, so that it does not end later messages.
_TIMED = "SET LOCAL statement_timeout = '4s'; "
_UNTIMED = "; SET LOCAL statement_timeout = 0"


class Comparer:
    def __init__(self, connect: Callable[[], Session]):
        self._connect = connect
        self.session = connect()

    def reconnect(self) -> None:
        self.session.close()
        self.session = self._connect()

    def _run(self, case: Case, ssdpar: Settings,
             planner: Settings) -> Outcome:
        answer = self.session.run(
            "SELECT setval('calls', 1, false), setval('coins', 1, false); "
            "DEALLOCATE ALL; " + _TIMED + case.script(ssdpar, planner)
            + _UNTIMED)
        notes = "" if answer.sqlstate else self.session.must(
            "SELECT concat(count(*), ' ', sum(v)) FROM notes").text()[0]
        after = self.session.must(
            "ROLLBACK TO s; SELECT c.last_value - 1 + c.is_called::int "
            "+ d.last_value - 1 + d.is_called::int FROM calls c, coins d")
        return self._outcome(case, answer, int(after.text()[0]), notes)

    @staticmethod
    def _outcome(case: Case, answer: Answer, calls: int,
                 notes: str) -> Outcome:
        if answer.sqlstate:
            return Outcome((answer.sqlstate, answer.message), (), calls)
        rows: List[bytes] = answer.results[-1]
        if not (case.statement.rows or case.statement.plainly):
            rows = []
        if not case.statement.ordered:
            rows = sorted(rows)
        written = int(notes.split()[0])
        return Outcome(None, tuple(rows), calls + written, notes)

    def begin(self) -> None:
        """Takes one snapshot for all queries of a case."""
        self.session.must(
            "ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ; "
            "SELECT FROM pg_class LIMIT 0; SAVEPOINT s")

    def judge(self, case: Case) -> Verdict:
        try:
            self.begin()
            return self._judge(case)
        except Lost as problem:
            time.sleep(0.5)     # the server is still ending its sessions
            self.reconnect()
            return Verdict("crash", True, note=str(problem))

    def explain(self, case: Case, ssdpar: Settings,
                planner: Settings, options: str = "COSTS OFF") -> str:
        """The plan as text; "" if there is none."""
        answer = self.session.run(
            _TIMED + case.circumstances(ssdpar, planner) +
            f"EXPLAIN ({options}) {case.statement.query}" + _UNTIMED)
        self.session.must("ROLLBACK TO s")
        return "" if answer.sqlstate else "\n".join(answer.text())

    def _reads_once(self, case: Case, ssdpar: Settings,
                    planner: Settings) -> bool:
        """Some joins are impossible without a nested loop."""
        plan = self.explain(case, ssdpar, planner)
        return not re.search("Nested Loop|SubPlan|^$", plan)

    def _judge(self, case: Case) -> Verdict:
        on = self._run(case, case.ssdpar, case.planner)
        if on.error and on.error[0] in _NOTHING:
            return Verdict("stopped")
        # starting workers and compiling take much longer than the queries, so
        # core does so only if its result differs without
        alone = self._run(case, settings.OFF, case.planner + settings.ALONE)
        if on == alone:
            return Verdict("same", on=on)
        if alone.error and alone.error[0] in _NOTHING:
            return Verdict("stopped")
        off = self._run(case, settings.OFF, case.planner)
        if on == off:
            return Verdict("same", on=on)
        once = [self._run(case, settings.OFF, plan)
                for plan in settings.ONCE]
        core = once + [alone, off] + [self._run(case, settings.OFF, plan)
                                      for plan in settings.OTHER]
        if any(one.error and one.error[0] in _NOTHING for one in core):
            return Verdict("stopped")
        if on in core:
            return Verdict("core's plans differ")
        return self._differs(case, on, once, core)

    def _differs(self, case: Case, on: Outcome, once: List[Outcome],
                 core: List[Outcome]) -> Verdict:
        answers = [one for one in core if not one.error]
        if on.error:
            kind = self._error_kind(case, on, answers, core)
        elif not answers:
            kind = "an error less"
        elif case.volatile:
            kind = self._volatile_kind(case, once, core)
        else:
            rows = {one.rows for one in answers}
            kind = "rows" if len(rows) == 1 and on.rows not in rows \
                else "core's plans differ"
        return Verdict(kind, kind in FINDINGS, on, tuple(core))

    def _error_kind(self, case: Case, on: Outcome, answers: List[Outcome],
                    core: List[Outcome]) -> str:
        if _blame(on) in [_blame(one) for one in core]:
            return "core raises it too"
        if on.error[0][:2] not in _OF_QUERIES:
            return "error"
        if not answers:
            return "another of its errors"
        # it has no plan if planning raises the error
        if self._is_cores(case, case.planner):
            return "core's nodes raise it"
        if self._raised_by_hashing(case, on):
            return "core raises it too"
        if self._raised_for_all_rows(case, on):
            return "core raises it behind a LIMIT"
        return "error"

    def _raised_by_hashing(self, case: Case, on: Outcome) -> bool:
        """Would a hash join of core's raise it, and no reducer of ours?

        Every filter of an inner side is evaluated in that plan, as if its rows
        were a reducer's, so the plan excuses only what core's nodes evaluate.
        """
        plan = self.explain(case, case.ssdpar, case.planner,
                            "COSTS OFF, VERBOSE")
        return plan != "" and not _may_raise_below(plan) and \
            _blame(on) == _blame(self._run(case, settings.OFF,
                                           settings.HASHED_FIRST))

    def _raised_for_all_rows(self, case: Case, on: Outcome) -> bool:
        whole = _without_limits(case)
        return whole is not None and any(
            _blame(on) == _blame(self._run(whole, settings.OFF, plan))
            for plan in [case.planner] + settings.ONCE + settings.OTHER)

    def _is_cores(self, case: Case, planner: Settings) -> bool:
        """Does it have a plan with only core's nodes?"""
        plan = self.explain(case, case.ssdpar, planner)
        return plan != "" and "Ssdpar" not in plan

    @staticmethod
    def _ends_early(case: Case, on: Outcome, core: List[Outcome]) -> bool:
        """INTERSECT first reads the input that it expects to be smaller, since
        18.

        The expected sizes depend on more than the plan, and the other input is
        not read if the first is empty.
        """
        return "INTERSECT" in str(case.statement.query) and \
            on.calls < min(one.calls for one in core)

    def _volatile_kind(self, case: Case, once: List[Outcome],
                       core: List[Outcome]) -> str:
        """The difference, if each table is read once.

        If core did not call any function, its scans have ended early, and some
        calls are not more than another plan would have made.
        """
        rows = {one.rows for one in once}
        kind = "core's plans differ"
        if len({one.effects for one in once}) > 1 or \
                any(one.error for one in once):
            return kind
        for plan in settings.ONCE:
            on = self._run(case, case.ssdpar, plan)
            if on.error or not (
                    self._reads_once(case, settings.OFF, plan) and
                    self._reads_once(case, case.ssdpar, plan)):
                continue
            if self._ends_early(case, on, core):
                continue
            if on.effects not in [one.effects for one in core] and \
                    (once[0].calls > 0 or
                     on.calls > max(one.calls for one in core)):
                return "core's nodes call it" if self._is_cores(case, plan) \
                    else "calls"
            if on.effects == once[0].effects and len(rows) == 1 and \
                    on.rows not in rows and \
                    self._differs_again(case, plan, rows):
                return "rows"
        return kind

    def _differs_again(self, case: Case, plan: Settings,
                       rows: Set[Tuple[bytes, ...]]) -> bool:
        """Or were rows, for each of which a coin is tossed, in another order?

        Rows that the statement itself has written before are at other
        positions once other sessions have vacuumed.
        """
        return self._run(case, settings.OFF, plan).rows in rows and \
            self._run(case, case.ssdpar, plan).rows not in rows
