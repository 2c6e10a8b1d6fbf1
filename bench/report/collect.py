"""Reads results: a run's rows and facts, even if it was interrupted.

An interrupted run is read as far as it got and says so; a directory without
results is one message.
"""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence, Tuple

from lib import interference, micro, raw, results, summary
from lib.cold import CacheState
from lib.errors import UserError
from lib.installation import TOP

FILES = ("legs.csv", "points.csv", "pairs.csv", "inside.csv")
_FILE_MB = 1024                 # smaller files: a try
# The order of the report.
SCENARIOS = ("fig5", "table2", "fig6", "fig10", "fig11", "fig12", "fig13",
             "sweep", "power", "tpch", "inside", "tablespaces")


@dataclass(frozen=True)
class LegRow:
    """A line of legs.csv, as far as summary.of uses it."""

    query: str
    variant: str
    round: int
    seconds: float
    device_bytes: Optional[int]
    shape: str
    checksum: str
    cache: CacheState
    hot: bool
    timed_out: bool


def _leg(row: raw.Row) -> LegRow:
    read = row.get("device_bytes_read", "")
    return LegRow(row["query"], row["variant"], int(row["round"]),
                  float(row["seconds"]), int(read) if read else None,
                  row["plan"], row["checksum"],
                  CacheState(int(row["cached_pages_before"]),
                             int(row["pages_total"])),
                  row.get("cache") == "hot", row.get("timed_out") == "1")


@dataclass
class Result:
    """One run."""

    directory: str
    facts: dict
    rows: List[raw.Row]
    caveats: List[str] = field(default_factory=list)

    @property
    def scenario(self) -> str:
        return str(self.facts.get("scenario", ""))

    @property
    def place(self) -> str:
        """The directory as others may have it, from the top."""
        path = os.path.abspath(self.directory)
        inside = path.startswith(TOP + os.sep)
        return os.path.relpath(path, TOP) if inside \
            else os.path.basename(path)

    @property
    def device(self) -> str:
        device = self.facts.get("device") or {}
        name = str(device.get("name", "unknown"))
        return f"emulated {name}" if device.get("emulated") else name

    @property
    def server(self) -> Optional[int]:
        return self.facts.get("server_major")

    @property
    def options(self) -> List[str]:
        return [str(word) for word in self.facts.get("arguments", [])]

    @property
    def special(self) -> str:
        """What distinguishes a run from the scenario's usual figure."""
        words = [word for word in ("--hot", "--jit", "--limit")
                 if word in self.options]
        setting = self.facts.get("tpch", {}).get("setting", "enabled")
        if setting != "enabled":
            words.append(f"--setting {setting}")
        return " ".join(words)

    @property
    def is_try(self) -> bool:
        """Too small to be quoted: prefer another run."""
        return "--quick" in self.options or _scale(self.facts) < 1 or \
            self.facts.get("file_size_mb", _FILE_MB) < _FILE_MB

    @property
    def key(self) -> Tuple[str, str, Optional[int], str]:
        return self.scenario, self.device, self.server, self.special

    def legs(self) -> List[LegRow]:
        return [_leg(row) for row in self.rows 
                if "query" in row and "seconds" in row]

    def summaries(self) -> Dict[summary.Key, summary.Summary]:
        return summary.of(self.legs())


def _scale(facts: dict) -> float:
    """Of SSB's data, or of a scenario's own."""
    for name in ("tpch", "inside", "tablespaces"):
        if name in facts:
            return float(facts[name]["scale"])
    data = (facts.get("data") or {}).get("identity", {})
    return float(data.get("source", {}).get("scale", 5))


def _ceiling_drift(facts: dict) -> Optional[str]:
    limits = facts.get("ceiling") or {}
    before, after = (limits.get(when, {}).get("bytes_per_second", {})
                     for when in ("before", "after"))
    drifts = [after[name] / before[name] - 1 for name in before
              if name in after and before[name]]
    worst = max(drifts, key=abs, default=0.0)
    if abs(worst) <= 0.15:
        return None
    return (f"The device's ceiling changed by {worst:+.0%} between the "
            "run's beginning and its end, at the point where it changed "
            "most: it was not alone, and smaller differences mean little.")


def _listed(names: Sequence[str], of: int) -> str:
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return f"{', '.join(names[:4])}{more} (of {of})"


def _wide_caveats(result: Result) -> List[str]:
    """Of figures without legs: bandwidths, slowdowns."""
    wide: List[str] = []
    every = 0
    if result.rows and "bytes_per_second" in result.rows[0]:
        found = micro.speeds(result.rows)
        every = len(found)
        wide = [name for name, speed in found.items() if speed.wide]
    elif result.rows and "co_runner" in result.rows[0]:
        costs = interference.costs(result.rows)
        cells = {f"{target} beside {other}, {mode}": interference.slowdown(
            costs, mode, target, other) for mode, target, other in costs
            if other != interference.ALONE}
        every = len(cells)
        wide = [name for name, cell in cells.items()
                if cell is not None and cell.wide]
    if not wide:
        return []
    return ["95 % interval wider than 25 %, or one round only: "
            f"{_listed(wide, every)}."]


