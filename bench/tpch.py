"""./run bench tpch: TPC-H's 22 queries without ssdpar and with it.

Most of them are not star queries, so this shows how ssdpar's plans affect
queries that it was not made for.  The parameters are the specification's for
validation; the data is that of its generator.  Results are not comparable with
published TPC-H results, which are for complete audited systems and streams of
queries.

All runs of a query must return the same rows.
"""

from __future__ import annotations

from typing import Sequence

from lib import cli, load, off_on, scenario, session, tpch
from lib.progress import Progress

SCENARIO = "TPC-H's 22 queries without ssdpar and with it"


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench tpch", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=3.0)
    off_on.add_options(parser, tpch.QUERIES, "q1,q21")
    return scenario.parse(parser, "tpch", arguments)


def run_tpch(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: tpch.ensure_tables(
                    server, options.scale, steps),
                load.Nothing(), session.TPCH) as run:
            off_on.check_jit(run)
            run.file.add_facts({"tpch": {"scale": options.scale,
                                         "jit": options.jit,
                                         "setting": options.setting,
                                         "generator": tpch.GENERATOR,
                                         "version": tpch.VERSION}})
            done = scenario.measure(run, off_on.points(
                options, tpch.SESSION,
                {query: tpch.statement(query, options.scale)
                 for query in options.queries}))
    finally:
        progress.close()
    off_on.show(run, "TPC-H", done)
    scenario.check_rows(done)
    return 0


if __name__ == "__main__":
    cli.main(run_tpch)
