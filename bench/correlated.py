"""./run bench correlated: 20 queries on data that is not uniform.

Without ssdpar and with it.  bench/correlated/fill.sql describes the data. All
runs of a query must return the same rows.
"""

from __future__ import annotations

from lib import cli, made_off_on
from lib.made import CORRELATED

SCENARIO = "five keys in a fifth of TPC-H's fact, without ssdpar and with it"


if __name__ == "__main__":
    cli.main(lambda arguments: made_off_on.run(CORRELATED, arguments))
