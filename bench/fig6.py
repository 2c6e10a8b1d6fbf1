"""./run bench fig6: Figure 6 of Chen et al. (2016), streams and read-ahead.

Section 6.3 there: 1 to 32 sequential readers, each in a separate part, with
direct I/O: a second stream disturbs the device's own read-ahead.  Also through
the page cache, like PostgreSQL (8 kB), where the kernel's read-ahead makes the
requests.
"""

from __future__ import annotations

from typing import List, Optional, Sequence

from lib import cli, micro, readahead, report
from lib.device import AnyDevice
from lib.fio import Job
from lib.micro import Point
from lib.progress import Progress

SCENARIO = "parallel sequential streams against read-ahead"

SIZES = (4, 16, 64, 256)
STREAMS = (1, 2, 4, 8, 16, 32)
READ_AHEAD = 128                # kB, the usual value


def _direct(size: int, streams: int) -> Point:
    return Point(f"direct-{size}-{streams}", (Job("read", size, 1, streams),))


def _buffered(kilobytes: int, streams: int) -> Point:
    return Point(f"buffered-{kilobytes}-{streams}",
                 (Job("read", 8, 1, streams),), True, kilobytes)


def _points(device: Optional[AnyDevice], progress: Progress) -> List[Point]:
    points = [_direct(size, streams) for size in SIZES
              for streams in STREAMS]
    found = device.read_ahead_kb() if device else None
    if found is None:
        progress.say("the device has no read_ahead_kb: only direct I/O is "
                     "measured")
        return points
    values = {found}
    if readahead.can_change(device):
        values.add(READ_AHEAD)
    elif found != READ_AHEAD:
        progress.say(f"only root can change read_ahead_kb: {READ_AHEAD} is "
                     "left out")
    return points + [_buffered(value, streams) for value in sorted(values)
                     for streams in STREAMS]


def _show(found: micro.Found) -> str:
    rows = [[f"direct, {size} kB"] +
            [found[f"direct-{size}-{n}"].text() for n in STREAMS]
            for size in SIZES]
    values = sorted({int(name.split("-")[1]) for name in found
                     if name.startswith("buffered")})
    rows += [[f"cached, 8 kB, read_ahead_kb {value}"] +
             [found[f"buffered-{value}-{n}"].text() for n in STREAMS]
             for value in values]
    head = ["MB/s"] + [f"{n} streams" if n > 1 else "1 stream"
                       for n in STREAMS]
    change = found["direct-4-2"].median / found["direct-4-1"].median - 1
    return report.table(head, rows) + \
        ("\n\n4 kB, direct: the second stream changes the sum by "
         f"{change:+.0%} (paper, SSD-S: -43%)")


def fig6(arguments: Sequence[str]) -> int:
    return micro.measure("fig6", __doc__, "Figure 6", _points, _show,
                         arguments)


if __name__ == "__main__":
    cli.main(fig6)
