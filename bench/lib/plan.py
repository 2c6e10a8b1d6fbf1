"""Reads EXPLAIN (FORMAT JSON): how a plan reaches the fact table.

Pure functions of the plan's JSON; no server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Tuple

FACT = "lineorder"             # also lineorder_s and the like (stars.py)
_FACTS = (FACT, "lineitem")     # SSB's, TPC-H's
_STAR_PROVIDER = "SsdparStarScan"
_SPLIT_PROVIDER = "SsdparPartition"
_JOINS = {"Hash Join": "hash", "Merge Join": "merge",
          "Nested Loop": "nested loop"}
_INDEX_SCANS = ("Index Scan", "Index Only Scan")

Node = Dict[str, Any]


def _walk(node: Node, above: Tuple[Node, ...] = ()
          ) -> Iterator[Tuple[Node, Tuple[Node, ...]]]:
    """Every node, with its ancestors, nearest first."""
    yield node, above
    for child in node.get("Plans", []):
        yield from _walk(child, (node,) + above)


@dataclass(frozen=True)
class Split:
    """A split query: number of subqueries, and the table divided."""

    subqueries: int
    table: str
    partition: str


@dataclass(frozen=True)
class Shape:
    """The relevant properties of a plan."""

    # index, bitmap, hash, merge, nested loop, scan, or star and its access
    # method
    access: str
    index_cond: str             # of the fact's index scan, else empty
    workers: int                # planned by core's Gather, 0 without one
    split: Optional[Split]

    def __str__(self) -> str:
        if self.split is not None:
            return (f"{self.access} x{self.split.subqueries} "
                    f"({self.split.table})")
        if self.workers:
            plural = "" if self.workers == 1 else "s"
            return f"{self.access}, {self.workers} worker{plural}"
        return f"{self.access}, 1 process"


def _is_fact(node: Node) -> bool:
    name = node.get("Relation Name", "")
    return name in _FACTS or name.startswith(FACT + "_")


def _fact_scan(root: Node) -> Tuple[Node, Tuple[Node, ...]]:
    """The lowest node that names the fact table, with its ancestors."""
    found = [pair for pair in _walk(root)
             if _is_fact(pair[0])]
    if not found:
        return {}, ()
    return max(found, key=lambda pair: len(pair[1]))


def _access(scan: Node, above: Tuple[Node, ...]) -> str:
    if scan.get("Custom Plan Provider") == _STAR_PROVIDER:
        return f"star {scan.get('Access', '')}".strip()
    if scan.get("Node Type") in _INDEX_SCANS:
        return "index"
    if scan.get("Node Type") == "Bitmap Heap Scan":
        return "bitmap"
    for node in above:
        if node.get("Node Type") in _JOINS:
            return _JOINS[node["Node Type"]]
    return "scan"


def _split(root: Node) -> Optional[Split]:
    for node, _ in _walk(root):
        if node.get("Custom Plan Provider") == _SPLIT_PROVIDER:
            return Split(int(node["Subqueries"]), node["Partitioned Table"],
                         node["Partition"])
    return None


def shape(explained: List[Dict[str, Any]]) -> Shape:
    """The shape of an EXPLAIN (FORMAT JSON)."""
    root = explained[0]["Plan"]
    scan, above = _fact_scan(root)
    workers = max((int(node.get("Workers Planned", 0))
                   for node, _ in _walk(root)), default=0)
    return Shape(_access(scan, above), scan.get("Index Cond", ""), workers,
                 _split(root))
