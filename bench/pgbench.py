"""./run bench pgbench: throughput of statements that gain nothing.

TPC-B and select-only by the simple, extended and prepared protocols, from 1
and 8 clients: without the library, and with it preloaded and the device
calibrated, nothing of ssdpar's chosen.  Both run right after one another, who
is first in turns, each in a server that was started for it.  Ratios are those
of such pairs.

Data and server are this run's own and are removed at its end.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Dict, List, Sequence

from lib import cli, load, process, report, results, scenario, session
from lib import statistics, workloads
from lib.errors import UserError
from lib.progress import Progress
from lib.server import Server
from lib.statistics import Spread

SCENARIO = "pgbench without the library and with it preloaded"

# The script, and what else pgbench is to do.  TPC-B begins with its three
# small tables vacuumed, so that both sides find them alike.
SCRIPTS: Dict[str, List[str]] = {
    "tpcb": ["-b", "tpcb-like"], "select": ["-n", "-b", "select-only"]}
PROTOCOLS = ("simple", "extended", "prepared")
LIBRARIES = {"without": "", "with": "ssdpar"}
_TPS = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
_WARM = 2               # seconds of select-only, unmeasured


@dataclass(frozen=True, order=True)
class Cell:
    script: str
    protocol: str
    clients: int


@dataclass(frozen=True)
class Pair:
    """Transactions a second of one round."""

    cell: Cell
    round: int
    tps: Dict[str, float]       # by LIBRARIES

    @property
    def ratio(self) -> float:
        return self.tps["with"] / self.tps["without"]


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench pgbench", description=__doc__)
    parser.add_argument("--rounds", type=cli.count(1, 100), default=7,
                        help="pairs of each cell (default 7)")
    parser.add_argument("--seconds", type=cli.count(1, 3600), default=10,
                        help="of each run (default 10)")
    parser.add_argument("--pgbench-scale", type=cli.count(1, 1000),
                        default=20, help="default 20, about 300 MB")
    parser.add_argument("--clients", default=[1, 8], type=scenario.list_of(
        cli.count(1, 64), "a number"), help="default 1,8")
    for name, known in (("scripts", SCRIPTS), ("protocols", PROTOCOLS)):
        parser.add_argument(f"--{name}", default=list(known),
                            type=scenario.list_of(scenario.one_of(
                                list(known), name[:-1]), f"a {name[:-1]}"),
                            help=f"default {','.join(known)}")
    parser.add_argument("--quick", action="store_true", help="a short try: "
                        "one round of 2 s, scale 2; no figure to quote")
    options = parser.parse_args(arguments)
    if options.quick:
        options.rounds, options.seconds, options.pgbench_scale = 1, 2, 2
    return options


def cells(options) -> List[Cell]:
    return [Cell(script, protocol, clients) for script in options.scripts
            for protocol in options.protocols for clients in options.clients]


def order(number: int) -> List[str]:
    """Who is first in a pair, by the pairs before it."""
    return list(LIBRARIES) if number % 2 == 0 else list(LIBRARIES)[::-1]


def _transactions(server: Server, cell: Cell, seconds: int) -> float:
    jobs = str(min(cell.clients, os.cpu_count() or 1))
    result = process.run(workloads.pgbench(
        server, *SCRIPTS[cell.script], "-M", cell.protocol, "-c",
        str(cell.clients), "-j", jobs, "-T", str(seconds)))
    found = _TPS.search(result.out)
    if result.status != 0 or found is None or float(found.group(1)) <= 0:
        raise UserError("pgbench failed in the scratch server:\n"
                        f"{result.last_words(4)}")
    return float(found.group(1))


def _run(server: Server, cell: Cell, library: str, seconds: int) -> float:
    server.stop()
    server.settings["shared_preload_libraries"] = LIBRARIES[library]
    server.start()
    _transactions(server, Cell("select", cell.protocol, cell.clients), _WARM)
    return _transactions(server, cell, seconds)


def _measure(options, progress: Progress, file: results.Results
             ) -> List[Pair]:
    pairs: List[Pair] = []
    with session.session(load.Source(0.01), progress,
                         apart=session.PLANNING) as server:
        try:
            if not workloads.has_pgbench(server, progress):
                raise UserError("pgbench is not there; the server's package "
                                "has it.")
            workloads.ensure_pgbench(server, options.pgbench_scale, progress)
            for number, (round_, cell) in enumerate(scenario.in_turn(
                    progress, "running pgbench in pairs",
                    scenario.shuffled(cells(options), options.rounds),
                    options.rounds, lambda one: f"{one.script}, "
                    f"{one.protocol}, {one.clients} clients")):
                pairs.append(Pair(cell, round_, {
                    library: _run(server, cell, library, options.seconds)
                    for library in order(number)}))
                results.write_json(os.path.join(file.made(), "pairs.json"),
                                   [dict(vars(one), cell=vars(one.cell))
                                    for one in pairs])
        finally:
            server.scratch.forget()
    return pairs


def _span(values: Sequence[float], form: str) -> List[str]:
    spread = Spread.of(values)
    return [format(spread.median, form),
            f"{spread.low:{form}}-{spread.high:{form}}"]


def table(pairs: Sequence[Pair]) -> str:
    """A line a cell: medians, and lowest to highest."""
    rows = []
    for cell in sorted({one.cell for one in pairs}):
        ours = [one for one in pairs if one.cell == cell]
        rows.append([cell.script, cell.protocol, str(cell.clients)] +
                    [text for name in LIBRARIES for text in
                     _span([one.tps[name] for one in ours], ".0f")] +
                    _span([one.ratio for one in ours], ".3f"))
    mean = statistics.geometric_mean(one.ratio for one in pairs)
    return report.table(
        ["script", "protocol", "clients", "without", "", "with", "", "ratio",
         ""], rows + [["all", *[""] * 6, f"{mean:.3f}", ""]])


def pgbench(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    file = results.Results("pgbench")
    try:
        pairs = _measure(options, progress, file)
    finally:
        progress.close()
    print(f"\npgbench scale {options.pgbench_scale}, transactions a second: "
          f"medians of {options.rounds} runs of\n{options.seconds} s each, "
          "lowest to highest; ratios of pairs that ran one after the other; "
          f"all:\ngeometric mean.\n\n{table(pairs)}\n\n"
          f"Raw numbers: {file.made()}", flush=True)
    return 0


if __name__ == "__main__":
    cli.main(pgbench)
