"""./run bench tpcds: TPC-DS's 99 queries without ssdpar and with it.

A snowflake of 24 tables with seven facts and a calendar of 200 years: what is
above a star there (WITH, ROLLUP, window functions, outer, semi and anti joins,
subqueries of all kinds) is most of the work.  Data and queries are those of
the generator's package.  Results are not comparable with published TPC-DS
results, which are of whole audited systems and of streams of queries.

Rows have to be the same in all runs of a query.  Many end with a LIMIT in an
order that leaves ties: where rows differ and are as many as the limit, the
query is executed once more without it on both sides, and that is what has to
be the same.
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
    """What is to be compared, ties at a limit being no difference.

    Where they may be the difference, rows of all of the query take the place
    of a side's, in the server as it stands.
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
