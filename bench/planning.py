"""./run bench planning: planning time added by ssdpar.

Each of SSB's queries, a join of 12 tables and a query without a star is
planned without ssdpar, with its cost model, and with all of its features.
callgrind counts instructions in the planner: they are the same in each run, so
use them for shares.  Milliseconds are the server's own Planning Time, with
alternating plans in one session, and depend on the machine.

The profile is invented, the tables are small, and all of them are used.  Data
and server belong to this run and are removed at its end.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Dict, List, Sequence, Tuple

from lib import cli, instructions, legs, load, packages, planning_time
from lib import report, results, session, statistics
from lib.errors import UserError
from lib.installation import TOP
from lib.progress import Progress
from lib.server import Server

SCENARIO = "what ssdpar adds to planning, in instructions and milliseconds"

QUERIES = ("q1.1", "q1.2", "q1.3", "q2.1", "q2.2", "q2.3", "q3.1", "q3.2",
           "q3.3", "q3.4", "q4.1", "q4.2", "q4.3")

TWELVE = """SELECT count(*) FROM lineorder a, lineorder b, date d1, date d2,
 date d3, date d4, customer c1, customer c2, supplier s1, supplier s2,
 part p1, part p2
WHERE a.lo_orderkey = b.lo_orderkey
 AND a.lo_orderdate = d1.d_datekey AND a.lo_commitdate = d2.d_datekey
 AND b.lo_orderdate = d3.d_datekey AND b.lo_commitdate = d4.d_datekey
 AND a.lo_custkey = c1.c_custkey AND b.lo_custkey = c2.c_custkey
 AND a.lo_suppkey = s1.s_suppkey AND b.lo_suppkey = s2.s_suppkey
 AND a.lo_partkey = p1.p_partkey AND b.lo_partkey = p2.p_partkey
 AND d1.d_year = 1993 AND s1.s_region = 'ASIA' AND p1.p_mfgr = 'MFGR#1'"""
# It takes a hundred times as long to plan, so it is planned less often.
LESS_OFTEN = {"twelve": 20}
NO_STAR = "SELECT c_name FROM customer WHERE c_custkey = 7"

VARIANTS: Dict[str, legs.Settings] = {
    "off": {"ssdpar.enabled": "off"},
    "model": {"ssdpar.enabled": "on", "ssdpar.star_scan": "off"},
    "all": {"ssdpar.enabled": "on", "ssdpar.star_scan": "on"},
}

# So that the count does not depend on time.
COUNTED = {"ssdpar.residency": "cold", "ssdpar.prefetch": "local"}

# Everything is repriced; no daemon is started.
SERVER = {"ssdpar.cost_model_min_size": "0", "ssdpar.daemon_autostart": "off"}

# Makes an invented profile: here random reads take 100 us, and 16 of them run
# concurrently.
INVENTED = os.path.join(TOP, "test", "invent_device.sql")
INVENT = "SELECT invent_device('depth * 81920000.0 / size', 4096);"


@dataclass(frozen=True)
class Planned:
    """A query's planning under one variant."""

    query: str
    variant: str
    instructions: float         # per plan
    milliseconds: float         # median


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench planning", description=__doc__)
    parser.add_argument("--scale", type=cli.scale, default=0.05,
                        help="scale factor (default 0.05)")
    parser.add_argument("--plans", type=cli.count(1, 10000), default=1000,
                        help="timed plans of each query and variant "
                        "(default 1000)")
    parser.add_argument("--counted", type=cli.count(1, 1000), default=10,
                        help="counted plans of each (default 10)")
    parser.add_argument("--keep-profiles", action="store_true",
                        help="keep callgrind's profiles, one per query and "
                        "variant, for callgrind_annotate")
    return parser.parse_args(arguments)


def _statements() -> Dict[str, str]:
    where = os.path.join(load.SSB, "queries")
    found = {name: legs.query_text(legs.query_path(where, name))
             for name in QUERIES}
    return dict(found, twelve=TWELVE, no_star=NO_STAR)


