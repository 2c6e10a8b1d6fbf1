"""The frame of a scenario: usual options, resuming, legs in random order.

A scenario defines the points to measure and evaluates them.  This module runs
them: cold or hot, each once per round, each round in a different order that is
the same in every run, so that a run can be interrupted and continued.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import time
from dataclasses import dataclass, field
from typing import (Callable, Iterator, List, Optional, Sequence, Tuple,
                    TypeVar)

from . import ceiling, cli, cold, emulator, installation, legs, load, memory
from . import readahead, report, results
from .device import AnyDevice, Device
from .errors import UsageError, UserError
from .legs import Leg
from .progress import Progress, clock
from .server import Server
from .session import session

ORDER_SEED = 13
_NAMED = 40         # at most; legs.csv has all
QUERIES = ("q0", "q1.1", "q1.2", "q1.2n", "q1.3", "q2.1", "q2.2", "q2.3",
           "q3.1", "q3.2", "q3.3", "q3.4", "q4.1", "q4.2", "q4.3")
# The benchmark's own; the others are the paper's.
OWN_QUERIES = tuple(name for name in QUERIES if name not in ("q0", "q1.2n"))


@dataclass(frozen=True)
class Point:
    """A query under some settings, measured once per round."""

    query: str
    variant: str
    settings: legs.Settings = field(compare=False)
    read_ahead_kb: Optional[int] = None     # None: unchanged
    statement: Optional[str] = None         # None: the query's file

    def text(self) -> str:
        if self.statement is not None:
            return self.statement
        return legs.query_text(legs.query_path(
            os.path.join(load.SSB, "queries"), self.query))


def memory_size(text: str) -> int:
    """A type for argparse: a size that suffices for the server."""
    try:
        value = memory.parse(text)
    except ValueError:
        value = 0
    if value < memory.LOWEST:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a size such as 2G, of at least "
            f"{memory.LOWEST // 2 ** 20}M, which the server itself needs")
    return value


def list_of(convert, what: str):
    """A type for argparse: distinct values between commas."""
    def parse(text: str) -> list:
        values = [convert(part) for part in text.split(",")]
        if len(set(values)) != len(values):
            raise argparse.ArgumentTypeError(f"'{text}' names {what} twice")
        return values
    return parse


def one_of(known: Sequence[str], what: str):
    """A type for argparse: a word of a list."""
    def convert(text: str) -> str:
        if text not in known:
            raise argparse.ArgumentTypeError(
                f"'{text}' is no {what}: "
                f"{', '.join(known)} are")
        return text
    return convert


def add_device_options(parser: cli.Parser) -> None:
    parser.add_argument("--device", default=None, metavar="PROFILE",
                        choices=emulator.profiles(),
                        help="run on an emulated device instead of the "
                        "machine's: " + ", ".join(emulator.profiles()))
    parser.add_argument("--resume", metavar="DIR",
                        help="continue the interrupted run in DIR with "
                        "its options")


def add_options(parser: cli.Parser, rounds: int = 5, scale: float = 5.0,
                timeout: bool = True) -> None:
    """The options of every scenario with queries; some have no timeout."""
    parser.add_argument("--scale", type=cli.scale, default=None,
                        help=f"scale factor (default {scale:g})")
    parser.add_argument("--rounds", type=cli.count(1, 100), default=None,
                        help=f"runs of each leg (default {rounds})")
    parser.add_argument("--memory", type=memory_size, default=2 * 2 ** 30,
                        help="the server's memory limit (default 2G)")
    parser.add_argument("--server", type=int, default=None,
                        choices=installation.MAJORS, metavar="N",
                        help="PostgreSQL N, installed or in a "
                        "tree made by ./run check --server N")
    if timeout:
        parser.add_argument("--timeout", type=cli.count(1, 86400),
                            default=150, metavar="S", help="maximum seconds "
                            "of a query (default 150); longer ones are "
                            "marked")
    parser.add_argument("--quick", action="store_true",
                        help="a short trial: scale 0.2 and one round, "
                        "unless given; do not quote its figures")
    parser.add_argument("--calibrate", action="store_true",
                        help="measure the device again, where a run needs "
                        "its profile; a profile serves a day otherwise")
    # profile: does ssdpar need the device's profile?  Not for forced plans.
    parser.set_defaults(usual_rounds=rounds, usual_scale=scale, hot=False,
                        profile=False)
    add_device_options(parser)


def add_hot(parser: cli.Parser) -> None:
    parser.add_argument("--hot", action="store_true",
                        help="everything cached, no memory limit")


def parse(parser: cli.Parser, name: str, arguments: Sequence[str]):
    """Options; with --resume those of the continued run."""
    options = parser.parse_args(arguments)
    used = list(arguments)
    resume = options.resume
    if resume is not None:
        if len(used) != (1 if used[0].startswith("--resume=") else 2):
            raise UsageError(f"{parser.prog}: --resume continues a run with "
                             "its own options. Leave out the others.")
        facts = results.read_facts(resume)
        if facts.get("scenario") != name:
            raise UsageError(
                f"{parser.prog}: {resume} is no run of {name} that can be "
                f"continued ({facts.get('scenario') or 'an older format'}).")
        used = [str(word) for word in facts.get("arguments", [])]
        options = parser.parse_args(used)
    options.name, options.arguments, options.resume = name, used, resume
    if hasattr(options, "quick"):
        usual = (0.2, 1) if options.quick else \
            (options.usual_scale, options.usual_rounds)
        options.scale = options.scale or usual[0]
        options.rounds = options.rounds or usual[1]
    return options


@dataclass
class Run:
    """The tools of a scenario for measuring."""

    options: argparse.Namespace
    server: Server
    device: Optional[AnyDevice]
    directory: str              # on the device, for the probe
    group: Optional[memory.MemoryLimit]
    file: results.LegFile
    progress: Progress

    @property
    def hot(self) -> bool:
        return bool(self.options.hot)


T = TypeVar("T")


def shuffled(points: Sequence[T], rounds: int, seed: int = ORDER_SEED
             ) -> List[Tuple[int, T]]:
    """Every point once per round, each round in a different order."""
    chance = random.Random(seed)
    order = []
    for round_ in range(1, rounds + 1):
        part = list(points)
        chance.shuffle(part)
        order += [(round_, point) for point in part]
    return order


def time_left(began: float, done: int, total: int) -> str:
    """The estimated time for the rest."""
    if done == 0:
        return ""
    left = (time.monotonic() - began) / done * (total - done)
    return f", {clock(left)} left"


def in_turn(progress: Progress, what: str, order: Sequence[Tuple[int, T]],
            rounds: int, name_of: Callable[[T], str]
            ) -> Iterator[Tuple[int, T]]:
    """The order's measurements, one after another, showing the progress."""
    began = time.monotonic()
    with progress.step(what):
        for number, (round_, point) in enumerate(order):
            progress.update(f"{name_of(point)}, round {round_} of {rounds}"
                            f"{time_left(began, number, len(order))}",
                            number / len(order))
            yield round_, point


