"""Figures of the sources that no rule limits, for information."""

from __future__ import annotations

import statistics
from itertools import combinations
from typing import Iterable, List, Set, Tuple

from circles import circles
from rules import adjacent
from tree import Arrow, Tree

# Shipped code.  The benchmarks' programs obey the rules, but their figures
# would hide those of the product.
PRODUCT = ("src/", "daemon/", "probe/", "common/")


def _percent(part: float, whole: float) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "0"


def _pairs(folders: List[str], known: Set[Arrow]) -> Tuple[int, int, int]:
    """Numbers of pairs of folders, of those with a dependency, and of mutual
    ones."""
    pairs = list(combinations(folders, 2))
    return (len(pairs),
            sum(1 for a, b in pairs if (a, b) in known or (b, a) in known),
            sum(1 for a, b in pairs if (a, b) in known and (b, a) in known))


def folder_pairs(tree: Tree) -> List[str]:
    folders = [folder for folder in tree.folders()
               if folder.startswith("src/")]
    uses = set(tree.folder_arrows())
    pairs, either, both = _pairs(folders, uses | tree.folder_includes())
    mutual = _pairs(folders, uses)[2]
    return [f"pairs of folders in src/ of which one knows the other: "
            f"{_percent(either, pairs)}",
            f"pairs that know each other mutually: {both}; by what is used: "
            f"{mutual}"]


def _ninth_decile(values: Iterable[int]) -> int:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)]


def functions(tree: Tree) -> List[str]:
    product = [source for path, source in tree.sources.items()
               if path.startswith(PRODUCT)]
    lengths = [function.lines for source in product
               for function in source.functions]
    static = [source.words.get(function.name, 0) for source in product
              for function in source.functions if function.static]
    if not lengths:
        return ["functions: 0"]
    return [f"functions: {len(lengths)}, lines from return type to closing "
            f"brace: median {statistics.median(lengths):g}, 90th percentile "
            f"{_ninth_decile(lengths)}, longest {max(lengths)}",
            f"static functions mentioned once: "
            f"{_percent(static.count(1), len(static))}"]


def comments(tree: Tree) -> List[str]:
    product = [source for path, source in tree.sources.items()
               if path.startswith(PRODUCT)]
    return ["lines with nothing but comment: " + _percent(
        sum(source.comment_lines for source in product),
        sum(len(source.lines) for source in product))]


def files(tree: Tree) -> List[str]:
    largest = sorted(((len(source.lines), path)
                      for path, source in tree.sources.items()),
                     reverse=True)[:1]
    return [f"files: {len(tree.sources)}, the longest {path} with {lines} "
            "lines" for lines, path in largest]


def circle_counts(tree: Tree) -> List[str]:
    return [f"circles: {len(circles(adjacent(tree.arrows)))} between files, "
            f"{len(circles(adjacent(tree.folder_arrows())))} between "
            "folders"]


FIGURES = (circle_counts, folder_pairs, comments, functions, files)