def _times(wanted: int, query: str) -> int:
    return max(wanted // LESS_OFTEN.get(query, 1), 1)


def _timed(server: Server, text: str, plans: int) -> Dict[str, float]:
    """Median milliseconds by variant."""
    times = planning_time.in_turns(server, text, VARIANTS, plans)
    return {name: statistics.median(found) for name, found in times.items()}


def _counted(server: Server, statements: Dict[str, str], options,
             profiles: str) -> Dict[Tuple[str, str], float]:
    """Instructions of one plan, by query and variant."""
    keys = [(query, variant) for query in statements for variant in VARIANTS]
    times = {query: _times(options.counted, query) for query in statements}
    explain = {query: f"EXPLAIN (COSTS OFF) {text};\n"
               for query, text in statements.items()}
    runs = [legs.set_text(VARIANTS[variant]) + explain[query] * times[query]
            for query, variant in keys]
    # each once before, to fill caches
    prologue = legs.set_text(COUNTED) + "".join(
        legs.set_text(VARIANTS[variant]) + explain[query]
        for query, variant in keys)
    with instructions.counting(server, "pg_plan_query") as counted:
        sums = counted.count(prologue, runs)
        if options.keep_profiles:
            counted.keep(profiles, [f"{query}-{variant}"
                                    for query, variant in keys])
    return {key: total / times[key[0]] for key, total in zip(keys, sums)}


def _measure(options, progress: Progress, directory: str) -> List[Planned]:
    statements = _statements()
    with session.session(load.Source(options.scale), progress, profile=False,
                         apart=session.PLANNING) as server:
        try:
            server.stop()
            server.settings.update(SERVER)
            if "io_method" in server.settings:
                server.settings["io_method"] = "worker"     # valgrind
            server.start()
            with open(INVENTED) as file:
                server.sql(file.read() + INVENT)
            with progress.step("timing plans, in turns"):
                timed = {query: _timed(server, text,
                                       _times(options.plans, query))
                         for query, text in statements.items()}
            with progress.step("counting instructions (callgrind)"):
                counted = _counted(server, statements, options,
                                   os.path.join(directory, "profiles"))
        finally:
            server.scratch.forget()
    return [Planned(query, variant, counted[query, variant],
                    timed[query][variant])
            for query, variant in counted]


def more(planned: Sequence[Planned], query: str, variant: str) -> float:
    """The share by which a variant's instructions exceed those without."""
    by = {one.variant: one for one in planned if one.query == query}
    return by[variant].instructions / by["off"].instructions - 1.0


def table(planned: Sequence[Planned]) -> str:
    """The output: one line per query, and the mean of SSB's."""
    rows = []
    for query in dict.fromkeys(one.query for one in planned):
        by = {one.variant: one for one in planned if one.query == query}
        rows.append(
            [query, f"{by['off'].instructions / 1e6:.3f}"] +
            [f"{more(planned, query, name):+.1%}" for name in ("model", "all")]
            + [f"{by[name].milliseconds:.3f}" for name in VARIANTS] +
            [f"{by['all'].milliseconds - by['off'].milliseconds:+.3f}"])
    mean = ["SSB, mean", ""]
    for name in ("model", "all"):
        ratios = [1 + more(planned, query, name) for query in QUERIES]
        mean.append(f"{statistics.geometric_mean(ratios) - 1:+.1%}")
    return report.table(
        ["query", "10^6 instr.", "model", "all", "ms off", "ms model",
         "ms all", "more"], rows + [mean + [""] * 4])


def planning(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    if not packages.have([packages.VALGRIND], progress):
        raise UserError("valgrind is not there and cannot be installed here; "
                        "instructions are counted by it.")
    file = results.Results("planning")
    try:
        planned = _measure(options, progress, file.made())
    finally:
        progress.close()
    results.write_json(os.path.join(file.made(), "planned.json"),
                       [vars(one) for one in planned])
    print(f"\nPlanning, SSB scale {options.scale:g}, a made-up profile: "
          "instructions of the planner without ssdpar\nand how many more with "
          "its cost model and with everything; median milliseconds.\n\n"
          f"{table(planned)}\n\nRaw numbers: {file.made()}", flush=True)
    return 0


if __name__ == "__main__":
    cli.main(planning)
