"""Communities at several levels, independent or nested in a hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.clustering import Clustering, Labels
from citescape.mapping.communities.config import LEVELS, NAMED, ClusterConfig
from citescape.mapping.communities.consensus import find_consensus
from citescape.mapping.communities.leiden import (
    PreparedNetwork,
    find_membership,
    label_papers,
    prepare,
)
from citescape.mapping.communities.quality import compute_quality
from citescape.mapping.communities.search import Goal, find_linked, find_resolution
from citescape.mapping.communities.small import reassign_small
from citescape.networks.network import Network

Start = Callable[[str], Labels | None]
"""Level -> initial labels of papers."""


@dataclass(frozen=True)
class Level:
    """Communities at one level."""

    name: str
    """`macro`, `meso`, `micro`; or the resolution."""
    resolution: float
    clustering: Clustering
    quality: float
    """Value of the quality function at the resolution, for the network of papers."""
    goal: Goal | None = None
    """Goal of the search for the resolution, or None."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """`reassigned` papers; with several seeds `ari`, `ari_sd`, `rounds`, `stable`."""


def find_levels(
    network: Network,
    config: ClusterConfig,
    *,
    start: Start = lambda _: None,
    progress: Progress = silent,
) -> list[Level]:
    """Finds the communities of a network, level by level, the coarsest first.

    In a hierarchy the finest level is computed first; the nodes of each level above are the
    communities of the level below, which are not divided, as in the levels of CWTS.

    Args:
        network: network to cluster.
        config: settings.
        start: function from the name of a level to initial labels.
        progress: receives the current stage.

    Raises:
        ConfigError: the network is empty; there are fewer papers with edges than communities.
    """
    progress("preparing the network")
    prepared = prepare(network, engine=config.engine)
    targets = _list_targets(network, config)
    levels: list[Level] = []
    if not config.is_nested:
        for target in targets:
            levels.append(_find_level(prepared, target, config, start=start, progress=progress))
        by_name = {level.name: level for level in levels}
        return sorted(by_name.values(), key=lambda level: level.resolution)
    names = NAMED[len(targets)]
    for name, target in reversed(list(zip(names, targets, strict=True))):
        if levels:
            prepared = prepare(network, engine=config.engine, within=levels[-1].clustering)
        level = _find_level(prepared, target, config, start=start, progress=progress, name=name)
        levels.append(level)
    return levels[::-1]


def _list_targets(network: Network, config: ClusterConfig) -> list[float | Goal]:
    """Resolutions, or goals of searches for resolutions; the coarsest first."""
    if config.resolutions:
        return [*sorted(config.resolutions)]
    linked = int(find_linked(network).sum())
    most = max([*config.communities, *config.sizes], default=0)
    if most > linked > 0:
        raise ConfigError(
            f"communities or sizes of {most:g} for {linked} papers with edges; expected at "
            f"most {linked}"
        )
    if config.communities:
        return [Goal("communities", number) for number in sorted(config.communities)]
    sizes = config.sizes or [2.0 * linked**exponent for exponent in LEVELS.values()]
    return [Goal("size", min(max(size, 1.0), max(linked, 1))) for size in sorted(sizes)[::-1]]


def _find_level(
    prepared: PreparedNetwork,
    target: float | Goal,
    config: ClusterConfig,
    *,
    start: Start,
    progress: Progress,
    name: str = "",
) -> Level:
    quality, seed = config.quality, config.seed
    goal, resolution = (target, 0.0) if isinstance(target, Goal) else (None, target)
    if goal:
        progress(f"searching the resolution for {goal.measure} {goal.value:,.0f}")
        resolution = find_resolution(
            prepared, goal, quality=quality, seed=seed, min_size=config.min_size
        )
    name = name or f"{resolution:.15g}"
    progress(f"finding communities at resolution {resolution:g}")
    settings: dict[str, Any] = {
        "quality": quality,
        "iterations": config.iterations,
        "start": start(name),
    }
    figures: dict[str, Any] = {"reassigned": 0}
    if config.seeds == 1:
        membership = find_membership(prepared, resolution, seed=seed, **settings)
    else:
        seeds = range(seed, seed + config.seeds)
        consensus = find_consensus(prepared, resolution, seeds=seeds, **settings)
        membership, pairs = consensus.membership, consensus.agreement
        figures["ari"] = float(np.mean(pairs))
        figures["ari_sd"] = float(np.std(pairs, ddof=1)) if len(pairs) > 1 else None
        figures |= {"rounds": consensus.rounds, "stable": consensus.stable}
    if config.min_size > 1:
        membership, figures["reassigned"] = reassign_small(prepared, membership, config.min_size)
    clustering = label_papers(prepared, membership)
    value = compute_quality(prepared.network, clustering.labels, resolution, quality=quality)
    return Level(name, resolution, clustering, value, goal, figures)
