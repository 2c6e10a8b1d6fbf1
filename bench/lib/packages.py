"""Required packages, and installing them on Debian.

NEEDED is the demo's list; the tests need more (test/packages.sh), which users
who only want to see the demo should not have to install. Installing never
creates or starts a database cluster, because the machine may be in use, and
port 5432 is not ours.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from typing import Callable, Iterator, List, Optional, Sequence

from . import process
from .errors import UserError
from .progress import Progress

SERVER_MAJORS = (18, 17, 15)
_SERVER_BIN = "/usr/lib/postgresql/{}/bin/pg_config"
_POLICY = "/usr/sbin/policy-rc.d"
_CLUSTER_CONF = "/etc/postgresql-common/createcluster.d/ssdpar-install.conf"


def ask_pg_config(pg_config: str, what: str) -> str:
    """One answer of pg_config, such as its --bindir."""
    return process.check([pg_config, what], pg_config).out.strip()


def server_major(pg_config: str) -> Optional[int]:
    """15 from "PostgreSQL 15.4 (Debian 15.4-1)", 18 from 18beta1."""
    found = re.match(r"PostgreSQL (\d+)",
                     ask_pg_config(pg_config, "--version"))
    return int(found.group(1)) if found else None


def _check_major(pg_config: str) -> None:
    if server_major(pg_config) not in SERVER_MAJORS:
        raise UserError(
            f"PG_CONFIG={pg_config}: that is no PostgreSQL 15, 17 or 18, the "
            "servers ssdpar works with. Set it to the pg_config of one, or "
            "unset it to have one found.")


def find_pg_config() -> Optional[str]:
    """The server to use: PG_CONFIG, else the newest one installed."""
    given = os.environ.get("PG_CONFIG")
    if given:
        found = shutil.which(given)
        if found is None:
            raise UserError(
                f"PG_CONFIG={given}: there is no such program. Set it to "
                "a server's pg_config, or unset it to have one found.")
        _check_major(os.path.abspath(found))
        return os.path.abspath(found)
    for major in SERVER_MAJORS:
        path = _SERVER_BIN.format(major)
        if os.access(path, os.X_OK) and \
                os.access(os.path.join(os.path.dirname(path), "initdb"),
                          os.X_OK):
            return path
    return None


def _program(name: str) -> Callable[[Optional[str]], bool]:
    return lambda _pg_config: shutil.which(name) is not None


def _file(path: str) -> Callable[[Optional[str]], bool]:
    return lambda _pg_config: os.path.exists(path)


def _has_server(pg_config: Optional[str]) -> bool:
    return pg_config is not None and os.access(
        os.path.join(ask_pg_config(pg_config, "--bindir"), "initdb"), os.X_OK)


def _has_server_headers(pg_config: Optional[str]) -> bool:
    return pg_config is not None and \
        os.path.exists(ask_pg_config(pg_config, "--pgxs")) and \
        os.path.exists(os.path.join(
            ask_pg_config(pg_config, "--includedir-server"), "postgres.h"))


def _has_libpq(pg_config: Optional[str]) -> bool:
    return pg_config is not None and os.path.exists(os.path.join(
        ask_pg_config(pg_config, "--includedir"), "libpq-fe.h"))


@dataclass(frozen=True)
class Needed:
    """A Debian package, why it is needed, and how to detect it."""

    package: str
    reason: str
    present: Callable[[Optional[str]], bool]


NEEDED = (
    Needed("gcc", "compiles ssdpar and the generator", _program("gcc")),
    Needed("make", "builds them", _program("make")),
    Needed("libc6-dev", "the C library's headers",
           _file("/usr/include/stdio.h")),
    Needed("postgresql-{major}", "the server the demo runs on", _has_server),
    Needed("postgresql-server-dev-{major}", "the headers ssdpar is built "
           "against", _has_server_headers),
    Needed("libpq-dev", "the generator loads through libpq", _has_libpq),
    Needed("liburing-dev", "the device is measured through io_uring",
           _file("/usr/include/liburing.h")),
    Needed("vmtouch", "empties the page cache of the scratch data before "
           "each query, without root", _program("vmtouch")),
)

# Only for runs on an emulated device.
NEEDED_TO_EMULATE = (
    Needed("libfuse3-dev", "the emulated device is a FUSE file system",
           _file("/usr/include/fuse3/fuse_lowlevel.h")),
    Needed("fuse3", "mounts and unmounts it", _program("fusermount3")),
)


# For single scenarios, which are skipped without them.
FIO = Needed("fio", "drives the device by itself", _program("fio"))
VALGRIND = Needed("valgrind", "counts instructions", _program("valgrind"))
POSTMARK = Needed("postmark", "the mail server of Figure 12",
                  _program("postmark"))
MATPLOTLIB = Needed(
    "python3-matplotlib", "draws the report's figures",
    lambda _pg_config: os.access("/usr/lib/python3/dist-packages/matplotlib",
                                 os.R_OK))


def missing(pg_config: Optional[str], emulated: bool = False
            ) -> List[Needed]:
    """Packages of NEEDED that this machine lacks."""
    needed = NEEDED + (NEEDED_TO_EMULATE if emulated else ())
    return [item for item in needed if not item.present(pg_config)]


def root_prefix() -> Optional[List[str]]:
    """Prefix of a command for root's rights; None without them."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    if process.run(["sudo", "-n", "true"]).status == 0:
        return ["sudo", "-n"]
    # Asks for the password on the terminal, and reports failures there.
    asked = os.isatty(0) and os.system("sudo -v </dev/tty") == 0
    return ["sudo", "-n"] if asked else None


