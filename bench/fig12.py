"""./run bench fig12: Figure 12 of Chen et al. (2016), interference.

Case 3, section 7.4 there: QS (Q1.2 by hash join), QR (Q1.2 by index join), PB
(pgbench) and PM (postmark), each alone and beside each other, the co-runner
repeated until the target ends; how much longer the target takes.  A query as
co-runner reads a copy of the fact table, so that the two share no cache.  Then
all of it again with ssdpar's daemon prefetching for the queries.  Beside the
matrix stands Q0 with PM, as in the text.
"""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from lib import cli, cold, raw, report, scenario, split, statistics
from lib import workloads
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Run
from lib.server import Server
from lib.workloads import Outcome, Workloads

SCENARIO = "interference of query, pgbench and postmark pairs"

NAMES = ("QS", "QR", "PB", "PM")
READERS = ("QS", "QR")
ALONE = "alone"
# How the queries of a mode are prefetched.
MODES = {"plain": "off", "daemon": "daemon"}
PAIRS = "pairs.csv"
COLUMNS = ("mode", "target", "co_runner", "round", "unit", "value",
           "device_bytes_read", "cache", "cached_pages_before",
           "pages_total", "read_ahead_kb", "plan", "rows", "checksum",
           "timed_out", "co_runner_ended", "settings")
_LEAD_SECONDS = 1.0         # that a co-runner gets before the target


@dataclass(frozen=True)
class Pair:
    """A target beside a co-runner, or alone."""

    mode: str
    target: str
    co_runner: Optional[str]

    @property
    def key(self) -> Tuple[str, str, str]:
        return self.mode, self.target, self.co_runner or ALONE


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench fig12", description=__doc__)
    scenario.add_options(parser, rounds=3)
    parser.set_defaults(timeout=600, profile=True)
    parser.add_argument("--modes", default=list(MODES),
                        type=scenario.list_of(
                            scenario.one_of(list(MODES), "mode"), "a mode"),
                        help="default plain,daemon")
    parser.add_argument("--workloads", default=list(NAMES),
                        type=scenario.list_of(
                            scenario.one_of(NAMES, "workload"),
                            "a workload"), help="default QS,QR,PB,PM")
    parser.add_argument("--transactions", type=cli.count(1, 10 ** 8),
                        default=20000, help="of postmark (default 20000)")
    parser.add_argument("--pgbench-seconds", type=cli.count(1, 3600),
                        default=15, help="length of a pgbench target "
                        "(default 15)")
    parser.add_argument("--pgbench-scale", type=cli.count(1, 1000),
                        default=20, help="default 20, about 300 MB")
    return scenario.parse(parser, "fig12", arguments)


def pairs_of(modes: Sequence[str], names: Sequence[str]) -> List[Pair]:
    """Each alone, each beside each; the modes differ for queries only."""
    result = []
    for mode in modes:
        result += [Pair(mode, target, other) for target in names
                   for other in (None, *names)]
        if "PM" in names:
            result += [Pair(mode, "Q0", None), Pair(mode, "Q0", "PM")]
    return result


def _row(pair: Pair, round_: int, outcome: Outcome, cache: cold.CacheState,
         read_ahead: Optional[int], ended: Optional[str]
         ) -> Dict[str, object]:
    leg = outcome.leg
    row: Dict[str, object] = dict(
        zip(("mode", "target", "co_runner"), pair.key), round=round_,
        unit=outcome.unit, value=f"{outcome.value:.6f}",
        device_bytes_read=outcome.device_bytes, cache="cold",
        cached_pages_before=cache.resident, pages_total=cache.total,
        read_ahead_kb=read_ahead, co_runner_ended=ended)
    if leg is not None:
        row.update(plan=str(leg.shape), rows=leg.rows, checksum=leg.checksum,
                   timed_out=int(leg.timed_out),
                   settings=json.dumps(leg.settings, sort_keys=True))
    return row


