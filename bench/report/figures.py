"""Drawing: one function per scenario, from raw numbers to SVG text.

The only module that uses matplotlib.  Without it the report has its tables and
no plots.
"""

from __future__ import annotations

import io
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import fig5
import fig6
import fig10
import fig12
import power
from lib import interference, micro, off_on, summary, workloads

from . import claims, inside_figures, tablespaces_claims
from .collect import Result

try:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
except ImportError:             # the page says so
    pyplot = None               # type: ignore[assignment]

_WIDTH = 4.5                    # inches: readable on a phone, too
_STYLE = {"font.size": 9, "svg.fonttype": "none", "axes.grid": True,
          "grid.alpha": 0.3, "axes.spines.top": False,
          "axes.spines.right": False, "figure.constrained_layout.use": True,
          "font.family": "sans-serif"}


def available() -> bool:
    """Can anything be drawn?"""
    return pyplot is not None


def _panels(count: int, height: float = 2.6) -> Tuple[Any, List[Any]]:
    """Panels below each other, so that they fit a narrow screen."""
    figure, axes = pyplot.subplots(count, 1, squeeze=False,
                                   figsize=(_WIDTH, height * count))
    return figure, [axis for row in axes for axis in row]


def _svg(figure: Any, salt: str) -> str:
    """The drawing as text for a page, scaling with it."""
    target = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        figure.savefig(target, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    text = target.getvalue()
    text = text[text.index("<svg"):]        # the page's style sizes it
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return re.sub(r"(\d+\.\d\d)\d+", r"\1", text)     # hundredths of a point


def _numbers_axis(axis: Any, values: Sequence[int], label: str) -> None:
    axis.set_xscale("log", base=2)
    axis.set_xticks(values, [str(value) for value in values])
    axis.minorticks_off()
    axis.set_xlabel(label)


def _fig5(result: Result) -> Any:
    found = micro.speeds(result.rows)
    figure, axes = _panels(len(fig5.PATTERNS))
    for axis, (pattern, text) in zip(axes, fig5.PATTERNS.items()):
        for size in fig5.SIZES:
            values = [found[fig5.name(pattern, size, depth)].median / 1e6
                      for depth in fig5.DEPTHS]
            axis.plot(fig5.DEPTHS, values, marker="o", ms=3,
                      label=f"{size} kB")
        axis.set_title(text)
        axis.set_ylabel("MB/s")
        axis.set_ylim(bottom=0)
        _numbers_axis(axis, fig5.DEPTHS, "requests outstanding")
    axes[0].legend(fontsize=7)
    return figure


def _table2(result: Result) -> Any:
    found = micro.speeds(result.rows)
    figure, (axis,) = _panels(1)
    names = sorted(found, key=lambda name: ("+" in name, name))
    axis.bar(names, [found[name].median / 1e6 for name in names],
             color=["C1" if "+" in name else "C0" for name in names])
    axis.set_ylabel("MB/s in sum")
    axis.set_xticks(range(len(names)),
                    [name.replace("+", "\n+ ") for name in names],
                    fontsize=7)
    return figure


def _fig6(result: Result) -> Any:
    found = micro.speeds(result.rows)
    values = sorted({int(name.split("-")[1]) for name in found
                     if name.startswith("buffered")})
    figure, axes = _panels(2 if values else 1)
    for size in fig6.SIZES:
        axes[0].plot(fig6.STREAMS, [
            found[f"direct-{size}-{n}"].median / 1e6 for n in fig6.STREAMS],
            marker="o", ms=3, label=f"{size} kB")
    axes[0].set_title("direct I/O")
    for value in values:
        axes[1].plot(fig6.STREAMS, [
            found[f"buffered-{value}-{n}"].median / 1e6
            for n in fig6.STREAMS], marker="o", ms=3,
            label=f"read_ahead_kb {value}")
        axes[1].set_title("through the page cache, 8 kB")
    for axis in axes:
        axis.set_ylabel("MB/s in sum")
        axis.set_ylim(bottom=0)
        axis.legend(fontsize=7)
        _numbers_axis(axis, fig6.STREAMS, "streams")
    return figure


Found = Dict[summary.Key, summary.Summary]


def _series(found: Found, query: str, access: str
            ) -> List[Tuple[int, summary.Summary]]:
    return sorted((int(variant.split("-")[1]), entry)
                  for (name, variant), entry in found.items()
                  if name == query and variant.split("-")[0] == access)


def _fig10(result: Result) -> Any:
    found = result.summaries()
    figure, axes = _panels(2, 3.0)
    for axis, (access, queries) in zip(axes, fig10.PLANS.items()):
        seen: List[int] = []
        for query in queries:
            series = _series(found, query, access)
            if not series or series[0][0] != 1:
                continue
            one = series[0][1].median
            seen = [n for n, _ in series]
            axis.plot(seen, [one / entry.median for _, entry in series],
                      marker="o", ms=3, label=query.upper())
        axis.axhline(1, color="black", lw=0.8)
        axis.set_title(f"{access} plans")
        axis.set_ylabel("times faster than N=1")
        axis.set_ylim(bottom=0)
        if seen:
            _numbers_axis(axis, seen, "subqueries N")
            axis.legend(fontsize=7)
    return figure


def _bars(axis: Any, groups: Sequence[str], bars: Sequence[str],
          entry_of: Callable[[str, str], Optional[summary.Summary]]) -> None:
    """Grouped bars with the intervals of their medians."""
    width = 0.8 / len(bars)
    for number, bar in enumerate(bars):
        for place, group in enumerate(groups):
            entry = entry_of(group, bar)
            if entry is None:
                continue
            x = place + (number - (len(bars) - 1) / 2) * width
            axis.bar(x, entry.median, width, color=f"C{number}",
                     label=bar if place == 0 else None)
            low, high = entry.interval
            if entry.rounds > 1:
                axis.plot([x, x], [low, high], color="black", lw=0.8)
            if entry.marks:
                axis.annotate(entry.marks, (x, entry.median), ha="center",
                              va="bottom", fontsize=6)
    axis.set_xticks(range(len(groups)), [name.upper() for name in groups])
    axis.grid(axis="x", visible=False)
    axis.set_ylabel("seconds")


def _fig11(result: Result) -> Any:
    found = result.summaries()
    values = sorted({int(variant.rsplit("-", 1)[1]) for _, variant in found})
    queries = list(dict.fromkeys(sorted(name for name, _ in found)))
    methods = [name for name in ("off", "local", "daemon")
               if any(variant.startswith(name) for _, variant in found)]
    figure, axes = _panels(len(values))
    for axis, value in zip(axes, values):
        _bars(axis, queries, methods,
              lambda query, method, value=value: found.get(
                  (query, f"{method}-{value}")))
        axis.set_title(f"read_ahead_kb {value}")
    axes[0].legend(fontsize=7)
    return figure


def _slowdowns() -> Any:
    """Green to red, pale enough for black letters at both ends."""
    whole = pyplot.get_cmap("RdYlGn_r")
    return whole.from_list("slowdowns", [whole(0.2 + 0.6 * step / 255)
                                         for step in range(256)])


def _write_in(axis: Any, x: int, y: int, value: str, interval: str) -> None:
    """A cell's number, and below it the interval, as wide as the cell."""
    axis.annotate(value, (x, y), (0, 3), textcoords="offset points",
                  ha="center", va="bottom", fontsize=8)
    for line, text in enumerate(interval.split(" to ")):
        axis.annotate(("to " if line else "") + text, (x, y),
                      (0, 1 - 7 * line), textcoords="offset points",
                      ha="center", va="top", fontsize=6)


def _heat(axis: Any, result: Result, mode: str, names: List[str]) -> Any:
    found = interference.costs(result.rows)
    cells = [[interference.slowdown(found, mode, target, other)
              for other in names] for target in names]
    numbers = [[float("nan") if cell is None else 100 * cell.value
                for cell in row] for row in cells]
    image = axis.imshow(numbers, cmap=_slowdowns(), vmin=-100, vmax=200,
                        aspect="auto")
    for y, row in enumerate(cells):
        for x, cell in enumerate(row):
            if cell is not None:
                mark = fig12.marks(result.rows, found,
                                   (mode, names[y], names[x]))
                _write_in(axis, x, y, f"{mark}{cell.value:+.0%}",
                          cell.interval_text)
    axis.set_xticks(range(len(names)), names)
    axis.set_yticks(range(len(names)), names)
    axis.set_xlabel("co-runner")
    axis.set_ylabel("target")
    axis.set_title(mode)
    axis.grid(False)
    return image


def _fig12(result: Result) -> Any:
    modes = workloads.modes_of(result.rows)
    names = [name for name in fig12.NAMES
             if any(row["target"] == name for row in result.rows)]
    figure, axes = _panels(len(modes), 3.2)
    for axis, mode in zip(axes, modes):
        image = _heat(axis, result, mode, names)
    figure.colorbar(image, ax=axes, orientation="horizontal", aspect=40,
                    label="% longer than alone", extend="max")
    return figure


def _fig13(result: Result) -> Any:
    found = result.summaries()
    queries = sorted({name for name, _ in found}, reverse=True)
    figure, axes = _panels(len(queries))
    for axis, query in zip(axes, queries):
        seen: List[int] = []
        for access in ("index", "hash"):
            series = _series(found, query, access)
            seen = [n for n, _ in series]
            axis.plot(seen, [entry.median for _, entry in series],
                      marker="o", ms=3, label=f"{access} join")
            axis.fill_between(
                seen, [entry.interval[0] if entry.rounds > 1 else
                       entry.median for _, entry in series],
                [entry.interval[1] if entry.rounds > 1 else entry.median
                 for _, entry in series], alpha=0.2)
        axis.set_title(query.upper())
        axis.set_ylabel("seconds")
        axis.set_ylim(bottom=0)
        _numbers_axis(axis, seen, "subqueries N")
        axis.legend(fontsize=7)
    return figure


def _sweep(result: Result) -> Any:
    figure, (axis,) = _panels(1, 3.0)
    for n, ratios in sorted(claims.crossings(result).items()):
        known = sorted(ratios)
        axis.plot([number / 10 for number in known],
                  [ratios[number] for number in known], marker="o", ms=3,
                  label=f"N={n}")
    axis.axhline(1, color="black", lw=0.8)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("share of the fact table, %")
    axis.set_ylabel("time of index over hash join")
    axis.legend(fontsize=7)
    return figure


def _power(result: Result) -> Any:
    """One line per query, one dot per variant, because bars would be too many.
    """
    found = result.summaries()
    variants = [name for name in power.VARIANTS
                if any(variant == name for _, variant in found)]
    queries = sorted({name for name, _ in found}, reverse=True)
    figure, (axis,) = _panels(1, 1.0 + 0.3 * len(queries))
    for number, variant in enumerate(variants):
        known = [(place, found[(query, variant)])
                 for place, query in enumerate(queries)
                 if (query, variant) in found]
        axis.plot([entry.median for _, entry in known],
                  [place for place, _ in known], ls="", marker="osD^v<>p"
                  [number % 8], ms=4, color=f"C{number}", label=variant)
        for place, entry in known:
            if entry.rounds > 1:
                axis.plot(entry.interval, [place, place], lw=0.8,
                          color=f"C{number}")
    axis.set_yticks(range(len(queries)), [name.upper() for name in queries])
    axis.set_xscale("log")
    axis.set_xlabel("seconds")
    axis.legend(fontsize=7, ncols=3, loc="lower center",
                bbox_to_anchor=(0.5, 1.0))
    return figure


def _tpch(result: Result) -> Any:
    """One line per query: the speed-up with ssdpar."""
    ratios = off_on.ratios(result.summaries())
    queries = sorted(ratios, key=lambda name: int(name[1:]), reverse=True)
    figure, (axis,) = _panels(1, 1.0 + 0.2 * len(queries))
    axis.plot([ratios[query] for query in queries], range(len(queries)),
              ls="", marker="o", ms=4)
    axis.axvline(1, color="black", lw=0.8)
    axis.set_yticks(range(len(queries)), [name.upper() for name in queries])
    axis.set_xscale("log")
    axis.set_xlabel("time off over time on")
    return figure


_DRAW: Dict[str, Callable[[Result], Any]] = {
    "fig5": _fig5, "table2": _table2, "fig6": _fig6, "fig10": _fig10,
    "fig11": _fig11, "fig12": _fig12, "fig13": _fig13, "sweep": _sweep,
    "power": _power, "tpch": _tpch,
    "inside": lambda result: inside_figures.draw(result, _panels),
    "tablespaces": lambda result: tablespaces_claims.draw(result, _panels)}


def draw(result: Result) -> Optional[str]:
    """A run's figure; None if there is too little of it."""
    if pyplot is None or not result.rows:
        return None
    with matplotlib.rc_context(_STYLE):
        try:
            figure = _DRAW[result.scenario](result)
        except (KeyError, ValueError, IndexError):
            pyplot.close("all")
            return None         # interrupted; the caveats say so
        return _svg(figure, "-".join(str(part) for part in result.key))
