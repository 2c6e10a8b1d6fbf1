"""How far row counts were from the planner's estimates.

Uses EXPLAIN (ANALYZE, FORMAT JSON).  Each scan and each join is an estimate:
the expected against the actual rows.  EXPLAIN shows both as a mean of the
executions (loops), whose meaning differs:

  of a parallel plan    a process's share; the expected rows are divided by
                        core's divisor, so both are multiplied again
  the inner side of a   an execution for each outer row, of at least one row;
  nested loop           both count the same loops (kind "inner", because it
                        is not the size of a table)

Meaningless nodes are omitted: those that never ran, and those that need not
run to their end, that is below LIMIT, in a merge join, on the outer side of a
hash join whose inner side is empty, and in a subselect that runs for each row.
Before PostgreSQL 18 the mean of rows is an integer, so that inner sides and
processes' shares are known to half a row.

Pure functions; no server.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .regrets import parallel_divisor, quantile

Node = Dict[str, Any]

BASE, INNER, STAR, JOIN = "base", "inner", "star", "join"
FINAL = "final"                 # the query's topmost join, once more
KINDS = (BASE, INNER, STAR, JOIN, FINAL)
PERCENTILES = (0.5, 0.9, 0.95, 0.99)
MOST_TABLES = 5                 # this number and more are one line

_JOINS = ("Hash Join", "Merge Join", "Nested Loop")
_STAR_PROVIDER = "SsdparStarScan"
_ROUNDED = 4                    # rows: half of one in each process
# They read all of their input before they return the first row.
_READ_ALL = ("Sort", "Hash")
_READ_ALL_STRATEGIES = ("Plain", "Hashed")


@dataclass(frozen=True)
class Estimate:
    """One scan or join of a plan."""

    kind: str
    tables: Tuple[str, ...]     # aliases, sorted
    node: str                   # its node type
    expected: float             # rows, of all loops and processes
    real: float

    @property
    def error(self) -> float:
        """The q-error: the factor by which too many or too few, at least 1."""
        expected, real = max(self.expected, 1.0), max(self.real, 1.0)
        return max(expected / real, real / expected)


@dataclass(frozen=True)
class _Place:
    """Where in the plan a node is."""

    workers: int = 0            # planned by the Gather above
    cut: bool = False           # need not run to its end
    repeated: bool = False      # runs for each row of another node

    def but(self, **other: Any) -> _Place:
        return _Place(**dict(vars(self), **other))


def _children(node: Node) -> List[Node]:
    return node.get("Plans", [])


def _is_join(node: Node) -> bool:
    return node.get("Node Type") in _JOINS


def _is_star(node: Node) -> bool:
    return node.get("Custom Plan Provider") == _STAR_PROVIDER


def _is_scan(node: Node) -> bool:
    """Of a table; not the bitmap's index scans, which have no alias."""
    return "Relation Name" in node and "Alias" in node


def tables(node: Node) -> Tuple[str, ...]:
    """Aliases of the scans below, without values of subselects."""
    # A subselect's name is not a table, but those below it are.
    found = {node["Alias"]} if "Alias" in node and \
        node.get("Node Type") != "Subquery Scan" else set()
    for child in _children(node):
        if child.get("Parent Relationship") not in ("InitPlan", "SubPlan"):
            found.update(tables(child))
    return tuple(sorted(found))


def is_partial(node: Node) -> bool:
    """Does each process get only a share of the rows?"""
    if node.get("Parallel Aware"):
        return True
    inputs = [child for child in _children(node)
              if child.get("Parent Relationship") in
              ("Outer", "Member", "Subquery")]
    return bool(inputs) and all(map(is_partial, inputs))


def _never_ran(node: Node) -> bool:
    return not node.get("Actual Loops")


def _numbers(node: Node, place: _Place) -> Tuple[float, float]:
    """Expected and actual rows, comparable."""
    loops = float(node["Actual Loops"])
    expected, real = float(node["Plan Rows"]), float(node["Actual Rows"])
    if place.repeated:              # a mean of 0.3 rows may be shown as 0
        return max(expected, 1.0) * loops, max(real, 1.0) * loops
    if place.workers and is_partial(node):
        return expected * parallel_divisor(place.workers), real * loops
    return expected, real


def _kind(node: Node, place: _Place) -> Optional[str]:
    if not _is_join(node) and not _is_scan(node):
        return None
    if place.repeated:
        return INNER
    if _is_star(node):
        return STAR
    return JOIN if _is_join(node) else BASE


def _is_empty(node: Node) -> bool:
    return float(node.get("Actual Rows", 1)) == 0


def _reads_all(node: Node) -> bool:
    return node.get("Node Type") in _READ_ALL or (
        node.get("Node Type") == "Aggregate" and
        node.get("Strategy") in _READ_ALL_STRATEGIES)