def _check_plan(pair: Pair, outcome: Outcome) -> None:
    """Before hours are spent on a plan that is not meant."""
    if outcome.leg is None:
        return
    query, access = workloads.QUERIES[pair.target]
    why = split.wrong_plan(split.Cell(query, access, 1), outcome.leg.shape)
    if why is not None:
        raise UserError(f"{pair.target}, {query} by {access}: its plan {why} "
                        f"({outcome.leg.shape}), so it is not the workload "
                        "that is meant. At such a small --scale the planner "
                        "may have no use for it; take a larger one.")


def _one(run: Run, work: Workloads, pair: Pair, round_: int
         ) -> Dict[str, object]:
    prefetch = MODES[pair.mode]
    work.make_cold(scenario.make_cold)
    with work.co_runner(pair.co_runner, prefetch) as other:
        if other is not None:
            time.sleep(_LEAD_SECONDS)
        outcome = work.target(pair.target, prefetch, round_)
        ended = other.ended() if other is not None else None
    _check_plan(pair, outcome)
    return _row(pair, round_, outcome, work.cache,
                run.device.read_ahead_kb() if run.device else None, ended)


def _measure(run: Run, work: Workloads, pairs: Sequence[Pair]
             ) -> List[raw.Row]:
    file = run.file.rows(PAIRS, COLUMNS)
    have = {(row["mode"], row["target"], row["co_runner"],
             int(row["round"])) for row in file.rows}
    order = [(round_, pair) for round_, pair
             in scenario.shuffled(pairs, run.options.rounds)
             if (*pair.key, round_) not in have]
    began = time.monotonic()
    with run.progress.step(f"running {len(order)} targets"):
        for number, (round_, pair) in enumerate(order):
            run.progress.update(
                f"{pair.target} beside {pair.co_runner or 'nothing'}, "
                f"{pair.mode}, round {round_} of {run.options.rounds}"
                f"{scenario.time_left(began, number, len(order))}",
                number / len(order))
            file.add(_one(run, work, pair, round_))
    return file.rows


Key = Tuple[str, str, str]


def costs(rows: Sequence[raw.Row]) -> Dict[Key, List[float]]:
    """Of each pair the rounds' seconds, or seconds a transaction."""
    result: Dict[Key, List[float]] = {}
    for row in rows:
        value = Outcome(row["unit"], float(row["value"]), None).cost()
        result.setdefault((row["mode"], row["target"], row["co_runner"]),
                          []).append(value)
    return result


def degradation(found: Dict[Key, List[float]], mode: str, target: str,
                other: str) -> Optional[float]:
    """How much longer the target takes than alone; 1.81 is 181 %."""
    alone, beside = (found.get((mode, target, name))
                     for name in (ALONE, other))
    if not alone or not beside:
        return None
    return statistics.median(beside) / statistics.median(alone) - 1


def marks(rows: Sequence[raw.Row], found: Dict[Key, List[float]], key: Key
          ) -> str:
    """! rows differ, > timed out, ? co-runner ended early, ~ wide."""
    mine = [row for row in rows if (row["mode"], row["target"],
                                    row["co_runner"]) == key]
    text = "?" if any(row["co_runner_ended"] for row in mine) else ""
    if any(row["timed_out"] == "1" for row in mine):
        text += ">"
    elif statistics.is_wide(found[key]):
        text += "~"
    return text


def _cell(rows: Sequence[raw.Row], found: Dict[Key, List[float]], mode: str,
          target: str, other: str) -> str:
    value = degradation(found, mode, target, other)
    if value is None:
        return ""
    return f"{marks(rows, found, (mode, target, other))}{value:+.0%}"


def _alone(rows: Sequence[raw.Row], mode: str, target: str) -> str:
    values = [float(row["value"]) for row in rows if row["mode"] == mode
              and row["target"] == target and row["co_runner"] == ALONE]
    unit = "tps" if target == "PB" else "s"
    return f"{statistics.median(values):.4g} {unit}"


