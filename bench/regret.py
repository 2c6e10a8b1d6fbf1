"""./run bench regret: how far ssdpar's choice is from the best plan.

Star queries from a seed, on separate tables: one to four dimensions, with and
without an index, three sizes of facts, from a millionth to half of the rows.
Each runs with ssdpar's choice and with every candidate that it could have
chosen.  The first round runs all of them, with a limit of a few times the best
so far; further rounds repeat the choice and the candidates near the best,
because the best of ten single runs is often only the luckiest.

Plans that are the same count as one candidate.  The best one is determined by
the other rounds, so that noise does not count as regret.  A second choice uses
true cardinalities: the same rows, by filters whose selectivity the planner
knows, so that wrong costs can be distinguished from wrong row counts.

Finally, the share of rows at which index and hash join cost the same,
predicted and measured, in one process and in several.
"""

from __future__ import annotations

import csv
import os
import time
from typing import Dict, List, Optional, Sequence, Tuple

from lib import cli, cold, legs, regrets, report, scenario, stars
from lib.errors import UserError
from lib.legs import Leg
from lib.progress import Progress
from lib.regrets import AUTO, DEFAULT, TRUE, Regret
from lib.scenario import Run
from lib.stars import Question

SCENARIO = "chosen plans compared with the best plans, 200 star queries"

_HASH = {"ssdpar.star_scan": "off", "ssdpar.partition": "fact",
         "enable_nestloop": "off", "enable_mergejoin": "off",
         "enable_indexscan": "off", "enable_indexonlyscan": "off",
         "enable_bitmapscan": "off"}
_INDEX = {"ssdpar.star_scan": "off", "ssdpar.partition": "dimension",
          "enable_mergejoin": "off", "enable_bitmapscan": "off"}
_ALONE = {"ssdpar.subqueries": "1", "max_parallel_workers_per_gather": "0"}


def _split(base: legs.Settings, n: int) -> legs.Settings:
    return dict(base, **{"ssdpar.subqueries": str(n)})


CANDIDATES: Dict[str, legs.Settings] = {
    AUTO: {},
    DEFAULT: {"ssdpar.enabled": "off"},
    "hash-1": dict(_HASH, **_ALONE),
    "hash-2": _split(_HASH, 2),
    "hash-4": _split(_HASH, 4),
    # Only page costs can force an unsplit index join.
    "index-1": dict(_INDEX, **_ALONE, **{"ssdpar.cost_model": "off",
                                         "random_page_cost": "0.1"}),
    "index-4": _split(_INDEX, 4),
    "index-16": _split(_INDEX, 16),
    "star-bitmap": {"ssdpar.star_access": "bitmap"},
    "star-sequential": {"ssdpar.star_access": "sequential"},
}
_NEED_INDEX = ("index-1", "index-4", "index-16", "star-bitmap")

# The crossing: the model prices both plans, so only joins are disabled.
CROSSING: Dict[str, legs.Settings] = {
    "hash-1": CANDIDATES["hash-1"],
    "index-1": dict(_INDEX, **_ALONE, enable_hashjoin="off",
                    enable_material="off"),
    "hash-4": CANDIDATES["hash-4"],
    "index-16": CANDIDATES["index-16"],
}
_PAIRS = {"in one process": ("index-1", "hash-1"),
          "in parallel": ("index-16", "hash-4")}
_CLEARLY = 2.0          # times slower: larger shares will not be faster

_LEAST_LIMIT = 1.0      # seconds allowed for any candidate
_LIMIT = 3.0            # times the best so far
_NEAR = 1.5             # times the best: repeated in further rounds
_WORTH = 0.05           # seconds; below, connecting and noise weigh more


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench regret", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=1.0)
    parser.set_defaults(profile=True)
    parser.add_argument("--points", type=cli.count(0, 100000), default=200,
                        help="star queries (default 200; 0: only the "
                        "crossing)")
    parser.add_argument("--seed", type=cli.count(0, 999999999), default=1,
                        help="seed of the queries (default 1)")
    state = parser.add_mutually_exclusive_group()
    state.add_argument("--hot", action="store_true",
                       help="everything cached, no memory limit")
    state.add_argument("--cold", dest="hot", action="store_false",
                       help="nothing cached before a leg (the default): the "
                       "server restarted and the files of the tables that "
                       "are asked evicted, in half the time that emptying "
                       "all caches takes")
    parser.add_argument("--no-crossing", action="store_true",
                        help="leave out the crossing")
    return scenario.parse(parser, "regret", arguments)


