"""Two workloads that are not uniform, generated from a seed.

correlated has TPC-H's tables, of which a fifth goes to five keys of each
dimension under certain filters only.  facts has sales in stores and on the
web, returns and inventory, with customers who buy the same things again.
Tables and queries are in bench/correlated and bench/facts.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Dict

from . import own_schema
from .build import TOP
from .errors import UserError
from .progress import Progress
from .server import Server

SEED = 1
_FORMAT = 1                     # of the tables' definition
_QUERY = re.compile(r"^-- (\w+)$", re.MULTILINE)
# A number in [0, 1) from a row's number, the seed, and its index in the row.
_UNIFORM = """create function {schema}.u(stream int4, n int8) returns float8
language sql immutable parallel safe
return (hashint8extended(n, stream * 1000003::int8 + {seed})
        & 9007199254740991) / 9007199254740992.0::float8;
"""


@dataclass(frozen=True)
class Made:
    """A workload: its schema's name is its name."""

    name: str
    title: str
    tables: str                 # the directory of schema.sql and indexes.sql
    bytes_per_scale: float

    @property
    def session(self) -> Dict[str, str]:
        return {"search_path": self.name}

    def _text(self, place: str, file: str) -> str:
        with open(os.path.join(TOP, "bench", place, file)) as opened:
            return opened.read()

    def _sql(self, server: Server, file: str, scale: float) -> None:
        """Runs a file of another workload's tables in our schema."""
        place = self.name if file == "fill.sql" else self.tables
        text = self._text(place, file)
        for old, new in (("{seed}", str(SEED)), ("{scale}", f"{scale:g}"),
                         (f"create schema {self.tables};",
                          f"create schema {self.name};"),
                         (f"search_path = {self.tables};",
                          f"search_path = {self.name};")):
            text = text.replace(old, new)
        server.sql(text)

    def queries(self) -> Dict[str, str]:
        """Texts by name."""
        parts = _QUERY.split(self._text(self.name, "queries.sql"))[1:]
        return {name: text.strip().rstrip(";")
                for name, text in zip(parts[::2], parts[1::2])}

    def ensure_tables(self, server: Server, scale: float, progress: Progress
                      ) -> None:
        """Creates them at this scale unless they exist."""
        what = f"{self.name} scale {scale:g}"
        stamp = f"version {_FORMAT} seed {SEED} scale {scale:g}"
        if own_schema.is_made(server, self.name, stamp):
            progress.say(f"{what} is loaded already")
            return
        if scale < 0.01:
            raise UserError(f"{self.name} has too few rows at a scale below "
                            "0.01 to be what it is meant to be.")
        own_schema.check_space(server, what, self.bytes_per_scale * scale)
        with own_schema.made(server, self.name, stamp):
            self._sql(server, "schema.sql", scale)
            server.sql(_UNIFORM.format(schema=self.name, seed=SEED))
            with progress.step(f"filling {what}"):
                self._sql(server, "fill.sql", scale)
            with progress.step("building indexes, checking foreign keys"):
                self._sql(server, "indexes.sql", scale)
            progress.say("VACUUM (FREEZE, ANALYZE), CHECKPOINT")


CORRELATED = Made("correlated", "TPC-H with five keys of each dimension in a "
                  "fifth of the fact", "tpch", 2.6e9)
FACTS = Made("facts", "sales, returns, web sales and inventory", "facts",
             2.4e9)
WORKLOADS = {made.name: made for made in (CORRELATED, FACTS)}
