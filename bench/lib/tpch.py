"""TPC-H: its data in a schema of the scratch server, and its queries.

The data comes from tpchgen-cli (PyPI), whose output is that of the council's
own generator.  It is installed into the scratch directory and writes into
COPY, without any files.  Tables and queries are in bench/tpch; the queries'
parameters are the specification's for validation.
"""

from __future__ import annotations

import os
import shutil
from typing import Optional, Tuple

from . import from_pypi, legs, own_schema, process
from .build import TOP
from .progress import Progress
from .server import Server

SCHEMA = "tpch"
GENERATOR, VERSION = "tpchgen-cli", "4.0.0"
QUERIES: Tuple[str, ...] = tuple(f"q{number}" for number in range(1, 23))
SESSION = {"search_path": SCHEMA}       # their tables' names are unqualified

_PLACE = os.path.join(TOP, "bench", "tpch")
_FORMAT = 1                             # of the tables' definition
_TABLES = ("region", "nation", "supplier", "customer", "part", "partsupp",
           "orders", "lineitem")
_BYTES_PER_SCALE = 2.4e9                # tables, indexes, room to build them
_FRACTION = "{fraction}"                # Q11's, which depends on the scale


def statement(query: str, scale: float) -> str:
    """A query's text at a scale."""
    text = legs.query_text(legs.query_path(os.path.join(_PLACE, "queries"),
                                           query))
    return text.replace(_FRACTION, f"{0.0001 / scale:.10f}")


def _is_ours(program: str) -> bool:
    result = process.run([program, "--version"])
    return result.status == 0 and result.out.split()[-1:] == [VERSION]


def _generator(server: Server, progress: Progress) -> str:
    """The generator's path; installed if it is missing."""
    found: Optional[str] = shutil.which(GENERATOR)
    if found is not None and _is_ours(found):
        return found
    place = os.path.join(server.scratch.path, "tpchgen")
    program = os.path.join(place, "bin", GENERATOR)
    if not os.access(program, os.X_OK) or not _is_ours(program):
        with progress.step(f"installing {GENERATOR} {VERSION} (pip)"):
            from_pypi.install(place, GENERATOR, VERSION, "TPC-H's data")
    return program


def _fill(server: Server, generator: str, table: str, scale: float) -> None:
    """Emptied and copied in one transaction: nothing is logged, all is frozen.
    """
    process.pipe(
        [generator, "csv", "--scale-factor", f"{scale:g}", "--tables", table,
         "--stdout", "--quiet"],
        server.psql_command() +
        ["-q", "-v", "ON_ERROR_STOP=1", "-1",
         "-c", f"TRUNCATE {SCHEMA}.{table}",
         "-c", f"COPY {SCHEMA}.{table} FROM STDIN "
         "(FORMAT csv, HEADER, FREEZE)"],
        f"loading TPC-H's table {table}")


def ensure_tables(server: Server, scale: float, progress: Progress) -> None:
    """Loads them at this scale unless they exist."""
    stamp = f"version {_FORMAT} {GENERATOR} {VERSION} scale {scale:g}"
    if own_schema.is_made(server, SCHEMA, stamp):
        progress.say(f"TPC-H scale {scale:g} is loaded already")
        return
    what = f"TPC-H scale {scale:g}"
    own_schema.check_space(server, what, _BYTES_PER_SCALE * scale)
    generator = _generator(server, progress)
    with own_schema.made(server, SCHEMA, stamp):
        server.sql_file(os.path.join(_PLACE, "schema.sql"))
        for table in _TABLES:
            with progress.step(f"loading {what}: {table}"):
                _fill(server, generator, table, scale)
        with progress.step("building indexes, checking foreign keys"):
            server.sql_file(os.path.join(_PLACE, "indexes.sql"))
        progress.say("VACUUM (FREEZE, ANALYZE), CHECKPOINT")
