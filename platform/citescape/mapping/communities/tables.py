"""Tables of levels and communities in a run of `platform cluster`, and warnings about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
from scipy.sparse.csgraph import connected_components

from citescape.mapping.communities.levels import Level
from citescape.mapping.communities.lineage import NamedClustering
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
size of their community, sum of squared sizes / N; `singletons`: communities of one paper;
`quality`: see `quality.compute_quality`; `ari`: adjusted Rand index of pairs of seeds, mean and
deviation; `rounds`, `stable`: see `consensus`."""
_TOLERANCE = 0.1
"""Maximum |ln(value / goal)| for which a goal is met."""


def levels_table(levels: Sequence[Level]) -> pa.Table:
    """Builds one row per level, in order."""
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


def communities_table(
    levels: Sequence[Level], named: Sequence[NamedClustering], *, nested: bool
) -> pa.Table:
    """Builds one row per community: level, label, name, size in papers of the core, parent.

    Args:
        levels: the levels, the coarsest first.
        named: names of each level.
        nested: whether the levels are a hierarchy.
    """
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


def list_warnings(
    network: Network, levels: Sequence[Level], warn_singletons: float, *, warn_missed: bool = True
) -> list[str]:
    """Warnings about a clustering, with advice.

    Args:
        network: the clustered network.
        levels: its communities.
        warn_singletons: maximum share of singleton papers without a warning.
        warn_missed: whether to warn if a number or size of communities is missed.
    """
    papers, linked = int(network.in_core.sum()), int(find_linked(network).sum())
    warnings = []
    for level in levels:
        sizes = level.clustering.sizes
        alone = int((sizes == 1).sum()) - int(sizes.sum()) + linked
        if linked > 1 and measure(network, level.clustering, "communities") == 1:
            warnings.append(
                f"{level.name}: one community has all papers with edges; a higher "
                "resolution divides it"
            )
        elif linked and alone > warn_singletons * linked:
            warnings.append(
                f"{level.name}: {alone:,} of {linked:,} papers with edges are singletons; use a "
                "lower resolution or a minimum size of 2"
            )
        if level.figures.get("stable") is False:
            warnings.append(
                f"{level.name}: the seeds did not reach a consensus; the first seed was used"
            )
    if warn_missed:
        warnings += [
            _describe_missed_goal(network, level, level.goal) for level in levels if level.goal
        ]
    if papers - linked > warn_singletons * papers:
        warnings.append(
            f"{papers - linked:,} of {papers:,} papers have no edges and are singletons; a "
            "network of another kind may link more of them"
        )
    for above, below in pairwise(levels):
        if np.array_equal(above.clustering.labels, below.clustering.labels):
            warnings.append(f"{above.name} and {below.name} have the same communities")
    return list(filter(None, warnings))


def _describe_missed_goal(network: Network, level: Level, goal: Goal) -> str:
    """Warning if a level misses its goal; else empty."""
    value = measure(network, level.clustering, goal.measure)
    if not value or abs(math.log(value / goal.value)) <= _TOLERANCE:
        return ""
    components = np.bincount(connected_components(network.weights, directed=False)[1])
    parts, reason = int((components > 1).sum()), ""
    unit = "papers in a paper's community"
    if goal.measure == "communities":
        unit = "communities"
        if parts >= value > goal.value:
            reason = f"; the network has {parts:,} components"
    return f"{level.name}: {value:,.0f} {unit} found, {goal.value:,.0f} requested{reason}"
