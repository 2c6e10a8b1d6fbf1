"""./run bench advise: what ssdpar.advise() finds, and the gain of its fixes.

A problem is created on an emulated SSD; the work that shows it is measured;
the advisor's fix is executed literally; the same work is measured again, and
the advisor has to be silent.
"""

from __future__ import annotations

import contextlib
import re
import time
from typing import Dict, Iterator, List, Sequence

from lib import advice, cli, cold, device_counts, load, process, raw
from lib import readahead, report, scenario, session, small_devices
from lib import statistics
from lib.advice import Case
from lib.device_counts import Counting
from lib.emulator import EmulatedDevice
from lib.errors import UserError
from lib.progress import Progress
from lib.scenario import Run

SCENARIO = "problems that ssdpar.advise() finds, before and after the fix"

ADVISED = "advised.csv"
# A table that has been read from the device, so that reads matter.
_BIG = "public.read_from"
COLUMNS = ("case", "rule", "round", "state", "seconds",
           *device_counts.COLUMNS, "longest_wait", "cached_pages_before",
           "pages_total", "seen", "costs", "fix")
BEFORE, AFTER = "before", "after"
_OFTEN, _BEGINS = 10_000, 2         # times; seconds
_ASK = ("FROM ssdpar.advise_by(ssdpar.gather_evidence("
        f"{advice.LARGE_BYTES})) a")
_SET = re.compile(r"^ALTER SYSTEM SET (\S+) = ")
# Separator in rows of advice, whose columns have no newline except the last.
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
    """Creates the problem, and nothing else that the advisor could report."""
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


@contextlib.contextmanager
def _beside(run: Run, case: Case) -> Iterator[None]:
    """A second session, once its work has started."""
    if not case.beside:
        yield
        return
    other = process.Background(
        run.server.psql_command() + ["-q", "-v", "ON_ERROR_STOP=1"],
        case.beside * _OFTEN)
    try:
        time.sleep(_BEGINS)
        yield
        words = other.ended()
        if words is not None:
            raise UserError(f"'{case.name}': the session beside the measured "
                            f"one has ended too early. It said: {words}")
    finally:
        other.end()
        # its counters are reported when it has ended
        run.server.sql(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE backend_type = 'client backend' AND "
            "pid <> pg_backend_pid();")


def _measure(run: Run, case: Case, devices: Sequence[EmulatedDevice]
             ) -> Dict[str, object]:
    """Seconds of the work, and what the devices did meanwhile."""
    if case.ready:
        run.server.sql(_path(case.ready))
    cache = _restart(run, case)
    with _beside(run, case), Counting(devices) as counting:
        began = time.monotonic()
        said = run.server.sql(_path(case.work))
        seconds = time.monotonic() - began
    return {**cache, **counting.counts, "seconds": round(seconds, 4),
            "longest_wait": said if case.waits else ""}


def _reset(run: Run) -> None:
    """Resets counters, so that only new events count."""
    shared = ["wal", "bgwriter"]
    if run.server.major >= 17:
        shared.append("checkpointer")
    run.server.sql("SELECT pg_stat_reset(); " + "".join(
        f"SELECT pg_stat_reset_shared('{name}'); " for name in shared))


def _ask(run: Run, case: Case) -> Dict[str, str]:
    """The advice on the case's object; empty if there is none."""
    text = run.server.sql(
        f"SELECT concat_ws(E'\\x1f', a.seen, a.costs, a.fix) {_ASK} WHERE "
        f"a.rule = '{case.rule}' AND strpos(a.object, '{case.object}') > 0 "
        "LIMIT 1;")
    if not text:
        return {}
    return dict(zip(("seen", "costs", "fix"), text.split(_APART)))


def _mend(run: Run, mend: str) -> None:
    """Executes it literally: SQL, or lines for a shell."""
    if mend.startswith("#"):
        process.check(["sh", "-ec", mend], "what mends it")
        return
    setting = _SET.match(mend)
    # not as one string, because some of it cannot run in a transaction
    run.server.sql(mend + ";")
    if setting:
        run.server.sql("SELECT pg_reload_conf();")
        time.sleep(1)
        # a restart writes the settings again
        run.server.settings[setting.group(1)] = run.server.sql(
            f"SHOW {setting.group(1)};")


