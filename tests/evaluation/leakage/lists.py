"""Small lists of papers, given as dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa

from citescape.evaluation.leakage.papers import (
    PaperList,
    Place,
    list_pairs,
    list_places,
    list_titles,
)


def make_paper_list(
    places: Mapping[Place, Iterable[str]],
    titles: Mapping[str, str] | None = None,
    *,
    pairs: Iterable[tuple[str, str]] = (),
    queries: Iterable[Place] = (),
) -> PaperList:
    """List of papers: ids by split and part, titles by id, pairs of ids."""
    ends = list(zip(*pairs, strict=True)) or [(), ()]
    return PaperList(
        "a list",
        list_places((place, pa.array(list(ids), pa.string())) for place, ids in places.items()),
        list_titles((titles or {}).items()),
        list_pairs(*(pa.array(list(end), pa.string()) for end in ends)),
        frozenset(queries),
    )
