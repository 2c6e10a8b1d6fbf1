"""./run bench tpcds: TPC-DS's 99 queries without ssdpar and with it.

A snowflake of 24 tables with seven facts and a calendar of 200 years.  Most of
the work is above the stars (WITH, ROLLUP, window functions, outer, semi and
anti joins, subqueries of all kinds).  Data and queries are those of the
generator's package.  Results are not comparable with published TPC-DS results,
which are for complete audited systems and streams of queries.

All runs of a query must return the same rows.  Many queries end with a LIMIT
in an order with ties: if rows differ and their number is the limit, the query
is executed again without it on both sides, and those results must be the same.
"""

from __future__ import annotations

from typing import Dict, List, Sequence

from lib import cli, legs, load, off_on, scenario, session, tpcds
from lib.legs import Leg
from lib.progress import Progress
from lib.scenario import Point, Run

SCENARIO = "TPC-DS's 99 queries without ssdpar and with it"


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench tpcds", description=__doc__)
    scenario.add_options(parser, rounds=1, scale=2.0)
    off_on.add_options(parser, tpcds.QUERIES, "q3,q72")
    return scenario.parse(parser, "tpcds", arguments)


def _rows(run: Run, points: Sequence[Point], done: Sequence[Leg]
          ) -> List[Leg]:
    """The rows to be compared, ignoring ties at a limit.

    If ties may be the difference, the rows of the whole query replace those of
    a side, in the server as it is.
    """
    texts = {point.query: point.text() for point in points}
    ended = [leg for leg in done if not leg.timed_out]
    ties = [query for query in legs.differing(ended)
            if all(leg.rows == tpcds.limit(texts[query])
                   for leg in ended if leg.query == query)]
    again = [point for point in points if point.query in ties and
             any((leg.query, leg.variant) == (point.query, point.variant)
                 for leg in ended)]
    return [leg for leg in done if leg.query not in ties or leg.timed_out] + \
        [scenario.leg_as_it_is(run, point.query,
                               tpcds.unlimited(texts[point.query]),
                               point.variant, point.settings)
         for point in again]


def run_tpcds(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: tpcds.ensure_tables(
                    server, options.scale, steps),
                load.Nothing(), session.TPCDS) as run:
            off_on.check_jit(run)
            run.file.add_facts({"tpcds": {"scale": options.scale,
                                          "jit": options.jit,
                                          "setting": options.setting,
                                          "generator": tpcds.GENERATOR,
                                          "version": tpcds.VERSION}})
            statements: Dict[str, str] = tpcds.statements(run.server)
            points = off_on.points(options, tpcds.SESSION, statements)
            done = scenario.measure(run, points)
            rows = _rows(run, points, done)
    finally:
        progress.close()
    off_on.show(run, "TPC-DS", done)
    scenario.check_rows(rows)
    return 0


if __name__ == "__main__":
    cli.main(run_tpcds)