def make_cold(run: Run) -> cold.CacheState:
    """Restarts the server with nothing cached."""
    # An emulator's data must stay in the machine's own cache.
    drop_all = os.geteuid() == 0 and run.options.device is None
    return cold.restart_cold(run.server, everything=drop_all)


def _leg(run: Run, round_: int, point: Point) -> Leg:
    with readahead.set_to(run.device, point.read_ahead_kb,
                          run.server.scratch.path):
        cache = cold.resident(run.server) if run.hot else make_cold(run)
        return legs.run_leg(run.server, run.device, cache, point.query,
                            point.text(), point.variant, round_,
                            point.settings, run.options.timeout, run.hot)


def leg_as_it_is(run: Run, query: str, text: str, variant: str,
                 settings: legs.Settings) -> Leg:
    """For its rows, in the server as it is."""
    return legs.run_leg(run.server, run.device, cold.resident(run.server),
                        query, text, variant, 1, settings, hot=True)


def _execute_once(run: Run, points: Sequence[Point]) -> None:
    """Catalogs, hint bits, shared buffers: the first execution differs."""
    with run.progress.step("executing everything once, unmeasured"):
        for point in points:
            legs.run_leg(run.server, run.device, cold.resident(run.server),
                         point.query, point.text(), point.variant, 0,
                         point.settings, run.options.timeout, True)


def measure(run: Run, points: Sequence[Point]) -> List[Leg]:
    """All legs, including those of a continued run."""
    have = {(leg.query, leg.variant, leg.round) for leg in run.file.done}
    order = [(round_, point) for round_, point
             in shuffled(points, run.options.rounds)
             if (point.query, point.variant, round_) not in have]
    kind = "hot" if run.hot else "cold"
    if run.hot:
        _execute_once(run, points)
    for round_, point in in_turn(
            run.progress, f"running {len(order)} {kind} legs", order,
            run.options.rounds,
            lambda point: f"{point.query} {point.variant}"):
        run.file.add(_leg(run, round_, point))
    return run.file.done


@contextlib.contextmanager
def _on_device(options, server: Server, progress: Progress
               ) -> Iterator[Tuple[Optional[AnyDevice], str]]:
    """The device of the legs, and a directory on it to measure."""
    if options.device is None:
        yield Device.under(server.scratch.data), server.scratch.path
        return
    with emulator.mounted(server, options.device, options.memory,
                          progress) as device:
        yield device, server.scratch.data


