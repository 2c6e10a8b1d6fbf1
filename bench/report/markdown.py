"""The report as Markdown, for the documentation.

The same verdicts as on the page, without the raw numbers; plots are files next
to it.
"""

from __future__ import annotations

import re
from typing import Dict, List, Sequence

from . import claims, digest
from .collect import Result
from .digest import Digest

# Markdown's special characters; an underscore within a word is not.
_SPECIAL = re.compile(r"[\\`*<>\[\]|]|\b_|_\b")


def _text(value: object) -> str:
    """Plain text with any characters."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(str(value).split()))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> List[str]:
    return [f"| {' | '.join(cells)} |" for cells in
            [list(head), ["---"] * len(head)] +
            [[_text(cell) for cell in row] for row in rows]]


def _summary(report: Digest) -> List[str]:
    lines = [_text(digest.ABOUT), "", f"**{_text(report.count())}**", ""]
    lines += _table(["figure", "device", "verdict", "found"],
                    [[line.title, digest.where(line.run), line.verdict,
                      line.found] for line in report.lines()])
    failing = report.failing()
    if failing:
        lines += ["", "### What does not hold", ""]
    return lines + [
        f"- {_text(digest.TITLES[run.scenario].split(':')[0])}, "
        f"{_text(digest.where(run))}: {_text(digest.failure(claim))}"
        for run, claim in failing]


def _section(report: Digest, run: Result, plots: Dict[str, str]
             ) -> List[str]:
    plot = plots.get(digest.anchor(run))
    image = [f"![{_text(digest.TITLES[run.scenario])}]({plot})", ""] \
        if plot else []
    return [
        f"## {_text(digest.TITLES[run.scenario])}", "",
        f"{_text(digest.where(run))}.", "",
        f"What the paper saw: {_text(claims.SAW[run.scenario])}", "", *image,
        *_table(["claim", "paper or goal", "here", "verdict"],
                [[claim.text, claim.paper, claim.here, claim.verdict +
                  (f": {claim.reason}" if claim.reason else "")]
                 for claim in report.of_run(run)]), "",
        "Caveats:", "",
        *[f"- {_text(text)}" for text in run.caveats or [digest.NO_CAVEAT]],
        "", _text(digest.circumstances(run)), ""]


def render(report: Digest, plots: Dict[str, str]) -> str:
    """The whole text; plots are paths by digest.anchor()."""
    lines = [f"# {digest.TITLE}", "", _text(digest.PAPER), "",
             *_summary(report), ""]
    for run in report.runs:
        lines += _section(report, run, plots)
    return "\n".join(lines).rstrip("\n") + "\n"
