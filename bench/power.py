"""./run bench power: all SSB queries under named sets of settings.

Beyond the paper: the performance of stock PostgreSQL by default and with the
usual advice for SSDs, of ssdpar, and of an oracle that always chooses the best
of the stock plans.  A variant only changes the session; the server's own
settings, SETTINGS in bench/lib/server.py, are the same for all (including jit
= off, which favors the stock variants: --jit turns it on, as by default, for
all but tuned).
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
    # The settings in every guide to PostgreSQL on SSDs.
    "tuned": dict(_OFF, random_page_cost="1.1",
                  effective_io_concurrency="200", jit="off"),
    # The choice of a careful administrator who never trusts an index.
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
PLAIN = ("default", "tuned", "hash2")   # the oracle's choices
_ORACLE = "oracle"
_ALL = 0.9                              # of the most bytes: all of the fact
_SCATTERED, _SEQUENTIAL = "random 8 kB x32", "sequential 256 kB x8"


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
    parser.add_argument("--jit", action="store_true",
                        help="use jit = on, the server's default, in all "
                        "variants except tuned (default: off)")
    return scenario.parse(parser, "power", arguments)


def variant(name: str, jit: bool) -> legs.Settings:
    """The settings of a variant, which may set jit itself."""
    return {"jit": "on", **VARIANTS[name]} if jit else VARIANTS[name]


def _refusal(server: Server, settings: legs.Settings) -> Optional[str]:
    """Why this server cannot run a variant, or None."""
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
    """The same, with the best of the stock plans as a further variant."""
    result = {}
    for query, row in seconds.items():
        plain = [row[name] for name in PLAIN if name in row]
        result[query] = dict(row, **({_ORACLE: min(plain)} if plain else {}))
    return result


def ratios(seconds: Seconds, base: str, variant: str) -> List[float]:
    """The speed-up of a variant over another one, query by query."""
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
    """The speed-up of each variant over default and over the oracle."""
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


def device_seconds(read: Dict[str, float], scattered: float,
                   sequential: float) -> Dict[str, float]:
    """The device's minimum time for the bytes of each variant.

    A variant that reads nearly as much as the maximum can read in the file's
    order; one that reads less reads scattered pages.
    """
    most = max(read.values())
    return {name: count / (sequential if count > _ALL * most else scattered)
            for name, count in read.items()}


def _rate(limits: dict, point: str) -> float:
    """Bytes per second: the mean of before and after the legs."""
    return statistics.median([limits[when]["bytes_per_second"][point]
                            for when in ("before", "after")])


def _alone(queries: List[str], variants: List[str],
           found: Dict[summary.Key, summary.Summary], limits: dict
           ) -> Optional[Dict[str, float]]:
    """Seconds of only the device for ssdpar's bytes; None if unknown."""
    result = {}
    for query in queries:
        read = {name: found[(query, name)].device_bytes for name in variants}
        known = {name: count for name, count in read.items() if count}
        if known.keys() != read.keys():
            return None
        result[query] = device_seconds(
            known, _rate(limits, _SCATTERED),
            _rate(limits, _SEQUENTIAL))["ssdpar"]
    return result


def _in_short(variants: List[str], found: Dict[summary.Key, summary.Summary],
              queries: List[str], limits: dict) -> str:
    """ssdpar in the benchmark's own queries, and the possible further gain."""
    queries = [query for query in queries if query in scenario.OWN_QUERIES]
    if not {"default", "ssdpar"} <= set(variants) or not queries:
        return ""
    seconds = {query: row for query, row in _seconds(found).items()
               if query in queries}
    alone = _alone(queries, variants, found, limits)
    lines = [f"Of the benchmark's own queries ({len(queries)} of 13):"]
    for base in ("default", _ORACLE):
        times = ratios(seconds, base, "ssdpar")
        line = (f"ssdpar is {statistics.geometric_mean(times):.2f} times as "
                f"fast as {base}, at least {min(times):.2f}")
        if alone is not None:
            limit = statistics.geometric_mean(
                [seconds[query][base] / alone[query] for query in queries])
            line += f"; the device's limit is {limit:.2f}"
        lines.append(line)
    if alone is not None:
        lines.append(
            "limit: ssdpar's bytes and nothing else, at "
            f"{_rate(limits, _SEQUENTIAL) / 1e9:.2f} GB/s where it reads all, "
            f"{_rate(limits, _SCATTERED) / 1e9:.2f} GB/s where it picks pages")
    return "\n".join(lines)


def _show(run: Run, variants: List[str], done: List[Leg]) -> None:
    found = summary.of(done)
    queries = run.options.queries
    title = "Power run with jit" if run.options.jit else "Power run"
    print("\n" + scenario.headline(run, title) + "\n")
    parts = [_times(queries, variants, found),
             "\n".join(summary.legend(list(found.values()))),
             _ratio_table(queries, variants, _seconds(found)),
             _in_short(variants, found, queries, run.file.facts["ceiling"]),
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
            points = [Point(query, name, variant(name, run.options.jit))
                      for query in options.queries for name in variants]
            done = scenario.measure(run, points)
    finally:
        progress.close()
    _show(run, variants, done)
    scenario.check_rows(done)
    return 0


if __name__ == "__main__":
    cli.main(power)
