"""The server's TAP suites, recovery and pg_upgrade, with ssdpar in each
server.

Each file runs without the library and with it; every server that it starts has
the library, an invented device and no minimum sizes, so that plans change. A
test that fails only with it has a kind:

    plan        the file runs the regression suite, whose outputs differ only
                in plans and order (classify.py)
    unstable    passes with ssdpar as well, when run again
    rows        everything else
"""

from __future__ import annotations

import glob
import os
import re
from dataclasses import dataclass
from typing import Callable, Counter, Dict, List, Optional, Tuple

import classify
from lib import own_files, process
from place import WITH_SSDPAR, Place
from tables import invent
from unit import Finding, Result

HERE = os.path.dirname(os.path.abspath(__file__))

FOLDERS = ("src/test/recovery", "src/bin/pg_upgrade")
_PRELOAD = "shared_preload_libraries"
_HARMLESS = ("plan", "order", "choice")
# Each runs the whole regression suite, and tells whether its outputs are
# core's.
_SUITE = re.compile(r"regression tests pass|regress(ion)? (tests|suite)", re.I)
_LINE = re.compile(r"^(not )?ok (\d+)(?: - (.*))?$", re.M)

# (suite/test, its statement): was the difference reviewed?
IsRead = Callable[[str, str], bool]


@dataclass
class Ended:
    """A file that ran: its failures, and the output of its regression tests.
    """

    failed: List[str]
    tests: int
    outputs: Dict[str, str]
    said: str


def files_of(top: str) -> List[Tuple[str, str]]:
    """(folder, t/file) of each file."""
    return [(folder, os.path.relpath(path, os.path.join(top, folder)))
            for folder in FOLDERS
            for path in sorted(glob.glob(os.path.join(top, folder, "t",
                                                      "*.pl")))]


def _failed(said: str, status: int) -> Tuple[List[str], int]:
    """Names of failed tests, and their number."""
    lines = _LINE.findall(said)
    failed = [f"{name or number}" for bad, number, name in lines if bad]
    if status != 0 and not failed:
        failed = [f"exit status {status}"]
    return failed, len(lines)


