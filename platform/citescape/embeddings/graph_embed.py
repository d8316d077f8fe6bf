"""From the citations of a store to a vector for each paper, in a run directory."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import StoreError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.embeddings.graph_compose import paper_table, write_composed
from citescape.encoders.graph_config import GraphConfig, GraphTask, Workplace
from citescape.encoders.threads import limit_threads
from citescape.networks.citations import Citations, read_citations
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    check_writable,
    default_runs,
    find_finished,
    library_versions,
    open_run,
    read_run,
    run_id,
    unfinished_folder,
)
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.search.vectors import Vectors, read_vectors
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    from citescape.encoders.graph import GraphEmbedding
    from citescape.encoders.link_prediction import Split

COMMAND = "graph-embed"


@dataclass(frozen=True)
class GraphEmbedConfig(GraphTask):
    """What of the graph is embedded, how, and what becomes of it."""

    graph: GraphConfig = field(default_factory=GraphConfig)

    def __post_init__(self) -> None:
        self.check_task(self.graph)


@dataclass(frozen=True)
class EmbeddedGraph(Result):
    """What was embedded, and how well it predicts citations."""

    run: str
    path: Path
    """The run directory: vectors.npy, papers.parquet, run.json."""
    config: GraphEmbedConfig
    counts: Mapping[str, Any]
    """papers, citing, cited, citations, held_out, could_be_held_out, excluded."""
    figures: Sequence[Mapping[str, Any]]
    """A row for each protocol and side of link prediction; none if nothing was held out."""
    losses: tuple[float, ...]
    """Mean of each epoch."""
    citations_per_second: float
    seconds: float
    peak_memory_mb: int
    unchanged: bool
    """The run was there already."""

    @property
    def vectors(self) -> Vectors:
        """Memory-mapped, with `cites` and `cited` of each paper."""
        return read_vectors(self.path)

    @property
    def arrow(self) -> pa.Table:
        """Link prediction: a row for each protocol and side."""
        return pa.Table.from_pylist([dict(row) for row in self.figures])

    def summarise(self) -> Summary:
        """What was embedded, and how well the vectors predict citations."""
        counts, epochs, weight = self.counts, self.config.graph.epochs, self.config.weight
        parts: list[Part] = []
        if counts["excluded"]:
            left_out = plural(counts["excluded"], "excluded paper")
            parts.append(f"{left_out} left out of the graph")
        parts += [
            f"{plural(counts['papers'], 'paper')} ({counts['citing']:,} cite, {counts['cited']:,} "
            f"are cited), {plural(counts['citations'], 'citation')}; loss {self.losses[0]:.3f} in "
            f"the first epoch, {self.losses[-1]:.3f} in the last ({epochs}); "
            f"{self.citations_per_second:,.0f} citations a second on {counts['device']}, peak "
            f"memory {self.peak_memory_mb:,} MB",
            "",
        ]
        if self.figures:
            names = ("protocol", "side", "candidates", "mrr", "hits_at_1", "hits_at_10", "auc")
            header = ("protocol", "sought", "candidates", "MRR", "Hits@1", "Hits@10", "AUC")
            parts += [
                f"{plural(counts['held_out'], 'citation')} held out, each to be found among "
                "candidates (filtered: other known citations aside):",
                Table(header, [[row[name] for name in names] for row in self.figures]),
            ]
        elif self.config.holdout:
            parts.append("no link prediction: no citation has ends that both have others")
        else:
            parts.append("no link prediction: no citation was held out (holdout is 0)")
        parts += ["", f"{'there already' if self.unchanged else 'kept'} in {self.path}"]
        figures = {
            "run": self.run,
            "path": str(self.path),
            "unchanged": self.unchanged,
            **counts,
            "losses": self.losses,
            "citations_per_second": self.citations_per_second,
            "seconds": self.seconds,
            "peak_memory_mb": self.peak_memory_mb,
            "link_prediction": self.figures,
        }
        whole = weight in ("none", "importance")
        words = f"sample neighbourhood --embeddings {self.run}"
        facet = f"sample facet --embeddings {weight}={self.run}"
        return Summary(parts, figures, [("next", words if whole else facet)])


def embed_graph(
    store: GraphStore,
    config: GraphEmbedConfig | None = None,
    *,
    exclude: Collection[str] = (),
    place: Workplace | None = None,
    runs: Path | None = None,
    progress: Progress = silent,
) -> EmbeddedGraph:
    """Embeds the citation graph of a store, and keeps the vectors as a run.

    The same citations and settings give the same run, which is found and not made twice. A run that
    was killed goes on from its last checkpoint, which lies hidden beside the runs, and ends with
    the vectors that it would have had undisturbed.

    Args:
        store: is only read; `record_run` writes a Run node for what comes of it.
        config: what to embed, and how.
        exclude: ids of papers that take no part in the graph, such as those of a benchmark.
        place: device, and how often to write checkpoints; its folder is set here.
        runs: folder of run directories; by default `runs` beside the store.
        progress: told where the work is.

    Raises:
        ConfigError: torch is missing, or settings have no meaning.
        StoreError: no citations are left, or what weighs them is missing.
    """
    require("torch")
    from citescape.encoders.graph import resolve_device

    clock, config, place = Stopwatch(), config or GraphEmbedConfig(), place or Workplace()
    resolve_device(place.device)  # before anything is read
    progress("reading citations")
    with clock.timed("read"):
        source = _read(store, config, exclude)
    runs = runs or default_runs(store.location)
    id_ = run_id(COMMAND, _settings(config), source.inputs)
    if found := find_finished(runs, id_):
        return _result(read_run(found), found, unchanged=True)
    check_writable(runs)
    folder = unfinished_folder(runs, id_)
    placed = replace(place, folder=folder)
    path = _Work(source, config, placed, clock, progress).publish(runs, id_)
    shutil.rmtree(folder, ignore_errors=True)
    return _result(read_run(path), path, unchanged=False)


@dataclass(frozen=True)
class _Source:
    citations: Citations
    excluded: int
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class _Work:
    source: _Source
    config: GraphEmbedConfig
    place: Workplace
    clock: Stopwatch
    progress: Progress

    def publish(self, runs: Path, id_: str) -> Path:
        """Trains, evaluates, and writes the run directory."""
        from citescape.encoders.graph import fit
        from citescape.encoders.graph_edges import make_edges
        from citescape.encoders.link_prediction import evaluate, hold_out

        graph, citations = self.config.graph, self.source.citations
        ends = (citations.citing, citations.cited)
        edges = make_edges(*ends, citations.weights, nodes=len(citations.ids))
        split = hold_out(
            edges, share=self.config.holdout, seed=graph.seed, undirected=graph.undirected
        )
        with self.clock.timed("train"):
            made = fit(split.train, graph, place=self.place, progress=self.progress)
        self.progress("predicting held-out citations")
        with self.clock.timed("evaluate"), limit_threads(graph.threads):
            tables = (made.sources, made.targets)
            figures = evaluate(tables, split, comparator=graph.comparator, seed=graph.seed)
        self.progress("writing vectors")
        papers = paper_table(citations)
        with open_run(runs, id_) as directory:
            with self.clock.timed("write"):
                way = self.config.vectors
                write_composed(directory.path, papers, tables, way=way, graph=graph)
            counts = {**self._counts(papers, split), **_trained(made, figures)}
            return directory.complete(self.clock.stop(self._record(id_, counts, made)))

    def _counts(self, papers: pa.Table, split: Split) -> dict[str, Any]:
        return {
            "papers": papers.num_rows,
            "citing": pc.sum(pc.greater(papers["cites"], 0)).as_py(),
            "cited": pc.sum(pc.greater(papers["cited"], 0)).as_py(),
            "citations": len(self.source.citations),
            "held_out": len(split.held),
            "could_be_held_out": split.eligible,
            "excluded": self.source.excluded,
        }

    def _record(self, id_: str, counts: dict[str, Any], made: GraphEmbedding) -> RunRecord:
        both = 2 if self.config.graph.undirected else 1
        learned = (counts["citations"] - counts["held_out"]) * both * len(made.losses)
        rate = round(learned * made.share / max(made.seconds, 1e-9), 1)
        return RunRecord(
            id=id_,
            command=COMMAND,
            config=_settings(self.config),
            inputs=self.source.inputs,
            seed=self.config.graph.seed,
            versions=library_versions("citescape", "numpy", "torch"),
            counts={**counts, "citations_per_second": rate},
        )


def _read(store: GraphStore, config: GraphEmbedConfig, exclude: Collection[str]) -> _Source:
    citations = read_citations(store, weight=config.weight)
    left_out = pc.is_in(citations.ids, value_set=pa.array(sorted(exclude), pa.string()))
    excluded = pc.sum(left_out).as_py() or 0
    citations = citations.without(exclude)
    citations = citations.where(citations.weights > 0)  # importance is 0 where no text mentions it
    if not len(citations):
        raise StoreError(
            f"no citation of {store.location} is left to learn from, weighed by {config.weight}: "
            f"{excluded} papers are excluded; expected some that are not"
        )
    inputs = {"citations": citations.fingerprint(), "excluded": excluded}
    return _Source(citations, excluded, inputs)


def _trained(made: GraphEmbedding, figures: list[dict[str, object]]) -> dict[str, Any]:
    return {
        "losses": list(made.losses),
        "steps_here": made.steps,
        "device": made.device,
        "tables_on_disk": made.mapped,
        "link_prediction": figures,
    }


def _settings(config: GraphEmbedConfig) -> dict[str, Any]:
    """What decides the vectors, flat."""
    own = {"weight": config.weight, "vectors": config.vectors, "holdout": config.holdout}
    return {**own, **config.graph.settings()}


def _result(record: RunRecord, path: Path, *, unchanged: bool) -> EmbeddedGraph:
    graph, counts = dict(record.config), dict(record.counts)
    own = {name: graph.pop(name) for name in ("weight", "vectors", "holdout")}
    figures, losses = counts.pop("link_prediction"), counts.pop("losses")
    return EmbeddedGraph(
        run=record.id,
        path=path,
        config=GraphEmbedConfig(**own, graph=GraphConfig(**graph)),
        counts=counts,
        figures=figures,
        losses=tuple(losses),
        citations_per_second=counts.pop("citations_per_second"),
        seconds=record.seconds,
        peak_memory_mb=record.peak_memory_mb,
        unchanged=unchanged,
    )
