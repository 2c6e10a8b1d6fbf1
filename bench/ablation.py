"""./run bench ablation: the effect of each of ssdpar's features.

Each query of a workload is planned with all features, without each feature, as
core does, and with only the star scan and one more feature.  If the plan
differs, or the executor may behave differently with the same plan, the query
is timed as well: with and without, one after another, cold or cached, rows
compared.  A feature that changes no plan has ratio 1 for the query.  Plans are
stored as plans.csv and shapes/, and legs as in every scenario; --resume
continues a run, and --table DIR... makes a page of several runs.

For lookups, throughput and regret, set SSDPAR_WITHOUT to the value of
ssdpar.without, and run these scenarios.
"""

from __future__ import annotations

import json
import os
import random
import time
from dataclasses import dataclass
from typing import Callable, Dict, List, Mapping, Sequence

from lib import ablation, ablation_page, cli, cold, features, legs, load
from lib import made, scenario, session, tpcds, tpch
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Run
from lib.server import Server

SCENARIO = "gain of each feature of ssdpar: without it, and with it alone"

_PLANS = ("query", "variant", "number", "shape", "planning_ms")
_COUNTS = ("query", "variant", "round", "processor_seconds", "blocks_read",
           "requests", "local_blocks")
_REAPED = 0.05          # seconds until a session's processes have ended
_ALL_EACH = 8           # variants before everything is planned again
_LIMIT, _LEAST_LIMIT = 5.0, 10.0    # times that with all features; seconds


@dataclass(frozen=True)
class Workload:
    """The queries, and their data."""

    name: str
    schema: str
    apart: str
    scale: float
    source: Callable[[float], load.Source]
    prepare: Callable[[Server, float, Progress], None]
    statements: Callable[[Server, float], Mapping[str, str]]


def _of_made(one: made.Made) -> Workload:
    return Workload(one.name, one.name, f"-{one.name}", 1.0,
                    lambda scale: load.Nothing(), one.ensure_tables,
                    lambda server, scale: one.queries())


WORKLOADS = {workload.name: workload for workload in (
    Workload("ssb", "public", "", 5.0, load.Source,
             lambda server, scale, steps: None,
             lambda server, scale:
             {query: legs.query_text(legs.query_path(
                 os.path.join(load.SSB, "queries"), query))
              for query in scenario.QUERIES}),
    Workload("tpch", tpch.SCHEMA, session.TPCH, 3.0,
             lambda scale: load.Nothing(), tpch.ensure_tables,
             lambda server, scale: {query: tpch.statement(query, scale)
                                    for query in tpch.QUERIES}),
    Workload("tpcds", tpcds.SCHEMA, session.TPCDS, 2.0,
             lambda scale: load.Nothing(), tpcds.ensure_tables,
             lambda server, scale: tpcds.statements(server)),
    *map(_of_made, made.WORKLOADS.values()))}
_NAMES = list(features.FEATURES) + list(features.GROUPS)


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench ablation", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=0.0)
    state = parser.add_mutually_exclusive_group()
    state.add_argument("--hot", action="store_true",
                       help="everything cached, no memory limit")
    state.add_argument("--cold", dest="hot", action="store_false",
                       help="none of the workload's tables cached before "
                       "a leg (the default)")
    parser.set_defaults(profile=True, timeout=60)
    parser.add_argument("--workload", choices=list(WORKLOADS),
                        default="facts", help="default facts")
    parser.add_argument("--features", default=_NAMES,
                        type=scenario.list_of(
                            scenario.one_of(_NAMES, "feature"), "a feature"),
                        help="and groups (default: all, "
                        f"{','.join(_NAMES)})")
    parser.add_argument("--queries", default=None,
                        type=scenario.list_of(str, "a query"),
                        help="default: all of the workload")
    parser.add_argument("--bases", default=["all", "star"],
                        type=scenario.list_of(
                            scenario.one_of(("all", "star"), "base"),
                            "a base"),
                        help="remove a feature from all, or add it to star "
                        "(default all,star)")
    parser.add_argument("--plans-only", action="store_true",
                        help="time nothing; --resume DIR does")
    parser.add_argument("--plan-rounds", type=cli.count(1, 20), default=2,
                        help="number of times that each query is planned "
                        "(default 2)")
    parser.add_argument("--minutes", type=cli.count(1, 10000), default=None,
                        help="start no leg after this many minutes;"
                             " --resume continues")
    parser.add_argument("--jit", choices=("on", "off"), default="off",
                        help="the server's jit (default off)")
    parser.add_argument("--table", nargs="+", metavar="DIR",
                        help="write the page of these runs, and measure "
                        "nothing")
    options = scenario.parse(parser, "ablation", arguments)
    options.scale = options.scale or WORKLOADS[options.workload].scale
    # of a continued run, existing plans are timed
    options.arguments = [word for word in options.arguments
                         if word != "--plans-only"]
    return options


