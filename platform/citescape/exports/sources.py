"""Which runs an export is made of: those named, else the last ones that belong together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from citescape.communities.clustering import COMMAND as CLUSTER
from citescape.communities.clustering import ClusterRun, find_clustering
from citescape.communities.topics import COMMAND as TOPICS
from citescape.communities.topics import TopicsRun, find_topics
from citescape.errors import ConfigError, SourceError
from citescape.relatedness.build import NetworkRun, find_network
from citescape.runs import RunRecord, describe_run, find_run, list_runs, read_command, read_run

NONE = "none"
"""In place of a run: leave it out."""
MAP = "map"
PAPER_PLACES, TOPIC_PLACES = "papers.parquet", "topics.parquet"


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
    map: Path | None = None
    """papers.parquet: id, x, y; topics.parquet: name, x, y."""

    @property
    def runs(self) -> dict[str, str]:
        """Run ids by what they are."""
        found = {"network": self.network.run}
        if self.clustering:
            found["clustering"] = self.clustering.run
        if self.topics:
            found["topics"] = " ".join(one.run for one in self.topics.values())
        return found | ({"map": self.map.name} if self.map else {})

    @property
    def map_is_of_topics(self) -> bool:
        """Whether the map's topics are communities of this clustering."""
        own = {one.run for one in self.topics.values()}
        own |= {self.clustering.run} if self.clustering else set()
        return self.map is not None and _mentions(read_run(self.map), own)


def find_sources(runs: Path, named: Named, *, location: str = "") -> ExportSources:
    """Finds the runs of an export.

    Unless named, the clustering is the one that the topics named are of, else the last one of the
    network, else the last of any network; the topics are the last ones of each of its levels; the
    map is the last one made with any of these, else the last one, since papers have places by id.

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
    given = find_topics(runs, named.topics, location=location) if told else None
    wanted = named.clustering or (given.clustering if given else "")
    clustering = _find_clustering(runs, wanted, network, location=location)
    topics = {given.level: given} if given else _find_topics(runs, named.topics, clustering)
    if given and (clustering is None or clustering.run != given.clustering):
        raise ConfigError(
            f"{given.run} describes {given.clustering}, not {wanted}; name that with --clustering, "
            "or other topics"
        )
    own = {network.run, *(one.run for one in topics.values())}
    own |= {clustering.run} if clustering else set()
    return ExportSources(network, clustering, topics, _find_map(runs, named.map, own))


def read_columns(folder: Path, file: str, *names: str) -> pa.Table:
    """A file of a run, of which some columns are needed.

    Raises:
        SourceError: it is missing, damaged, or lacks a column.
    """
    try:
        table = pq.read_table(folder / file)
        table.select(list(names))
    except (OSError, KeyError, pa.ArrowException) as error:
        raise SourceError(
            str(folder / file),
            "not-a-result",
            f"expected a table with {', '.join(names)}; found: {error}; move the folder away and "
            "make it anew",
        ) from error
    return table


def _find_clustering(
    runs: Path, named: str, network: NetworkRun, *, location: str
) -> ClusterRun | None:
    if named == NONE:
        return None
    if named:
        return find_clustering(runs, named, location=location)
    made = [ClusterRun(path, record) for record, path in list_runs(runs, CLUSTER)]
    own = [one for one in made if one.network == network.run]
    return next(reversed(own or made), None)


def _find_topics(runs: Path, named: str, clustering: ClusterRun | None) -> dict[str, TopicsRun]:
    """The last ones of each level."""
    if named == NONE or clustering is None:
        return {}
    made = [TopicsRun(path, record) for record, path in list_runs(runs, TOPICS)]
    return {one.level: one for one in made if one.clustering == clustering.run}


def _find_map(runs: Path, named: str, related: Collection[str]) -> Path | None:
    """The run named, else the last one made with one of `related`, else the last one."""
    made = list_runs(runs, MAP)
    if named == NONE or not (named or made):
        return None
    if not named:
        own = [path for record, path in made if _mentions(record, related)]
        return own[-1] if own else made[-1][1]
    path = find_run(runs, named) or Path(named)
    if read_command(path) == MAP:
        return path
    there = ", ".join(record.id for record, _ in made) or "none"
    raise ConfigError(f"{describe_run(runs, named)}; expected a run of `platform map`: {there}")


def _mentions(record: RunRecord, runs: Collection[str]) -> bool:
    return any(value in runs for value in record.inputs.values() if isinstance(value, str))
