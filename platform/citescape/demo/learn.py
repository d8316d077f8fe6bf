"""The demo learns: triplets, a trained encoder, vectors in the graph, nearest papers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.progress import Progress, silent
from citescape.runs.directory import read_run
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    from citescape.embeddings.similar import SimilarPapers
    from citescape.sampling.sample import SampleResult
    from citescape.training.kept import EncoderRun

_TOKENS, _NEAREST = 128, 5


@dataclass(frozen=True)
class Learned:
    """What was sampled, trained and found."""

    sampled: SampleResult
    trained: EncoderRun
    papers: int
    """With a vector in the graph."""
    base: str
    """What the encoder that is adapted is called."""
    example: SimilarPapers
    """The papers nearest to the latest full text, which has the most to cite."""


def learn(store: GraphStore, runs: Path, *, progress: Progress = silent) -> Learned:
    """Samples importance-aware triplets, trains an adapter over MiniLM, embeds all papers.

    Writes to the graph: Embedding nodes, HAS_EMBEDDING, Run nodes.
    """
    from citescape.embeddings.embed import embed
    from citescape.embeddings.similar import find_similar
    from citescape.embeddings.steps import EmbedConfig
    from citescape.papers.documents import read_corpus
    from citescape.sampling.config import ImportanceConfig
    from citescape.sampling.sample import sample_citations
    from citescape.sampling.triplets import TRIPLETS, read_triplets
    from citescape.search.graph_vectors import write_embeddings
    from citescape.search.stored import find_vectors
    from citescape.training.config import TrainConfig
    from citescape.training.train import train

    shrink = ImportanceConfig(short_anchors="shrink")
    sampled = sample_citations(store, shrink, runs=runs, progress=progress)
    config = TrainConfig(tune="adapter", max_tokens=_TOKENS, epochs=4)
    triplets = read_triplets(sampled.path / TRIPLETS)
    trained = train(store, triplets, config, runs=runs, progress=progress)
    made = embed(read_corpus(store), EmbedConfig(encoder=trained.run), runs=runs, progress=progress)
    write_embeddings(store, made.vectors, made.record, progress=progress)
    vectors = find_vectors(store, runs)
    texts = zip(made.vectors.ids.to_pylist(), made.vectors.papers["text"].to_pylist(), strict=True)
    latest = [id_ for id_, text in texts if text == "title+abstract"][-1]
    example = find_similar(store, latest, vectors, k=_NEAREST)
    base = Path(read_run(trained.path).config["base"]).name
    return Learned(sampled, trained, len(made.vectors), base, example)
