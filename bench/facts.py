"""./run bench facts: 20 queries over data that is not uniform.

Without ssdpar and with it.  What is in the data is said in
bench/facts/fill.sql.  Rows have to be the same in all runs of a
query.
"""

from __future__ import annotations

from lib import cli, made_off_on
from lib.made import FACTS

SCENARIO = "sales, returns, web and inventory without ssdpar and with it"


if __name__ == "__main__":
    cli.main(lambda arguments: made_off_on.run(FACTS, arguments))
