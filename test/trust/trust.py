#!/usr/bin/env python3
"""./run trust: tests for hours what must never happen, and records the
results.

Runs the parts in turn, always the one that is furthest behind its share of
time, until the time is up; a part that watches a server continues for a while,
because each other part starts its own server.  Another run on the same date
continues where the last one ended.  See docs/internals/testing.md.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import functools
import os
import sys
import time
from typing import Dict, List, NoReturn, Optional, Sequence

from journal import Entry, Journal, commit_of
from page import write
from unit import Part
from place import MAJORS, TOP, Place, find, in_tree
import side_by_side
from lib import cli, process
from lib.errors import UserError
from lib.scratch import Scratch
from lib.session import TRUST, locked
from checked import Checked
from ddl import Ddl
from endurance import Endurance
from faults import Faults
from logic import Logic
from rows import Rows
from smith import Smith
from suites import Suites

# The parts, and their shares of the time.
_SHARES = {"rows": 5.0, "suites": 3.0, "smith": 1.5, "logic": 1.0,
           "faults": 1.5, "ddl": 1.0, "checked": 1.5, "endurance": 1.5}
NAMES = tuple(_SHARES)
_STRETCH = 1800.0       # most seconds that a part continues


def _hours(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 10000:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of hours: give 0 to 10000")
    return value


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = cli.Parser(prog="./run trust", description=__doc__)
    add = parser.add_argument
    add("--hours", type=_hours, default=1.0,
        help="duration (default 1); 0 only rewrites the page")
    add("--server", type=int, choices=MAJORS,
        help="major version of PostgreSQL, installed here or in the tree "
        "that ./run check --server creates (default: PG_CONFIG, or the newest "
        "one that ssdpar is installed for)")
    add("--only", action="append", choices=NAMES, metavar="NAME",
        help="only this part; repeatable: " + ", ".join(NAMES))
    add("--seed", type=cli.count(0, 20000), default=1)
    add("--unit", type=cli.count(0, 1000000), metavar="N",
        help="repeat only unit N of the part that --only names")
    add("--jobs", type=cli.count(1, 64), default=1, metavar="N",
        help="run N units of rows, logic, smith and faults concurrently, each on "
        "a separate server (default 1)")
    add("--sources", metavar="DIR", help="the server's sources, built, for "
        "suites (default: $SSDPAR_SERVER_SOURCES)")
    add("--date", default=datetime.datetime.now(
        datetime.timezone.utc).strftime("%Y-%m-%d"),
        help="goes on with the run of that date (default: today)")
    options = parser.parse_args(arguments)
    try:
        datetime.date.fromisoformat(options.date)
    except ValueError:
        parser.error(f"argument --date: '{options.date}' is no date like "
                     "2026-11-23")
    if options.unit is not None and (len(options.only or ()) != 1 or
                                     options.jobs != 1):
        parser.error("argument --unit: give one --only, and no --jobs")
    return options


class Run:
    """One run against one server; there may be other numbered ones
    concurrently."""

    def __init__(self, options: argparse.Namespace, place: Place,
                 journal: Journal, job: int = 0):
        self.options = options
        self.place = place
        self.journal = journal
        self.job = job
        self.found = 0
        self.build = place.server.where.ask("--version").split(
            " ", maxsplit=1)[1]
        self.commit = commit_of(TOP)
        self.parts = [part for part in _parts(options, place)
                      if (job == 0 or part.SIDE_BY_SIDE) and
                      self._possible(part)]
        if not self.parts and job == 0:
            raise UserError("nothing that was asked for can be tried here.")

    def _possible(self, part: Part) -> bool:
        lack = part.lacks()
        if lack and self.options.only:
            raise UserError(lack)
        if lack and self.job == 0:
            print(f"ssdpar: left out: {lack}", file=sys.stderr)
        return lack is None

    def _behind(self) -> Optional[Part]:
        """The part that is furthest behind its share; None if all is done."""
        def ahead(part: Part) -> float:
            done = self.journal.of(part.NAME, self.place.major,
                                   self.options.seed)
            return sum(one.seconds for one in done) / _SHARES[part.NAME]
        open_ = [part for part in self.parts if part.units() is None or
                 self._next(part) < part.units()]
        return min(open_, key=ahead) if open_ else None

    def _next(self, part: Part) -> int:
        """Each job has its own units: every n-th, starting from its number."""
        jobs = self.options.jobs if part.SIDE_BY_SIDE else 1
        return self.journal.next_unit(part.NAME, self.place.major,
                                      self.options.seed, self.job, jobs)

    def _stretch(self, part: Part) -> float:
        """Seconds that it continues: its share of a short run."""
        if not part.LIVES_ON:
            return 0.0
        shares = sum(_SHARES[one.NAME] for one in self.parts)
        return min(_STRETCH, self.options.hours * 3600 *
                   _SHARES[part.NAME] / shares)

    def until(self, end: float) -> int:
        """Returns the number of findings."""
        if self.options.unit is not None:
            self._unit(self.parts[0], end - time.monotonic(),
                       self.options.unit)
            return self.found
        while time.monotonic() < end and self.parts:
            part = self._behind()
            if part is None:
                print("all units of these parts are done.")
                break
            over = min(end, time.monotonic() + self._stretch(part))
            self._unit(part, end - time.monotonic())
            while time.monotonic() < over:
                self._unit(part, end - time.monotonic())
        return self.found

    def stop(self) -> None:
        with process.held():
            self.place.stop()

    def _unit(self, part: Part, seconds: float,
              again: Optional[int] = None) -> None:
        self.place.check_room()
        number = self._next(part) if again is None else again
        begun = time.monotonic()
        result = part.run(number, seconds)
        entry = Entry(part.NAME, self.place.major, self.options.seed, number,
                      result.what, round(time.monotonic() - begun, 1),
                      result.counts, [one.title for one in result.findings],
                      [], self.build, self.commit)
        self.found += len(result.findings)
        with self.journal.locked(), process.held():
            self.journal.add(entry, result)
            write(self.journal, _tries())
        print(f"{part.NAME} {number} ({result.what}): "
              f"{entry.seconds:.0f} s, {len(result.findings)} found; " +
              ", ".join(f"{value} {name}" for name, value
                        in list(result.counts.items())[:4]), flush=True)
        for finding in result.findings:
            print(f"  FOUND {finding.title}", flush=True)


def _parts(options: argparse.Namespace, place: Place) -> List[Part]:
    every: List[Part] = [
        Rows(place, options.seed),
        Suites(place, options.seed, options.sources),
        Smith(place, options.seed), Logic(place, options.seed),
        Faults(place, options.seed), Ddl(place, options.seed),
        Endurance(place, options.seed),
        Checked(place, options.seed, options.sources)]
    return [part for part in every
            if not options.only or part.NAME in options.only]


def _tries() -> Dict[str, str]:
    return {part.NAME: part.TRIES for part in (
        Rows, Suites, Smith, Logic, Faults, Ddl, Endurance, Checked)}


def _written(journal: Journal) -> str:
    """The page's path, once it has everything in the journal."""
    with journal.locked():
        return write(journal, _tries())