def _matrix(rows: Sequence[raw.Row], mode: str, names: Sequence[str]
            ) -> str:
    found = costs(rows)
    lines = [[target, _alone(rows, mode, target)] +
             [_cell(rows, found, mode, target, other) for other in names]
             for target in names]
    if "PM" in names:
        lines.append(["Q0", _alone(rows, mode, "Q0")] +
                     [_cell(rows, found, mode, "Q0", other)
                      for other in names])
    return report.table(["target", "alone"] + [f"beside {name}"
                                               for name in names], lines)


def mended(rows: Sequence[raw.Row], names: Sequence[str]) -> List[str]:
    """What the daemon changes, by the goal that was set for it."""
    found = costs(rows)
    readers = [(target, other) for target in names if target in READERS
               for other in names if other in READERS]
    both = {pair: tuple(degradation(found, mode, *pair) for mode in MODES)
            for pair in readers}
    known = {pair: values for pair, values in both.items()
             if None not in values}
    if not known:
        return []
    worst = max(known, key=lambda pair: known[pair][0])
    before, after = known[worst]
    lines = [f"Worst read/read pair {worst[0]} beside {worst[1]}: "
             f"{before:+.0%} plain, {after:+.0%} with the daemon"]
    # The daemon makes a target faster alone as well: compare times too.
    for (mode, target, other), values in sorted(found.items()):
        plain = found.get(("plain", target, other))
        if mode != "daemon" or not plain:
            continue
        ratio = statistics.median(values) / statistics.median(plain)
        if ratio > 1.1 or ratio < 0.9:
            lines.append(f"{target} beside {other}: takes {ratio:.2f} times "
                         "as long with the daemon as plain")
    return lines


def _show(run: Run, rows: List[raw.Row], names: Sequence[str]) -> None:
    states = [cold.CacheState(int(row["cached_pages_before"]),
                              int(row["pages_total"])) for row in rows]
    print("\n" + scenario.headline(run, "Figure 12", states) + "\n")
    for mode in run.options.modes:
        print(f"{mode}: how much longer the target takes\n"
              f"{_matrix(rows, mode, names)}\n")
    print("\n".join(mended(rows, names)))
    print("~ a median's 95 % interval wider than 25 % of it; ? the "
          "co-runner ended before the target; > timed out.\nRaw numbers: "
          f"{run.file.directory}", flush=True)


def _check_rows(rows: Sequence[raw.Row]) -> None:
    seen: Dict[str, set] = {}
    for row in rows:
        if row["checksum"]:
            query = workloads.QUERIES[row["target"]][0]
            seen.setdefault(query, set()).add(row["checksum"])
    wrong = [query for query, sums in seen.items() if len(sums) > 1]
    if wrong:
        raise UserError(
            f"DIFFERENT ROWS between runs of {', '.join(wrong)}: a defect of "
            "ssdpar. Please report it with the directory above.")
    print("The rows were the same in all runs of a query.", flush=True)


def _preparing(options, names: List[str]
               ) -> Callable[[Server, Progress], None]:
    """Leaves out of names what is not there, makes the tables of the rest."""
    def prepare(server: Server, progress: Progress) -> None:
        if "PB" in names and not workloads.has_pgbench(server, progress):
            names.remove("PB")
        if "PM" in names and not workloads.has_postmark(progress):
            names.remove("PM")
        if "PB" in names:
            workloads.ensure_pgbench(server, options.pgbench_scale, progress)
        if set(READERS) & set(names):
            workloads.make_copy(server, progress)
    return prepare


def fig12(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    facts: Dict[str, object] = {}
    try:
        names = list(options.workloads)
        with scenario.running(options, progress,
                              _preparing(options, names)) as run, \
                contextlib.ExitStack() as stack:
            mail = None
            stack.callback(workloads.drop_copy, run.server)
            if "PM" in names:
                mail = stack.enter_context(
                    workloads.mail_directory(run.directory, facts))
            run.file.add_facts(dict(facts, workloads=names))
            work = Workloads(run, mail, options.transactions,
                             options.pgbench_seconds)
            rows = _measure(run, work, pairs_of(options.modes, names))
    finally:
        progress.close()
    _show(run, rows, names)
    _check_rows(rows)
    return 0


if __name__ == "__main__":
    cli.main(fig12)
