"""sqlsmith: arbitrary statements cause no crash and no internal error.

The server's log is evaluated: a process that died, a failed assertion, an
error of class XX.  Each such statement runs again with ssdpar.enabled = off,
and is core's problem if it fails there as well; known errors of core (_CORES)
need not run again.  If sqlsmith made no statement, that is a finding too,
because nothing was tested.  Findings are reduced, once for each message,
because the others of the same minute are usually the same defect.
"""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import time
from collections import Counter
from typing import Dict, List, Optional, Set, Tuple

from lib import process
from unit import Finding, Part, Result
from place import WITH_SSDPAR
from lib.server import SUPERUSER
import settings
from reproduce import SECONDS, Reproduction, Trial, make_smaller
from session import Lost
from schema import Schema
from settings import Settings
from smaller import Patience, shorter
from tables import OFF, make_database, reopen_session

_SLICE = 60.0
_LEAST = 10.0           # it reads the catalogs before its first statement
_DATABASE = "smith"
_REDUCING = 3 * SECONDS     # for all findings of a unit

# When run again, the statement may first raise another of its own errors.
# pg_stop_making_pinned_objects(): SetNextObjectId() (varsup.c) raises this in
# each server that is not initdb's.
_CORES = ("cannot advance OID counter anymore",)


# The result of a statement: SQLSTATE and message, without varying parts.
Outcome = Tuple[str, str]

_CRASH: Outcome = ("crash", "")


def _blurred(message: str) -> str:
    return re.sub(r"0x[0-9a-f]+|\d+", "N", message)


class Smith(Part):
    NAME = "smith"
    SIDE_BY_SIDE = True
    TRIES = ("statements of sqlsmith: no crash, no assertion, no error of "
             "class XX that core alone does not give")

    def lacks(self) -> Optional[str]:
        return None if shutil.which("sqlsmith") else \
            "smith: needs the program sqlsmith (apt-get install sqlsmith)."

    def run(self, number: int, seconds: float) -> Result:
        seed = self.seed * 100000 + number
        logs = self.place.path("smith")
        if not os.path.isdir(logs):
            self.place.directory("smith")
        self.place.run_with({
            **WITH_SSDPAR, "logging_collector": "on",
            "log_destination": "jsonlog,stderr", "log_directory": logs,
            "log_filename": "log", "log_min_error_statement": "error",
            "log_rotation_age": "0", "log_rotation_size": "0"})
        schema = make_database(self.place, _DATABASE, f"{seed}/smith")
        before = self._size(logs)
        end = self._smith(seed, max(_LEAST, min(seconds, _SLICE)))
        # one character each: success, error, timeout, syntax, connection lost
        statements = sum(map(len, re.findall(r"^[.etSC]+$", end.out, re.M)))
        result = self._judged(schema, self._read(logs, before), seed)
        result.counts["statements"] = statements
        if statements == 0:
            result.findings.append(self._nothing(seed, end))
        return result

    def _smith(self, seed: int, seconds: float) -> process.Result:
        target = (f"host={self.place.socket} port={self.place.server.port} "
                  f"user={SUPERUSER} dbname={_DATABASE}")
        # it continues after an error, and is stopped by a timeout
        return process.run(["timeout", "-s", "INT", str(int(seconds) + 1),
                            "sqlsmith", f"--target={target}",
                            f"--seed={seed}", "--verbose",
                            "--exclude-catalog"], merge=True,
                           own_session=True)

    @staticmethod
    def _nothing(seed: int, end: process.Result) -> Finding:
        said = "".join(f"-- {line}\n"
                       for line in end.last_words().splitlines())
        return Finding(f"seed {seed}: sqlsmith came to no statement",
                       f"-- exit status {end.status}; it said:\n{said}")

    @staticmethod
    def _size(logs: str) -> int:
        files = glob.glob(os.path.join(logs, "*.json"))
        return os.path.getsize(files[0]) if files else 0

    @staticmethod
    def _read(logs: str, offset: int) -> List[Dict[str, str]]:
        entries = []
        for path in glob.glob(os.path.join(logs, "*.json")):
            with open(path, encoding="utf-8", errors="replace") as file:
                file.seek(offset)
                for line in file:
                    try:
                        entries.append(json.loads(line))
                    except ValueError:      # the last one, still being written
                        continue
        return entries

    def _judged(self, schema: Schema, entries: List[Dict[str, str]],
                seed: int) -> Result:
        counts: Counter[str] = Counter({"statements": 0})
        findings = []
        end = time.monotonic() + _REDUCING
        known: Set[Outcome] = set()
        for entry in entries:
            died = "was terminated by signal" in entry.get("message", "")
            state = entry.get("state_code", "")
            counts["errors"] += entry.get("error_severity") == "ERROR"
            if not died and not state.startswith("XX"):
                continue
            text = entry.get("statement", "")
            if died:
                text = entry.get("detail", "").partition(": ")[2]
            if entry["message"] in _CORES or self._core_too(text, state):
                counts["core fails too"] += 1
                continue
            outcome = _CRASH if died else (state, _blurred(entry["message"]))
            found = Reproduction.of(schema, [], text)
            if outcome in known:
                found.note = ("-- as it came: another one of this message is "
                              "reduced\n")
            else:
                self._reduce(found, schema, outcome, end - time.monotonic())
            known.add(outcome)
            findings.append(Finding(f"seed {seed}: {entry['message']}"[:200],
                                    str(found)))
        return Result("sqlsmith", dict(counts), findings)

    def _reduce(self, found: Reproduction, schema: Schema, outcome: Outcome,
                seconds: float) -> None:
        trial = Trial(self.place)

        def shows(statement: str, chosen: Settings) -> bool:
            return outcome == self._outcome(trial, statement, chosen) != \
                self._outcome(trial, statement, chosen + settings.OFF)

        def less(still: Patience) -> Optional[str]:
            return shorter(found.statement, still)
        with trial:
            make_smaller(found, schema, trial, shows, less,
                         min(SECONDS, seconds))

    @staticmethod
    def _outcome(trial: Trial, statement: str, chosen: Settings) -> Outcome:
        try:
            session = trial.session()
            session.must("BEGIN; " + settings.as_sql(chosen))
        except Lost as problem:         # the server does not come back
            return "lost", str(problem)
        try:
            answer = session.run(statement)
        except Lost as problem:
            ended = "administrator" in str(problem)     # maybe by sqlsmith
            return ("ended", "") if ended else _CRASH
        return answer.sqlstate or "", _blurred(answer.message)

    def _core_too(self, text: str, state: str) -> bool:
        try:
            session = reopen_session(self.place, _DATABASE)
        except Lost:            # server is gone: not yet core's fault
            return False
        try:
            answer = session.run(OFF + text)
        except Lost:
            return True
        finally:
            session.close()
        return answer.sqlstate == state != ""
