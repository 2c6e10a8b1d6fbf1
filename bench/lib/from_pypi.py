"""Installs a data generator from PyPI in a separate directory."""

from __future__ import annotations

import shutil
import sys

from . import process
from .errors import UserError


def install(place: str, name: str, version: str, what: str) -> None:
    """By pip, without its dependencies, replacing an earlier one."""
    shutil.rmtree(place, ignore_errors=True)
    result = process.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
         "--disable-pip-version-check", "--target", place,
         f"{name}=={version}"])
    if result.status != 0:
        raise UserError(
            f"{name} {version}, which makes {what}, could not be installed "
            f"by {sys.executable} -m pip. Install pip (python3-pip). It "
            f"said:\n{result.last_words(4)}")
