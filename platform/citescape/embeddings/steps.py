"""Steps: vectors of papers from texts or citations, and similar papers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.core.errors import ConfigError, StoreError
from citescape.encoders.graph_config import GraphConfig, GraphTask
from citescape.ingest.shards.settings import ShardStep
from citescape.runs.context import Context
from citescape.runs.step import (
    Count,
    RunName,
    Setting,
    Settings,
    Step,
    extract,
    name_runs,
)

if TYPE_CHECKING:
    from citescape.embeddings.embed import Embedded
    from citescape.embeddings.graph_embed import EmbeddedGraph
    from citescape.embeddings.similar import SimilarPapers

OWN = "the encoder's own"


@dataclass(frozen=True)
class EmbedConfig(Settings):
    """The encoder and its settings."""

    encoder: Annotated[
        RunName, Setting(metavar="FOLDER|HUB-ID|RUN", environment="CITESCAPE_ENCODER")
    ] = ""
    """Encoder: a run of `platform train`, a local folder, or an id of the Hugging Face hub; MiniLM
    by default."""
    form: Annotated[str, Setting(choices=("sep", "joined"), default=OWN)] = ""
    """Form of the text: title, separator, abstract and the state of the first token (SciNCL,
    SPECTER, FLeW); or title, blank, abstract and the mean of all tokens (CIA)."""
    pooling: Annotated[str, Setting(choices=("cls", "mean"), default=f"{OWN}, or the form's")] = ""
    """Pooling: the first token, or the mean of all tokens."""
    max_tokens: Annotated[int, Setting(least=4, default=f"{OWN}, else 512")] = 0
    """Maximum tokens per text; longer texts are cut."""
    precision: Annotated[str, Setting(choices=("auto", "float32", "bfloat16"), expert=True)] = (
        "auto"
    )
    """Precision of the numbers: auto is the faster one on this machine."""
    threads: Annotated[int, Setting(least=1, default="torch's own", expert=True)] = 0
    """Number of processor threads. The last bits of vectors depend on it."""


@dataclass(frozen=True)
class Embed(ShardStep["Embedded"], EmbedConfig):
    """Compute vectors of titles and abstracts, and write them to the graph.

    The vectors are kept in a run directory; the graph holds those of one run at a time, for
    `platform similar` and queries. An interrupted run continues where it stopped. Papers without an
    abstract are encoded by their title and marked. Needs `pip install 'citescape[learn]'`.
    """

    vectors: Annotated[str | PathLike[str], Setting(metavar="FILE")] = ""
    """Your own vectors to use in place of an encoder: Parquet with columns id and vector, or an
    array (.npy) beside a .txt file with an id per line; or a file or folder of Semantic Scholar's
    dataset embeddings-specter_v2, whose vectors are found by the corpus ids of papers."""
    papers: Literal["all", "fulltext"] = "all"
    """Papers to encode: all, including those known from reference lists only, which mostly have a
    title only; or those with a full text."""
    write: bool = True
    """Write the vectors to the graph; with shards, choose them for `platform load`."""
    neighbours: Annotated[int, Setting(flags=("-k", "--neighbours"), least=0)] = 0
    """With shards: number of nearest papers to find for each paper, which are written beside the
    vectors; 0 for none."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.neighbours and not self.shards:
            raise ConfigError(
                "neighbours are found over shards; expected them together with shards, or "
                "`platform network build knn` for a store"
            )
        if self.shards and self.vectors:
            raise ConfigError("vectors of your own belong to a store; expected them without shards")

    def compute(self, context: Context) -> Embedded:
        from citescape.embeddings.embed import embed, keep_own_vectors, keep_s2ag_vectors
        from citescape.encoders.saved import check_encoder
        from citescape.papers.documents import read_corpus
        from citescape.search.vectors import is_vector_file

        if self.vectors and (self.encoder or extract(EmbedConfig, self) != EmbedConfig()):
            raise ConfigError(
                f"vectors is {self.vectors}, and an encoder is set; expected vectors or settings "
                "of an encoder, not both"
            )
        if self.vectors:
            path, runs = Path(self.vectors), context.runs
            if is_vector_file(path):
                return self._write(context, keep_own_vectors(path, runs=runs))
            return self._write(context, keep_s2ag_vectors(context.store, path, runs=runs))
        encoder = name_runs(self.encoder) or context.encoder
        check_encoder(context.runs, encoder)
        config = replace(extract(EmbedConfig, self), encoder=encoder)
        if self.shards:
            return self._embed_shards(context, config)
        context.progress("reading titles and abstracts")
        corpus = read_corpus(context.store, self.papers)
        context.unlock()
        run = embed(corpus, config, runs=context.runs, progress=context.progress)
        return self._write(context, run)

    def _embed_shards(self, context: Context, config: EmbedConfig) -> Embedded:
        from citescape.embeddings.shard_neighbours import find_shard_neighbours
        from citescape.embeddings.shards import embed_shards
        from citescape.ingest.shards.vectors import VectorFiles

        # On this machine one process encodes, with all cores or the GPU.
        with self.open_shards(context, workers=1) as (graph, cluster):
            found = embed_shards(
                graph,
                cluster,
                config,
                papers=self.papers,
                runs=context.runs,
                progress=context.progress,
            )
            if self.write:
                VectorFiles(graph.storage, found.run).choose()
            if not self.neighbours:
                return found
            folder = find_shard_neighbours(
                found, cluster, self.neighbours, progress=context.progress
            )
            return replace(found, neighbours=folder)

    def _write(self, context: Context, run: Embedded) -> Embedded:
        from citescape.search.graph_vectors import write_embeddings

        if not self.write:
            return run
        written = write_embeddings(
            context.store, run.vectors, run.record, progress=context.progress
        )
        return replace(run, written=written)


