"""The frame of the microbenchmarks: no server, a file on the device, fio.

Points are measured once per round, in random order, and stored one by one, as
scenario.py does with legs.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import time
from dataclasses import dataclass
from typing import (Callable, Dict, Iterator, List, Optional, Sequence,
                    Tuple)

from . import cli, emulator, fio, packages, raw, readahead, report, results
from . import statistics
from .device import AnyDevice, Device
from .errors import UserError
from .progress import Progress
from .scenario import add_device_options, in_turn, parse, shuffled
from .scratch import Scratch
from .session import locked

POINTS = "points.csv"
COLUMNS = ("point", "job", "round", "pattern", "kilobytes", "depth",
           "streams", "buffered", "read_ahead_kb", "bytes_per_second",
           "device_bytes_read")
_ORDER_SEED = 5


@dataclass(frozen=True)
class Point:
    """Jobs that run together."""

    name: str
    jobs: Tuple[fio.Job, ...]
    buffered: bool = False
    read_ahead_kb: Optional[int] = None


def _options(name: str, text: Optional[str], arguments: Sequence[str]):
    """The options of every microbenchmark."""
    parser = cli.Parser(prog=f"./run bench {name}", description=text)
    parser.add_argument("--rounds", type=cli.count(1, 100), default=3,
                        help="measurements of each point (default 3)")
    parser.add_argument("--seconds", type=cli.count(1, 600), default=1,
                        help="duration of each (default 1)")
    parser.add_argument("--file-size", type=cli.count(64, 65536), metavar="MB",
                        default=1024, help="size of each of the three files "
                        "(default 1024)")
    add_device_options(parser)
    return parse(parser, name, arguments)


def _check_space(place: str, need: int) -> None:
    free = shutil.disk_usage(place).free
    if free < need:
        raise UserError(
            f"the files to measure on need {need / 1e9:.1f} GB in {place}, "
            f"and {free / 1e9:.1f} GB are free there. Free some, take a "
            "smaller --file-size, or set SSDPAR_SCRATCH to a larger disk.")


@contextlib.contextmanager
def _place(options, progress: Progress
           ) -> Iterator[Tuple[str, Optional[AnyDevice], str]]:
    """(directory with the files, its device, scratch directory)."""
    if not packages.have([packages.FIO], progress):
        raise UserError("microbenchmarks are made with fio, which is "
                        "missing. Install it: apt-get install fio")
    scratch = Scratch()
    with locked(scratch):
        place = os.path.join(scratch.path, "micro")
        emulator.unmount(place)
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
        try:
            need = fio.bytes_needed(options.file_size)
            _check_space(place, need)
            if options.device:
                emulator.check_bytes(need)
            fio.lay_files(place, options.file_size, progress)
            if options.device is None:
                yield place, Device.under(place), scratch.path
            else:
                with emulator.mounted_over(place, options.device,
                                           progress) as device:
                    yield place, device, scratch.path
        finally:
            shutil.rmtree(place, ignore_errors=True)


def _facts(options, device: Optional[AnyDevice]) -> dict:
    return {"scenario": options.name, "arguments": options.arguments,
            "ssdpar_commit": report.commit(), "kernel": platform.release(),
            "cores": os.cpu_count(), "order_seed": _ORDER_SEED,
            "file_size_mb": options.file_size, "seconds": options.seconds,
            "rounds": options.rounds,
            "device": device.facts() if device else None,
            "cache": "direct I/O past the page cache; buffered points "
            "invalidated before",
            "time": time.strftime("%Y-%m-%dT%H:%M:%S%z")}


def _rows(point: Point, round_: int, speeds: List[float],
          read: Optional[int], read_ahead: Optional[int]
          ) -> List[Dict[str, object]]:
    return [{"point": point.name, "job": number, "round": round_,
             "pattern": job.pattern, "kilobytes": job.kilobytes,
             "depth": job.depth, "streams": job.streams,
             "buffered": int(point.buffered), "read_ahead_kb": read_ahead,
             "bytes_per_second": f"{speed:.0f}", "device_bytes_read": read}
            for number, (job, speed) in enumerate(zip(point.jobs, speeds))]


def _one(options, where: tuple, point: Point, round_: int
         ) -> List[Dict[str, object]]:
    place, device, scratch = where
    with readahead.set_to(device, point.read_ahead_kb, scratch):
        before = device.bytes_read() if device else 0
        speeds = fio.measure(place, point.jobs, options.seconds,
                             options.file_size, point.buffered)
        read = device.bytes_read() - before if device else None
        return _rows(point, round_, speeds, read,
                     device.read_ahead_kb() if device else None)


def _have(rows: Sequence[raw.Row], points: Sequence[Point]) -> set:
    """Complete measurements: those with a row for each of their jobs."""
    jobs = {point.name: len(point.jobs) for point in points}
    counts: Dict[Tuple[str, int], set] = {}
    for row in rows:
        key = (row["point"], int(row["round"]))
        counts.setdefault(key, set()).add(row["job"])
    return {key for key, seen in counts.items()
            if len(seen) == jobs.get(key[0])}


PointsOf = Callable[[Optional[AnyDevice], Progress], List[Point]]


def _run(options, points_of: PointsOf, progress: Progress
         ) -> Tuple[List[raw.Row], results.Results]:
    """Measures the points of points_of(device); returns all rows, including
    resumed ones."""
    kept = results.Results(options.name, options.resume)
    with _place(options, progress) as where:
        points = points_of(where[1], progress)
        kept.add_facts(_facts(options, where[1]))
        file = kept.rows(POINTS, COLUMNS, progress)
        have = _have(file.rows, points)
        order = [entry for entry in shuffled(points, options.rounds,
                                             _ORDER_SEED)
                 if (entry[1].name, entry[0]) not in have]
        for round_, point in in_turn(
                progress, f"measuring {len(order)} points of "
                f"{options.seconds} s", order, options.rounds,
                lambda point: point.name):
            for row in _one(options, where, point, round_):
                file.add(row)
        kept.add_facts({"complete": True})
    return file.rows, kept


@dataclass(frozen=True)
class Speed:
    """Bytes per second of a point: median and interval of its rounds."""

    median: float
    interval: statistics.Interval
    wide: bool

    def text(self) -> str:
        return f"{'~' if self.wide else ''}{self.median / 1e6:.1f}"


def speeds(rows: Sequence[raw.Row]) -> Dict[str, Speed]:
    """Each point's speed, all its jobs together."""
    sums: Dict[str, Dict[Tuple[str, str], float]] = {}
    for row in rows:
        # A later row of the same measurement replaces an interrupted one.
        sums.setdefault(row["point"], {})[(row["round"], row["job"])] = \
            float(row["bytes_per_second"])
    result = {}
    for point, found in sums.items():
        rounds: Dict[str, float] = {}
        for (round_, _), value in found.items():
            rounds[round_] = rounds.get(round_, 0.0) + value
        values = list(rounds.values())
        result[point] = Speed(statistics.median(values),
                              statistics.bootstrap(values),
                              statistics.is_wide(values))
    return result


def _headline(kept: results.Results, what: str) -> str:
    facts = kept.facts
    device = facts["device"] or {"name": "unknown", "read_ahead_kb": None}
    return (f"{what}, {'emulated ' if device.get('emulated') else ''}device "
            f"{device['name']}: MB/s, medians of {facts['rounds']} rounds of "
            f"{facts['seconds']} s, direct I/O,\nread_ahead_kb "
            f"{device['read_ahead_kb']}, files of {facts['file_size_mb']} MB."
            " ~: 95 % interval of the median wider than 25 % of it.")


Found = Dict[str, Speed]


def measure(name: str, text: Optional[str], title: str, points_of: PointsOf,
            show: Callable[[Found], str], arguments: Sequence[str]) -> int:
    """A whole microbenchmark; show formats the speeds."""
    options = _options(name, text, arguments)
    progress = Progress()
    try:
        rows, kept = _run(options, points_of, progress)
    finally:
        progress.close()
    print(f"\n{_headline(kept, title)}\n\n{show(speeds(rows))}\n"
          f"Raw numbers: {kept.directory}", flush=True)
    return 0
