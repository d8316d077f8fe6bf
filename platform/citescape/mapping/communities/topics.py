"""From communities of papers to topics: what they are about, in a run directory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.near import find_near
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.config import TopicsConfig
from citescape.mapping.communities.fields import Fields, read_fields
from citescape.mapping.communities.topic_papers import TopicPapers, read_topic_papers
from citescape.mapping.communities.topic_table import build_topic_table, flatten_topics
from citescape.mapping.communities.topic_vectors import (
    average_vectors,
    find_topic_vectors,
)
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
    check_writable,
    default_runs,
)
from citescape.runs.kept import KeptRun, compute_run
from citescape.search.stored import RunVectors
from citescape.search.terms import ANALYSER
from citescape.search.vectors import VECTORS, Vectors, read_vectors, write_vectors
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    from citescape.mapping.communities.resolution import Chosen
    from citescape.runs.result import Summary

COMMAND = "topics"
TOPICS = "topics.parquet"
_LIBRARIES = ("citescape", "numpy", "scipy", "pyarrow")


@dataclass(frozen=True, repr=False)
class TopicsRun(KeptRun):
    """Topics in their run directory.

    topics.parquet; vectors.npy and papers.parquet (id: the topic's name) where papers have vectors.
    Its counts are of topics, of papers, and of papers without something; `weight` among them says
    what stands under importance: `importance` received, or `citations`.
    """

    command = COMMAND
    what = "topics"
    required = ("inputs.clustering", "config.level")
    graph: int = 0
    """Communities that were described in the graph."""
    chosen: Chosen | None = None
    """Agreement of each level with reviews, where the level was chosen by it."""
    limit: int = 40
    """Topics that a summary shows."""
    show: str = ""
    """Name or label of the topic that a summary shows in full."""

    @property
    def clustering(self) -> str:
        """Run of the communities."""
        return str(self.record.inputs["clustering"])

    @property
    def level(self) -> str:
        """Of the clustering."""
        return str(self.record.config["level"])

    def read(self) -> pa.Table:
        """A row a topic, the largest first; see `topic_table.SCHEMA`.

        Raises:
            SourceError: the file is damaged.
        """
        return self.read_table(TOPICS)

    def summarise(self) -> Summary:
        """Topics, the largest first; or everything about one."""
        from citescape.mapping.communities.topic_summary import summarise_topics

        return summarise_topics(self)

    @property
    def arrow(self) -> pa.Table:
        """A row a topic, with texts in place of lists; see `topic_table.flatten_topics`."""
        return flatten_topics(self.read())

    def vectors(self) -> Vectors | None:
        """A vector a topic, by name; None where no paper has one."""
        return read_vectors(self.path) if (self.path / VECTORS).is_file() else None


def find_topic(made: TopicsRun, named: str) -> dict[str, Any]:
    """A topic by its name or label, in any case.

    Raises:
        ConfigError: there is none; the message names some.
    """
    rows: list[dict[str, Any]] = made.read().to_pylist()
    known: dict[str, dict[str, Any]] = {}
    for row in rows:
        known.setdefault(row["name"].casefold(), row)
        known.setdefault((row["label"] or "").casefold(), row)
    if named.casefold() in known:
        return known[named.casefold()]
    near = [known[name] for name in find_near(named, known, most=3)] or rows[:3]
    names = ", ".join(f"{row['name']} ({row['label']})" for row in near) or "none"
    raise ConfigError(f"no topic is named {named!r} in {made.run}; there are: {names}")


def describe_topics(
    store: GraphStore,
    clustering: ClusterRun,
    config: TopicsConfig | None = None,
    *,
    labels: Sequence[tuple[str, str]] = (),
    runs: Path | None = None,
    progress: Progress = silent,
) -> TopicsRun:
    """Describes the communities of one level and keeps that in `runs/topics-<hash>`.

    Papers of the core count. The same communities, texts and citations give the same run; it is
    not made twice.

    Args:
        store: the graph; only read.
        clustering: a run of `cluster`.
        config: which level, by which fields.
        labels: for fields by `labels`: identifier and field; several with `;` between.
        runs: folder of run directories; by default `runs` beside the store.
        progress: told the name of each stage as it begins.

    Raises:
        ConfigError: no such level, fields or vectors; nothing can be written to `runs`.
    """
    config, clock = config or TopicsConfig(), Stopwatch()
    runs = runs or default_runs(store.location)
    check_writable(runs)
    config = replace(config, level=clustering.level(config.level))
    members = clustering.read(config.level).of_core()
    with clock.timed("read"):
        progress("reading papers and citations")
        papers = read_topic_papers(store, members.ids)
        fields = read_fields(store, config.fields, papers.works, ids=papers.ids, labels=labels)
        vectors = find_topic_vectors(store, clustering, runs, named=str(config.vectors))

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        progress(f"describing {len(members):,} communities")
        communities = clustering.communities(config.level)
        with clock.timed("describe"):
            table = build_topic_table(
                papers, members.labels, communities, fields=fields, top=config.top
            )
        directory.write_parquet(TOPICS, [table])
        averaged = _keep_vectors(directory, vectors, papers, labels=members.labels, table=table)
        return {**_counts(papers, fields, table), "with_vector": averaged}

    settings = {"level": config.level, "fields": config.fields, "top": config.top}
    inputs = {
        "clustering": clustering.run,
        "papers": papers.fingerprint(),
        "citations": papers.citations.fingerprint(),
        "weight": papers.weight,
        "fields": fields.fingerprint(),
        "vectors": vectors.run if vectors else "",
        "analyser": ANALYSER,
    }
    return compute_run(
        TopicsRun, runs, settings, inputs, fill=fill, libraries=_LIBRARIES, clock=clock
    )


def _counts(papers: TopicPapers, fields: Fields, table: pa.Table) -> dict[str, Any]:
    wordless = sum(not (one.title or one.abstract) for one in papers.documents)
    return {
        "topics": len(table),
        "papers": len(papers.ids),
        "without_label": table["label"].null_count,
        "without_text": wordless,
        "without_year": int((papers.years != papers.years).sum()),
        "without_field": fields.without,
        "fields": len(fields.names),
        "labels_without_paper": fields.unknown,
        "weight": papers.weight,
    }


def _keep_vectors(
    directory: RunDirectory,
    vectors: RunVectors | None,
    papers: TopicPapers,
    *,
    labels: Any,
    table: pa.Table,
) -> int:
    """Writes topic vectors where there are any; returns of how many topics."""
    if vectors is None:
        return 0
    names = table["name"].to_pylist()
    averaged = average_vectors(vectors.vectors, papers.ids, labels, names=names)
    if len(averaged):
        write_vectors(directory.path, averaged)
    return len(averaged)
