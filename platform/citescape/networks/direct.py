"""Networks whose edges are citations: direct, extended, weighted by importance or by facet."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from citescape.core.pairs import find_rows, sort_ids
from citescape.core.types import FACETS
from citescape.networks.citations import Citations
from citescape.networks.config import NetworkConfig
from citescape.networks.core import read_cited
from citescape.networks.kind import Made, Prepared, Sources
from citescape.networks.network import Mask, Network, build_network


def prepare_direct(sources: Sources, config: NetworkConfig, *, weight: str) -> Prepared:
    """Citations between papers of the core.

    An edge weighs 1, or the sum of importance or of a facet's contexts over both directions.

    Args:
        sources: what is read.
        config: papers.
        weight: see `read_citations`.
    """
    citations, core, inputs = read_cited(sources, config, weight=weight)
    make = partial(link_directly, citations, core, weighted=weight != "none")
    if weight in FACETS and config.papers == "fulltext":
        return Prepared(inputs, lambda: _hint(make(), citations, weight))
    return Prepared(inputs, make)


def _hint(made: Made, citations: Citations, facet: str) -> Made:
    """Warns where most papers have no edge, and there are citations with an end outside."""
    papers, linked = len(made.network), int((made.network.degrees > 0).sum())
    others = int((citations.weights > 0).sum()) - made.counts["citations"]
    if 2 * linked >= papers or not others:
        return made
    hint = (
        f"only {linked:,} of {papers:,} papers have an edge; {others:,} {facet} citations have an "
        "end outside: add papers without full text with --papers all"
    )
    return replace(made, warning=hint)


def link_directly(citations: Citations, core: pa.StringArray, *, weighted: bool = True) -> Made:
    """Citations between papers of the core.

    Args:
        citations: of any papers; those without weight are left out.
        core: ids, ascending; all of them are in the network.
        weighted: an edge weighs the sum of both directions; else 1, also where there are both.

    Returns:
        The network; how many citations are in it, and how many of the core have no weight.
    """
    place = find_rows(citations.ids, core)
    citing, cited = place[citations.citing], place[citations.cited]
    inside, positive = (citing >= 0) & (cited >= 0), citations.weights > 0
    kept = inside & positive
    weights = citations.weights[kept] if weighted else None
    counts = {"citations": int(kept.sum()), "without_weight": int((inside & ~positive).sum())}
    return Made(build_network(core, (citing[kept], cited[kept]), weights), counts)


def prepare_extended(sources: Sources, config: NetworkConfig) -> Prepared:
    """Extended direct citation (Waltman et al. 2020): the core, and what ties it together.

    Papers outside the core that are linked to `min_links` or more papers of it are in the network,
    not in its core; an edge is a citation with an end in the core.
    """
    citations, core, inputs = read_cited(sources, config)
    return Prepared(inputs, partial(_make_extended, citations, core, config.min_links))


def _make_extended(citations: Citations, core: pa.StringArray, min_links: int) -> Made:
    network = link_extended(citations, core, min_links=min_links)
    return Made(network, {"outside": len(network) - len(core)})


def link_extended(citations: Citations, core: pa.StringArray, *, min_links: int = 2) -> Network:
    """Citations with an end in the core, and papers outside that tie several of it together.

    Args:
        citations: of any papers.
        core: ids, ascending; all of them are in the network.
        min_links: papers of the core that one outside must be linked to.
    """
    ends = (citations.citing, citations.cited)
    inside = find_rows(citations.ids, core) >= 0
    outside = _find_ties(citations, inside, min_links)
    known = inside | outside
    kept = known[ends[0]] & known[ends[1]] & (inside[ends[0]] | inside[ends[1]])
    added = citations.ids.filter(pa.array(outside))
    ids = sort_ids(pa.chunked_array([core, added], pa.string()))
    place = find_rows(citations.ids, ids)
    tied = place[ends[0][kept]], place[ends[1][kept]]
    return build_network(ids, tied, None, core=find_rows(ids, core) >= 0)


def _find_ties(citations: Citations, inside: Mask, min_links: int) -> Mask:
    """(papers,) those outside the core that are linked to enough papers of it."""
    size = len(citations.ids)
    one = np.concatenate([citations.citing, citations.cited]).astype(np.int64)
    other = np.concatenate([citations.cited, citations.citing]).astype(np.int64)
    crossing = ~inside[one] & inside[other]
    distinct = np.unique(one[crossing] * size + other[crossing]) // size
    tied: Mask = np.bincount(distinct, minlength=size) >= min_links
    return tied
