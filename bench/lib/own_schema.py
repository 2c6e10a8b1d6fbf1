"""Tables of a scenario's own: a schema beside SSB's, made once.

What it holds is said in its comment, written last: a schema without it, or
with another one, is made anew.
"""

from __future__ import annotations

import contextlib
import shutil
from typing import Iterator

from .errors import UserError
from .server import Server


def is_made(server: Server, schema: str, stamp: str) -> bool:
    """Whether the schema is there and holds just that."""
    found = server.sql("SELECT obj_description(oid, 'pg_namespace') FROM "
                       f"pg_namespace WHERE nspname = '{schema}'")
    return found == stamp


def check_space(server: Server, what: str, need: float) -> None:
    """Refuse tables that cannot fit, before the first is filled."""
    free = shutil.disk_usage(server.scratch.path).free
    if free < need:
        raise UserError(
            f"{what} needs about {need / 1e9:.1f} GB in "
            f"{server.scratch.path}, and {free / 1e9:.1f} GB are free there. "
            "Free some, take a smaller --scale, or set SSDPAR_SCRATCH to a "
            "larger disk.")


@contextlib.contextmanager
def made(server: Server, schema: str, stamp: str) -> Iterator[None]:
    """Drop what is there; the body makes the schema and fills it."""
    server.sql("SET client_min_messages = warning;"
               f"DROP SCHEMA IF EXISTS {schema} CASCADE;")
    yield
    server.sql("VACUUM (FREEZE, ANALYZE);")
    server.sql(f"COMMENT ON SCHEMA {schema} IS '{stamp}';")
    server.sql("CHECKPOINT;")
