"""Reads a plan in JSON, and checks it before it is used.

Plans come from a server, and from files of a run that somebody may have cut
off or changed.  What is a plan for the functions of plan.py and
regrets.py is checked here once, so that they need not.

No server, no file.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List

# Of nodes: what must be a number, an integer or a text if it exists.
_NUMBERS = ("Plan Rows", "Total Cost", "Startup Cost", "Actual Rows",
            "Actual Loops", "Joined Rows", "Execution Seconds",
            "Execution Time", "Planning Time", "Time", "Milliseconds")
_COUNTS = ("Workers Planned", "Subqueries")
_TEXTS = ("Relation Name", "Alias", "Index Cond", "Parent Relationship",
          "Join Type", "Strategy", "Custom Plan Provider", "Access",
          "Partitioned Table", "Partition")
_SPLIT = ("Subqueries", "Partitioned Table", "Partition")
_DEEPEST = 200                  # nodes; the deepest plan of bench has 30
_MOST_WORKERS = 1_000_000
_LARGEST = 1e100                # so that products are finite


class NoPlan(ValueError):
    """This is not a plan, for the given reason."""


def _is_number(value: Any) -> bool:
    """Not a bool, which is a kind of int."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) <= _LARGEST      # false for NaN too


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and \
        0 <= value <= _MOST_WORKERS


def _check_values(part: Dict[str, Any]) -> None:
    for names, what, good in (
            (_NUMBERS, "number", _is_number), (_COUNTS, "count", _is_count),
            (_TEXTS, "text", lambda value: isinstance(value, str))):
        for name in names:
            if name in part and not good(part[name]):
                raise NoPlan(f'"{name}" is no {what}')


def _check_node(node: Any, depth: int) -> None:
    if not isinstance(node, dict) or \
            not isinstance(node.get("Node Type"), str):
        raise NoPlan("a node without a type")
    if depth > _DEEPEST:
        raise NoPlan(f"more than {_DEEPEST} nodes below each other")
    _check_values(node)
    if node.get("Actual Loops") and not {"Actual Rows",
                                         "Plan Rows"} <= set(node):
        raise NoPlan("a node without its rows")
    if node.get("Custom Plan Provider") == "SsdparPartition" and \
            not all(name in node for name in _SPLIT):
        raise NoPlan("a split of nothing")
    children = node.get("Plans", [])
    if not isinstance(children, list):
        raise NoPlan('"Plans" is no list')
    for child in children:
        _check_node(child, depth + 1)


def checked(explained: Any) -> List[Dict[str, Any]]:
    """The result of EXPLAIN (FORMAT JSON); NoPlan if it is anything else."""
    if not isinstance(explained, list) or not explained:
        raise NoPlan("no list of plans")
    for part in explained:
        if not isinstance(part, dict):
            raise NoPlan("no object")
        _check_values(part)
    _check_node(explained[0].get("Plan"), 0)
    return explained


def read(text: str) -> List[Dict[str, Any]]:
    """The same from its text."""
    try:
        return checked(json.loads(text))
    except RecursionError:
        raise NoPlan("too many parts within each other") from None


def first(text: str) -> Dict[str, Any]:
    """From a longer text: the plan at its start, auto_explain's."""
    try:
        found, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except RecursionError:
        raise NoPlan("too many parts within each other") from None
    except ValueError as error:
        raise NoPlan(str(error)) from None
    return checked([found])[0]


def of_file(path: str) -> List[Dict[str, Any]]:
    """The same from a file; OSError or ValueError if that is not possible."""
    with open(path, encoding="utf-8") as file:
        return read(file.read())
