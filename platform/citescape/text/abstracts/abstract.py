"""Abstracts as they are read from the graph: text, sentences, and what headings say of them."""

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
"""Of how abstracts are cut into sentences: another one, another run."""


@dataclass(frozen=True)
class Abstract:
    """The main abstract of one paper."""

    id: str
    text: str
    labels: tuple[str, ...] = ()
    """Headings of its parts, an empty one where a part has none."""
    parts: tuple[str, ...] = ()

    @cached_property
    def headed(self) -> tuple[Segment, ...]:
        """Its parts if headings outside the text tell facets, else empty."""
        found = headed_segments(self.text, self.labels, self.parts)
        return tuple(found) if any(segment.facet for segment in found) else ()

    @cached_property
    def written(self) -> tuple[Segment, ...]:
        """Its parts if headings printed in the text tell facets, else empty."""
        return () if self.headed else tuple(written_segments(self.text))

    @cached_property
    def ends(self) -> list[int]:
        """Where its sentences end; one begins below each heading."""
        return sentence_ends(self.text, [s.begin for s in self.headed or self.written])

    @cached_property
    def sentences(self) -> list[str]:
        """Joined they are the text."""
        return cut(self.text, self.ends)

    @cached_property
    def headings(self) -> list[str]:
        """The heading each sentence stands below, empty for none."""
        return [segment.heading if segment else "" for segment in self._segments]

    @cached_property
    def known(self) -> list[str | None]:
        """The facet of each sentence by its heading; None where that does not say."""
        return [segment.facet if segment else None for segment in self._segments]

    @property
    def _segments(self) -> list[Segment | None]:
        """The headed part that each sentence begins in."""
        segments = self.headed or self.written
        begins = [segment.begin for segment in segments]
        found = [bisect_right(begins, at) - 1 for at in [0, *self.ends[:-1]][: len(self.ends)]]
        return [segments[k] if k >= 0 else None for k in found]


def abstract_papers(store: GraphStore) -> list[str]:
    """Ids of the papers whose abstract may be split, ascending."""
    ids: list[str] = store.read(query("text/abstract_papers"))["id"].to_pylist()
    return sorted(ids)


def read_rows(store: GraphStore, papers: Sequence[str]) -> pa.Table:
    """Rows of `cypher/text/abstracts.cypher`, sorted by id."""
    return store.read(query("text/abstracts"), papers=list(papers)).sort_by("id")


def as_abstracts(rows: pa.Table) -> list[Abstract]:
    """The abstracts that hold any text, in the order of the rows."""
    columns = ("id", "abstract", "abstract_labels", "abstract_parts")
    found = zip(*(rows[name].to_pylist() for name in columns), strict=True)
    return [
        Abstract(id_, text, tuple(labels or ()), tuple(parts or ()))
        for id_, text, labels, parts in found
        if text and not text.isspace()
    ]


def sentence_ends(text: str, begins: Sequence[int] = ()) -> list[int]:
    """Where each sentence ends, ascending, the last at `len(text)`; none for the empty text.

    White space between sentences belongs to the one before it, at the start to the first.

    Args:
        text: of any length.
        begins: offsets at which a sentence begins in any case, such as those of headed parts.
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
