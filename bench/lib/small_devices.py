"""Tablespaces on emulated devices that are as small as their contents.

An emulated device takes its free space from the file system below it, so there
is one of a given size, in memory, below each.  The device itself has as many
pages, so that it is full inside when the server finds it full.
"""

from __future__ import annotations

import contextlib
import glob
import os
from dataclasses import dataclass
from typing import Dict, Iterator, Optional, Sequence

from . import emulator, own_files, process
from .emulator import EmulatedDevice
from .errors import UserError
from .progress import Progress
from .scratch import Scratch
from .server import Server

FLASH, DISK = "ssd-s", "hdd"
_BLOCK_BYTES = 2 * 64 * 4096            # of each die of a channel
_RESERVE = 0.1                          # over-provisioning
_FEWEST_BLOCKS = 24                     # among which a die collects
LEAST_BYTES = 1 << 26                   # minimum of the emulator


@dataclass(frozen=True)
class SmallDevice:
    """A tablespace, and the layers below it."""

    name: str
    bytes: int
    # Fewer than the original device, because a small one with as many dies
    # would have few blocks in each.
    channels: int = 4
    # The reported size of its file system, if different: the advisor moves
    # tables to the device with the most free space, and the machine's disk is
    # large.
    shown_bytes: Optional[int] = None
    # how often it was overwritten at random; 0: empty and trimmed
    age: float = 0.0
    # free blocks per die up to which it collects in idle moments; with 1 it
    # collects only when it must
    free_blocks: int = 1
    # One with an arm only has a size.
    profile: str = FLASH

    def blocks(self) -> int:
        """Per die, including the reserve."""
        need = self.bytes / (1 - _RESERVE) / self._block_bytes()
        return max(_FEWEST_BLOCKS, int(need) + 1)

    def raw_bytes(self) -> int:
        """With the reserve."""
        return self.blocks() * self._block_bytes()

    def _block_bytes(self) -> int:
        return self.channels * _BLOCK_BYTES

    def options(self) -> Sequence[str]:
        """Of the emulator."""
        if self.profile == DISK:
            return ("--set", f"capacity {self.bytes / 1e6:.0f} MB")
        return ("--discard", "--age", f"{self.age:g}",
                "--set", f"channels {self.channels}",
                "--set", f"blocks {self.blocks()}",
                "--set", f"gc-high {self.free_blocks}")


def _directory(server: Server, device: SmallDevice) -> str:
    return os.path.join(_top(server.scratch), device.name)


def _top(scratch: Scratch) -> str:
    return os.path.join(scratch.path, "small")


def _take_off(directory: str) -> None:
    """Unmounts everything from the directory, even of a killed run."""
    if emulator.is_mounted(directory):
        emulator.unmount(directory)
    while os.path.ismount(directory):
        # the emulator may need a moment to close its files
        process.check(["umount", "--lazy", directory],
                      f"unmounting the memory at {directory}")


def take_off_all(scratch: Scratch) -> None:
    """Remains of a killed run, because mounted directories cannot be removed.
    """
    for directory in glob.glob(glob.escape(_top(scratch)) + "/*"):
        _take_off(directory)


@contextlib.contextmanager
def _memory(server: Server, device: SmallDevice) -> Iterator[str]:
    """A directory of that size that belongs to the server's user."""
    if os.geteuid() != 0:
        raise UserError(
            "a device of a given size needs a file system of that size, and "
            "only root may mount one. Run this as root, or leave the harm "
            "out with --only.")
    size = device.shown_bytes or device.bytes
    directory = _directory(server, device)
    _take_off(directory)
    for path in (os.path.dirname(directory), directory):
        own_files.make_directory(path, server.user)
    try:
        process.check(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700,"
             f"uid={server.user.uid},gid={server.user.gid}", "ssdpar-bench",
             directory], f"mounting memory at {directory}")
        yield directory
    finally:
        with process.held():
            _take_off(directory)
            os.rmdir(directory)


def _forget_all(directory: str, device: SmallDevice) -> None:
    """Discards the whole device by creating and removing a file of its size.
    """
    path = os.path.join(directory, "everything")
    with own_files.replace(path) as file:
        file.truncate(device.raw_bytes())
    os.unlink(path)


@contextlib.contextmanager
def _one(server: Server, device: SmallDevice, progress: Progress
         ) -> Iterator[EmulatedDevice]:
    emulator.check_bytes(device.bytes)
    with _memory(server, device) as directory, emulator.mounted_over(
            directory, device.profile, progress,
            device.options()) as mounted:
        if device.profile == FLASH and device.age == 0:
            _forget_all(directory, device)
        server.sql(f"DROP TABLESPACE IF EXISTS {device.name};")
        server.sql(f"CREATE TABLESPACE {device.name} "
                   f"LOCATION '{directory}';")
        try:
            yield mounted
        finally:
            server.sql(f"DROP TABLESPACE {device.name};")
            server.sql("CHECKPOINT;")


@contextlib.contextmanager
def mounted(server: Server, devices: Sequence[SmallDevice],
            progress: Progress) -> Iterator[Dict[str, EmulatedDevice]]:
    """A tablespace on each, empty, while the server runs."""
    with contextlib.ExitStack() as stack:
        yield {device.name: stack.enter_context(
            _one(server, device, progress)) for device in devices}
