"""What emulated devices did during a piece of work, all of them together.

Bytes and requests are what was requested; pages programmed and moved, and
steps of collecting garbage while a request waited, are what that caused
inside.  The busiest second distinguishes a burst from even writing.
"""

from __future__ import annotations

import threading
import time
from typing import Dict, List, Sequence, Tuple

from .emulator import EmulatedDevice

# A column, and its name in a device's own statistics.
NAMES = {"read_bytes": "read_bytes", "written_bytes": "write_bytes",
         "write_requests": "write_requests",
         "programmed_pages": "pages_programmed", "moved_pages": "pages_moved",
         "foreground_steps": "foreground_steps",
         "background_steps": "background_steps"}
BUSIEST = "busiest_bytes"
COLUMNS = (*NAMES, BUSIEST)
_EVERY = 0.1                # seconds

Sample = Tuple[float, int]


def busiest(samples: Sequence[Sample], seconds: float = 1.0) -> int:
    """The most that was counted between two samples at most that far apart.

    Consecutive samples always count, because a delayed sampler has not missed
    anything.
    """
    most, first = 0, 0
    for last, (when, count) in enumerate(samples):
        while first < last - 1 and when - samples[first][0] > seconds:
            first += 1
        most = max(most, count - samples[first][1])
    return most


class Counting:
    """A body's counts, once it has ended."""

    def __init__(self, devices: Sequence[EmulatedDevice]) -> None:
        self._devices = devices
        self._samples: List[Sample] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._before: Dict[str, int] = {}
        self.counts: Dict[str, int] = {}

    def _all(self) -> Dict[str, int]:
        each = [device.counters() for device in self._devices]
        return {name: sum(one.get(theirs, 0) for one in each)
                for name, theirs in NAMES.items()}

    def _sample(self) -> None:
        self._samples.append((time.monotonic(),
                              self._all()["written_bytes"]))

    def _watch(self) -> None:
        while not self._over.wait(_EVERY):
            self._sample()

    def __enter__(self) -> Counting:
        self._before = self._all()
        self._sample()
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()
        self._sample()
        after = self._all()
        self.counts = {name: after[name] - value
                       for name, value in self._before.items()}
        self.counts[BUSIEST] = busiest(self._samples)
