"""The frame of every program here: options, messages, exit statuses.

0 success, 1 something failed, 2 wrong usage, 128 + signal if interrupted.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from typing import Callable, NoReturn, Optional, Sequence

from . import process
from .errors import Interrupted, UsageError, UserError

SCALE_LOWEST = 0.01
SCALE_HIGHEST = 100.0


class Parser(argparse.ArgumentParser):
    """argparse, with one message instead of a usage text and a message."""

    def __init__(self, **options) -> None:
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}. "
                         f"See {self.prog} --help.")


def scale(text: str) -> float:
    """A scale factor within the range that the generator supports."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not SCALE_LOWEST <= value <= SCALE_HIGHEST:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a scale factor: give a number from "
            f"{SCALE_LOWEST:g} to {SCALE_HIGHEST:g}, such as 1")
    return value


def count(lowest: int, highest: int) -> Callable[[str], int]:
    """A type for argparse: an integer within bounds."""
    def convert(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 9 \
                or not lowest <= int(text) <= highest:
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a whole number from {lowest} to {highest}")
        return int(text)
    return convert


def main(body: Callable[[Sequence[str]], Optional[int]]) -> NoReturn:
    """Runs a program's body and turns its errors into messages."""
    process.install_handlers()
    status = 1
    try:
        status = body(sys.argv[1:]) or 0
        sys.stdout.flush()
    except UserError as error:
        print(f"ssdpar: {error}", file=sys.stderr)
        status = 2 if isinstance(error, UsageError) else 1
    except Interrupted as error:
        print("ssdpar: interrupted.", file=sys.stderr)
        status = 128 + error.signum
    except BrokenPipeError:
        # The reader has ended (| head); avoid an error of the interpreter.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 141
    except OSError as error:
        print(f"ssdpar: {error.strerror}: {error.filename or 'a file'}. "
              "Free space or mend the permissions, then run again.",
              file=sys.stderr)
    sys.exit(status)
