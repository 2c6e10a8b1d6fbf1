"""Where a server's programs are, and how they are started.

Usually they are in /usr/lib/postgresql, and are just run.  A server that this
Debian does not have is in a tree of a release that does (made by
test/tree.sh).  It is run by chroot, in a mount namespace of this process
alone, in which the tree has the scratch directory, the machine's users and
private copies of the directories into which ssdpar is installed.  Other
processes see none of it, and the kernel removes it with the process.
"""

from __future__ import annotations

import ctypes
import fnmatch
import os
import re
import shutil
import tarfile
import tempfile
from dataclasses import dataclass
from typing import List, Optional, Set

from . import own_files, process
from .errors import UserError
from .process import User

TOP = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
MAJORS = (15, 17, 18)
_PG_CONFIG = "/usr/lib/postgresql/{}/bin/pg_config"
_CLONE_NEWNS = 0x20000
# Destinations of make install, separate from the tree's other users.
_PRIVATE = ("usr/lib/postgresql/{}", "usr/share/postgresql/{}")
# Sources are copied without files built for another system.
_BUILT = ("./.git", "*.o", "*.d", "*.bc", "*.so", "./bench/results",
          "./bench/ssb/ssbload", "./bench/ssdemu/ssdemu",
          "./bench/ssdsim/ssdsim", "./bench/ssdsim/ssdsim-sessions",
          "./probe/ssdpar-probe", "./daemon/ssdpard")


@dataclass(frozen=True)
class Installation:
    """A server's programs, and the sources built for it."""

    pg_config: str
    top: str = TOP
    root: Optional[str] = None      # of its tree

    def command(self, command: List[str], user: Optional[User] = None
                ) -> List[str]:
        """The command for one of its programs; as the user only in a tree."""
        if self.root is None:
            return command
        who = [f"--userspec={user.uid}:{user.gid}"] if user else []
        return ["chroot", *who, self.root, *command]

    def run(self, command: List[str], user: Optional[User] = None,
            **options) -> process.Result:
        return process.run(self.command(command, user),
                           user=None if self.root else user, **options)

    def ask(self, what: str) -> str:
        """One answer of pg_config, such as its --bindir."""
        result = self.run([self.pg_config, what])
        if result.status != 0:
            raise UserError(f"{self.pg_config} {what} failed. It said:\n"
                            f"{result.last_words(4)}")
        return result.out.strip()

    def visible(self, path: str) -> str:
        """A path of the installation as this process sees it."""
        return self.root + path if self.root else path

    @property
    def major(self) -> int:
        """15 from "PostgreSQL 15.4 (Debian 15.4-1)", 18 from 18beta1."""
        found = re.match(r"PostgreSQL (\d+)", self.ask("--version"))
        return int(found.group(1)) if found else 0

    @property
    def has_uring(self) -> bool:
        """Can io_method = io_uring be set?"""
        return self.major >= 18 and \
            "--with-liburing" in self.ask("--configure")


def _trees() -> str:
    return os.environ.get("SSDPAR_TREES", "/var/cache/ssdpar")


def tree_of(major: int) -> Optional[str]:
    """The tree of a server; None if this system has the server itself."""
    if os.access(_PG_CONFIG.format(major), os.X_OK):
        return None
    return os.path.join(_trees(), f"server-{major}")


def check_tree(major: int) -> None:
    """Refuses early what cannot be used."""
    tree = tree_of(major)
    if tree is None:
        return
    if not os.access(tree + _PG_CONFIG.format(major), os.X_OK):
        raise UserError(
            f"PostgreSQL {major} is neither installed here nor in {tree}. "
            f"./run check --server {major} --only unit makes that tree "
            "(about 2 GB), or install the server's packages.")
    if os.geteuid() != 0:
        raise UserError(
            f"PostgreSQL {major} is in a tree of another Debian release "
            f"({tree}), which only root can enter. Run this as root.")


def native(major: int) -> str:
    """The pg_config of a server that this system has."""
    return _PG_CONFIG.format(major)


