"""./run bench all: every figure, here and on the paper's SSD, then a report.

Each scenario is a separate program and stores its numbers in a directory below
this run's; the failure of one does not affect the others.  Scenarios that are
impossible here are reported before anything starts, and the rest is run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence

from lib import cli, emulator, installation, load, packages, process
from lib import results, scenario
from lib.errors import Interrupted, UserError
from lib.progress import Progress, clock
from lib.scratch import Scratch

SCENARIO = "the paper's figures and power, then the report, two to three hours"

_HERE = os.path.dirname(os.path.abspath(__file__))
_PLAN = "all.json"
# Approximate minutes of a run at scale 5, only to estimate the time left.
MINUTES = {"fig5": 5, "table2": 1, "fig6": 2, "fig13": 4, "sweep": 4,
           "fig11": 12, "fig10": 20, "fig12": 35, "power": 12}
MICRO = ("fig5", "table2", "fig6")
# The paper's own device, to compare with the machine's.  It is slow.
EMULATED = {"fig5": 5, "table2": 1, "fig6": 2, "fig13": 14, "sweep": 14}
_PAPERS_DEVICE = "ssd-s"
_MICRO_MB = 1024            # a file of the microbenchmarks
_QUICK_MB = 128


@dataclass(frozen=True)
class Step:
    """A scenario on a device; None is the machine's own."""

    name: str
    device: Optional[str]

    @property
    def directory(self) -> str:
        return self.name if self.device is None \
            else f"{self.name}-{self.device}"

    @property
    def minutes(self) -> int:
        if self.device is None:
            return MINUTES[self.name]
        return EMULATED.get(self.name, MINUTES[self.name])

    @property
    def title(self) -> str:
        return self.name if self.device is None \
            else f"{self.name} on {self.device}"


def _options(arguments: Sequence[str]):
    parser = cli.Parser(prog="./run bench all", description=__doc__)
    scenario.add_options(parser, rounds=3)
    parser.set_defaults(timeout=None)       # each has its own
    parser.add_argument("--only", type=scenario.list_of(
        scenario.one_of(list(MINUTES), "scenario"), "a scenario"),
        default=list(MINUTES), help="some of " + ",".join(MINUTES))
    options = parser.parse_args(arguments)
    if options.resume is None:
        options.arguments = list(arguments)
        return _usual(options)
    if len(arguments) != 2 and arguments[0] == "--resume" or \
            len(arguments) > 2:
        raise UserError("--resume continues a run with its own options. "
                        "Leave out the others.")
    plan = _read_plan(options.resume)
    directory = options.resume
    options = parser.parse_args(plan["arguments"])
    options.arguments, options.resume = plan["arguments"], directory
    return _usual(options)


def _usual(options):
    if options.scale is None:
        options.scale = 0.2 if options.quick else 5.0
    return options


def _read_plan(directory: str) -> dict:
    try:
        with open(os.path.join(directory, _PLAN)) as file:
            plan = json.load(file)
            plan["arguments"] = [str(word) for word in plan["arguments"]]
            return plan
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{directory} is no run of ./run bench all. ls "
                        f"{results.RESULTS} shows those there are.") from None


def steps_of(only: Sequence[str], device: Optional[str]) -> List[Step]:
    """The machine's device and the paper's, or the requested one."""
    if device is not None:
        return [Step(name, device) for name in only]
    return [Step(name, None) for name in only] + \
        [Step(name, _PAPERS_DEVICE) for name in only if name in EMULATED]


def _bytes_needed(options, step: Step) -> float:
    """Additional disk space; memory if emulated."""
    if step.name in MICRO:
        return 3.0 * (_QUICK_MB if options.quick else _MICRO_MB) * 2 ** 20
    need = load.Source(options.scale).bytes_needed()
    # A copy of the fact table, pgbench's tables and their log.
    return need + (0.8e9 * options.scale + 1.6e9
                   if step.name == "fig12" else 0)


def _lacking(options, step: Step) -> Optional[str]:
    """Why a step is impossible here, or None."""
    if step.device is None:
        return None
    why = emulator.no_fuse()
    if why is not None:
        return why
    need = _bytes_needed(options, step) + \
        (0 if step.name in MICRO else options.memory)
    have = emulator.available_bytes()
    if have < need:
        return (f"an emulated device keeps its data in memory: "
                f"{need / 1e9:.1f} GB are needed and {have / 1e9:.1f} GB "
                "are available")
    return None


def _check_disk(options, steps: Sequence[Step]) -> None:
    scratch = Scratch(f"-{options.server}" if options.server else "")
    place = scratch.path if os.path.isdir(scratch.path) \
        else os.path.dirname(scratch.path)
    need = max(_bytes_needed(options, step) for step in steps)
    free = float(shutil.disk_usage(place).free)
    if scratch.exists():
        free += scratch.data_bytes()
    if free < need:
        raise UserError(
            f"this run needs about {need / 1e9:.1f} GB in {place}, and "
            f"{free / 1e9:.1f} GB are free there. Free some, take a smaller "
            "--scale, leave scenarios out (--only), or set SSDPAR_SCRATCH "
            "to a larger disk.")


