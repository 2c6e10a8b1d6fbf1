"""The page of results: a summary of a journal for readers."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from typing import Dict, List, Set, Tuple

import endurance_chart
import samples
from journal import RESULTS, Entry, Journal
from lib.errors import UserError


# Parts whose units are listed in a table.
_TABLES = ("rows", "suites")


def _number(value: int) -> str:
    return f"{value:,}"


def _counts(entries: List[Entry]) -> str:
    total: Counter[str] = Counter()
    for entry in entries:
        total.update(entry.counts)
    return ", ".join(f"{_number(value)} {name}" for name, value
                     in total.items() if value)


def _groups(journal: Journal) -> Dict[Tuple[str, str], List[Entry]]:
    groups: Dict[Tuple[str, str], List[Entry]] = {}
    for entry in journal.entries:
        groups.setdefault((entry.part, entry.build), []).append(entry)
    return groups


def _seeds(entries: List[Entry]) -> str:
    """Seed and units, and their commit, such as 1: 0–41 at 4d679ac."""
    found: Dict[Tuple[int, str], Set[int]] = {}
    for entry in entries:
        found.setdefault((entry.seed, entry.commit), set()).add(entry.unit)
    return "; ".join(f"{seed}: {_ranges(units)}" + f" at {commit}" *
                     bool(commit)
                     for (seed, commit), units in sorted(found.items()))


def _ranges(units: Set[int]) -> str:
    firsts = sorted(unit for unit in units if unit - 1 not in units)
    lasts = sorted(unit for unit in units if unit + 1 not in units)
    return ", ".join(str(first) if first == last else f"{first}–{last}"
                     for first, last in zip(firsts, lasts))


def _table(journal: Journal) -> List[str]:
    lines = ["| part | server | tried | found | hours | "
             "seed: units at commit |",
             "|---|---|---|---|---|---|"]
    for (part, build), entries in sorted(_groups(journal).items()):
        found = sum(len(entry.found) for entry in entries)
        hours = sum(entry.seconds for entry in entries) / 3600
        lines.append(f"| {part} | {build} | {_counts(entries)} | "
                     f"{found or 'nothing'} | {hours:.2f} | "
                     f"{_seeds(entries)} |")
    return lines


def _tried(journal: Journal, tries: Dict[str, str]) -> List[str]:
    """What each part tests, and which of its units were done."""
    lines = []
    for name, text in sorted(tries.items()):
        units = dict.fromkeys(entry.what for entry in journal.entries
                              if entry.part == name)
        if len(units) > 1 and name not in _TABLES:
            text += ": " + "; ".join(units)
        if units:
            lines.append(f"- {name}: {text}")
    return lines


def _suites(journal: Journal) -> List[str]:
    """For each suite: the kinds of difference."""
    entries = [one for one in journal.entries if one.part == "suites"]
    if not entries:
        return []
    kinds = ["files", "files that differ", "plan", "order", "choice",
             "core's", "unstable", "read", "rows"]
    lines = ["", "## The server's suites", "",
             "| server | suite, way | " + " | ".join(kinds) + " |",
             "|---" * (len(kinds) + 2) + "|"]
    sums: Dict[Tuple[str, str], Counter[str]] = {}
    for one in entries:
        # a file of a TAP suite belongs to its suite
        what = one.what.split("/")[0]
        sums.setdefault((one.build, what), Counter()).update(one.counts)
    for (build, what), counts in sorted(sums.items()):
        lines.append(f"| {build} | {what} | " + " | ".join(
            _number(counts.get(kind, 0)) for kind in kinds) + " |")
    return lines


def _turns(journal: Journal) -> List[str]:
    """Random queries by the options of their units."""
    entries = [one for one in journal.entries if one.part == "rows"]
    if not entries:
        return []
    kinds = {"queries": "queries", "plans": "plans looked at",
             "Ssdpar": "with a node of ssdpar's"}
    lines = ["", "## Random queries by turn", "",
             "| server | options of fuzz.py | units | " +
             " | ".join(kinds.values()) + " |",
             "|---|---" + "|---:" * (len(kinds) + 1) + "|"]
    sums: Dict[Tuple[str, str], Counter[str]] = {}
    for one in entries:
        counts = sums.setdefault((one.build, one.what), Counter())
        counts.update(one.counts)
        counts["units"] += 1
    for (build, what), counts in sorted(sums.items()):
        lines.append(f"| {build} | {what} | {counts['units']} | " + " | ".join(
            _number(counts[kind]) if kind in counts else "–"
            for kind in kinds) + " |")
    return lines


def _found(journal: Journal) -> List[str]:
    lines = ["", "## Found", ""]
    for entry in journal.entries:
        for title, file in zip(entry.found, entry.files):
            lines.append(f"- {entry.part}, PostgreSQL {entry.server}: "
                         f"[{title}](raw/{file})")
    return lines if len(lines) > 3 else lines + ["Nothing."]


def _endurance(journal: Journal) -> List[str]:
    """Draws its samples, too."""
    rows = samples.read(journal.samples_path)
    if not rows:
        return []
    name = f"endurance-{journal.date}.svg"
    _replace(os.path.join(RESULTS, name), endurance_chart.draw(rows))
    return ["", "## Endurance", "",
            f"[All samples](raw/{os.path.basename(journal.samples_path)}); "
            "what is judged is each server's time from its start to its stop, "
            "without a first third to warm up.", "",
            f"![what endurance watches, over star queries]({name})", "",
            *endurance_chart.table(rows)]


def write(journal: Journal, tries: Dict[str, str]) -> str:
    """(Re)writes the page of a journal that is locked; returns its path. Text
    below its mark is written by hand."""
    path = os.path.join(RESULTS, f"trust-{journal.date}.md")
    mark = "\n<!-- below: written by people -->\n"
    kept = mark
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            kept = mark + file.read().partition(mark)[2]
    lines = [f"# Trust, {journal.date}", "",
             "Written by `./run trust` from "
             f"[its journal](raw/trust-{journal.date}.jsonl); "
             "[how](../internals/testing.md#trust). Hours are those that the "
             "units took, added up, on the machine of "
             "[the results](README.md#the-machine).", ""]
    lines += _table(journal) + [""]
    lines += _tried(journal, tries)
    lines += (_turns(journal) + _suites(journal) + _endurance(journal) +
              _found(journal))
    _replace(path, "\n".join(lines) + "\n" + kept)
    return path


def _replace(path: str, text: str) -> None:
    """Atomically: if writing fails, the old page remains."""
    draft = f"{path}.{os.getpid()}"
    try:
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(draft, path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise UserError(
            f"cannot write {path}: {problem.strerror}. Free space or mend "
            "the permissions, then ./run trust --hours 0.") from None
