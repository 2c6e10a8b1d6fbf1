"""./run bench report [DIR...]: one page from directories of results.

Without a directory it takes the newest complete run of each scenario, device
and server.  It measures nothing.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Sequence

from lib import cli, packages, results
from lib.errors import UserError
from lib.progress import Progress

_DEBIAN_PYTHON = "/usr/bin/python3"
_AGAIN = "SSDPAR_REPORT_AGAIN"


def _find_matplotlib(arguments: Sequence[str]) -> None:
    """Debian's package is of Debian's Python, which may not be this one."""
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


def make_report(arguments: Sequence[str]) -> int:
    parser = cli.Parser(prog="./run bench report", description=__doc__)
    parser.add_argument("directories", nargs="*", metavar="DIR",
                        help="a run's directory, or one of ./run bench all")
    parser.add_argument("--output", metavar="FILE",
                        help="the page (default report.html, in the "
                        "directory where one is given, else in "
                        "bench/results)")
    options = parser.parse_args(arguments)
    _find_matplotlib(arguments)
    # Only now: importing it looks for matplotlib.
    from report import collect, figures, page
    runs = collect.given(options.directories) if options.directories \
        else collect.newest()
    if not runs:
        raise UserError("none of these directories holds a scenario that "
                        "the report knows.")
    if not figures.available():
        print("ssdpar: without matplotlib the report has no plots.",
              file=sys.stderr)
    path = _output(options)
    draft = path + ".new"
    with open(draft, "w") as file:
        file.write(page.render(runs))
    os.rename(draft, path)
    print(f"{path}: {len(runs)} runs")
    return 0


if __name__ == "__main__":
    cli.main(make_report)
