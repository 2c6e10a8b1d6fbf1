"""./run bench advise: what ssdpar.advise() finds, what its mend is worth.

A harm is made on purpose, on an emulated SSD; the work that shows it is
measured; the advisor is asked, and what it says mends it is run to the letter;
the same work is measured again, and the advisor has to be silent.
"""

from __future__ import annotations

import contextlib
import re
import time
from typing import Dict, Iterator, List, Sequence

from lib import advice, cli, cold, load, process, raw, readahead, report
from lib import scenario, session, statistics
from lib.advice import Case
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Run

SCENARIO = "harms that ssdpar.advise() finds, before and after its mend"

ADVISED = "advised.csv"
COLUMNS = ("case", "rule", "round", "state", "seconds", "read_bytes",
           "written_bytes", "cached_pages_before", "pages_total", "seen",
           "costs", "mend")
BEFORE, AFTER = "before", "after"
_ASK = ("FROM ssdpar.advise_by(ssdpar.gather_evidence("
        f"{advice.LARGE_BYTES})) a")
_SET = re.compile(r"^ALTER SYSTEM SET (\S+) = ")
# Of the advice, rows whose columns hold no newline but in mend, which is last.
_APART = "\x1f"


def _path(text: str) -> str:
    return f"SET search_path = {advice.SCHEMA}, public;\n{text}"


def _restart(run: Run, case: Case) -> Dict[str, object]:
    """With nothing cached of what the case reads."""
    files = [run.server.sql(_path(f"SELECT pg_relation_filepath('{name}')"))
             for name in case.files]
    if not files:
        return {}
    cache = cold.restart_files_cold(run.server, files)
    return {"cached_pages_before": cache.resident,
            "pages_total": cache.total}


@contextlib.contextmanager
def _made(run: Run, case: Case) -> Iterator[None]:
    """The harm, and nothing else for the advisor to speak of."""
    server, kept = run.server, dict(run.server.settings)
    try:
        server.stop()
        server.settings.update(case.settings)
        server.start()
        server.sql(f"DROP SCHEMA IF EXISTS {advice.SCHEMA} CASCADE; "
                   f"CREATE SCHEMA {advice.SCHEMA};")
        server.sql(_path(case.make))
        yield
    finally:
        server.sql("ALTER TABLESPACE pg_default RESET "
                   "(maintenance_io_concurrency);")
        server.sql(f"DROP SCHEMA {advice.SCHEMA} CASCADE;")
        server.stop()
        server.settings.clear()
        server.settings.update(kept)
        server.start()


def _measure(run: Run, case: Case) -> Dict[str, object]:
    """Seconds of the work, and what the device moved meanwhile."""
    if case.ready:
        run.server.sql(_path(case.ready))
    cache = _restart(run, case)
    read, written = run.device.bytes_read(), run.device.bytes_written()
    began = time.monotonic()
    run.server.sql(_path(case.work))
    return {**cache, "seconds": round(time.monotonic() - began, 4),
            "read_bytes": run.device.bytes_read() - read,
            "written_bytes": run.device.bytes_written() - written}


def _reset(run: Run) -> None:
    """Counters of what has been, so that only what comes counts."""
    run.server.sql("SELECT pg_stat_reset(); "
                   "SELECT pg_stat_reset_shared('wal'); "
                   "SELECT pg_stat_reset_shared('bgwriter');")


def _ask(run: Run, case: Case) -> Dict[str, str]:
    """The advice on the case's object; empty if there is none."""
    text = run.server.sql(
        f"SELECT concat_ws(E'\\x1f', a.seen, a.costs, a.mend) {_ASK} WHERE "
        f"a.rule = '{case.rule}' AND a.object LIKE "
        f"{like(case.object)} LIMIT 1;")
    if not text:
        return {}
    return dict(zip(("seen", "costs", "mend"), text.split(_APART)))


def like(name: str) -> str:
    """A pattern of SQL for what begins with that."""
    return "'" + name.replace("_", "\\_") + "%'"


def _mend(run: Run, mend: str) -> None:
    """To the letter: SQL, or lines for a shell."""
    if mend.startswith("echo "):
        process.check(["sh", "-ec", mend], "what mends it")
        return
    setting = _SET.match(mend)
    # not as one string: some of it refuses to be in a transaction
    run.server.sql(mend + ";")
    if setting:
        run.server.sql("SELECT pg_reload_conf();")
        time.sleep(1)
        # a restart writes the settings anew
        run.server.settings[setting.group(1)] = run.server.sql(
            f"SHOW {setting.group(1)};")


