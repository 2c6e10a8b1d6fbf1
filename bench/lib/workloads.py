"""The four workloads of Figure 12, each as a target and as a co-runner.

QS and QR are Q1.2 by hash and by index join, PB is pgbench, PM is postmark. A
target runs once and is measured; a co-runner runs until it is ended. Figure
12's comparison belongs to the scenario.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Sequence

from . import legs, packages, process, split
from .errors import UserError
from .legs import Leg
from .plan import Shape
from .process import Background
from .progress import Progress
from .scenario import Point, Run
from .server import Server

PGBENCH_DATABASE = "pgbench"
_MONTH = re.compile(r"d_yearmonthnum = (\d{6})")
_TPS = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
_MANY = 200                 # times 83 executions of a co-runner's query
_COPY = "co_runner"         # schema with its own fact table
_CLIENTS = 2                # of pgbench, in the figure
_FOR_EVER = 10 ** 6         # seconds of pgbench
# The figure's pgbench flushes its log; by default the scratch server does not.
_FLUSHING = {"PGOPTIONS": "-c synchronous_commit=on"}

# Q0 is in addition to the matrix: the paper's PM/Q0.
QUERIES = {"QS": ("q1.2", "hash"), "QR": ("q1.2", "index"),
           "Q0": ("q0", "hash")}


@dataclass(frozen=True)
class Outcome:
    """The result of a target: seconds, or transactions per second."""

    unit: str
    value: float
    device_bytes: Optional[int]
    leg: Optional[Leg] = None

    def cost(self) -> float:
        """The smaller the better: seconds, or seconds per transaction."""
        return self.value if self.unit == "seconds" else 1 / self.value


# Modes with forced plans of queries: what prefetches for them.
FORCED = {"plain": "off", "daemon": "daemon"}
# With everything on, only the access to the fact, sequential or by an index,
# is forced, because it distinguishes QS and QR.  Processes, depth,
# prefetching, and prices under load are ssdpar's choice.
FREE = "ssdpar"
_TOLD: Dict[str, legs.Settings] = {
    "QS": {"ssdpar.star_access": "sequential", "ssdpar.partition": "fact"},
    "QR": {"ssdpar.star_access": "bitmap", "ssdpar.partition": "dimension"},
    "Q0": {}}
_ACCESSES = {"QS": ("star sequential", "hash"),
             "QR": ("star bitmap", "bitmap", "index"), "Q0": ("scan",)}
MODES = (*FORCED, FREE)
# FREE/1@0.25ms is FREE in one process, with writers protected by that.
_PROTECTION = "ssdpar.write_protection"
_FREE_WITH = re.compile(FREE + r"(?:/([1-9]\d*))?(?:@(.+))?")


def mode_named(text: str) -> str:
    """A type for argparse: one of MODES, or FREE/PROCESSES@TIME."""
    if text in FORCED or _FREE_WITH.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(
        f"'{text}' is no mode: {', '.join(MODES)} and {FREE}/PROCESSES@TIME "
        f"are, where TIME is a value of {_PROTECTION}, and either may lack")


def modes_of(rows: Sequence[Dict[str, str]]) -> List[str]:
    """The measured modes, in the order of MODES."""
    seen = {row["mode"] for row in rows}
    return sorted(seen, key=lambda mode: (
        MODES.index(mode) if mode in FORCED else len(FORCED), mode))


def _settings(name: str, mode: str) -> legs.Settings:
    if mode in FORCED:
        query, access = QUERIES[name]
        return dict(split.Cell(query, access, 1).settings(),
                    **{"ssdpar.prefetch": FORCED[mode]})
    found = _FREE_WITH.fullmatch(mode)
    assert found is not None
    processes, protection = found.groups()
    told = dict(_TOLD[name])
    if processes:
        told["max_parallel_workers_per_gather"] = str(int(processes) - 1)
    if protection:
        told[_PROTECTION] = protection
    return told


def _query(name: str, mode: str) -> Point:
    return Point(QUERIES[name][0], name, _settings(name, mode))


def wrong_plan(name: str, mode: str, shape: Shape) -> Optional[str]:
    """Why a plan is not the intended workload, or None."""
    query, access = QUERIES[name]
    if mode in FORCED:
        return split.wrong_plan(split.Cell(query, access, 1), shape)
    return None if shape.access in _ACCESSES[name] else \
        f"reaches lineorder by {shape.access}"


def _other_months(text: str) -> List[str]:
    """Q1.2 for every month but the target's, so that none is cached by the
    last."""
    found = _MONTH.search(text)
    if found is None:               # Q0 has none
        return [text + ";\n"]
    months = [str(year * 100 + month) for year in range(1992, 1999)
              for month in range(1, 13)]
    return [text.replace(found.group(0), f"d_yearmonthnum = {month}") + ";\n"
            for month in months if month != found.group(1)]


def pgbench(server: Server, *arguments: str) -> List[str]:
    """Its command line, in its database of the scratch server."""
    return server.where.command(
        [server.program("pgbench"), "-h", server.scratch.socket, "-p",
         str(server.port), "-U", server.superuser, *arguments,
         PGBENCH_DATABASE])


def _transactions(server: Server, clients: int, seconds: int) -> List[str]:
    return pgbench(server, "-n", "-c", str(clients), "-j", str(clients),
                   "-T", str(seconds))


def start_writers(server: Server, clients: int) -> Background:
    """pgbench until it is ended, in the tables of ensure_pgbench()."""
    return Background(_transactions(server, clients, _FOR_EVER),
                      env=_FLUSHING)


class Workloads:
    """The workloads that run here; nothing starts without a call."""

    def __init__(self, run: Run, mail: Optional[str], transactions: int,
                 pgbench_seconds: int) -> None:
        self._run = run
        self._mail = mail
        self._transactions = transactions
        self._seconds = pgbench_seconds

    def target(self, name: str, mode: str, round_: int) -> Outcome:
        """Runs it once."""
        if name in QUERIES:
            return self._query_target(name, mode, round_)
        device = self._run.device
        before = device.bytes_read() if device else 0
        if name == "PB":
            unit, value = "tps", self._pgbench_target()
        else:
            unit, value = "seconds", self._mail_target()
        read = device.bytes_read() - before if device else None
        return Outcome(unit, value, read)

    def _query_target(self, name: str, mode: str, round_: int) -> Outcome:
        point, run = _query(name, mode), self._run
        leg = legs.run_leg(run.server, run.device, self.cache, point.query,
                           point.text(), name, round_, point.settings,
                           run.options.timeout)
        return Outcome("seconds", leg.seconds, leg.device_bytes, leg)

    def _pgbench_target(self) -> float:
        result = process.run(
            _transactions(self._run.server, _CLIENTS, self._seconds),
            env=_FLUSHING)
        found = _TPS.search(result.out)
        if result.status != 0 or found is None or float(found.group(1)) <= 0:
            raise UserError("pgbench failed in the scratch server:\n"
                            f"{result.last_words(4)}")
        return float(found.group(1))

    def _mail_target(self) -> float:
        began = time.monotonic()
        with self._mail_file("target") as file:
            process.check(["postmark", file], "postmark")
        return time.monotonic() - began

    @contextlib.contextmanager
    def _mail_file(self, who: str) -> Iterator[str]:
        """postmark's commands; target and co-runner share no file."""
        assert self._mail is not None
        place = os.path.join(self._mail, who)
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
        with tempfile.NamedTemporaryFile("w", prefix="ssdpar-mail-") as file:
            # The paper's thousand files; fewer only for a trial.
            files = min(1000, self._transactions)
            file.write(f"set location {place}\nset number {files}\n"
                       "set subdirectories 10\nset buffering false\n"
                       f"set transactions {self._transactions}\n"
                       "run\nquit\n")
            file.flush()
            yield file.name

    @contextlib.contextmanager
    def co_runner(self, name: Optional[str], mode: str
                  ) -> Iterator[Optional[Background]]:
        """Runs it during the body; nothing for None."""
        if name is None:
            yield None
            return
        with contextlib.ExitStack() as stack:
            started = self._start(name, mode, stack)
            stack.callback(started.end)
            yield started

    def _start(self, name: str, mode: str, stack: contextlib.ExitStack
               ) -> Background:
        server = self._run.server
        if name in QUERIES:
            point = _query(name, mode)
            text = f"SET search_path = {_COPY}, public;\n" + \
                legs.set_text(point.settings) + \
                "".join(_other_months(point.text())) * _MANY
            return Background(server.psql_command() +
                              ["-q", "-v", "ON_ERROR_STOP=1"], text)
        if name == "PB":
            return start_writers(server, _CLIENTS)
        file = stack.enter_context(self._mail_file("co-runner"))
        return Background(["sh", "-c", 'while postmark "$1"; do :; done',
                           "sh", file])

    def make_cold(self, make) -> None:
        """Called before each target; its state goes into the raw numbers."""
        self.cache = make(self._run)


