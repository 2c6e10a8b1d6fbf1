"""A leg whose plan is the one that ran.

Where the planner looks at what is in memory, EXPLAIN after the run sees
another state than the run did, and EXPLAIN before it reads index pages.  So
auto_explain, which comes with the server, hands out the plan of the execution
itself.  It times nothing but the statement as a whole.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from dataclasses import dataclass
from typing import List, Optional, Tuple

from . import legs, process
from .cold import CacheState
from .device import AnyDevice
from .errors import UserError
from .legs import Leg, Settings, TimedOut
from .server import Server

_PREPARE = ("LOAD 'auto_explain';\n"
            "SET auto_explain.log_min_duration = 0;\n"
            "SET auto_explain.log_format = 'json';\n"
            "SET auto_explain.log_verbose = on;\n"
            "SET client_min_messages = 'log';\n")
_PLAN = re.compile(r"LOG:  duration: ([0-9.]+) ms  plan:\n")
_TIMING = re.compile(r"^Time: ([0-9.]+) ms", re.MULTILINE)
_CANCELLED = "canceling statement due to statement timeout"


@dataclass(frozen=True)
class Trace:
    """One execution of a statement."""

    seconds: float              # by psql, planning included
    explained: List[dict]       # as EXPLAIN (FORMAT JSON), and two more facts
    rows: int
    checksum: str


def _plan_of(words: str) -> Tuple[float, dict]:
    """Execution seconds and plan out of psql's messages."""
    found = list(_PLAN.finditer(words))
    if len(found) != 1:
        raise UserError("the server did not hand out exactly one plan of a "
                        "statement (auto_explain), so nobody can tell what "
                        "ran.")
    plan, _ = json.JSONDecoder().raw_decode(words[found[0].end():].lstrip())
    return float(found[0].group(1)) / 1000, plan


def joined_rows(lines: List[bytes]) -> int:
    """Rows that went into the aggregation: the sum of the counts."""
    return sum(int(line.split(b"|")[1]) for line in lines)


def execute(server: Server, text: str, settings: Settings, limit: float
            ) -> Trace:
    """Run a query of stars.py; TimedOut after so many seconds."""
    with tempfile.NamedTemporaryFile(prefix="ssdpar-rows-") as rows:
        result = process.run(
            server.psql_command() + ["-qAt", "-v", "ON_ERROR_STOP=1", "-f",
                                     "-"],
            stdin=f"{legs.set_text(settings)}{_PREPARE}"
                  f"SET statement_timeout = {int(limit * 1000)};\n"
                  f"\\o '{rows.name}'\n\\timing on\n{text}\n;\n")
        if _CANCELLED in result.err:
            raise TimedOut
        times = _TIMING.findall(result.out)
        if result.status != 0 or len(times) != 1:
            raise UserError("a star query failed in the scratch server:\n"
                            f"{result.last_words(6)}\n{text}")
        with open(rows.name, "rb") as file:
            lines = sorted(file.read().splitlines())
    seconds, plan = _plan_of(result.err)
    plan["Execution Seconds"] = seconds
    plan["Joined Rows"] = joined_rows(lines)
    return Trace(float(times[0]) / 1000, [plan], len(lines),
                 hashlib.sha256(b"\n".join(lines)).hexdigest())


def leg(server: Server, device: Optional[AnyDevice], cache: CacheState,
        query: str, text: str, variant: str, round_: int,
        settings: Settings, limit: float, hot: bool) -> Leg:
    """The same as a leg; one that was cut off has EXPLAIN's plan."""
    before = device.bytes_read() if device else 0
    try:
        trace = execute(server, text, settings, limit)
        timed_out = False
    except TimedOut:
        explained = legs.explain(server, query, text, settings)
        trace = Trace(limit, explained, 0, "")
        timed_out = True
    read = device.bytes_read() - before if device else None
    return Leg(query, variant, round_, dict(settings), cache, trace.seconds,
               read, trace.rows, trace.checksum, trace.explained,
               device.read_ahead_kb() if device else None, hot, timed_out)