def _explain(items: List[Needed], major: int) -> str:
    return "\n".join(f"  {item.package.format(major=major)}: {item.reason}"
                     for item in items)


def _major_to_install(pg_config: Optional[str]) -> int:
    """The found server's major version, else the newest of this Debian."""
    if pg_config is not None:
        return server_major(pg_config) or SERVER_MAJORS[-1]
    for major in SERVER_MAJORS:
        found = process.run(["apt-cache", "show", f"postgresql-{major}"])
        if found.status == 0 and found.out.strip():
            return major
    raise UserError("this Debian has no PostgreSQL 15, 17 or 18 to install. "
                    "Install one, then set PG_CONFIG to its pg_config.")


@contextlib.contextmanager
def _placed(prefix: List[str], path: str, text: str, mode: str
            ) -> Iterator[None]:
    """A file of root's that exists during the body; never replaces one."""
    if os.path.exists(path):
        yield
        return
    directory = os.path.dirname(path)
    new_directory = not os.path.isdir(directory)
    with tempfile.NamedTemporaryFile("w", suffix=".ssdpar") as draft:
        draft.write(text)
        draft.flush()
        process.check(prefix + ["install", "-D", "-m", mode, draft.name,
                                path], f"placing {path}")
    try:
        yield
    finally:
        process.run(prefix + ["rm", "-f", path])
        if new_directory and not os.listdir(directory):
            process.run(prefix + ["rmdir", directory])


def _no_cluster(prefix: List[str]) -> contextlib.ExitStack:
    """For an installation's duration: no new cluster, none started."""
    stack = contextlib.ExitStack()
    with contextlib.ExitStack() as building:
        building.enter_context(_placed(
            prefix, _CLUSTER_CONF, "create_main_cluster = false\n", "644"))
        building.enter_context(_placed(
            prefix, _POLICY,
            '#!/bin/sh\n# ssdpar: starts no database while installing.\n'
            'case "$*" in *postgresql*start*) exit 101 ;; esac\n', "755"))
        stack = building.pop_all()
    return stack


def _apt(prefix: List[str], *arguments: str) -> None:
    result = process.run(
        prefix + ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q",
                  "-y", *arguments], deaf=True, merge=True)
    if result.status != 0:
        raise UserError(
            f"apt-get {' '.join(arguments)} failed (exit status "
            f"{result.status}); nothing has been built or loaded. "
            f"It said:\n{result.last_words()}")


def _refuse(items: List[Needed], major: int, why: str, todo: str) -> None:
    raise UserError(f"{why}, and these Debian packages, or what they hold, "
                    f"are missing:\n{_explain(items, major)}\n{todo}")


def _install(prefix: List[str], items: List[Needed],
             pg_config: Optional[str], progress: Progress) -> int:
    """Makes apt install packages; returns the server's major version."""
    # If interrupted, dpkg would leave packages unconfigured.
    with process.held():
        with progress.step("looking up packages"):
            _apt(prefix, "update")
        major = _major_to_install(pg_config)
        names = [item.package.format(major=major) for item in items]
        progress.say("installing:\n" + _explain(items, major))
        with progress.step("installing " + " ".join(names) +
                           " (runs to its end)"), \
                _no_cluster(prefix):
            _apt(prefix, "install", "--no-install-recommends", *names)
    return major


def have(items: Sequence[Needed], progress: Progress) -> bool:
    """Are optional packages there, or could they be installed now?"""
    lacking = [item for item in items if not item.present(None)]
    if not lacking:
        return True
    prefix = root_prefix() if shutil.which("apt-get") else None
    why = "and only root could install it"
    if prefix is not None:
        try:
            _install(prefix, lacking, None, progress)
            return True
        except UserError as error:
            why = f"and it could not be installed: {error}"
    for item in lacking:
        progress.say(f"the package {item.package} is missing "
                     f"({item.reason}), {why}")
    return False


def ensure(progress: Progress, emulated: bool = False) -> str:
    """Installs what is missing; returns the pg_config to use."""
    pg_config = find_pg_config()
    items = missing(pg_config, emulated)
    if not items:
        assert pg_config is not None
        return pg_config
    if shutil.which("apt-get") is None:
        _refuse(items, 15, "this is not Debian",
                "Install them (any supported major will do), then run "
                "again.")
    prefix = root_prefix()
    if prefix is None:
        _refuse(items, _major_to_install(pg_config),
                "you are not root and sudo does not let you become root",
                "Have an administrator install them with apt-get, then run "
                "again.")
    major = _install(prefix, items, pg_config, progress)
    pg_config = find_pg_config()
    items = missing(pg_config, emulated)
    if items or pg_config is None:
        _refuse(items, major, "the packages were installed",
                "Perhaps PG_CONFIG names a server that has none. Unset it.")
    return pg_config
