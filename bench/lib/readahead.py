"""Changes a device's read_ahead_kb temporarily; root only.

The previous value is written to the scratch directory before it is changed, so
that the next ./run restores it if a run is killed by SIGKILL.  Ctrl-C needs no
such note, because the body's end restores the value.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import Iterator, Optional

from . import own_files, process
from .device import AnyDevice
from .errors import UserError

_NOTE = "read_ahead.json"


def can_change(device: Optional[AnyDevice]) -> bool:
    """May this process set the device's window?"""
    path = device.read_ahead_path() if device else None
    return path is not None and os.geteuid() == 0 and os.access(path, os.W_OK)


def _is_window(path: str) -> bool:
    """By its name, which no other file has, even through links."""
    return os.path.basename(os.path.realpath(path)) == "read_ahead_kb"


def _write(path: str, kilobytes: int) -> None:
    try:
        with open(path, "w") as file:
            file.write(f"{kilobytes}\n")
    except OSError as error:
        raise UserError(f"cannot set {path} to {kilobytes}: "
                        f"{error.strerror}.") from None


def _note(scratch: str, path: str, kilobytes: int) -> str:
    note = os.path.join(scratch, _NOTE)
    with own_files.replace(note) as file:
        json.dump({"path": path, "read_ahead_kb": kilobytes}, file)
        file.flush()
        os.fsync(file.fileno())
    return note


def restore(scratch: str) -> None:
    """Restores what a killed run left changed."""
    note = os.path.join(scratch, _NOTE)
    try:
        with open(note) as file:
            content = json.load(file)
        path, kilobytes = content["path"], int(content["read_ahead_kb"])
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError):
        os.unlink(note)         # interrupted before anything was changed
        return
    # An emulated device is gone, and its window with it.  We noted no other
    # path.
    if os.path.exists(path) and _is_window(path):
        _write(path, kilobytes)
    os.unlink(note)


@contextlib.contextmanager
def set_to(device: Optional[AnyDevice], kilobytes: Optional[int],
           scratch: str) -> Iterator[None]:
    """Another window during the body; None leaves it as it is."""
    path = device.read_ahead_path() if device else None
    found = device.read_ahead_kb() if device else None
    if kilobytes is None or kilobytes == found:
        yield
        return
    if path is None or found is None:
        raise UserError("this device has no read_ahead_kb to change. Leave "
                        "out --read-ahead.")
    note = None
    try:
        with process.held():
            note = _note(scratch, path, found)
            _write(path, kilobytes)
        yield
    finally:
        with process.held():
            if note is not None and os.path.exists(note):
                _write(path, found)
                os.unlink(note)
