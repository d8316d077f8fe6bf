"""Finds the runs of an export: named runs, else the last runs that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.topics import TopicsRun
from citescape.mapping.maps.map_run import MapRun
from citescape.networks.build import NetworkRun, find_network
from citescape.runs.kept import Kept, find_kept, list_kept, open_kept

NONE = "none"
"""Value that excludes a run."""


@dataclass(frozen=True)
class RunNames:
    """Names of runs: id or folder, or for a network its kind.

    Empty for the last matching run, `none` to exclude it.
    """

    network: str = ""
    clustering: str = ""
    topics: str = ""
    map: str = ""


@dataclass(frozen=True)
class ExportSources:
    """The runs of an export; only the network is required."""

    network: NetworkRun
    clustering: ClusterRun | None = None
    topics: Mapping[str, TopicsRun] = field(default_factory=dict)
    """Level of the clustering -> its topics."""
    map: MapRun | None = None

    @property
    def runs(self) -> dict[str, str]:
        """Command -> ids of runs."""
        runs = {"network": self.network.run}
        if self.clustering:
            runs["clustering"] = self.clustering.run
        if self.topics:
            runs["topics"] = " ".join(topics.run for topics in self.topics.values())
        return runs | ({"map": self.map.run} if self.map else {})

    def with_topic_map(self, runs: Path, level: str, *, named: bool) -> ExportSources:
        """The same sources with a map of the topics of one level, or without a map.

        Args:
            runs: folder of runs, searched for maps unless the map is named.
            level: level of the topics.
            named: whether the user named the map.
        """
        maps = [self.map] if named or self.map is None else list_kept(MapRun, runs)
        target = (self.clustering.run if self.clustering else "", level)
        fitting = [run for run in maps if run and (run.clustering, run.level) == target]
        return replace(self, map=next(reversed(fitting), None))


def find_sources(
    runs: Path, named: RunNames, *, current: str = "", location: str = ""
) -> ExportSources:
    """Finds the runs of an export.

    Unless named, the clustering is that of the named topics or map; else a clustering of the named
    network; else the one in the graph; else the last. The network is the clustered network, else
    the last. The topics are the last of each level of this clustering. The map is the last of this
    clustering, else the last map: places are looked up by the ids of papers.

    Args:
        runs: folder of runs.
        named: names of runs.
        current: run whose communities are in the graph, preferred to later runs.
        location: location of the store, for messages.

    Raises:
        ConfigError: a run does not exist, no network exists, or the named topics are of another
            clustering.
    """
    topics = _open(TopicsRun, runs, named.topics, location=location)
    map_ = _open(MapRun, runs, named.map, location=location)

    # The clustering.
    name = named.clustering or (topics.clustering if topics else "")
    if not name and map_:
        mapped = open_kept(ClusterRun, runs, map_.clustering)
        name = mapped.run if mapped else ""
    network = find_network(runs, named.network, location=location) if named.network else None
    clustering = _open(ClusterRun, runs, name, location=location)
    if not name:
        clusterings = sorted(list_kept(ClusterRun, runs), key=lambda run: run.run == current)
        own = [run for run in clusterings if network and run.network == network.run]
        clustering = next(reversed(own or clusterings), None)
    if topics and (clustering is None or clustering.run != topics.clustering):
        raise ConfigError(
            f"{topics.run} describes {topics.clustering}, not {name}; name it with "
            "--clustering, or name other topics"
        )

    # The network of the clustering, else the last network; topics and map of the clustering.
    if network is None:
        clustered = open_kept(NetworkRun, runs, clustering.network) if clustering else None
        network = clustered or find_network(runs, location=location)
    levels = {topics.level: topics} if topics else {}
    if not topics and clustering and named.topics != NONE:
        described = list_kept(TopicsRun, runs)
        levels = {run.level: run for run in described if run.clustering == clustering.run}
    if map_ is None and named.map != NONE:
        maps = list_kept(MapRun, runs)
        fitting = [run for run in maps if clustering and run.clustering == clustering.run]
        map_ = next(reversed(fitting or maps), None)
    return ExportSources(network, clustering, levels, map_)


def _open(kind: type[Kept], runs: Path, name: str, *, location: str) -> Kept | None:
    """The named run; None for an empty name or `none`."""
    if name in ("", NONE):
        return None
    return find_kept(kind, runs, name, location=location)