def _say_what_root_could(progress: Progress, steps: Sequence[Step]) -> None:
    if os.geteuid() == 0:
        return
    names = [step.name for step in steps if step.name in ("fig6", "fig11")]
    if names:
        progress.say(f"not root: {', '.join(dict.fromkeys(names))} can be "
                     "measured at the read_ahead_kb found only")
    progress.say("not root: the server's memory is not limited, so that "
                 "repeated reads may come from the cache")


def _arguments(options, step: Step) -> List[str]:
    """The options that a scenario accepts."""
    words = []
    for name in ("rounds", "device"):
        value = step.device if name == "device" else getattr(options, name)
        if value is not None:
            words += [f"--{name}", str(value)]
    if step.name in MICRO:
        short = options.quick and options.rounds is None
        return words + (["--rounds", "1"] if short else []) + \
            (["--file-size", str(_QUICK_MB)] if options.quick else [])
    words += ["--scale", f"{options.scale:g}", "--memory",
              f"{options.memory >> 20}M"]
    for name in ("server", "timeout"):
        if getattr(options, name) is not None:
            words += [f"--{name}", str(getattr(options, name))]
    return words + [f"--{name}" for name in ("quick", "calibrate")
                    if getattr(options, name)]


def _facts(directory: str) -> dict:
    if not os.path.exists(os.path.join(directory, results.ENVIRONMENT)):
        return {}
    return results.read_facts(directory)


def _run(options, step: Step, directory: str) -> int:
    """A scenario's exit status; its numbers are in the directory."""
    words = ["--resume", directory] if _facts(directory) \
        else _arguments(options, step)
    sys.stdout.flush()
    with process.held():
        # Ctrl-C reaches us, and we pass it to the child once.
        child = subprocess.Popen(
            [sys.executable, os.path.join(_HERE, f"{step.name}.py"), *words],
            start_new_session=True, preexec_fn=process.dying_with_us(),
            env=dict(os.environ, **{results.INTO: directory}))
    try:
        return child.wait()
    except Interrupted:
        with process.held():
            child.terminate()
            child.wait()
        raise


def _time_left(steps: Sequence[Step], number: int, skipped: int,
               began: float) -> str:
    spent = sum(step.minutes for step in steps[skipped:number])
    if not spent:
        return ""
    rest = sum(step.minutes for step in steps[number:])
    return (", about "
            f"{clock((time.monotonic() - began) / spent * rest)} left")


def _run_all(options, steps: Sequence[Step], directory: str,
             progress: Progress) -> Dict[str, str]:
    """The outcome of each step that did not end well."""
    bad: Dict[str, str] = {}
    began, skipped = time.monotonic(), 0
    for number, step in enumerate(steps):
        place = os.path.join(directory, step.directory)
        if _facts(place).get("complete"):
            progress.say(f"{step.title}: measured already")
            skipped = number + 1
            continue
        progress.say(f"scenario {number + 1} of {len(steps)}, {step.title}"
                     f"{_time_left(steps, number, skipped, began)}")
        status = _run(options, step, place)
        if status >= 128:
            raise Interrupted(status - 128)
        if status != 0:
            bad[step.title] = "incomplete" \
                if not _facts(place).get("complete") else \
                "measured, with the problem told above"
    return bad


def _report(directory: str) -> None:
    process.check([sys.executable, os.path.join(_HERE, "make_report.py"),
                   directory], "making the report", show=True)


def _choose(options, progress: Progress) -> List[Step]:
    steps = []
    for step in steps_of(options.only, options.device):
        why = _lacking(options, step)
        if why is None:
            steps.append(step)
        else:
            progress.say(f"leaving out {step.title}: {why}")
    if not steps:
        raise UserError("nothing of what was asked for can be measured "
                        "here, for the reasons told above.")
    _check_disk(options, steps)
    _say_what_root_could(progress, steps)
    return steps


def run_all(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    progress = Progress()
    try:
        if options.server is not None:
            installation.check_tree(options.server)
        steps = _choose(options, progress)
        # The only place that may ask for a password, at the start.
        packages.ensure(progress, any(step.device for step in steps))
        directory = options.resume or results.new_directory("all")
        results.write_json(os.path.join(directory, _PLAN),
                           {"arguments": options.arguments})
        progress.say(f"results go to {directory}; interrupted, --resume "
                     "with it continues")
        bad = _run_all(options, steps, directory, progress)
    finally:
        progress.close()
    _report(directory)
    if bad:
        raise UserError("not all went well:\n" + "\n".join(
            f"  {title}: {what}" for title, what in bad.items()) +
            f"\n./run bench all --resume {directory} runs again what is "
            "incomplete.")
    return 0


if __name__ == "__main__":
    cli.main(run_all)
