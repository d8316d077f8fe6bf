"""Input of the sequence model: title, first words of a section's text, place, length."""

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
    """The encoder with progress."""
    return lambda texts: encoder.encode(texts, progress).vectors


@dataclass(frozen=True)
class Encoded:
    """Vectors of distinct texts, and the text of each section."""

    vectors: Floats
    """(distinct texts, d); row 0, of zeros, is that of no text."""
    rows: Ints
    """(n,)"""

    @classmethod
    def of(cls, texts: Sequence[str], encode: Encode) -> Encoded:
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
    titles: Encoded
    openings: Encoded

    @classmethod
    def of(cls, sections: SectionSequences, encode: Encode, *, body: bool) -> SectionInputs:
        """Encodes titles and, with `body`, the first words of the sections' texts."""
        titles = Encoded.of(sections.texts("title"), encode)
        texts = sections.texts("opening") if body else [""] * len(sections)
        return cls(sections, titles, Encoded.of(texts, encode))

    def take_papers(self, which: Sequence[int]) -> SectionInputs:
        """Some of the papers, by their number."""
        rows = self.sections.rows_of(which)
        return SectionInputs(
            self.sections.take_papers(which),
            Encoded(self.titles.vectors, self.titles.rows[rows]),
            Encoded(self.openings.vectors, self.openings.rows[rows]),
        )


def describe(sections: SectionSequences, hidden: Flags) -> Floats:
    """(n, len(NUMBERS)) numbers of about 0..1: place and length of a section.

    Citations per word separate introductions and discussions from results. Places are counted among
    all sections of the paper, and among its top-level sections, where a subsection has the place of
    its parent.
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
