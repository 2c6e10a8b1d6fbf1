"""The samples of part endurance: one line of CSV each, in the journal's
folder."""

from __future__ import annotations

import os
from typing import List, NamedTuple, Optional, Sequence

from unit import Sample
from lib.errors import UserError
from lines import append, whole

_HEADER = "server,seed,unit,seconds,thing,value\n"


class Row(NamedTuple):
    server: int         # major version
    seed: int           # of the run
    unit: int
    seconds: float      # since the unit began
    thing: str
    value: int


def _parse(line: str) -> Optional[Row]:
    try:
        server, seed, unit, seconds, thing, value = line.split(",")
        return Row(int(server), int(seed), int(unit), float(seconds), thing,
                   int(value))
    except ValueError:
        return None


def read(path: str) -> List[Row]:
    """In the order in which they were taken, without a truncated line."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line for line in file if line.endswith("\n")]
    rows = []
    for number, line in enumerate(lines[1:], 2):
        row = _parse(line)
        if row is None:
            raise UserError(f"line {number} of {path} is no sample. Remove "
                            "that line, then run again.")
        rows.append(row)
    return rows


def keep(path: str, server: int, seed: int, unit: int,
         samples: Sequence[Sample]) -> None:
    """Writes all of a unit's or none."""
    if not samples:
        return
    with open(path, "ab+", buffering=0) as file:
        file.seek(0)
        end = whole(file.read())
        text = "".join(f"{server},{seed},{unit},{sample.seconds},"
                       f"{sample.thing},{sample.value}\n"
                       for sample in samples)
        append(file, end, ((_HEADER if end == 0 else "") + text).encode())
