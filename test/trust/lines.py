"""Files that grow by whole lines, whatever breaks off."""

from __future__ import annotations

import os
from typing import BinaryIO


def whole(text: bytes) -> int:
    """How much of it is whole lines."""
    return text.rfind(b"\n") + 1


def append(file: BinaryIO, end: int, text: bytes) -> None:
    """In place of what is after the end, without a buffer: all of it, or
    nothing and an OSError."""
    file.truncate(end)
    try:
        while text:
            text = text[file.write(text):]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(end)
        raise
