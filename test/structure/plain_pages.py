"""Looks for the words of plain_english.txt in pages and in SQL comments.

The words are those that C comments do not use either.  Code in a page, the
targets of its links and its HTML comments are not checked.
"""

from __future__ import annotations

import glob
import os
import re
from typing import Iterator, List, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = os.path.join(HERE, "plain_english.txt")
PAGES = os.path.join(HERE, "plain_pages.txt")
_CODE = re.compile(r"^ *```.*?^ *```$|^    .*?$|`[^`\n]*`|<!--.*?-->",
                   re.MULTILINE | re.DOTALL)
_TARGET = re.compile(r"\]\([^)]*\)")
_SQL = re.compile(r"/\*.*?\*/|(?:^ *--[^\n]*\n)+|(?<= IS )'(?:[^']|'')*'|"
                  r"(?<= IS\n    )'(?:[^']|'')*'", re.MULTILINE | re.DOTALL)
_CELLS = re.compile(r"\s\|\s|^\||\|$", re.MULTILINE)


def _values(text: str, kind: str) -> List[str]:
    lines = (line.split("#")[0].strip() for line in text.split("\n"))
    return [line.partition(" ")[2].strip() for line in lines
            if line.startswith(f"{kind} ")]


def _blank(match: "re.Match[str]") -> str:
    return re.sub(r"[^\n]", " ", match.group())


def units(path: str, text: str) -> Iterator[Tuple[int, str]]:
    """Paragraphs, table cells or SQL comments, with their first lines."""
    if path.endswith(".sql"):
        for match in _SQL.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            words = re.sub(r"(?m)^ *(--|/?\*+/?)", " ", match.group())
            for part in re.split(r"\n\s*\n", words):
                yield line, " ".join(part.strip("'*/ \n").split())
        return
    if path.endswith(".md"):
        text = _TARGET.sub(_blank, _CODE.sub(_blank, text))
    else:
        text = re.sub(r"(?m)^\.[A-Z]+ ?", "", text)
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        start = line
        line += paragraph.count("\n")
        if paragraph.lstrip().startswith("|"):
            for row in paragraph.split("\n"):
                for cell in _CELLS.split(row):
                    yield start, " ".join(cell.split())
                start += 1
        else:
            yield start, " ".join(paragraph.split())


def plain_pages(top: str, words: str = "", pages: str = "") -> List[str]:
    if not pages:
        with open(WORDS, encoding="utf-8") as file:
            words = file.read()
        with open(PAGES, encoding="utf-8") as file:
            pages = file.read()
    pattern = re.compile("|".join(f"(?:{word})"
                                  for word in _values(words, "word")), re.I)
    found = []
    spared = _values(pages, "not")
    for place in _values(pages, "page"):
        for full in sorted(glob.glob(os.path.join(top, place))):
            path = os.path.relpath(full, top)
            if path in spared:
                continue
            with open(full, encoding="utf-8") as file:
                text = file.read()
            found += [f"{path}:{line}: \"{match.group().strip(' .:;')}\""
                      for line, unit in units(path, text)
                      for match in pattern.finditer(unit)]
    return found