@dataclass(frozen=True)
class Similar(Step["SimilarPapers"]):
    """Find the papers nearest to one, and which of them it cites.

    Citations are shown by their importance, or `yes` without importance.
    """

    paper: Annotated[str, Setting(argument=True)]
    """Paper: an id of the store, a DOI, a PMID, a PMCID or an address of one."""
    k: Annotated[Count, Setting(flags=("-k",))] = 20
    """Number of papers to show."""
    vectors: Annotated[RunName, Setting(default="those in the graph, else the latest")] = ""
    """Vectors of papers: a run of `platform embed` or `platform train graph`, or your own file:
    Parquet with columns id and vector, or an array (.npy) beside a .txt file with an id per
    line."""
    metric: Literal["cosine", "dot", "l2"] = "cosine"
    """Similarity: cosine, inner product, or Euclidean distance times -1."""
    only_uncited: bool = False
    """Leave out papers that PAPER cites or is cited by."""

    def compute(self, context: Context) -> SimilarPapers:
        from citescape.embeddings.similar import find_similar
        from citescape.search.stored import find_vectors

        return find_similar(
            context.store,
            self.paper,
            find_vectors(context.store, context.runs, name_runs(self.vectors)),
            k=self.k,
            metric=self.metric,
            only_uncited=self.only_uncited,
        )


@dataclass(frozen=True)
class TrainGraph(GraphConfig, GraphTask, Step["EmbeddedGraph"]):
    """Train a vector for each paper from the citation graph.

    Papers with similar citations get similar vectors, independent of their texts. Some citations
    are held out and predicted, to measure the quality of the vectors. The vectors are
    kept in a run directory (vectors.npy beside papers.parquet). An interrupted run continues from
    its last checkpoint. Needs `pip install 'citescape[learn]'`.
    """

    examples = """
        platform train graph                            equal weights
        platform train graph --weight importance        importance as weight
        platform train graph --weight method            one facet; needs `text intents label`
        platform train graph --exclude benchmark.txt    without the papers of a benchmark

        Settings of SciNCL (768 dimensions, dot, margin .15 and chunk 50 are defaults):
        platform train graph --tables shared --loss ranking --learning-rate .1 --max-norm 1 \\
          --epochs 20 --batch 10000 --negatives 0 --holdout 0
    """
    exclude: tuple[Annotated[RunName, Setting(metavar="RUN|FILE|PAPER")], ...] = field(
        default=(), kw_only=True
    )
    """Papers to leave out of the graph: the queries of a benchmark (`platform benchmark mdcr`,
    `platform evaluate pool`), a file with an id, DOI or PMID per line, or an id."""
    with_candidates: bool = field(default=False, kw_only=True)
    """Leave out the candidates of a benchmark too, not only its queries."""
    device: Annotated[
        str, Setting(metavar="cpu|cuda|…", default="CUDA, or else cpu", expert=True)
    ] = field(default="", kw_only=True)
    """Device to compute on."""
    memory_map: Annotated[
        bool | None, Setting(default="if they take over half of the free memory", expert=True)
    ] = field(default=None, kw_only=True)
    """Keep the vectors on disk while they are trained."""
    checkpoint_seconds: Annotated[float, Setting(least=0, expert=True)] = field(
        default=60.0, kw_only=True
    )
    """Seconds between checkpoints."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_task(self)

    def compute(self, context: Context) -> EmbeddedGraph:
        from citescape.embeddings.graph_embed import GraphEmbedConfig, embed_graph
        from citescape.encoders.graph_config import Workplace
        from citescape.evaluation.leakage.exclude import find_papers
        from citescape.runs.directory import record_run

        exclude = find_papers(
            context.store, context.runs, self.exclude, candidates=self.with_candidates
        )
        run = embed_graph(
            context.store,
            GraphEmbedConfig(
                self.weight, self.vectors, self.holdout, graph=extract(GraphConfig, self)
            ),
            exclude=exclude,
            place=Workplace(
                every=self.checkpoint_seconds,
                device=self.device,
                memory_map=self.memory_map,
            ),
            runs=context.runs,
            progress=context.progress,
        )
        try:
            record_run(context.store, run.record)
        except StoreError as error:  # for example, the store is read-only: the vectors are complete
            context.progress(f"{run.run} is complete, but not listed in the graph: {error}")
        return run