def _own_mounts() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNS) != 0:
        raise UserError(
            "this machine does not let root make a mount name space (a "
            "container without CAP_SYS_ADMIN?), so no server in a tree of "
            "another Debian release can be run here: "
            f"{os.strerror(ctypes.get_errno())}.")
    _mount("--make-rprivate", "/")


def _mount(*arguments: str) -> None:
    process.check(["mount", *arguments], f"mount {' '.join(arguments)}")


def _is_built(name: str) -> bool:
    return any(fnmatch.fnmatch(name, pattern) or
               name.startswith(pattern + "/") for pattern in _BUILT)


def remove_gone(to: str, present: Set[str]) -> None:
    """Removes files of an earlier copy that the sources no longer have.

    They would be built with the others.  Built files stay.
    """
    for directory, _, files in os.walk(to):
        for file in files:
            path = os.path.join(directory, file)
            name = os.path.join(".", os.path.relpath(path, to))
            if name not in present and not _is_built(name):
                os.unlink(path)


def changed(archive: tarfile.TarFile, to: str) -> List[str]:
    """Files whose content there is different."""
    names = []
    for member in archive:
        path = os.path.join(to, member.name)
        if member.isfile() and os.path.isfile(path):
            source = archive.extractfile(member)
            with open(path, "rb") as copy:
                if source is None or source.read() != copy.read():
                    names.append(path)
    return names


def _copy_sources(to: str) -> None:
    """Changed files are rebuilt, even if another clone's file is older."""
    own_files.keep_directory(to)
    excludes = [f"--exclude={pattern}" for pattern in _BUILT]
    with tempfile.NamedTemporaryFile(prefix="ssdpar-", suffix=".tar") as tar:
        process.check(["tar", "-C", TOP, *excludes, "-cf", tar.name, "."],
                      "copying the sources")
        with tarfile.open(tar.name) as archive:
            newer = changed(archive, to)
            process.check(["tar", "-C", to, "--no-same-owner", "-xf",
                           tar.name], "copying the sources")
            for path in newer:
                os.utime(path)
            remove_gone(to, set(archive.getnames()))


def _copy_once(original: str, copy: str) -> None:
    """The copy is made under another name, so that it is never incomplete."""
    if os.path.isdir(copy):
        return
    draft = copy + ".new"
    shutil.rmtree(draft, ignore_errors=True)
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    process.check(["cp", "-a", original, draft], f"copying {original}")
    os.rename(draft, copy)


def _bind(what: str, tree: str) -> None:
    """The same path inside of the tree."""
    inside = tree + what
    if os.path.isdir(what):
        os.makedirs(inside, exist_ok=True)
    elif not os.path.exists(inside):
        with open(inside, "w"):
            pass
    _mount("--rbind", what, inside)


def enter_tree(major: int, scratch: str, *others: str) -> Installation:
    """Makes a server in a tree usable for this process; root only.

    The scratch directory exists, and so do others that the server needs. They
    become shared mounts, because an emulated device that is mounted in one
    later must appear in the tree as well.
    """
    tree = tree_of(major)
    assert tree is not None
    _own_mounts()
    for path in (scratch, *others):
        _mount("--bind", path, path)
        _mount("--make-shared", path)
    for path in (scratch, *others, "/proc", "/sys", "/dev", "/tmp",
                 "/etc/passwd", "/etc/group"):
        _bind(path, tree)
    own_files.keep_directory(os.path.join(scratch, "server"))
    for pattern in _PRIVATE:
        path = pattern.format(major)
        copy = os.path.join(scratch, "server", path)
        _copy_once(os.path.join(tree, path), copy)
        _mount("--bind", copy, os.path.join(tree, path))
    top = os.path.join(scratch, "source")
    _copy_sources(top)
    return Installation(_PG_CONFIG.format(major), top, tree)


def leave_tree(*scratches: str) -> None:
    """Makes the directories passed to enter_tree() removable, which mounts are
    not."""
    for path in scratches:
        process.run(["umount", "--lazy", path])
