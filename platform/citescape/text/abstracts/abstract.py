"""Abstracts of the graph: text, sentences, and the facets that headings give them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import pyarrow as pa

from citescape.loaders.sentences import split_sentences
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.text.abstracts.headings import Segment, headed_segments, written_segments

SENTENCES_VERSION = 1
"""Version of the sentence splitter; part of the run id."""


@dataclass(frozen=True)
class MainAbstract:
    """The main abstract of one paper."""

    id: str
    text: str
    labels: tuple[str, ...] = ()
    """Headings of its parts; empty for a part without one."""
    parts: tuple[str, ...] = ()

    @cached_property
    def headed(self) -> tuple[Segment, ...]:
        """Parts by headings outside the text; empty if these headings name no facet."""
        segments = headed_segments(self.text, self.labels, self.parts)
        return tuple(segments) if any(segment.facet for segment in segments) else ()

    @cached_property
    def written(self) -> tuple[Segment, ...]:
        """Parts by headings printed in the text, if `headed` is empty; may be empty too."""
        return () if self.headed else tuple(written_segments(self.text))

    @cached_property
    def ends(self) -> list[int]:
        """End offset of each sentence; a new sentence begins below each heading."""
        return sentence_ends(self.text, [s.begin for s in self.headed or self.written])

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences; joined they are the text."""
        return cut(self.text, self.ends)

    @cached_property
    def headings(self) -> list[str]:
        """The heading above each sentence, empty for none."""
        return [segment.heading if segment else "" for segment in self._segments]

    @cached_property
    def heading_facets(self) -> list[str | None]:
        """The facet that the heading above each sentence names; None if it names none."""
        return [segment.facet if segment else None for segment in self._segments]

    @property
    def _segments(self) -> list[Segment | None]:
        """The part of each sentence; None above the first heading."""
        segments = self.headed or self.written
        begins = [segment.begin for segment in segments]
        places = [bisect_right(begins, at) - 1 for at in [0, *self.ends[:-1]][: len(self.ends)]]
        return [segments[k] if k >= 0 else None for k in places]


def abstract_papers(store: GraphStore) -> list[str]:
    """Ids of the papers whose abstract may be split, ascending."""
    ids: list[str] = store.read(query("text/abstract_papers"))["id"].to_pylist()
    return sorted(ids)


def read_rows(store: GraphStore, papers: Sequence[str]) -> pa.Table:
    """Rows of `cypher/text/abstracts.cypher`, sorted by id."""
    return store.read(query("text/abstracts"), papers=list(papers)).sort_by("id")


def as_abstracts(rows: pa.Table) -> list[MainAbstract]:
    """The abstracts that are not blank, in the order of the rows."""
    names = ("id", "abstract", "abstract_labels", "abstract_parts")
    columns = zip(*(rows[name].to_pylist() for name in names), strict=True)
    return [
        MainAbstract(id_, text, tuple(labels or ()), tuple(parts or ()))
        for id_, text, labels, parts in columns
        if text and not text.isspace()
    ]


def sentence_ends(text: str, begins: Sequence[int] = ()) -> list[int]:
    """End offset of each sentence, the last at `len(text)`; empty for the empty text.

    White space belongs to the sentence before it, at the start to the first sentence. A new
    sentence begins at each of `begins`, the offsets of headed parts.
    """
    borders = sorted({0, len(text), *begins})
    ends: list[int] = []
    for begin, end in pairwise(borders):
        starts = split_sentences(text[begin:end])
        ends += [begin + start for start in starts[1:]] + [end]
    return ends


def cut(text: str, ends: Sequence[int]) -> list[str]:
    """The sentences; joined they are the text."""
    return [text[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
