#!/usr/bin/env python3
"""Is the chosen join order as good as the best of random ones?

Generates four facts and three dimensions from a seed: sales, returns of these,
sales of another channel by customers who buy the same things again, inventory;
a calendar of 200 years, customers, items.  Five queries on one to three facts
are run as planned, and in random connected left-deep orders
(join_collapse_limit = 1), each cold, so it needs root to drop the page cache.
Prints seconds, and how far the chosen order is from the best.

With --count it needs no quiet machine: instead of seconds it prints visited
blocks and a hundredth of the rows that nodes produced or removed.

Needs PGHOST, PGPORT and PGUSER for psql, and a calibrated tablespace.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from random import Random
from typing import Dict, List, Optional, Tuple

_TABLES = """
DROP TABLE IF EXISTS sales, returned, web, stock, day, cust, item;
SELECT setseed({seed});
CREATE TABLE day (day int PRIMARY KEY, d date, yr int);
CREATE TABLE cust (cust int PRIMARY KEY, state int, pad char(100));
CREATE TABLE item (item int PRIMARY KEY, kind int, pad char(100));
INSERT INTO day SELECT i, date '1998-01-01' + i, 1998 + i / 365
  FROM generate_series(1, 73049) i;
INSERT INTO cust SELECT i, i % 40, '' FROM generate_series(1, 100000) i;
INSERT INTO item SELECT i, i % 50, '' FROM generate_series(1, 20000) i;
CREATE TABLE sales AS SELECT i AS ticket, 1 + (random() * 1824)::int AS day,
  1 + (19999 * random() ^ 2)::int AS item,
  1 + (99999 * random() ^ 2)::int AS cust, (random() * 100)::int AS qty,
  ''::char(60) AS pad FROM generate_series(1, {rows}) i;
CREATE TABLE returned AS SELECT ticket, least(day + (random() * 60)::int, 1825)
  AS day, item, cust, qty, pad FROM sales WHERE random() < 0.1;
CREATE TABLE web AS
  SELECT least(day + (random() * 300)::int, 1825) AS day, item, cust,
    (random() * 5)::int AS wh, qty AS cost, pad
    FROM sales WHERE random() < 0.1
  UNION ALL
  SELECT 1 + (random() * 1824)::int, 1 + (19999 * random() ^ 2)::int,
    1 + (99999 * random() ^ 2)::int, (random() * 5)::int,
    (random() * 100)::int, '' FROM generate_series(1, {rows} / 4);
CREATE TABLE stock AS SELECT 1 + i % 260 * 7 AS day, 1 + i / 260 AS item,
  (random() * 100)::int AS on_hand FROM generate_series(0, 260 * 5000 - 1) i;
