"""Bibliographic coupling and co-citation: papers with references, or citing papers, in common."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core.pairs import find_rows
from citescape.networks.citations import Citations
from citescape.networks.config import NetworkConfig
from citescape.networks.core import read_cited
from citescape.networks.kind import BuiltNetwork, Prepared, Sources
from citescape.networks.products import find_strongest, unite


def prepare_shared(sources: Sources, config: NetworkConfig, *, cocited: bool) -> Prepared:
    """Papers of the core with works in common.

    An edge weighs as many references as both papers have in common (coupling), or as many papers
    of the whole store as cite both (co-citation, `cocited`).
    """
    citations, core, inputs = read_cited(sources, config)
    if config.top:
        inputs["strengths"] = "whole"  # earlier runs had the strengths of the kept edges only
    make = partial(link_shared, citations, core, cocited=cocited, top=config.top)
    return Prepared(inputs, make)


def link_shared(
    citations: Citations, core: pa.StringArray, *, cocited: bool = False, top: int = 0
) -> BuiltNetwork:
    """Papers of the core by how many references, or citing papers, they share.

    Coupling (i, j) = |references of i & references of j|; co-citation (i, j) = |papers citing both|
    (CIA, section 4.2). With A the matrix of citations these are A A' and A' A.

    Args:
        citations: of any papers; those from outside the core count too.
        core: ids, ascending; all of them are in the network.
        cocited: co-citation in place of coupling.
        top: strongest edges kept for each paper, exact, without building all; among equal weights
            the lower id. 0: all, which may need much memory.

    Returns:
        The network; with `top` the strengths of all edges, kept or not.
    """
    works = _find_works(citations, core, cocited=cocited)
    network = unite(core, find_strongest(works, works.T.tocsr(), top=top))
    if not top:
        return BuiltNetwork(network)
    # Sum over others of the works in common: for each work, the other papers that have it.
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
