"""How far numbers of rows were from those the planner expected.

Out of EXPLAIN (ANALYZE, FORMAT JSON).  Each scan and each join is an estimate:
what was expected against what came.  EXPLAIN says both as a mean of the
executions (loops), and what they are executions of differs:

  of a parallel plan    a process's share; expected is the share of core's
                        divisor, so both are put together again
  the inner side of a   an execution for each outer row, of at least one row;
  nested loop           both count the same loops (kind "inner", for it is no
                        size of a table)

Left out is what says nothing: nodes that never ran, and nodes that need not
run to their end, below LIMIT, in a merge join, the outer side of a hash join
whose inner side is empty, in a subselect that is run for each row.  Before
PostgreSQL 18 the mean of rows is a whole number, so that inner sides and
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
MOST_TABLES = 5                 # so many and more are one line

_JOINS = ("Hash Join", "Merge Join", "Nested Loop")
_STAR_PROVIDER = "SsdparStarScan"
_ROUNDED = 4                    # rows: half of one in each process
# They read all of their input before they give the first row.
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
        """The q-error: how many times too many or too few, at least 1."""
        expected, real = max(self.expected, 1.0), max(self.real, 1.0)
        return max(expected / real, real / expected)


@dataclass(frozen=True)
class _Place:
    """Where in the plan a node is."""

    workers: int = 0            # planned by the Gather above
    cut: bool = False           # need not run to its end
    repeated: bool = False      # run for each row of something

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
    """Aliases of what is scanned below, subselects' values left out."""
    # A subselect's name is no table: those below it are.
    found = {node["Alias"]} if "Alias" in node and \
        node.get("Node Type") != "Subquery Scan" else set()
    for child in _children(node):
        if child.get("Parent Relationship") not in ("InitPlan", "SubPlan"):
            found.update(tables(child))
    return tuple(sorted(found))


def is_partial(node: Node) -> bool:
    """Whether each process gets a share of the rows, and not all of them."""
    if node.get("Parallel Aware"):
        return True
    inputs = [child for child in _children(node)
              if child.get("Parent Relationship") in
              ("Outer", "Member", "Subquery")]
    return bool(inputs) and all(map(is_partial, inputs))


def _never_ran(node: Node) -> bool:
    return not node.get("Actual Loops")


def _numbers(node: Node, place: _Place) -> Tuple[float, float]:
    """Expected and real rows, comparable."""
    loops = float(node["Actual Loops"])
    expected, real = float(node["Plan Rows"]), float(node["Actual Rows"])
    if place.repeated:              # a mean of 0.3 rows may be told as 0
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
    """The first join on the way down, none beside it or in a subselect."""
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
    """All estimates of an executed plan, the topmost join once more."""
    final = _final(plan, _Place())
    return list(_walk(plan, _Place())) + ([final] if final else [])


@dataclass(frozen=True)
class Line:
    """An estimate, and whose it is."""

    group: str                  # ssb, tpch, snowflake
    query: str
    variant: str
    estimate: Estimate


COLUMNS = ("group", "query", "variant", "kind", "count", "tables", "node",
           "expected", "real", "error")     # of the file of lines


def fields(line: Line) -> List[object]:
    """A line as COLUMNS have it."""
    one = line.estimate
    return [line.group, line.query, line.variant, one.kind, len(one.tables),
            " ".join(one.tables), one.node, f"{one.expected:.2f}",
            f"{one.real:.2f}", f"{one.error:.4f}"]


def line_of(row: Dict[str, str]) -> Line:
    """A line read back."""
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
    """What both plans have in common, apart from inner sides and stars.

    Different plans join in different orders, so all errors of one against
    all of the other compare sizes that are not the same.
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
    """A mean of processes is rounded; a reduced join is something else."""
    return abs(rows - others) <= max(_ROUNDED, 0.01 * rows)
