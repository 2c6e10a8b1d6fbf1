"""Random queries give the same results with ssdpar: fuzz.py in slices."""

from __future__ import annotations

import os
import re
import sys
from typing import Dict, List, Tuple

from lib import process
from unit import Finding, Part, Result
from place import TOP, WITH_SSDPAR

_FUZZ = os.path.join(TOP, "test", "query_fuzz", "fuzz.py")
_SLICE = 60.0
# Each parallel worker loads the libraries of its leader: libpq and its
# dependencies would be linked a thousand times a minute.
_PRELOADED = ", ".join((WITH_SSDPAR["shared_preload_libraries"], "plpgsql",
                        "postgres_fdw"))
_SETTINGS = {**WITH_SSDPAR, "shared_preload_libraries": _PRELOADED,
             "max_worker_processes": "24",
             "max_parallel_workers": "20", "restart_after_crash": "on",
             "ssdpar.cost_model_min_size": "64MB",
             "ssdpar.prefetch_min_size": "64MB"}

# Options of successive units.  Those without options run the cases of the
# check, which are so fast that they take a third of the time.
_TURNS: Tuple[List[str], ...] = (
    ["--wide"],
    ["--wide", "--joins"],
    [],
    ["--wide", "--company", "2"],
    ["--wide", "--joins", "--company", "2"],
    [],
    ["--wide", "--joins", "--index-joins"],
    ["--joins", "--index-joins", "--stale"],
    [],
    ["--wide", "--scale", "20", "--schema-queries", "50"],
    [],
)


def counted(output: str) -> Dict[str, int]:
    """The relevant counts in the last lines of fuzz.py."""
    counts: Dict[str, int] = {}
    found = re.search(r": (\d+) queries, ", output)
    counts["queries"] = int(found.group(1)) if found else 0
    found = re.search(r"^verdicts: .*\bstopped (\d+)", output, re.M)
    counts["stopped"] = int(found.group(1)) if found else 0
    for line in re.findall(r"^(?:plans|company): (.*)$", output, re.M):
        for name, number in re.findall(r"([\w :]+?) (\d+)(?:, |$)", line):
            counts[name] = int(number)
    return counts


def findings(output: str, command: List[str]) -> List[Finding]:
    parts = re.split(r"^-- FOUND ", output, flags=re.M)[1:]
    # the part that is the same wherever it runs again
    again = " ".join(["test/query_fuzz/fuzz.py", "--socket", "SOCKET",
                      *command[4:]])
    return [Finding(part.split("\n", maxsplit=1)[0].strip(),
                    f"-- {again}\n" + part) for part in parts]


class Rows(Part):
    NAME = "rows"
    SIDE_BY_SIDE = True
    TRIES = ("random queries on random tables, on against off in one snapshot "
             "(test/query_fuzz); with a company: others write, vacuum, kill "
             "and stop the daemon meanwhile; counts of nodes are of the plans "
             "looked at")

    def run(self, number: int, seconds: float) -> Result:
        self.place.run_with(_SETTINGS)
        turn = _TURNS[self.rotated(number, len(_TURNS))]
        seed = self.seed * 100000 + number
        command = [sys.executable, _FUZZ, "--socket", self.place.socket,
                   "--port", str(self.place.server.port), "--user",
                   "postgres", "--seed", str(seed), "--queries", "1000000",
                   "--seconds", str(min(seconds, _SLICE)), "--findings", "3",
                   *turn]
        end = process.run(command, merge=True, own_session=True)
        found = findings(end.out, command)
        counts = counted(end.out)
        if not counts["queries"]:
            found.append(Finding(f"seed {seed}: the fuzzer failed",
                                 end.last_words()))
        found += [Finding(f"seed {seed}: a process died", line)
                  for line in self.place.deaths()]
        return Result(" ".join(turn) or "as in the check", counts, found)
