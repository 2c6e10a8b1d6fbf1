"""An emulated device under the scratch server: bench/ssdemu, mounted.

The scratch data directory is mounted over itself, so that data loaded once
serves the real device and every emulated one.  The emulator runs outside of
the server's control group: its backing files stay in the page cache without
being charged, and only the server's own cache counts against the server.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Sequence

from . import build, process
from .errors import UserError
from .progress import Progress
from .scratch import Scratch
from .server import Server

SOURCE = os.path.join(build.TOP, "bench", "ssdemu")
PROGRAM = os.path.join(SOURCE, "ssdemu")
SEED = 1
# A file that records each leg's requests, for ssdsim --trace.
TRACE = os.environ.get("SSDPAR_BENCH_TRACE")
_DEVICES = os.path.join(build.TOP, "bench", "ssdsim", "devices")
_DESCRIPTION = ".ssd"
_FILE_SYSTEM = "fuse.ssdemu"
_FUSE = "/dev/fuse"


@dataclass(frozen=True)
class EmulatedDevice:
    """The same as Device, for a mounted emulator."""

    name: str
    directory: str

    def _stats(self) -> Dict[str, str]:
        path = os.path.join(self.directory, ".ssdemu", "stats")
        with open(path) as file:
            return dict(line.rstrip("\n").split(" ", 1) for line in file)

    def bytes_read(self) -> int:
        """Bytes read from the device since it was mounted."""
        return int(self._stats()["read_bytes"])

    def counters(self) -> Dict[str, int]:
        """All of its counters, since it was mounted or before."""
        return {name: int(value) for name, value in self._stats().items()
                if value.isdigit()}

    def busy_seconds(self) -> float:
        """The sum of its channels' working time."""
        return int(self._stats()["channel_busy_ns"]) / 1e9

    def bytes_written(self) -> int:
        """Bytes written to the device since it was mounted."""
        return int(self._stats()["write_bytes"])

    def mark(self, name: str) -> None:
        """Names the reads from here on; does nothing without a trace."""
        if TRACE is None:
            return
        with open(os.path.join(self.directory, ".ssdemu", "control"),
                  "w") as file:
            file.write(f"mark {name}\n")

    def read_ahead_path(self) -> Optional[str]:
        """The file with the read-ahead window, for writing."""
        number = os.stat(self.directory).st_dev
        path = (f"/sys/class/bdi/{os.major(number)}:{os.minor(number)}/"
                "read_ahead_kb")
        return path if os.path.exists(path) else None

    def read_ahead_kb(self) -> Optional[int]:
        """The kernel's sequential read-ahead window."""
        path = self.read_ahead_path()
        if path is None:
            return None
        with open(path) as file:
            return int(file.read())

    def facts(self) -> dict:
        """Facts on the device for readers of a result."""
        stats = self._stats()
        return {"name": self.name, "emulated": True,
                "read_ahead_kb": self.read_ahead_kb(),
                "seed": int(stats["seed"]),
                "transport_ns": int(stats["transport_ns"])}


def is_mounted(directory: str) -> bool:
    """Is an emulator, alive or dead, mounted over a directory?"""
    wanted = os.path.realpath(os.path.dirname(directory))
    wanted = os.path.join(wanted, os.path.basename(directory))
    with open("/proc/self/mountinfo") as file:
        for line in file:
            left, _, right = line.partition(" - ")
            point = left.split()[4].encode().decode("unicode_escape")
            if point == wanted and right.split()[0] == _FILE_SYSTEM:
                return True
    return False


def unmount(directory: str) -> None:
    """Unmounts every emulator from a directory, if any."""
    for _ in range(8):
        if not is_mounted(directory):
            return
        result = process.run(["fusermount3", "-u", "-z", directory],
                             merge=True, own_session=True)
        if result.status != 0 and is_mounted(directory):
            break
    else:
        return
    raise UserError(f"cannot unmount the emulated device from {directory}: "
                    f"{result.last_words(2)}. End what uses it, then: "
                    f"fusermount3 -u -z {directory}")


