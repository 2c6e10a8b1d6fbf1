#!/usr/bin/env python3
"""Draws docs/results/power-15.svg: seconds by query under four settings.

Usage: python3 docs/results/power_chart.py [--check]

From raw/power-15.csv beside it, medians of the rounds.  A bar longer than the
chart has an arrow.  Colors follow the reader's light or dark theme.
--check writes nothing and fails if the file is not what would be drawn.
"""
import csv
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "raw" / "power-15.csv"
CHART = HERE / "power-15.svg"
VARIANTS = (("default", "defaults"), ("tuned", "usual SSD advice"),
            ("hash2", "hash plans forced"), ("ssdpar", "ssdpar"))
# The benchmark's own; q0 and q1.2n are this project's.
QUERIES = [f"q{flight}.{n}" for flight, most in ((1, 3), (2, 3), (3, 4),
                                                 (4, 3))
           for n in range(1, most + 1)]
LEFT, TOP, PLOT, LOW = 42, 46, 190, 26
BAR, GAP = 9, 10
MOST = 6.0                      # seconds: taller bars are cut

STYLE = """
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  text { fill: #24292f; } .line { stroke: #d0d7de; }
  .default { fill: #8c959f; } .tuned { fill: #d4a72c; }
  .hash2 { fill: #b08fd8; } .ssdpar { fill: #0a7d4f; }
  .number { font-size: 10px; } .open { font-size: 11px; }
  @media (prefers-color-scheme: dark) {
    text { fill: #d1d7e0; } .line { stroke: #3d444d; }
    .default { fill: #848d97; } .tuned { fill: #c69026; }
    .hash2 { fill: #986ee2; } .ssdpar { fill: #3fb950; }
  }"""


def medians():
    """(query, variant) -> (seconds, whether a run was cut off)."""
    runs = {}
    with SOURCE.open() as rows:
        for row in csv.DictReader(rows):
            runs.setdefault((row["query"], row["variant"]), []).append(
                (float(row["seconds"]), row["timed_out"] == "1"))
    return {key: (statistics.median(seconds for seconds, _ in found),
                  any(cut for _, cut in found))
            for key, found in runs.items()}


def scale(seconds):
    return PLOT * min(seconds, MOST) / MOST


def bars(found):
    for i, query in enumerate(QUERIES):
        x = LEFT + GAP / 2 + i * (len(VARIANTS) * BAR + GAP)
        for j, (variant, label) in enumerate(VARIANTS):
            seconds, cut = found[query, variant]
            height = scale(seconds)
            at = x + j * BAR
            yield (f'<rect class="{variant}" x="{at:.1f}"'
                   f' y="{TOP + PLOT - height:.1f}" width="{BAR - 1}"'
                   f' height="{height:.1f}"><title>{query[1:]}, {label}:'
                   f' {"more than " if cut else ""}{seconds:.2f} s'
                   '</title></rect>')
            if cut or seconds > MOST:
                yield (f'<text class="open" x="{at + BAR / 2 - 0.5:.1f}"'
                       f' y="{TOP + PLOT - height - 3:.1f}"'
                       ' text-anchor="middle">↑</text>')
        yield (f'<text x="{x + 2 * BAR:.1f}" y="{TOP + PLOT + 16}"'
               f' text-anchor="middle">{query[1:]}</text>')


def frame(width):
    for seconds in range(0, int(MOST) + 1, 2):
        y = TOP + PLOT - scale(seconds)
        yield (f'<line class="line" x1="{LEFT}" x2="{width}" y1="{y:.1f}"'
               f' y2="{y:.1f}"/><text x="{LEFT - 6}" y="{y + 4:.1f}"'
               f' text-anchor="end">{seconds} s</text>')
    x = LEFT
    for variant, label in VARIANTS:
        yield (f'<rect class="{variant}" x="{x}" y="8" width="11"'
               f' height="11"/><text x="{x + 16}" y="18">{label}</text>')
        x += 40 + 7 * len(label)


def draw():
    width = LEFT + len(QUERIES) * (len(VARIANTS) * BAR + GAP)
    height = TOP + PLOT + LOW
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img"'
             f' viewBox="0 0 {width} {height}" width="{width}"'
             f' height="{height}">',
             "<title>Seconds of the 13 Star Schema Benchmark queries, scale"
             " 5, cold, PostgreSQL 15; an arrow: longer than 6 s</title>",
             f"<style>{STYLE}\n</style>",
             *frame(width), *bars(medians()), "</svg>"]
    return "\n".join(parts) + "\n"


def main():
    drawn = draw()
    if sys.argv[1:] == ["--check"]:
        if CHART.read_text() != drawn:
            sys.exit(f"{CHART} is not what this program draws")
        return
    CHART.write_text(drawn)


if __name__ == "__main__":
    main()
