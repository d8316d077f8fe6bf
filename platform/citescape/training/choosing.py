"""Published tasks to choose settings on."""

from __future__ import annotations

from typing import Protocol

import pyarrow as pa

from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.papers.documents import DocumentCorpus
from citescape.search.vectors import Floats, Vectors

ENCODE = "encode"
"""Command of the runs with vectors of a benchmark's texts, as those of evaluations."""


class ChoiceTask(Protocol):
    """A task with a part to choose settings on; the test part is for the chosen settings.

    Figures are in per cent; higher is better.
    """

    @property
    def benchmark(self) -> str:
        """Name of the benchmark."""

    @property
    def name(self) -> str:
        """Name of the task."""

    @property
    def metric(self) -> str:
        """Name of the metric."""

    @property
    def split(self) -> str:
        """Part of the data that settings are chosen on."""

    @property
    def corpus(self) -> DocumentCorpus:
        """Titles and abstracts of the papers."""

    @property
    def sha256(self) -> str:
        """Hash of the files, texts and settings of the task."""

    def validate(self, embeddings: PaperEmbeddings) -> float:
        """The figure to choose by."""

    def test(self, embeddings: PaperEmbeddings) -> float:
        """The figure of the test part."""


def to_embeddings(papers: pa.Table, values: Floats, source: str) -> PaperEmbeddings:
    """Embeddings in memory.

    Args:
        papers: column `id`, ascending.
        values: (papers, d) vectors.
        source: name for messages.
    """
    return PaperEmbeddings(Vectors(papers, values), pa.array([], pa.string()), source)