@dataclass
class Ablation:
    """One run: its workload, and what it has to find out."""

    run: Run
    workload: Workload
    statements: Dict[str, str]
    variants: Dict[str, legs.Settings]
    files: List[str]

    def settings(self, variant: str) -> legs.Settings:
        return {"search_path": self.workload.schema,
                "jit": self.run.options.jit, **self.variants[variant]}


def _wanted(options) -> Dict[str, legs.Settings]:
    """The requested variants."""
    def wanted(variant: str) -> bool:
        name = variant.replace("star+", "", 1).lstrip("-")
        return variant in ("all", "core") or (
            ablation.base_of(variant) in options.bases and
            name in options.features) or (
            variant == "star" and "star" in options.bases)
    return {variant: settings for variant, settings
            in features.variants().items() if wanted(variant)}


def _begin(run: Run) -> Ablation:
    options, workload = run.options, WORKLOADS[run.options.workload]
    statements = dict(workload.statements(run.server, options.scale))
    for name in options.queries or ():
        if name not in statements:
            raise UserError(f"{workload.name} has no query {name}.")
    statements = {name: text for name, text in statements.items()
                  if options.queries is None or name in options.queries}
    files = run.server.sql(
        "SELECT pg_relation_filepath(c.oid) FROM pg_class c JOIN "
        "pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = "
        f"'{workload.schema}' AND c.relkind IN ('r', 'i')").split()
    run.file.add_facts({"ablation": {
        "workload": workload.name, "scale": options.scale,
        "queries": list(statements), "features": options.features,
        "hot": options.hot, "seed": made.SEED, "jit": options.jit}})
    return Ablation(run, workload, statements, _wanted(options), files)


def _keep_shape(run: Run, text: str) -> str:
    """Returns its digest; the text goes into shapes/."""
    name = ablation.digest(text)
    path = os.path.join(run.file.made(), "shapes", f"{name}.json")
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text + "\n")
    return name


