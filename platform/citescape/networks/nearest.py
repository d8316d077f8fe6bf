"""The network of nearest papers by their vectors."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows, fingerprint_ids
from citescape.networks.config import NetworkConfig
from citescape.networks.core import read_core
from citescape.networks.kind import BuiltNetwork, NetworkBuilder, Sources
from citescape.networks.network import Network
from citescape.networks.products import unite
from citescape.search.neighbours import Neighbours, find_neighbours
from citescape.search.stored import find_vectors


def prepare_nearest(sources: Sources, config: NetworkConfig) -> NetworkBuilder:
    """Reads vectors of the core, each paper to be linked to its k nearest (CIA, section 4.1.2).

    Papers without a vector, or with a zero vector, have no edges and are counted.
    """
    core = read_core(sources.store, config.papers, years=config.years)
    stored = find_vectors(sources.store, sources.runs, str(config.vectors))
    rows = stored.vectors.rows(core)
    placed = stored.vectors.select_rows(rows[rows >= 0])
    placed = placed.select_rows(np.flatnonzero(placed.placed))
    if len(placed) < 2:
        raise ConfigError(
            f"{len(placed)} of {len(core)} papers have a vector in {stored.run}; expected at "
            "least 2: choose other vectors with --vectors, or embed these papers"
        )
    inputs = {
        "vectors": stored.run,
        "core": fingerprint_ids(core),
        "placed": fingerprint_ids(placed.ids),
    }

    def build() -> BuiltNetwork:
        sources.progress(f"searching nearest neighbours of {len(placed):,} papers")
        near = find_neighbours(
            placed,
            min(config.k, len(placed) - 1),
            method=config.method,
            recall=config.recall,
            seed=config.seed,
        )
        network = link_nearest(core, near, weighted=config.weighted)
        negative = int((near.scores <= 0).sum()) if config.weighted else 0
        counts = {
            "k": near.indices.shape[1],
            "reciprocal": near.indices.size - negative - network.edges,
            "without_vector": len(core) - len(placed),
            "method": near.method,
            "recall": near.recall,
            "negative": negative,
        }
        warning = near.warning
        if not warning and 2 * len(placed) < len(core):
            warning = (
                f"only {len(placed):,} of {len(core):,} papers have a vector; embed the others"
            )
        return BuiltNetwork(network, counts, warning)

    return NetworkBuilder(inputs, build)


def link_nearest(core: pa.StringArray, near: Neighbours, *, weighted: bool = True) -> Network:
    """The undirected union of k-nearest lists.

    Args:
        core: ids of the core, ascending; all are in the network.
        near: nearest neighbours of papers of the core.
        weighted: whether the weight is the cosine, where neighbours with a cosine of 0 or less are
            excluded; else it is 1.
    """
    source = np.repeat(find_rows(near.queries, core), near.indices.shape[1])
    target = find_rows(near.ids, core)[near.indices.ravel()]
    weights = near.scores.ravel().astype(np.float64) if weighted else np.ones(len(source))
    positive = weights > 0
    ends = (source[positive], target[positive])
    return unite(core, csr_array((weights[positive], ends), shape=(len(core), len(core))))
