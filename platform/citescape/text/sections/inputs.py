"""Input of the sequence model: title, first words of a section's text, position, length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.core.progress import Progress
from citescape.encoders.pretrained import PretrainedEncoder
from citescape.text.sections.gold import in_reviews
from citescape.text.sections.sequences import Flags, Ints, SectionSequences

Floats = npt.NDArray[np.float32]
Encode = Callable[[Sequence[str]], Floats]
NUMBERS = (
    "hidden", "depth 1", "depth 2", "depth 3+", "place in the paper", "place among the top",
    "from the first", "from the last", "words", "sections", "empty", "citations",
    "citations a word", "review",
)  # fmt: skip
"""Names of the columns of `describe`."""


def with_progress(encoder: PretrainedEncoder, progress: Progress) -> Encode:
    """An encoding function that reports progress."""
    return lambda texts: encoder.encode(texts, progress).vectors


@dataclass(frozen=True)
class EncodedTexts:
    """Vectors of distinct texts, and the row of each section's text."""

    vectors: Floats
    """(1 + distinct texts, d); row 0 holds zeros, for sections without a text."""
    rows: Ints
    """(n,)"""

    @classmethod
    def from_texts(cls, texts: Sequence[str], encode: Encode) -> EncodedTexts:
        """Encodes each distinct text once."""
        distinct = sorted({text for text in texts if text.strip()})
        place = {text: k for k, text in enumerate(distinct, start=1)}
        vectors = encode(distinct)
        zero = np.zeros((1, vectors.shape[1]), np.float32)
        rows = np.array([place.get(text, 0) for text in texts], np.int64)
        return cls(np.concatenate([zero, vectors]), rows)


@dataclass(frozen=True)
class SectionInputs:
    """The input of n sections, without the mask of hidden titles."""

    sections: SectionSequences
    titles: EncodedTexts
    openings: EncodedTexts

    @classmethod
    def from_sections(
        cls, sections: SectionSequences, encode: Encode, *, body: bool
    ) -> SectionInputs:
        """Encodes the texts of sections.

        Args:
            sections: n sections.
            encode: texts to vectors.
            body: encode the first words of each section in addition to its title.
        """
        titles = EncodedTexts.from_texts(sections.texts("title"), encode)
        texts = sections.texts("opening") if body else [""] * len(sections)
        return cls(sections, titles, EncodedTexts.from_texts(texts, encode))

    def select_papers(self, papers: Sequence[int]) -> SectionInputs:
        """The input of some papers, given by their positions."""
        rows = self.sections.rows_of(papers)
        return SectionInputs(
            self.sections.select_papers(papers),
            EncodedTexts(self.titles.vectors, self.titles.rows[rows]),
            EncodedTexts(self.openings.vectors, self.openings.rows[rows]),
        )


def compute_numbers(sections: SectionSequences, hidden: Flags) -> Floats:
    """(n, len(NUMBERS)) numbers of about 0..1: position and length of a section.

    Citations per word separate introductions and discussions from results. Positions are counted
    among all sections of the paper, and among its top-level sections, where a subsection has the
    position of its parent.
    """
    first = np.repeat(sections.offsets[:-1], np.diff(sections.offsets))
    size = np.repeat(np.diff(sections.offsets), np.diff(sections.offsets))
    place = np.arange(len(sections)) - first
    tops = np.cumsum(sections.top)
    top_place = tops - tops[first] if len(sections) else tops
    counts = np.add.reduceat(sections.top, sections.offsets[:-1]) if len(sections) else tops
    last = np.repeat(counts, np.diff(sections.offsets)) - 1
    depth = sections.numbers("depth")
    words, citations = sections.numbers("words"), sections.numbers("citations")
    columns = (
        hidden,
        depth == 1,
        depth == 2,
        depth > 2,
        place / np.maximum(size - 1, 1),
        top_place / np.maximum(last, 1),
        np.minimum(top_place, 6) / 6,
        np.minimum(last - top_place, 6) / 6,
        np.log1p(words) / 8,
        np.log1p(size) / 4,
        words == 0,
        np.log1p(citations) / 3,
        20 * citations / (words + 20),
        in_reviews(sections),
    )
    return np.stack([np.asarray(column, np.float32) for column in columns], 1)
