"""Streams: concurrent sessions, each with its own order of the queries.

A stream is one psql with one connection.  All begin at the same instant, after
the last has connected, and each runs its order once.  A stream that is not
finished at its limit ends there; its current query is recorded as unfinished.

A query's time is psql's \\timing and its plan the one that ran (auto_explain),
as for legs; here one psql prints many of both.
"""

from __future__ import annotations

import hashlib
import random
import re
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from . import legs, plan, process
from .errors import UserError
from .server import Server

ORDER_SEED = 18
_CONNECTING_SECONDS = 0.5       # for all psql, and again per four
_NOW = "extract(epoch FROM clock_timestamp())"
_WRITTEN = "pg_snapshot_xmax(pg_current_snapshot())"
_TIMING = re.compile(r"Time: ([0-9.]+) ms")
# Log a plan only of the query itself.
_PLANS = "SET auto_explain.log_min_duration = {};\n"


@dataclass(frozen=True)
class Execution:
    """A query that a stream ran."""

    stream: int
    position: int               # in the stream's order, from 1
    query: str
    began: float                # seconds after the streams' start
    seconds: float
    finished: bool              # else interrupted at the stream's limit
    plan: str
    rows: int
    checksum: str

    @property
    def ended(self) -> float:
        return self.began + self.seconds


@dataclass(frozen=True)
class Outcome:
    """The results of concurrent streams."""

    executions: List[Execution]
    plans: Dict[str, List[dict]]    # of each query, one of each shape
    written: float                  # transactions per second, of all clients


def order(queries: Sequence[str], stream: int, round_: int) -> List[str]:
    """A stream's order: the same for all variants, a different one each round.
    """
    result = list(queries)
    random.Random(f"{ORDER_SEED}/{round_}/{stream}").shuffle(result)
    return result


def _statement(query: str, text: str, end: float) -> str:
    return (f"SELECT {_NOW} AS now, greatest(1, ceil(1000 * ({end:.3f} - "
            f"{_NOW})))::int AS left_ms \\gset\n"
            f"{_PLANS.format(0)}SET statement_timeout = :left_ms;\n"
            f"\\echo @begin {query} :now\n"
            f"\\timing on\n{text}\n;\n\\timing off\n\\echo @end\n"
            f"{_PLANS.format(-1)}RESET statement_timeout;\n")


def script(texts: Dict[str, str], queries: Sequence[str],
           settings: legs.Settings, begin: float, limit: float) -> str:
    """The script of a stream's psql; begin is in seconds of the epoch."""
    return (legs.set_text(settings) + legs.HAND_OUT_PLANS +
            _PLANS.format(-1) +
            f"SELECT pg_sleep_until(to_timestamp({begin:.3f})) IS NULL AS "
            f"waited \\gset\nSELECT {_NOW} AS now, {_WRITTEN} AS written "
            "\\gset\n\\echo @start :now :written\n" +
            "".join(_statement(query, texts[query], begin + limit)
                    for query in queries))


def _blocks(out: str) -> Iterator[Tuple[str, float, List[str], bool]]:
    """Query, start, lines and whether it was completed, one by one."""
    query, began = "", 0.0
    lines: List[str] = []
    for line in out.splitlines():
        if line.startswith("@begin "):
            _, query, at = line.split(" ")
            began, lines = float(at), []
        elif line == "@end":
            yield query, began, lines, True
            query = ""
        else:
            lines.append(line)
    if query:
        yield query, began, lines, False


def _finished(stream: int, position: int, query: str, began: float,
              lines: List[str], explained: Dict[str, Any]) -> Execution:
    found = _TIMING.match(lines[-1]) if lines else None
    if found is None:
        raise UserError(f"query {query} is not exactly one statement, so its "
                        "time means nothing. Mend bench/ssb/queries.")
    rows = sorted(line.encode() for line in lines[:-1])
    return Execution(stream, position, query, began,
                     float(found.group(1)) / 1000, True,
                     str(plan.shape([explained])), len(rows),
                     hashlib.sha256(b"\n".join(rows)).hexdigest())


def _check(results: Sequence[process.Result]) -> None:
    """A stream may end early only because of its limit."""
    for stream, result in enumerate(results, 1):
        if result.status != 0 and legs.CANCELLED not in result.err:
            raise UserError(f"stream {stream} failed in the scratch server:\n"
                            f"{result.last_words(6)}")


def executions_of(stream: int, result: process.Result, begin: float,
                  limit: float) -> List[Tuple[Execution, dict]]:
    """The queries of a stream with their plans; empty if interrupted."""
    explained = legs.plans_that_ran(result.err)
    done: List[Tuple[Execution, dict]] = []
    for position, (query, at, lines, finished) in enumerate(
            _blocks(result.out), 1):
        if not finished:
            done.append((Execution(stream, position, query, at - begin,
                                   max(0.0, limit - (at - begin)), False,
                                   "", 0, ""), {}))
        elif position > len(explained):
            raise UserError("the server did not hand out the plan of query "
                            f"{query} (auto_explain), so nobody can tell "
                            "what ran.")
        else:
            plan_ = explained[position - 1]
            done.append((_finished(stream, position, query, at - begin,
                                   lines, plan_), plan_))
    return done


def writes(results: Sequence[process.Result], ended: str) -> float:
    """Writing transactions per second, from the streams' start to the end.

    Each uses one transaction ID of the server; readers use none.
    """
    at, written = min((float(line.split(" ")[1]), int(line.split(" ")[2]))
                      for result in results
                      for line in result.out.splitlines()
                      if line.startswith("@start "))
    then, last = ended.split("|")
    return (int(last) - written) / (float(then) - at)


def run(server: Server, texts: Dict[str, str], streams: int, round_: int,
        settings: legs.Settings, limit: float) -> Outcome:
    """Runs streams concurrently, each to the end of its order or to its limit.
    """
    # whole milliseconds, as in the script
    begin = round(time.time() + _CONNECTING_SECONDS * (1 + streams / 4), 3)
    command = server.psql_command() + ["-qAt", "-v", "ON_ERROR_STOP=1", "-f",
                                       "-"]
    results = process.together(
        [command] * streams,
        [script(texts, order(list(texts), stream, round_), settings, begin,
                limit) for stream in range(1, streams + 1)])
    _check(results)
    ended = server.sql(f"SELECT {_NOW}, {_WRITTEN}")
    executions: List[Execution] = []
    plans: Dict[str, Dict[str, dict]] = {}
    for stream, result in enumerate(results, 1):
        for execution, explained in executions_of(stream, result, begin,
                                                  limit):
            executions.append(execution)
            if execution.finished:
                plans.setdefault(execution.query, {}).setdefault(
                    execution.plan, explained)
    return Outcome(executions, {query: list(shapes.values())
                                for query, shapes in plans.items()},
                   writes(results, ended))


# ----- figures of all executions -----

def elapsed(executions: Sequence[Execution]) -> float:
    """From the common start to the end of the last stream."""
    return max(one.ended for one in executions)


def an_hour(executions: Sequence[Execution]) -> float:
    """Finished queries per hour; of an unfinished one only the time counts."""
    return 3600 * sum(one.finished for one in executions) / \
        elapsed(executions)


def slowest_share(executions: Sequence[Execution]) -> float:
    """The slowest stream's queries per second, divided by the streams' mean.
    """
    by_stream: Dict[int, List[Execution]] = {}
    for one in executions:
        by_stream.setdefault(one.stream, []).append(one)
    rates = [an_hour(mine) for mine in by_stream.values()]
    mean = sum(rates) / len(rates)
    return min(rates) / mean if mean > 0 else 0.0
