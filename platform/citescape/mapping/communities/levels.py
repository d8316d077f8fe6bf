"""Communities at the levels that are asked for: side by side, or one in the other."""

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
"""Labels of papers to begin with, by level."""


@dataclass(frozen=True)
class Level:
    """Communities at one level."""

    name: str
    """`macro`, `meso`, `micro`; or the resolution."""
    resolution: float
    clustering: Clustering
    quality: float
    """Of the quality function at the resolution, of the papers' network."""
    goal: Goal | None = None
    """What the resolution was sought for."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """How it came about: `reassigned` papers; with several seeds `ari`, `ari_sd`, `rounds`,
    `stable`."""


def find_levels(
    network: Network,
    config: ClusterConfig,
    *,
    start: Start = lambda _: None,
    progress: Progress = silent,
) -> list[Level]:
    """The communities of a network, level by level, the coarsest first.

    The engine's graph is built once. In a hierarchy the finest level is found first; the nodes of
    each level above are the communities of the one below, so that these stay whole, as CWTS makes
    its levels.

    Args:
        network: with at least one paper.
        config: which levels, and how.
        start: labels to begin with, by the name of the level.
        progress: told what is being done.

    Raises:
        ConfigError: the network is empty; more communities are asked for than papers with edges.
    """
    progress("preparing the network")
    prepared = prepare(network, engine=config.engine)
    aims = _aims(network, config)
    if not config.is_nested:
        made = [_find(prepared, aim, config, start=start, progress=progress) for aim in aims]
        return sorted({one.name: one for one in made}.values(), key=lambda one: one.resolution)
    levels: list[Level] = []
    names = NAMED[len(aims)]
    for name, aim in reversed(list(zip(names, aims, strict=True))):
        if levels:
            prepared = prepare(network, engine=config.engine, within=levels[-1].clustering)
        found = _find(prepared, aim, config, start=start, progress=progress, name=name)
        levels.append(found)
    return levels[::-1]


def _aims(network: Network, config: ClusterConfig) -> list[float | Goal]:
    """Resolutions, or what they are to be sought for; the coarsest first."""
    if config.resolutions:
        return [*sorted(config.resolutions)]
    linked = int(find_linked(network).sum())
    most = max([*config.communities, *config.sizes], default=0)
    if most > linked > 0:
        raise ConfigError(
            f"communities or sizes of {most:g} for {linked} papers with edges; expected {linked} "
            "at most"
        )
    if config.communities:
        return [Goal("communities", one) for one in sorted(config.communities)]
    sizes = config.sizes or [2.0 * linked**exponent for exponent in LEVELS.values()]
    return [Goal("size", min(max(one, 1.0), max(linked, 1))) for one in sorted(sizes)[::-1]]


def _find(
    prepared: PreparedNetwork,
    aim: float | Goal,
    config: ClusterConfig,
    *,
    start: Start,
    progress: Progress,
    name: str = "",
) -> Level:
    goal, resolution = (aim, 0.0) if isinstance(aim, Goal) else (None, aim)
    if goal:
        resolution = _seek(prepared, goal, config, progress=progress)
    name = name or f"{resolution:.15g}"
    progress(f"finding communities at resolution {resolution:g}")
    membership, told = _cluster(prepared, resolution, config, start=start(name))
    reassigned = 0
    if config.min_size > 1:
        membership, reassigned = reassign_small(prepared, membership, config.min_size)
    found = label_papers(prepared, membership)
    quality = compute_quality(prepared.network, found.labels, resolution, quality=config.quality)
    figures = {"reassigned": reassigned, **told}
    return Level(name, resolution, found, quality, goal, figures)


def _seek(
    prepared: PreparedNetwork, goal: Goal, config: ClusterConfig, *, progress: Progress
) -> float:
    progress(f"seeking the resolution for {goal.measure} {goal.value:,.0f}")
    return find_resolution(
        prepared, goal, quality=config.quality, seed=config.seed, min_size=config.min_size
    )


def _cluster(
    prepared: PreparedNetwork, resolution: float, config: ClusterConfig, *, start: Labels | None
) -> tuple[Labels, dict[str, Any]]:
    """Communities by node, and how far the seeds agreed."""
    how: dict[str, Any] = {"quality": config.quality, "iterations": config.iterations}
    if config.seeds == 1:
        found = find_membership(prepared, resolution, seed=config.seed, start=start, **how)
        return found, {}
    seeds = range(config.seed, config.seed + config.seeds)
    agreed = find_consensus(prepared, resolution, seeds=seeds, start=start, **how)
    spread = float(np.std(agreed.agreement, ddof=1)) if len(agreed.agreement) > 1 else None
    mean = float(np.mean(agreed.agreement))
    told = {"ari": mean, "ari_sd": spread, "rounds": agreed.rounds, "stable": agreed.stable}
    return agreed.membership, told
