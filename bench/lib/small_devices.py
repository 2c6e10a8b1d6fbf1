"""Tablespaces on emulated devices that are as small as what is put on them.

An emulated device takes its free space from the file system below it, so
there is one of a given size, in memory, below each.  The device itself has as
many pages, so that what is full to the server is full inside of it.
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
_FEWEST_BLOCKS = 24                     # that a die collects among
LEAST_BYTES = 1 << 26                   # that the emulator takes


@dataclass(frozen=True)
class SmallDevice:
    """A tablespace, and what lies below it."""

    name: str
    bytes: int
    # Fewer than the device it is like has: a small one with as many dies would
    # have few blocks of each.
    channels: int = 4
    # What its file system says it has, if not as much: the advisor moves
    # things to where the most is free, and the machine's disk is large.
    shown_bytes: Optional[int] = None
    # how often it was overwritten by chance; 0: it is empty, and knows it
    age: float = 0.0
    # free blocks of each die that it collects up to in idle moments; with 1
    # it collects when it must
    free_blocks: int = 1
    # One with an arm has nothing of all that but its size.
    profile: str = FLASH

    def blocks(self) -> int:
        """Of each die, the reserve among them."""
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
    """Whatever lies over the directory, of a run that was killed too."""
    if emulator.is_mounted(directory):
        emulator.unmount(directory)
    while os.path.ismount(directory):
        # the emulator may take a moment to close what it had open
        process.check(["umount", "--lazy", directory],
                      f"unmounting the memory at {directory}")


def take_off_all(scratch: Scratch) -> None:
    """What a run that was killed has left; nothing mounted can be removed."""
    for directory in glob.glob(glob.escape(_top(scratch)) + "/*"):
        _take_off(directory)


@contextlib.contextmanager
def _memory(server: Server, device: SmallDevice) -> Iterator[str]:
    """A directory of that size, and of the server's user."""
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
    """Tell the device that nothing on it is used, by a file of all of it."""
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
