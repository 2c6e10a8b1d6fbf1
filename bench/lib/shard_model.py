"""Predicts a query's time on more shards than were measured.

    seconds(n) = fixed + divided / n + each * n

fixed: planning, dimensions, joins and aggregates of the coordinator; divided:
work divided among the shards; each: the coordinator's cost of a further shard,
its keys and round trips.  The last one is known from the link, the other two
are fitted to the medians by least squares.

The simulator checks that the shards' work is divided that well, by reading as
many pages on as many devices.  This module uses no server.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict

# As in src/shards/link/link.c, both ends together.
KEY_SECONDS = 0.2e-6
KEY_BYTES = 8.0
ROUND_TRIPS = 4             # BEGIN, DECLARE, FETCH, CLOSE


@dataclass(frozen=True)
class Model:
    """Seconds of a query by the number of its shards."""

    fixed: float
    divided: float
    each: float

    def seconds(self, shards: int) -> float:
        return self.fixed + self.divided / shards + self.each * shards

    @property
    def best(self) -> float:
        """The number of shards beyond which it takes longer again."""
        return max(1.0, math.sqrt(self.divided / self.each)) \
            if self.each > 0 else math.inf

    def simulated(self, shards: int, reading: Dict[int, float]) -> float:
        """With the shards' work divided like the simulator's reading."""
        return (self.fixed + self.divided * reading[shards] / reading[1] +
                self.each * shards)

    def limit(self, shards: int) -> str:
        """What takes most of the time on this number."""
        parts = {"shards": self.divided / shards,
                 "coordinator": self.fixed,
                 "keys and round trips": self.each * shards}
        return max(parts, key=lambda name: parts[name])


def each_shard(key_bytes: float, latency: float,
               bytes_per_second: float) -> float:
    """Seconds for a shard to which this number of bytes is sent."""
    return (key_bytes / KEY_BYTES * KEY_SECONDS +
            key_bytes / bytes_per_second + ROUND_TRIPS * latency)


def fit(seconds: Dict[int, float], each: float) -> Model:
    """The model closest to the measurements, by the number of shards."""
    left = {shards: max(0.0, time - each * shards)
            for shards, time in seconds.items()}
    count = len(left)
    mean_x = sum(1 / shards for shards in left) / count
    mean_y = sum(left.values()) / count
    spread = sum((1 / shards - mean_x) ** 2 for shards in left)
    divided = sum((1 / shards - mean_x) * (time - mean_y)
                  for shards, time in left.items()) / spread if spread else 0
    # neither part is negative: then the other is everything
    if divided < 0:
        return Model(mean_y, 0.0, each)
    fixed = mean_y - divided * mean_x
    if fixed < 0:
        squares = sum(1 / shards ** 2 for shards in left)
        divided = sum(time / shards for shards, time in left.items()) / squares
        fixed = 0.0
    return Model(fixed, divided, each)
