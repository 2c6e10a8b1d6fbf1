"""./run bench fig12: Figure 12 of Chen et al. (2016), interference.

Case 3, section 7.4 there: QS (Q1.2 by hash join), QR (Q1.2 by index join), PB
(pgbench) and PM (postmark), each alone and together with each other; the
co-runner is repeated until the target ends.  Measures how much longer the
target takes.  A query as co-runner reads a copy of the fact table, so that the
two share no cache.  The same is repeated with ssdpar's daemon prefetching for
the same plans (daemon), and with all of ssdpar on, as by default (ssdpar):
star scans, the daemon, and costs that include others' outstanding requests.
In addition to the matrix there is Q0 with PM, as in the text.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from lib import cli, cold, interference, raw, report, scenario
from lib import statistics, workloads
from lib.errors import UserError
from lib.interference import ALONE
from lib.progress import Progress
from lib.scenario import Run
from lib.server import Server
from lib.workloads import MODES, Outcome, Workloads

SCENARIO = "interference of query, pgbench and postmark pairs"

NAMES = ("QS", "QR", "PB", "PM")
PAIRS = "pairs.csv"
COLUMNS = ("mode", "target", "co_runner", "round", "unit", "value",
           "device_bytes_read", "cache", "cached_pages_before",
           "pages_total", "read_ahead_kb", "plan", "rows", "checksum",
           "timed_out", "co_runner_ended", "settings")
_USUAL = {"transactions": 20000, "pgbench_seconds": 15, "pgbench_scale": 20}
_QUICK = {"transactions": 100, "pgbench_seconds": 3, "pgbench_scale": 2}
_LEAD_SECONDS = 1.0         # head start of a co-runner before the target


@dataclass(frozen=True)
class Pair:
    """A target with a co-runner, or alone."""

    mode: str
    target: str
    co_runner: Optional[str]

    @property
    def key(self) -> Tuple[str, str, str]:
        return self.mode, self.target, self.co_runner or ALONE


Cell = Tuple[str, Optional[str]]


def _cell_of(text: str) -> Cell:
    """A type for argparse: a pair as the paper writes it."""
    cell = tuple(text.split("/"))
    if cell not in _all_cells(NAMES):
        raise argparse.ArgumentTypeError(
            f"'{text}' is no pair of a target and a co-runner, as PB/QS is")
    return cell


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench fig12", description=__doc__)
    scenario.add_options(parser, rounds=3)
    parser.set_defaults(timeout=600, profile=True)
    parser.add_argument("--modes", default=list(MODES),
                        type=scenario.list_of(workloads.mode_named, "a mode"),
                        help="default " + ",".join(MODES) + "; "
                        "ssdpar/N@TIME limits ssdpar to N processes and sets "
                        "ssdpar.write_protection; both are optional")
    parser.add_argument("--workloads", default=list(NAMES),
                        type=scenario.list_of(
                            scenario.one_of(NAMES, "workload"),
                            "a workload"), help="default QS,QR,PB,PM")
    parser.add_argument("--pairs", default=None, metavar="PAIRS",
                        type=scenario.list_of(_cell_of, "a pair"),
                        help="such as PB/QS,QR/PM: only these targets with "
                        "these concurrent workloads, and the targets alone")
    parser.add_argument("--transactions", type=cli.count(1, 10 ** 8),
                        default=None, help="postmark transactions (default 20000)")
    parser.add_argument("--pgbench-seconds", type=cli.count(1, 3600),
                        default=None, help="duration of a pgbench target "
                        "(default 15)")
    parser.add_argument("--pgbench-scale", type=cli.count(1, 1000),
                        default=None, help="default 20, about 300 MB")
    options = scenario.parse(parser, "fig12", arguments)
    usual = _QUICK if options.quick else _USUAL
    for name, value in usual.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    return options


def _all_cells(names: Sequence[str]) -> List[Cell]:
    """Each alone, and each with each."""
    cells = [(target, other) for target in names for other in (None, *names)]
    return cells + ([("Q0", None), ("Q0", "PM")] if "PM" in names else [])


def pairs_of(modes: Sequence[str], names: Sequence[str],
             only: Optional[Sequence[Cell]] = None) -> List[Pair]:
    """What is measured; only these cells, and their targets alone.

    Modes only affect queries, so pairs without one are measured once.
    """
    wanted = None if only is None else \
        {*only, *((target, None) for target, _ in only)}
    cells = [cell for cell in _all_cells(names)
             if wanted is None or cell in wanted]
    return [Pair(mode, target, other) for mode in modes
            for target, other in cells
            if mode == modes[0] or interference.has_query(target, other)]


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
    """Before hours are spent on an unintended plan."""
    if outcome.leg is None:
        return
    shape = outcome.leg.shape
    why = workloads.wrong_plan(pair.target, pair.mode, shape)
    if why is not None:
        raise UserError(f"{pair.target} in mode {pair.mode}: its plan {why} "
                        f"({shape}), so it is not the workload that is "
                        "meant. At such a small --scale the planner may "
                        "have no use for it; take a larger one.")


def _one(run: Run, work: Workloads, pair: Pair, round_: int
         ) -> Dict[str, object]:
    work.make_cold(scenario.make_cold)
    with work.co_runner(pair.co_runner, pair.mode) as other:
        if other is not None:
            time.sleep(_LEAD_SECONDS)
        outcome = work.target(pair.target, pair.mode, round_)
        ended = other.ended() if other is not None else None
    _check_plan(pair, outcome)
    return _row(pair, round_, outcome, work.cache,
                run.device.read_ahead_kb() if run.device else None, ended)


def _measure(run: Run, work: Workloads, pairs: Sequence[Pair]
             ) -> List[raw.Row]:
    file = run.file.rows(PAIRS, COLUMNS, run.progress)
    have = {(row["mode"], row["target"], row["co_runner"],
             int(row["round"])) for row in file.rows}
    order = [(round_, pair) for round_, pair
             in scenario.shuffled(pairs, run.options.rounds)
             if (*pair.key, round_) not in have]
    for round_, pair in scenario.in_turn(
            run.progress, f"running {len(order)} targets", order,
            run.options.rounds,
            lambda pair: f"{pair.target} beside "
            f"{pair.co_runner or 'nothing'}, {pair.mode}"):
        file.add(_one(run, work, pair, round_))
    return file.rows


def marks(rows: Sequence[raw.Row], found: interference.Costs,
          key: interference.Key) -> str:
    """? the co-runner ended early, > a run timed out, ~ wide."""
    mode, target, other = key
    mine = [row for row in rows if (row["mode"], row["target"],
                                    row["co_runner"]) == key]
    text = "?" if any(row["co_runner_ended"] for row in mine) else ""
    if any(row["timed_out"] == "1" for row in mine):
        return text + ">"
    cell = interference.slowdown(found, mode, target, other)
    return text + ("~" if cell is not None and cell.wide else "")


def _cell(rows: Sequence[raw.Row], found: interference.Costs,
          key: interference.Key) -> str:
    cell = interference.slowdown(found, *key)
    if cell is None:
        return ""
    return (f"{marks(rows, found, key)}{cell.value:+.0%} "
            f"({cell.interval_text})")


def _alone(rows: Sequence[raw.Row], mode: str, target: str) -> str:
    found = interference.cost_of(interference.costs(rows), mode, target,
                                 ALONE)
    if not found:
        return ""
    value = statistics.median(found)
    return f"{1 / value:.4g} tps" if target == "PB" else f"{value:.4g} s"


def _matrix(rows: Sequence[raw.Row], mode: str, names: Sequence[str]
            ) -> str:
    found = interference.costs(rows)
    targets = [*names, "Q0"] if "PM" in names else list(names)
    lines = [[target, _alone(rows, mode, target)] +
             [_cell(rows, found, (mode, target, other)) for other in names]
             for target in targets]
    return report.table(["target", "alone"] + [f"beside {name}"
                                               for name in names], lines)


def _show(run: Run, rows: List[raw.Row], names: Sequence[str]) -> None:
    states = [cold.CacheState(int(row["cached_pages_before"]),
                              int(row["pages_total"])) for row in rows]
    print("\n" + scenario.headline(run, "Figure 12", states) + "\n")
    for mode in run.options.modes:
        print(f"{mode}: how much longer the target takes\n"
              f"{_matrix(rows, mode, names)}\n")
    for goal in interference.goals(rows):
        print(goal.line())
    print("In brackets 95 % intervals; ~ wider than 25 % of the time beside "
          "the co-runner; ? the co-runner\nended before the target; > timed "
          f"out.\nRaw numbers: {run.file.directory}", flush=True)


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
        if set(interference.READERS) & set(names):
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
            rows = _measure(run, work, pairs_of(options.modes, names,
                                                options.pairs))
    finally:
        progress.close()
    _show(run, rows, names)
    _check_rows(rows)
    return 0


if __name__ == "__main__":
    cli.main(fig12)
