"""Raw numbers in a CSV file that survives a crash.

Every row is on the disk before the next measurement starts.  A last line that
a crash truncated is removed when the file is opened again; a file damaged in
any other way is refused and left as it is, because it may contain hours of
work.
"""

from __future__ import annotations

import csv
import io
import os
from typing import Dict, List, Optional, Sequence, Tuple

from .errors import UserError

Row = Dict[str, str]


def _parse(line: bytes) -> Optional[List[str]]:
    """A line's fields; None if it is not a line of a CSV file."""
    try:
        text = line.decode()
        rows = list(csv.reader(io.StringIO(text), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return None
    if len(rows) != 1 or "\0" in text:
        return None
    return rows[0]


def read(path: str) -> Tuple[List[str], List[Row], int]:
    """Columns, rows and the number of valid bytes of a file."""
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
    if not lines:
        return [], [], 0
    columns = _parse(lines[0]) or []
    rows: List[Row] = []
    size = len(lines[0])
    for number, line in enumerate(lines[1:], 2):
        fields = _parse(line)
        if fields is not None and len(fields) == len(columns):
            rows.append(dict(zip(columns, fields)))
            size += len(line)
        elif number < len(lines):
            raise UserError(
                f"line {number} of {path} is damaged, and not because the "
                "file was cut off. It is not touched: mend that line, or "
                "begin a new run without --resume.")
    return columns, rows, size


class RowFile:
    """Rows of one kind, appended and stored."""

    def __init__(self, path: str, columns: Sequence[str]) -> None:
        self.path = path
        self.columns = tuple(columns)
        self.rows: List[Row] = []
        self.cut = 0            # bytes of a truncated last line
        if os.path.exists(path):
            self._recover()
        else:
            self._append(columns)

    def _recover(self) -> None:
        columns, self.rows, size = read(self.path)
        if columns and tuple(columns) != self.columns:
            raise UserError(
                f"{self.path} has other columns than this version writes, "
                "so it cannot be continued. Begin a new run without "
                "--resume.")
        self.cut = os.path.getsize(self.path) - size
        if self.cut:
            os.truncate(self.path, size)
        if not columns:
            self._append(self.columns)

    def _append(self, fields: Sequence[object]) -> None:
        with open(self.path, "a", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(fields)
            file.flush()
            os.fsync(file.fileno())

    def add(self, row: Dict[str, object]) -> None:
        """Appends a row; missing columns are left empty."""
        fields = ["" if row.get(name) is None else row[name]
                  for name in self.columns]
        self._append(fields)
        self.rows.append({name: str(value)
                          for name, value in zip(self.columns, fields)})

    def latest(self, key: Sequence[str]) -> List[Row]:
        """The last one of the rows with equal values in these columns.

        A measurement interrupted between its rows is repeated.
        """
        return list({tuple(row[name] for name in key): row
                     for row in self.rows}.values())
