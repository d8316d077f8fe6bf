"""Bibliographic coupling and co-citation: common references, and common citing papers."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core.pairs import find_rows
from citescape.networks.citations import Citations
from citescape.networks.config import NetworkConfig
from citescape.networks.core import read_cited
from citescape.networks.kind import BuiltNetwork, NetworkBuilder, Sources
from citescape.networks.products import find_strongest, unite


def prepare_shared(sources: Sources, config: NetworkConfig, *, cocited: bool) -> NetworkBuilder:
    """Reads citations of papers of the core, for coupling or co-citation.

    The weight of an edge is the number of common references (coupling), or of papers of the whole
    store that cite both (co-citation).

    Args:
        sources: store and progress.
        config: papers and years of the core, and `top`.
        cocited: co-citation instead of coupling.
    """
    citations, core, inputs = read_cited(sources, config)
    if config.top:
        inputs["strengths"] = "whole"  # earlier runs had the strengths of the kept edges only
    build = partial(link_shared, citations, core, cocited=cocited, top=config.top)
    return NetworkBuilder(inputs, build)


def link_shared(
    citations: Citations, core: pa.StringArray, *, cocited: bool = False, top: int = 0
) -> BuiltNetwork:
    """Links papers of the core by the number of references, or citing papers, in common.

    Coupling (i, j) = |references of i & references of j|; co-citation (i, j) = |papers citing both|
    (CIA, section 4.2). With A the matrix of citations these are A A' and A' A.

    Args:
        citations: citations of any papers; those from outside the core count too.
        core: ids of the core, ascending; all are in the network.
        cocited: co-citation instead of coupling.
        top: number of strongest edges kept per paper, exact, found without building all edges;
            among equal weights the lower id. 0 keeps all, which may need much memory.

    Returns:
        The network; with `top` the strengths of all edges, kept or not.
    """
    works = _find_works(citations, core, cocited=cocited)
    network = unite(core, find_strongest(works, works.T.tocsr(), top=top))
    if not top:
        return BuiltNetwork(network)
    # Sum of works in common over all other papers: for each work, its number of other papers.
    papers = np.bincount(works.indices, minlength=works.shape[1])
    return BuiltNetwork(network, strengths=np.asarray(works @ (papers - 1), np.float64))


def _find_works(citations: Citations, core: pa.StringArray, *, cocited: bool) -> csr_array:
    """(core, papers) 1 if a paper of the core cites the other, or is cited by it (`cocited`)."""
    own, other = citations.citing, citations.cited
    if cocited:
        own, other = other, own
    rows = find_rows(citations.ids, core)[own]
    inside = rows >= 0
    ones = np.ones(int(inside.sum()), np.int8)  # sums use a wider type
    shape = (len(core), len(citations.ids))
    return csr_array((ones, (rows[inside], other[inside])), shape=shape)
