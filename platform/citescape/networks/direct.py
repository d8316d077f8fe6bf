"""Networks whose edges are citations: direct, extended, weighted by importance or by facet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from citescape.core.pairs import find_rows, sort_ids
from citescape.core.types import FACETS
from citescape.networks.citations import Citations
from citescape.networks.config import NetworkConfig
from citescape.networks.core import read_cited
from citescape.networks.kind import BuiltNetwork, NetworkBuilder, Sources
from citescape.networks.network import Mask, Network, build_network


def prepare_direct(sources: Sources, config: NetworkConfig, *, weight: str) -> NetworkBuilder:
    """Reads citations between papers of the core.

    The weight of an edge is 1, or the sum of importance or of a facet's contexts over both
    directions.

    Args:
        sources: store and progress.
        config: papers and years of the core.
        weight: `none`, `importance` or a facet.
    """
    citations, core, inputs = read_cited(sources, config, weight=weight)

    def build() -> BuiltNetwork:
        built = link_directly(citations, core, weighted=weight != "none")
        papers, linked = len(core), int((built.network.degrees > 0).sum())
        crossing = int((citations.weights > 0).sum()) - built.counts["citations"]
        is_facet = weight in FACETS and config.papers == "fulltext"
        if not is_facet or 2 * linked >= papers or not crossing:
            return built
        hint = (
            f"only {linked:,} of {papers:,} papers have an edge; {crossing:,} {weight} citations "
            "have an end outside: add papers without full text with --papers all"
        )
        return replace(built, warning=hint)

    return NetworkBuilder(inputs, build)


def link_directly(
    citations: Citations, core: pa.StringArray, *, weighted: bool = True
) -> BuiltNetwork:
    """Links papers of the core by their citations; citations of weight 0 are excluded.

    Args:
        citations: citations of any papers.
        core: ids of the core, ascending; all are in the network.
        weighted: whether the weight of an edge is the sum of both directions, else 1.

    Returns:
        The network; the number of its citations, and of citations in the core without weight.
    """
    place = find_rows(citations.ids, core)
    citing, cited = place[citations.citing], place[citations.cited]
    inside, positive = (citing >= 0) & (cited >= 0), citations.weights > 0
    kept = inside & positive
    weights = citations.weights[kept] if weighted else None
    counts = {"citations": int(kept.sum()), "without_weight": int((inside & ~positive).sum())}
    return BuiltNetwork(build_network(core, (citing[kept], cited[kept]), weights), counts)


def prepare_extended(sources: Sources, config: NetworkConfig) -> NetworkBuilder:
    """Reads extended direct citation (Waltman et al. 2020): the core and papers that link it.

    Outside papers that are linked to `min_links` or more papers of the core are in the network but
    not in its core; an edge is a citation with an end in the core.
    """
    citations, core, inputs = read_cited(sources, config)

    def build() -> BuiltNetwork:
        network = link_extended(citations, core, min_links=config.min_links)
        return BuiltNetwork(network, {"outside": len(network) - len(core)})

    return NetworkBuilder(inputs, build)


def link_extended(citations: Citations, core: pa.StringArray, *, min_links: int = 2) -> Network:
    """Links papers by citations with an end in the core.

    Args:
        citations: citations of any papers.
        core: ids of the core, ascending; all are in the network.
        min_links: minimum number of papers of the core that an outside paper must be linked to.
    """
    citing, cited = citations.citing, citations.cited
    inside = find_rows(citations.ids, core) >= 0
    outside = _find_linked(citations, inside, min_links)
    known = inside | outside
    kept = known[citing] & known[cited] & (inside[citing] | inside[cited])
    added = citations.ids.filter(pa.array(outside))
    ids = sort_ids(pa.chunked_array([core, added], pa.string()))
    rows = find_rows(citations.ids, ids)
    ends = rows[citing[kept]], rows[cited[kept]]
    return build_network(ids, ends, None, core=find_rows(ids, core) >= 0)


def _find_linked(citations: Citations, inside: Mask, min_links: int) -> Mask:
    """(papers,) papers outside the core that cite, or are cited by, enough papers of it."""
    size, citing, cited = len(citations.ids), citations.citing, citations.cited
    source = np.concatenate([citing, cited]).astype(np.int64)
    target = np.concatenate([cited, citing]).astype(np.int64)
    crossing = ~inside[source] & inside[target]
    linked = np.unique(source[crossing] * size + target[crossing]) // size
    enough: Mask = np.bincount(linked, minlength=size) >= min_links
    return enough
