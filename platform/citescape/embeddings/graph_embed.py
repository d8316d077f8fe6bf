"""Embeds the citation graph of a store: a vector for each paper, in a run directory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import StoreError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.embeddings.graph_compose import paper_table, write_composed
from citescape.encoders.graph_config import GraphConfig, GraphTask, Workplace
from citescape.encoders.threads import limit_threads
from citescape.networks.citations import read_citations
from citescape.runs.directory import RunDirectory, Stopwatch, default_runs
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table, plural
from citescape.search.vectors import Vectors, read_vectors
from citescape.store.graph_store import GraphStore

COMMAND = "graph-embed"
_OWN = ("weight", "vectors", "holdout")
"""Settings in addition to those of the embedding."""


@dataclass(frozen=True)
class GraphEmbedConfig(GraphTask):
    """Citations to embed, settings of the embedding, and form of the vectors."""

    graph: GraphConfig = field(default_factory=GraphConfig)

    def __post_init__(self) -> None:
        self.check_task(self.graph)


@dataclass(frozen=True)
class EmbeddedGraph(KeptRun):
    """Vectors of a citation graph (vectors.npy, papers.parquet), and how well they predict it."""

    command: ClassVar[str] = COMMAND
    noun: ClassVar[str] = "graph embeddings"

    @property
    def config(self) -> GraphEmbedConfig:
        """Settings of the run."""
        graph = dict(self.record.config)
        own = {name: graph.pop(name) for name in _OWN}
        return GraphEmbedConfig(**own, graph=GraphConfig(**graph))

    @property
    def figures(self) -> Sequence[Mapping[str, Any]]:
        """A row for each protocol and side of link prediction; empty without held-out citations."""
        rows: Sequence[Mapping[str, Any]] = self.counts["link_prediction"]
        return rows

    @property
    def vectors(self) -> Vectors:
        """Memory-mapped, with `cites` and `cited` of each paper."""
        return read_vectors(self.path)

    @property
    def arrow(self) -> pa.Table:
        """Link prediction: a row for each protocol and side."""
        return pa.Table.from_pylist([dict(row) for row in self.figures])

    def summarise(self) -> Summary:
        """Size of the graph, training loss, and link prediction."""
        counts, record, weight = self.counts, self.record, self.config.weight
        losses, epochs = counts["losses"], self.config.graph.epochs
        parts: list[Part] = []
        if counts["excluded"]:
            left_out = plural(counts["excluded"], "excluded paper")
            parts.append(f"{left_out} left out of the graph")
        parts += [
            f"{plural(counts['papers'], 'paper')} ({counts['citing']:,} cite, {counts['cited']:,} "
            f"are cited), {plural(counts['citations'], 'citation')}; loss {losses[0]:.3f} in "
            f"the first epoch, {losses[-1]:.3f} in the last ({epochs}); "
            f"{counts['citations_per_second']:,.0f} citations a second on {counts['device']}, peak "
            f"memory {record.peak_memory_mb:,} MB",
            "",
        ]
        if self.figures:
            names = ("protocol", "side", "candidates", "mrr", "hits_at_1", "hits_at_10", "auc")
            header = ("protocol", "predicted", "candidates", "MRR", "Hits@1", "Hits@10", "AUC")
            parts += [
                f"{plural(counts['held_out'], 'citation')} held out and predicted among candidates "
                "(filtered: without other known citations):",
                Table(header, [[row[name] for name in names] for row in self.figures]),
            ]
        elif self.config.holdout:
            parts.append("no link prediction: no citation whose papers both have other citations")
        else:
            parts.append("no link prediction: holdout is 0")
        parts += ["", f"{'unchanged' if self.unchanged else 'stored'} in {self.path}"]
        figures = {
            "run": self.run,
            "path": str(self.path),
            "unchanged": self.unchanged,
            **counts,
            "seconds": record.seconds,
            "peak_memory_mb": record.peak_memory_mb,
        }
        whole = weight in ("none", "importance")
        neighbourhood = f"sample neighbourhood --embeddings {self.run}"
        facet = f"sample facet --embeddings {weight}={self.run}"
        return Summary(parts, figures, [("next", neighbourhood if whole else facet)])


def embed_graph(
    store: GraphStore,
    config: GraphEmbedConfig | None = None,
    *,
    exclude: Collection[str] = (),
    place: Workplace | None = None,
    runs: Path | None = None,
    progress: Progress = silent,
) -> EmbeddedGraph:
    """Embeds the citation graph of a store, and stores the vectors as a run.

    An existing run with the same citations and settings is returned. A killed run continues from
    its last checkpoint, which is in a hidden folder beside the runs, and ends with the same vectors
    as an uninterrupted one.

    Args:
        store: the graph; it is only read.
        config: weight of citations, form of vectors, settings of the embedding.
        exclude: ids of papers to remove from the graph, for example those of a benchmark.
        place: device and interval of checkpoints; its folder is set here.
        runs: folder of run directories; by default `runs` beside the store.
        progress: called with the state of the work.

    Raises:
        ConfigError: torch is missing, or invalid settings.
        StoreError: no citations are left, or their weights are missing.
    """
    require("torch")
    from citescape.encoders.device import choose_device
    from citescape.encoders.graph import fit
    from citescape.encoders.graph_edges import make_edges
    from citescape.encoders.link_prediction import evaluate, hold_out

    clock, config, place = Stopwatch(), config or GraphEmbedConfig(), place or Workplace()
    graph = config.graph
    choose_device(place.device)  # fails before the citations are read
    progress("reading citations")
    with clock.timed("read"):
        citations = read_citations(store, weight=config.weight)
        left_out = pc.is_in(citations.ids, value_set=pa.array(sorted(exclude), pa.string()))
        excluded = pc.sum(left_out).as_py() or 0
        citations = citations.without(exclude)
        citations = citations.where(
            citations.weights > 0
        )  # citations without a mention have importance 0
    if not len(citations):
        raise StoreError(
            f"no citation of {store.location} is left to learn from: weight {config.weight}, "
            f"{excluded} papers excluded; expected citations between papers that are not excluded"
        )

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        ends = (citations.citing, citations.cited)
        edges = make_edges(*ends, citations.weights, nodes=len(citations.ids))
        split = hold_out(edges, share=config.holdout, seed=graph.seed, undirected=graph.undirected)
        placed = replace(place, folder=directory.unfinished)
        with clock.timed("train"):
            fitted = fit(split.train, graph, place=placed, progress=progress)
        progress("predicting held-out citations")
        tables = (fitted.sources, fitted.targets)
        with clock.timed("evaluate"), limit_threads(graph.threads):
            figures = evaluate(tables, split, comparator=graph.comparator, seed=graph.seed)
        progress("writing vectors")
        papers = paper_table(citations)
        with clock.timed("write"):
            write_composed(directory.path, papers, tables, way=config.vectors, graph=graph)
        both = 2 if graph.undirected else 1
        learned = (len(citations) - len(split.held)) * both * len(fitted.losses)
        return {
            "papers": papers.num_rows,
            "citing": pc.sum(pc.greater(papers["cites"], 0)).as_py(),
            "cited": pc.sum(pc.greater(papers["cited"], 0)).as_py(),
            "citations": len(citations),
            "held_out": len(split.held),
            "could_be_held_out": split.eligible,
            "excluded": excluded,
            "losses": list(fitted.losses),
            "steps_here": fitted.steps,
            "device": fitted.device,
            "tables_on_disk": fitted.mapped,
            "link_prediction": figures,
            "citations_per_second": round(learned * fitted.share / max(fitted.seconds, 1e-9), 1),
        }

    return compute_run(
        EmbeddedGraph,
        runs or default_runs(store.location),
        {**{name: getattr(config, name) for name in _OWN}, **graph.settings()},
        {"citations": citations.fingerprint(), "excluded": excluded},
        fill=fill,
        seed=graph.seed,
        libraries=("numpy", "torch"),
        clock=clock,
    )