def make_copy(server: Server, progress: Progress) -> None:
    """A second fact table for co-runners, created like the real one."""
    drop_copy(server)
    need = float(server.sql("SELECT pg_total_relation_size('lineorder')"))
    free = shutil.disk_usage(server.scratch.path).free
    if free < need:
        raise UserError(
            f"the co-runners' copy of lineorder needs {need / 1e9:.1f} GB, "
            f"and {free / 1e9:.1f} GB are free in {server.scratch.path}. "
            "Free some, or take a smaller --scale.")
    with progress.step("copying lineorder for the co-runners"):
        server.sql(
            f"CREATE SCHEMA {_COPY}; CREATE TABLE {_COPY}.lineorder AS "
            "TABLE public.lineorder; CREATE INDEX ON "
            f"{_COPY}.lineorder (lo_orderdate)")
        server.sql(f"VACUUM (FREEZE, ANALYZE) {_COPY}.lineorder")


def drop_copy(server: Server) -> None:
    """The next run may need the space and the cache."""
    if server.pid() is not None:
        server.sql("SET client_min_messages = warning; "
                   f"DROP SCHEMA IF EXISTS {_COPY} CASCADE")


def has_pgbench(server: Server, progress: Progress) -> bool:
    """Does the server have pgbench?  It is in the server's package."""
    if os.access(server.where.visible(server.program("pgbench")), os.X_OK):
        return True
    progress.say(f"there is no {server.program('pgbench')}: PB is left out")
    return False


