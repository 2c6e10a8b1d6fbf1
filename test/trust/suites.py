"""The server's own suites with ssdpar, each difference classified.

regress, isolation and the regress suites of some of contrib run against a
server without the library, and with it in several ways.  If a test returns
other rows, the whole suite runs without it again, because a test may need
objects of another one; then such tests run with other plans of core.  The
extension and an invented device are always in the database, so that the
suites' lists of catalog contents are the same.  classify.py classifies the
differences.  Reviewed differences of the last kind are in
read_differences.txt, with the reason.  The files of the TAP suites follow,
each as a unit: server_tap.py.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
from dataclasses import dataclass
from typing import Counter, Dict, List, Optional, Sequence, Tuple

import classify
from lib import process
from lib.errors import UserError
from server_tap import TapFile, files_of
from unit import Finding, Part, Result
from place import TOP, WITH_SSDPAR, Place, refuse_tree, sources

HERE = os.path.dirname(os.path.abspath(__file__))

# Settings of the suites' own servers that differ from bench's scratch server.
_SERVER = {"wal_level": "replica", "max_wal_senders": "10", "fsync": "off",
           "work_mem": "4MB", "shared_buffers": "128MB",
           "max_worker_processes": "16", "max_parallel_workers": "8",
           "max_connections": "40", "max_prepared_transactions": "2",
           "maintenance_work_mem": "64MB", "max_wal_size": "2GB",
           "unix_socket_permissions": "0700"}

# Ways to use ssdpar; the first is that of a user who calibrates.
WAYS: Dict[str, Dict[str, str]] = {
    "as it comes": {"ssdpar.residency": "cold"},
    "bitmap": {"ssdpar.star_access": "bitmap"},
    "sequential": {"ssdpar.star_access": "sequential",
                   "ssdpar.prefetch": "local"},
    "index joins": {"ssdpar.star_scan": "off", "ssdpar.residency": "cold",
                    "enable_hashjoin": "off", "enable_mergejoin": "off"},
    "split": {"ssdpar.subqueries": "4", "ssdpar.residency": "cold"},
}

# Each way's other settings, because these alone change plans.
_CORE = {name: {key: value for key, value in settings.items()
                if not key.startswith("ssdpar.")}
         for name, settings in WAYS.items()}

# Other plans of core that an answer may come from.
_OTHER: Tuple[Dict[str, str], ...] = (
    {"enable_seqscan": "off"},
    {"enable_seqscan": "off", "enable_indexscan": "off",
     "enable_indexonlyscan": "off"},
    {"enable_indexscan": "off", "enable_indexonlyscan": "off",
     "enable_bitmapscan": "off", "enable_hashagg": "off"},
    {"max_parallel_workers_per_gather": "0", "enable_mergejoin": "off",
     "random_page_cost": "1"},
)

# Tests of a suite that others may need.
_FIRST = ("ssdpar", "test_setup", "create_index", "create_misc")

_PROFILE = ("SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', "
            "128, 5e-6);\n")


@dataclass(frozen=True)
class Suite:
    name: str
    folder: str             # in the sources
    program: str            # below src/test of the server's pgxs
    schedule: str = ""      # otherwise REGRESS of the Makefile
    libraries: str = ""     # in addition to ssdpar


SUITES = (
    Suite("regress", "src/test/regress", "regress/pg_regress",
          "parallel_schedule"),
    Suite("isolation", "src/test/isolation",
          "isolation/pg_isolation_regress", "isolation_schedule"),
    Suite("postgres_fdw", "contrib/postgres_fdw", "regress/pg_regress"),
    Suite("pg_stat_statements", "contrib/pg_stat_statements",
          "regress/pg_regress", libraries="pg_stat_statements"),
    Suite("auto_explain", "contrib/auto_explain", "regress/pg_regress",
          libraries="auto_explain"),
)


def known() -> List[Tuple[str, str]]:
    """(suite/test, expression for its statement) of reviewed differences."""
    found = []
    with open(os.path.join(HERE, "read_differences.txt"),
              encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                test, expression = line.rstrip("\n").split("\t")[:2]
                found.append((test, expression))
    return found


def _is_read(test: str, statement: str) -> bool:
    return any(re.fullmatch(name, test) and
               re.search(expression, statement, re.S)
               for name, expression in known())


class Suites(Part):
    NAME = "suites"
    TRIES = "the server's own suites, output with ssdpar against without"

    def __init__(self, place: Place, seed: int, given: Optional[str]):
        super().__init__(place, seed)
        self._given = given
        self._without: Dict[Tuple[str, str, int], Dict[str, str]] = {}

    def lacks(self) -> Optional[str]:
        try:
            refuse_tree(self.place, self.NAME)
            sources(self._given)
            return None
        except UserError as problem:
            return str(problem)

    def _all(self) -> List[Tuple[Suite, str]]:
        top = sources(self._given)
        return [(suite, way) for way in WAYS for suite in SUITES
                if os.path.isdir(os.path.join(top, suite.folder))]

    def _files(self) -> List[Tuple[str, str]]:
        return files_of(sources(self._given))

    def units(self) -> Optional[int]:
        return len(self._all()) + len(self._files())

    def run(self, number: int, seconds: float) -> Result:
        suites, files = self._all(), self._files()
        number = self.rotated(number, len(suites) + len(files))
        if number < len(suites):
            return self._suite(*suites[number])
        folder, file = files[number - len(suites)]
        return TapFile(self.place, sources(self._given), folder, file).result(
            _is_read)

    def _suite(self, suite: Suite, way: str) -> Result:
        before = self._core(suite, way, 1)
        self.place.deaths()
        with_it = self._outputs(suite, {**WITH_SSDPAR, **WAYS[way]},
                                "ssdpar")
        died = [Finding(f"{suite.name}, {way}: crash", line)
                for line in self.place.deaths()]
        found = self._explained(suite, way, before, with_it)
        counts, findings = self._judged(suite, way, found)
        counts["files"] = len(set(before) | set(with_it))
        counts["files that differ"] = sum(map(bool, found.values()))
        return Result(f"{suite.name}, {way}", counts, findings + died)

    # ----- running one -----

    def _core(self, suite: Suite, way: str, time: int) -> Dict[str, str]:
        """The output of core for the whole suite, the first or second time."""
        key = (suite.name, repr(sorted(_CORE[way].items())), time)
        if key not in self._without:
            self._without[key] = self._outputs(suite, _CORE[way], "")
        return self._without[key]

    def _outputs(self, suite: Suite, settings: Dict[str, str], library: str,
                 tests: Sequence[str] = ()) -> Dict[str, str]:
        """The output of each test of the suite, or of these and those they
        need."""
        libraries = ",".join(filter(None, (suite.libraries, library)))
        self.place.run_with({**settings, **_SERVER,
                             "shared_preload_libraries": libraries})
        work = self.place.new_directory("suite")
        self._make_input(suite, work, tests)
        self.place.give(work)
        end = self._regress(suite, work)
        outputs = {}
        for path in glob.glob(os.path.join(work, "results", "*.out")):
            with open(path, encoding="utf-8", errors="replace") as file:
                outputs[os.path.basename(path)[:-4]] = file.read()
        if len(outputs) < 2:
            raise UserError(f"suites: {suite.name} did not run. It said:\n"
                            f"{end.last_words(8)}")
        return outputs

    def _make_input(self, suite: Suite, work: str,
                    tests: Sequence[str]) -> None:
        """The suite, with an additional first test that invents a device."""
        source = os.path.join(sources(self._given), suite.folder)
        for name in ("sql", "expected", "data", "specs", "input", "output"):
            if os.path.isdir(os.path.join(source, name)):
                shutil.copytree(os.path.join(source, name),
                                os.path.join(work, name))
        with open(os.path.join(TOP, "test", "invent_device.sql"),
                  encoding="utf-8") as file:
            first, text = "sql/ssdpar.sql", file.read() + _PROFILE
        if suite.name == "isolation":
            # a block of a specification must not contain braces
            text = re.sub(r"'\{([^}]*)\}'::(\w+)\[\]",
                          r"string_to_array('\1', ',')::\2[]", text)
            first, text = "specs/ssdpar.spec", (
                f"setup {{ {text} }}\nsession s\nstep a {{ SELECT 1; }}\n")
        schedule = self._schedule(suite, source)
        if tests:
            schedule = "".join(
                f"test: {name}\n" for name in
                (*_FIRST, *(one for one in tests if one not in _FIRST))
                if re.search(rf"\b{name}\b", schedule))
        for path, content in ((first, text), ("expected/ssdpar.out", ""),
                              ("schedule", schedule)):
            with open(os.path.join(work, path), "w",
                      encoding="utf-8") as file:
                file.write(content)

    @staticmethod
    def _schedule(suite: Suite, source: str) -> str:
        if suite.schedule:
            with open(os.path.join(source, suite.schedule),
                      encoding="utf-8") as file:
                return "test: ssdpar\n" + file.read()
        with open(os.path.join(source, "Makefile"),
                  encoding="utf-8") as file:
            text = file.read().replace("\\\n", " ")
        tests = re.search(r"^REGRESS *=(.*)$", text, re.M)
        return "test: ssdpar\n" + "".join(
            f"test: {name}\n" for name in (tests.group(1) if tests
                                           else "").split())

    def _regress(self, suite: Suite, work: str) -> process.Result:
        where = self.place.server.where
        tests = os.path.normpath(os.path.join(
            os.path.dirname(where.ask("--pgxs")), os.pardir, os.pardir,
            "src", "test"))
        library = os.path.join(sources(self._given), "src/test/regress")
        # some of its tests name the database
        database = "regression" if suite.name == "regress" else \
            f"{suite.name}_suite"
        return process.run([
            os.path.join(tests, suite.program), f"--inputdir={work}",
            f"--outputdir={work}", f"--bindir={self.place.server.bin}",
            f"--dlpath={library}", f"--host={self.place.socket}",
            f"--port={self.place.server.port}", "--user=postgres",
            f"--dbname={database}", "--load-extension=ssdpar",
            "--max-connections=1", f"--schedule={work}/schedule"],
            user=self.place.server.user, merge=True, cwd=work)

    # ----- judging it -----

    def _explained(self, suite: Suite, way: str, before: Dict[str, str],
                   with_it: Dict[str, str]
                   ) -> Dict[str, List[classify.Difference]]:
        """The differences of each test; runs core again if rows differ."""
        tests = sorted(set(before) | set(with_it))
        found = {test: self._compared(suite, test, with_it.get(test, ""),
                                      [before.get(test, "")] * 2)
                 for test in tests}
        doubtful = [test for test in tests
                    if any(one.kind == "rows" for one in found[test])]
        if not doubtful:
            return found
        again = [self._core(suite, way, 2)]
        again += [self._outputs(suite, {**_CORE[way], **other}, "", doubtful)
                  for other in _OTHER]
        for test in doubtful:
            found[test] = self._compared(
                suite, test, with_it.get(test, ""),
                [before.get(test, "")] + [one.get(test, "") for one in again])
        return found

    def _judged(self, suite: Suite, way: str,
                found: Dict[str, List[classify.Difference]]
                ) -> Tuple[Dict[str, int], List[Finding]]:
        counts: Counter[str] = Counter({"files": 0})
        findings = []
        for test, differences in found.items():
            for one in differences:
                kind = one.kind
                if kind == "rows" and _is_read(f"{suite.name}/{test}",
                                               one.step.statement):
                    kind = "read"
                counts[kind] += 1
                if kind == "rows":
                    findings.append(self._finding(suite, way, test, one))
        return dict(counts), findings

    def _compared(self, suite: Suite, test: str, with_it: str,
                  core: List[str]) -> List[classify.Difference]:
        if suite.name == "isolation":
            return classify.compare_permutations(with_it, core)
        path = os.path.join(sources(self._given), suite.folder, "sql",
                            f"{test}.sql")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8", errors="replace") as file:
            return classify.compare_scripts(file.read(), with_it, core)

    @staticmethod
    def _finding(suite: Suite, way: str, test: str,
                 one: classify.Difference) -> Finding:
        settings = "".join(f"-- {name} = {value}\n" for name, value
                           in {**WITH_SSDPAR, **WAYS[way]}.items())
        return Finding(
            f"{suite.name}/{test}, line {one.step.line}, {way}",
            f"-- {suite.folder}, test {test}, line {one.step.line}, with\n"
            f"{settings}{one.step.statement}\n-- without ssdpar:\n"
            + "\n".join(one.without) + "\n-- with it:\n"
            + "\n".join(one.with_it) + "\n")
