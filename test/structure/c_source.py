"""Reads one C file of this repository: its functions, externs and words.

Knows as much of C as the rules of structure.py need, and nothing of types: the
declarations at the top level of a file, whether they are static, and which
identifiers each file mentions outside comments and strings.  All branches of
an #if are read, because any of them may be compiled.  A file whose braces do
not balance is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional, Set, Tuple

TAB = 4

# A comment, a string, a character constant.
_OPAQUE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|"
                     r"'(?:\\.|[^'\\\n])*'", re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\.|\\\n)*", re.M)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]+\"([^\"]+)\"", re.M)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+(\([^)]*\))?(.*)", re.S)
_TOKEN = re.compile(r"\.\.\.|->|[A-Za-z_]\w*|[0-9][\w.]*|\S")
_WORD = re.compile(r"[A-Za-z_]\w*$")

# Attributes before a name or after it, whose argument list is not the
# function's.
_ATTRIBUTES = {"__attribute__", "pg_attribute_printf", "_Alignas"}

# Names that the server or the C library looks up itself.
ENTRY_POINTS = {"main", "_PG_init", "_PG_fini", "LLVMFuzzerTestOneInput"}


class CannotRead(Exception):
    """This reader does not understand the file."""


@dataclass
class Function:
    name: str
    static: bool
    first: int              # line of the return type
    last: int               # line of the closing brace

    @property
    def lines(self) -> int:
        return self.last - self.first + 1


@dataclass
class Source:
    path: str
    lines: List[str]
    comment_lines: int = 0          # without any code
    comments: List[Tuple[int, str]] = field(default_factory=list)   # line, text
    includes: List[str] = field(default_factory=list)
    directives: List[str] = field(default_factory=list)
    functions: List[Function] = field(default_factory=list)
    defined: Set[str] = field(default_factory=set)      # externs, and inlines
                                                        # in a header
    declared: Set[str] = field(default_factory=set)
    statics: Set[str] = field(default_factory=set)
    called_by_name: Set[str] = field(default_factory=set)   # by the server
    words: Dict[str, int] = field(default_factory=dict)  # name: number of uses


def _blank(text: str) -> str:
    """Spaces of the same length, so that positions are preserved."""
    return re.sub(r"[^\n]", " ", text)


def _hide(match: re.Match) -> str:
    text = match.group()
    if text[0] == "/":
        return _blank(text)
    return text[0] + _blank(text[1:-1]) + text[-1]


def _tokens(code: str) -> Iterator[Tuple[str, int]]:
    line = 1
    at = 0
    for match in _TOKEN.finditer(code):
        line += code.count("\n", at, match.start())
        at = match.start()
        yield match.group(), line


def _is_word(token: str) -> bool:
    return _WORD.match(token) is not None


def _declarator(tokens: List[str]) -> Optional[int]:
    """The position of the declared name in a declaration, if any.

    It is the word before the first parenthesis that does not belong to an
    attribute; without one, the word before the first of = [ and the end.
    """
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token in _ATTRIBUTES and i + 1 < len(tokens):
            i = _after_parentheses(tokens, i + 1)
            continue
        if token == "(":
            if i + 1 < len(tokens) and tokens[i + 1] == "*":
                i += 2                  # int (*name) (...), int (*name[])
                while i < len(tokens) and not _is_word(tokens[i]):
                    i += 1
                return i if i < len(tokens) else None
            return i - 1 if i > 0 and _is_word(tokens[i - 1]) else None
        if token in ("=", "["):
            return i - 1 if i > 0 and _is_word(tokens[i - 1]) else None
        i += 1
    if tokens and _is_word(tokens[-1]):
        return len(tokens) - 1
    return None


def _after_parentheses(tokens: List[str], i: int) -> int:
    depth = 0
    while i < len(tokens):
        depth += {"(": 1, ")": -1}.get(tokens[i], 0)
        i += 1
        if depth == 0:
            break
    return i


class _Reader:
    """Walks the top level of a file, one declaration at a time."""

    def __init__(self, source: Source, code: str):
        self.source = source
        self.is_header = source.path.endswith(".h")
        self.tokens = list(_tokens(code))

    def read(self) -> None:
        head: List[str] = []        # of the declaration, without bodies
        first = last = 0
        i = 0
        while i < len(self.tokens):
            token, line = self.tokens[i]
            if token == "}":
                raise CannotRead(f"{self.source.path}:{line}: a closing "
                                 "brace too many")
            if not head:
                first = line
            if token == "{":
                end = self._closing(i)
                last = self.tokens[end][1]
                self._use(i, end)
                i = end + 1
                if self._is_function(head):
                    self._function(head, first, last)
                    head = []
                else:
                    head.append("{}")
                continue
            if token == ";":
                self._declaration(head)
                head = []
            else:
                head.append(token)
            i += 1
        if head and not self._is_macro_call(head):
            raise CannotRead(f"{self.source.path}: the file ends inside "
                             f"\"{' '.join(head[:6])}\"")

    def _closing(self, i: int) -> int:
        depth = 0
        start = self.tokens[i][1]
        for j in range(i, len(self.tokens)):
            depth += {"{": 1, "}": -1}.get(self.tokens[j][0], 0)
            if depth == 0:
                return j
        raise CannotRead(f"{self.source.path}:{start}: the brace is never "
                         "closed")

    @staticmethod
    def _is_function(head: List[str]) -> bool:
        return head[-1:] == [")"] and "=" not in head and head[0] != "typedef"

    @staticmethod
    def _is_macro_call(head: List[str]) -> bool:
        return len(head) >= 3 and _is_word(head[0]) and head[1] == "(" and \
            head[-1] == ")" and _after_parentheses(head, 1) == len(head)

    def _function(self, head: List[str], first: int, last: int) -> None:
        at = _declarator(head)
        if at is None:
            raise CannotRead(f"{self.source.path}:{first}: a function "
                             "without a name")
        static = "static" in head[:at]
        name = head[at]
        self.source.functions.append(Function(name, static, first, last))
        if not static or self.is_header:
            self.source.defined.add(name)
        else:
            self.source.statics.add(name)

    def _declaration(self, head: List[str]) -> None:
        if not head or head[0] in ("typedef", "#"):
            return
        if self._is_macro_call(head):
            if head[0] == "PG_FUNCTION_INFO_V1":
                self.source.called_by_name.add(head[2])
            else:
                self.words(head[1:])
            return
        if head[0] in ("struct", "enum", "union") and head[-1] == "{}":
            return
        at = _declarator(head)
        if at is None or at == 0:
            return
        name = head[at]
        if "=" in head:
            self.words(head[head.index("=") + 1:])
        if "static" in head[:at]:
            self.source.statics.add(name)
            return
        if "PGDLLEXPORT" in head[:at]:
            self.source.called_by_name.add(name)
        if "extern" in head[:at] or head[at + 1:at + 2] == ["("]:
            self.source.declared.add(name)
        elif not self.is_header:
            self.source.defined.add(name)

    def words(self, tokens: List[str]) -> None:
        """Counts identifiers, except for members after . or ->."""
        before = ""
        for token in tokens:
            if _is_word(token) and before not in (".", "->"):
                self.source.words[token] = self.source.words.get(token, 0) + 1
            before = token

    def _use(self, start: int, end: int) -> None:
        self.words([token for token, _ in self.tokens[start:end + 1]])


def _count_comment_lines(text: str) -> int:
    """Lines with a comment and no code."""
    marked = _OPAQUE.sub(
        lambda match: re.sub(r"[^\n]", "\1", match.group())
        if match.group()[0] == "/" else match.group(), text)
    return sum(1 for line in marked.split("\n")
               if "\1" in line and not line.replace("\1", "").strip())


def _comments(text: str) -> List[Tuple[int, str]]:
    """Each comment's first line, and its words separated by single spaces. An
    empty line in it, or the file's name, ends a sentence."""
    found = []
    for match in _OPAQUE.finditer(text):
        if match.group()[0] != "/":
            continue
        lines = [line.strip().lstrip("/*").rstrip("*/").strip()
                 for line in match.group().split("\n")]
        found.append((text.count("\n", 0, match.start()) + 1,
                      " ".join(line if line else "." for line in lines)))
    return found


def read(path: str, text: str) -> Source:
    """Everything that the rules need to know of one file."""
    source = Source(path, text.split("\n")[:-1] if text.endswith("\n")
                    else text.split("\n"))
    source.comment_lines = _count_comment_lines(text)
    source.comments = _comments(text)
    visible = _OPAQUE.sub(lambda match: _blank(match.group())
                          if match.group()[0] == "/" else match.group(), text)
    source.includes = _INCLUDE.findall(visible)
    hidden = _OPAQUE.sub(_hide, text)
    source.directives = _DIRECTIVE.findall(hidden)
    reader = _Reader(source, _DIRECTIVE.sub(
        lambda match: _blank(match.group()), hidden))
    for directive in source.directives:
        define = _DEFINE.match(directive)
        if define:
            reader.words(_TOKEN.findall(define.group(2)))
    reader.read()
    return source
