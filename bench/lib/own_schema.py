"""A scenario's own tables: a schema in SSB's database, created once.

Its comment, written last, describes its contents; a schema without it, or with
another one, is recreated.
"""

from __future__ import annotations

import contextlib
import shutil
from typing import Iterator

from .errors import UserError
from .server import Server


def is_made(server: Server, schema: str, stamp: str) -> bool:
    """Does the schema exist with exactly these contents?"""
    found = server.sql("SELECT obj_description(oid, 'pg_namespace') FROM "
                       f"pg_namespace WHERE nspname = '{schema}'")
    return found == stamp


def check_space(server: Server, what: str, need: float) -> None:
    """Refuses tables that cannot fit, before filling the first."""
    free = shutil.disk_usage(server.scratch.path).free
    if free < need:
        raise UserError(
            f"{what} needs about {need / 1e9:.1f} GB in "
            f"{server.scratch.path}, and {free / 1e9:.1f} GB are free there. "
            "Free some, take a smaller --scale, or set SSDPAR_SCRATCH to a "
            "larger disk.")


@contextlib.contextmanager
def made(server: Server, schema: str, stamp: str) -> Iterator[None]:
    """Drops an existing schema; the body creates and fills it."""
    server.sql("SET client_min_messages = warning;"
               f"DROP SCHEMA IF EXISTS {schema} CASCADE;")
    yield
    server.sql("VACUUM (FREEZE, ANALYZE);")
    server.sql(f"COMMENT ON SCHEMA {schema} IS '{stamp}';")
    server.sql("CHECKPOINT;")
