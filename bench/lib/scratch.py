"""The scratch directory: one place, one owner, one user at a time.

It contains the scratch server's data, its socket, its log, a lock and a stamp.
The stamp is written last, so data without one is an incomplete load. Nothing
is ever removed from a directory that this module did not create.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import stat
from typing import Any, Dict, Optional

from . import own_files
from .errors import UserError
from .process import User

# initdb refuses root, so root's server runs as the packages' user.
_ROOT_RUNS_AS = "postgres"
_MARK = "ssdpar-scratch"
_MARK_TEXT = "ssdpar's scratch data; remove with ./run clean\n"
_SOCKET_PATH_MAX = 107      # sun_path, less its closing zero byte


def server_user() -> User:
    """The user of the scratch server."""
    if os.geteuid() != 0:
        return User.current()
    try:
        return User.named(_ROOT_RUNS_AS)
    except KeyError:
        raise UserError(
            "there is no user 'postgres', and a database server refuses to "
            "run as root. Run this as an ordinary user, or add one with: "
            "useradd -r postgres") from None


def _default_path() -> str:
    return f"/var/tmp/ssdpar-{User.current().name}"


class Scratch:
    """The scratch directory, existing or not."""

    def __init__(self, suffix: str = "") -> None:
        given = os.environ.get("SSDPAR_SCRATCH")
        self.path = os.path.abspath(given or _default_path()) + suffix
        self.data = os.path.join(self.path, "data")
        self.socket = os.path.join(self.path, "socket")
        self.log = os.path.join(self.path, "server.log")
        self._lock_path = os.path.join(self.path, "lock")
        self._lock_fd: Optional[int] = None
        room = _SOCKET_PATH_MAX - len("/.s.PGSQL.65432")
        if len(os.fsencode(self.socket)) > room:
            raise UserError(
                f"the scratch directory's path is too long for a UNIX "
                f"socket: {self.path}. Set SSDPAR_SCRATCH to one of at "
                f"most {room - len('/socket')} bytes.")

    # ----- the directory -----

    def exists(self) -> bool:
        return os.path.exists(os.path.join(self.path, _MARK))

    def _check_owner(self) -> None:
        """Refuses a directory that another user created in our place."""
        info = os.lstat(self.path)
        owners = {os.geteuid()}
        if os.geteuid() == 0:
            owners.add(server_user().uid)
        if not stat.S_ISDIR(info.st_mode) or info.st_uid not in owners:
            raise UserError(
                f"{self.path} is not a directory of yours, so scratch data "
                "cannot go there. Set SSDPAR_SCRATCH to another place.")
        if os.listdir(self.path) and not self.exists():
            raise UserError(
                f"{self.path} holds something that is not ssdpar's scratch "
                "data, and it is not touched. Empty it, or set "
                "SSDPAR_SCRATCH to another place.")

    def make(self) -> None:
        """Creates the directory, or checks that the existing one is ours."""
        user = server_user()
        if not os.path.lexists(self.path):
            try:
                os.mkdir(self.path, 0o700)
            except OSError as error:
                raise UserError(
                    f"cannot make the scratch directory {self.path}: "
                    f"{error.strerror}. Set SSDPAR_SCRATCH to a place you "
                    "can write to.") from None
        self._check_owner()
        with own_files.replace(os.path.join(self.path, _MARK)) as file:
            file.write(_MARK_TEXT)
        if not os.path.lexists(self.socket):
            os.mkdir(self.socket, 0o700)
        for path in (self.path, self.socket):
            own_files.give_directory(path, user)

    def data_bytes(self) -> int:
        """Bytes that removing the data would free."""
        total = 0
        for directory, _, names in os.walk(self.data):
            for name in names:
                info = os.lstat(os.path.join(directory, name))
                total += info.st_blocks * 512
        return total

    def remove_data(self) -> None:
        """Removes the cluster, but keeps the directory and the lock."""
        self.forget()
        shutil.rmtree(self.data, ignore_errors=True)
        if os.path.exists(self.log):
            os.unlink(self.log)

    def remove(self) -> None:
        """Removes everything, the lock last, so that no other process gets in
        between."""
        self.remove_data()
        for name in sorted(os.listdir(self.path)):
            path = os.path.join(self.path, name)
            if path == self._lock_path or name == _MARK:
                continue
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
        for path in (os.path.join(self.path, _MARK), self._lock_path):
            if os.path.exists(path):
                os.unlink(path)
        with contextlib.suppress(OSError):  # another process has just entered
            os.rmdir(self.path)

    # ----- the lock -----

    def _holder(self) -> str:
        try:
            with open(self._lock_path) as file:
                return file.read().strip() or "unknown"
        except OSError:
            return "unknown"

    def lock(self) -> None:
        """Takes the lock or reports which process has it."""
        while True:
            fd = own_files.open_own(self._lock_path)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(fd)
                raise UserError(
                    f"another ./run is using {self.path} (process "
                    f"{self._holder()}). Wait for it or press Ctrl-C there; "
                    "SSDPAR_SCRATCH gives a second one a place of its own."
                ) from None
            # Its holder may have removed the file while we waited for it.
            try:
                if os.stat(self._lock_path).st_ino == os.fstat(fd).st_ino:
                    break
            except FileNotFoundError:
                pass
            os.close(fd)
            self.make()
        os.ftruncate(fd, 0)
        os.write(fd, f"{os.getpid()}\n".encode())
        self._lock_fd = fd

    def holds_lock(self) -> bool:
        return self._lock_fd is not None

    def unlock(self) -> None:
        if self._lock_fd is not None:
            os.close(self._lock_fd)
            self._lock_fd = None

    # ----- the stamp -----

    @property
    def _stamp_path(self) -> str:
        return os.path.join(self.path, "stamp.json")

    def stamp(self) -> Dict[str, Any]:
        """The loaded data; empty if no load has completed."""
        try:
            with open(self._stamp_path) as file:
                content = json.load(file)
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}

    def write_stamp(self, content: Dict[str, Any]) -> None:
        """Replaces the stamp atomically."""
        draft = self._stamp_path + ".new"
        with own_files.replace(draft) as file:
            json.dump(content, file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, self._stamp_path)

    def forget(self) -> None:
        """Removes the stamp, so that the data counts as incomplete."""
        if os.path.exists(self._stamp_path):
            os.unlink(self._stamp_path)
