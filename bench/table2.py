"""./run bench table2: Table II of Chen et al. (2016), reads and writes.

Section 6.2 there: one reader and one writer of 4 kB, each with one request
outstanding, alone and together, with the sum of both transfers.
"""

from __future__ import annotations

from typing import List, Optional, Sequence

from lib import cli, micro, report
from lib.device import AnyDevice
from lib.fio import Job
from lib.micro import Point
from lib.progress import Progress

SCENARIO = "reads and writes, alone and together"

READS = {"read": "sequential read", "randread": "random read"}
WRITES = {"write": "sequential write", "randwrite": "random write"}


def _points(_device: Optional[AnyDevice], _progress: Progress
            ) -> List[Point]:
    alone = [Point(pattern, (Job(pattern, 4),))
             for pattern in (*READS, *WRITES)]
    return alone + [Point(f"{read}+{write}", (Job(read, 4), Job(write, 4)))
                    for read in READS for write in WRITES]


def _show(found: micro.Found) -> str:
    rows = [[text] + [found[f"{read}+{write}"].text() for write in WRITES] +
            [found[read].text()] for read, text in READS.items()]
    rows.append(["none"] + [found[write].text() for write in WRITES] + [""])
    return report.table(["MB/s", *WRITES.values(), "none"], rows)


def table2(arguments: Sequence[str]) -> int:
    return micro.measure("table2", __doc__, "Table II, 4 kB at depth 1",
                         _points, _show, arguments)


if __name__ == "__main__":
    cli.main(table2)
