"""The body sections of papers as sequences: columns of equal length, cut by paper."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.types import SECTION_TYPES
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

TYPES = SECTION_TYPES
OTHER = TYPES.index("other")
_RULES = ("sec-type", "title", "lead")
"""Sources of a type that belong to the section itself, not to its parent."""

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Probabilities = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SectionSequences:
    """n body sections of p papers, in reading order within each paper.

    `table` holds the columns of `cypher/text/sections.cypher`, sorted by paper and ordinal.
    """

    table: pa.Table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def texts(self, column: str) -> list[str]:
        """A column of texts; null becomes the empty text."""
        return [text or "" for text in self.table[column].to_pylist()]

    def shown_titles(self, hidden: Flags) -> list[str]:
        """Titles (n,), empty where `hidden`."""
        titles = zip(hidden.tolist(), self.texts("title"), strict=True)
        return ["" if hide else title for hide, title in titles]

    def numbers(self, column: str) -> Ints:
        """A column of integers (n,); null becomes 0."""
        values = self.table[column].fill_null(0).to_numpy()
        return np.asarray(values, np.int64)

    @cached_property
    def offsets(self) -> Ints:
        """(p + 1,) first row of each paper, and n."""
        papers = self.table["paper"].combine_chunks().dictionary_encode().indices.to_numpy()
        begins = np.flatnonzero(np.diff(papers, prepend=-1))
        return np.append(begins, len(self)).astype(np.int64)

    @property
    def papers(self) -> int:
        """Number of papers."""
        return len(self.offsets) - 1

    def known(self) -> dict[str, int]:
        """Number of sections that rules type, by type."""
        counts = np.bincount(self.rule_types[self.ruled], minlength=len(TYPES))
        return dict(zip(TYPES, counts.tolist(), strict=True))

    @property
    def spans(self) -> Iterator[tuple[int, int]]:
        """First row and end row of each paper."""
        return zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True)

    @cached_property
    def parents(self) -> Ints:
        """(n,) row of the parent section, -1 at the top level."""
        rows = {id_: k for k, id_ in enumerate(self.texts("id"))}
        return np.array([rows.get(id_, -1) for id_ in self.texts("parent")], np.int64)

    @cached_property
    def top(self) -> Flags:
        """(n,) true for top-level sections."""
        return self.parents < 0

    @cached_property
    def heads(self) -> Ints:
        """(n,) row of the top-level section of each section; its own row at the top level."""
        return np.maximum.accumulate(np.where(self.top, np.arange(len(self)), 0))

    @cached_property
    def rule_types(self) -> Ints:
        """(n,) type by rules alone, as an index into `TYPES`; `other` where rules give none."""
        place = {kind: k for k, kind in enumerate(TYPES)}
        types = [place.get(kind, OTHER) for kind in self.texts("type")]
        return np.where(self.relabelled, OTHER, np.array(types, np.int64))

    @cached_property
    def relabelled(self) -> Flags:
        """(n,) true where the type in the graph comes from a model."""
        return np.array([bool(run) for run in self.texts("type_run")], bool)

    @cached_property
    def ruled(self) -> Flags:
        """(n,) true where a rule gives the type, by the title of the section or of its parent."""
        sources = self.texts("type_source")
        ruled = np.array([source not in ("none", "model", "") for source in sources], bool)
        return ruled & ~self.relabelled

    @cached_property
    def own_rule(self) -> Flags:
        """(n,) true where a rule gives the type by an attribute, title or place of the section."""
        sources = self.texts("type_source")
        own: Flags = self.ruled & np.array([source in _RULES for source in sources], bool)
        return own

    def select_papers(self, papers: Sequence[int]) -> SectionSequences:
        """Some papers, given by their positions, in that order."""
        return SectionSequences(self.table.take(pa.array(self.rows_of(papers))))

    def rows_of(self, papers: Sequence[int]) -> Ints:
        """Rows of some papers, given by their positions."""
        spans = [np.arange(self.offsets[k], self.offsets[k + 1]) for k in papers]
        return np.concatenate([np.zeros(0, np.int64), *spans])

    def fingerprint(self) -> str:
        """Hash of the training data, 32 hex digits."""
        digest = hashlib.blake2b(digest_size=16)
        for name in ("id", "article_type", "title", "opening"):
            digest.update("\x1f".join(self.texts(name)).encode())
        for array in (self.rule_types, self.ruled, self.own_rule):
            digest.update(array.tobytes())
        for name in ("depth", "words", "citations"):
            digest.update(self.numbers(name).tobytes())
        return digest.hexdigest()


def read_sections(store: GraphStore, papers: Sequence[str]) -> SectionSequences:
    """The body sections of some papers; papers without any are skipped."""
    rows = store.read(query("text/sections"), papers=list(papers))
    return SectionSequences(rows.sort_by([("paper", "ascending"), ("ordinal", "ascending")]))


def join_sections(parts: Sequence[SectionSequences]) -> SectionSequences:
    """Concatenates sequences."""
    return SectionSequences(pa.concat_tables([part.table for part in parts]))
