"""Reads the features of all pairs out of a store: strings become codes slice by slice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import StoreError
from citescape.core.pairs import Codes, Pairs, build_pairs, encode, join, sort_ids
from citescape.importance import kernel
from citescape.importance.counts import (
    NO_TITLES,
    Counts,
    Mentions,
    PairFeatures,
    count_mentions,
    mark_self_citations,
    section_kinds,
)
from citescape.importance.titles import Encode, compare_titles
from citescape.papers.slices import Slice, read_sliced
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

Places = npt.NDArray[np.int64]


def read_features(
    store: GraphStore,
    slices: Sequence[Slice],
    *,
    titles: Encode | None = None,
    sections: str = "model",
) -> PairFeatures:
    """Features of all pairs of the slices; title similarity only if an encoder is given.

    `sections` says whose types of sections count, `model` or `rules` (`components.SECTIONS`).

    Raises:
        StoreError: the slices hold no pair, or one twice, or changed since they were cut.
    """
    pairs = read_pairs(store, slices)
    chunks = _read_mentions(store, slices, pairs=pairs, by_rules=sections == "rules")
    counts, strays, relabelled = _count(pairs, chunks)
    papers, authors = _authorships(store, pairs)
    selfs = mark_self_citations(pairs, papers, authors)
    similarity = compare_titles(pairs, _titles(store, pairs), titles) if titles else NO_TITLES
    return PairFeatures(pairs, counts, selfs, similarity, strays, relabelled)


def read_pairs(store: GraphStore, slices: Sequence[Slice]) -> Pairs:
    """All CITES pairs in CSR order.

    Raises:
        StoreError: there is none, one stands there twice, or the slices are out of date.
    """
    expected = sum(part.pairs for part in slices)
    if not expected:
        raise StoreError(
            f"{store.location} holds no citation pairs; expected papers with references: "
            f"load some with {quote_command('ingest PATH', store.location)}"
        )
    ids = sort_ids(store.read(query("features/papers"))["id"])
    parts = [
        (encode(rows["citing"], ids), encode(rows["cited"], ids))
        for rows in read_sliced(store, "features/pairs", slices)
    ]
    citing, cited = join([part[0] for part in parts]), join([part[1] for part in parts])
    if len(citing) != expected or (citing < 0).any() or (cited < 0).any():
        raise changed_meanwhile(store, expected, len(citing))
    return build_pairs(ids, citing, cited)


def changed_meanwhile(store: GraphStore, expected: int, found: int) -> StoreError:
    """The error for a graph that another process changes while it is read."""
    return StoreError(
        f"{store.location} changed while it was read: expected {expected} pairs, found {found}; "
        "run the command again when nothing else writes to it"
    )


@dataclass(frozen=True)
class _Chunk:
    """The in-text citations of a slice."""

    mentions: Mentions
    moved: Places
    """Places of the pairs that have a mention whose type a model tells; repeated."""


def _read_mentions(
    store: GraphStore, slices: Sequence[Slice], *, pairs: Pairs, by_rules: bool
) -> Iterator[_Chunk]:
    """In-text citations slice by slice, and the pairs that a model makes differ.

    To rules alone a section that a model typed is `other`: a pair differs where one of its
    mentions stands in such a section of any other type.
    """
    for rows in read_sliced(store, "features/occurrences", slices):
        citing, cited = encode(rows["citing"], pairs.ids), encode(rows["cited"], pairs.ids)
        kinds = section_kinds(rows["type"], rows["combined"])
        moved = pc.fill_null(rows["relabelled"], False).to_numpy() & (kinds != kernel.OTHER)
        positions = pairs.locate(citing[moved], cited[moved])
        seen = np.where(moved & by_rules, kernel.OTHER, kinds).astype(np.uint8)
        yield _Chunk((citing, cited, seen), positions[positions >= 0])


def _count(pairs: Pairs, chunks: Iterable[_Chunk]) -> tuple[Counts, int, int]:
    """Counts (pairs, 6), mentions that belong to no pair, pairs that a model makes differ."""
    moved = np.zeros(len(pairs), bool)

    def marked() -> Iterator[Mentions]:
        for chunk in chunks:
            moved[chunk.moved] = True
            yield chunk.mentions

    counts, strays = count_mentions(pairs, marked())
    return counts, strays, int(moved.sum())


def _authorships(store: GraphStore, pairs: Pairs) -> tuple[Codes, Codes]:
    """Codes of papers in pairs and of their authors, one row an author of a paper."""
    rows = store.read(query("features/authorships"))
    papers = encode(rows["paper"], pairs.ids)
    names = rows["author"].cast(pa.string()).combine_chunks()
    authors: Codes = names.dictionary_encode().indices.to_numpy()
    return papers[papers >= 0], authors[papers >= 0]


def _titles(store: GraphStore, pairs: Pairs) -> tuple[Codes, pa.ChunkedArray]:
    rows = store.read(query("features/titles"))
    return encode(rows["id"], pairs.ids), rows["title"]
