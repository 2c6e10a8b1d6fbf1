"""Nothing grows: a server under mixed load for a long time.

The number of queries, ranges and connections matters, not the hours, so load
without a pause replaces days.  A unit is a minute of it: load to warm up, an
idle moment, load that is sampled, an idle moment.  The server, its daemon and
the sessions continue from one unit to the next, until another part uses the
place, and the samples of all these units are judged together (growth.py).
"""

from __future__ import annotations

import os
import re
import time
from random import Random
from typing import Dict, List, Optional, Tuple

from growth import STAR_QUERIES, problems
from mixed_load import DATABASE, TABLES, Load, warm_up
from place import WITH_SSDPAR, Place
from session import Lost, Session, columns_of
from tables import invent
from unit import Finding, Part, Result, Sample

_SLICE = 60.0
_IDLE = 2.5         # seconds; the daemon closes files after two
_PATIENCE = 10.0    # for a machine that is busy with other work
_LOOKS = 5          # checks of descriptors, 0.1 seconds apart
_SAMPLES = 24       # per unit
_SESSIONS = 3

# ssdpar's lines in the server's log, and the server's lines about a statement.
OURS = re.compile(r"^(?:ssdpard: |.*(?:LOG|WARNING|ERROR|FATAL): .*"
                   r"(?:ssdpar|prefetch daemon)).*", re.MULTILINE)

_WHILE_IDLE = {
    "shared memory": "SELECT sum(allocated_size) FROM pg_shmem_allocations "
                     "WHERE name LIKE 'ssdpar%'",
    "rows of pg_stat_ssdpar": "SELECT count(*) FROM ssdpar.pg_stat_ssdpar",
}
# In each backend.  Statistics that wait to be sent do not count.
_CONTEXTS = ("SELECT sum(used_bytes), sum(used_bytes) FILTER "
             "(WHERE name LIKE 'ssdpar%') FROM pg_backend_memory_contexts "
             "WHERE name <> 'PgStat Pending'")


def _memory(pid: int) -> int:
    """Private memory in kB; shared memory is counted elsewhere."""
    with open(f"/proc/{pid}/status", encoding="ascii",
              errors="replace") as file:
        found = re.search(r"RssAnon:\s+(\d+)", file.read())
    if found is None:
        raise ProcessLookupError(f"process {pid} has ended")
    return int(found[1])


def _parent(pid: int) -> int:
    with open(f"/proc/{pid}/stat", encoding="ascii",
              errors="replace") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def descriptors(pids: Dict[str, int]) -> Dict[str, int]:
    """The minimum of several checks: a query for the daemon's status uses a
    connection, and the daemon closes its end only when it gets a processor."""
    least: Dict[str, int] = {}
    for _ in range(_LOOKS):
        time.sleep(0.1)
        for name, pid in pids.items():
            seen = len(os.listdir(f"/proc/{pid}/fd"))
            least[name] = min(seen, least.get(name, seen))
    return least


