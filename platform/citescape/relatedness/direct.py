"""Networks whose edges are citations: direct, extended, weighted by importance or by facet."""

from __future__ import annotations

import hashlib
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.features.pairs import sort_ids
from citescape.networks.citations import Citations, read_citations
from citescape.networks.network import Mask, Network, build_network
from citescape.relatedness.config import NetworkConfig
from citescape.relatedness.core import find_rows, read_core
from citescape.relatedness.kind import Made, Prepared, Sources

Places = npt.NDArray[np.int64]


def prepare_direct(sources: Sources, config: NetworkConfig, *, weight: str) -> Prepared:
    """Citations between papers of the core.

    An edge weighs 1, or the sum of importance or of a facet's contexts over both directions.

    Args:
        sources: what is read.
        config: papers.
        weight: see `read_citations`.
    """
    sources.progress("reading citations")
    citations = read_citations(sources.store, weight=weight)
    core = read_core(sources.store, config.papers)
    return Prepared(_inputs(citations, core), partial(_make_direct, citations, core, weight))


def _make_direct(citations: Citations, core: pa.StringArray, weight: str) -> Made:
    network = link_directly(citations, core)
    if weight == "none":
        network.weights.data[:] = 1.0  # two papers that cite each other are linked once
    weights = citations.weights[_inside(*_find_ends(citations, core))]
    positive = int((weights > 0).sum())
    return Made(network, {"citations": positive, "without_weight": len(weights) - positive})


def link_directly(citations: Citations, core: pa.StringArray) -> Network:
    """Citations between papers of the core, the weights of both directions added.

    Args:
        citations: of any papers; those without weight are left out.
        core: ids, ascending; all of them are in the network.
    """
    citing, cited = _find_ends(citations, core)
    kept = _inside(citing, cited) & (citations.weights > 0)
    return build_network(core, (citing[kept], cited[kept]), citations.weights[kept])


def _find_ends(citations: Citations, core: pa.StringArray) -> tuple[Places, Places]:
    """(citations,) twice: where in the core the citing and cited papers stand, or -1."""
    place = find_rows(citations.ids, core)
    return place[citations.citing], place[citations.cited]


def _inside(citing: Places, cited: Places) -> Mask:
    both: Mask = (citing >= 0) & (cited >= 0)
    return both


def prepare_extended(sources: Sources, config: NetworkConfig) -> Prepared:
    """Extended direct citation (Waltman et al. 2020): the core, and what ties it together.

    Papers outside the core that are linked to `min_links` or more papers of it are in the network,
    not in its core; an edge is a citation with an end in the core.
    """
    sources.progress("reading citations")
    citations = read_citations(sources.store, weight="none")
    core = read_core(sources.store, config.papers)
    make = partial(_make_extended, citations, core, config.min_links)
    return Prepared(_inputs(citations, core), make)


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
    network = build_network(
        ids,
        (place[ends[0][kept]], place[ends[1][kept]]),
        np.ones(int(kept.sum())),
        core=find_rows(ids, core) >= 0,
    )
    network.weights.data[:] = 1.0  # two papers that cite each other are linked once
    return network


def _find_ties(citations: Citations, inside: Mask, min_links: int) -> Mask:
    """(papers,) those outside the core that are linked to enough papers of it."""
    size = len(citations.ids)
    one = np.concatenate([citations.citing, citations.cited]).astype(np.int64)
    other = np.concatenate([citations.cited, citations.citing]).astype(np.int64)
    crossing = ~inside[one] & inside[other]
    distinct = np.unique(one[crossing] * size + other[crossing]) // size
    tied: Mask = np.bincount(distinct, minlength=size) >= min_links
    return tied


def _inputs(citations: Citations, core: pa.StringArray) -> dict[str, str]:
    return {"citations": citations.fingerprint(), "core": hash_ids(core)}


def hash_ids(ids: pa.StringArray) -> str:
    """SHA-256 of ids in their order."""
    return hashlib.sha256("\n".join(ids.to_pylist()).encode()).hexdigest()
