"""Settings for queries: ssdpar's, and the planner's.

Each is a list of (name, value).  The tables are small, so minimum sizes are
set to 0.
"""

from __future__ import annotations

from random import Random
from typing import List, Tuple

Settings = List[Tuple[str, str]]

OFF: Settings = [("ssdpar.enabled", "off")]

_SSDPAR = (
    ("ssdpar.star_access",
     ("bitmap", "bitmap", "sequential", "sequential", "auto")),
    ("ssdpar.cost_model_min_size", ("0", "0", "0", "64MB")),
    ("ssdpar.prefetch_min_size", ("0", "0", "0", "64MB")),
    ("ssdpar.prefetch", ("auto", "daemon", "local", "off")),
    ("ssdpar.subqueries", ("0", "0", "0", "0", "1", "2", "3", "4")),
    ("ssdpar.partition", ("auto", "auto", "dimension", "fact")),
    ("ssdpar.residency", ("auto", "cold", "hot")),
    ("ssdpar.io_concurrency", ("0", "0", "1", "7")),
    ("ssdpar.index_join", ("on", "on", "on", "off")),
    ("ssdpar.cost_model", ("on", "on", "on", "off")),
    ("ssdpar.prefetch_window", ("32MB", "1MB")),
)

# Settings that sometimes change the planner's choices.
_PLANNER = (
    ("enable_hashjoin", "off"), ("enable_nestloop", "off"),
    ("enable_mergejoin", "off"), ("enable_seqscan", "off"),
    ("enable_indexscan", "off"), ("enable_bitmapscan", "off"),
    ("enable_material", "off"), ("enable_memoize", "off"),
    ("enable_hashagg", "off"), ("enable_sort", "off"),
    ("enable_parallel_hash", "off"), ("enable_parallel_append", "off"),
    ("enable_partitionwise_join", "on"),
    ("enable_partitionwise_aggregate", "on"),
    ("enable_partition_pruning", "off"), ("enable_indexonlyscan", "off"),
    ("work_mem", "64kB"), ("hash_mem_multiplier", "1"),
    ("join_collapse_limit", "1"), ("from_collapse_limit", "1"),
    ("geqo_threshold", "2"), ("parallel_leader_participation", "off"),
    ("jit_above_cost", "0"), ("cursor_tuple_fraction", "1"),
    ("plan_cache_mode", "force_generic_plan"),
    ("constraint_exclusion", "on"), ("random_page_cost", "1"),
    ("cpu_tuple_cost", "10"), ("effective_cache_size", "8kB"),
)

_PARALLEL: Settings = [
    ("parallel_setup_cost", "0"), ("parallel_tuple_cost", "0"),
    ("min_parallel_table_scan_size", "0"),
    ("min_parallel_index_scan_size", "0"),
]

SERIAL = [("max_parallel_workers_per_gather", "0")]

# The cheapest execution of a plan, apart from its nodes.
ALONE = SERIAL + [("jit", "off")]


def random_settings(random: Random, major: int) -> Tuple[Settings, Settings]:
    """ssdpar's and the planner's."""
    ssdpar = [(name, random.choice(values)) for name, values in _SSDPAR]
    planner: Settings = [("jit", "on" if random.random() < 0.01 else "off")]
    planner += random.sample(_PLANNER, random.choice((0, 0, 0, 1, 1, 2, 3)))
    # queries are not split into subqueries without workers
    split = dict(ssdpar)["ssdpar.subqueries"] > "1"
    if random.random() < (0.6 if split else 0.2):
        planner += _PARALLEL
        planner.append(("max_parallel_workers_per_gather",
                        random.choice("124")))
        if random.random() < 0.15:
            planner.append((
                "debug_parallel_query" if major >= 16
                else "force_parallel_mode", random.choice(("on", "regress"))))
    else:
        planner += SERIAL
    return ssdpar, planner


# Leaves hardly any choice but nested loops with indexes.
_BY_INDEX = (
    [("enable_hashjoin", "off"), ("enable_mergejoin", "off"),
     ("enable_seqscan", "off"), ("enable_material", "off"),
     ("enable_memoize", "off")],
    [("enable_hashjoin", "off"), ("enable_mergejoin", "off"),
     ("enable_seqscan", "off"), ("enable_bitmapscan", "off")],
    [("enable_hashjoin", "off"), ("enable_mergejoin", "off"),
     ("enable_bitmapscan", "off"), ("enable_memoize", "off"),
     ("enable_material", "off")],
    [("enable_hashjoin", "off"), ("enable_mergejoin", "off")],
)


def for_joins(random: Random, ssdpar: Settings, planner: Settings
              ) -> Tuple[Settings, Settings]:
    """These, so that joins by an index are likely."""
    if random.random() < 0.7:
        planner = planner + random.choice(_BY_INDEX)
    if random.random() < 0.6:
        # a star scan leaves no joins
        ssdpar = ssdpar + [("ssdpar.star_scan", "off")]
    if random.random() < 0.6:
        ssdpar = ssdpar + [("ssdpar.cost_model_min_size", "0"),
                           ("ssdpar.residency", "cold")]
    return ssdpar, planner


