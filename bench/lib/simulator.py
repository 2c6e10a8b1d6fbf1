"""The simulator of SSDs: builds it, runs it, and reads its output.

It needs no device and no server; the same options give the same numbers.
"""

from __future__ import annotations

import csv
import io
import os
import re
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from . import process
from .installation import TOP
from .progress import Progress

SOURCE = os.path.join(TOP, "bench", "ssdsim")
RECORDED = os.path.join(SOURCE, "sessions", "recorded.csv")

_PROBED = re.compile(r"(\d+) devices: (\d+) right, (\d+) not said, "
                     r"(\d+) wrong")

# The stored lines of a run; zero if it does not print one.
METRICS = ("requests", "seconds", "bandwidth_mb_s", "iops", "late_requests",
           "queue_wait_mean_us", "all_mean_us", "all_p50_us", "all_p90_us",
           "all_p99_us", "all_p999_us", "all_max_us", "read_mean_us",
           "read_p99_us", "write_mean_us", "die_idle_percent",
           "contention_ms", "queued_ms", "packed_operations", "write_amplification",
           "zones_suspected", "zones_blocked")


@dataclass(frozen=True)
class Point:
    """A run: what it belongs to, and the simulator's options."""

    part: str
    workload: str
    device: str
    scheduler: str
    setting: str
    options: Tuple[str, ...]

    @property
    def key(self) -> Tuple[str, ...]:
        return (self.part, self.workload, self.device, self.scheduler,
                self.setting)


KEY = ("part", "workload", "device", "scheduler", "setting")
COLUMNS = (*KEY, *METRICS, "options")


def build(progress: Progress) -> None:
    with progress.step("building the simulator"):
        process.check(["make", "-s", "-C", SOURCE],
                      "building the simulator (make -C bench/ssdsim)")


def _program(name: str) -> str:
    return os.path.join(SOURCE, name)


def parse(text: str) -> Dict[str, str]:
    """Lines of a name and a value."""
    pairs = (line.split(" ", 1) for line in text.splitlines() if " " in line)
    return {name: value for name, value in pairs}


def run(point: Point) -> Dict[str, object]:
    """A row of its output."""
    done = process.check([_program("ssdsim"), *point.options],
                         f"simulating {' '.join(point.key)}")
    found = parse(done.out)
    return dict(zip(KEY, point.key), options=" ".join(point.options),
                **{name: found.get(name, "0") for name in METRICS})


def pairs(device: str, plain: bool) -> List[Dict[str, str]]:
    """Figure 12's pairs under the daemon's scheduler, one row each."""
    words = ["--device", device] + (["--plain"] if plain else [])
    done = process.check([_program("ssdsim-sessions"), *words],
                         f"simulating pairs of sessions on {device}")
    return list(csv.DictReader(io.StringIO(done.out)))


def partitions(device: str) -> List[Dict[str, str]]:
    """Scans of a table in four partitions on one, two and four devices."""
    done = process.check([_program("ssdsim-sessions"), "--device", device,
                          "--partitions"],
                         f"simulating partitions on devices like {device}")
    return list(csv.DictReader(io.StringIO(done.out)))


def shards(device: str, pages: int) -> Dict[int, float]:
    """Seconds of reading pages by the number of shards that divide them."""
    done = process.check([_program("ssdsim-sessions"), "--device", device,
                          "--shards", str(pages)],
                         f"simulating shards with devices like {device}")
    return {int(row["shards"]): float(row["microseconds"]) / 1e6
            for row in csv.DictReader(io.StringIO(done.out))}


def held(device: str) -> List[Dict[str, str]]:
    """A list read with concurrent writers, reads of collecting dies held back.
    """
    done = process.check([_program("ssdsim-sessions"), "--device", device,
                          "--collecting"],
                         f"simulating reads beside collecting on {device}")
    return list(csv.DictReader(io.StringIO(done.out)))


def blind_test() -> Optional[List[Tuple[int, ...]]]:
    """Devices, right, not said, wrong: random ones, then with strong noise.

    It is a unit test, which needs cmocka: None without.
    """
    unit = os.path.join(TOP, "test", "unit")
    if process.run(["make", "-s", "-C", unit,
                    "test_inside_blind"]).status != 0:
        return None
    # where its device files are found
    done = process.run([os.path.join(unit, "test_inside_blind")], cwd=unit)
    return [tuple(map(int, found)) for found in _PROBED.findall(
        done.out + done.err)]


def against_recorded() -> Tuple[bool, str]:
    """Is no pair worse than recorded?  And the differences."""
    done = process.run([_program("ssdsim-sessions"), "--against", RECORDED])
    return done.status == 0, done.out.strip()
