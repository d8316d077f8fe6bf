"""Papers of small communities, in the community they are most strongly linked to."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array

from citescape.mapping.communities.clustering import Labels
from citescape.mapping.communities.leiden import PreparedNetwork, sum_by_node
from citescape.networks.network import Floats, Mask


def reassign_small(
    prepared: PreparedNetwork, membership: Labels, min_size: int
) -> tuple[Labels, int]:
    """Gives small communities to large enough ones, and counts the papers of the core in them.

    A community of fewer than `min_size` papers of the core goes whole to the one of `min_size` or
    more with which it has the highest weight / size, as CWTS networkanalysis compares them; of
    equal ones, to that with the lowest id. Small ones whose links lead to other small ones follow
    these. Those that no path ties to a large enough one stay as they are.

    Args:
        prepared: the network.
        membership: (nodes,) of communities.
        min_size: papers of the core; 1 changes nothing.

    Returns:
        (nodes,) numbers of communities, in the order of their first nodes, and how many papers.
    """
    found = _renumber(membership)
    papers = sum_by_node(prepared, prepared.network.in_core)
    before = np.bincount(found, papers)
    moved = np.zeros(len(before), np.bool_)
    while True:
        sizes: Floats = np.bincount(found, papers, minlength=len(before)).astype(np.float64)
        goes, to = _choose(prepared, found, sizes, min_size=min_size)
        if not len(goes):
            return _renumber(found), int(before[moved].sum())
        moved[goes] = True
        place = np.arange(len(before), dtype=np.int32)
        place[goes] = to
        found = place[found]


def _choose(
    prepared: PreparedNetwork, membership: Labels, sizes: Floats, *, min_size: int
) -> tuple[Labels, Labels]:
    """Small communities with a link to a large enough one, and the one for each."""
    small: Mask = (sizes > 0) & (sizes < min_size)
    weights = prepared.weights
    one = np.repeat(membership, np.diff(weights.indptr))
    other = membership[weights.indices]
    between = small[one] & (sizes >= min_size)[other]
    ends = (one[between], other[between])
    links = coo_array((weights.data[between], ends), shape=(len(sizes), len(sizes)))
    summed = links.tocsr().tocoo()
    goes, to = summed.coords
    order = np.lexsort((to, -summed.data / sizes[to], goes))
    first = order[np.unique(goes[order], return_index=True)[1]]
    return goes[first].astype(np.int32), to[first].astype(np.int32)


def _renumber(membership: Labels) -> Labels:
    """Numbers in the order of first nodes."""
    first, codes = np.unique(membership, return_index=True, return_inverse=True)[1:]
    place = np.empty(len(first), np.int32)
    place[np.argsort(first)] = np.arange(len(first))
    return place[codes]
