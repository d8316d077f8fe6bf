"""Tables of levels and communities in a run of `platform cluster`, and warnings about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
from scipy.sparse.csgraph import connected_components

from citescape.mapping.communities.levels import Level
from citescape.mapping.communities.lineage import Named
from citescape.mapping.communities.search import Goal, find_linked, measure
from citescape.networks.network import Network

_LEVELS = pa.schema(
    {
        "level": pa.string(),
        "resolution": pa.float64(),
        "communities": pa.int64(),
        "largest": pa.int64(),
        "median": pa.float64(),
        "weighted_mean": pa.float64(),
        "singletons": pa.int64(),
        "granularity": pa.float64(),
        "quality": pa.float64(),
        "reassigned": pa.int64(),
        "ari": pa.float64(),
        "ari_sd": pa.float64(),
        "rounds": pa.int64(),
        "stable": pa.bool_(),
        "fingerprint": pa.string(),
    }
)
"""`largest`, `median`: papers of the core in a community; `weighted_mean`: mean over papers of the
size of their community, sum of squared sizes / N; `singletons`: papers alone; `quality`: see
`quality.compute_quality`; `ari`: the adjusted Rand index of every two seeds, mean and deviation;
`rounds`, `stable`: see `consensus`."""
_MISSED = 0.1
"""|ln(value / goal)| from which on a goal is missed."""


def levels_table(levels: Sequence[Level]) -> pa.Table:
    """One row per level, in their order."""
    rows = []
    for level in levels:
        sizes, granularity = level.clustering.sizes, level.clustering.granularity
        row = {
            "level": level.name,
            "resolution": level.resolution,
            "communities": len(sizes),
            "largest": int(sizes.max(initial=0)),
            "median": float(np.median(sizes)) if len(sizes) else 0.0,
            "weighted_mean": 1 / granularity if granularity else 0.0,
            "singletons": int((sizes == 1).sum()),
            "granularity": granularity,
            "quality": level.quality,
            "fingerprint": level.clustering.fingerprint(),
        }
        rows.append(row | dict(level.figures))
    return pa.Table.from_pylist(rows, _LEVELS)


def communities_table(levels: Sequence[Level], named: Sequence[Named], *, nested: bool) -> pa.Table:
    """One row per community: level, label, name, size in papers of the core, parent."""
    parts = []
    for place, (level, names) in enumerate(zip(levels, named, strict=True)):
        clustering = level.clustering
        parents = pa.nulls(len(clustering), pa.string())
        if nested and place:
            above, rows = named[place - 1], np.flatnonzero(clustering.core)
            first = rows[np.unique(clustering.labels[rows], return_index=True)[1]]
            labels = pa.array(above.clustering.labels[first])
            parents = pa.array(above.names, pa.string()).take(labels)
        columns = {
            "level": pa.repeat(level.name, len(clustering)),
            "label": pa.array(np.arange(len(clustering), dtype=np.int32)),
            "name": pa.array(names.names, pa.string()),
            "size": pa.array(clustering.sizes),
            "parent": parents,
        }
        parts.append(pa.table(columns))
    return pa.concat_tables(parts)


def find_doubts(
    network: Network, levels: Sequence[Level], warn_singletons: float, *, warn_missed: bool = True
) -> list[str]:
    """Warnings about a clustering, with advice.

    Args:
        network: that was clustered.
        levels: its communities.
        warn_singletons: share of papers alone from which on there is a warning.
        warn_missed: whether to warn of missed numbers or sizes of communities.
    """
    papers, linked = int(network.in_core.sum()), int(find_linked(network).sum())
    doubts = []
    for level in levels:
        sizes = level.clustering.sizes
        alone = int((sizes == 1).sum()) - int(sizes.sum()) + linked
        if linked > 1 and measure(network, level.clustering, "communities") == 1:
            doubts.append(
                f"{level.name}: one community holds all papers that have edges; a higher "
                "resolution divides it"
            )
        elif linked and alone > warn_singletons * linked:
            doubts.append(
                f"{level.name}: {alone:,} of {linked:,} papers are alone though they have edges; a "
                "lower resolution, or a least size of 2, gives them company"
            )
        if level.figures.get("stable") is False:
            doubts.append(f"{level.name}: the seeds did not come to agree; the first one decided")
    if warn_missed:
        doubts += [_tell_missed(network, level, level.goal) for level in levels if level.goal]
    if papers - linked > warn_singletons * papers:
        doubts.append(
            f"{papers - linked:,} of {papers:,} papers have no edge, so they are alone; a network "
            "of another kind may tie more of them"
        )
    for above, below in pairwise(levels):
        if np.array_equal(above.clustering.labels, below.clustering.labels):
            doubts.append(f"{above.name} and {below.name} have the same communities")
    return list(filter(None, doubts))


def _tell_missed(network: Network, level: Level, goal: Goal) -> str:
    """A warning if a level misses its goal; else empty."""
    value = measure(network, level.clustering, goal.measure)
    if not value or abs(math.log(value / goal.value)) <= _MISSED:
        return ""
    components = np.bincount(connected_components(network.weights, directed=False)[1])
    parts, apart = int((components > 1).sum()), ""
    unit = "papers in a paper's community"
    if goal.measure == "communities":
        unit = "communities"
        if parts >= value > goal.value:
            apart = f"; no resolution joins its {parts:,} parts"
    return f"{level.name}: {value:,.0f} {unit} found, {goal.value:,.0f} asked for{apart}"
