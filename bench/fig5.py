"""./run bench fig5: Figure 5 of Chen et al. (2016), the effect of depth.

Section 6.1 there: bandwidth of sequential reads, random reads and writes by
request size and depth.  Small random reads gain most; deep random reads almost
reach sequential ones.
"""

from __future__ import annotations

from typing import List, Optional, Sequence

from lib import cli, micro, report
from lib.device import AnyDevice
from lib.fio import Job
from lib.micro import Point
from lib.progress import Progress

SCENARIO = "bandwidth by pattern, request size and depth"

PATTERNS = {"read": "sequential read", "randread": "random read",
            "write": "sequential write"}
SIZES = (4, 16, 64, 256)
DEPTHS = (1, 2, 4, 8, 16, 32)


def name(pattern: str, size: int, depth: int) -> str:
    return f"{pattern}-{size}-{depth}"


def _points(_device: Optional[AnyDevice], _progress: Progress
            ) -> List[Point]:
    return [Point(name(pattern, size, depth), (Job(pattern, size, depth),))
            for pattern in PATTERNS for size in SIZES for depth in DEPTHS]


def _show(found: micro.Found) -> str:
    rows = [[f"{text} {size} kB"] +
            [found[name(pattern, size, depth)].text() for depth in DEPTHS]
            for pattern, text in PATTERNS.items() for size in SIZES]
    gain = found[name("randread", 4, 32)].median / \
        found[name("randread", 4, 1)].median
    return report.table(["MB/s"] + [f"depth {n}" for n in DEPTHS], rows) + \
        (f"\n\n4 kB random reads: depth 32 is {gain:.1f} times faster than "
         "depth 1 (paper, SSD-S: 7.2)")


def fig5(arguments: Sequence[str]) -> int:
    return micro.measure("fig5", __doc__, "Figure 5", _points, _show,
                         arguments)


if __name__ == "__main__":
    cli.main(fig5)
