"""Which runs an export is made of: those named, else the last ones that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.topics import TopicsRun
from citescape.mapping.maps.drawn import MapRun
from citescape.networks.build import NetworkRun, find_network
from citescape.runs.kept import Kept, find_kept, list_kept, open_kept

NONE = "none"
"""In place of a run: leave it out."""


@dataclass(frozen=True)
class Named:
    """Runs as a user names them: by id or folder, a network also by its kind.

    Empty for the last that fits, `none` to leave it out.
    """

    network: str = ""
    clustering: str = ""
    topics: str = ""
    map: str = ""


@dataclass(frozen=True)
class ExportSources:
    """The runs that an export is made of. There may be none but the network."""

    network: NetworkRun
    clustering: ClusterRun | None = None
    topics: Mapping[str, TopicsRun] = field(default_factory=dict)
    """By the level of the clustering that they describe."""
    map: MapRun | None = None

    @property
    def runs(self) -> dict[str, str]:
        """Run ids by what they are."""
        found = {"network": self.network.run}
        if self.clustering:
            found["clustering"] = self.clustering.run
        if self.topics:
            found["topics"] = " ".join(one.run for one in self.topics.values())
        return found | ({"map": self.map.run} if self.map else {})

    def of_topics(self, runs: Path, level: str, *, named: bool) -> ExportSources:
        """The same with a map of the topics of a level: names of other topics mean others.

        Args:
            runs: folder of run directories, where it is sought unless it is named.
            level: of the clustering.
            named: the map is the one that the user means.
        """
        made = [self.map] if named or self.map is None else list_kept(MapRun, runs)
        wanted = (self.clustering.run if self.clustering else "", level)
        own = [one for one in made if one and (one.clustering, one.level) == wanted]
        return replace(self, map=next(reversed(own), None))


def find_sources(
    runs: Path, named: Named, *, current: str = "", location: str = ""
) -> ExportSources:
    """Finds the runs of an export.

    Unless named, the clustering is the one that the topics or the map named are of; else one of the
    network named; else the one in the graph; else the last. The network is the one that was
    clustered, else the last. The topics are the last ones of each level, the map the last one, of
    this clustering; else the last map, since papers have places by id.

    Args:
        runs: folder of run directories.
        named: what the user names.
        current: the run whose communities are in the graph; it goes before later ones.
        location: of the store, for messages.

    Raises:
        ConfigError: there is no network, or no such run, or the topics named are of another
            clustering.
    """
    topics = _open(TopicsRun, runs, named.topics, location=location)
    drawn = _open(MapRun, runs, named.map, location=location)
    mapped = open_kept(ClusterRun, runs, drawn.clustering) if drawn else None
    wanted = named.clustering or (topics.clustering if topics else mapped.run if mapped else "")
    network = find_network(runs, named.network, location=location) if named.network else None
    clustering = _find_clustering(runs, wanted, network, current=current, location=location)
    if topics and (clustering is None or clustering.run != topics.clustering):
        raise ConfigError(
            f"{topics.run} describes {topics.clustering}, not {wanted}; name that with "
            "--clustering, or other topics"
        )
    return ExportSources(
        network or _find_clustered(runs, clustering, location=location),
        clustering,
        {topics.level: topics} if topics else _find_topics(runs, named.topics, clustering),
        drawn or _find_map(runs, named.map, clustering),
    )


def _open(kind: type[Kept], runs: Path, named: str, *, location: str) -> Kept | None:
    """The run that is named; None where none is."""
    if named in ("", NONE):
        return None
    return find_kept(kind, runs, named, location=location)


def _find_clustering(
    runs: Path, named: str, network: NetworkRun | None, *, current: str, location: str
) -> ClusterRun | None:
    if named == NONE:
        return None
    if named:
        return _open(ClusterRun, runs, named, location=location)
    made = sorted(list_kept(ClusterRun, runs), key=lambda one: one.run == current)
    own = [one for one in made if network and one.network == network.run]
    return next(reversed(own or made), None)


def _find_clustered(runs: Path, clustering: ClusterRun | None, *, location: str) -> NetworkRun:
    """The network of a clustering; the last one if that is gone."""
    own = open_kept(NetworkRun, runs, clustering.network) if clustering else None
    return own or find_network(runs, location=location)


def _find_topics(runs: Path, named: str, clustering: ClusterRun | None) -> dict[str, TopicsRun]:
    """The last ones of each level."""
    if named == NONE or clustering is None:
        return {}
    made = list_kept(TopicsRun, runs)
    return {one.level: one for one in made if one.clustering == clustering.run}


def _find_map(runs: Path, named: str, clustering: ClusterRun | None) -> MapRun | None:
    """The last one of the clustering, else the last one."""
    if named == NONE:
        return None
    made = list_kept(MapRun, runs)
    own = [one for one in made if clustering and one.clustering == clustering.run]
    return next(reversed(own or made), None)
