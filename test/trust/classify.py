"""The cause of a difference between two runs of one test script.

The scripts are the server's own, run by psql -a, which prints each line of the
script and its output.  The outputs are divided by the lines of the script, so
that the output of one line in one run is compared with that of the same line
in the other.  A difference has one of these kinds:

    plan        a plan, or a value computed from one
    order       the same rows in another order without ORDER BY; or the same
                values in another order within an aggregate without one
    choice      LIMIT without ORDER BY: any rows are correct
    core's      core gives this answer too, with another plan
    unstable    differs between two runs without ssdpar as well
    rows        everything else

The last kind must be empty, except for differences that were reviewed and have
a reason (read_differences.txt).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterable, Iterator, List, Tuple

_ENDS = re.compile(r";\s*(--.*)?$|^\s*\\|\\g\w*\s*$")
_PLAN = re.compile(r"explain|hash_join_batches|check_estimated_rows")
_COLLECTS = re.compile(r"\b(string|array|json|jsonb|xml)_?agg\b")
_QUOTE = re.compile(r"\$\w*\$")
_PERMUTATION = re.compile(r"starting permutation: |step \w+: ")


@dataclass(frozen=True)
class Step:
    """A position in a script, and its contents."""

    line: int
    statement: str


@dataclass
class Difference:
    step: Step
    kind: str
    without: List[str]
    with_it: List[str]


Outputs = Dict[int, List[str]]


def _data_lines(script: List[str]) -> Iterator[bool]:
    """Which lines are data of COPY, and not always printed."""
    data = False
    for line in script:
        yield data
        if data:
            data = line.strip() != "\\."
        else:
            data = bool(re.search(r"from\s+stdin\b.*;\s*$", line, re.I))


def cut(script: List[str], output: List[str]) -> Outputs:
    """The output after each line of the script; blank lines do not count."""
    found: Outputs = {}
    at = 0
    last = -1
    for number, (line, data) in enumerate(zip(script, _data_lines(script))):
        if not line.strip():
            continue
        end = at + 1 if data else len(output)
        where = next((i for i in range(at, end) if i < len(output)
                      and output[i] == line), None)
        if where is None:
            continue
        _keep(found, last, output[at:where])
        at, last = where + 1, number
    _keep(found, last, output[at:])
    return found


def _keep(found: Outputs, line: int, output: Iterable[str]) -> None:
    kept = [one for one in output if one.strip()]
    if kept:
        found[line] = kept


def ends_of(script: List[str]) -> List[bool]:
    """For each line, whether it ends a statement; none does within $$."""
    found = []
    quoted = False
    for line in script:
        quoted ^= len(_QUOTE.findall(line)) % 2 == 1
        found.append(not quoted and bool(_ENDS.search(line)))
    return found


def statement_at(script: List[str], ends: List[bool], line: int) -> str:
    """The text of the statement that ends in this line."""
    first = line
    while first > 0 and not ends[first - 1]:
        first -= 1
    while first < line and re.match(r"\s*(--|$)", script[first]):
        first += 1
    return "\n".join(script[first:line + 1])


# ssdpar's notices about a split with too few workers.
_SPLIT = re.compile(r"(\w+: )?NOTICE:  (the query cannot be split|"
                    r"only \d+ of \d+ subqueries) ")


def _without_plans(output: List[str]) -> List[str]:
    """Also without the process of a parallel plan that raised an error."""
    kept, plan, told = [], False, False
    for line in output:
        hint = told and line.startswith("HINT:")
        told = bool(_SPLIT.match(line))
        if told or hint:
            continue
        plan = plan or "QUERY PLAN" in line
        if not plan and line != "CONTEXT:  parallel worker":
            kept.append(line)
        plan = plan and not re.match(r"\(\d+ rows?\)$", line)
    return kept


def _outside_parentheses(text: str) -> str:
    """Where an ORDER BY applies to the whole query."""
    while True:
        less = re.sub(r"\([^()]*\)", "", text)
        if less == text:
            return text
        text = less


def kind_of(statement: str, without: List[str], with_it: List[str]) -> str:
    text = re.sub("--.*", "", statement).lower()
    if _PLAN.search(text) or \
            _without_plans(without) == _without_plans(with_it):
        return "plan"
    if "order by" not in _outside_parentheses(text) and \
            sorted(without) == sorted(with_it):
        return "order"
    if _COLLECTS.search(text) and \
            sorted("".join(without)) == sorted("".join(with_it)):
        return "order"
    if re.search(r"\blimit\b|\bfetch first\b", text) and \
            "order by" not in text and len(without) == len(with_it):
        return "choice"
    return "rows"


def _compared(steps: Dict[int, str], with_it: Outputs, core: List[Outputs]
              ) -> List[Difference]:
    """The first two of core's have the same settings."""
    found = []
    for line in sorted(set(core[0]) | set(with_it)):
        first, second = core[0].get(line, []), with_it.get(line, [])
        if first == second:
            continue
        statement = steps[line]
        kind = kind_of(statement, first, second)
        if kind == "rows" and core[1].get(line, []) != first:
            kind = "unstable"
        if kind == "rows" and second in [one.get(line) for one in core]:
            kind = "core's"
        found.append(Difference(Step(line + 1, statement), kind, first,
                                second))
    return found


def compare_scripts(script: str, with_it: str, core: List[str]
                    ) -> List[Difference]:
    """For psql's output: with ssdpar, and without by plans of core."""
    lines = script.splitlines()
    with_it_cut = cut(lines, with_it.splitlines())
    core_cut = [cut(lines, text.splitlines()) for text in core]
    ends = ends_of(lines)
    steps = {line: statement_at(lines, ends, line) if line >= 0 else ""
             for line in {*with_it_cut, *core_cut[0]}}
    return _compared(steps, with_it_cut, core_cut)


def _permutations(output: str) -> Tuple[Dict[int, str], Outputs]:
    """The isolation tester prints steps with their results after them."""
    steps: Dict[int, str] = {-1: ""}
    found: Outputs = {}
    last = -1
    for line in output.splitlines():
        if _PERMUTATION.match(line):
            last += 1
            steps[last] = line
        elif line.strip():
            found.setdefault(last, []).append(line)
    return steps, found


def compare_permutations(with_it: str, core: List[str]) -> List[Difference]:
    others, with_it_cut = _permutations(with_it)
    steps, _ = _permutations(core[0])
    return _compared({**others, **steps}, with_it_cut,
                     [_permutations(text)[1] for text in core])