def tell(entries: Sequence[Entry], seed: int, major: int) -> None:
    """Findings of these units of the run, and how to repeat each."""
    for one in entries:
        if not one.found or (one.seed, one.server) != (seed, major):
            continue
        print(f"{one.part} {one.unit} ({one.what}) found:")
        for title, file in zip(one.found, one.files):
            print(f"  {title}: docs/results/raw/{file}")
        print(f"  again: ./run trust --server {major} --seed {seed} "
              f"--only {one.part} --unit {one.unit}", flush=True)


def _tell_new(journal: Journal, before: int, seed: int, major: int) -> None:
    with process.held():
        if os.path.exists(journal.path):
            with journal.locked():      # reads what jobs have added
                pass
        tell(journal.entries[before:], seed, major)


def trust(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    journal = Journal(options.date)
    if options.hours == 0:
        print(_written(journal))
        return 0
    where = find(options.server)
    major = where.major if where else options.server
    scratches = [Scratch(f"{TRUST}-{major}" + f"-{job}" * (job > 0))
                 for job in range(options.jobs)]
    with contextlib.ExitStack() as stack:
        for scratch in scratches:
            stack.enter_context(locked(scratch))
        if where is None:
            where = stack.enter_context(in_tree(major, scratches))
        runs = [Run(options, Place(scratch, where), journal, job)
                for job, scratch in enumerate(scratches)]
        for run in runs:
            stack.callback(run.stop)
        print(f"seed {options.seed}, PostgreSQL {runs[0].build}, ssdpar "
              f"{runs[0].commit or 'of an unknown commit'}", flush=True)
        stack.callback(_tell_new, journal, len(journal.entries),
                       options.seed, major)
        end = time.monotonic() + options.hours * 3600
        found = side_by_side.run([functools.partial(run.until, end)
                                  for run in runs])
    print(f"{found} found with seed {options.seed}; {_written(journal)}")
    return 1 if found else 0


def main() -> NoReturn:
    cli.main(trust)


if __name__ == "__main__":
    main()