def _plan_query(one: Ablation, query: str) -> List[Dict[str, object]]:
    """Rows for plans.csv: every variant, the given number of times.

    A query is planned for a cold leg as if nothing were cached: emptying the
    cache for each plan would take hours.  A look at a dimension ends by time,
    so all's own plan may change from one time to the next: it is made again
    and again in between.
    """
    cold_ = {} if one.run.hot else {"ssdpar.residency": "cold"}
    names = list(one.variants)
    for place in range(len(names) // _ALL_EACH, 0, -1):
        names.insert(place * _ALL_EACH, "all")
    order = [(variant, {**cold_, **one.settings(variant)})
             for _ in range(one.run.options.plan_rounds) for variant in names]
    plans = ablation.read_plans(one.run.server.sql(
        ablation.plans_script(one.statements[query], order)))
    if len(plans) != len(order):
        raise UserError(f"{len(order)} plans of {query} were asked for, and "
                        f"{len(plans)} came.")
    return [{"query": query, "variant": variant,
             "number": number // len(names) + 1,
             "shape": _keep_shape(one.run, ablation.shape(plan)),
             "planning_ms": plan[0]["Planning Time"]}
            for number, ((variant, _), plan)
            in enumerate(zip(order, plans))]


def _plan(one: Ablation) -> Dict[str, ablation.Planned]:
    """By query, including those of a continued run."""
    rows = one.run.file.rows("plans.csv", _PLANS)
    have = {row["query"] for row in rows.rows
            if row["number"] == str(one.run.options.plan_rounds)
            and row["variant"] == list(one.variants)[-1]}
    missing = [query for query in one.statements if query not in have]
    with one.run.progress.step(f"planning {len(missing)} queries with "
                               f"{len(one.variants)} variants"):
        for number, query in enumerate(missing):
            one.run.progress.update(query, number / len(missing))
            for row in _plan_query(one, query):
                rows.add(row)
    return ablation_page.planned(rows.rows)


def _processor_seconds(server: Server) -> float:
    """Of all sessions and workers that have ended."""
    with open(f"/proc/{server.pid()}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def _counters(server: Server) -> Dict[str, float]:
    """The costs of a leg other than its time, which other load affects."""
    names = _COUNTS[5:]
    values = server.sql(f"SELECT {', '.join(names)}, (SELECT sum(blks_read) "
                        "FROM pg_stat_database) FROM ssdpar.pg_stat_ssdpar "
                        "WHERE datid IS NULL").split("|")
    time.sleep(_REAPED)
    return dict(zip((*names, "blocks_read"), map(float, values)),
                processor_seconds=_processor_seconds(server))


def _limit(one: Ablation, query: str, variant: str) -> float:
    most = float(one.run.options.timeout)
    times = [leg.seconds for leg in one.run.file.done
             if leg.query == query and leg.variant == "all"]
    if variant in ("all", "core") or not times:
        return most
    return min(most, max(_LEAST_LIMIT, _LIMIT * min(times)))


def _leg(one: Ablation, query: str, variant: str, round_: int, counts
         ) -> None:
    """Runs it, and stores its counters."""
    run = one.run
    state = cold.resident_files(run.server, one.files) if run.hot else \
        cold.restart_files_cold(run.server, one.files)
    before = _counters(run.server)
    run.file.add(legs.run_leg(
        run.server, run.device, state, query, one.statements[query], variant,
        round_, one.settings(variant), _limit(one, query, variant), run.hot))
    after = _counters(run.server)
    counts.add({"query": query, "variant": variant, "round": round_,
                **{name: f"{after[name] - before[name]:g}"
                   for name in after}})


def _time(one: Ablation, planned: Dict[str, ablation.Planned]) -> None:
    """Each round: each query, its legs directly one after another."""
    run = one.run
    counts = run.file.rows("counts.csv", _COUNTS)
    ends = time.monotonic() + 60 * (run.options.minutes or 1e6)
    have = {(leg.query, leg.variant, leg.round) for leg in run.file.done}
    with run.progress.step("timing where plans differ"):
        for round_ in range(1, run.options.rounds + 1):
            queries = list(one.statements)
            random.Random(round_).shuffle(queries)
            for number, query in enumerate(queries):
                run.progress.update(f"{query}, round {round_} of "
                                    f"{run.options.rounds}",
                                    number / len(queries))
                _time_query(one, planned[query], query, round_, counts, have,
                            ends)
                if time.monotonic() > ends:
                    run.progress.say("the time that was given is over")
                    return


def _time_query(one: Ablation, planned: ablation.Planned, query: str,
                round_: int, counts, have: set, ends: float) -> None:
    def leg(variant: str) -> None:
        if (query, variant, round_) not in have and time.monotonic() < ends:
            _leg(one, query, variant, round_, counts)
            have.add((query, variant, round_))

    # round 0: its counters decide what else is run.  A query's first leg finds
    # less in memory, so its time is not compared with the others'
    if not any(row["query"] == query for row in counts.rows):
        if time.monotonic() > ends:
            return
        _leg(one, query, "all", 0, counts)
    wanted = ablation_page.runs(
        query, planned, counts.rows, one.run.file.made(), one.variants)
    names = list(dict.fromkeys(
        ["core", "all", *(["star"] if "star" in one.run.options.bases
                          else []), *wanted.values()]))
    first = round_ % len(names)
    for variant in names[first:] + names[:first]:
        leg(variant)


def run_ablation(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    if options.table:
        print(ablation_page.page(options.table), end="")
        return 0
    workload = WORKLOADS[options.workload]
    progress = Progress()
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: workload.prepare(
                    server, options.scale, steps),
                workload.source(options.scale), workload.apart) as run:
            one = _begin(run)
            planned = _plan(one)
            if not options.plans_only:
                _time(one, planned)
    finally:
        progress.close()
    directory = run.file.made()
    print(ablation_page.page([directory]))
    print(json.dumps({"raw numbers and plans": directory}))
    ties = {query for query, text in one.statements.items()
            if tpcds.limit(text) is not None}
    scenario.check_rows([leg for leg in run.file.done
                         if leg.query not in ties])
    return 0


if __name__ == "__main__":
    cli.main(run_ablation)
