"""Faults around the server: too few descriptors, no new processes, another
listener on the daemon's socket, an end during a calibration.

Each is a fault of part faults and returns how often it was done.
"""

from __future__ import annotations

import contextlib
import glob
import os
import signal
import socket
import threading
from typing import TYPE_CHECKING, Callable, Iterator, List

from lib import process
from session import Lost
from unit import Finding

if TYPE_CHECKING:
    from faults import Faults

_NOBODY = 65534

# Values to which soft limits are reset: enough, and below usual hard limits.
_AS_BEFORE = {"nofile": "1024", "nproc": "4000"}


def _set_soft(faults: Faults, pid: int, name: str, limit: str) -> bool:
    """In a process of the server's user, because root in a container may not.
    """
    return process.run(["prlimit", f"--pid={pid}", f"--{name}={limit}:"],
                       user=faults.place.server.user, merge=True).status == 0


@contextlib.contextmanager
def _lowered(faults: Faults, pids: List[int], name: str,
             limits: List[int]) -> Iterator[int]:
    """Sets soft limits of processes for their lifetime; yields how many have
    one."""
    done = [pid for pid, limit in zip(pids, limits)
            if _set_soft(faults, pid, name, str(limit))]
    try:
        yield len(done)
    finally:
        for pid in done:
            _set_soft(faults, pid, name, _AS_BEFORE[name])


def _descriptors(pid: int) -> int:
    """The largest open descriptor, plus one."""
    try:
        return 1 + max(map(int, os.listdir(f"/proc/{pid}/fd")), default=0)
    except OSError:
        return 1000


def few_descriptors(faults: Faults) -> int:
    """EMFILE in the daemon, while it runs."""
    pid = faults.daemon_pid()
    if not pid:
        faults.pause(0.1)
        return 0
    limit = _descriptors(pid) + faults.random.randrange(3)
    with _lowered(faults, [pid], "nofile", [limit]) as done:
        faults.pause(1)
        if done and _takes_no_client(faults):
            faults.counts["daemon without a descriptor"] += 1
    faults.pause(0.3)
    return done


def _takes_no_client(faults: Faults) -> bool:
    """A query for its status is a connection, which needs one."""
    return faults.ask("SELECT problem IS NOT NULL "
                      "FROM ssdpar.daemon_status()") == "t"


def _of_queries(faults: Faults) -> List[int]:
    return [int(pid) for pid in faults.ask(
        "SELECT coalesce(string_agg(pid::text, ' '), '') FROM "
        "pg_stat_activity WHERE datname = current_database() AND "
        "pid <> pg_backend_pid()").split()]


def few_in_backends(faults: Faults) -> int:
    """EMFILE in the processes that execute queries, where core closes some
    files to open others."""
    pids = _of_queries(faults)
    limits = [_descriptors(pid) + faults.random.randrange(2) for pid in pids]
    with _lowered(faults, pids, "nofile", limits) as done:
        faults.pause(1)
    faults.pause(0.3)
    return done


def no_fork(faults: Faults) -> int:
    """No process for a worker, a session or another daemon."""
    pids = [faults.place.server.pid() or 0]
    daemon = faults.daemon_pid()
    if daemon:
        with contextlib.suppress(OSError), \
                open(f"/proc/{daemon}/stat", encoding="ascii") as file:
            # its parent starts the next one
            pids.append(int(file.read().rsplit(")", 1)[1].split()[1]))
    with _lowered(faults, [pid for pid in pids if pid], "nproc",
                  [1] * len(pids)) as done:
        if daemon:
            with contextlib.suppress(ProcessLookupError):
                os.kill(daemon, signal.SIGKILL)
        faults.pause(1)
    faults.pause(0.5)
    return done


def _answer_nonsense(listener: socket.socket, noise: List[bytes]) -> None:
    """Until the listener is shut down."""
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            client.settimeout(0.2)
            with contextlib.suppress(OSError), client:
                for answer in noise:
                    client.recv(4096)
                    client.send(answer)


def bind_for_all(listener: socket.socket, path: str) -> None:
    """Every user may connect; there is no name with later changed permissions.
    """
    before = os.umask(0)
    try:
        listener.bind(path)
    finally:
        os.umask(before)


def wrong_listener(faults: Faults) -> int:
    """Another user's program listens in the daemon's place, and sends data."""
    path = faults.daemon_socket
    random = faults.random
    noise = [random.randbytes(random.choice((1, 16, 24, 120, 136, 984)))
             for _ in range(4)]
    # a valid header, and an invalid body
    noise[0] = b"SSDP" + noise[0]
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    try:
        bind_for_all(listener, path)
    except OSError:         # the daemon was faster
        listener.close()
        return 0
    if os.geteuid() == 0:
        os.chown(path, _NOBODY, _NOBODY, follow_symlinks=False)
    listener.listen(8)
    thread = threading.Thread(target=_answer_nonsense,
                              args=(listener, noise), daemon=True)
    thread.start()
    faults.pause(1)
    with contextlib.suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    pid = faults.daemon_pid()
    if pid:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    faults.pause(0.3)
    return 1


class _Calibration(threading.Thread):
    """A calibration in a separate session."""

    def __init__(self, faults: Faults):
        super().__init__(daemon=True)
        self.ended_well = False
        self._faults = faults

    def run(self) -> None:
        with contextlib.suppress(Lost):
            session = self._faults.place.session("postgres")
            answer = session.run(
                "CREATE EXTENSION IF NOT EXISTS ssdpar; SELECT ssdpar."
                "calibrate(seconds => 3, file_size_mb => 64)")
            session.close()
            self.ended_well = not answer.sqlstate

    def backend(self) -> int:
        """Its process, once it calibrates; 0 if it never does."""
        session = self._faults.patient_session()
        pid = ""
        while self.is_alive() and not pid:
            pid, = session.must("SELECT max(pid) FROM "
                                "ssdpar.pg_stat_progress_calibrate").text()
            self.join(0.05)
        session.close()
        return int(pid or 0)


def _break_off(faults: Faults, end: Callable[[int], None]) -> int:
    """Ends its process in some way at some moment of a calibration."""
    calibration = _Calibration(faults)
    calibration.start()
    try:
        pid = calibration.backend()
        faults.pause(2)
        if pid:
            end(pid)
    finally:
        calibration.join()
    return int(pid > 0 and not calibration.ended_well)


def _left_of_calibrations(faults: Faults) -> List[str]:
    base = os.path.join(faults.place.scratch.data, "base")
    return [path for path in glob.glob(f"{base}/.[a-z]*") +
            glob.glob(f"{base}/*")
            if not os.path.basename(path).replace("pgsql_tmp", "0").isdigit()]


def calibration_ended(faults: Faults) -> int:
    """By a cancel, a termination, a kill, or the server's end."""
    how = faults.random.choice(
        (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, None))
    if how is None:
        return server_stopped_amid_calibration(faults)

    def end(pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)
    return _break_off(faults, end)


def server_stopped_amid_calibration(faults: Faults) -> int:
    """Immediate shutdown; the server recovers."""
    return _break_off(faults, lambda _pid: faults.stop_and_start())


def check_calibrations(faults: Faults) -> List[Finding]:
    """No scratch file remains, and the profile is complete."""
    found = [Finding(f"left of a calibration: {os.path.basename(path)}",
                     f"-- {path}\n") for path in _left_of_calibrations(faults)]
    problem = faults.ask("SELECT coalesce(ssdpar.profile_problem("
                         "'pg_default'), '')")
    if problem:
        found.append(Finding("a profile that is not whole after calibrations",
                             f"-- {problem}\n"))
    return found
