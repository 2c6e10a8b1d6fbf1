"""A run in the scratch server, from an empty machine to a stopped server.

The work of the demo and every scenario around their own: install, build, lock,
load, calibrate, and clean up.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
from typing import Iterator, List, Optional

from . import build, emulator, installation, load, packages, process
from . import readahead, small_devices
from .installation import MAJORS, Installation
from .progress import Progress
from .scratch import Scratch
from .server import Server


# Ends of the names of scratch directories with a scenario's own data.
APART = (TPCH, TPCDS, LOOKUPS, TABLESPACES, ADVISED, SHARDS, PARTITIONS,
         PLANNING, CORRELATED, FACTS) = (
    "-tpch", "-tpcds", "-lookups", "-tablespaces", "-advised", "-shards",
    "-partitions", "-planning", "-correlated", "-facts")
TRUST = "-trust"        # of ./run trust: its server's version, then its job

# Only these are ours, because others may have places with our prefix.
_SUFFIX = re.compile(f"(-({'|'.join(map(str, MAJORS))}))?"
                     f"({'|'.join(APART)})?|{TRUST}-\\d+(-\\d+)?")


def beside(usual: Scratch) -> List[Scratch]:
    """The other existing scratch directories, whoever's they are."""
    found = (path[len(usual.path):] for path in
             sorted(glob.glob(glob.escape(usual.path) + "-*")))
    scratches = (Scratch(suffix) for suffix in found
                 if _SUFFIX.fullmatch(suffix))
    return [scratch for scratch in scratches if scratch.exists()]


@contextlib.contextmanager
def locked(scratch: Scratch) -> Iterator[None]:
    """Holds the scratch directory; if it has no data at the end, removes it.
    """
    try:
        with process.held():
            scratch.make()
            scratch.lock()
            # of a killed run; it hides the data
            emulator.unmount(scratch.data)
            small_devices.take_off_all(scratch)
            readahead.restore(scratch.path)
        yield
    finally:
        with process.held():
            if scratch.holds_lock():
                if not scratch.stamp():
                    scratch.remove()
                scratch.unlock()


def _native(major: Optional[int], emulated: bool, progress: Progress
            ) -> Optional[Installation]:
    """The installed server to use; None for one in a tree."""
    if major is not None:
        installation.check_tree(major)
        if installation.tree_of(major) is None:
            os.environ["PG_CONFIG"] = installation.native(major)
    pg_config = packages.ensure(progress, emulated)
    if major is not None and installation.tree_of(major) is not None:
        return None
    return Installation(pg_config)


@contextlib.contextmanager
def session(source: load.Source, progress: Progress, *,
            calibrate: bool = False, keep: bool = False,
            emulated: bool = False, major: Optional[int] = None,
            profile: bool = True, apart: str = "") -> Iterator[Server]:
    """A running scratch server with the data loaded; stopped at the end.

    major names a server other than the usual one, whose data is stored
    separately, as is that of a scenario with its own place apart. Without
    profile, the device is not measured for the planner.
    """
    assert apart in ("", *APART), "./run clean would not find it"
    scratch = Scratch((f"-{major}" if major is not None else "") + apart)
    where = _native(major, emulated, progress)
    with locked(scratch):
        if where is None:
            assert major is not None
            with progress.step(f"preparing PostgreSQL {major} in its tree"):
                where = installation.enter_tree(major, scratch.path)
        server = Server(scratch, where)
        server.stop()
        load.check_space(server, source)
        build.build(where, progress)
        try:
            load.ensure_loaded(server, source, progress)
            load.ensure_extension(server, progress)
            if profile:
                load.ensure_calibrated(server, calibrate, progress)
            yield server
        except BaseException:
            keep = False
            raise
        finally:
            if not keep:
                server.stop()
