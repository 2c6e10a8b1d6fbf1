"""The page: HTML with everything in it, for phones, desktops and paper.

First a summary that takes a minute, then one section per figure: what the
paper found, what this device shows, the verdict, and caveats.
"""

from __future__ import annotations

import html
from typing import Dict, Sequence

from lib import inside, micro, simulator, summary

from . import claims, digest
from .claim import DIFFERS, HOLDS, NOTED, OPEN, Claim
from .collect import Result
from .digest import Digest

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 sans-serif; margin: 0 auto; padding: 0 1rem 3rem;
  max-width: 50rem; color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; margin-bottom: 0.3rem; }
figure { margin: 0.5rem 0; }
svg { display: block; width: 100%; max-width: 34rem; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { border: 1px solid #ccc; padding: 0.2rem 0.5rem; text-align: left;
  vertical-align: top; }
td, li, p { overflow-wrap: anywhere; }
td.number { text-align: right; white-space: nowrap; }
.holds { background: #d8f0d8; } .differs { background: #fbe3c0; }
.open { background: #eee; }
.small { font-size: 0.8rem; color: #555; }
@media screen and (max-width: 34rem) {
  .claims, .claims tbody, .claims tr, .claims td { display: block; }
  .claims tr { margin: 0 0 0.7rem; border: 1px solid #ccc; }
  .claims tr.head { display: none; }
  .claims td { border: 0; }
  .claims td::before { content: attr(data-head) ": "; color: #666; } }
@media print { body { font-size: 10pt; max-width: none; }
  h2 { break-before: page; } figure, tr { break-inside: avoid; }
  details { display: none; } }
"""
_CLASSES = {HOLDS: "holds", DIFFERS: "differs", OPEN: "open", NOTED: "open"}


def _text(value: object) -> str:
    return html.escape(str(value))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Numbers, next to their names."""
    lines = ["<tr>" + "".join(f"<th>{_text(cell)}</th>" for cell in head) +
             "</tr>"]
    for row in rows:
        cells = [f"<td>{_text(row[0])}</td>"] + [
            f'<td class="number">{_text(cell)}</td>' for cell in row[1:]]
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return '<div class="scroll"><table>' + "\n".join(lines) + \
        "</table></div>"


def _words(head: Sequence[str], rows: Sequence[Sequence[str]],
           classes: Sequence[str]) -> str:
    """Sentences, already HTML; on a phone one block per row."""
    lines = ['<tr class="head">' + "".join(f"<th>{cell}</th>"
                                           for cell in head) + "</tr>"]
    for row, kind in zip(rows, classes):
        kinds = [""] * (len(row) - 1) + [f' class="{kind}"']
        lines.append("<tr>" + "".join(
            f'<td data-head="{name}"{mark}>{cell}</td>'
            for name, cell, mark in zip(head, row, kinds)) + "</tr>")
    return '<table class="claims">' + "\n".join(lines) + "</table>"


def _verdict(claim: Claim) -> str:
    if not claim.reason:
        return _text(claim.verdict)
    return f"{_text(claim.verdict)}: {_text(claim.reason)}"


def _claim_table(found: Sequence[Claim]) -> str:
    return _words(["claim", "paper or goal", "here", "verdict"],
                  [[_text(claim.text), _text(claim.paper),
                    _text(claim.here), _verdict(claim)] for claim in found],
                  [_CLASSES[claim.verdict] for claim in found])


def _link(run: Result) -> str:
    title = digest.TITLES[run.scenario].split(":")[0]
    return (f'<a href="#{digest.anchor(run)}">{_text(title)}</a>, '
            f"{_text(digest.where(run))}")


def _summary(report: Digest) -> str:
    """The summary that takes a minute."""
    lines = report.lines()
    failing = "".join(
        f"<li>{_link(run)}: {_text(digest.failure(claim))}</li>"
        for run, claim in report.failing())
    every = [report.of_run(line.run) for line in lines]
    return (
        f"<p>{_text(digest.ABOUT)} <b>{_text(report.count())}</b></p>" +
        _words(["figure", "found", "verdict"],
               [[_link(line.run), _text(line.found), _text(line.verdict)]
                for line in lines],
               ["differs" if any(claim.holds is False for claim in found)
                else "holds" if any(claim.holds for claim in found)
                else "open" for found in every]) +
        (f"<h3>What does not hold</h3><ul>{failing}</ul>" if failing
         else ""))


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


def _inside_rows(result: Result) -> str:
    shown = ("seconds", "bandwidth_mb_s", "iops", "all_mean_us",
             "all_p99_us", "all_max_us", "write_amplification")
    return _table(["run", *shown], [
        [" ".join(filter(None, (row[name] for name in simulator.KEY)))] +
        [f"{inside.number(row, name):.6g}" for name in shown]
        for row in result.rows])


def _numbers(result: Result) -> str:
    if result.scenario == "fig12":
        return _pair_rows(result)
    if result.scenario == "inside":
        return _inside_rows(result)
    return _leg_rows(result) if result.legs() else _speed_rows(result)


def _section(report: Digest, run: Result, plots: Dict[str, str]) -> str:
    found = report.of_run(run)
    drawn = plots.get(digest.anchor(run))
    plot = f"<figure>{drawn}</figure>" if drawn else \
        '<p class="small">No plot: matplotlib is missing, or the run did ' \
        "not come far enough.</p>"
    caveats = run.caveats or [digest.NO_CAVEAT]
    return (
        f'<h2 id="{digest.anchor(run)}">'
        f"{_text(digest.TITLES[run.scenario])}</h2>\n"
        f"<p>{_text(digest.where(run))}</p>\n<h3>What the paper saw</h3>\n"
        f"<p>{_text(claims.SAW[run.scenario])}</p>\n"
        f"<h3>What this device shows</h3>\n{plot}\n{_claim_table(found)}\n"
        f"<h3>Verdict</h3>\n<p><b>{_text(digest.verdict(found))}</b></p>\n"
        "<h3>Caveats</h3>\n<ul>" +
        "".join(f"<li>{_text(text)}</li>" for text in caveats) + "</ul>\n"
        "<details><summary>All numbers</summary>" + _numbers(run) +
        f'</details>\n<p class="small">{_text(digest.circumstances(run))}'
        "</p>")


def render(report: Digest, plots: Dict[str, str]) -> str:
    """The whole page; plots are SVG texts by digest.anchor()."""
    sections = "\n".join(_section(report, run, plots)
                         for run in report.runs)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, '
        'initial-scale=1">\n'
        f"<title>{_text(digest.TITLE)}</title>\n<style>{_STYLE}</style>"
        f"</head>\n<body><h1>{_text(digest.TITLE)}</h1>\n"
        f'<p class="small">{_text(digest.PAPER)}</p>\n{_summary(report)}\n'
        f"{sections}\n</body></html>\n")
