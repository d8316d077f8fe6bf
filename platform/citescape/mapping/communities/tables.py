"""What a run of `platform cluster` keeps of levels and communities, and what is to be doubted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.sparse.csgraph import connected_components

from citescape.mapping.communities.levels import Level
from citescape.mapping.communities.lineage import Named
from citescape.mapping.communities.search import find_linked, measure
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
"""`largest`, `median`: papers of the core in a community; `weighted_mean`: weighted by papers, that
of the community of a paper, sum of squared sizes / N; `singletons`: papers alone; `quality`: see
`quality.compute_quality`; `ari`: the adjusted Rand index of every two seeds, mean and deviation;
`rounds`, `stable`: see `consensus`."""
_MISSED = 0.1


def levels_table(levels: Sequence[Level]) -> pa.Table:
    """A row a level, in their order."""
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
    """A row a community: level, label, name, size in papers of the core, parent one level up."""
    parts = []
    for place, (level, names) in enumerate(zip(levels, named, strict=True)):
        above = named[place - 1] if nested and place else None
        sizes = level.clustering.sizes
        columns = {
            "level": pa.repeat(level.name, len(sizes)),
            "label": pa.array(np.arange(len(sizes), dtype=np.int32)),
            "name": pa.array(names.names, pa.string()),
            "size": pa.array(sizes),
            "parent": _parents(names, above),
        }
        parts.append(pa.table(columns))
    return pa.concat_tables(parts)


def _parents(names: Named, above: Named | None) -> pa.Array:
    """(communities,) the name of the one that holds each."""
    found = names.clustering
    if above is None:
        return pa.nulls(len(found), pa.string())
    rows = np.flatnonzero(found.core)
    first = rows[np.unique(found.labels[rows], return_index=True)[1]]
    parents = above.clustering.labels[first]
    return pa.array(above.names, pa.string()).take(pa.array(parents))


def find_doubts(
    network: Network, levels: Sequence[Level], warn_singletons: float, *, asked: bool = True
) -> list[str]:
    """A line for what gives cause, with what may help.

    Args:
        network: that was clustered.
        levels: its communities.
        warn_singletons: share of papers alone from which on that is said.
        asked: numbers or sizes of communities were asked for, so it is said where they are missed.
    """
    papers, linked = int(network.in_core.sum()), int(find_linked(network).sum())
    doubts = [line for level in levels for line in _doubts(network, level, warn_singletons)]
    if asked:
        doubts += [line for level in levels for line in _missed(network, level)]
    if papers - linked > warn_singletons * papers:
        doubts.append(
            f"{papers - linked:,} of {papers:,} papers have no edge, so they are alone; a network "
            "of another kind may tie more of them"
        )
    for above, below in pairwise(levels):
        if np.array_equal(above.clustering.labels, below.clustering.labels):
            doubts.append(f"{above.name} and {below.name} have the same communities")
    return doubts


def _doubts(network: Network, level: Level, warn_singletons: float) -> Iterator[str]:
    sizes, linked = level.clustering.sizes, int(find_linked(network).sum())
    alone = int((sizes == 1).sum()) - int(sizes.sum()) + linked
    if linked > 1 and measure(network, level.clustering, "communities") == 1:
        yield (
            f"{level.name}: one community holds all papers that have edges; a higher resolution "
            "divides it"
        )
    elif linked and alone > warn_singletons * linked:
        yield (
            f"{level.name}: {alone:,} of {linked:,} papers are alone though they have edges; a "
            "lower resolution, or a least size of 2, gives them company"
        )
    if level.figures.get("stable") is False:
        yield f"{level.name}: the seeds did not come to agree; the first one decided"


def _missed(network: Network, level: Level) -> Iterator[str]:
    goal = level.goal
    found = measure(network, level.clustering, goal.measure) if goal else 0.0
    if goal and found and abs(math.log(found / goal.value)) > _MISSED:
        what = "communities" if goal.measure == "communities" else "papers in a paper's community"
        parts = _count_parts(network)
        apart = (
            f"; no resolution joins its {parts:,} parts"
            if goal.measure == "communities" and parts >= found > goal.value
            else ""
        )
        yield f"{level.name}: {found:,.0f} {what} found, {goal.value:,.0f} asked for{apart}"


def _count_parts(network: Network) -> int:
    """Connected components of more than one paper."""
    labels = connected_components(network.weights, directed=False)[1]
    return int((np.bincount(labels) > 1).sum())


def count_levels(levels: Sequence[Level]) -> dict[str, Any]:
    """Communities of each level, for the run's record."""
    return {"communities": {level.name: len(level.clustering) for level in levels}}