CREATE INDEX ON sales (day); CREATE INDEX ON sales (item);
CREATE INDEX ON sales (cust); CREATE INDEX ON sales (ticket);
CREATE INDEX ON returned (day); CREATE INDEX ON returned (item);
CREATE INDEX ON returned (cust); CREATE INDEX ON returned (ticket);
CREATE INDEX ON web (day); CREATE INDEX ON web (item);
CREATE INDEX ON web (cust);
CREATE INDEX ON stock (day); CREATE INDEX ON stock (item);
VACUUM ANALYZE sales, returned, web, stock, day, cust, item;
"""

# Tables by alias; conditions between aliases; filters.
_QUERIES: Dict[str, Tuple[Dict[str, str], List[str], List[str]]] = {
    "sales and web, one customer and item": (
        {"s": "sales", "w": "web", "d1": "day", "c": "cust"},
        ["s.day = d1.day", "s.cust = w.cust", "s.item = w.item",
         "s.cust = c.cust"], ["d1.yr = 2000"]),
    "the same with inventory": (
        {"s": "sales", "w": "web", "k": "stock", "d1": "day", "d3": "day",
         "c": "cust"},
        ["s.day = d1.day", "s.cust = w.cust", "s.item = w.item",
         "k.item = s.item", "k.day = d3.day", "s.cust = c.cust"],
        ["d1.yr = 2000", "d3.d BETWEEN '2000-03-01' AND '2000-03-20'",
         "c.state < 10"]),
    "sales, returns, web": (
        {"s": "sales", "r": "returned", "w": "web", "d1": "day", "d2": "day",
         "i": "item"},
        ["s.day = d1.day", "s.ticket = r.ticket", "s.item = r.item",
         "r.day = d2.day", "w.cust = r.cust", "w.item = r.item",
         "s.item = i.item"],
        ["d1.d BETWEEN '2000-04-01' AND '2000-04-30'",
         "d2.d BETWEEN '2000-04-01' AND '2000-10-31'"]),
    "sales and returns": (
        {"s": "sales", "r": "returned", "d1": "day", "c": "cust", "i": "item"},
        ["s.day = d1.day", "s.ticket = r.ticket", "s.item = r.item",
         "s.cust = c.cust", "s.item = i.item"],
        ["d1.yr = 2001", "c.state = 7"]),
    "one fact": (
        {"s": "sales", "d1": "day", "c": "cust", "i": "item"},
        ["s.day = d1.day", "s.cust = c.cust", "s.item = i.item"],
        ["d1.yr = 2002", "i.kind < 5", "c.state = 3"]),
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", maxsplit=1)[0])
    add = parser.add_argument
    add("--database", default="postgres")
    add("--seed", type=int, default=1)
    add("--rows", type=int, default=4000000, help="of sales")
    add("--orders", type=int, default=20, help="random ones a query")
    add("--timeout", type=int, default=20, help="seconds a run")
    add("--make", action="store_true", help="make the tables before")
    add("--set", action="append", default=[], metavar="NAME=VALUE")
    add("--count", action="store_true", help="count work, measure no time")
    add("--explain", action="store_true", help="only show the chosen plans")
    return parser.parse_args()


def _psql(options: argparse.Namespace, text: str) -> str:
    run = subprocess.run(
        ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", options.database],
        input=text, capture_output=True, text=True, check=False)
    if run.returncode and "statement timeout" not in run.stderr:
        raise RuntimeError(run.stderr)
    return run.stdout if not run.returncode else ""


def _columns(tables: Dict[str, str]) -> str:
    return ", ".join(["count(*)"] + [
        f"min({alias}.{'cust' if table in ('sales', 'web') else 'day'})"
        for alias, table in tables.items() if table in ("sales", "web")])


def _chosen(query) -> str:
    tables, joins, filters = query
    return (f"SELECT {_columns(tables)} FROM "
            + ", ".join(f"{t} {a}" for a, t in tables.items())
            + " WHERE " + " AND ".join(joins + filters))


def _ordered(query, random: Random) -> str:
    """The tables in a random order in which each joins an earlier one."""
    tables, joins, filters = query
    sides = [tuple(part.split(".")[0] for part in join.split(" = "))
             for join in joins]
    first = random.choice(sorted(tables))
    have, text, left = {first}, f"{tables[first]} {first}", set(tables)
    left.discard(first)
    while left:
        near = sorted(a for a in left if any(
            a in side and have & set(side) - {a} for side in sides))
        new = random.choice(near)
        on = [join for join, side in zip(joins, sides)
              if new in side and set(side) <= have | {new}]
        text += f" JOIN {tables[new]} {new} ON " + " AND ".join(on)
        have.add(new)
        left.discard(new)
    return (f"SELECT {_columns(tables)} FROM {text} WHERE "
            + " AND ".join(filters))


def _run(options: argparse.Namespace, query: str, collapse: bool
         ) -> Optional[float]:
    """Seconds; None if it took longer than the timeout."""
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3\n")
    settings = "".join(f"SET {one};" for one in options.set)
    if not collapse:
        settings += "SET join_collapse_limit = 1;"
    out = _psql(options, f"{settings} SET statement_timeout = "
                f"'{options.timeout}s'; SET jit = off; "
                "SELECT clock_timestamp() \\gset t_\n"
                f"{query};\n"
                "SELECT extract(epoch FROM clock_timestamp() - "
                ":'t_clock_timestamp');")
    return float(out.split("\n")[-2]) if out else None


def _rows(node: Dict) -> float:
    """Rows that all nodes have produced or removed, in all of their loops."""
    rows = sum(float(node.get(name, 0)) for name in (
        "Actual Rows", "Rows Removed by Filter",
        "Rows Removed by Join Filter", "Rows Removed by Index Recheck"))
    return rows * node["Actual Loops"] + sum(
        _rows(child) for child in node.get("Plans", []))


def _count(options: argparse.Namespace, query: str, collapse: bool
           ) -> Optional[float]:
    """Work; None if it took longer than the timeout."""
    settings = "".join(f"SET {one};" for one in options.set)
    if not collapse:
        settings += "SET join_collapse_limit = 1;"
    out = _psql(options, f"{settings} SET statement_timeout = "
                f"'{options.timeout}s'; SET jit = off; EXPLAIN (ANALYZE, "
                f"BUFFERS, TIMING OFF, FORMAT JSON) {query}")
    if not out:
        return None
    plan = json.loads(out)[0]["Plan"]
    return (plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
            + plan["Temp Read Blocks"] + plan["Temp Written Blocks"]
            + _rows(plan) / 100.0)


def _show(seconds: Optional[float], options: argparse.Namespace) -> str:
    return f"over {options.timeout}" if seconds is None else f"{seconds:.2f}"


def main() -> int:
    options = _arguments()
    random = Random(options.seed)
    within = 0
    if options.make:
        _psql(options, _TABLES.format(seed=options.seed % 1000 / 1000,
                                      rows=options.rows))
    for name, query in _QUERIES.items():
        orders = [_ordered(query, random) for _ in range(options.orders)]
        if options.explain:
            settings = "".join(f"SET {one};" for one in options.set)
            print(name, _psql(options, settings + "SET jit = off; EXPLAIN "
                              + _chosen(query)), sep="\n")
            continue
        run = _count if options.count else _run
        chosen = [run(options, _chosen(query), True)
                  for _ in range(1 if options.count else 2)]
        mine = min((one for one in chosen if one is not None), default=None)
        times = sorted((run(options, order, False) or float("inf"))
                       for order in orders)
        least, most = times[0], times[-1]
        good = mine is not None and mine <= 1.3 * least
        within += good
        print(f"{name}: chosen {_show(mine, options)}, random least "
              f"{least:.2f}, median {statistics.median(times):.2f}, most "
              f"{most:.2f}: {'within' if good else 'NOT within'} 1.3",
              flush=True)
    if not options.explain:
        print(f"{within} of {len(_QUERIES)} within 1.3 of the best")
    return 0


if __name__ == "__main__":
    sys.exit(main())