class Legs:
    """Runs legs that the file does not have yet."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._files = stars.files(run.server)
        self._have = {(leg.query, leg.variant, leg.round): leg
                      for leg in run.file.done}

    def _state(self) -> cold.CacheState:
        if self.run.hot:
            return cold.resident_files(self.run.server, self._files)
        return cold.restart_files_cold(self.run.server, self._files)

    def get(self, question: Question, variant: str, round_: int,
            settings: legs.Settings, limit: float) -> Leg:
        key = (question.name, variant, round_)
        if key not in self._have:
            leg = legs.run_leg(self.run.server, self.run.device, self._state(),
                               question.name,
                               question.statement(variant == TRUE), variant,
                               round_, settings, limit, self.run.hot,
                               lambda lines:
                               {"Joined Rows": stars.joined_rows(lines)})
            self.run.file.add(leg)
            self._have[key] = leg
        return self._have[key]


def variants(question: Question) -> List[str]:
    """Sensible candidates for a query, the choice first."""
    names = [name for name in CANDIDATES
             if question.indexed or name not in _NEED_INDEX]
    if question.misleading:
        names.insert(1, TRUE)
    return names


def _settings(variant: str) -> legs.Settings:
    return CANDIDATES[AUTO if variant == TRUE else variant]


def _limit(run: Run, variant: str, best: Optional[float]) -> float:
    """Seconds for a leg; ssdpar's choice always runs to its end."""
    most = float(run.options.timeout)
    if best is None or variant in (AUTO, TRUE):
        return most
    return min(most, max(_LEAST_LIMIT, _LIMIT * best))


def _first_round(run: Run, store: Legs, question: Question) -> List[Leg]:
    done: List[Leg] = []
    best: Optional[float] = None
    for variant in variants(question):
        leg = store.get(question, variant, 1, _settings(variant),
                        _limit(run, variant, best))
        done.append(leg)
        if not leg.timed_out:
            best = min(best or leg.seconds, leg.seconds)
    return done


def finalists(done: Sequence[Leg]) -> List[str]:
    """The choices, and the possible best candidates."""
    times = [leg.seconds for leg in done if not leg.timed_out]
    near = _NEAR * min(times, default=0.0)
    return [leg.variant for leg in done if leg.variant in (AUTO, TRUE) or
            not leg.timed_out and leg.seconds <= near]


def _measure(run: Run, store: Legs, questions: List[Question]) -> None:
    began = time.monotonic()
    with run.progress.step(f"running {len(questions)} star queries"):
        for number, question in enumerate(questions):
            run.progress.update(
                f"{question.name} of {len(questions)}: {question.fact}"
                f"{scenario.time_left(began, number, len(questions))}",
                number / len(questions))
            done = _first_round(run, store, question)
            names = finalists(done)
            for round_ in range(2, run.options.rounds + 1):
                for name in names:
                    store.get(question, name, round_, _settings(name),
                              float(run.options.timeout))


def _cross(run: Run, store: Legs) -> None:
    """Growing shares of the largest dimension, until both pairs have crossed.
    """
    size = stars.dimension_rows(run.options.scale)[3]
    open_ = dict(_PAIRS)
    rows = max(1, size // 2 ** 16)
    with run.progress.step("looking for the crossing"):
        while rows <= size // 2 and open_:
            question = stars.one_dimension(f"x{rows:07d}", rows,
                                           run.options.scale)
            for name, pair in list(open_.items()):
                times = []
                for variant in pair:
                    group = [store.get(question, variant, round_,
                                       CROSSING[variant],
                                       float(run.options.timeout))
                             for round_ in range(1, run.options.rounds + 1)]
                    times.append(min(leg.seconds for leg in group))
                if times[0] > _CLEARLY * times[1]:
                    del open_[name]
            rows *= 2


def _seconds_per_cost(run: Run) -> float:
    return float(run.server.sql("SELECT cost_unit_seconds FROM ssdpar.device "
                                "WHERE tablespace = 'pg_default'"))


def _write(run: Run, questions: Dict[str, Question],
           found: List[Tuple[Regret, Optional[Regret]]]) -> None:
    """regret.csv: one line per query, rebuilt from the legs each time."""
    path = os.path.join(run.file.made(), "regret.csv")
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["query", "fact", "filters", "share", "chosen", "best",
                      "best_variant", "seconds", "best_seconds",
                      "default_seconds", "default_timed_out", "regret",
                      "regret_true"])
        for entry, true in found:
            question = questions[entry.query]
            out.writerow([
                entry.query, question.fact,
                "; ".join(map(str, question.filters)),
                f"{question.share:.3g}", entry.chosen, entry.best,
                entry.best_variant, f"{entry.seconds:.6f}",
                f"{entry.best_seconds:.6f}",
                "" if entry.default_seconds is None
                else f"{entry.default_seconds:.6f}",
                int(entry.default_timed_out), f"{entry.ratio:.4f}",
                f"{true.ratio:.4f}" if true else ""])


def _regrets(run: Run, questions: Dict[str, Question]
             ) -> List[Tuple[Regret, Optional[Regret]]]:
    """For each query, and with true cardinalities if that differs."""
    result = []
    for name, done in regrets.by_query(run.file.done).items():
        entry = regrets.of_query(done) if name in questions else None
        if entry is not None:
            result.append((entry, regrets.of_query(done, TRUE)))
    return sorted(result, key=lambda pair: pair[0].query)


