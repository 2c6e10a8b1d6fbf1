#!/usr/bin/env python3
"""Fuzz target for the benchmarks' readers of plans in JSON.

Usage: fuzz_plans.py [SECONDS [SEED]]     (60 and 1)

Mutates the values, structure and text of server plans.  The result is either
rejected (read_plan.NoPlan, or the ValueError of invalid JSON), or all
functions that read plans accept it, and the numbers that they return are
finite.  Prints TAP.
"""

from __future__ import annotations

import copy
import json
import math
import os
import sys
import time
from random import Random
from typing import Any, Dict, List, Tuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, os.pardir, "bench"))

# pylint: disable=wrong-import-position
from lib import plan, read_plan, regrets  # noqa: E402

_ANY: Tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.5, -0.0, 10 ** 9, 10 ** 400, float("nan"),
    float("inf"), "", "text", "Hash Join", "Gather", "lineorder", [], {}, [[]])
_TYPES = ("Hash Join", "Merge Join", "Nested Loop", "Seq Scan", "Index Scan",
          "Bitmap Heap Scan", "Aggregate", "Gather", "Limit", "Materialize",
          "Sort", "Hash", "Custom Scan", "Append", "Subquery Scan")
_NAMES = ("Relation Name", "Alias", "Plan Rows", "Total Cost", "Actual Rows",
          "Actual Loops", "Workers Planned", "Parent Relationship",
          "Join Type", "Strategy", "Custom Plan Provider", "Subqueries",
          "Partitioned Table", "Partition", "Plans", "Access", "Inner Unique",
          "Parallel Aware", "Single Copy", "Index Cond", "Node Type")
_RELATIONS = ("Outer", "Inner", "Member", "InitPlan", "SubPlan", "Subquery")


def sound_node(random: Random, depth: int) -> Dict[str, Any]:
    node: Dict[str, Any] = {
        "Node Type": random.choice(_TYPES), "Plan Rows": random.randrange(100),
        "Total Cost": random.random() * 1000, "Startup Cost": 0.5,
        "Actual Rows": random.choice((0, 3, 2.5)),
        "Actual Loops": random.choice((0, 1, 4)),
        "Parent Relationship": random.choice(_RELATIONS)}
    if random.random() < 0.5:
        node["Relation Name"] = node["Alias"] = random.choice(
            ("lineorder", "part", "lineorder_s"))
    if random.random() < 0.2:
        node["Workers Planned"] = random.randrange(5)
    if random.random() < 0.1:
        node.update({"Custom Plan Provider": random.choice(
            ("SsdparStarScan", "SsdparPartition")), "Subqueries": 4,
            "Partitioned Table": "lineorder", "Partition": "orders"})
    if depth < 5 and random.random() < 0.8:
        node["Plans"] = [sound_node(random, depth + 1)
                         for _ in range(random.randrange(1, 3))]
    return node


def parts(value: Any) -> List[Any]:
    """All lists and objects of a document."""
    found = []
    below = list(value.values()) if isinstance(value, dict) else \
        value if isinstance(value, list) else []
    if isinstance(value, (dict, list)):
        found.append(value)
    for one in below:
        found += parts(one)
    return found


def change(random: Random, document: List[Any]) -> None:
    """Changes one value of the document, removes it, or adds one."""
    part = random.choice(parts(document))
    if isinstance(part, dict):
        name = random.choice(tuple(part) + _NAMES)
        if random.random() < 0.3:
            part.pop(name, None)
        else:
            part[name] = copy.deepcopy(random.choice(_ANY))
    elif part and random.random() < 0.5:
        part[random.randrange(len(part))] = copy.deepcopy(random.choice(_ANY))
    else:
        part.append(copy.deepcopy(random.choice(_ANY)))


def changed_text(random: Random, text: str) -> str:
    at = random.randrange(len(text))
    how = random.randrange(5)
    if how == 0:
        return text[:at]
    if how == 1:
        return text[:at] + random.choice('[]{}",:0-\x00\ufffd') + text[at:]
    if how == 2:
        return text[:at] + text[at + random.randrange(1, 20):]
    if how == 3:
        return text.replace("1", random.choice(("1e999", "NaN", "[" * 50000)))
    return text + text[at:]


def finite(value: Any) -> None:
    assert value is None or math.isfinite(value), value


def take(explained: List[Dict[str, Any]]) -> None:
    """Calls all functions that read plans."""
    root = explained[0]["Plan"]
    str(plan.shape(explained))
    finite(regrets.estimated_rows(root))
    regrets.skeleton(root)


def attempt(random: Random) -> bool:
    """Was it accepted?"""
    document = [{"Plan": sound_node(random, 0), "Execution Time": 1.5}]
    for _ in range(random.randrange(4)):
        change(random, document)
    text = json.dumps(document)
    if random.random() < 0.2:
        text = changed_text(random, text)
    try:
        explained = read_plan.read(text)
    except ValueError:
        return False
    take(explained)
    return True


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    random = Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    end = time.monotonic() + seconds
    inputs = taken = 0
    while not inputs or time.monotonic() < end:
        state = random.getstate()
        try:
            taken += attempt(random)
        except Exception:           # any exception: report the input
            random.setstate(state)
            print(f"not ok 1 - input {inputs}\n1..1", flush=True)
            raise
        inputs += 1
    good = inputs / 20 < taken < inputs or inputs < 100
    print("ok 1 - each plan was taken or refused\n"
          f"{'ok' if good else 'not ok'} 2 - both came up\n1..2\n"
          f"# {inputs} inputs, {taken} of them taken")


if __name__ == "__main__":
    main()
