"""A run in the scratch server, from an empty machine to a stopped server.

What the demo and every scenario do around their own work: install, build,
lock, load, calibrate, and the way out.
"""

from __future__ import annotations

import contextlib
from typing import Iterator

from . import build, emulator, load, packages, process
from .progress import Progress
from .scratch import Scratch
from .server import Server


@contextlib.contextmanager
def locked(scratch: Scratch) -> Iterator[None]:
    """Hold the scratch directory; without data at the end, leave none."""
    try:
        with process.held():
            scratch.make()
            scratch.lock()
            # of a run that was killed; it hides the data
            emulator.unmount(scratch.data)
        yield
    finally:
        with process.held():
            if scratch.holds_lock():
                if not scratch.stamp():
                    scratch.remove()
                scratch.unlock()


@contextlib.contextmanager
def session(source: load.Source, progress: Progress, *,
            calibrate: bool = False, keep: bool = False,
            emulated: bool = False) -> Iterator[Server]:
    """A running scratch server with the data loaded; stopped at the end."""
    scratch = Scratch()
    pg_config = packages.ensure(progress, emulated)
    with locked(scratch):
        server = Server(scratch, pg_config)
        server.stop()
        load.check_space(server, source)
        build.build(pg_config, progress)
        try:
            load.ensure_loaded(server, source, progress)
            load.ensure_extension(server, progress)
            load.ensure_calibrated(server, calibrate, progress)
            yield server
        except BaseException:
            keep = False
            raise
        finally:
            if not keep:
                server.stop()
