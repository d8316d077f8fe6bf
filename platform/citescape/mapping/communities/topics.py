"""Topics: descriptions of communities, stored as a run and written to the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.core.near import find_near
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.config import TopicsConfig
from citescape.mapping.communities.fields import read_fields
from citescape.mapping.communities.topic_papers import IMPORTANCE, read_topic_papers
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
    record_run,
)
from citescape.runs.kept import KeptRun, compute_run
from citescape.search.terms import ANALYSER
from citescape.search.vectors import VECTORS, Vectors, read_vectors, write_vectors
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.state import CLUSTER_RUN, read_meta

if TYPE_CHECKING:
    from citescape.mapping.communities.resolution import LevelChoice
    from citescape.runs.result import Summary

COMMAND = "topics"
_LABELS = 2
"""Revision of labels: increased if equal papers get other labels."""
TOPICS = "topics.parquet"
_LIBRARIES = ("citescape", "numpy", "scipy", "pyarrow")
_SLICE = 5_000
"""Communities per transaction."""


@dataclass(frozen=True)
class TopicsRun(KeptRun):
    """Topics in a run directory.

    topics.parquet; vectors.npy and papers.parquet (id: the topic's name) if papers have vectors.
    Counts: topics, papers, and papers with missing values; `weight` is the meaning of the column
    importance: `importance` received, or `citations`.
    """

    command = COMMAND
    noun = "topics"
    required = ("inputs.clustering", "config.level")
    graph: int = 0
    """Number of communities described in the graph."""
    chosen: LevelChoice | None = None
    """Agreement of each level with reviews, if it was used to choose the level."""
    limit: int = 40
    """Number of topics in a summary."""
    show: str = ""
    """Name or label of the topic to show in full in a summary."""

    @property
    def clustering(self) -> str:
        """Run of the communities."""
        return str(self.record.inputs["clustering"])

    @property
    def level(self) -> str:
        """Level of the clustering."""
        return str(self.record.config["level"])

    def read(self) -> pa.Table:
        """One row per topic, the largest first; see `topic_table.SCHEMA`.

        Raises:
            SourceError: the file is damaged.
        """
        return self.read_table(TOPICS)

    def summarise(self) -> Summary:
        """Topics, the largest first; or one topic in full."""
        from citescape.mapping.communities.topic_summary import summarise_topics

        return summarise_topics(self)

    @property
    def arrow(self) -> pa.Table:
        """One row per topic, with text instead of lists; see `topic_table.flatten_topics`."""
        return flatten_topics(self.read())

    def vectors(self) -> Vectors | None:
        """Topic vectors by name; None if no paper has a vector."""
        return read_vectors(self.path) if (self.path / VECTORS).is_file() else None


def find_topic(run: TopicsRun, text: str) -> dict[str, Any]:
    """Finds a topic by its name or label, ignoring case.

    Raises:
        ConfigError: not found; the message lists similar topics.
    """
    rows: list[dict[str, Any]] = run.read().to_pylist()
    known: dict[str, dict[str, Any]] = {}
    for row in rows:
        known.setdefault(row["name"].casefold(), row)
        known.setdefault((row["label"] or "").casefold(), row)
    if text.casefold() in known:
        return known[text.casefold()]
    near = [known[name] for name in find_near(text, known, most=3)] or rows[:3]
    names = ", ".join(f"{row['name']} ({row['label']})" for row in near) or "none"
    raise ConfigError(
        f"no topic is named {text!r} in {run.run}; expected a name or label such as {names}"
    )


def describe_topics(
    store: GraphStore,
    clustering: ClusterRun,
    config: TopicsConfig | None = None,
    *,
    labels: Sequence[tuple[str, str]] = (),
    runs: Path | None = None,
    progress: Progress = silent,
) -> TopicsRun:
    """Describes the communities of one level and stores them as a run, `runs/topics-<hash>`.

    Only papers of the core count. The same communities, texts and citations give the same run,
    which is computed once.

    Args:
        store: store to read.
        clustering: run of `cluster`.
        config: settings.
        labels: identifier and field, for the kind `labels`; several fields are separated by `;`.
        runs: folder of runs; by default `runs` beside the store.
        progress: receives the current stage.

    Raises:
        ConfigError: no such level, fields or vectors; `runs` is not writable.
    """
    config, clock = config or TopicsConfig(), Stopwatch()
    runs = runs or default_runs(store.location)
    check_writable(runs)
    config = replace(config, level=clustering.topic_level(config.level))
    members = clustering.read(config.level).restrict_to_core()
    with clock.timed("read"):
        progress("reading papers and citations")
        papers = read_topic_papers(store, members.ids)
        fields = read_fields(store, config.fields, papers.works, ids=papers.ids, labels=labels)
        vectors = find_topic_vectors(store, clustering, runs, name=str(config.vectors))

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        progress(f"describing {len(members):,} communities")
        communities = clustering.communities(config.level)
        with clock.timed("describe"):
            table = build_topic_table(
                papers, members.labels, communities, fields=fields, top=config.top
            )
        directory.write_parquet(TOPICS, [table])
        with_vector = 0
        if vectors:
            names = table["name"].to_pylist()
            averaged = average_vectors(vectors.vectors, papers.ids, members.labels, names=names)
            with_vector = len(averaged)
            if with_vector:
                write_vectors(directory.path, averaged)
        return {
            "topics": len(table),
            "papers": len(papers.ids),
            "without_label": table["label"].null_count,
            "without_text": sum(not (d.title or d.abstract) for d in papers.documents),
            "without_year": int(np.isnan(papers.years).sum()),
            "without_field": fields.without,
            "fields": len(fields.names),
            "labels_without_paper": fields.unknown,
            "weight": papers.weight,
            "with_vector": with_vector,
        }

    settings = {"level": config.level, "fields": config.fields, "top": config.top}
    inputs = {
        "clustering": clustering.run,
        "papers": papers.fingerprint(),
        "citations": papers.citations.fingerprint(),
        "weight": papers.weight,
        "fields": fields.fingerprint(),
        "vectors": vectors.run if vectors else "",
        "analyser": ANALYSER,
        "labels": _LABELS,
    }
    return compute_run(
        TopicsRun, runs, settings, inputs, fill=fill, libraries=_LIBRARIES, clock=clock
    )


def is_in_graph(store: GraphStore, topics: TopicsRun) -> bool:
    """Whether the topics describe the communities in the graph."""
    return read_meta(store, CLUSTER_RUN) == topics.clustering


def write_topics(store: GraphStore, topics: TopicsRun) -> int:
    """Writes topics to their communities in the graph; safe to repeat.

    Topics of a clustering that is not in the graph are not written.

    Returns:
        Number of described communities.

    Writes to the graph: Community {label, terms, field, diversity, mean_year, importance} of one
    level; a Run node. Importance is null if citations were counted instead.
    """
    if not is_in_graph(store, topics):
        return 0
    table = topics.read()
    terms = [[item["term"] for item in items] for items in table["terms"].to_pylist()]
    scored = topics.counts["weight"] == IMPORTANCE
    columns = {
        **{name: table[name] for name in ("label", "field", "diversity", "mean_year")},
        "terms": pa.array(terms, pa.list_(pa.string())),
        "importance": table["importance"] if scored else pa.nulls(len(table), pa.float64()),
    }
    names = table["name"].combine_chunks()
    present = store.read(query("communities/level"), run=topics.clustering, level=topics.level)
    present = present.filter(pc.is_in(present["name"], value_set=names))
    described = pa.table(columns).take(pc.index_in(present["name"], value_set=names))
    rows = described.add_column(0, "id", present["id"]).combine_chunks()
    for start in range(0, len(rows), _SLICE):
        store.apply([Change("update", "Community", rows.slice(start, _SLICE))])
    record_run(store, topics.record)
    return int(rows.num_rows)
