#!/usr/bin/env python3
"""How far row counts of random star queries are from the truth.

Needs a server on a UNIX socket that trusts a superuser, with ssdpar in
shared_preload_libraries, and creates a database there.  Everything depends on
the seed.  Facts cover a part of a calendar, at either end of it or in between,
or some of a dimension's keys; their keys are uniform or skewed, some are NULL,
and some are missing in the dimension.  Filters select by attributes of the
dimensions, by ranges of their keys inside, outside and across the fact's, or
by lists.

For each query, the estimates of star scans that replace joins, and of all
joins with the fact, are compared with the actual rows; the query's error is
the factor of the worst of them.  Fewer than LEAST rows count as LEAST. Prints
the share of queries within a factor of two, and quantiles; the same for core's
joins.  The exit code is 1 if fewer than --least-share percent are within a
factor of two.
"""

from __future__ import annotations

import argparse
import bisect
import json
import os
import sys
from random import Random
from typing import Dict, List, Optional

from session import Session

_DEVICE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir,
                       "invent_device.sql")
# Slow, so that the fact's scan takes long compared with planning.
_PROFILE = "SELECT invent_device('depth * 200 * 8192 / size', 128, 5e-6)"
LEAST = 10.0
_CALENDAR_DAYS = 20000


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", maxsplit=1)[0])
    add = parser.add_argument
    add("--socket", required=True, help="directory of the server's socket")
    add("--port", type=int, default=5432)
    add("--user", default="postgres")
    add("--seed", type=int, default=1)
    add("--queries", type=int, default=500)
    add("--schema-queries", type=int, default=25,
        help="queries before the tables are made again")
    add("--rows", type=int, default=40000, help="of the fact")
    add("--set", action="append", default=[], metavar="NAME=VALUE",
        help="a setting for all queries")
    add("--least-share", type=float, default=95.0)
    add("--show", type=int, default=0, metavar="N",
        help="print the N worst queries")
    return parser.parse_args()


class Dimension:
    """A dimension, and how the fact refers to it."""

    def __init__(self, random: Random, number: int):
        self.name = f"d{number}"
        self.is_calendar = number == 0
        self.size = _CALENDAR_DAYS if self.is_calendar else \
            random.choice([50, 300, 2000, 10000])
        self.attributes = [random.choice([3, 12, 40]) for _ in range(2)]
        # the fact's keys: a range, of which only some are used
        width = random.choice([1.0, 0.3, 0.1])
        if self.is_calendar:
            width = random.choice([0.02, 0.05, 0.3])
        self.width = max(int(self.size * width), 10)
        self.first = random.choice(
            [1, self.size - self.width + 1,
             random.randint(1, self.size - self.width + 1)])
        self.step = random.choice([1, 1, 1, 7])
        self.skew = random.choice(["uniform", "square", "zipf"])
        self.nulls = random.choice([0, 0, 0.1, 0.5])
        self.strays = random.choice([0, 0, 0, 0.05])

    def make(self) -> str:
        """Attributes: one that follows the key's order, two that do not."""
        one, two = self.attributes
        return (
            f"CREATE TABLE {self.name} (k int PRIMARY KEY, p int, a int, "
            f"b int, pad text);"
            f"INSERT INTO {self.name} SELECT i, i * 10 / {self.size}, "
            f"i % {one}, hashint4(i) & 2147483647 % {two}, 'x' "
            f"FROM generate_series(1, {self.size}) i;")

    def fact_key(self) -> str:
        """The fact's column, an expression of random()."""
        place = {"uniform": "random()", "square": "random() ^ 2",
                 # 1 / x, between 1 and the width
                 "zipf": f"({self.width} ^ random() - 1) / {self.width}"
                 }[self.skew]
        key = (f"{self.first} + (({self.width} - 1) * {place})::int "
               f"/ {self.step} * {self.step}")
        if self.strays:
            key = (f"CASE WHEN random() < {self.strays} THEN {self.size} + 1 "
                   f"+ (random() * {self.size})::int ELSE {key} END")
        if self.nulls:
            key = f"CASE WHEN random() >= {self.nulls} THEN {key} END"
        return key

    def filter(self, random: Random) -> Optional[str]:
        """A filter that selects some of its rows, or None."""
        d = self.name
        low = random.randint(max(self.first - self.width, 1),
                             self.first + self.width)
        width = max(int(self.width * random.choice([0.05, 0.3, 1.5])), 3)
        kinds = [
            f"{d}.k BETWEEN {low} AND {low + width}",
            f"{d}.k >= {low}",
            f"{d}.k < {low}",
            f"{d}.a = {random.randrange(self.attributes[0])}",
            f"{d}.b = {random.randrange(self.attributes[1])}",
            f"{d}.p = {self._part(random)}",
            f"{d}.a IN (0, {random.randrange(self.attributes[0])}) "
            f"AND {d}.k >= {low}",
            f"{d}.p = {self._part(random)} AND {d}.a <> 1",
        ]
        return random.choice(kinds)

    def _part(self, random: Random) -> int:
        """Usually one for which the fact has rows."""
        key = random.randint(self.first, self.first + self.width - 1)
        return random.randrange(10) if random.random() < 0.2 else \
            key * 10 // self.size