def _below_join(node: Node, child: Node, place: _Place) -> _Place:
    is_inner = child.get("Parent Relationship") == "Inner"
    if node["Node Type"] == "Merge Join":
        return place.but(cut=True)
    if node["Node Type"] == "Nested Loop" and is_inner:
        first_only = node.get("Inner Unique") or \
            node.get("Join Type") in ("Semi", "Anti")
        return place.but(repeated=True,
                         cut=place.cut or bool(first_only))
    if node["Node Type"] == "Hash Join" and not is_inner:
        hashed = [other for other in _children(node)
                  if other.get("Parent Relationship") == "Inner"]
        return place.but(cut=place.cut or any(map(_is_empty, hashed)))
    return place


def _below(node: Node, child: Node, place: _Place) -> _Place:
    """The place of a node's child."""
    relation = child.get("Parent Relationship")
    if relation == "SubPlan":
        return place.but(repeated=True, cut=True)
    if relation == "InitPlan":
        return _Place()
    if "Workers Planned" in node:
        place = place.but(workers=0 if node.get("Single Copy")
                          else int(node["Workers Planned"]))
    if _is_join(node):
        return _below_join(node, child, place)
    if node.get("Node Type") == "Limit":
        return place.but(cut=True)
    if node.get("Node Type") == "Materialize":
        return place.but(repeated=False, cut=place.cut)
    if _reads_all(node):
        return place.but(cut=False)
    return place


def _walk(node: Node, place: _Place) -> Iterator[Estimate]:
    kind = _kind(node, place)
    if kind is not None and not place.cut and not _never_ran(node):
        yield Estimate(kind, tables(node), node["Node Type"],
                       *_numbers(node, place))
    for child in _children(node):
        yield from _walk(child, _below(node, child, place))


def _final(node: Node, place: _Place) -> Optional[Estimate]:
    """The first join from the top, but not in a subselect."""
    if _is_join(node):
        if place.cut or _never_ran(node):
            return None
        return Estimate(FINAL, tables(node), node["Node Type"],
                        *_numbers(node, place))
    for child in _children(node):
        if child.get("Parent Relationship") not in ("InitPlan", "SubPlan"):
            return _final(child, _below(node, child, place))
    return None


def of_plan(plan: Node) -> List[Estimate]:
    """All estimates of an executed plan, the topmost join twice."""
    final = _final(plan, _Place())
    return list(_walk(plan, _Place())) + ([final] if final else [])


@dataclass(frozen=True)
class Line:
    """An estimate, and its origin."""

    group: str                  # ssb, tpch, snowflake
    query: str
    variant: str
    estimate: Estimate


COLUMNS = ("group", "query", "variant", "kind", "count", "tables", "node",
           "expected", "real", "error")     # of the file of lines


def fields(line: Line) -> List[object]:
    """The fields of COLUMNS in a line."""
    one = line.estimate
    return [line.group, line.query, line.variant, one.kind, len(one.tables),
            " ".join(one.tables), one.node, f"{one.expected:.2f}",
            f"{one.real:.2f}", f"{one.error:.4f}"]


def line_of(row: Dict[str, str]) -> Line:
    """Parses a line."""
    return Line(row["group"], row["query"], row["variant"], Estimate(
        row["kind"], tuple(row["tables"].split()), row["node"],
        float(row["expected"]), float(row["real"])))


def tables_text(count: int) -> str:
    return f"{MOST_TABLES}+" if count >= MOST_TABLES else str(count)


def errors(lines: Sequence[Line], kind: str, variant: str
           ) -> Dict[str, List[float]]:
    """q-errors by number of tables; under "all" those of all."""
    found: Dict[str, List[float]] = defaultdict(list)
    for line in lines:
        if (line.estimate.kind, line.variant) == (kind, variant):
            for key in (tables_text(len(line.estimate.tables)), "all"):
                found[key].append(line.estimate.error)
    return found


def percentiles(values: Sequence[float]) -> List[float]:
    """PERCENTILES and the largest."""
    return [quantile(values, share) for share in PERCENTILES] + [max(values)]


@dataclass(frozen=True)
class Pair:
    """The same tables at the same place of both plans, with the same rows."""

    off: Line
    on: Line

    @property
    def ratio(self) -> float:
        """Above 1, ssdpar's is the closer one."""
        return self.off.estimate.error / self.on.estimate.error


def pairs(lines: Sequence[Line], off: str, on: str) -> List[Pair]:
    """Estimates common to both plans, except for inner sides and stars.

    Different plans join in different orders, so comparing all errors of one
    with all of the other would compare different quantities.
    """
    found: Dict[Tuple[Any, ...], Dict[str, Line]] = defaultdict(dict)
    for line in lines:
        one = line.estimate
        if one.kind in (BASE, JOIN, FINAL):
            found[line.group, line.query, one.kind,
                  one.tables].setdefault(line.variant, line)
    both = [Pair(pair[off], pair[on]) for pair in found.values()
            if off in pair and on in pair]
    return [pair for pair in both if _is_same(pair.off.estimate.real,
                                              pair.on.estimate.real)]


def _is_same(rows: float, others: float) -> bool:
    """A mean over processes is rounded; a reduced join is another quantity."""
    return abs(rows - others) <= max(_ROUNDED, 0.01 * rows)
