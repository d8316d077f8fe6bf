"""Merges small communities into the communities that they are most strongly linked to."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array

from citescape.mapping.communities.clustering import Labels
from citescape.mapping.communities.leiden import PreparedNetwork, sum_by_node


def reassign_small(
    prepared: PreparedNetwork, membership: Labels, min_size: int
) -> tuple[Labels, int]:
    """Merges small communities into large ones, and counts their papers of the core.

    A community of fewer than `min_size` papers of the core is merged into the large community with
    the highest weight / size, as in CWTS networkanalysis (ties: the lowest number).
    A small community that is linked only to small communities is merged after them. Small
    communities without a path to a large one do not change.

    Args:
        prepared: the network.
        membership: (nodes,) communities.
        min_size: minimum number of papers; 1 changes nothing.

    Returns:
        (nodes,) communities, numbered by first node, and the number of papers merged.
    """
    labels = _renumber(membership)
    weights = prepared.weights
    papers = sum_by_node(prepared, prepared.network.in_core)
    before = np.bincount(labels, papers)
    moved = np.zeros(len(before), np.bool_)
    while True:
        # Links from small to large communities; for each small one the highest weight / size.
        sizes = np.bincount(labels, papers, minlength=len(before)).astype(np.float64)
        small = (sizes > 0) & (sizes < min_size)
        source = np.repeat(labels, np.diff(weights.indptr))
        target = labels[weights.indices]
        between = small[source] & (sizes >= min_size)[target]
        ends = (source[between], target[between])
        links = coo_array((weights.data[between], ends), shape=(len(sizes), len(sizes)))
        links = links.tocsr().tocoo()
        rows, columns = links.coords
        order = np.lexsort((columns, -links.data / sizes[columns], rows))
        first = order[np.unique(rows[order], return_index=True)[1]]
        if not len(first):
            return _renumber(labels), int(before[moved].sum())

        moved[rows[first]] = True
        place = np.arange(len(before), dtype=np.int32)
        place[rows[first]] = columns[first]
        labels = place[labels]


def _renumber(membership: Labels) -> Labels:
    """Renumbers communities by first node."""
    first, codes = np.unique(membership, return_index=True, return_inverse=True)[1:]
    place = np.empty(len(first), np.int32)
    place[np.argsort(first)] = np.arange(len(first))
    return place[codes]
