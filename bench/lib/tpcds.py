"""TPC-DS: its data in a schema of the scratch server, and its queries.

Both come from the Python module duckdb (PyPI), whose extension tpcds has the
council's generator and the 99 queries, with the specification's validation
parameters.  It is installed into the scratch directory; no query's text is
stored here.  The tables' definition is in bench/tpcds.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Dict, List, Optional, Tuple

from . import from_pypi, own_schema, process
from .build import TOP
from .errors import UserError
from .progress import Progress
from .server import Server

SCHEMA = "tpcds"
GENERATOR, VERSION = "duckdb", "1.1.3"
QUERIES: Tuple[str, ...] = tuple(f"q{number}" for number in range(1, 100))
SESSION = {"search_path": SCHEMA}       # their tables' names are unqualified

_PLACE = os.path.join(TOP, "bench", "tpcds")
_PROGRAM = os.path.join(_PLACE, "generate.py")
_FORMAT = 1                             # of the tables' definition
_TABLES = (
    "call_center", "catalog_page", "catalog_returns", "catalog_sales",
    "customer", "customer_address", "customer_demographics", "date_dim",
    "household_demographics", "income_band", "inventory", "item", "promotion",
    "reason", "ship_mode", "store", "store_returns", "store_sales",
    "time_dim", "warehouse", "web_page", "web_returns", "web_sales",
    "web_site")
_BYTES_PER_SCALE = 4e9      # tables, indexes, and the generator's own file
# With ties in the order, the first rows are not a fixed set.
_LIMIT = re.compile(r"\s*\bLIMIT\s+(\d+)\s*\Z", re.IGNORECASE)


def limit(statement: str) -> Optional[int]:
    """The number of rows of its final LIMIT."""
    found = _LIMIT.search(statement)
    return int(found.group(1)) if found else None


def unlimited(statement: str) -> str:
    """The same without its final LIMIT."""
    return _LIMIT.sub("", statement)


def _command(server: Server, *arguments: str) -> List[str]:
    return ["env", f"PYTHONPATH={_module(server)}", sys.executable, _PROGRAM,
            *arguments]


def _module(server: Server) -> str:
    return os.path.join(server.scratch.path, f"{GENERATOR}-{VERSION}")


def ensure_generator(server: Server, progress: Progress) -> None:
    """The module in the scratch directory."""
    if not os.path.isdir(_module(server)):
        with progress.step(f"installing {GENERATOR} {VERSION} (pip)"):
            from_pypi.install(_module(server), GENERATOR, VERSION, "TPC-DS")


def _run(server: Server, *arguments: str) -> str:
    result = process.run(_command(server, *arguments))
    if result.status != 0:
        raise UserError(f"{GENERATOR} {VERSION}, which makes TPC-DS, failed. "
                        f"It said:\n{result.last_words(6)}")
    return result.out


def statements(server: Server) -> Dict[str, str]:
    """The queries' texts by their names."""
    return {f"q{number}": text.strip().rstrip(";").strip()
            for number, text in json.loads(_run(server, "queries")).items()}


def _fill(server: Server, file: str, table: str) -> None:
    """Emptied and copied in one transaction: nothing is logged, all is frozen.
    """
    process.pipe(
        _command(server, "table", file, table),
        server.psql_command() +
        ["-q", "-v", "ON_ERROR_STOP=1", "-1",
         "-c", f"TRUNCATE {SCHEMA}.{table}",
         "-c", f"COPY {SCHEMA}.{table} FROM STDIN (FORMAT csv, FREEZE)"],
        f"loading TPC-DS's table {table}")


def _load(server: Server, what: str, file: str, scale: float,
          progress: Progress) -> None:
    with progress.step(f"generating {what}"):
        _run(server, "make", file, f"{scale:g}")
    server.sql_file(os.path.join(_PLACE, "schema.sql"))
    for table in _TABLES:
        with progress.step(f"loading {what}: {table}"):
            _fill(server, file, table)
    with progress.step("building indexes"):
        server.sql_file(os.path.join(_PLACE, "indexes.sql"))
    progress.say("VACUUM (FREEZE, ANALYZE), CHECKPOINT")


def ensure_tables(server: Server, scale: float, progress: Progress) -> None:
    """Generator, and its tables at this scale, unless they exist."""
    ensure_generator(server, progress)
    stamp = f"version {_FORMAT} {GENERATOR} {VERSION} scale {scale:g}"
    what = f"TPC-DS scale {scale:g}"
    if own_schema.is_made(server, SCHEMA, stamp):
        progress.say(f"{what} is loaded already")
        return
    own_schema.check_space(server, what, _BYTES_PER_SCALE * scale)
    file = os.path.join(server.scratch.path, "tpcds.duckdb")
    try:
        with own_schema.made(server, SCHEMA, stamp):
            _load(server, what, file, scale, progress)
    finally:
        for path in (file, file + ".wal"):
            if os.path.exists(path):
                os.unlink(path)
