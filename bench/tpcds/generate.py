"""TPC-DS by the Python module duckdb: its data, its queries.

Usage: generate.py make FILE SCALE    the tables, in a new database file
       generate.py table FILE NAME    one of them as CSV, to standard output
       generate.py queries            a JSON object, number to text

A separate program, because only this one needs the module's directory in
PYTHONPATH.
"""

import json
import sys

import duckdb


def _connect(file: str = ":memory:") -> "duckdb.DuckDBPyConnection":
    connection = duckdb.connect(file)
    connection.execute("SET threads = 2")
    connection.execute("LOAD tpcds")
    return connection


def main() -> None:
    what, *rest = sys.argv[1:]
    if what == "make":
        _connect(rest[0]).execute(f"CALL dsdgen(sf = {float(rest[1])})")
    elif what == "table":
        _connect(rest[0]).execute(
            f"COPY {rest[1]} TO '/dev/stdout' (FORMAT csv, HEADER false)")
    elif what == "queries":
        found = _connect().execute("SELECT query_nr, query FROM "
                                   "tpcds_queries()").fetchall()
        json.dump(dict(found), sys.stdout)
    else:
        sys.exit(f"generate.py: '{what}' is nothing to generate")


if __name__ == "__main__":
    main()
