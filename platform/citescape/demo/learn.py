"""Learning part of the demo: triplets, a trained encoder, vectors in the graph, nearest papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from citescape.corpus import Corpus

if TYPE_CHECKING:
    from citescape.embeddings.similar import SimilarPapers
    from citescape.sampling.sample import SampleResult
    from citescape.training.kept import EncoderRun

_TOKENS = 128


@dataclass(frozen=True)
class LearningResult:
    """Results of sampling, training, embedding and search."""

    sampled: SampleResult
    trained: EncoderRun
    papers: int
    """Number of papers with a vector in the graph."""
    example: SimilarPapers
    """Papers nearest to the latest full text, which has the most older papers to cite."""


def learn(corpus: Corpus) -> LearningResult:
    """Samples importance-aware triplets, trains an adapter over MiniLM, embeds all papers.

    Writes to the graph: Embedding nodes, HAS_EMBEDDING, Run nodes.
    """
    from citescape.corpus_report.sections import find_nearest

    sampled = corpus.sample.importance(short_anchors="shrink")
    (trained,) = corpus.train(sampled.run, tune="adapter", max_tokens=_TOKENS, epochs=4)
    embedded = corpus.embed(encoder=trained.run)
    example = find_nearest(corpus.context)
    assert example is not None
    return LearningResult(sampled, trained, len(embedded.vectors), example)
