"""A leg: one execution of a query under given settings.

A leg's time is psql's \\timing: from sending the query to receiving all of its
rows.  Device bytes are those between just before and just after that psql, so
they include the few catalog pages that it needs.

Its plan is the one that ran.  The planner considers what is in memory, so
EXPLAIN after the run would see another state, and EXPLAIN before it would read
index pages.  The server's auto_explain logs the plan; it only times the whole
statement.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import plan, process, read_plan
from .cold import CacheState
from .device import AnyDevice
from .errors import UserError
from .server import Server

CANCELLED = "canceling statement due to statement timeout"
_TIMING = re.compile(r"^Time: ([0-9.]+) ms", re.MULTILINE)
HAND_OUT_PLANS = ("LOAD 'auto_explain';\n"
                  "SET auto_explain.log_min_duration = 0;\n"
                  "SET auto_explain.log_format = 'json';\n"
                  "SET auto_explain.log_verbose = on;\n"
                  "SET auto_explain.log_settings = on;\n"
                  "SET client_min_messages = 'log';\n")
_PLAN = re.compile(r"LOG:  duration: ([0-9.]+) ms  plan:\n")

Settings = Dict[str, str]


@dataclass(frozen=True)
class Leg:
    """The result of one execution of a query."""

    query: str
    variant: str
    round: int
    settings: Settings
    cache: CacheState
    seconds: float
    device_bytes: Optional[int]
    rows: int
    checksum: str
    explained: List[dict]
    read_ahead_kb: Optional[int] = None
    hot: bool = False           # cached on purpose
    timed_out: bool = False     # then seconds are the time that was allowed

    @property
    def shape(self) -> plan.Shape:
        return plan.shape(self.explained)

    @property
    def execution(self) -> float:
        """Seconds without planning, if the leg came to its end."""
        return float(self.explained[0].get("Execution Seconds", self.seconds))


def query_text(path: str) -> str:
    """A query file's statement, without its closing semicolon."""
    with open(path) as file:
        return file.read().strip().rstrip(";").strip()


def set_text(settings: Settings) -> str:
    """SQL that sets the settings in a session."""
    # Numbers may be quoted.  A list of schemas would become a single name.
    return "".join(
        f"SET {name} = " + ", ".join(f"'{part}'" for part in
                                     ([value] if name != "search_path" else
                                      value.split(","))) + ";\n"
        for name, value in settings.items())


class TimedOut(Exception):
    """The statement took longer than allowed."""


def _psql(server: Server, script: str, what: str) -> process.Result:
    result = process.run(
        server.psql_command() + ["-qAt", "-v", "ON_ERROR_STOP=1", "-f", "-"],
        stdin=script)
    if CANCELLED in result.err:
        raise TimedOut
    if result.status != 0:
        raise UserError(f"{what} failed in the scratch server:\n"
                        f"{result.last_words(6)}")
    return result


def plans_that_ran(words: str) -> List[Dict[str, Any]]:
    """From psql's messages; with the seconds of only the execution.

    The last one may be truncated if psql was ended; then it is not returned.
    """
    plans: List[Dict[str, Any]] = []
    for found in _PLAN.finditer(words):
        try:
            plan_ = read_plan.first(words[found.end():])
        except read_plan.NoPlan:
            break
        plan_["Execution Seconds"] = float(found.group(1)) / 1000
        plans.append(plan_)
    return plans


def _plan_that_ran(words: str, query: str) -> Dict[str, Any]:
    plans = plans_that_ran(words)
    if len(plans) != 1:
        raise UserError(f"the server did not hand out exactly one plan of "
                        f"query {query} (auto_explain), so nobody can tell "
                        "what ran.")
    return plans[0]


def _timed(server: Server, query: str, text: str, settings: Settings,
           timeout: Optional[float]
           ) -> Tuple[float, List[bytes], Dict[str, Any]]:
    """Seconds, sorted rows and plan of one execution; TimedOut if too long."""
    limit = f"SET statement_timeout = {int(timeout * 1000)};\n" \
        if timeout else ""
    with tempfile.NamedTemporaryFile(prefix="ssdpar-rows-") as rows:
        result = _psql(
            server,
            f"{set_text(settings)}{HAND_OUT_PLANS}{limit}"
            f"\\o '{rows.name}'\n\\timing on\n{text}\n;\n"
            "\\timing off\n\\o\n", f"query {query}")
        times = _TIMING.findall(result.out)
        if len(times) != 1:
            raise UserError(f"query {query} is not exactly one statement, so "
                            "its time means nothing. Mend bench/ssb/queries.")
        with open(rows.name, "rb") as file:
            lines = sorted(file.read().splitlines())
    return float(times[0]) / 1000, lines, _plan_that_ran(result.err, query)


def explain(server: Server, query: str, text: str, settings: Settings
            ) -> List[dict]:
    """The plan that the planner would make now."""
    result = _psql(server, f"{set_text(settings)}EXPLAIN (FORMAT JSON, "
                   f"SETTINGS, VERBOSE)\n{text}\n;\n",
                   f"EXPLAIN of query {query}")
    return json.loads(result.out)


def run_leg(server: Server, device: Optional[AnyDevice], cache: CacheState,
            query: str, text: str, variant: str, round_: int,
            settings: Settings, timeout: Optional[float] = None,
            hot: bool = False,
            facts: Callable[[List[bytes]], Dict[str, float]] = lambda _: {}
            ) -> Leg:
    """Runs a query in the server as it is; the caller made it cold or hot.

    The result of facts for the rows is stored with the plan.  A leg that timed
    out has the plan of an EXPLAIN after it.
    """
    before = 0
    if device:
        device.mark(f"{query},{variant},{round_}")
        before = device.bytes_read()
    try:
        seconds, lines, plan_ = _timed(server, query, text, settings, timeout)
        explained, timed_out = [dict(plan_, **facts(lines))], False
    except TimedOut:
        assert timeout is not None
        seconds, lines, timed_out = float(timeout), [], True
        explained = []
    read = None
    if device:
        read = device.bytes_read() - before
        device.mark("")
    return Leg(query, variant, round_, dict(settings), cache, seconds, read,
               len(lines),
               "" if timed_out else
               hashlib.sha256(b"\n".join(lines)).hexdigest(),
               explained or explain(server, query, text, settings),
               device.read_ahead_kb() if device else None, hot, timed_out)


def differing(legs: List[Leg]) -> List[str]:
    """Queries whose legs did not all return the same rows."""
    seen: Dict[str, set] = {}
    for leg in legs:
        if leg.timed_out:
            continue
        seen.setdefault(leg.query, set()).add(leg.checksum)
    return [query for query, sums in seen.items() if len(sums) > 1]


def never_ended(legs: List[Leg]) -> List[str]:
    """Queries with the variants without rows: all of their legs timed out."""
    ended = {(leg.query, leg.variant) for leg in legs if not leg.timed_out}
    return list(dict.fromkeys(
        f"{leg.query} {leg.variant}" for leg in legs
        if (leg.query, leg.variant) not in ended))


def query_path(directory: str, query: str) -> str:
    return os.path.join(directory, f"{query}.sql")
