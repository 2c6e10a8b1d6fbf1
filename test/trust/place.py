"""The dedicated server of a run of ./run trust.

A cluster in a scratch directory (bench/lib/scratch.py: one owner, one user at
a time, nothing left behind), started with the settings that a part needs.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from typing import Dict, Iterator, List, Optional, Sequence

TOP = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "bench"), os.path.join(TOP, "test",
                                                         "query_fuzz")]

# pylint: disable=wrong-import-position
from lib import own_files, process  # noqa: E402
from lib.build import build  # noqa: E402
from lib.errors import UserError  # noqa: E402
from lib.installation import (  # noqa: E402
    Installation, check_tree, enter_tree, leave_tree, native, tree_of)
from lib.progress import Progress  # noqa: E402
from lib.scratch import Scratch  # noqa: E402
from lib.server import SUPERUSER, Server  # noqa: E402
from session import Session  # noqa: E402

MAJORS = (15, 16, 17, 18, 19)
_ROOM = 2 << 30         # bytes that a run may need at once

# Common to all parts; the tables are small, so there are no minimum sizes.
WITH_SSDPAR = {
    "shared_preload_libraries": "ssdpar", "wal_level": "replica",
    "max_wal_senders": "5", "max_wal_size": "4GB", "fsync": "off",
    "ssdpar.cost_model_min_size": "0", "ssdpar.prefetch_min_size": "0",
    "track_activity_query_size": "65536",
}

# How the log reports that a process died.
_DIED = re.compile(r"TRAP: .*|PANIC: .*|.*was terminated by signal (?!9:).*")


def _has_ssdpar(where: Installation) -> bool:
    return os.path.exists(os.path.join(where.ask("--pkglibdir"),
                                       "ssdpar.so"))


def _newest() -> Installation:
    """The newest one with ssdpar installed, else the newest."""
    servers = [Installation(path) for path in map(native, MAJORS[::-1])
               if shutil.which(path)]
    if not servers:
        raise UserError("there is no PostgreSQL server here. Install one, or "
                        "set PG_CONFIG.")
    return next(filter(_has_ssdpar, servers), servers[0])


def find(major: Optional[int]) -> Optional[Installation]:
    """The server to test: PG_CONFIG, the requested one, or the newest.  None
    if that is in a tree of ./run check, which must be entered: in_tree()."""
    given = os.environ.get("PG_CONFIG")
    if given and not shutil.which(given):
        raise UserError(f"there is no PostgreSQL server here ({given}). "
                        "Install it, or set PG_CONFIG to another one's.")
    if not given and major and tree_of(major):
        check_tree(major)
        return None
    where = Installation(given or native(major)) if given or major \
        else _newest()
    path = where.pg_config
    if where.major not in MAJORS or major not in (None, where.major):
        raise UserError(f"{path} is PostgreSQL {where.major}, not "
                        f"{major or '15 to 19'}.")
    if not _has_ssdpar(where):
        raise UserError(f"ssdpar is not installed for {path}. Run make "
                        f"PG_CONFIG={path} install there first.")
    return where


@contextlib.contextmanager
def in_tree(major: int, scratches: Sequence[Scratch]
            ) -> Iterator[Installation]:
    """The server of a tree, and ssdpar built for it from these sources."""
    paths = [scratch.path for scratch in scratches]
    with contextlib.ExitStack() as stack:
        with contextlib.closing(Progress()) as progress:
            with progress.step(f"preparing PostgreSQL {major} in its tree"):
                where = enter_tree(major, *paths)
            stack.callback(leave_tree, *paths)
            build(where, progress)
        yield where


class Place:
    """The scratch cluster, running with some settings or stopped."""

    def __init__(self, scratch: Scratch, where: Installation):
        self.scratch = scratch
        self.server = Server(scratch, where)
        self.major = where.major
        self._usual = dict(self.server.settings)
        self._running: Optional[Dict[str, str]] = None
        self._read = 0          # bytes of the log

    @property
    def socket(self) -> str:
        return self.scratch.socket

    def check_room(self) -> None:
        room = shutil.disk_usage(self.scratch.path).free
        if room < _ROOM:
            raise UserError(f"only {room >> 20} MB are free where "
                            f"{self.scratch.path} is, and {_ROOM >> 20} MB "
                            "may be needed. Free some, then run again.")

    def run_with(self, settings: Dict[str, str]) -> None:
        """Makes the server run with these settings."""
        if not os.path.exists(self.scratch.data):
            self.server.create()
        if settings == self._running:
            return
        self.stop()
        self.server.settings = {**self._usual, **settings}
        self.server.start()
        self._running = dict(settings)

    def stop(self) -> None:
        self.server.stop()
        self._running = None

    def ctl(self, *arguments: str) -> None:
        """pg_ctl directly, if the way it ends is what matters."""
        self.server.where.run(
            [self.server.program("pg_ctl"), "-D", self.scratch.data, "-l",
             self.scratch.log, *arguments],
            user=self.server.user, own_session=True, merge=True)

    def session(self, database: str) -> Session:
        return Session(self.socket, self.server.port, SUPERUSER, database)

    def deaths(self) -> List[str]:
        """Lines of the log since the last call that report a crash."""
        try:
            with open(self.scratch.log, errors="replace",
                      encoding="utf-8") as file:
                file.seek(self._read)
                text = file.read()
                self._read = file.tell()
        except OSError:
            return []
        return _DIED.findall(text)

    def path(self, name: str) -> str:
        return os.path.join(self.scratch.path, name)

    def new_directory(self, name: str) -> str:
        """An empty one, which we own until it is filled and given."""
        own_files.new_directory(self.path(name))
        return self.path(name)

    def give(self, path: str) -> None:
        """Gives a new directory to the server's user."""
        own_files.give_all(path, self.server.user)

    def directory(self, name: str) -> str:
        """An empty one of the server's user."""
        path = self.new_directory(name)
        self.give(path)
        return path

    def popen(self, command: List[str], **options) -> subprocess.Popen:
        """A program that ends with us."""
        return subprocess.Popen(command, preexec_fn=process.dying_with_us(),
                                env=process.clean_environment(), **options)


def refuse_tree(place: Place, part: str) -> None:
    """Fails if the part starts programs that have to be the server's."""
    if place.server.where.root is not None:
        raise UserError(f"{part}: needs a PostgreSQL {place.major} that this "
                        "system carries, or PG_CONFIG; the one in a tree of "
                        "another Debian release will not do.")


def sources(given: Optional[str]) -> str:
    """The top of the server's sources, whose tests are run."""
    path = given or os.environ.get("SSDPAR_SERVER_SOURCES", "")
    if not path:
        raise UserError("suites: needs the server's sources, built. Give "
                        "--sources DIR or set SSDPAR_SERVER_SOURCES.")
    if not os.path.exists(os.path.join(path, "src/test/regress/regress.so")):
        raise UserError(f"suites: {path} has no src/test/regress/regress.so. "
                        "Configure it and run make -C src/test/regress all.")
    return os.path.abspath(path)
