"""Shows the progress.

On a terminal, one changing line with the elapsed time, a bar if a fraction is
known, and a permanent line for every finished step; elsewhere plain lines.
Uses stderr, because stdout is for results.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
import time
from typing import Iterator, Optional

_TICK_SECONDS = 0.25
_PLAIN_SECONDS = 15.0
_BAR_WIDTH = 20


def clock(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


class Progress:
    """The changing line of one program."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._moving = sys.stderr.isatty()
        self._lock = threading.RLock()
        self._text = ""
        self._fraction: Optional[float] = None
        self._paused = False
        self._said = 0.0
        self._end = threading.Event()
        self._thread: Optional[threading.Thread] = None

    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def _line(self) -> str:
        bar = ""
        if self._fraction is not None:
            full = int(_BAR_WIDTH * min(1.0, self._fraction))
            bar = "[" + "#" * full + "." * (_BAR_WIDTH - full) + "] "
        width = max(20, shutil.get_terminal_size().columns - 1)
        return f"{clock(self.elapsed())} {bar}{self._text}"[:width]

    def _draw(self) -> None:
        if self._moving and self._text and not self._paused:
            sys.stderr.write("\r\033[K" + self._line())
            sys.stderr.flush()

    def _erase(self) -> None:
        if self._moving:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _tick(self) -> None:
        while not self._end.wait(_TICK_SECONDS):
            with self._lock:
                self._draw()

    def _plain(self, text: str) -> None:
        sys.stderr.write(f"{clock(self.elapsed())} {text}\n")
        sys.stderr.flush()
        self._said = time.monotonic()

    @contextlib.contextmanager
    def step(self, text: str) -> Iterator[None]:
        """A step of the work; a line about it stays when it has ended."""
        begin = time.monotonic()
        with self._lock:
            self._text, self._fraction = text, None
        if not self._moving:
            self._plain(text + " ...")
        elif self._thread is None:
            self._thread = threading.Thread(target=self._tick, daemon=True)
            self._thread.start()
        try:
            yield
            took = time.monotonic() - begin
            if self._moving:
                with self._lock:
                    self._erase()
                    self._plain(f"{text}: done, {took:.1f} s")
        finally:
            with self._lock:
                self._text, self._fraction = "", None
                self._erase()

    def update(self, text: str, fraction: Optional[float] = None) -> None:
        """The state of the current step."""
        with self._lock:
            self._text, self._fraction = text, fraction
            self._draw()
        if not self._moving and \
                time.monotonic() - self._said > _PLAIN_SECONDS:
            percent = "" if fraction is None else f"{fraction:4.0%} "
            self._plain(percent + text)

    def say(self, text: str) -> None:
        """A permanent line."""
        with self._lock:
            self._erase()
            self._plain(text)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Leaves the terminal to a child that shows its own progress."""
        with self._lock:
            self._erase()
            self._paused = True
        try:
            yield
        finally:
            with self._lock:
                self._paused = False

    def close(self) -> None:
        self._end.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
