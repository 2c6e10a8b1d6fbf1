"""./run bench power: all SSB queries under named sets of settings.

Beyond the paper: what stock PostgreSQL makes of the benchmark by default and
with the usual advice for SSDs, what ssdpar makes of it, and what an oracle
would that always took the best of the stock plans.  A variant changes the
session only; the server's own settings, SETTINGS in bench/lib/server.py, are
the same for all (among them jit = off, which favours the stock variants).
"""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

from lib import cli, legs, report, scenario, statistics, summary
from lib.errors import UserError
from lib.legs import Leg
from lib.progress import Progress
from lib.scenario import Point, Run
from lib.server import Server

SCENARIO = "all 15 queries: stock, tuned, ssdpar, star scan"

_OFF = {"ssdpar.enabled": "off"}
_STAR = {"ssdpar.enabled": "on", "ssdpar.star_scan": "on"}
VARIANTS: Dict[str, legs.Settings] = {
    "default": dict(_OFF),
    # What every guide to PostgreSQL on SSDs says.
    "tuned": dict(_OFF, random_page_cost="1.1",
                  effective_io_concurrency="200", jit="off"),
    # What a careful administrator gets who never trusts an index.
    "hash2": dict(_OFF, enable_nestloop="off", enable_indexscan="off",
                  enable_indexonlyscan="off", enable_bitmapscan="off",
                  max_parallel_workers_per_gather="2",
                  parallel_setup_cost="0", parallel_tuple_cost="0"),
    "ssdpar": {"ssdpar.enabled": "on"},
    "no-star": {"ssdpar.enabled": "on", "ssdpar.star_scan": "off"},
    "star": dict(_STAR),
    "star-bitmap": dict(_STAR, **{"ssdpar.star_access": "bitmap"}),
    "star-sequential": dict(_STAR, **{"ssdpar.star_access": "sequential"}),
}
PLAIN = ("default", "tuned", "hash2")   # what the oracle chooses from
_ORACLE = "oracle"


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench power", description=__doc__)
    scenario.add_options(parser, rounds=3)
    scenario.add_hot(parser)
    parser.set_defaults(profile=True)
    parser.add_argument("--variants", default=list(VARIANTS),
                        type=scenario.list_of(
                            scenario.one_of(list(VARIANTS), "variant"),
                            "a variant"),
                        help="default: all, " + ",".join(VARIANTS))
    parser.add_argument("--queries", default=list(scenario.QUERIES),
                        type=scenario.list_of(
                            scenario.one_of(scenario.QUERIES, "query"),
                            "a query"),
                        help="default: all 15")
    return scenario.parse(parser, "power", arguments)


def _refusal(server: Server, settings: legs.Settings) -> Optional[str]:
    """Why this server cannot run a variant; None if it can."""
    for name, value in settings.items():
        known = server.sql("SELECT count(*) FROM pg_settings "
                           f"WHERE name = '{name}'")
        if known == "0":
            return f"this build has no setting {name}"
        try:
            server.sql(f"SET {name} = '{value}'")
        except UserError:
            return f"this build does not know {name} = {value}"
    return None


def _usable(run: Run) -> List[str]:
    names = []
    for name in run.options.variants:
        why = _refusal(run.server, VARIANTS[name])
        if why is None:
            names.append(name)
        else:
            run.progress.say(f"leaving out the variant {name}: {why}")
    if not names:
        raise UserError("none of the variants asked for can be run by this "
                        "build, for the reasons told above.")
    return names


Seconds = Dict[str, Dict[str, float]]       # by query, by variant


def with_oracle(seconds: Seconds) -> Seconds:
    """The same, with the best of the stock plans as one more variant."""
    result = {}
    for query, row in seconds.items():
        plain = [row[name] for name in PLAIN if name in row]
        result[query] = dict(row, **({_ORACLE: min(plain)} if plain else {}))
    return result


def ratios(seconds: Seconds, base: str, variant: str) -> List[float]:
    """How much faster a variant is than another one, query by query."""
    return [row[base] / row[variant] for row in seconds.values()
            if base in row and variant in row]


def _seconds(found: Dict[summary.Key, summary.Summary]) -> Seconds:
    result: Seconds = {}
    for (query, variant), entry in found.items():
        result.setdefault(query, {})[variant] = entry.median
    return with_oracle(result)


def _times(queries: List[str], variants: List[str],
           found: Dict[summary.Key, summary.Summary]) -> str:
    rows = [[query] + [found[(query, name)].text() for name in variants]
            for query in queries]
    total = ["sum"] + [
        f"{sum(found[(query, name)].median for query in queries):.2f}"
        for name in variants]
    return report.table(["seconds"] + variants, rows + [total])


def _bytes(queries: List[str], variants: List[str],
           found: Dict[summary.Key, summary.Summary]) -> str:
    rows = [[query] + [report.megabytes([found[(query, name)].device_bytes])
                       for name in variants] for query in queries]
    return report.table(["device MB"] + variants, rows)


def _plans(queries: List[str], variants: List[str],
           found: Dict[summary.Key, summary.Summary]) -> str:
    rows = [[query] + [found[(query, name)].plan for name in variants]
            for query in queries]
    return report.table(["plan"] + variants, rows,
                        left=range(len(variants) + 1))


def _ratio_table(queries: List[str], variants: List[str],
                 seconds: Seconds) -> str:
    """How much faster each variant is than default and than the oracle."""
    bases = [name for name in ("default", _ORACLE)
             if all(name in seconds[query] for query in queries)]
    pairs = [(base, name) for base in bases for name in variants
             if name != base]
    rows = [[query] + [f"{seconds[query][base] / seconds[query][name]:.2f}"
                       for base, name in pairs] for query in queries]
    means = ["geometric mean"] + [
        f"{statistics.geometric_mean(ratios(seconds, base, name)):.2f}"
        for base, name in pairs]
    head = ["times faster"] + [f"{base}/{name}" for base, name in pairs]
    return report.table(head, rows + [means])


def _show(run: Run, variants: List[str], done: List[Leg]) -> None:
    found = summary.of(done)
    queries = run.options.queries
    print("\n" + scenario.headline(run, "Power run") + "\n")
    parts = [_times(queries, variants, found),
             "\n".join(summary.legend(list(found.values()))),
             _ratio_table(queries, variants, _seconds(found)),
             _bytes(queries, variants, found),
             _plans(queries, variants, found)]
    print("\n\n".join(part for part in parts if part))
    print("\ndefault/x: above 1, x is faster than the server's defaults; "
          "oracle: the fastest of\n" + ", ".join(
              name for name in PLAIN if name in variants) +
          " for each query. A timed-out leg counts with the time it was "
          "allowed.\n" f"Raw numbers and plans: {run.file.directory}",
          flush=True)


def power(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        with scenario.running(options, progress) as run:
            variants = _usable(run)
            points = [Point(query, name, VARIANTS[name])
                      for query in options.queries for name in variants]
            done = scenario.measure(run, points)
    finally:
        progress.close()
    _show(run, variants, done)
    scenario.check_rows(done)
    return 0


if __name__ == "__main__":
    cli.main(power)
