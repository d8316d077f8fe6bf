"""The kinds of networks.

Co-citation, coupling and extended citation are normalised by default: a paper with many references
shares some with nearly every other paper, and CPM does not take strengths into account.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from citescape.core.types import FACETS
from citescape.networks.direct import prepare_direct, prepare_extended
from citescape.networks.kind import NetworkKind
from citescape.networks.nearest import prepare_nearest
from citescape.networks.shared import prepare_shared
from citescape.networks.text import prepare_text

KINDS: Mapping[str, NetworkKind] = {
    "knn": NetworkKind(
        "nearest papers by their vectors",
        ("k", "weighted", "method", "recall", "seed"),
        prepare_nearest,
        reads=("vectors",),
    ),
    "citation": NetworkKind(
        "one cites the other (DC)",
        (),
        partial(prepare_direct, weight="none"),
        cites=True,
    ),
    "extended": NetworkKind(
        "one cites the other, also through papers outside the core (EDC)",
        ("min_links",),
        prepare_extended,
        normalise="fractional",
        cites=True,
    ),
    "co-citation": NetworkKind(
        "papers that cite both (CC)",
        (),
        partial(prepare_shared, cocited=True),
        normalise="fractional",
    ),
    "coupling": NetworkKind(
        "references in common (BC)",
        (),
        partial(prepare_shared, cocited=False),
        normalise="fractional",
    ),
    "bm25": NetworkKind(
        "nearest papers by the terms of their texts",
        ("k", "terms", "k1", "b"),
        prepare_text,
    ),
    "importance": NetworkKind(
        "one cites the other, by importance",
        (),
        partial(prepare_direct, weight="importance"),
        cites=True,
    ),
    **{
        facet: NetworkKind(
            f"one cites the other for its {facet}, by contexts",
            (),
            partial(prepare_direct, weight=facet),
            cites=True,
        )
        for facet in FACETS
    },
}
