"""Faults of resources that the daemon holds: files of a dropped database or
tablespace, memory that it does not get, a disk that fills during a
calibration.

Each is a fault of part faults and returns how often it was done.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Iterator, List, Optional, Tuple

from lib import own_files, process
from lib.memory import hierarchies, v2_can_limit
from place import Place
from session import Lost, Session
from tables import invent

if TYPE_CHECKING:
    from faults import Faults

_HELD = "SET ssdpar.star_scan = off; SELECT count(*), sum(u) FROM held"
_TABLE = ("CREATE TABLE held {} AS SELECT i AS u, repeat('x', 200) AS pad "
          "FROM generate_series(1, 30000) i")
_SECONDS = 30.0         # a limit for hopeless cases: two are promised
_PATIENCE = 10.0        # until the daemon has opened a requested file
# If a daemon that has lived this long dies, a new one is started immediately,
# and also if that one dies sooner; after two early deaths in a row, the
# restart is delayed (supervisor.c).
GOOD_LIFE = 1.01
_IMAGE = 96 << 20       # bytes of the file system that becomes full
_LITTLE = 64 << 10      # bytes of memory with which a daemon is killed

# A group is not charged for existing memory of a process that is moved to it,
# but for later allocations: a page or more for each of these silent clients.
# The last one waits until the daemon has ended.
_CLIENTS = """
import os, socket, sys
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[3]))
clients = [socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
           for _ in range(200)]
for client in clients:
    client.settimeout(2)
    client.connect(sys.argv[1])
