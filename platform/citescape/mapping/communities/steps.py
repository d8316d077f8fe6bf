"""Steps: find communities of papers, describe their topics, evaluate networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.core.errors import ConfigError
from citescape.mapping.communities.config import (
    SYNTHESIS,
    ClusterConfig,
    JudgeConfig,
    TopicsConfig,
)
from citescape.runs.context import Context
from citescape.runs.step import Count, RunName, Setting

if TYPE_CHECKING:
    from citescape.mapping.communities.clustering import ClusterRun
    from citescape.mapping.communities.judge import AccuracyRun
    from citescape.mapping.communities.topics import TopicsRun

_FIELDS = ("subjects", "venue")


@dataclass(frozen=True)
class Cluster(ClusterConfig):
    """Find communities of related papers, and write them to the graph.

    Without a resolution, a number or a size there are three levels, macro, meso and micro: each
    community of one level consists of whole communities of the level below, and their sizes follow
    from the number of papers. Names such as micro-12 are kept from run to run if communities hardly
    change. Papers without edges are singletons, and counted. Sizes are shown as the median over
    communities and as the mean over papers (size of the community of a paper). Requires
    `pip install 'citescape[map]'`.
    """

    examples = """
        platform network build knn             build a network first
        platform cluster                       three levels
        platform cluster --size 50 --seeds 10  mean size 50, consensus of ten seeds
        platform cluster -n 20 -n 40 -n 80     a sweep; --write-level LEVEL writes one level
        platform cluster -n 8 -n 60 --nested   two nested levels
    """
    network: Annotated[
        RunName,
        Setting(flags=("--network",), metavar="RUN|KIND", default="the latest network"),
    ] = ""
    """Network to cluster: a run, or a kind for its latest network."""
    write: bool = True
    """Write the communities to the graph."""
    write_level: Annotated[str, Setting(metavar="LEVEL")] = ""
    """Level to write to the graph, if several resolutions are not nested."""

    def compute(self, context: Context) -> ClusterRun:
        from citescape.mapping.communities.cluster import cluster
        from citescape.mapping.communities.write import find_graph_levels, write_communities
        from citescape.networks.build import find_network
        from citescape.store.state import CLUSTER_RUN, read_meta

        network = find_network(context.runs, str(self.network), location=context.location)
        current = read_meta(context.store, CLUSTER_RUN) or ""
        run = cluster(network, self, runs=context.runs, current=current, progress=context.progress)
        if not self.write or not find_graph_levels(run, self.write_level):
            return run
        written = write_communities(
            context.store, run, level=self.write_level, progress=context.progress
        )
        return replace(run, graph=written)


@dataclass(frozen=True)
class Topics(TopicsConfig):
    """Describe the topics of communities: labels, terms, fields, years, importance.

    Each community gets a label and further terms: noun phrases of titles and abstracts that
    distinguish it from the others (class-based TF-IDF). The table also shows the number of papers,
    mean year, importance of all citations received, main field, and DIV, its interdisciplinarity
    (variety, balance and disparity of fields, 0 to 1). Citations without scores are counted.

    --choose selects the level whose communities agree best with the reference lists of reviews
    (Sjögårde and Ahlgren 2018; adjusted Rand index). It requires reviews that cite papers of the
    network; a network of full texts has few of them, so build one with --papers all.

    Topics of the clustering in the graph are also written to the graph.
    """

    examples = """
        platform topics                        topics of the communities in the graph
        platform topics --show micro-4         one topic: terms, papers, years
        platform topics --choose --save topics.csv
        platform topics --fields venue --level meso
    """
    clustering: Annotated[
        RunName,
        Setting(flags=("--clustering",), default="the one in the graph, else the latest"),
    ] = ""
    """Run of `platform cluster`."""
    choose: bool = False
    """Choose the level that agrees best with the reference lists of reviews."""
    least: Annotated[int, Setting(least=2, expert=True)] = 10
    """Minimum number of clustered papers that a review must cite, with `choose`."""
    review_types: Annotated[tuple[str, ...], Setting(expert=True)] = SYNTHESIS
    """Article type of reviews, with `choose`."""
    labels: Annotated[Sequence[tuple[str, str]], Setting(python=True)] = ()
    """Fields of papers as pairs of identifier and label, instead of `fields`."""
    limit: Count = 40
    """Maximum number of topics, the largest first."""
    show: Annotated[str, Setting(metavar="NAME")] = ""
    """Show one topic in full, by its name or label."""
    write: bool = True
    """Write the topics to the graph."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.choose and self.level:
            raise ConfigError("choose and level both select a level; expected one of them")
        if not self.labels and self.fields not in _FIELDS and not Path(self.fields).is_file():
            raise ConfigError(
                f"fields is {self.fields!r}; expected {', '.join(_FIELDS)} or an existing CSV file"
            )

    def compute(self, context: Context) -> TopicsRun:
        from citescape.mapping.communities.clustering import find_clustering
        from citescape.mapping.communities.resolution import BaselineConfig, choose_level
        from citescape.mapping.communities.topics import describe_topics, find_topic, write_topics
        from citescape.sampling.labels import read_labels

        labels, chosen = self.labels, None
        if not labels and self.fields not in _FIELDS:
            labels = read_labels(Path(self.fields))
        clustering = find_clustering(context.store, context.runs, str(self.clustering))
        if self.choose:
            context.progress("comparing levels with reviews")
            chosen = choose_level(
                context.store, clustering, BaselineConfig(self.review_types, self.least)
            )
        config = TopicsConfig(
            level=chosen.level if chosen else self.level,
            fields="labels" if labels else self.fields,
            top=self.top,
            vectors=self.vectors,
        )
        run = describe_topics(
            context.store,
            clustering,
            config,
            labels=labels,
            runs=context.runs,
            progress=context.progress,
        )
        if self.show:
            find_topic(run, self.show)
        written = write_topics(context.store, run) if self.write else 0
        return replace(run, graph=written, chosen=chosen, limit=self.limit, show=self.show)


