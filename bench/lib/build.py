"""Builds ssdpar and installs it into the server's directories.

The sources are built by their own Makefile, in place or, for a server in a
tree, in the copy there.
"""

from __future__ import annotations

import filecmp
import glob
import hashlib
import os
from typing import List, Tuple

from . import packages
from .errors import UserError
from .installation import TOP, Installation
from .progress import Progress


def ssbload(where: Installation) -> str:
    """The data generator's program."""
    return os.path.join(where.top, "bench", "ssb", "ssbload")


def probe(where: Installation) -> str:
    """The program that measures a device."""
    return os.path.join(where.top, "probe", "ssdpar-probe")


def _installed_pairs(where: Installation) -> List[Tuple[str, str]]:
    """(built, installed) for every file that a run uses."""
    library, share, programs = (where.visible(where.ask(what)) for what in
                                ("--pkglibdir", "--sharedir", "--bindir"))
    top = where.top
    pairs = [(os.path.join(top, "ssdpar.so"),
              os.path.join(library, "ssdpar.so")),
             (os.path.join(top, "daemon", "ssdpard"),
              os.path.join(programs, "ssdpard"))]
    for path in [os.path.join(top, "ssdpar.control")] + \
            sorted(glob.glob(os.path.join(top, "built", "*.sql"))):
        pairs.append((path, os.path.join(share, "extension",
                                         os.path.basename(path))))
    return pairs


def _is_installed(where: Installation) -> bool:
    return all(os.path.exists(new) and filecmp.cmp(old, new, shallow=False)
               for old, new in _installed_pairs(where))


def _fits(where: Installation) -> bool:
    """Was the library in the tree built for this server?

    make cannot tell, because its rules do not include the server against which
    objects were compiled.  The only sure sign is that this server has it
    installed.
    """
    built, installed = _installed_pairs(where)[0]
    return os.path.exists(built) and os.path.exists(installed) and \
        filecmp.cmp(built, installed, shallow=False)


def extension_version() -> str:
    """A hash of the SQL side: a change requires CREATE EXTENSION again."""
    digest = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(TOP, "ssdpar*.sql")) +
                       glob.glob(os.path.join(TOP, "advise", "*.sql"))):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:16]


def _make(where: Installation, command: List[str], what: str) -> None:
    result = where.run(command)
    if result.status != 0:
        raise UserError(f"{what} failed (exit status {result.status}). "
                        f"It said:\n{result.last_words()}")


def _install(where: Installation, make: List[str]) -> None:
    target = where.visible(where.ask("--pkglibdir"))
    prefix: List[str] = []
    if not os.access(target, os.W_OK):
        found = packages.root_prefix()
        if found is None:
            raise UserError(
                f"ssdpar is built, but {target} is not yours to write to and "
                "sudo does not let you become root. Have an administrator "
                f"run: make -C {where.top} install "
                f"PG_CONFIG={where.pg_config}")
        prefix = found
    _make(where, prefix + make + ["install"], "make install")


def build(where: Installation, progress: Progress) -> None:
    """Compiles ssdpar and ssbload, and installs ssdpar if necessary."""
    make = ["make", "-s", "-C", where.top, f"PG_CONFIG={where.pg_config}"]
    jobs = f"-j{os.cpu_count() or 1}"
    with progress.step("building ssdpar and the data generator"):
        if not _fits(where):
            _make(where, make + ["clean"], "make clean")
        _make(where, make + [jobs], "building ssdpar (make)")
        _make(where, ["make", "-s", jobs,
                      "-C", os.path.dirname(ssbload(where)),
                      f"PG_CONFIG={where.pg_config}"],
              "building the data generator (make -C bench/ssb)")
    if not _is_installed(where):
        with progress.step("installing ssdpar into the server's directories"):
            _install(where, make)
