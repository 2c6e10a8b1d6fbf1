"""How a query is executed: plainly, by a cursor, prepared, in a function..."""

from __future__ import annotations

import re
from random import Random
from typing import Callable, Optional

from joins import Joins
from part import Part, Text
from queries import Queries
from schema import Schema
from wide import WideJoins, WideQueries


class Statement:
    """A query, the text that executes it, and the relevant part of its answer.
    """

    def __init__(self, query: Text, wrap: Callable[[str], str],
                 ordered: bool, rows: bool = True):
        self.query = query
        self.ordered = ordered
        self.rows = rows            # its last result is compared
        self._wrap = wrap
        self.plainly = False        # the reducer found it sufficient

    def __str__(self) -> str:
        query = str(self.query)
        return query + ";" if self.plainly else self._wrap(query)

    def part(self) -> Part:
        return self.query if isinstance(self.query, Part) \
            else Part(self.query)


_COMPARED = re.compile(r"\b[a-z]\d+\.[xgu] [=<>] (\d+)")


def _prepared(query: str) -> str:
    """With the first number that a column is compared with as a parameter."""
    found = _COMPARED.search(query)
    value = "3"
    if found:
        value = found.group(1)
        query = query[:found.start(1)] + "$1" + query[found.end(1):]
    types = " (int)" if found else ""
    values = "({})" if found else "{}"
    return ("SET LOCAL plan_cache_mode = force_generic_plan; "
            f"PREPARE q{types} AS {query}; "
            f"EXECUTE q {values.format('2') if found else ''}; "
            f"EXECUTE q {values.format(value) if found else ''};")


def _prepared_often(query: str) -> str:
    """So often that the server may choose a generic plan.

    Without parameters it has no other: the second execution uses the first
    one's plan.
    """
    found = _COMPARED.search(query)
    if not found:
        return f"PREPARE q AS {query}; EXECUTE q; EXECUTE q;"
    query = query[:found.start(1)] + "$1" + query[found.end(1):]
    return (f"PREPARE q (int) AS {query}; " + "".join(
        f"EXECUTE q ({value}); " for value in (1, 2, 3, 4, 1, 2)) +
        f"EXECUTE q ({found.group(1)});")


def _cursor(query: str) -> str:
    return (f"DECLARE c SCROLL CURSOR FOR {query}; FETCH 3 FROM c; "
            "FETCH BACKWARD 2 FROM c; MOVE FORWARD 5 FROM c; "
            "MOVE BACKWARD ALL FROM c; FETCH ALL FROM c;")


def _ends(query: str) -> str:
    return (f"DECLARE c SCROLL CURSOR FOR {query}; FETCH 3 FROM c; "
            "FETCH LAST FROM c; FETCH PRIOR FROM c; FETCH ABSOLUTE 2 FROM c;")


_GENERATORS = {(False, False): Queries, (True, False): Joins,
               (False, True): WideQueries, (True, True): WideJoins}


def random_statement(random: Random, schema: Schema, joins: bool = False,
                     wide: bool = False) -> Statement:
    """A star with other constructs, or a join of any tables."""
    generator = _GENERATORS[joins, wide](random, schema)
    if not joins and random.random() < 0.04:
        return Statement(generator.change(), lambda query: f"{query};", False)
    select = generator.select()
    columns = ", ".join(f"c{i}" for i in range(select.columns))
    wraps: list[tuple[int, Callable[[str], str], Optional[bool], bool]] = [
        (20, lambda query: f"{query};", select.ordered, True),
        (4, lambda query: f"SELECT r::text FROM ({query}) r ({columns});",
         False, True),
        (3, lambda query: f"SELECT run($q${query}$q$);", select.ordered,
         True),
        (3, _prepared, select.ordered, True),
        (3, _cursor, select.ordered, True),
        (1, _ends, select.ordered, select.ordered),
        (1, lambda query: f"SELECT run_to($q${query}$q$, 4);", False, True),
        (1, lambda query: f"EXPLAIN ANALYZE {query};", False, False),
        (1, lambda query: f"EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) {query};",
         False, False),
        (1, lambda query: "MERGE INTO target USING (SELECT count(*) % 40 AS n "
         f"FROM ({query}) q) s ON a = n WHEN MATCHED THEN UPDATE SET b = 1 "
         "WHEN NOT MATCHED THEN INSERT VALUES (n, 0); SELECT * FROM target;",
         False, True),
        (1, lambda query: f"CREATE TEMP TABLE made ({columns}) AS {query}; "
         "SELECT * FROM made;", False, True),
        (1, lambda query: "WITH gone AS (DELETE FROM target WHERE a < 20 AND "
         f"EXISTS ({query}) RETURNING a) UPDATE target SET b = b + 1 "
         "WHERE a > 20; SELECT * FROM target;", False, True),
        (1, lambda query: "UPDATE target SET b = b + 100 WHERE b < (SELECT "
         f"count(*) FROM ({query}) q); SELECT * FROM target;", False, True),
    ]
    if wide:
        wraps.append((2, _prepared_often, select.ordered, True))
    wrap = random.choices(wraps, [weight for weight, *_ in wraps])[0]
    before = generator.changes() if isinstance(generator, Joins) else None
    if before is None:
        return Statement(select.text, *wrap[1:])
    return Statement(select.text, lambda query: f"{before} {wrap[1](query)}",
                     *wrap[2:])
