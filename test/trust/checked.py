"""A sample of ssdpar's own regression tests on a server that checks itself.

    valgrind    each server process runs under valgrind, with the server's own
                list of harmless reports
    caches      debug_discard_caches = 1: each cache entry is discarded as
                soon as possible (skipped on a server without assertions,
                which only accepts 0)

Findings are valgrind reports, crashes and failed assertions.  Unexpected
outputs are counted, and are findings only for caches.  The tests themselves
create the extension and other objects.
"""

from __future__ import annotations

import functools
import glob
import os
import re
import shutil
import sys
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from lib import own_files, process
from lib.errors import UserError
from place import TOP, Place, refuse_tree, sources
from unit import Finding, Part, Result

_BEGIN, _END = "VALGRIND-BEGIN", "VALGRIND-END"
_TESTS = ("loop_runs", "starscan", "index_join", "subqueries", "prefetch",
          "device", "partitions", "star_safety", "page_filter",
          "star_plans", "array_keys", "star_covering",
          "star_data")


@dataclass(frozen=True)
class _Kind:
    name: str
    settings: Dict[str, str]
    tests: Tuple[str, ...]


_KINDS = (
    _Kind("valgrind", {}, _TESTS),
    # starscan counts pages that a node reads, including catalogs
    _Kind("caches", {"debug_discard_caches": "1"},
          tuple(test for test in _TESTS if test != "starscan")),
)

# As in a test's own server, with more time because this is slow.
_SETTINGS = {
    "shared_preload_libraries": "ssdpar", "wal_level": "replica",
    "max_wal_senders": "5", "fsync": "off", "autovacuum": "on",
    "shared_buffers": "128MB", "work_mem": "4MB", "max_worker_processes": "8",
    "max_parallel_workers": "8", "maintenance_work_mem": "64MB",
    "statement_timeout": "0",
}


