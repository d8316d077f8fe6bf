"""The network of topics: communities of papers, linked by all edges between their papers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import encode
from citescape.mapping.communities.clustering import ClusterRun, Labels
from citescape.mapping.communities.topics import TopicsRun
from citescape.mapping.exports.membership import Membership, describe_level, find_labels
from citescape.mapping.exports.texts import clean_texts
from citescape.networks.network import Floats, Network, build_network

_DESCRIBED = ("mean_year", "field", "diversity", "importance")
"""Columns of `platform topics`, except the label."""


def link_topics(
    network: Network, labels: Labels, count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats, Floats]:
    """Sums edges between communities: w_AB = sum of w_ij over i in A, j in B; and edges inside.

    Args:
        network: network of papers.
        labels: (papers,) communities, 0 to count - 1; papers with -1 are skipped.
        count: number of communities.

    Returns:
        Lower and higher community of each edge, its weight, and the weight (communities,) of edges
        inside communities.
    """
    source, target, weights = network.upper()
    ends = labels[source].astype(np.int64), labels[target].astype(np.int64)
    both = (ends[0] >= 0) & (ends[1] >= 0)
    low, high = np.minimum(*ends)[both], np.maximum(*ends)[both]
    keys, place = np.unique(low * count + high, return_inverse=True)
    sums = np.bincount(place, weights[both], minlength=len(keys))
    low, high = keys // count, keys % count
    inside = np.zeros(count)
    inside[low[low == high]] = sums[low == high]
    between = low != high
    return low[between], high[between], sums[between], inside


def build_topics(
    network: Network, run: ClusterRun, *, level: str = "", known: Mapping[str, TopicsRun]
) -> tuple[Network, pa.Table, Membership | None]:
    """Builds the network of the communities of one level, with attributes and parents.

    Columns: id (name of the community), label (its topic), size (papers of the core), parent, the
    columns of `platform topics` for the level (mean_year, field, diversity, and importance
    received, or citations without scores) and weight_inside (weight of edges between its papers).

    Args:
        network: network of papers.
        run: the clustering.
        level: level of the communities; empty for the finest.
        known: level -> topics.

    Raises:
        ConfigError: no such level.
    """
    level = run.level(level)
    communities = run.communities(level)
    names, about = describe_level(run, level, known)
    labels = find_labels(run, level, network.ids)
    low, high, weights, inside = link_topics(network, labels, max(len(names), 1))
    order = pc.sort_indices(names).to_numpy().astype(np.int64)
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    topics = build_network(names.take(pa.array(order)), (place[low], place[high]), weights)

    columns = {
        "id": names,
        "label": about,
        "size": communities["size"].cast(pa.int64()),
        "parent": communities["parent"].cast(pa.string()),
    }
    if level in known:
        table = known[level].read()
        rows = pc.index_in(names, value_set=table["name"].combine_chunks().cast(pa.string()))
        described = {name: table[name].take(rows) for name in _DESCRIBED}
        described["field"] = clean_texts(described["field"])
        weight = str(known[level].counts.get("weight", "importance"))
        described[weight] = described.pop("importance")
        columns |= described
    columns["weight_inside"] = pa.array(inside[: len(names)])
    nodes = pa.table(columns).take(pa.array(order))

    # The level above, whose communities are the parents of the topics.
    parents, above = nodes["parent"].combine_chunks(), run.levels.index(level) - 1
    if above < 0 or parents.null_count == len(parents):
        return topics, nodes, None
    names, about = describe_level(run, run.levels[above], known)
    return topics, nodes, Membership(run.levels[above], encode(parents, names), names, about)
