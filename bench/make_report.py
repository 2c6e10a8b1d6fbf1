"""./run bench report [DIR...]: one page from directories of results.

It is written as HTML, with everything in it, and as Markdown with its plots in
a directory next to it, for the documentation.  Without a directory it uses the
newest complete run of each scenario, device and server. It measures nothing.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import sys
from typing import Dict, Sequence

from lib import cli, packages, results
from lib.errors import UserError
from lib.progress import Progress

_DEBIAN_PYTHON = "/usr/bin/python3"
_AGAIN = "SSDPAR_REPORT_AGAIN"


def _find_matplotlib(arguments: Sequence[str]) -> None:
    """Debian's package belongs to Debian's Python, which may not be this one.
    """
    if importlib.util.find_spec("matplotlib") is not None or \
            _AGAIN in os.environ:
        return
    progress = Progress()
    try:
        found = packages.have([packages.MATPLOTLIB], progress)
    finally:
        progress.close()
    if found and os.access(_DEBIAN_PYTHON, os.X_OK):
        os.environ[_AGAIN] = "1"
        sys.stdout.flush()
        os.execv(_DEBIAN_PYTHON, [_DEBIAN_PYTHON, os.path.abspath(__file__),
                                  *arguments])


def _output(options) -> str:
    if options.output is not None:
        return options.output
    if len(options.directories) == 1:
        return os.path.join(options.directories[0], "report.html")
    return os.path.join(results.RESULTS, "report.html")


def _write(path: str, text: str) -> None:
    """Writes a file atomically, in a directory that is created if necessary.
    """
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    draft = path + ".new"
    with open(draft, "w") as file:
        file.write(text)
    os.rename(draft, path)


def _write_plots(directory: str, plots: Dict[str, str]) -> Dict[str, str]:
    """The plots as files, replacing those of an earlier report."""
    for path in glob.glob(os.path.join(glob.escape(directory), "*.svg")):
        os.unlink(path)
    paths = {}
    for name, drawn in plots.items():
        path = os.path.join(directory, f"{name}.svg")
        _write(path, drawn)
        paths[name] = os.path.relpath(path, os.path.dirname(directory))
    return paths


def make_report(arguments: Sequence[str]) -> int:
    parser = cli.Parser(prog="./run bench report", description=__doc__)
    parser.add_argument("directories", nargs="*", metavar="DIR",
                        help="a run's directory, or one of ./run bench all")
    parser.add_argument("--output", metavar="FILE",
                        help="the page (default report.html, in the "
                        "directory where one is given, else in "
                        "bench/results); the same as Markdown goes beside "
                        "it")
    options = parser.parse_args(arguments)
    _find_matplotlib(arguments)
    # Only now, because importing it looks for matplotlib.
    from report import collect, digest, figures, markdown, page
    runs = collect.given(options.directories) if options.directories \
        else collect.newest()
    if not runs:
        raise UserError("none of these directories holds a scenario that "
                        "the report knows.")
    if not figures.available():
        print("ssdpar: without matplotlib the report has no plots.",
              file=sys.stderr)
    report, path = digest.Digest.of(runs), _output(options)
    drawn = {digest.anchor(run): figures.draw(run) for run in runs}
    plots = {name: text for name, text in drawn.items() if text is not None}
    stem = os.path.splitext(os.path.abspath(path))[0]
    _write(path, page.render(report, plots))
    _write(stem + ".md", markdown.render(
        report, _write_plots(stem + "-plots", plots)))
    print(f"{path}: {len(runs)} runs; as Markdown: {stem}.md")
    return 0


if __name__ == "__main__":
    cli.main(make_report)
