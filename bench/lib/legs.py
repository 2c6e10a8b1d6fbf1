"""A leg: one query, under given settings, once.

A leg's time is what psql's \\timing says: from sending the query to having
all of its rows.  Device bytes are the device's between just before and just
after that psql, so the few catalog pages it needs are in them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass
from typing import Dict, List, Optional

from . import plan, process
from .cold import CacheState
from .device import AnyDevice
from .errors import UserError
from .server import Server

_CANCELLED = "canceling statement due to statement timeout"
_TIMING = re.compile(r"^Time: ([0-9.]+) ms", re.MULTILINE)

Settings = Dict[str, str]


@dataclass(frozen=True)
class Leg:
    """What one run of a query gave."""

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


def query_text(path: str) -> str:
    """A query file's statement, without its closing semicolon."""
    with open(path) as file:
        return file.read().strip().rstrip(";").strip()


def set_text(settings: Settings) -> str:
    """SQL that makes the settings in a session."""
    # One value may be a list's or a number's text: quoted it is fine.
    return "".join(f"SET {name} = '{value}';\n"
                   for name, value in settings.items())


class TimedOut(Exception):
    """The statement took longer than it was allowed to."""


def _psql(server: Server, script: str, what: str) -> str:
    result = process.run(
        server.psql_command() + ["-qAt", "-v", "ON_ERROR_STOP=1", "-f", "-"],
        stdin=script)
    if _CANCELLED in result.err:
        raise TimedOut
    if result.status != 0:
        raise UserError(f"{what} failed in the scratch server:\n"
                        f"{result.last_words(6)}")
    return result.out


def _checksum(path: str) -> tuple:
    """Number of rows, and a hash that does not mind their order."""
    with open(path, "rb") as file:
        rows = sorted(file.read().splitlines())
    return len(rows), hashlib.sha256(b"\n".join(rows)).hexdigest()


def _timed(server: Server, query: str, text: str, settings: Settings,
           timeout: Optional[int]) -> tuple:
    """(seconds, rows, checksum) of one execution; TimedOut if too long."""
    limit = f"SET statement_timeout = '{timeout}s';\n" if timeout else ""
    with tempfile.NamedTemporaryFile(prefix="ssdpar-rows-") as rows:
        out = _psql(
            server,
            f"{set_text(settings)}{limit}\\o '{rows.name}'\n"
            f"\\timing on\n{text}\n;\n"
            "\\timing off\n\\o\n", f"query {query}")
        times = _TIMING.findall(out)
        if len(times) != 1:
            raise UserError(f"query {query} is not exactly one statement, so "
                            "its time means nothing. Mend bench/ssb/queries.")
        return (float(times[0]) / 1000, *_checksum(rows.name))


def explain(server: Server, query: str, text: str, settings: Settings
            ) -> List[dict]:
    """The plan that the planner would make at this moment."""
    out = _psql(server, f"{set_text(settings)}EXPLAIN (FORMAT JSON, SETTINGS, "
                f"VERBOSE)\n{text}\n;\n", f"EXPLAIN of query {query}")
    return json.loads(out)


def run_leg(server: Server, device: Optional[AnyDevice], cache: CacheState,
            query: str, text: str, variant: str, round_: int,
            settings: Settings, timeout: Optional[int] = None,
            hot: bool = False) -> Leg:
    """Run a query in the server as it stands; the caller made it cold or hot.

    Planning reads index pages, so EXPLAIN comes after the timed run.
    """
    before = device.bytes_read() if device else 0
    timed_out = False
    try:
        seconds, rows, checksum = _timed(server, query, text, settings,
                                         timeout)
    except TimedOut:
        assert timeout is not None
        seconds, rows, checksum, timed_out = float(timeout), 0, "", True
    read = device.bytes_read() - before if device else None
    explained = explain(server, query, text, settings)
    return Leg(query, variant, round_, dict(settings), cache, seconds, read,
               rows, checksum, explained,
               device.read_ahead_kb() if device else None, hot, timed_out)


def differing(legs: List[Leg]) -> List[str]:
    """Queries whose legs did not all give the same rows."""
    seen: Dict[str, set] = {}
    for leg in legs:
        if leg.timed_out:
            continue
        seen.setdefault(leg.query, set()).add(leg.checksum)
    return [query for query, sums in seen.items() if len(sums) > 1]


def query_path(directory: str, query: str) -> str:
    return os.path.join(directory, f"{query}.sql")
