"""The report's texts, independent of the output format.

Titles, places of measurements, counts of verdicts, the lines of the summary.
page.py makes HTML of it and markdown.py Markdown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, List, Sequence, Tuple

from . import claims
from .claim import Claim
from .collect import Result

TITLE = "Internal parallelism of SSDs, measured again"
PAPER = ("The paper: Feng Chen, Binbing Hou, Rubao Lee: Internal Parallelism "
         "of Flash Memory-Based Solid-State Drives, ACM Transactions on "
         "Storage 12(3), 2016. Believe ratios of one run; absolute figures "
         "of different runs compare only with their device ceilings beside "
         "them.")
ABOUT = ("An SSD serves many requests at once; a planner that does not know "
         "it chooses the wrong plan. The paper measured that; here it is "
         "measured again, and each claim is said to hold or not.")
NO_CAVEAT = "None that the raw numbers show."
TITLES = {
    "fig5": "Figure 5: bandwidth by pattern, size and depth",
    "table2": "Table II: reads beside writes",
    "fig6": "Figure 6: sequential streams and read-ahead",
    "fig10": "Figure 10 (Case 1): splitting queries",
    "fig11": "Figure 11 (Case 2): prefetching",
    "fig12": "Figure 12 (Case 3): interference",
    "fig13": "Figure 13 (Case 4): index join against hash join",
    "sweep": "Where index and hash join cross",
    "power": "All queries: stock, tuned, ssdpar",
    "tpch": "TPC-H: without ssdpar and with it",
    "inside": "Inside the device: PAQ, Amphibian, the daemon, simulated",
    "tablespaces": "External parallelism: partitions on several devices"}


def where(result: Result) -> str:
    server = f", PostgreSQL {result.server}" if result.server else ""
    special = f", {result.special}" if result.special else ""
    return f"{result.device}{server}{special}"


def anchor(result: Result) -> str:
    """A name for a run in links and files."""
    return re.sub(r"[^A-Za-z0-9]+", "-", "-".join(
        str(part) for part in result.key if part)).strip("-")


def verdict(found: Sequence[Claim]) -> str:
    """How many of a run's claims hold."""
    judged = [claim for claim in found if claim.holds is not None]
    if not judged:
        return "nothing to judge"
    good = sum(claim.holds is True for claim in judged)
    return f"{good} of {len(judged)} hold"


@dataclass(frozen=True)
class Line:
    """A run in the summary."""

    title: str
    run: Result
    verdict: str
    found: str                  # its strongest result


@dataclass(frozen=True)
class Digest:
    """Everything that the report says of its runs."""

    runs: Sequence[Result]
    claims: Dict[str, List[Claim]]      # by directory

    @classmethod
    def of(cls, runs: Sequence[Result]) -> Digest:
        return cls(runs, {run.directory: claims.of(run) for run in runs})

    def of_run(self, run: Result) -> List[Claim]:
        return self.claims[run.directory]

    def count(self) -> str:
        every = [claim for found in self.claims.values() for claim in found]
        judged = [claim for claim in every if claim.holds is not None]
        good = sum(claim.holds is True for claim in judged)
        return (f"Of {len(judged)} claims and goals that can be judged from "
                f"the runs below, {good} hold.")

    def lines(self) -> List[Line]:
        return [Line(TITLES[run.scenario].split(":")[0], run,
                     verdict(self.of_run(run)), _best(self.of_run(run)))
                for run in self.runs]

    def failing(self) -> List[Tuple[Result, Claim]]:
        """Claims that do not hold, with their runs."""
        return [(run, claim) for run in self.runs
                for claim in self.of_run(run) if claim.holds is False]


def failure(claim: Claim) -> str:
    """A claim that does not hold, in a sentence or two.

    A goal's own numbers suffice here; its section has the times.
    """
    said = f"{claim.said}; " if claim.said else ""
    return f"{claim.text} ({said}here {claim.here})." + \
        ("" if claim.is_goal else f" Reason: {claim.reason}.")


def _best(found: Sequence[Claim]) -> str:
    """The first claim that holds, else the first."""
    for claim in sorted(found, key=lambda claim: claim.holds is not True):
        return f"{claim.text}: {claim.here}" + \
            (f" ({claim.said})" if claim.said else "")
    return "nothing"


def circumstances(result: Result) -> str:
    """When, where and with what a run was measured."""
    facts = result.facts
    limits = facts.get("ceiling") or {}
    device = facts.get("device") or {}
    parts = [
        f"measured {facts.get('time', 'at an unknown time')}",
        f"ssdpar {facts.get('ssdpar_commit', 'unknown')}",
        f"kernel {facts.get('kernel', 'unknown')}, "
        f"{facts.get('cores', '?')} cores",
        f"read_ahead_kb as found {device.get('read_ahead_kb')}",
        f"rounds {facts.get('rounds')}"]
    for when in ("before", "after"):
        if when in limits:
            parts.append(f"device ceiling {when}: {limits[when]['text']}")
    memory = facts.get("memory_limit")
    if memory:
        parts.append(f"server's memory {memory >> 20} MiB")
    if facts.get("server"):
        parts.append(str(facts["server"]))
    parts.append(f"raw numbers: {result.place}")
    return "; ".join(parts) + "."