class TapFile:
    def __init__(self, place: Place, top: str, folder: str, file: str):
        self._place = place
        self._top = top
        self._folder = folder
        self._file = file
        self.name = f"{os.path.basename(folder)}/{os.path.basename(file)}"

    def _profile(self) -> str:
        """A file with an invented device."""
        path = self._place.path("profile")
        if not os.path.exists(path):
            self._place.run_with(WITH_SSDPAR)
            session = self._place.session("postgres")
            session.must("CREATE EXTENSION IF NOT EXISTS ssdpar; DROP FUNCTION"
                         " IF EXISTS invent_device; " + invent())
            session.close()
            fd = os.open(os.path.join(self._place.scratch.data,
                                      "ssdpar.profile"),
                         os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(fd, "rb") as file:
                content = file.read()
            with own_files.replace(path, "wb", 0o644) as file:
                file.write(content)
        return path

    def _settings(self, work: str) -> Dict[str, str]:
        """For every server that the file starts."""
        path = os.path.join(work, "ssdpar.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(
                f"{name} = '{value}'\n" for name, value in WITH_SSDPAR.items()
                if name == _PRELOAD or name.startswith("ssdpar.")))
            file.write("ssdpar.residency = cold\n")
        os.chmod(path, 0o644)
        return {"TEMP_CONFIG": path, "SSDPAR_PROFILE": self._profile(),
                "PERL5OPT": f"-I{HERE}/perl -MProfileEverywhere"}

    def _environment(self, work: str) -> Dict[str, str]:
        where = self._place.server.where
        tests = os.path.normpath(os.path.join(
            os.path.dirname(where.ask("--pgxs")), os.pardir, os.pardir,
            "src", "test"))
        return {"PATH": f"{self._place.server.bin}:{os.environ['PATH']}",
                "TESTDIR": work, "TESTDATADIR": f"{work}/tmp_check",
                "TESTLOGDIR": f"{work}/tmp_check/log", "TMPDIR": work,
                "PG_TEST_PORT_DIR": work, "PGPORT": "64321",
                "PG_TEST_TIMEOUT_DEFAULT": "600",
                "PG_REGRESS": f"{tests}/regress/pg_regress",
                "REGRESS_SHLIB": f"{self._top}/src/test/regress/regress.so",
                "PERL5LIB": f"{self._top}/src/test/perl:"
                            f"{self._top}/{self._folder}"}

    def ran(self, with_ssdpar: bool) -> Ended:
        self._place.stop()
        environment = self._environment(self._place.new_directory("tap"))
        work = environment["TESTDIR"]
        if with_ssdpar:
            environment.update(self._settings(work))
            self._place.stop()
        os.makedirs(environment["TESTLOGDIR"])
        self._place.give(work)
        end = process.run(["perl", self._file], user=self._place.server.user,
                          merge=True, own_session=True, env=environment,
                          cwd=os.path.join(self._top, self._folder))
        outputs = {}
        for path in glob.glob(f"{work}/**/results/*.out", recursive=True):
            with open(path, encoding="utf-8", errors="replace") as file:
                outputs[os.path.basename(path)[:-4]] = file.read()
        failed, tests = _failed(end.out, end.status)
        said = end.out + self._logs(work) if failed else end.out
        said = said.replace(work + "/", "")
        return Ended(failed, tests, outputs, said)

    @staticmethod
    def _logs(work: str) -> str:
        """The last log lines of the servers after a failure."""
        text = ""
        for path in sorted(glob.glob(f"{work}/tmp_check/log/*")):
            with open(path, encoding="utf-8", errors="replace") as file:
                text += f"-- {os.path.basename(path)}\n" + \
                    "".join(file.readlines()[-40:])
        return text

    def result(self, is_read: IsRead) -> Result:
        without = self.ran(False)
        with_it = self.ran(True)
        counts: Counter[str] = Counter({"files": 1, "tests": with_it.tests})
        new = [name for name in with_it.failed if name not in without.failed]
        counts["fail without as well"] = len(without.failed)
        counts["files that differ"] = int(bool(new))
        findings: List[Finding] = []
        for name in new:
            kind, text = self._kind(name, without, with_it, is_read, counts)
            if kind:
                counts[kind] += 1
            if kind == "rows":
                findings.append(Finding(f"{self.name}: {name}", text))
        return Result(self.name, dict(counts), findings)

    def _kind(self, name: str, without: Ended, with_it: Ended,
              is_read: IsRead, counts: Counter[str]
              ) -> Tuple[Optional[str], str]:
        if _SUITE.search(name) and without.outputs:
            kinds, text = self._regressions(without, with_it, is_read)
            counts.update(kinds)
            return ("rows" if kinds.get("rows") else None), text
        if any(name not in self.ran(True).failed for _ in range(2)):
            return "unstable", ""
        return "rows", with_it.said

    def _regressions(self, without: Ended, with_it: Ended, is_read: IsRead
                     ) -> Tuple[Dict[str, int], str]:
        """Differences of the regression suite within the file."""
        kinds: Counter[str] = Counter()
        text = ""
        for test in sorted(set(without.outputs) | set(with_it.outputs)):
            path = os.path.join(self._top, "src/test/regress/sql",
                                f"{test}.sql")
            before = without.outputs.get(test, "")
            with open(path, encoding="utf-8", errors="replace") as file:
                found = classify.compare_scripts(
                    file.read(), with_it.outputs.get(test, ""), [before] * 2)
            for one in found:
                kind = one.kind
                if kind not in _HARMLESS and \
                        is_read(f"regress/{test}", one.step.statement):
                    kind = "read"
                kinds[kind] += 1
                if kind == "rows":
                    text += (f"-- {test}, line {one.step.line}\n"
                             f"{one.step.statement}\n-- without:\n" +
                             "\n".join(one.without) + "\n-- with:\n" +
                             "\n".join(one.with_it) + "\n")
        return dict(kinds), text