def _look(run: Run, case: Case) -> Dict[str, str]:
    """The advisor's counters must show the work itself, and reads."""
    reads = "" if case.beside else f"SELECT count(*) FROM {_BIG};"
    run.server.sql(_path(
        case.seen + "SET track_io_timing = on; " + reads))
    time.sleep(1)           # until sessions have reported their counters
    return _ask(run, case)


def _before_and_after(run: Run, case: Case,
                      devices: Sequence[EmulatedDevice]
                      ) -> Iterator[Dict[str, object]]:
    """The two lines of a case; the fix comes between them."""
    _reset(run)
    row = _measure(run, case, devices)
    found = _look(run, case)
    if not found:
        raise UserError(f"'{case.name}': ssdpar.advise() does not see "
                        "the harm, so there is nothing to fix. Its "
                        "rule may ask for more data: try --scale 2.")
    yield dict(row, state=BEFORE, **found)
    _fix(run, found["fix"])
    _reset(run)
    row = _measure(run, case, devices)
    left = _look(run, case)
    yield dict(row, state=AFTER, seen=left.get("seen", ""))


def _one(run: Run, case: Case, round_: int, file: raw.RowFile) -> None:
    with readahead.set_to(run.device, case.read_ahead_kb,
                          run.server.scratch.path), \
            small_devices.mounted(run.server, case.devices, run.progress) \
            as beside, _made(run, case):
        devices = [run.device, *(beside.values() if case.counted else ())]
        for row in _before_and_after(run, case, devices):
            file.add(dict(row, case=case.name, rule=case.rule,
                          round=round_))


def _prepare(run: Run) -> None:
    """Enough reading for the advisor to consider reads important."""
    run.server.sql(
        f"DROP SCHEMA IF EXISTS {advice.SCHEMA} CASCADE; "
        f"CREATE TABLE IF NOT EXISTS {_BIG} AS SELECT i, "
        "repeat('x', 1000) AS padding FROM generate_series(1, 40000) i; "
        f"VACUUM FREEZE ANALYZE {_BIG};")


def _median(rows: Sequence[raw.Row], case: str, state: str, column: str
            ) -> float:
    return statistics.median([float(row[column]) for row in rows
                              if (row["case"], row["state"]) ==
                              (case, state)])


def table(rows: Sequence[raw.Row]) -> str:
    """One line per case: medians before and after."""
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


def _share(rows: Sequence[raw.Row], case: str, state: str) -> float:
    """Pages moved per programmed page, over all rounds."""
    programmed, moved = (
        sum(int(row[column]) for row in rows
            if (row["case"], row["state"]) == (case, state))
        for column in ("programmed_pages", "moved_pages"))
    return moved / programmed if programmed else 0.0


def inside_table(rows: Sequence[raw.Row]) -> str:
    """One line per completed case: what its devices did."""
    lines = []
    for name in dict.fromkeys(row["case"] for row in rows
                              if row["state"] == AFTER):
        cells = [name]
        for column, scale, digits in (("foreground_steps", 1, 0),
                                      ("busiest_bytes", 1e6, 1)):
            cells += [
                f"{_median(rows, name, state, column) / scale:,.{digits}f}"
                for state in (BEFORE, AFTER)]
        cells += [f"{_share(rows, name, state):.2f}"
                  for state in (BEFORE, AFTER)]
        lines.append(cells)
    return report.table(
        ["harm", "waited for garbage", "after", "MB in busiest s", "after",
         "moved a page", "after"], lines, left=(0,))


def tables(file: raw.RowFile) -> str:
    """Both, for completed measurements."""
    rows = file.latest(("case", "round", "state"))
    return table(rows) + "\n\n" + inside_table(rows)


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
        run, "What the advisor fixes",
        states or [cold.CacheState(0, 0)], "its own") + "\n")
    print(tables(file))
    print("Medians; times: seconds before / after. silent: the advisor says "
          "nothing more of it.\n"
          "waited for garbage: pages copied and blocks erased while a write "
          "waited.\nmoved a page: by collecting garbage, for each page "
          "written to flash.\n"
          f"Raw numbers: {run.file.directory}", flush=True)
    return 0


if __name__ == "__main__":
    cli.main(advise)
