"""The rules that the sources must obey.

A rule returns findings, one line each, with place and reason.  Rules in MUST
fail the check; those in SHOULD are only reported, because there are good
exceptions to them.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from typing import Callable, Dict, Iterable, List, Set, Tuple

from c_source import TAB
from circles import circles
from plain_pages import plain_pages
from tree import Arrow, Tree, folder_of

COLUMNS = 80
FUNCTION_LINES = 60
FILE_LINES = 500
LEVELS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "levels.txt")
VERSION_TEST = "PG_VERSION_NUM"
VERSION_FILES = ("src/base/compat.h", "src/base/planner_compat.h")
PLAIN_ENGLISH = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "plain_english.txt")
SORT_TEMPLATE = "lib/sort_template.h"
SORT_CHECK = "ST_CHECK_FOR_INTERRUPTS"
_NAMES_SHOWN = 6


def _names(names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = len(ordered) - _NAMES_SHOWN
    return ", ".join(ordered[:_NAMES_SHOWN]) + (
        f" and {more} more" if more > 0 else "")


def adjacent(arrows: Iterable[Arrow]) -> Dict[str, Set[str]]:
    found: Dict[str, Set[str]] = defaultdict(set)
    for start, end in arrows:
        found[start].add(end)
    return found


def file_circles(tree: Tree) -> List[str]:
    found = []
    for group in circles(adjacent(tree.arrows)):
        found.append(f"{len(group)} files: {' '.join(group)}")
        found += [f"  {start} -> {end}: {_names(tree.arrows[start, end])}"
                  for start, end in sorted(tree.arrows)
                  if start in group and end in group]
    return found


def folder_circles(tree: Tree) -> List[str]:
    """By uses; levels.txt finds those by includes."""
    found = []
    arrows = tree.folder_arrows()
    for group in circles(adjacent(arrows)):
        found.append(f"{len(group)} folders: {' '.join(group)}")
        for start, end in sorted(arrows):
            if start in group and end in group:
                found += [f"  {first} -> {second}: {_names(names)}" for
                          (first, second), names in
                          sorted(arrows[start, end].items())]
    return found


def read_levels(text: str) -> List[List[List[str]]]:
    """levels.txt as programs of levels of folders, the top first."""
    programs: List[List[List[str]]] = []
    for line in text.split("\n"):
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith("\t"):
            programs.append([])
            continue
        folders = re.split(r"\t+", line.strip())[0]
        programs[-1].append(folders.split())
    return programs


def _allowed(programs: List[List[List[str]]]) -> Set[Arrow]:
    return {(start, end) for levels in programs
            for i, level in enumerate(levels) for start in level
            for lower in levels[i + 1:] for end in lower}


def direction(tree: Tree, text: str = "") -> List[str]:
    if not text:
        with open(LEVELS, encoding="utf-8") as file:
            text = file.read()
    programs = read_levels(text)
    listed = {folder for levels in programs for level in levels
              for folder in level}
    found = [f"{folder} is not in levels.txt"
             for folder in sorted(set(tree.folders()) - listed)]
    found += [f"{folder} is in levels.txt and nowhere else"
              for folder in sorted(listed - set(tree.folders()))]
    allowed = _allowed(programs)
    for path, headers in sorted(tree.includes.items()):
        for header in headers:
            ends = folder_of(path), folder_of(header)
            if ends[0] != ends[1] and ends not in allowed:
                found.append(f"{path} includes {header}: {ends[1]} is not "
                             f"below {ends[0]}")
    for ends, arrows in sorted(tree.folder_arrows().items()):
        if ends not in allowed:
            found += [f"{start} uses {_names(names)} of {end}: {ends[1]} is "
                      f"not below {ends[0]}"
                      for (start, end), names in sorted(arrows.items())]
    return found


def unused_externs(tree: Tree) -> List[str]:
    return [f"{path}: {name}" for path, name in tree.externs()
            if (path, name) not in tree.used_elsewhere
            and not tree.used_at_home(path, name)
            and not tree.used_by_tests(name)]


def externs_of_tests(tree: Tree) -> List[str]:
    return [f"{path}: {name}" for path, name in tree.externs()
            if (path, name) not in tree.used_elsewhere
            and not tree.used_at_home(path, name)
            and tree.used_by_tests(name)]


def externs_at_home(tree: Tree) -> List[str]:
    return [f"{path}: {name}" for path, name in tree.externs()
            if (path, name) not in tree.used_elsewhere
            and tree.used_at_home(path, name)
            and not tree.used_by_tests(name)]


def _overlong(line: str) -> bool:
    """Messages may be longer, as in PostgreSQL: they are not broken across
    lines, so that they can be searched for."""
    without = re.sub(r"\"(?:\\.|[^\"\\])*\"", "\"\"", line)
    return len(without.expandtabs(TAB)) > COLUMNS


def line_length(tree: Tree) -> List[str]:
    return [f"{path}:{number}: {len(line.expandtabs(TAB))} columns"
            for path, source in tree.sources.items()
            for number, line in enumerate(source.lines, 1)
            if _overlong(line)]


def version_tests(tree: Tree) -> List[str]:
    return [f"{path}: {directive.strip()}"
            for path, source in tree.sources.items()
            if path not in VERSION_FILES
            for directive in source.directives if VERSION_TEST in directive
            ] + [f"{path} mentions {VERSION_TEST}"
                 for path, source in tree.sources.items()
                 if path not in VERSION_FILES and VERSION_TEST in source.words]


def sorts(tree: Tree) -> List[str]:
    """The data decides how much is sorted, so sorts must be interruptible."""
    return [f"{path}: no {SORT_CHECK}"
            for path, source in tree.sources.items()
            if SORT_TEMPLATE in source.includes
            and not any(SORT_CHECK in directive
                        for directive in source.directives)]


def read_plain_english(text: str) -> Tuple[List[str], List[str], List[str]]:
    """Forbidden patterns, folders to check, and files that are exempt."""
    lines = [line.split("#")[0].strip() for line in text.split("\n")]
    kept: Dict[str, List[str]] = {"word": [], "in": [], "not": []}
    for line in lines:
        if line:
            kind, _, value = line.partition(" ")
            kept[kind].append(value.strip())
    return kept["word"], kept["in"], kept["not"]


def plain_english(tree: Tree, text: str = "") -> List[str]:
    if not text:
        with open(PLAIN_ENGLISH, encoding="utf-8") as file:
            text = file.read()
    words, places, spared = read_plain_english(text)
    pattern = re.compile("|".join(f"(?:{word})" for word in words), re.I)
    found = [f"{folder}: no such folder" for folder in places
             if not any(os.path.dirname(path) == folder
                        for path in tree.sources)]
    return found + [f"{path}:{line}: \"{match.group().strip(' .:;')}\""
                    for path, source in sorted(tree.sources.items())
                    if os.path.dirname(path) in places and path not in spared
                    for line, comment in source.comments
                    for match in pattern.finditer(comment)]


def long_functions(tree: Tree) -> List[str]:
    return [f"{path}:{function.first}: {function.name}, {function.lines} "
            "lines" for path, source in tree.sources.items()
            for function in source.functions
            if function.lines > FUNCTION_LINES]


def long_files(tree: Tree) -> List[str]:
    return [f"{path}: {len(source.lines)} lines"
            for path, source in tree.sources.items()
            if len(source.lines) > FILE_LINES]


Rule = Tuple[str, Callable[[Tree], List[str]]]

MUST: List[Rule] = [
    ("no circle between files", file_circles),
    ("no circle between folders", folder_circles),
    ("folders know only those below them", direction),
    ("no unused extern", unused_externs),
    (f"no line over {COLUMNS} columns", line_length),
    (f"{VERSION_TEST} in compat headers only", version_tests),
    ("sorts of rows can be cancelled", sorts),
    ("comments in plain English", plain_english),
    ("pages in plain English", lambda tree: plain_pages(tree.top)),
]

SHOULD: List[Rule] = [
    ("extern, but used in its own file only", externs_at_home),
    ("extern, but used by tests only", externs_of_tests),
    (f"functions over {FUNCTION_LINES} lines", long_functions),
    (f"files over {FILE_LINES} lines", long_files),
]