@dataclass(frozen=True)
class Accuracy(JudgeConfig):
    """Evaluate networks by the agreement of their communities with a criterion.

    Accuracy is the share of a paper's relatedness, by the criterion, that is in its community, 0 to
    1. It falls as communities get smaller, so networks are compared at equal granularity: relative
    accuracy is the accuracy of a network over the mean of all networks. Two bounds are shown:
    communities of the criterion itself, and of a random network.

    The criterion should be independent of the networks; a note is shown if it may not be. Requires
    `pip install 'citescape[map]'`.
    """

    examples = """
        platform evaluate accuracy      every kind of network, by author keywords
        platform evaluate accuracy knn coupling --criterion mesh
        platform evaluate accuracy RUN=SciBERT RUN=SciNCL --labels fields.csv
    """
    networks: Annotated[
        tuple[RunName, ...],
        Setting(argument=True, metavar="[NETWORK[=NAME]]...", default="the latest of every kind"),
    ] = ()
    """Networks: runs or kinds, each with an optional name to show (RUN=NAME)."""
    criterion: Annotated[
        Literal["mesh", "keywords", "subjects", "venue"] | None, Setting(default="keywords")
    ] = None
    """Criterion: Medical Subject Headings, author keywords, subjects of journals, or journals."""
    labels: Annotated[Path | None, Setting(metavar="FILE")] = None
    """CSV file with the columns `id` and `label` as the criterion; several labels are separated by
    `;`."""
    labelled: Annotated[Sequence[tuple[str, str]], Setting(python=True)] = ()
    """Labels as pairs of identifier and label, instead of a file."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum(map(bool, (self.criterion, self.labels, self.labelled))) > 1:
            raise ConfigError("criterion and labels are two criteria; expected one of them")
        if self.labels and not Path(self.labels).is_file():
            raise ConfigError(f"labels: {self.labels} does not exist; expected a CSV file")

    def compute(self, context: Context) -> AccuracyRun:
        from citescape.mapping.communities.judge import judge
        from citescape.mapping.communities.task import find_networks, read_task
        from citescape.sampling.labels import read_labels

        labels = read_labels(Path(self.labels)) if self.labels else self.labelled or None
        criterion = "labels" if labels else self.criterion or "keywords"
        store = context.store  # a missing store is reported before a missing network
        names = [str(name) for name in self.networks]
        networks = find_networks(context.runs, names, location=context.location)
        task = read_task(store, networks, criterion, labels=labels, progress=context.progress)
        return judge(task, self, runs=context.runs, progress=context.progress)
