"""The page's chart of endurance: each quantity over the number of star
queries.

An SVG made like that of docs/results/power_chart.py; colors follow the
reader's light or dark theme.
"""

from __future__ import annotations

from html import escape
from typing import Dict, Iterator, List, Sequence, Tuple

from growth import STAR_QUERIES, THINGS, Thing
from samples import Row

Points = List[Tuple[int, int]]              # star queries, value
Series = Dict[Tuple[str, int], Points]      # by quantity and server

_COLUMNS, _WIDTH, _HEIGHT = 3, 236, 56
_GAP, _ABOVE, _BELOW, _TOP = 22, 18, 16, 30
_MOST = 300                                 # points per line

_STYLE = """
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  text { fill: #24292f; } .number { font-size: 10px; }
  .line { stroke: #d0d7de; } polyline { fill: none; stroke-width: 1.3; }
  .s0 { stroke: #0a7d4f; } .s1 { stroke: #8250df; } .s2 { stroke: #b35900; }
  .s3 { stroke: #0969da; } .s4 { stroke: #cf222e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #d1d7e0; } .line { stroke: #3d444d; }
    .s0 { stroke: #3fb950; } .s1 { stroke: #a371f7; } .s2 { stroke: #d4a72c; }
    .s3 { stroke: #58a6ff; } .s4 { stroke: #ff7b72; }
  }"""


def series_of(rows: Sequence[Row]) -> Series:
    """The numbers of star queries continue from one unit of a server to the
    next."""
    series: Series = {}
    unit: Dict[int, Tuple[int, int]] = {}   # by server: the last unit
    begun: Dict[int, int] = {}              # star queries before it
    asked: Dict[int, int] = {}              # and until now
    for row in rows:
        if unit.get(row.server) != (row.seed, row.unit):
            unit[row.server] = row.seed, row.unit
            begun[row.server] = asked.setdefault(row.server, 0)
        if row.thing == STAR_QUERIES:
            asked[row.server] = begun[row.server] + row.value
        else:
            series.setdefault((row.thing, row.server), []).append(
                (asked[row.server], row.value))
    return series


def _drawn(series: Series) -> List[Thing]:
    names = {name for name, _ in series}
    return [thing for thing in THINGS if thing.name in names]


def _servers(series: Series) -> List[int]:
    return sorted({server for _, server in series})


def _panel(series: Series, thing: Thing, right: int) -> Iterator[str]:
    lines = {server: series[thing.name, server]
             for server in _servers(series) if (thing.name, server) in series}
    top = max(max(value for _, value in points)
              for points in lines.values()) or 1
    yield f'<text y="-5">{escape(thing.title)}</text>'
    for y, value in ((0, top), (_HEIGHT, 0)):
        yield (f'<line class="line" x2="{_WIDTH}" y1="{y}" y2="{y}"/>'
               f'<text class="number" x="{_WIDTH}" y="{y - 3}" '
               f'text-anchor="end">{value:,}</text>')
    for server, points in lines.items():
        some = points[::max(1, len(points) // _MOST)]
        at = " ".join(f"{_WIDTH * x / right:.1f},"
                      f"{_HEIGHT * (1 - value / top):.1f}"
                      for x, value in some)
        yield (f'<polyline class="s{_servers(series).index(server) % 5}" '
               f'points="{at}"/>')


def _legend(series: Series, right: int) -> Iterator[str]:
    yield (f'<text x="0" y="12">Over {right:,} star queries of sessions that '
           "stay</text>")
    for number, server in enumerate(_servers(series)):
        x = 330 + 110 * number
        yield (f'<polyline class="s{number % 5}" points="{x},8 {x + 16},8"/>'
               f'<text x="{x + 20}" y="12">PostgreSQL {server}</text>')


def draw(rows: Sequence[Row]) -> str:
    """The chart of all samples; there is at least one."""
    series = series_of(rows)
    right = max(max(x for x, _ in points) for points in series.values()) or 1
    things = _drawn(series)
    high = _ABOVE + _HEIGHT + _BELOW
    width = _COLUMNS * (_WIDTH + _GAP) - _GAP
    height = _TOP + high * -(-len(things) // _COLUMNS)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" role="img" '
             f'viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}">',
             "<title>Memory, descriptors and entries over star queries"
             "</title>", f"<style>{_STYLE}\n</style>",
             *_legend(series, right)]
    for number, thing in enumerate(things):
        x = number % _COLUMNS * (_WIDTH + _GAP)
        y = _TOP + number // _COLUMNS * high + _ABOVE
        parts += [f'<g transform="translate({x} {y})">',
                  *_panel(series, thing, right), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _may(thing: Thing) -> str:
    if thing.exact:
        return "stays the same"
    return f"{thing.room:g}" if thing.room is not None else "not judged"


def table(rows: Sequence[Row]) -> List[str]:
    """The minimum and maximum of each quantity, and the tolerance for growth.
    """
    series = series_of(rows)
    lines = ["| | server | least | greatest | may rise by |",
             "|---|---|---|---|---|"]
    for thing in _drawn(series):
        for server in _servers(series):
            values = [value for _, value in series.get((thing.name, server),
                                                       [])]
            if values:
                lines.append(f"| {thing.title} | {server} | {min(values):,} "
                             f"| {max(values):,} | {_may(thing)} |")
    return lines
