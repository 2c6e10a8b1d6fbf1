"""The features of ssdpar, as ./run bench ablation switches them off.

A feature is switched off by settings, or by a name in ssdpar.without, the
developer's switch for features without one (src/base/without.h).
"""

from __future__ import annotations

import glob
import os
import re
from dataclasses import dataclass
from typing import Callable, Dict, List, Sequence, Tuple

from . import legs
from .build import TOP

WITHOUT = "ssdpar.without"
_CONTACTS = os.path.join(TOP, "docs", "internals", "server-contact.md")
_SECTION = re.compile(r"^### (.*?)$(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)

Counts = Dict[str, float]           # of pg_stat_ssdpar, by one query


def _asked(plan: str, counts: Counts) -> bool:
    return counts.get("requests", 0) > 0


def _asked_any(plan: str, counts: Counts) -> bool:
    return counts.get("requests", 0) + counts.get("local_blocks", 0) > 0


@dataclass(frozen=True)
class Feature:
    """The description of one feature."""

    name: str
    off: legs.Settings              # without WITHOUT, which has names
    sources: Tuple[str, ...]        # folders, or patterns of files
    settings: Tuple[str, ...] = ()  # removed with it, without "ssdpar."
    switch: bool = False            # its name is listed in WITHOUT
    needs: Tuple[str, ...] = ()     # features without which it does nothing
    star: bool = False              # part of "only the star scan"
    # If plans are the same: may the executor behave differently without it,
    # according to the plan's shape and the counters with all features?
    executes: Callable[[str, Counts], bool] = lambda plan, counts: False

    def files(self) -> List[str]:
        found: List[str] = []
        for pattern in self.sources:
            path = os.path.join(TOP, pattern)
            found += glob.glob(os.path.join(path, "**", "*.[chq]*"),
                               recursive=True) if os.path.isdir(path) \
                else glob.glob(path)
        return sorted({name for name in found
                       if name.endswith((".c", ".h"))})

    def lines(self) -> int:
        count = 0
        for name in self.files():
            with open(name) as file:
                count += sum(1 for _ in file)
        return count

    def contacts(self) -> List[str]:
        """Sections of server-contact.md whose places are in its files."""
        with open(_CONTACTS) as file:
            text = file.read()
        ours = {os.path.relpath(name, TOP) for name in self.files()}
        return [title for title, body in _SECTION.findall(text)
                if ours & set(re.findall(r"src/[\w/]+\.[ch]",
                                         body.partition("**Why:**")[0]))]


def _price(name: str, *sources: str) -> Feature:
    return Feature(name, {}, sources, switch=True, needs=("cost_model",))


def _files(folder: str, *names: str) -> Tuple[str, ...]:
    return tuple(f"{folder}/{name}*.[ch]" for name in names)


FEATURES: Dict[str, Feature] = {feature.name: feature for feature in (
    Feature("star_scan", {"ssdpar.star_scan": "off"},
            ("src/star", "src/starscan"), star=True,
            settings=("star_scan", "star_access")),
    Feature("star_bitmap", {},
            ("src/tids", *_files("src/starscan/exec", "bitmap", "index_",
                                 "page_queue", "page_stream", "ring"),
             *_files("src/starscan/plan", "leaves", "overlap", "key_index")),
            switch=True, star=True),
    Feature("star_sequential", {},
            _files("src/starscan/exec", "sequential_scan", "page_filters",
                   "page_rows", "filter_order"), switch=True, star=True),
    Feature("star_joins", {}, ("src/star/covered_join.[ch]",
                               "src/starscan/plan/covering.[ch]"),
            switch=True, star=True),
    Feature("star_columns", {}, _files("src/starscan/exec", "joined_columns"),
            switch=True, star=True),
    Feature("index_join", {"ssdpar.index_join": "off"}, ("src/index_join",),
            settings=("index_join",)),
    Feature("daemon", {"ssdpar.prefetch": "local"},
            ("daemon", "common", *_files("src/prefetch", "client", "daemon_",
                                         "supervisor")), executes=_asked,
            settings=("daemon_autostart", "daemon_socket")),
    Feature("cost_model", {"ssdpar.cost_model": "off"},
            ("src/cost", "src/rowcount/*join*.[ch]",
             "src/rowcount/*loop*.[ch]", "src/rowcount/filter_runs.[ch]",
             "src/rowcount/spread.[ch]"),
            settings=("cost_model", "cost_model_min_size")),
    _price("scan_prices", *_files("src/cost", "reprice", "scan_price",
                                  "page_cost_override", "core_paths",
                                  "seen_paths", "ordered_lookups",
                                  "lookup_price", "limited_scans",
                                  "changed_settings")),
    _price("loop_prices", *_files("src/rowcount", "loop_price", "loop_runs",
                                  "limited_loops", "filter_runs", "spread")),
    Feature("residency", {"ssdpar.residency": "cold"},
            ("src/cost/residency.[ch]", "src/prefetch/page_cache.[ch]"),
            settings=("residency", "residency_ttl")),
    Feature("load", {}, _files("src/device", "device_load"), switch=True),
    Feature("split", {}, ("src/split",), switch=True,
            settings=("subqueries", "partition")),
    # Never split, and no parallel scan of a star's fact either.
    Feature("one_process", {"ssdpar.subqueries": "1"}, ()),
    # Off by default: no workload here sends any.
    Feature("shard_keys", {"ssdpar.shard_keys": "0"}, ("src/shards",),
            settings=("shard_keys",)),
)}

# Groups, whose members are also switched off one by one.
GROUPS = {
    "all_prices": tuple(name for name, feature in FEATURES.items()
                        if "cost_model" in feature.needs),
}


def without(names: Sequence[str]) -> legs.Settings:
    """The settings of a session without these features."""
    result: legs.Settings = {}
    for name in names:
        result.update(FEATURES[name].off)
    switched = [name for name in names if FEATURES[name].switch]
    return {**result, WITHOUT: ", ".join(switched)} if switched else result


def members(name: str) -> Tuple[str, ...]:
    """Of a group, or the single feature."""
    return GROUPS.get(name, (name,))


def others_than_star() -> List[str]:
    """Everything that is not part of the star scan.

    The cost model is not in it, because it prices the star scan.
    """
    return [name for name, feature in FEATURES.items()
            if not feature.star and name not in ("cost_model", "residency")]


def variants() -> Dict[str, legs.Settings]:
    """Names with settings: all, core, without each feature, the star scan
    alone and with each."""
    result: Dict[str, legs.Settings] = {
        "all": {}, "core": {"ssdpar.enabled": "off"}}
    for name in [*FEATURES, *GROUPS]:
        result[f"-{name}"] = without(members(name))
    off = others_than_star()
    result["star"] = without(off)
    for name in [*FEATURES, *GROUPS]:
        back = {part for member in members(name)
                for part in (member, *FEATURES[member].needs)}
        if back & set(off):
            result[f"star+{name}"] = without(
                [other for other in off if other not in back])
    return result
