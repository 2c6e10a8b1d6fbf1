"""The device's maximum, measured in the same run as the legs.

A short sweep of four points by ssdpar-probe, or by fio in a tree without a
built probe.  Uses direct I/O on a separate file, so that no cache affects it.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import Dict, List, Optional, Tuple

from . import build, process
from .device import AnyDevice
from .errors import UserError
from .installation import Installation
from .progress import Progress

SECONDS = 8
# Longer measurements use a larger file, which a slow device has to write
# first.
_MB_PER_SECOND = 64
# (pattern, kB, depth): single and saturated, as the two plans read.
_POINTS = (("random", 8, 1), ("random", 8, 32),
           ("sequential", 256, 1), ("sequential", 256, 8))

Point = Tuple[str, int, int]


def _by_probe(where: Installation, directory: str, seconds: int
              ) -> Dict[Point, float]:
    result = where.run(
        [build.probe(where), "--json", "--sizes", "8,256",
         "--depths", "1,8,32", "--seconds", str(seconds),
         "--file-size", f"{seconds * _MB_PER_SECOND}MB", directory])
    if result.status != 0:
        raise UserError("measuring the device's ceiling with ssdpar-probe "
                        f"failed. It said:\n{result.last_words(4)}")
    return {(p["pattern"], p["request_size"] // 1024, p["queue_depth"]):
            p["bytes_per_second"] for p in json.loads(result.out)["points"]
            if p["operation"] == "read"}


def _fio_arguments(point: Point, path: str, seconds: int
                   ) -> List[str]:
    pattern, kilobytes, depth = point
    return ["fio", "--output-format=json", "--name=ceiling", "--direct=1",
            f"--filename={path}", f"--size={seconds * _MB_PER_SECOND}M",
            f"--rw={'randread' if pattern == 'random' else 'read'}",
            f"--bs={kilobytes}k", f"--iodepth={depth}", "--time_based",
            "--ioengine=libaio",
            f"--runtime={max(1, seconds // len(_POINTS))}"]


def _by_fio(_where: Installation, directory: str, seconds: int
           ) -> Dict[Point, float]:
    path = os.path.join(directory, "ceiling.fio")
    found = {}
    try:
        for point in _POINTS:
            result = process.check(
                _fio_arguments(point, path, seconds),
                "measuring the device's ceiling with fio")
            job = json.loads(result.out)["jobs"][0]
            found[point] = float(job["read"]["bw_bytes"])
    finally:
        if os.path.exists(path):
            os.unlink(path)
    return found


def _text(found: Dict[Point, float]) -> str:
    parts = []
    for pattern, kilobytes, depth in _POINTS:
        value = found.get((pattern, kilobytes, depth))
        if value is not None:
            parts.append(f"{pattern} {kilobytes} kB at depth {depth} "
                         f"{value / 1e6:.0f} MB/s")
    return ", ".join(parts)


def measure(where: Installation, directory: str,
            device: Optional[AnyDevice], seconds: int, progress: Progress
            ) -> dict:
    """The points, the tool that measured them, and a line of text."""
    if os.access(build.probe(where), os.X_OK):
        tool, measured = "ssdpar-probe", _by_probe
    elif shutil.which("fio") is not None:
        tool, measured = "fio", _by_fio
    else:
        raise UserError("a benchmark states the device's ceiling, and there "
                        "is neither ssdpar-probe nor fio to measure it. "
                        "Build the one (make) or install the other.")
    with progress.step(f"measuring the device's ceiling ({tool})"):
        found = measured(where, directory, seconds)
    return {"tool": tool, "text": _text(found),
            "read_ahead_kb": device.read_ahead_kb() if device else None,
            "bytes_per_second": {f"{pattern} {kilobytes} kB x{depth}": value
                                 for (pattern, kilobytes, depth), value
                                 in sorted(found.items())}}