def has_postmark(progress: Progress) -> bool:
    """Is postmark there, or could it be installed?"""
    if packages.have([packages.POSTMARK], progress):
        return True
    progress.say("PM is left out")
    return False


def ensure_pgbench(server: Server, scale: int, progress: Progress) -> None:
    """pgbench's tables, in a database of the scratch server."""
    known = server.sql("SELECT count(*) FROM pg_database WHERE datname = "
                       f"'{PGBENCH_DATABASE}'")
    if known == "1":
        with contextlib.suppress(UserError):    # incomplete: no such table
            if server.sql("SELECT count(*) FROM pgbench_branches",
                          PGBENCH_DATABASE) == str(scale):
                return
        server.sql(f"DROP DATABASE {PGBENCH_DATABASE}", "postgres")
    _check_space(server, scale)
    with progress.step(f"making pgbench's tables, scale {scale}"):
        server.sql(f"CREATE DATABASE {PGBENCH_DATABASE}", "postgres")
        result = process.run(pgbench(server, "-i", "-q", "-s", str(scale)))
        if result.status != 0:
            raise UserError("pgbench could not make its tables:\n"
                            f"{result.last_words(4)}")


def _check_space(server: Server, scale: int) -> None:
    need = scale * 16e6 + 1.2e9         # and as much log as there may be
    free = shutil.disk_usage(server.scratch.path).free
    if free < need:
        raise UserError(
            f"pgbench's tables and their log need {need / 1e9:.1f} GB, and "
            f"{free / 1e9:.1f} GB are free in {server.scratch.path}. Free "
            "some, or take a smaller --pgbench-scale.")


@contextlib.contextmanager
def mail_directory(place: str, facts: Dict[str, object]) -> Iterator[str]:
    """postmark's directory: written synchronously if that is possible.

    The paper's postmark writes synchronously.  Debian's does not, but a
    directory can request it (chattr +S); on a file system without that
    attribute it writes into the page cache, and the results say so.
    """
    mail = os.path.join(place, "ssdpar-mail")
    shutil.rmtree(mail, ignore_errors=True)
    os.mkdir(mail)
    try:
        done = process.run(["chattr", "+S", mail])
        facts["postmark_synchronous"] = done.status == 0
        yield mail
    finally:
        shutil.rmtree(mail, ignore_errors=True)
