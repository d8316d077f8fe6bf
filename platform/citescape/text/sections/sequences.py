"""The body sections of papers as sequences: columns of equal length, cut by paper."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

TYPES = ("I", "M", "R", "D", "other")
OTHER = TYPES.index("other")
_RULES = ("sec-type", "title", "lead")
"""Sources of a type that are the section's own."""

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Probabilities = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SectionSequences:
    """n body sections of p papers, each paper's in reading order.

    `table` holds the columns of `cypher/text/sections.cypher`, sorted by paper and ordinal.
    """

    table: pa.Table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def texts(self, column: str) -> list[str]:
        """A column of texts; null is the empty text."""
        return [text or "" for text in self.table[column].to_pylist()]

    def shown_titles(self, hidden: Flags) -> list[str]:
        """Titles (n,), empty where `hidden`."""
        titles = zip(hidden.tolist(), self.texts("title"), strict=True)
        return ["" if hide else title for hide, title in titles]

    def numbers(self, column: str) -> Ints:
        """A column of integers (n,); null is 0."""
        values = self.table[column].fill_null(0).to_numpy()
        return np.asarray(values, np.int64)

    @cached_property
    def offsets(self) -> Ints:
        """(p + 1,) where each paper's sections begin, and the end."""
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
        """Begin and end of each paper."""
        return zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True)

    @cached_property
    def parents(self) -> Ints:
        """(n,) row of the section above, -1 for none."""
        rows = {id_: k for k, id_ in enumerate(self.texts("id"))}
        return np.array([rows.get(id_, -1) for id_ in self.texts("parent")], np.int64)

    @cached_property
    def top(self) -> Flags:
        """(n,) top-level sections."""
        return self.parents < 0

    @cached_property
    def heads(self) -> Ints:
        """(n,) row of the top-level section of each section; its own at the top level."""
        return np.maximum.accumulate(np.where(self.top, np.arange(len(self)), 0))

    @cached_property
    def rule_types(self) -> Ints:
        """(n,) type by rules alone, as an index into `TYPES`; `other` where rules give none."""
        place = {kind: k for k, kind in enumerate(TYPES)}
        types = [place.get(kind, OTHER) for kind in self.texts("type")]
        return np.where(self.relabelled, OTHER, np.array(types, np.int64))

    @cached_property
    def relabelled(self) -> Flags:
        """(n,) the type in the graph is a model's."""
        return np.array([bool(run) for run in self.texts("type_run")], bool)

    @cached_property
    def ruled(self) -> Flags:
        """(n,) a rule gives the type, by the section's own title or the one above."""
        sources = self.texts("type_source")
        ruled = np.array([source not in ("none", "model", "") for source in sources], bool)
        return ruled & ~self.relabelled

    @cached_property
    def own_rule(self) -> Flags:
        """(n,) a rule gives the type from the section's own attribute, title or place."""
        sources = self.texts("type_source")
        own: Flags = self.ruled & np.array([source in _RULES for source in sources], bool)
        return own

    def take_papers(self, which: Sequence[int]) -> SectionSequences:
        """Some of the papers, by their number, in that order."""
        return SectionSequences(self.table.take(pa.array(self.rows_of(which))))

    def rows_of(self, which: Sequence[int]) -> Ints:
        """Rows of some of the papers."""
        spans = [np.arange(self.offsets[k], self.offsets[k + 1]) for k in which]
        return np.concatenate([np.zeros(0, np.int64), *spans])

    def fingerprint(self) -> str:
        """Hash of all that a model is trained on, 32 hex digits."""
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
    """Sequences of several reads as one."""
    return SectionSequences(pa.concat_tables([part.table for part in parts]))