def _look(run: Run, case: Case) -> Dict[str, str]:
    """What the advisor's counters go by is the work itself, and reads."""
    run.server.sql(_path(
        case.seen + f"SET track_io_timing = on; SELECT count(*) FROM {_big()};"))
    time.sleep(1)           # for sessions to tell their counters
    return _ask(run, case)


def _big() -> str:
    """A table that has been read from the device, so that reads count."""
    return "public.read_from"


def _one(run: Run, case: Case, round_: int, file: raw.RowFile) -> None:
    with readahead.set_to(run.device, case.read_ahead_kb,
                          run.server.scratch.path), _made(run, case):
        _reset(run)
        row = _measure(run, case)
        found = _look(run, case)
        if not found:
            raise UserError(f"'{case.name}': ssdpar.advise() does not see "
                            "the harm, so there is nothing to mend. Its "
                            "rule may ask for more data: try --scale 2.")
        file.add(dict(row, case=case.name, rule=case.rule, round=round_,
                      state=BEFORE, **found))
        _mend(run, found["mend"])
        _reset(run)
        row = _measure(run, case)
        left = _look(run, case)
        file.add(dict(row, case=case.name, rule=case.rule, round=round_,
                      state=AFTER, seen=left.get("seen", "")))


def _prepare(run: Run) -> None:
    """Enough to read that the advisor takes reads to matter."""
    run.server.sql(
        "CREATE TABLE IF NOT EXISTS public.read_from AS SELECT i, "
        "repeat('x', 1000) AS padding FROM generate_series(1, 40000) i; "
        "VACUUM FREEZE ANALYZE public.read_from;")


def _median(rows: Sequence[raw.Row], case: str, state: str, column: str
            ) -> float:
    return statistics.median([float(row[column]) for row in rows
                              if (row["case"], row["state"]) ==
                              (case, state)])


def table(rows: Sequence[raw.Row]) -> str:
    """A line a case: medians before and after."""
    lines = []
    for name in dict.fromkeys(row["case"] for row in rows):
        mine = [row for row in rows if row["case"] == name]
        if not any(row["state"] == AFTER for row in mine):
            continue

        def of(column: str, scale: float, name: str = name) -> List[str]:
            return [f"{_median(rows, name, state, column) / scale:,.2f}"
                    for state in (BEFORE, AFTER)]
        before, after = (_median(rows, name, state, "seconds")
                         for state in (BEFORE, AFTER))
        silent = all(row["seen"] == "" for row in mine
                     if row["state"] == AFTER)
        lines.append([name, mine[0]["rule"]] + of("seconds", 1) +
                     [f"{before / after:.2f}"] + of("read_bytes", 1e6) +
                     of("written_bytes", 1e6) +
                     ["yes" if silent else "no"])
    return report.table(
        ["harm", "rule", "s before", "s after", "times", "MB read", "after",
         "MB written", "after", "silent"], lines, left=(0, 1))


def advise(arguments: Sequence[str]) -> int:
    parser = cli.Parser(prog="./run bench advise", description=__doc__)
    scenario.add_options(parser, rounds=3, scale=1.0, timeout=False)
    parser.add_argument("--only", metavar="HARM[,HARM]", default=advice.NAMES,
                        type=scenario.list_of(
                            scenario.one_of(advice.NAMES, "harm"), "a harm"),
                        help="some of: " + ", ".join(advice.NAMES))
    parser.set_defaults(profile=True, device="ssd-s")
    options = scenario.parse(parser, "advise", arguments)
    progress = Progress()
    try:
        with scenario.running(options, progress, source=load.Nothing(),
                              apart=session.ADVISED) as run:
            file = run.file.rows(ADVISED, COLUMNS, run.progress)
            have = {(row["case"], int(row["round"])) for row in file.rows
                    if row["state"] == AFTER}
            known = advice.cases(options.scale)
            order = [(round_, known[name]) for round_, name
                     in scenario.shuffled(options.only, options.rounds)
                     if (name, round_) not in have]
            _prepare(run)
            for round_, case in scenario.in_turn(
                    run.progress, f"{len(order)} harms", order,
                    options.rounds, lambda case: case.name):
                _one(run, case, round_, file)
    finally:
        progress.close()
    states = [cold.CacheState(int(row["cached_pages_before"]),
                              int(row["pages_total"]))
              for row in file.rows if row["pages_total"]]
    print("\n" + scenario.headline(
        run, "What the advisor mends",
        states or [cold.CacheState(0, 0)], "its own") + "\n")
    print(table(file.rows))
    print("Medians; times: seconds before / after. silent: the advisor says "
          "nothing more of it.\n"
          f"Raw numbers: {run.file.directory}", flush=True)
    return 0


if __name__ == "__main__":
    cli.main(advise)