class Schema:
    def __init__(self, random: Random, rows: int):
        self.dimensions = [Dimension(random, i) for i in range(3)]
        self.rows = rows

    def make(self, seed: int) -> str:
        keys = ", ".join(f"{d.fact_key()} AS f{i}"
                         for i, d in enumerate(self.dimensions))
        names = ", ".join(d.name for d in self.dimensions)
        return (f"DROP TABLE IF EXISTS fact, {names};"
                + "".join(d.make() for d in self.dimensions) +
                f"SELECT setseed({(seed % 1000) / 1000.0});"
                f"CREATE TABLE fact AS SELECT i AS id, {keys}, "
                f"(random() * 100)::int AS own, repeat('x', 40) AS pad "
                f"FROM generate_series(1, {self.rows}) i;"
                f"ANALYZE fact, {names};")

    def query(self, random: Random) -> str:
        """A sum over the fact joined with one to three dimensions."""
        numbers = random.sample(range(3), random.choice([1, 1, 2, 3]))
        dimensions = [self.dimensions[i] for i in numbers]
        tables = ["fact f"] + [d.name for d in dimensions]
        random.shuffle(tables)
        conditions = [f"f.f{i} = d{i}.k" for i in numbers]
        conditions += [d.filter(random) for d in dimensions]
        if random.random() < 0.3:
            conditions.append(f"f.own < {random.randrange(10, 100)}")
        columns = ", ".join(f"min({d.name}.a)" for d in dimensions)
        return (f"SELECT count(*), {columns} FROM {', '.join(tables)} "
                "WHERE "
                + " AND ".join(conditions))


def _errors(node: Dict, errors: List[float]) -> bool:
    """Adds the errors of joins with the fact; does node read the fact?"""
    kind = node["Node Type"]
    reads_fact = node.get("Relation Name") == "fact"
    reducers = node.get("Reducers", [])
    below = [_errors(child, errors) for child in node.get("Plans", [])
             if child.get("Relation Name") != "fact" or not reducers]
    reads_fact |= any(below)
    stands_for_join = any(one.get("Joined") for one in reducers)
    is_join = "Join" in kind or kind == "Nested Loop" or \
        node.get("Custom Plan Provider") == "SsdparIndexJoin"
    if reads_fact and (stands_for_join or is_join):
        planned = max(float(node["Plan Rows"]), LEAST)
        actual = max(float(node["Actual Rows"]) * node["Actual Loops"], LEAST)
        errors.append(max(planned / actual, actual / planned))
    return reads_fact


class Totals:
    """The errors of all queries' plans."""

    def __init__(self) -> None:
        self.errors: List[float] = []

    def tell(self, name: str) -> float:
        errors = sorted(self.errors)
        n = len(errors)
        share = 100.0 * bisect.bisect_right(errors, 2.0) / max(n, 1)
        at = [errors[min(int(n * q), n - 1)] for q in (0.5, 0.95, 0.99)] \
            if n else [0.0] * 3
        print(f"{name}: {n} queries, {share:.1f} % within a factor of 2; "
              f"median {at[0]:.2f}, 95 % {at[1]:.1f}, 99 % {at[2]:.1f}, "
              f"worst {errors[-1] if n else 0:.1f}")
        return share


def _explain(session: Session, query: str) -> Dict:
    text = "\n".join(session.must(
        "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) " + query).text())
    return json.loads(text)[0]["Plan"]


class Run:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.random = Random(options.seed)
        self.database = f"star_rows_{os.getpid()}"
        self.ours = Totals()
        self.core = Totals()
        self.worst: List = []
        session = self._connect("postgres")
        session.must(f"CREATE DATABASE {self.database}")
        session.close()
        self.session = self._connect(self.database)
        self.session.must("CREATE EXTENSION ssdpar")
        with open(_DEVICE, encoding="utf-8") as file:
            self.session.must(file.read())
        self.session.must(_PROFILE)
        self.session.must(
            "SET max_parallel_workers_per_gather = 0; SET jit = off;"
            "SET ssdpar.cost_model_min_size = 0; SET ssdpar.residency = cold")
        for setting in options.set:
            self.session.must("SET " + setting)

    def _connect(self, database: str) -> Session:
        options = self.options
        return Session(options.socket, options.port, options.user, database)

    def _ask(self, query: str) -> None:
        session = self.session
        for enabled, totals in (("on", self.ours), ("off", self.core)):
            session.must(f"SET ssdpar.enabled = {enabled}")
            errors: List[float] = []
            _errors(_explain(session, query), errors)
            if errors:
                totals.errors.append(max(errors))
            if errors and enabled == "on":
                self.worst.append((max(errors), query))
        session.must("SET ssdpar.enabled = on")

    def all(self) -> None:
        schema = Schema(self.random, self.options.rows)
        for number in range(self.options.queries):
            if number % self.options.schema_queries == 0:
                schema = Schema(self.random, self.options.rows)
                self.session.must(schema.make(self.options.seed + number))
            self._ask(schema.query(self.random))

    def end(self) -> None:
        self.session.close()
        session = self._connect("postgres")
        session.must(f"DROP DATABASE {self.database}")
        session.close()


def main() -> int:
    options = _arguments()
    run = Run(options)
    try:
        run.all()
    finally:
        run.end()
    for error, query in sorted(run.worst, reverse=True)[:options.show]:
        print(f"{error:.1f}: {query}")
    share = run.ours.tell(f"ssdpar (seed {options.seed})")
    run.core.tell("core")
    return 0 if share >= options.least_share else 1


if __name__ == "__main__":
    sys.exit(main())
