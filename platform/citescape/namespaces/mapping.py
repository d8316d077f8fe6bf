"""Science mapping, in Python: `corpus.map` builds networks, finds communities, draws maps.

From the graph to a map of its topics:

    science = citescape.open("corpus.lbug").map
    network = science.network("knn")
    communities = science.cluster(network)
    topics = science.topics(communities)
    science.draw(topics)

Each step is kept as a run and found again when it is asked for with the same settings. Where a run
is to be named, its id will do, or what the step that made it returned; a network also goes by its
kind, of which the last built is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.progress import Progress, silent
from citescape.namespaces.learning import Run, name_run
from citescape.runs.directory import default_runs
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.mapping.communities.clustering import ClusterRun
    from citescape.mapping.communities.config import ClusterConfig, TopicsConfig
    from citescape.mapping.communities.judge import AccuracyRun
    from citescape.mapping.communities.resolution import BaselineConfig, Chosen
    from citescape.mapping.communities.task import JudgeConfig
    from citescape.mapping.communities.topics import TopicsRun
    from citescape.mapping.exports.export import ExportConfig, Exported
    from citescape.mapping.maps.config import MapConfig
    from citescape.mapping.maps.drawn import MapRun
    from citescape.networks.build import NetworkRun
    from citescape.networks.config import NetworkConfig
    from citescape.networks.nearest_table import NearestTable


class Mapping:
    """Networks, communities, topics and maps of one store. `runs` is where results are kept."""

    def __init__(self, store: GraphStore, runs: Path | None = None) -> None:
        self.store = store
        self.runs = runs or default_runs(store.location)

    def network(
        self,
        config: NetworkConfig | str = "knn",
        *,
        to_graph: bool = False,
        progress: Progress = silent,
    ) -> NetworkRun:
        """Builds a network of papers, as `platform network build` does.

        Args:
            config: which network, or its kind.
            to_graph: also write its edges to the graph, in place of those of another.
            progress: told what is being done.

        Writes to the graph, if asked to: RELATED, a Run node.
        """
        from citescape.networks.build import build
        from citescape.networks.config import NetworkConfig
        from citescape.networks.write import write_network_edges

        given = NetworkConfig(config) if isinstance(config, str) else config  # type: ignore[arg-type]
        made = build(self.store, given, runs=self.runs, progress=progress)
        if to_graph:
            write_network_edges(self.store, made, progress=progress)
        return made

    def remove_network(self, *, progress: Progress = silent) -> int:
        """Takes the edges of the network in the graph out of it, as `platform network remove` does.

        Networks in run directories stay.

        Args:
            progress: told what is being done.

        Returns:
            How many edges there were.

        Writes to the graph: RELATED.
        """
        from citescape.networks.write import remove_network_edges

        return remove_network_edges(self.store, progress=progress)

    def report(self, *networks: Run, pairs: int = 10_000, seed: int = 0) -> pa.Table:
        """The structure of networks beside random ones of their density: a row each.

        Args:
            networks: the last built if none is named.
            pairs: of papers between which paths are measured.
            seed: of these, and of the random networks.
        """
        from citescape.networks.report import describe_network, report_table

        found = self._networks(networks or ("",))
        return report_table(
            {
                name: describe_network(one.read(), pairs=pairs, seed=seed)
                for name, one in found.items()
            }
        )

    def overlap(self, *networks: Run) -> pa.Table:
        """The edges that every two networks share, and those they would share by chance."""
        from citescape.networks.overlap import overlap_table

        found = self._networks(networks)
        return overlap_table({name: one.read() for name, one in found.items()})

    def nearest(self, paper: str, *, network: Run = "", k: int = 10) -> NearestTable:
        """The papers nearest to one in a network, and which of them it cites."""
        from citescape.networks.nearest_table import find_nearest

        return find_nearest(self.store, paper, self._network(network), k=k)

    def cluster(
        self,
        network: Run = "",
        config: ClusterConfig | None = None,
        *,
        to_graph: bool | str = True,
        progress: Progress = silent,
    ) -> ClusterRun:
        """Finds communities of related papers, as `platform cluster` does.

        Args:
            network: the last built if none is named.
            config: which communities; three levels if nothing is said.
            to_graph: whether to write them to the graph; of several levels that are no hierarchy
                one by its name, none without.
            progress: told what is being done.

        Writes to the graph: Community, IN_COMMUNITY, PART_OF, a Run node.
        """
        from citescape.mapping.communities.cluster import cluster
        from citescape.mapping.communities.write import (
            find_graph_levels,
            write_communities,
        )
        from citescape.store.state import CLUSTER_RUN, read_meta

        current = read_meta(self.store, CLUSTER_RUN) or ""
        made = cluster(
            self._network(network), config, runs=self.runs, current=current, progress=progress
        )
        level = to_graph if isinstance(to_graph, str) else ""
        if to_graph and find_graph_levels(made, level):
            write_communities(self.store, made, level=level, progress=progress)
        return made

    def accuracy(
        self,
        *networks: Run,
        criterion: str = "keywords",
        labels: Sequence[tuple[str, str]] | None = None,
        config: JudgeConfig | None = None,
        progress: Progress = silent,
    ) -> AccuracyRun:
        """Judges networks by how well their communities agree with a criterion.

        Args:
            networks: the last of every kind if none is named.
            criterion: `keywords`, `mesh`, `subjects`, `venue` or `labels`.
            labels: for `labels`: identifier of a paper and a label of it.
            config: resolutions, seeds, range.
            progress: told what is being done.
        """
        from citescape.mapping.communities.compared import find_networks
        from citescape.mapping.communities.judge import judge
        from citescape.mapping.communities.task import read_task

        named = [name_run(one) for one in networks]
        found = find_networks(self.runs, named, location=self.store.location)
        chosen = "labels" if labels is not None else criterion
        task = read_task(self.store, found, chosen, labels=labels, progress=progress)
        return judge(task, config, runs=self.runs, progress=progress)

    def choose_level(self, clustering: Run = "", config: BaselineConfig | None = None) -> Chosen:
        """The level of a clustering that agrees best with the reference lists of reviews."""
        from citescape.mapping.communities.resolution import choose_level

        return choose_level(self.store, self._clustering(clustering), config)

    def topics(
        self,
        clustering: Run = "",
        config: TopicsConfig | None = None,
        *,
        labels: Sequence[tuple[str, str]] = (),
        to_graph: bool = True,
        progress: Progress = silent,
    ) -> TopicsRun:
        """Says what communities are about, as `platform topics` does.

        Args:
            clustering: the one in the graph, else the last made, if none is named.
            config: which level, which fields, how many terms and papers.
            labels: identifier and field of papers, where fields are `labels`.
            to_graph: whether to write them to the graph, if it holds the clustering.
            progress: told what is being done.

        Writes to the graph: Community.label, terms, field, diversity, mean_year, importance.
        """
        from citescape.mapping.communities.topic_write import write_topics
        from citescape.mapping.communities.topics import describe_topics

        found = self._clustering(clustering)
        made = describe_topics(
            self.store, found, config, labels=labels, runs=self.runs, progress=progress
        )
        if to_graph:
            write_topics(self.store, made)
        return made

    def draw(
        self,
        topics: Run = "",
        config: MapConfig | None = None,
        *,
        to_graph: bool = True,
        progress: Progress = silent,
    ) -> MapRun:
        """Draws maps of topics and papers, as `platform map` does.

        Args:
            topics: whose labels; the last ones if none are named.
            config: which communities and vectors, how they are laid out and drawn.
            to_graph: whether to write places to the graph, if it holds the communities.
            progress: told what is being done.

        Writes to the graph: Community.x and y, IN_COMMUNITY.x and y.
        """
        from citescape.mapping.maps.build import build_map
        from citescape.mapping.maps.config import MapConfig
        from citescape.mapping.maps.write import is_in_graph, write_map

        config = config or MapConfig()
        config = replace(config, topics=name_run(topics) or config.topics)
        made = build_map(self.store, config, runs=self.runs, progress=progress)
        if to_graph and is_in_graph(self.store, made):
            write_map(self.store, made, progress=progress)
        return made

    def export(
        self,
        form: str,
        out: str | Path,
        *,
        config: ExportConfig | None = None,
        network: Run = "",
        clustering: Run = "",
        topics: Run = "",
        map: Run = "",  # noqa: A002 - the option of `platform export` has this name
        force: bool = False,
        progress: Progress = silent,
    ) -> Exported:
        """Writes a network with all that is known of its papers as a file for other tools.

        Args:
            form: a key of `exports.formats.FORMATS`: `vosviewer`, `gexf`, `graphml`, ...
            out: the file, or what the names of several begin with.
            config: papers or topics, and which of them.
            network: the last that fits if none is named, here as below.
            clustering: whose communities are an attribute.
            topics: whose labels are.
            map: whose places are.
            force: replace files that are there.
            progress: told what is being done.
        """
        from citescape.mapping.exports.export import export
        from citescape.mapping.exports.sources import Named

        named = Named(*(name_run(one) for one in (network, clustering, topics, map)))
        return export(
            self.store,
            form,
            Path(out),
            config=config,
            named=named,
            runs=self.runs,
            force=force,
            progress=progress,
        )

    def _networks(self, named: Sequence[Run]) -> dict[str, NetworkRun]:
        from citescape.mapping.communities.compared import find_networks

        if list(named) == [""]:
            one = self._network("")
            return {one.kind: one}
        names = [name_run(one) for one in named]
        return find_networks(self.runs, names, location=self.store.location)

    def _network(self, named: Run) -> NetworkRun:
        from citescape.networks.build import find_network

        return find_network(self.runs, name_run(named), location=self.store.location)

    def _clustering(self, named: Run) -> ClusterRun:
        from citescape.mapping.communities.current import find_clustering

        return find_clustering(self.store, self.runs, name_run(named))