client.recv(1)
"""


def _ask_again(place: Place, database: str, over: threading.Event) -> None:
    """Reads the table through the daemon until it is gone."""
    session: Optional[Session] = None
    while not over.is_set():
        with contextlib.suppress(Lost):
            session = session or place.session(database)
            session.run(_HELD)
            continue
        session = None
        time.sleep(0.02)


@contextlib.contextmanager
def _asked(faults: Faults, database: str) -> Iterator[None]:
    over = threading.Event()
    thread = threading.Thread(target=_ask_again, daemon=True,
                              args=(faults.place, database, over))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _opened(pid: int) -> List[str]:
    """The files that a process has open, as far as they have names."""
    found = []
    folder = f"/proc/{pid}/fd"
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            with contextlib.suppress(OSError):
                target = os.readlink(os.path.join(folder, name))
                if target.startswith("/") and \
                        not target.startswith(("/dev", "/memfd")):
                    found.append(target)
    return found


def _deleted(faults: Faults) -> List[str]:
    """Deleted files that the daemon has open."""
    return [path for path in _opened(faults.daemon_pid())
            if path.endswith(" (deleted)")]


def _comes_to_hold(faults: Faults, folder: str) -> bool:
    """Does the daemon open a file below that folder?"""
    below = os.path.join(os.path.realpath(folder), "")
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if any(path.startswith(below)
               for path in _opened(faults.daemon_pid())):
            return True
        time.sleep(0.01)
    return False


def _let_go(faults: Faults, what: str) -> None:
    """A finding if a deleted file is held for long."""
    end = time.monotonic() + _SECONDS
    while _deleted(faults) and time.monotonic() < end:
        time.sleep(0.1)
    for path in _deleted(faults):
        faults.find(f"{what}: a file that is gone is held", f"-- {path}\n")


def _must(faults: Faults, what: str, statement: str) -> None:
    session = faults.patient_session()
    answer = session.run(statement)
    session.close()
    if answer.sqlstate:
        faults.find(f"{what}: {answer.sqlstate} {answer.message}",
                    statement + ";\n")


def _counted(faults: Faults, what: str, held: bool) -> int:
    """Drops without a held file are counted separately."""
    if not held:
        faults.counts[f"{what}, nothing held"] += 1
    return int(held)


def database_dropped(faults: Faults) -> int:
    """While a session in it reads through the daemon."""
    _must(faults, "database dropped", "DROP DATABASE IF EXISTS held")
    _must(faults, "database dropped", "CREATE DATABASE held")
    session = faults.place.session("held")
    session.must("CREATE EXTENSION ssdpar; " + invent())
    session.must(_TABLE.format(""))
    session.close()
    oid = faults.ask("SELECT oid FROM pg_database WHERE datname = 'held'")
    folder = os.path.join(faults.place.scratch.data, "base", oid)
    with _asked(faults, "held"):
        faults.pause(1)
        held = _comes_to_hold(faults, folder)
        _must(faults, "database dropped", "DROP DATABASE held WITH (FORCE)")
    _let_go(faults, "database dropped")
    return _counted(faults, "database dropped", held)


def tablespace_dropped(faults: Faults) -> int:
    """With its table, or after the table was moved to another one."""
    what = "tablespace dropped"
    folder = faults.place.directory("held")
    session = faults.patient_session()
    session.run("DROP TABLE IF EXISTS held")
    session.run("DROP TABLESPACE IF EXISTS held")
    session.must(f"CREATE TABLESPACE held LOCATION '{folder}'")
    session.must(_TABLE.format("TABLESPACE held"))
    moved = faults.random.random() < 0.5
    with _asked(faults, "faults"):
        faults.pause(1)
        held = _comes_to_hold(faults, folder)
        _must(faults, what, "ALTER TABLE held SET TABLESPACE pg_default"
              if moved else "DROP TABLE held")
        _must(faults, what, "DROP TABLESPACE held")
    session.run("DROP TABLE IF EXISTS held")
    session.close()
    shutil.rmtree(folder, ignore_errors=True)
    _let_go(faults, what)
    return _counted(faults, what, held)


# ----- memory -----

def _limited(kind: str, path: str, name: str) -> bool:
    """Creates a control group with very little memory, if possible."""
    try:
        if kind == "v2" and not v2_can_limit(os.path.dirname(path)):
            return False
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, name), "w", encoding="ascii") as file:
            file.write(str(_LITTLE))
    except OSError:
        with contextlib.suppress(OSError):
            os.rmdir(path)
        return False
    return True


@contextlib.contextmanager
def _group() -> Iterator[Tuple[str, str]]:
    """A control group with very little memory, and its file that counts
    processes killed for that; empty without control groups."""
    for kind, mount in hierarchies():
        path = os.path.join(mount, f"ssdpar-trust-{os.getpid()}")
        limit, events = {"v1": ("memory.limit_in_bytes", "memory.oom_control"),
                         "v2": ("memory.max", "memory.events")}[kind]
        if os.geteuid() == 0 and _limited(kind, path, limit):
            try:
                yield path, os.path.join(path, events)
            finally:
                _remove(path)
            return
    yield "", ""


def ended_for_memory(events: str) -> int:
    """How many processes the kernel has killed, from the group's events file.
    """
    try:
        with open(events, encoding="ascii") as file:
            found = re.search(r"^oom_kill (\d+)$", file.read(), re.M)
    except OSError:
        return 0
    return int(found[1]) if found else 0


def out_of_memory(faults: Faults) -> int:
    """The kernel kills the daemon, in a separate group, for its memory.  Other
    outcomes are counted separately."""
    pid = faults.another_daemon(GOOD_LIFE)
    if not pid:
        return 0
    faults.killed = pid
    with _group() as (group, events):
        if not group:
            _end_address_space(faults, pid)
            return 0
        before = ended_for_memory(events)
        try:
            with contextlib.suppress(OSError), open(
                    os.path.join(group, "cgroup.procs"), "w",
                    encoding="ascii") as file:
                file.write(str(pid))
            _ask_for_memory(faults)
            end = time.monotonic() + 2
            while faults.daemon_pid() == pid and time.monotonic() < end:
                time.sleep(0.02)
        finally:
            ended = ended_for_memory(events) - before
            if not ended:       # a group can be removed only when it is empty
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        if not ended:
            faults.counts["asked for no memory"] += 1
    return ended


def _ask_for_memory(faults: Faults) -> None:
    """As the server's user, who may not be able to start our Python: the
    daemon serves no other user."""
    user = faults.place.server.user
    process.run([sys.executable, "-c", _CLIENTS, faults.daemon_socket,
                 str(user.gid), str(user.uid)], merge=True)


def _end_address_space(faults: Faults, pid: int) -> None:
    """If there are no groups, as for any user but root."""
    faults.counts["no more address space"] += process.run(
        ["prlimit", f"--pid={pid}", "--as=4096:"],
        user=faults.place.server.user, merge=True).status == 0
    faults.pause(1)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)


def _remove(group: str) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError):
            os.rmdir(group)
            return
        time.sleep(0.05)


# ----- a full disk -----

@contextlib.contextmanager
def _small_disk(faults: Faults) -> Iterator[Optional[str]]:
    """A directory on a separate file system; None if none can be mounted."""
    place = faults.place.new_directory("small")
    image, mount = f"{place}/image", f"{place}/mount"
    os.mkdir(mount)
    with open(image, "wb") as file:
        file.truncate(_IMAGE)
    made = os.geteuid() == 0 and not any(
        process.run(command, merge=True).status for command in (
            ["mkfs.ext4", "-q", image], ["mount", "-o", "loop", image, mount]))
    try:
        if made:
            own_files.make_directory(f"{mount}/space",
                                     faults.place.server.user)
            own_files.give_directory(place, faults.place.server.user)
        yield f"{mount}/space" if made else None
    finally:
        if made:
            with process.held():
                for _ in range(50):
                    if process.run(["umount", mount],
                                   merge=True).status == 0:
                        break
                    time.sleep(0.1)
        shutil.rmtree(place, ignore_errors=True)


def _fill(path: str) -> None:
    with contextlib.suppress(OSError), open(path, "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))
            file.flush()


def ends_well(sqlstate: Optional[str]) -> bool:
    """On a disk that fills: without an error (None), or with one of class 53
    (resources) or 58 (system)."""
    return not sqlstate or sqlstate[:2] in ("53", "58")


def disk_full(faults: Faults) -> int:
    """During a calibration of a tablespace on it: it ends without an error or
    with one that says so, and leaves nothing."""
    with _small_disk(faults) as folder:
        if folder is None:
            faults.pause(1)
            return 0
        session = faults.patient_session()
        session.must(f"CREATE TABLESPACE small LOCATION '{folder}'")
        filler = threading.Timer(faults.random.random() * 2, _fill,
                                 (f"{folder}/../filler",))
        filler.start()
        answer = session.run("SELECT ssdpar.calibrate('small', seconds => 2, "
                             "file_size_mb => 64)")
        met = bool(answer.sqlstate) or not filler.is_alive()
        filler.join()
        if not ends_well(answer.sqlstate):
            faults.find(f"disk full: {answer.sqlstate} {answer.message}", "")
        left = [name for _, _, names in os.walk(folder) for name in names]
        session.run("SELECT ssdpar.forget_profile('small')")
        _must(faults, "disk full", "DROP TABLESPACE small")
        session.close()
        for name in left:
            faults.find(f"disk full: {name} is left of a calibration", "")
    if not met:
        faults.counts["calibrated before the disk was full"] += 1
    return int(met)
