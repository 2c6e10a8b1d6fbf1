"""The page: HTML with everything in it, for a phone, a desk and paper.

First what a manager reads in a minute, then a section a figure: what the
paper saw, what this device shows, the verdict, what to be careful about.
"""

from __future__ import annotations

import html
import re
from typing import Dict, List, Optional, Sequence

from lib import micro, summary

from . import claims, figures
from .claims import Claim
from .collect import Result

TITLES = {
    "fig5": "Figure 5: bandwidth by pattern, size and depth",
    "table2": "Table II: reads beside writes",
    "fig6": "Figure 6: sequential streams and read-ahead",
    "fig10": "Figure 10 (Case 1): splitting queries",
    "fig11": "Figure 11 (Case 2): prefetching",
    "fig12": "Figure 12 (Case 3): interference",
    "fig13": "Figure 13 (Case 4): index join against hash join",
    "sweep": "Where index and hash join cross",
    "power": "All queries: stock, tuned, ssdpar"}

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 sans-serif; margin: 0 auto; padding: 0 1rem 3rem;
  max-width: 50rem; color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; margin-bottom: 0.3rem; }
svg { width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { border: 1px solid #ccc; padding: 0.2rem 0.5rem; text-align: left;
  vertical-align: top; }
td.number { text-align: right; white-space: nowrap; }
.holds { background: #d8f0d8; } .differs { background: #fbe3c0; }
.open { background: #eee; }
.small { font-size: 0.8rem; color: #555; overflow-wrap: anywhere; }
@media print { body { font-size: 10pt; max-width: none; }
  h2 { break-before: page; } figure, table { break-inside: avoid; }
  details > * { display: block; } }
"""
_CLASSES = {claims.HOLDS: "holds", claims.DIFFERS: "differs",
            claims.OPEN: "open", claims.NOTED: "open"}


def _text(value: object) -> str:
    return html.escape(str(value))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["<tr>" + "".join(f"<th>{_text(cell)}</th>" for cell in head) +
             "</tr>"]
    for row in rows:
        cells = [f"<td>{_text(row[0])}</td>"] + [
            f'<td class="number">{_text(cell)}</td>' for cell in row[1:]]
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return '<div class="scroll"><table>' + "\n".join(lines) + \
        "</table></div>"


def _claim_row(claim: Claim, first: str = "") -> str:
    lead = f"<td>{first}</td>" if first else ""
    return (f"<tr>{lead}<td>{_text(claim.text)}</td><td>"
            f"{_text(claim.paper)}</td><td>{_text(claim.here)}</td>"
            f'<td class="{_CLASSES[claim.verdict]}">{claim.verdict}</td>'
            "</tr>")


def _claim_table(found: Sequence[Claim]) -> str:
    return ('<div class="scroll"><table><tr><th>claim</th><th>paper</th>'
            "<th>here</th><th>verdict</th></tr>" +
            "\n".join(_claim_row(claim) for claim in found) +
            "</table></div>")


def _where(result: Result) -> str:
    server = f", PostgreSQL {result.server}" if result.server else ""
    special = f", {result.special}" if result.special else ""
    return f"{result.device}{server}{special}"


def _anchor(result: Result) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", "-".join(
        str(part) for part in result.key if part))


def _summary(every: Dict[str, List[Claim]], runs: Sequence[Result]) -> str:
    """The page for a minute: how many claims hold, and each of them."""
    judged = [claim for found in every.values() for claim in found
              if claim.holds is not None]
    good = sum(claim.holds is True for claim in judged)
    rows = [_claim_row(claim, f'<a href="#{_anchor(run)}">'
                       f"{_text(TITLES[run.scenario].split(':')[0])}</a>"
                       f"<br>{_text(_where(run))}")
            for run in runs for claim in every[run.directory]]
    return (
        "<p>An SSD serves many requests at once; a planner that does not "
        "know it chooses the wrong plan. The paper measured that; this page "
        "measures it again, here, and says of each claim whether it holds. "
        f"<b>Of {len(judged)} claims and goals that can be judged from the "
        f"runs below, {good} hold.</b> Each figure that differs has its "
        "numbers and its caveats in its section.</p>"
        '<div class="scroll"><table><tr><th>figure, device</th><th>claim'
        "</th><th>paper</th><th>here</th><th>verdict</th></tr>" +
        "\n".join(rows) + "</table></div>")


def _speed_rows(result: Result) -> str:
    found = micro.speeds(result.rows)
    rows = [[name, f"{entry.median / 1e6:.1f}",
             "" if entry.interval[1] == float("inf") else
             f"{entry.interval[0] / 1e6:.1f} to "
             f"{entry.interval[1] / 1e6:.1f}", "~" if entry.wide else ""]
            for name, entry in sorted(found.items())]
    return _table(["point", "MB/s", "95 % interval", "mark"], rows)


def _interval(entry: summary.Summary) -> str:
    if entry.rounds < 2:
        return "one run"
    return f"{entry.interval[0]:.3g} to {entry.interval[1]:.3g}"


def _leg_rows(result: Result) -> str:
    rows = [[f"{entry.query} {entry.variant}", f"{entry.median:.3g}",
             _interval(entry), str(entry.rounds),
             "n/a" if entry.device_bytes is None
             else f"{entry.device_bytes / 1e6:.0f}", entry.plan, entry.marks]
            for entry in result.summaries().values()]
    return _table(["leg", "median s", "95 % interval", "runs", "device MB",
                   "plan", "marks"], sorted(rows))


def _pair_rows(result: Result) -> str:
    rows = [[f"{row['target']} beside {row['co_runner']}, {row['mode']}",
             row["round"], row["value"], row["unit"],
             row["device_bytes_read"], row["co_runner_ended"]]
            for row in result.rows]
    return _table(["run", "round", "value", "unit", "device bytes",
                   "co-runner ended"], sorted(rows))


def _numbers(result: Result) -> str:
    if result.scenario == "fig12":
        return _pair_rows(result)
    return _leg_rows(result) if result.legs() else _speed_rows(result)


def _circumstances(result: Result) -> str:
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
    return '<p class="small">' + "; ".join(map(_text, parts)) + ".</p>"


def _verdict(found: Sequence[Claim]) -> str:
    words = [claim.verdict for claim in found]
    if claims.DIFFERS not in words and claims.HOLDS not in words:
        return "Cannot be said."
    if claims.DIFFERS not in words:
        return "Holds."
    if claims.HOLDS not in words:
        return "Differs."
    return f"{words.count(claims.HOLDS)} of {len(words)} hold."


def _section(result: Result, found: Sequence[Claim]) -> str:
    drawn = figures.draw(result)
    plot = f"<figure>{drawn}</figure>" if drawn else \
        '<p class="small">No plot: matplotlib is missing, or the run did ' \
        "not come far enough.</p>"
    caveats = result.caveats or ["None that the raw numbers show."]
    return (
        f'<h2 id="{_anchor(result)}">{_text(TITLES[result.scenario])}</h2>\n'
        f"<p>{_text(_where(result))}</p>\n<h3>What the paper saw</h3>\n"
        f"<p>{_text(claims.SAW[result.scenario])}</p>\n"
        f"<h3>What this device shows</h3>\n{plot}\n{_claim_table(found)}\n"
        f"<h3>Verdict</h3>\n<p><b>{_verdict(found)}</b></p>\n"
        "<h3>Caveats</h3>\n<ul>" +
        "".join(f"<li>{_text(text)}</li>" for text in caveats) + "</ul>\n"
        "<details><summary>All numbers</summary>" + _numbers(result) +
        "</details>\n" + _circumstances(result))


def render(runs: Sequence[Result], title: Optional[str] = None) -> str:
    """The whole page."""
    every = {run.directory: claims.of(run) for run in runs}
    title = title or "Internal parallelism of SSDs, measured again"
    sections = "\n".join(_section(run, every[run.directory])
                         for run in runs)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, '
        'initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{_STYLE}</style></head>\n"
        f"<body><h1>{_text(title)}</h1>\n"
        '<p class="small">The paper: Feng Chen, Binbing Hou, Rubao Lee: '
        "Internal Parallelism of Flash Memory-Based Solid-State Drives, ACM "
        "Transactions on Storage 12(3), 2016. Believe ratios of one run; "
        "absolute figures of different runs compare only with their device "
        f"ceilings beside them.</p>\n{_summary(every, runs)}\n{sections}\n"
        "</body></html>\n")