def _warm_up(server: Server, progress: Progress) -> None:
    need = server.scratch.data_bytes()
    have = emulator.available_bytes()
    if have < need * 1.1:
        raise UserError(
            f"--hot keeps all data in memory: {need / 1e9:.1f} GB and "
            f"something beside them, and {have / 1e9:.1f} GB are available. "
            "Take a smaller --scale.")
    with progress.step("reading everything into the cache"):
        cold.warm(server)


def _facts(run: Run, limits: dict) -> dict:
    more = report.environment(
        run.server, run.device, rounds=run.options.rounds,
        data=run.server.scratch.stamp(), order_seed=ORDER_SEED,
        memory_limit=run.group.limit if run.group else None,
        cache="hot" if run.hot else "cold")
    earlier = run.file.facts.get("parts", [])
    part = {"time": more["time"], "ssdpar_commit": more["ssdpar_commit"],
            "ceiling": limits}
    return dict(more, scenario=run.options.name, ceiling=limits,
                arguments=run.options.arguments, parts=earlier + [part])


def _profile_problem(options, server: Server, progress: Progress
                     ) -> Optional[str]:
    """Measures an emulated device for the planner; returns the error, or None.

    The figure is still useful, but must show which profile ssdpar used.
    """
    if not options.profile or options.device is None:
        return None
    try:
        load.ensure_calibrated(server, options.calibrate, progress,
                               options.device)
    except UserError as error:
        progress.say(f"ssdpar.calibrate failed on {options.device}, so "
                     "ssdpar plans by another device's profile, or by none: "
                     f"{error}")
        return str(error)
    return None


@contextlib.contextmanager
def running(options, progress: Progress,
            prepare: Optional[Callable[[Server, Progress], None]] = None,
            source: Optional[load.Source] = None, apart: str = "",
            emulates: bool = False) -> Iterator[Run]:
    """A server on its device, limited or warm; ceilings before and after.

    prepare adds to the data before an emulated device is mounted over it. Data
    other than SSB's at the requested scale has a source and a separate place.
    A scenario that emulates devices itself says so.
    """
    file = results.LegFile(options.name, options.resume, progress)
    with contextlib.ExitStack() as stack:
        group = None if options.hot else \
            stack.enter_context(memory.limited(options.memory))
        server = stack.enter_context(session(
            source or load.Source(options.scale), progress, apart=apart,
            emulated=emulates or options.device is not None,
            major=options.server,
            profile=options.profile and options.device is None,
            calibrate=options.calibrate))
        if prepare is not None:
            prepare(server, progress)
        server.limit = group
        device, directory = stack.enter_context(
            _on_device(options, server, progress))
        problem = _profile_problem(options, server, progress)
        run = Run(options, server, device, directory, group, file, progress)
        seconds = 3 if options.quick else ceiling.SECONDS
        # Before and after, because a shared device changes over time.
        limits = {"before": ceiling.measure(server.where, directory, device,
                                            seconds, progress)}
        facts = dict(_facts(run, limits), profile_problem=problem)
        file.add_facts(facts)
        if options.hot:
            _warm_up(server, progress)
        yield run
        limits["after"] = ceiling.measure(server.where, directory, device,
                                          seconds, progress)
        file.add_facts(dict(facts, complete=True))


def headline(run: Run, what: str,
             states: Sequence[cold.CacheState] = (),
             data: str = "SSB") -> str:
    """The start of every table: method, device, speed."""
    options, facts = run.options, run.file.facts
    state = "everything cached" if run.hot else \
        cold.summary(states or [leg.cache for leg in run.file.done])
    limit = "none" if run.group is None else f"{run.group.limit >> 20} MiB"
    if run.group is None and not run.hot:
        limit += " (only root can set one, where control groups allow it)"
    where = f"emulated {options.device}" if options.device else \
        f"device {run.device.name if run.device else 'unknown'}"
    limits = facts["ceiling"]
    return (f"{what}, PostgreSQL {run.server.major}, {data} scale "
            f"{options.scale:g}, {where}: median seconds of "
            f"{options.rounds} rounds,\n{state}.\nMemory limit: {limit}. "
            f"read_ahead_kb as found: {limits['before']['read_ahead_kb']}.\n"
            f"Device ceiling before the legs: {limits['before']['text']};\n"
            f"after them: {limits['after']['text']}.")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" * (more > 0))


def check_rows(done: Sequence[Leg]) -> None:
    """Wrong rows are the last and most prominent message."""
    wrong = legs.differing(list(done))
    if wrong:
        raise UserError(
            f"DIFFERENT ROWS between legs of {', '.join(wrong)}: a defect of "
            "ssdpar, and no time above means anything. Please report it "
            "with the directory above.")
    missing = legs.never_ended(list(done))
    print("The rows were the same in all legs of a query" +
          (f" that came to their end. Not compared, as none of theirs did: "
           f"{_listed(missing)}." if missing else "."), flush=True)
