"""Circles in a graph: groups of nodes that all reach each other."""

from __future__ import annotations

from typing import Dict, Iterable, List, Set, TypeVar

Node = TypeVar("Node")
Arrows = Dict[Node, Set[Node]]


def _finished_order(nodes: Iterable[Node], arrows: Arrows) -> List[Node]:
    """Depth first, without recursion; a node comes after those it reaches."""
    order: List[Node] = []
    seen: Set[Node] = set()
    for start in nodes:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(sorted(arrows.get(start, ()))))]
        while stack:
            node, rest = stack[-1]
            following = next((n for n in rest if n not in seen), None)
            if following is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following,
                              iter(sorted(arrows.get(following, ())))))
    return order


def circles(arrows: Arrows) -> List[List[Node]]:
    """The strongly connected groups of two nodes and more (Kosaraju)."""
    nodes = sorted(set(arrows) | {to for out in arrows.values() for to in out})
    backwards: Arrows = {node: set() for node in nodes}
    for node, out in arrows.items():
        for to in out:
            backwards[to].add(node)
    found = []
    taken: Set[Node] = set()
    for start in reversed(_finished_order(nodes, arrows)):
        if start in taken:
            continue
        taken.add(start)
        group, open_ = [], [start]
        while open_:
            node = open_.pop()
            group.append(node)
            for to in backwards[node] - taken:
                taken.add(to)
                open_.append(to)
        if len(group) > 1:
            found.append(sorted(group))
    return sorted(found)
