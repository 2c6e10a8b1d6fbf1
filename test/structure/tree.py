"""All C of this repository: which file uses which.

A file here is a .c together with the .h of its name; a header without a .c is
a separate file.  A folder is a directory; however, each file directly in src/,
which connect the others, is a folder.  An arrow from A to B means that A
mentions something that B defines as extern, or inline in its header. Including
a header only for its types makes no arrow, nor does a header that mentions
what it declares itself.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Dict, Iterable, List, Set, Tuple

from c_source import ENTRY_POINTS, Source, read

# Shipped code, and the benchmarks' programs.  Tests may use any of it.
FOLDERS = ("src", "daemon", "probe", "common", "bench/ssb", "bench/ssdemu",
           "bench/ssdsim")
USERS = ("test",)
LOOSE = ("src",)            # directories whose files count as folders
INCLUDE_PATH = ("src", "")

Arrow = Tuple[str, str]


def unit_of(path: str) -> str:
    return os.path.splitext(path)[0]


def folder_of(path: str) -> str:
    directory = os.path.dirname(path)
    return unit_of(path) if directory in LOOSE else directory


def _c_files(top: str, folders: Iterable[str]) -> List[str]:
    found = []
    for folder in folders:
        for directory, names, files in os.walk(os.path.join(top, folder)):
            names.sort()
            found += [os.path.relpath(os.path.join(directory, name), top)
                      for name in files if name.endswith((".c", ".h"))]
    return sorted(found)


def _read_all(top: str, folders: Iterable[str]) -> Dict[str, Source]:
    sources = {}
    for path in _c_files(top, folders):
        with open(os.path.join(top, path), encoding="utf-8") as file:
            sources[path] = read(path, file.read())
    return sources


class Tree:
    """The sources, and what follows from reading them together."""

    def __init__(self, top: str):
        self.top = top
        self.sources = _read_all(top, FOLDERS)
        self.users = _read_all(top, USERS)
        self.includes = {path: self._includes(path) for path in self.sources}
        self._reached: Dict[str, Set[str]] = {}
        self.definers = self._definers()
        # arrows[from, to]: the names that connect them
        self.arrows: Dict[Arrow, Set[str]] = defaultdict(set)
        self.used_elsewhere: Set[Tuple[str, str]] = set()
        self._tie()

    def _includes(self, path: str) -> List[str]:
        """The headers of this tree that a file includes."""
        found = []
        for name in self.sources[path].includes:
            for place in (os.path.dirname(path), *INCLUDE_PATH):
                candidate = os.path.normpath(os.path.join(place, name))
                if candidate in self.sources:
                    found.append(candidate)
                    break
        return found

    def _reach(self, path: str) -> Set[str]:
        """The headers that a file includes, also indirectly."""
        if path not in self._reached:
            seen: Set[str] = set()
            open_ = [path]
            while open_:
                for header in self.includes[open_.pop()]:
                    if header not in seen:
                        seen.add(header)
                        open_.append(header)
            self._reached[path] = seen
        return self._reached[path]

    def _definers(self) -> Dict[str, List[str]]:
        found: Dict[str, List[str]] = defaultdict(list)
        for path, source in self.sources.items():
            for name in source.defined:
                found[name].append(path)
        return found

    def _definer(self, name: str, path: str) -> str:
        """The file that defines a name as a file uses it; '' if none here."""
        candidates = self.definers.get(name, [])
        if len(candidates) <= 1:
            return candidates[0] if candidates else ""
        # Several programs define this name: ours is the one declared in a
        # header that we include, or else the one in our folder.
        seen = {unit_of(header) for header in self._reach(path)
                if name in self.sources[header].declared or
                name in self.sources[header].defined}
        for candidate in candidates:
            if unit_of(candidate) in seen or candidate == path:
                return candidate
        for candidate in candidates:
            if os.path.dirname(candidate) == os.path.dirname(path):
                return candidate
        return ""

    def _tie(self) -> None:
        for path, source in self.sources.items():
            for name in set(source.words) - source.statics:
                definer = self._definer(name, path)
                if not definer or unit_of(definer) == unit_of(path):
                    continue
                self.used_elsewhere.add((definer, name))
                if name not in source.declared:
                    self.arrows[unit_of(path), unit_of(definer)].add(name)

    def externs(self) -> List[Tuple[str, str]]:
        """(file, name) of what a .c defines for others."""
        return sorted((path, name) for path, source in self.sources.items()
                      if path.endswith(".c") for name in source.defined
                      if name not in source.called_by_name and
                      name not in ENTRY_POINTS)

    def used_at_home(self, path: str, name: str) -> bool:
        header = unit_of(path) + ".h"
        return name in self.sources[path].words or (
            header in self.sources and name in self.sources[header].words)

    def used_by_tests(self, name: str) -> bool:
        return any(name in source.words for source in self.users.values())

    def folder_arrows(self) -> Dict[Arrow, Dict[Arrow, Set[str]]]:
        """The arrows between folders, with the arrows that cause them."""
        found: Dict[Arrow, Dict[Arrow, Set[str]]] = defaultdict(dict)
        for (start, end), names in self.arrows.items():
            ends = folder_of(start + ".c"), folder_of(end + ".c")
            if ends[0] != ends[1]:
                found[ends][start, end] = names
        return found

    def folder_includes(self) -> Set[Arrow]:
        return {(folder_of(path), folder_of(header))
                for path, headers in self.includes.items()
                for header in headers
                if folder_of(path) != folder_of(header)}

    def folders(self) -> List[str]:
        return sorted({folder_of(path) for path in self.sources})