class _Watched:
    """A server, from its start to its stop: its processes, and all samples.
    The first of the sessions is watched."""

    def __init__(self, place: Place, keeper: Session,
                 sessions: List[Session]):
        self.place = place
        self.keeper = keeper
        self.sessions = sessions
        self.postmaster = place.server.pid()
        self.series: Dict[str, List[float]] = {}
        backend, = sessions[0].must("SELECT pg_backend_pid()").text()
        daemon = self.daemon()
        self.pids = {"daemon": daemon, "supervisor": _parent(daemon),
                     "backend": int(backend)}

    def _status(self) -> List[int]:
        """Its pid, sessions and files.  It may not be ready yet, or answer
        late."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            row, = self.keeper.must(
                "SELECT pid, sessions, files FROM ssdpar.daemon_status()"
            ).results[-1]
            values = [int(value) for value in columns_of(row) if value]
            if len(values) == 3:
                return values
            time.sleep(0.1)
        raise Lost("the daemon does not answer")

    def daemon(self) -> int:
        return self._status()[0]

    def _at_rest(self) -> Dict[str, int]:
        """The daemon's resources after it has had time to close files."""
        time.sleep(_IDLE)
        end = time.monotonic() + _PATIENCE
        while True:
            _, sessions, files = self._status()
            if files == 0 or time.monotonic() > end:
                return {"daemon sessions": sessions, "daemon files": files}
            time.sleep(0.1)

    def log(self) -> str:
        with open(self.place.scratch.log, encoding="utf-8",
                  errors="replace") as file:
            return file.read()

    def under_load(self) -> Dict[str, int]:
        return {f"{name} memory": _memory(pid)
                for name, pid in self.pids.items()}

    def _contexts(self, session: Session) -> Tuple[int, int]:
        """kB used, and by ssdpar.  Asked twice, because the first time fills
        caches."""
        for _ in range(2):
            row, = session.must("RESET ALL; " + _CONTEXTS).results[-1]
        used, ours = (int(value or 0) // 1024 for value in columns_of(row))
        return used, ours

    def when_idle(self) -> Dict[str, int]:
        contexts = [self._contexts(session) for session in self.sessions]
        values = {**self._at_rest(), "backend contexts": contexts[0][0],
                  "contexts of ssdpar": sum(ours for _, ours in contexts),
                  "log": os.path.getsize(self.place.scratch.log)}
        for name, query in _WHILE_IDLE.items():
            values[name] = int(self.keeper.must(query).text()[0])
        for name, least in descriptors(self.pids).items():
            values[f"{name} descriptors"] = least
        values["files in the data directory"] = sum(
            name.startswith("ssdpar")
            for name in os.listdir(self.place.scratch.data))
        return values

    def keep(self, values: Dict[str, int]) -> None:
        for name, value in values.items():
            self.series.setdefault(name, []).append(value)


class Endurance(Part):
    NAME = "endurance"
    LIVES_ON = True
    TRIES = ("mixed load without a pause, in sessions that stay and in "
             "connections that come and go, beside writers and VACUUM: "
             "memory, descriptors, shared memory, files and entries stay what "
             "they were, and the log has no line of ssdpar's")

    def __init__(self, place: Place, seed: int):
        super().__init__(place, seed)
        self._watched: Optional[_Watched] = None

    def run(self, number: int, seconds: float) -> Result:
        random = Random(self.seed * 100000 + number)
        watched = self._watch()
        load = Load(self.place, watched.sessions, watched.keeper, random)
        logged = len(watched.log())
        counts: Dict[str, int] = {}
        samples: List[Sample] = []
        try:
            asked = self._asked(watched)
            self._take(watched, load, min(seconds, _SLICE), samples)
            counts = {STAR_QUERIES: load.queries,
                      "ranges": self._asked(watched) - asked, **load.done}
            findings = self._grown(watched)
        except (Lost, FileNotFoundError, ProcessLookupError) as problem:
            findings = [Finding(f"{self.NAME}: a process is gone", (
                f"-- {problem}; the server's log ends:\n"
                f"{self.place.server.log_tail(40)}\n"))]
        findings += [Finding(f"{self.NAME}: {line[:150]}", f"-- {line}\n")
                     for line in load.wrong[:3]]
        findings += [Finding(f"in the log: {line[:120]}", f"-- {line}\n")
                     for line in OURS.findall(watched.log()[logged:])[:3]]
        findings += [Finding(f"{self.NAME} {number}: a process died", line)
                     for line in self.place.deaths()]
        if findings:        # so that they are not found again
            self.place.stop()
        return Result("mixed load", counts, findings, samples)

    def _watch(self) -> _Watched:
        """The server that is watched, or a new one if that has ended."""
        self.place.run_with({
            **WITH_SSDPAR, "shared_buffers": "4MB", "ssdpar.prefetch":
            "daemon", "synchronize_seqscans": "off", "log_checkpoints":
            "off", "temp_buffers": "800kB"})
        if self._watched is None or \
                self._watched.postmaster != self.place.server.pid():
            self._watched = self._made()
        return self._watched

    def _made(self) -> _Watched:
        session = self.place.session("postgres")
        session.must(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        session.must(f"CREATE DATABASE {DATABASE}")
        session.close()
        keeper = self.place.session(DATABASE)
        keeper.must("CREATE EXTENSION ssdpar; " + invent())
        keeper.must(TABLES)
        keeper.must("VACUUM ANALYZE")
        self.place.deaths()
        sessions = [self.place.session(DATABASE) for _ in range(_SESSIONS)]
        warm_up(sessions, keeper)
        return _Watched(self.place, keeper, sessions)

    @staticmethod
    def _asked(watched: _Watched) -> int:
        return int(watched.keeper.must(
            "SELECT requests FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL"
        ).text()[0])

    @staticmethod
    def _take(watched: _Watched, load: Load, seconds: float,
              samples: List[Sample]) -> None:
        begun = time.monotonic()

        def keep(values: Dict[str, int], queries: int) -> None:
            watched.keep(values)
            samples.extend(
                Sample(round(time.monotonic() - begun, 1), name, value)
                for name, value in [(STAR_QUERIES, queries), *values.items()])

        whole = max(4, int(seconds - 2 * _IDLE))
        for part in (whole // 3, whole - whole // 3):
            load.run(part, whole / _SAMPLES, lambda queries: keep(
                watched.under_load(), queries))
            keep(watched.when_idle(), load.queries)

    def _grown(self, watched: _Watched) -> List[Finding]:
        found = [Finding(f"{name} {words}", self._story(name, watched))
                 for name, words in problems(watched.series).items()]
        daemon = watched.daemon()
        if daemon != watched.pids["daemon"]:
            found.append(Finding("the daemon was started anew", (
                f"-- {watched.pids['daemon']} became {daemon}\n")))
        return found

    @staticmethod
    def _story(name: str, watched: _Watched) -> str:
        values = " ".join(f"{value:g}" for value in watched.series[name])
        return f"-- {name}, sample by sample: {values}\n"
