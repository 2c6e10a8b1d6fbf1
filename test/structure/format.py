#!/usr/bin/env python3
"""format.py: formats all C of this repository like PostgreSQL's sources.

Usage: test/format/format.py [--check] [FILE...]

Rewrites the files, by default all of them, and names those it has changed.
With --check it changes nothing and prints the changes as a diff; the exit code
is 1 if there are any.  make format and make format-check call it.

pg_bsd_indent does the work, with the options of PostgreSQL's pgindent; it is
in Debian's package pg-bsd-indent.  It needs the names of types: ours are found
in the sources, others are in typedefs.list.  It only understands old C, so
newer constructs are replaced by names of the same width, and restored
afterwards (Disguise below).
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Dict, List, Set, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
FOLDERS = ("src", "daemon", "probe", "common", "bench", "test")
PROGRAM = "pg_bsd_indent"
TAB = 4

# pgindent's, the same in all supported server versions.
OPTIONS = ("-bad -bap -bbb -bc -bl -cli1 -cp33 -cdb -nce -d0 -di12 -nfc1 -i4 "
           "-l79 -lp -lpl -nip -npro -sac -tpg -ts4").split()

_OPAQUE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|"
                     r"'(?:\\.|[^'\\\n])*'", re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\.|\\\n)*", re.M)
_TYPEDEF = (re.compile(r"^\}\s*(?:\w+\(\w*\)\s*)?(\w+);", re.M),
            re.compile(r"\btypedef\b[^;{()]*?\b(\w+)\s*(?:\[\w*\])?;"),
            re.compile(r"\btypedef\b[^;{]*?\(\*(\w+)\)"))
# Types of the server whose names are also common names of variables.
_AMBIGUOUS = ("text", "other", "date", "duration", "iterator", "pointer",
              "reference", "timestamp", "type", "string", "interval")


class Failed(Exception):
    """pg_bsd_indent is missing or does not understand a file."""


def _blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match.group())


_COMMENT, _STRING = "\1\2"


def _blot(match: re.Match) -> str:
    mark = _STRING if match.group()[0] in "\"'" else _COMMENT
    return re.sub(r"[^\n]", mark, match.group())


def _only_code(text: str) -> str:
    """The text with comments, strings and character constants masked, at the
    same positions."""
    return _OPAQUE.sub(_blot, text)


def _closing(code: str, opening: int) -> int:
    """The position of the bracket that closes the one there; -1 if none."""
    left = code[opening]
    right = {"(": ")", "{": "}"}[left]
    depth = 0
    for i in range(opening, len(code)):
        depth += (code[i] == left) - (code[i] == right)
        if depth == 0:
            return i
    return -1


class Disguise:
    """Replaces what pg_bsd_indent would misformat by old C: calls and loops.

    (Type) {...}    a compound literal: a call         z0zzzz(...)
    foreach (...)   the server's loops: one of C's     for (qqq...)
    0x1p-53         a hexadecimal fraction: a name            z000000
    """

    _LITERAL = re.compile(r"\(((?:const |struct )*\w+(?: \*)?(?:\[\w*\])?)\) "
                          r"?\{")
    _FRACTION = re.compile(r"\b0[xX][0-9a-fA-F.]+[pP][+-]\d+")
    _LOOPS = {"foreach": "q", "forboth": "v", "for_each_from": "w",
              "for_each_cell": "k"}

    def __init__(self) -> None:
        # replacement: the original, and the brackets from there to its end
        self.literals: Dict[str, Tuple[str, str]] = {}
        self.fractions: List[str] = []

    def _hide_fraction(self, match: re.Match) -> str:
        self.fractions.append(match.group())
        return self._fraction(len(self.fractions) - 1)

    def _fraction(self, number: int) -> str:
        width = len(self.fractions[number])
        return "z" + f"{number:0{width - 1}d}"

    def put_on(self, text: str) -> str:
        code = _only_code(text)
        out = list(text)
        for match in self._LITERAL.finditer(_DIRECTIVE.sub(_blot, code)):
            start = match.end() - 1
            end = _closing(code, start)
            if end < 0 or ";" in code[start:end]:
                continue
            before = text[match.start():start]
            name = f"z{len(self.literals):x}z"
            name += "z" * (len(before) - len(name))
            out[match.start():start] = list(name)
            for i in range(start, end + 1):
                out[i] = {"{": "(", "}": ")"}.get(code[i], out[i])
            self.literals[name] = before, "".join(
                re.findall(r"[(){}]", code[start:end + 1]))
        text = "".join(out)
        text = self._FRACTION.sub(self._hide_fraction, text)
        for loop, letter in self._LOOPS.items():
            text = re.sub(rf"^(\t+){loop}\(",
                          r"\1for (" + letter * (len(loop) - 4), text,
                          flags=re.M)
        return text

    def take_off(self, text: str) -> str:
        for number, fraction in enumerate(self.fractions):
            text = re.sub(rf"\b{self._fraction(number)}\b", fraction, text)
        for loop, letter in self._LOOPS.items():
            text = re.sub(rf"^(\t+)for \({letter * (len(loop) - 4)}",
                          rf"\1{loop}(", text, flags=re.M)
        for name, (before, brackets) in self.literals.items():
            match = re.search(rf"\b{name} *(?=\()", text)
            if match is None:
                raise Failed(f"{PROGRAM} lost \"{before}\"")
            out = list(text)
            places = [place.start() for place in re.finditer(
                r"[(){}]", _only_code(text)) if place.start() >= match.end()]
            for place, bracket in zip(places, brackets):
                out[place] = bracket
            out[match.start():match.end()] = list(before)
            text = "".join(out)
        return text


def _indent_of(line: str) -> int:
    return len(line.expandtabs(TAB)) - len(line.expandtabs(TAB).lstrip())


def _deeper(line: str) -> str:
    """The line, one tab to the right."""
    columns = _indent_of(line) + TAB
    return "\t" * (columns // TAB) + " " * (columns % TAB) + line.lstrip()


_GOES_ON = re.compile(r"(?:[=/+*?|&<>-]| :)$")
_ASSIGNS = re.compile(r"^\s*(?!(?:if|else|for|while|switch|do|return)\b)"
                      r"[^=]*[\w\])] ?(?:[-+*/|&]|<<|>>)?=(?!=)")
_ENDS = re.compile(r"(?:[;{}]|[^ ]:)$")


def _continue_initialisers(text: str) -> str:
    """Indents continuation lines of declarations and initializers.

    pg_bsd_indent before 2.1.2 does that only for other statements.
    """
    lines = text.split("\n")
    code = _DIRECTIVE.sub(_blank, _only_code(text)).split("\n")
    start = depth = 0       # of the statement, of its parentheses
    shifting = False
    before = ""
    for i, line in enumerate(lines):
        now = code[i].replace(_COMMENT, " ").rstrip()
        if not now.strip():
            continue
        if not before or _ENDS.search(before) or \
                (depth == 0 and before.endswith(",")):
            start, depth, shifting = i, 0, False
        elif not shifting:
            shifting = ((_GOES_ON.search(before) or
                         _ASSIGNS.match(code[start])) is not None and
                        _indent_of(lines[start]) == _indent_of(line) and
                        (_indent_of(line) > 0 or before.endswith("=")) and
                        line.lstrip()[0] not in "{}")
        if shifting:
            lines[i] = _deeper(line)
        depth += now.count("(") - now.count(")")
        before = now
    return "\n".join(lines)


_DECLARATION = re.compile(r"^(extern [\w ]+\*)(\w+)\(([^;{}()]*)\);", re.M)
WIDTH = 79


def _break_declaration(match: re.Match) -> str:
    """A long declaration with the name on a separate line, as in the server's
    headers; pg_bsd_indent joins the lines."""
    lines = match.group().split("\n")
    if all(len(line.expandtabs(TAB)) <= WIDTH for line in lines):
        return match.group()
    column = 3 * TAB + len(match.group(2)) + 1
    indent = "\t" * (column // TAB) + " " * (column % TAB)
    out = [match.group(1), "\t\t\t" + match.group(2) + "("]
    arguments = [re.sub(r"\s+", " ", one.strip())
                 for one in match.group(3).split(",")]
    for i, one in enumerate(arguments):
        last = i == len(arguments) - 1
        one += ");" if last else ","
        here = out[-1].expandtabs(TAB)
        if i > 0 and len(here) + 1 + len(one) > WIDTH:
            out.append(indent + one)
        else:
            out[-1] += one if i == 0 else " " + one
    return "\n".join(out)


def _put_right(text: str) -> str:
    # As pgindent does: one space before the * of a function's type.
    text = re.sub(r"^([A-Za-z_]\S*)[ \t]+\*$", r"\1 *", text, flags=re.M)
    out = list(text)
    for match in re.finditer(r",(?=\.\.\.|\.[A-Za-z_])", _only_code(text)):
        out[match.start()] = ", "
    text = "".join(out)
    return _DECLARATION.sub(_break_declaration, _continue_initialisers(text))


def own_types(texts: List[str]) -> Set[str]:
    """The typedefs that the sources make."""
    found: Set[str] = set()
    for text in texts:
        code = _only_code(text)
        for pattern in _TYPEDEF:
            found.update(pattern.findall(code))
    return found


def _types_for(text: str, types: Set[str]) -> Set[str]:
    """Without those that this file uses as names of something else."""
    code = _only_code(text)
    return {name for name in types if name not in _AMBIGUOUS or
            re.search(rf"\b{name} +\*|\({name} \*\)", code)}


_TOKEN = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|"
                    r"\.?\d(?:[eEpP][+-]|[\w.])*|\w+|\S")


def _tokens(text: str) -> List[str]:
    """What the compiler sees, and the letters of the comments."""
    code = _OPAQUE.sub(
        lambda match: " " if match.group()[0] == "/" else match.group(), text)
    comments = "".join(match.group() for match in _OPAQUE.finditer(text)
                       if match.group()[0] == "/")
    return _TOKEN.findall(code) + re.findall(r"\w", comments)


def formatted(text: str, types: Set[str]) -> str:
    """The text of a file, formatted."""
    disguise = Disguise()
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "file.c")
        names = os.path.join(place, "types")
        with open(names, "w", encoding="utf-8") as file:
            file.writelines(f"{name}\n"
                            for name in sorted(_types_for(text, types)))
        with open(path, "w", encoding="utf-8") as file:
            file.write(disguise.put_on(text))
        done = subprocess.run([PROGRAM, *OPTIONS, f"-U{names}", path],
                              capture_output=True, text=True, cwd=place,
                              check=False)
        if done.returncode != 0 or done.stderr.strip() or done.stdout.strip():
            raise Failed((done.stderr + done.stdout).strip())
        with open(path, encoding="utf-8") as file:
            after = _put_right(disguise.take_off(file.read()))
    if _tokens(after) != _tokens(text):
        raise Failed(f"{PROGRAM} would change more than white space")
    return after


def all_files() -> List[str]:
    found = []
    for folder in FOLDERS:
        for directory, names, files in os.walk(os.path.join(TOP, folder)):
            names.sort()
            found += [os.path.join(directory, name) for name in sorted(files)
                      if name.endswith((".c", ".h"))]
    return found


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def known_types() -> Set[str]:
    names = read(os.path.join(HERE, "typedefs.list")).split()
    return set(names) | own_types([read(path) for path in all_files()])


def _show(path: str, before: str, after: str) -> None:
    name = os.path.relpath(path, TOP)
    sys.stdout.writelines(difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True),
        name, name + ", formatted"))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    if shutil.which(PROGRAM) is None:
        print(f"format: {PROGRAM} is missing. On Debian: apt-get install "
              "pg-bsd-indent", file=sys.stderr)
        return 2
    types = known_types()
    status = 0
    for path in options.files or all_files():
        before = read(path)
        try:
            after = formatted(before, types)
        except Failed as problem:
            print(f"format: {os.path.relpath(path, TOP)}: {problem}",
                  file=sys.stderr)
            status = 2
            continue
        if after == before:
            continue
        if options.check:
            _show(path, before, after)
            status = max(status, 1)
        else:
            print(os.path.relpath(path, TOP))
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)
    return status


if __name__ == "__main__":
    sys.exit(main())