def _errors(done: Sequence[Leg], unit: float) -> List[str]:
    """Predicted against actual time and rows, of the choices."""
    lines = []
    for variant, words in ((AUTO, "as chosen"),
                           (TRUE, "with true cardinalities, where those "
                            "differ")):
        chosen = [leg for leg in done if leg.variant == variant
                  and leg.round == 1 and not leg.timed_out]
        errors = [error for error in
                  (regrets.time_error(leg, unit) for leg in chosen)
                  if error is not None]
        rows = [error for error in map(regrets.cardinality_error, chosen)
                if error is not None]
        if errors and rows:
            both = regrets.symmetric(errors)
            lines.append(
                f"{words}: time predicted / real, median "
                f"{regrets.quantile(errors, 0.5):.2f}, off by a factor of "
                f"{regrets.quantile(both, 0.5):.2f} (median), "
                f"{regrets.quantile(both, 0.95):.2f} (95th percentile); "
                "joined rows off by a factor of "
                f"{regrets.quantile(rows, 0.5):.2f}, "
                f"{regrets.quantile(rows, 0.95):.1f}")
    return lines


def _show_regret(run: Run, questions: Dict[str, Question], unit: float
                 ) -> None:
    found = _regrets(run, questions)
    if not found:
        return
    _write(run, questions, found)
    worst = sorted(found, key=lambda pair: -pair[0].ratio)[:15]
    rows = [[entry.query, questions[entry.query].fact,
             f"{questions[entry.query].share:.1e}", entry.chosen,
             f"{entry.seconds:.3f}", entry.best, entry.best_variant,
             f"{entry.best_seconds:.3f}", f"{entry.ratio:.2f}",
             f"{true.ratio:.2f}" if true else "same"]
            for entry, true in worst]
    print(report.table(["query", "fact", "share", "chosen", "s", "best", "by",
                        "s best", "regret", "true rows"], rows,
                       left=(0, 1, 3, 5, 6)))
    print("\nRegret: " + regrets.distribution([e.ratio for e, _ in found]))
    longer = [e.ratio for e, _ in found if e.best_seconds >= _WORTH]
    if longer:
        print(f"of these, where the best takes at least {_WORTH * 1000:.0f} "
              "ms: " + regrets.distribution(longer))
    print("with true cardinalities: " + regrets.distribution(
        [(true or entry).ratio for entry, true in found]))
    plain = [entry for entry, _ in found if entry.default_seconds]
    print("PostgreSQL's own choice, to compare: " + regrets.distribution(
        [entry.default_seconds / entry.best_seconds for entry in plain],
        [entry.default_timed_out for entry in plain]))
    noise = regrets.noise([leg for leg in run.file.done
                           if leg.query in questions])
    if noise:
        print("the same plan, one round against the next: off by a factor of "
              f"{regrets.quantile(noise, 0.5):.2f} (median), "
              f"{regrets.quantile(noise, 0.95):.2f} (95th percentile)")
    print("\n".join(_errors(run.file.done, unit)))


def _show_crossing(run: Run, unit: float) -> None:
    found: Dict[str, Dict[str, Dict[int, List[Leg]]]] = {}
    for leg in run.file.done:
        if leg.query.startswith("x"):
            found.setdefault(leg.variant, {}).setdefault(
                leg.query, {}).setdefault(int(leg.query[1:]), []).append(leg)
    size = stars.dimension_rows(run.options.scale)[3]
    for name, (index, hash_) in _PAIRS.items():
        places: Dict[str, List[Dict[int, float]]] = {"measured": [],
                                                     "predicted": []}
        for variant in (index, hash_):
            flat = {rows: group for groups in found.get(variant, {}).values()
                    for rows, group in groups.items()}
            places["measured"].append(
                {rows: min(leg.seconds for leg in group)
                 for rows, group in flat.items()})
            places["predicted"].append(
                {rows: group[0].explained[0]["Plan"]["Total Cost"] * unit
                 for rows, group in flat.items()})
        words = []
        for what, (by_index, by_hash) in places.items():
            at = regrets.crossing(by_index, by_hash)
            words.append(f"{what} " + ("outside of what was tried"
                                       if at is None else f"{at / size:.3%}"))
        print(f"Index and hash join cost the same, {name}: "
              f"{', '.join(words)} of the fact")


def regret(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    questions = stars.questions(options.points, options.seed, options.scale)
    try:
        with scenario.running(
                options, progress,
                lambda server, steps: stars.ensure_tables(
                    server, options.scale, steps)) as run:
            if not run.server.sql("SELECT count(*) FROM ssdpar.device "
                                  "WHERE cost_unit_seconds > 0") > "0":
                raise UserError("the scratch server has no device profile "
                                "with CPU times, so ssdpar predicts nothing.")
            store = Legs(run)
            _measure(run, store, questions)
            if not options.no_crossing:
                _cross(run, store)
            unit = _seconds_per_cost(run)
    finally:
        progress.close()
    print("\n" + scenario.headline(run, "Regret") + "\nTables of their own, "
          f"the largest fact with {options.scale:g} GB; seed "
          f"{options.seed}.\n")
    _show_regret(run, {one.name: one for one in questions}, unit)
    if not options.no_crossing:
        _show_crossing(run, unit)
    print(f"Raw numbers and plans: {run.file.directory}", flush=True)
    scenario.check_rows(run.file.done)
    return 0


if __name__ == "__main__":
    cli.main(regret)
