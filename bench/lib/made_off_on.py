"""The scenario of a workload of made.py: off and on, as tpch and tpcds."""

from __future__ import annotations

from typing import Sequence

from . import cli, load, off_on, scenario
from .made import SEED, Made
from .progress import Progress


def run(made: Made, arguments: Sequence[str]) -> int:
    """All of ./run bench correlated and facts."""
    statements = made.queries()
    parser = cli.Parser(prog=f"./run bench {made.name}",
                        description=made.title)
    scenario.add_options(parser, rounds=3, scale=1.0)
    off_on.add_options(parser, list(statements),
                       ",".join(list(statements)[:2]))
    options = scenario.parse(parser, made.name, arguments)
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: made.ensure_tables(
                    server, options.scale, steps),
                load.Nothing(), f"-{made.name}") as found:
            off_on.check_jit(found)
            found.file.add_facts({made.name: {
                "scale": options.scale, "jit": options.jit,
                "setting": options.setting, "seed": SEED}})
            done = scenario.measure(found, off_on.points(
                options, made.session, statements))
    finally:
        progress.close()
    off_on.show(found, made.name, done)
    scenario.check_rows(done)
    return 0