class Checked(Part):
    NAME = "checked"
    TRIES = ("a sample of ssdpar's regression tests, each process under "
             "valgrind or with debug_discard_caches = 1")

    def __init__(self, place: Place, seed: int, given: Optional[str]):
        super().__init__(place, seed)
        self._given = given

    def lacks(self) -> Optional[str]:
        if not shutil.which("valgrind"):
            return "checked: needs valgrind. apt-get install valgrind"
        try:
            refuse_tree(self.place, self.NAME)
            sources(self._given)
        except UserError as problem:
            return str(problem).replace("suites:", "checked:", 1)
        return None

    def _discards_caches(self) -> bool:
        """Can this server do it?"""
        self.place.run_with({})
        try:
            session = self.place.session("postgres")
            most, = session.must(
                "SELECT max_val FROM pg_settings "
                "WHERE name = 'debug_discard_caches'").text()
            session.close()
        finally:
            self.place.stop()
        return most != "0"

    def _kinds(self) -> Sequence[_Kind]:
        if self._discards_caches():
            return _KINDS
        print("ssdpar: left out: checked: debug_discard_caches, which a "
              "server without assertions does not take", file=sys.stderr)
        return [kind for kind in _KINDS
                if "debug_discard_caches" not in kind.settings]

    @functools.cached_property
    def _all(self) -> List[Tuple[_Kind, str]]:
        kinds = self._kinds()
        return [(kind, test) for number in range(len(_TESTS))
                for kind in kinds for test in kind.tests[number:number + 1]]

    def units(self) -> Optional[int]:
        return len(self._all)

    def run(self, number: int, seconds: float) -> Result:
        kind, test = self._all[self.rotated(number, len(self._all))]
        logs = self.place.directory("valgrind")
        self.place.deaths()
        if kind.name == "valgrind":
            self.place.server.instead = self._wrapper(logs)
        try:
            self.place.run_with(_SETTINGS)
            self._forget_devices()
            self.place.run_with({**_SETTINGS, **kind.settings})
            output, differs = self._regress(test)
        finally:
            self.place.stop()
            self.place.server.instead = None
        name = f"{test}, {kind.name}"
        findings = [Finding(f"{name}: a process died", line)
                    for line in self.place.deaths()]
        errors, others = self._errors(logs)
        findings += [Finding(f"{name}: {what}", text)
                     for what, text in errors.items()]
        counts = {"tests": 1, f"tests, {kind.name}": 1,
                  "processes under valgrind": len(os.listdir(logs)),
                  "reports that have nothing of ssdpar's": others,
                  "outputs that differ": int(differs)}
        if differs and kind.name == "caches":
            findings.append(Finding(f"{name}: another output", output))
        return Result(name, counts, findings)

    def _forget_devices(self) -> None:
        """Profiles belong to the whole server, so other parts leave theirs."""
        server = self.place.session("postgres")
        server.must("CREATE DATABASE devices")
        session = self.place.session("devices")
        session.must("CREATE EXTENSION ssdpar")
        session.must("SELECT ssdpar.forget_profile(tablespace) "
                     "FROM ssdpar.device")
        session.close()
        server.must("DROP DATABASE devices WITH (FORCE)")
        server.close()

    def _wrapper(self, logs: str) -> str:
        """The program that pg_ctl starts instead of postgres."""
        path = self.place.path("under_valgrind")
        with own_files.replace(path, permissions=0o755) as file:
            file.write(
                "#!/bin/sh\n"
                # pg_ctl asks for the version first
                f"[ \"$1\" = -V ] && exec {self.place.server.bin}/postgres "
                "-V\nexec valgrind --quiet --trace-children=yes "
                "--trace-children-skip='*/sh,*/cp,*/cc' --leak-check=no "
                "--track-origins=no --read-var-info=no --time-stamp=yes "
                f"--error-markers={_BEGIN},{_END} --log-file={logs}/%p.log "
                f"--suppressions={sources(self._given)}/src/tools/"
                "valgrind.supp "
                f"{self.place.server.bin}/postgres \"$@\"\n")
        return path

    def _regress(self, test: str) -> Tuple[str, bool]:
        """The difference, and whether there is one."""
        work = self.place.new_directory("checked")
        where = self.place.server.where
        tests = os.path.normpath(os.path.join(
            os.path.dirname(where.ask("--pgxs")), os.pardir, os.pardir,
            "src", "test"))
        for folder in ("sql", "expected", "test"):
            shutil.copytree(os.path.join(TOP, folder),
                            os.path.join(work, folder))
        self.place.give(work)
        end = process.run([
            os.path.join(tests, "regress/pg_regress"), f"--inputdir={work}",
            f"--outputdir={work}", f"--bindir={self.place.server.bin}",
            f"--host={self.place.socket}", f"--port={self.place.server.port}",
            "--user=postgres", "--dbname=checked", test],
            user=self.place.server.user, merge=True, cwd=work,
            own_session=True,
            env={"PGCONNECT_TIMEOUT": "600"})
        path = os.path.join(work, "regression.diffs")
        text = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        if not os.listdir(os.path.join(work, "results")):
            raise UserError(f"checked: {test} did not run. It said:\n"
                            f"{end.last_words(8)}")
        return text, end.status != 0

    @staticmethod
    def _errors(logs: str) -> Tuple[Dict[str, str], int]:
        """By error and the closest function of ssdpar; and the number of
        reports without any of ssdpar, the loader and core."""
        found: Dict[str, str] = {}
        others = 0
        for path in sorted(glob.glob(os.path.join(logs, "*.log"))):
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
            for part in re.findall(f"{_BEGIN}(.*?){_END}", text, re.S):
                part = re.sub(r"^==.*?== ?", "", part, flags=re.M).strip()
                where = re.search(r"ssdpar\w*", part)
                if where is None:
                    others += 1
                    continue
                title = part.split("\n")[0].strip()
                found.setdefault(f"{title}, {where.group(0)}"[:150], part)
        return found, others
