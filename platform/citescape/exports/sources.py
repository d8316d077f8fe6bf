"""Which runs an export is made of: those named, else the last ones that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from citescape.communities.clustering import ClusterRun
from citescape.communities.topics import TopicsRun
from citescape.errors import ConfigError
from citescape.kept import find_kept, list_kept
from citescape.maps.drawn import MapRun
from citescape.relatedness.build import NetworkRun, find_network

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

    @property
    def map_is_of_topics(self) -> bool:
        """Whether the map's topics are communities of this clustering."""
        if self.map is None or self.clustering is None:
            return False
        return self.map.clustering == self.clustering.run


def find_sources(runs: Path, named: Named, *, location: str = "") -> ExportSources:
    """Finds the runs of an export.

    Unless named, the clustering is the one that the topics named are of, else the last one of the
    network, else the last of any network; the topics are the last ones of each of its levels; the
    map is the last one of this clustering, else the last one, since papers have places by id.

    Args:
        runs: folder of run directories.
        named: what the user names.
        location: of the store, for messages.

    Raises:
        ConfigError: there is no network, or no such run, or the topics named are of another
            clustering.
    """
    network = find_network(runs, named.network, location=location)
    told = named.topics and named.topics != NONE
    given = find_kept(TopicsRun, runs, named.topics, location=location) if told else None
    wanted = named.clustering or (given.clustering if given else "")
    clustering = _find_clustering(runs, wanted, network, location=location)
    topics = {given.level: given} if given else _find_topics(runs, named.topics, clustering)
    if given and (clustering is None or clustering.run != given.clustering):
        raise ConfigError(
            f"{given.run} describes {given.clustering}, not {wanted}; name that with --clustering, "
            "or other topics"
        )
    drawn = _find_map(runs, named.map, clustering, location=location)
    return ExportSources(network, clustering, topics, drawn)


def _find_clustering(
    runs: Path, named: str, network: NetworkRun, *, location: str
) -> ClusterRun | None:
    if named == NONE:
        return None
    if named:
        return find_kept(ClusterRun, runs, named, location=location)
    made = list_kept(ClusterRun, runs)
    own = [one for one in made if one.network == network.run]
    return next(reversed(own or made), None)


def _find_topics(runs: Path, named: str, clustering: ClusterRun | None) -> dict[str, TopicsRun]:
    """The last ones of each level."""
    if named == NONE or clustering is None:
        return {}
    made = list_kept(TopicsRun, runs)
    return {one.level: one for one in made if one.clustering == clustering.run}


def _find_map(
    runs: Path, named: str, clustering: ClusterRun | None, *, location: str
) -> MapRun | None:
    """The map named, else the last one of the clustering, else the last one."""
    if named == NONE:
        return None
    if named:
        return find_kept(MapRun, runs, named, location=location)
    made = list_kept(MapRun, runs)
    own = [one for one in made if clustering and one.clustering == clustering.run]
    return next(reversed(own or made), None)
