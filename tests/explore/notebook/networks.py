"""Small citation networks, made without a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from citescape.explore.neighbourhood import CitationNeighbourhood

PAPER = pa.schema(
    {
        "id": pa.string(),
        "title": pa.string(),
        "year": pa.int64(),
        "surnames": pa.list_(pa.string()),
        "venue": pa.string(),
        "type": pa.string(),
        "fulltext": pa.bool_(),
        "hops": pa.int64(),
    }
)
COUNTS = ("self", "mentions", "f_I", "f_M", "f_R", "f_D", "f_other")
FACETS = ("n_background", "n_method", "n_result")
CITATION = pa.schema(
    {
        "citing": pa.string(),
        "cited": pa.string(),
        "importance": pa.float64(),
        **dict.fromkeys((*COUNTS, *FACETS), pa.int64()),
        "title_similarity": pa.float64(),
    }
)
WEIGHTS = {"I": 0.25, "R": 0.5, "D": 0.75, "S": 1.0}


def make_network(
    citations: Sequence[Mapping[str, Any]],
    *,
    seeds: Sequence[str] = ("a",),
    papers: Mapping[str, Mapping[str, Any]] | None = None,
    weights: Mapping[str, float] = WEIGHTS,
) -> CitationNeighbourhood:
    """A network of some citations; missing counts are 0, missing properties of papers null.

    Args:
        citations: rows, the most important first.
        seeds: ids of the papers in the middle.
        papers: properties of papers by id.
        weights: weights of the run.
    """
    ends = (row[end] for row in citations for end in ("citing", "cited"))
    ids = list(dict.fromkeys([*seeds, *ends]))
    rows = [
        {"id": id_, "fulltext": False, "hops": int(id_ not in seeds), **(papers or {}).get(id_, {})}
        for id_ in ids
    ]
    zeros = dict.fromkeys((*COUNTS, *FACETS), 0)
    return CitationNeighbourhood(
        tuple(seeds),
        pa.Table.from_pylist(rows, PAPER),
        pa.Table.from_pylist([{**zeros, **row} for row in citations], CITATION),
        neighbours=len(ids) - len(seeds),
        edges=len(citations),
        run="score-1" if weights else None,
        weights=dict(weights),
    )


def scored(citing: str, cited: str, **counts: int) -> dict[str, Any]:
    """A citation with the importance that `WEIGHTS` give it."""
    columns = {"I": "f_I", "R": "f_R", "D": "f_D", "S": "self"}
    importance = sum(WEIGHTS[name] * counts.get(column, 0) for name, column in columns.items())
    return {"citing": citing, "cited": cited, "importance": importance, **counts}


FIVE = (
    scored("a", "b", self=1, f_D=1, f_I=1),
    scored("c", "a", f_R=2, f_I=1),
    scored("a", "d", f_D=1, n_method=1),
    scored("c", "b", f_R=1),
    scored("a", "e", f_M=1),
)
"""Around `a`: b, d, e are cited, c cites; 2, 1.25, .75, .5 and 0."""
HOSTILE = '</script><script>document.title = "broken"</script><img src=x onerror=alert(1)>&"\'\x00'
