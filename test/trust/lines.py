"""Files that grow by whole lines, even after interruptions."""

from __future__ import annotations

import os
from typing import BinaryIO


def whole(text: bytes) -> int:
    """The length of its complete lines."""
    return text.rfind(b"\n") + 1


def append(file: BinaryIO, end: int, text: bytes) -> None:
    """Replaces everything after end, without a buffer: writes all of the text,
    or nothing and raises an OSError."""
    file.truncate(end)
    try:
        while text:
            text = text[file.write(text):]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(end)
        raise