def _mark_caveats(result: Result) -> List[str]:
    found = result.summaries()
    texts = []
    for mark, meaning in summary.MARKS.items():
        names = [f"{entry.query} {entry.variant}"
                 for entry in found.values() if mark in entry.marks]
        if names:
            texts.append(f"{meaning.capitalize()}: "
                         f"{_listed(names, len(found))}.")
    return texts


def _caveats(result: Result) -> List[str]:
    facts, texts = result.facts, []
    if not facts.get("complete"):
        texts.append("The run was interrupted: this is what it had measured. "
                     f"--resume {result.place} continues it.")
    if "memory_limit" in facts and facts["memory_limit"] is None \
            and "--hot" not in result.options and \
            facts.get("cache") != "hot":
        texts.append("The server's memory was not limited, so more of the "
                     "data may have been cached during a query.")
    if _scale(facts) < 1:
        texts.append(f"Scale factor {_scale(facts):g}: a try, not a figure "
                     "to quote.")
    if facts.get("file_size_mb", _FILE_MB) < _FILE_MB:
        texts.append(f"Measured on files of {facts['file_size_mb']} MB: a "
                     "try, not a figure to quote.")
    if facts.get("postmark_synchronous") is False:
        texts.append("postmark wrote into the page cache: the file system "
                     "knows no synchronous directories.")
    if facts.get("profile_problem"):
        texts.append("ssdpar.calibrate failed on this device, so ssdpar "
                     "planned by another device's profile, or by none.")
    drift = _ceiling_drift(facts)
    return texts + ([drift] if drift else []) + _mark_caveats(result) + \
        _wide_caveats(result)


def read(directory: str) -> Result:
    """Reads a run's directory without changing its files."""
    facts = results.read_facts(directory)
    for name in FILES:
        path = os.path.join(directory, name)
        if os.path.exists(path):
            try:
                result = Result(directory, facts, raw.read(path)[1])
                result.caveats = _caveats(result)
            except (KeyError, ValueError) as error:
                raise UserError(
                    f"{path} is not what this version of the report reads "
                    f"({error}). Leave that directory out.") from None
            return result
    raise UserError(f"{directory} holds no numbers yet "
                    f"({', '.join(FILES)} are all missing).")


def _subdirectories(directory: str) -> List[str]:
    """A run, or the runs that ./run bench all stored together."""
    if os.path.exists(os.path.join(directory, results.ENVIRONMENT)):
        return [directory]
    found = [os.path.dirname(path) for path in sorted(glob.glob(
        os.path.join(directory, "*", results.ENVIRONMENT)))]
    if not found:
        raise UserError(f"{directory} holds no results of ./run bench. "
                        f"ls {results.RESULTS} shows those there are.")
    return found


def given(directories: Sequence[str]) -> List[Result]:
    """The requested runs; two of the same kind are one message."""
    found = [read(path) for directory in directories
             for path in _subdirectories(directory)]
    seen: Dict[tuple, str] = {}
    for result in found:
        if result.key in seen:
            raise UserError(
                f"{seen[result.key]} and {result.directory} are runs of the "
                "same scenario on the same device and server. Give one.")
        seen[result.key] = result.directory
    return _sorted([result for result in found
                    if result.scenario in SCENARIOS])


def _rank(result: Result) -> Tuple[bool, str]:
    return not result.is_try, str(result.facts.get("time"))


def newest() -> List[Result]:
    """The newest complete run of each scenario, device and server.

    A trial is used only if there is nothing else.
    """
    best: Dict[tuple, Result] = {}
    pattern = os.path.join(results.RESULTS, "*", results.ENVIRONMENT)
    nested = os.path.join(results.RESULTS, "*", "*", results.ENVIRONMENT)
    for path in sorted(glob.glob(pattern) + glob.glob(nested)):
        try:
            result = read(os.path.dirname(path))
        except UserError:
            continue            # demos, older formats, runs without numbers
        if result.scenario not in SCENARIOS or \
                not result.facts.get("complete"):
            continue
        other = best.get(result.key)
        if other is None or _rank(other) < _rank(result):
            best[result.key] = result
    if not best:
        raise UserError(f"there are no complete results in "
                        f"{results.RESULTS}. ./run bench lists what can be "
                        "measured.")
    return _sorted(list(best.values()))


def _sorted(found: List[Result]) -> List[Result]:
    return sorted(found, key=lambda result: (
        SCENARIOS.index(result.scenario), result.device.startswith("emulated"),
        result.device, result.server or 0, result.special))