# Settings that let prices choose nodes, and settings that favor one.
_PRICED: Settings = [
    ("ssdpar.star_access", "auto"), ("ssdpar.cost_model", "on"),
    ("ssdpar.cost_model_min_size", "0"), ("ssdpar.residency", "cold"),
    ("ssdpar.subqueries", "0")]
_SPLIT: Settings = [("ssdpar.star_access", "auto"),
                    ("ssdpar.star_scan", "off")]
_INDEX_JOIN: Settings = _PRICED + [
    ("ssdpar.star_scan", "off"), ("ssdpar.index_join", "on")]


def _favour(random: Random) -> Tuple[Settings, Settings]:
    """Makes one of ssdpar's nodes likely, usually star scans."""
    node = random.choice(("any",) * 3 + ("star",) * 12 + (
        "priced", "split", "split", "split", "index join"))
    if node == "star":
        return [("ssdpar.subqueries", "0"),
                ("ssdpar.star_access",
                 random.choice(("bitmap", "sequential")))], []
    if node == "priced":
        return _PRICED, []
    if node == "split":
        return _SPLIT + [("ssdpar.subqueries", random.choice("234"))], \
            _PARALLEL + [("max_parallel_workers_per_gather", "2")]
    if node == "index join":
        return _INDEX_JOIN, random.choice(_BY_INDEX)
    return [], []


def widened(random: Random, ssdpar: Settings, planner: Settings
            ) -> Tuple[Settings, Settings]:
    """These, with more memory or less, more workers and compiled code."""
    ours, cores = _favour(random)
    ssdpar = ssdpar + ours + [
        ("ssdpar.shard_keys", random.choice(("0", "1", "10", "1000")))]
    planner = planner + cores
    if random.random() < 0.5:
        planner = planner + [("work_mem", random.choice(
            ("64kB", "64kB", "256kB", "4MB", "64MB", "1GB")))]
    if random.random() < 0.25:
        planner = planner + _PARALLEL + [
            ("max_parallel_workers_per_gather",
             random.choice("0123456788"))]
    if random.random() < 0.01:
        planner = planner + [("jit", "on"), ("jit_above_cost", "0"),
                             ("jit_inline_above_cost", "0"),
                             ("jit_optimize_above_cost", "0")]
    return ssdpar, planner


# Core's plans with which a difference is compared (compare.py).  In the first
# group each table is read once and completely.
_WHOLE = SERIAL + [
    ("enable_nestloop", "off"), ("enable_memoize", "off"),
    ("enable_indexscan", "off"), ("enable_indexonlyscan", "off"),
    ("enable_bitmapscan", "off")]
ONCE: List[Settings] = [
    _WHOLE + [("enable_mergejoin", "off")],
    _WHOLE + [("enable_hashjoin", "off"), ("enable_hashagg", "off")],
]
OTHER: List[Settings] = [
    [],
    SERIAL,
    SERIAL + [("enable_hashjoin", "off"), ("enable_mergejoin", "off"),
              ("enable_nestloop", "on")],
    SERIAL + [("enable_hashjoin", "off"), ("enable_mergejoin", "off"),
              ("enable_nestloop", "on"), ("enable_material", "off"),
              ("enable_memoize", "off"), ("enable_seqscan", "off")],
    SERIAL + [("enable_seqscan", "off"), ("enable_sort", "off"),
              ("cursor_tuple_fraction", "0.001")],
    SERIAL + [("join_collapse_limit", "1"), ("from_collapse_limit", "1")],
    # a merge join sorts by its condition, which may raise an error
    SERIAL + [("enable_hashjoin", "off"), ("enable_nestloop", "off")],
    # ssdpar's page prices may differ from core's in either direction, and swap
    # the sides of a join
    SERIAL + [("seq_page_cost", "0"), ("random_page_cost", "0")],
    SERIAL + [("seq_page_cost", "100"), ("random_page_cost", "100")],
    # another index changes the order for LIMIT without ORDER BY
    SERIAL + [("enable_seqscan", "off"), ("seq_page_cost", "0"),
              ("random_page_cost", "0")],
    _PARALLEL + [("max_parallel_workers_per_gather", "2")],
]

# Also a plan of core's.  A hash join reads its first outer row before it
# builds the hash table if the outer side is expected to start sooner than the
# table is complete.  Without such a row, the other side's filter is not
# evaluated.  If everything is free, no side starts sooner.  The join order is
# then arbitrary, so the plan may time out.
HASHED_FIRST: Settings = SERIAL + [
    ("enable_nestloop", "off"), ("enable_mergejoin", "off"),
    ("seq_page_cost", "0"), ("random_page_cost", "0"),
    ("cpu_tuple_cost", "0"), ("cpu_index_tuple_cost", "0"),
    ("cpu_operator_cost", "0")]


def as_sql(settings: Settings) -> str:
    """Statements that set them for the transaction."""
    return "".join(f"SET LOCAL {name} = '{value}'; "
                   for name, value in settings)