def _quietly_unmount(directory: str) -> None:
    """At the very end, when a message would not help."""
    with contextlib.suppress(OSError):
        if is_mounted(directory):
            subprocess.run(["fusermount3", "-u", "-z", directory],
                           capture_output=True, check=False)


def compile_it(progress: Progress) -> None:
    """Builds ssdemu."""
    with progress.step("building the emulated device"):
        process.check(["make", "-s", "-C", SOURCE],
                      "building the emulated device (make -C bench/ssdemu)")


def profiles() -> List[str]:
    """The available devices, from their descriptions.

    Called before anything is built, because options are checked first.
    """
    return sorted(name[:-len(_DESCRIPTION)] for name in os.listdir(_DEVICES)
                  if name.endswith(_DESCRIPTION))


def available_bytes() -> int:
    """Memory available without swapping, by the kernel's estimate."""
    with open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def check(scratch: Scratch, memory_limit: int) -> None:
    """Refuses before the start what cannot work."""
    check_bytes(scratch.data_bytes() + memory_limit)


def no_fuse() -> Optional[str]:
    """Why nothing can be mounted here, or None."""
    if not os.path.exists(_FUSE):
        return f"an emulated device needs FUSE, and there is no {_FUSE}"
    if not os.access(_FUSE, os.R_OK | os.W_OK):
        return (f"an emulated device needs FUSE, and only root may use "
                f"{_FUSE} here")
    return None


def check_bytes(need: float) -> None:
    """Refuses if there is no FUSE, or not enough memory."""
    why = no_fuse()
    if why is not None:
        raise UserError(
            f"{why}. Load the module (modprobe fuse) or, in a container, let "
            "it in (--device /dev/fuse --cap-add SYS_ADMIN).")
    if available_bytes() < need:
        raise UserError(
            f"an emulated device keeps its data in memory, beside what "
            f"uses it: about {need / 1e9:.1f} GB are needed and "
            f"{available_bytes() / 1e9:.1f} GB are available. Take a "
            "smaller --scale, --memory or --file-size.")


def _start(directory: str, profile: str,
           options: Sequence[str] = ()) -> None:
    trace = ["--trace", TRACE] if TRACE is not None else []
    result = process.run(
        [PROGRAM, "--background", "--device", profile, "--seed", str(SEED),
         "--warm", "--follow", str(os.getpid()), *trace, *options,
         directory, directory], own_session=True)
    if result.status != 0:
        raise UserError("the emulated device could not be mounted. It said:\n"
                        f"{result.last_words(4)}")


@contextlib.contextmanager
def mounted_over(directory: str, profile: str, progress: Progress,
                 options: Sequence[str] = ()) -> Iterator[EmulatedDevice]:
    """An emulated device on a directory that no server uses."""
    compile_it(progress)
    atexit.register(_quietly_unmount, directory)
    try:
        with progress.step(f"mounting the emulated device {profile}"), \
                process.held():
            _start(directory, profile, options)
        yield EmulatedDevice(profile, directory)
    finally:
        with process.held():
            unmount(directory)
            atexit.unregister(_quietly_unmount)


@contextlib.contextmanager
def mounted(server: Server, profile: str, memory_limit: int,
            progress: Progress) -> Iterator[EmulatedDevice]:
    """The scratch server on an emulated device; stopped at the end."""
    directory = server.scratch.data
    check(server.scratch, memory_limit)
    compile_it(progress)
    atexit.register(_quietly_unmount, directory)
    try:
        with progress.step(f"mounting the emulated device {profile}"), \
                process.held():
            server.stop()
            _start(directory, profile)
        with progress.step("starting the scratch server on it"):
            server.start()
        yield EmulatedDevice(profile, directory)
    finally:
        with process.held():
            try:
                server.stop()
            finally:
                unmount(directory)
                atexit.unregister(_quietly_unmount)
