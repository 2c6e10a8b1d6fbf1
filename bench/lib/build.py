"""Building ssdpar and putting it into the server's directories.

The sources are built where they are, by their own Makefile.
"""

from __future__ import annotations

import filecmp
import glob
import hashlib
import os
from typing import List, Tuple

from . import packages, process
from .errors import UserError
from .progress import Progress

TOP = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SSBLOAD = os.path.join(TOP, "bench", "ssb", "ssbload")
_LIBRARY = os.path.join(TOP, "ssdpar.so")


def _installed_pairs(pg_config: str) -> List[Tuple[str, str]]:
    """(built, installed) for every file the server reads."""
    library = packages.ask_pg_config(pg_config, "--pkglibdir")
    share = os.path.join(packages.ask_pg_config(pg_config, "--sharedir"),
                         "extension")
    pairs = [(_LIBRARY, os.path.join(library, "ssdpar.so"))]
    for path in [os.path.join(TOP, "ssdpar.control")] + \
            sorted(glob.glob(os.path.join(TOP, "ssdpar--*.sql"))):
        pairs.append((path, os.path.join(share, os.path.basename(path))))
    return pairs


def _is_installed(pg_config: str) -> bool:
    return all(os.path.exists(new) and filecmp.cmp(old, new, shallow=False)
               for old, new in _installed_pairs(pg_config))


def _fits(pg_config: str) -> bool:
    """Whether the library lying in the tree was built for this server.

    make cannot tell: which server the objects were compiled against is not
    among its rules.  The one sure sign is that this server has it installed.
    """
    built, installed = _installed_pairs(pg_config)[0]
    return os.path.exists(built) and os.path.exists(installed) and \
        filecmp.cmp(built, installed, shallow=False)


def extension_version() -> str:
    """A hash of the SQL side: a change asks for CREATE EXTENSION anew."""
    digest = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(TOP, "ssdpar*.sql"))):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:16]


def _install(pg_config: str, make: List[str]) -> None:
    target = packages.ask_pg_config(pg_config, "--pkglibdir")
    prefix: List[str] = []
    if not os.access(target, os.W_OK):
        found = packages.root_prefix()
        if found is None:
            raise UserError(
                f"ssdpar is built, but {target} is not yours to write to and "
                "sudo does not let you become root. Have an administrator "
                f"run: make -C {TOP} install PG_CONFIG={pg_config}")
        prefix = found
    process.check(prefix + make + ["install"], "make install")


def build(pg_config: str, progress: Progress) -> None:
    """Compile ssdpar and ssbload; install ssdpar where it is not yet."""
    make = ["make", "-s", "-C", TOP, f"PG_CONFIG={pg_config}"]
    with progress.step("building ssdpar and the data generator"):
        if not _fits(pg_config):
            process.check(make + ["clean"], "make clean")
        process.check(make + [f"-j{os.cpu_count() or 1}"],
                      "building ssdpar (make)")
        process.check(["make", "-s", "-C", os.path.dirname(SSBLOAD),
                       f"PG_CONFIG={pg_config}"],
                      "building the data generator (make -C bench/ssb)")
    if not _is_installed(pg_config):
        with progress.step("installing ssdpar into the server's directories"):
            _install(pg_config, make)
