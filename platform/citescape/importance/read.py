"""Reads the features of all pairs from a store: strings become codes slice by slice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import StoreError
from citescape.core.pairs import Codes, Pairs, build_pairs, encode, join, sort_ids
from citescape.core.paper_types import explain_no_papers, select_types
from citescape.core.progress import Progress, silent
from citescape.importance import kernel
from citescape.importance.by_row import (
    read_authorships_by_row,
    read_codes_of_pairs,
    read_mentions_by_row,
)
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
from citescape.papers.types import find_of_types
from citescape.store.graph_store import GraphStore, embedded
from citescape.store.queries import query

_HASHED_ROWS = 1 << 16


def read_features(
    store: GraphStore,
    slices: Sequence[Slice],
    *,
    titles: Encode | None = None,
    sections: str = "model",
    progress: Progress = silent,
) -> PairFeatures:
    """Features of all pairs of the slices; title similarity only with an encoder.

    Args:
        store: the graph.
        slices: citing papers, see `papers.slices`.
        titles: encodes titles.
        sections: section types to count, `model` or `rules` (`components.SECTIONS`).
        progress: called while titles are encoded.

    Raises:
        StoreError: no pair, a repeated pair, or slices that are out of date.
    """
    tables = embedded(store)
    revision = store.revision() if tables else ""  # row numbers hold as long as nothing changes
    try:
        pairs = read_pairs(store, slices)
        counts, strays, relabelled = read_counts(store, slices, pairs, sections=sections)
        selfs = mark_self_citations(pairs, *_read_authorships(store, pairs))
    except IndexError:  # another process added nodes
        if tables and store.revision() != revision:
            expected = sum(part.pairs for part in slices)
            raise changed_meanwhile(store, expected, tables.count_links("CITES")["n"]) from None
        raise
    similarity = NO_TITLES
    if titles:
        similarity = compare_titles(pairs, _read_titles(store, pairs), titles, progress=progress)
    if tables and store.revision() != revision:
        raise changed_meanwhile(store, len(pairs), tables.count_links("CITES")["n"])
    return PairFeatures(pairs, counts, selfs, similarity, strays, relabelled)


def read_counts(
    store: GraphStore, slices: Sequence[Slice], pairs: Pairs, *, sections: str
) -> tuple[Counts, int, int]:
    """Mentions of pairs by type of section.

    Args:
        store: the graph.
        slices: citing papers, see `papers.slices`.
        pairs: all pairs of the slices.
        sections: section types to count, `model` or `rules`.

    Returns:
        (pairs, 6) counts; the number of mentions without a pair; and the number of pairs with a
        mention in a section that a model typed, except as `other`.
    """
    if tables := embedded(store):
        moved = np.zeros(len(pairs), bool)
        by_rules = sections == "rules"
        chunks = read_mentions_by_row(tables, pairs, by_rules=by_rules, moved=moved)
        if chunks is not None:
            return (*count_mentions(pairs, chunks), int(moved.sum()))
    return count_occurrences(
        pairs, read_sliced(store, "features/occurrences", slices), sections=sections
    )


def count_occurrences(
    pairs: Pairs, tables: Iterable[pa.Table], *, sections: str
) -> tuple[Counts, int, int]:
    """Mentions of pairs by type of section, as `read_counts`.

    Args:
        pairs: all pairs.
        tables: in-text citations, rows as those of the query `features/occurrences`.
        sections: section types to count, `model` or `rules`.
    """
    moved = np.zeros(len(pairs), bool)
    chunks = _code_mentions(tables, pairs, by_rules=sections == "rules", moved=moved)
    counts, strays = count_mentions(pairs, chunks)
    return counts, strays, int(moved.sum())


def read_pairs(store: GraphStore, slices: Sequence[Slice]) -> Pairs:
    """All CITES pairs in CSR order.

    Raises:
        StoreError: no pair, a repeated pair, or slices that are out of date.
    """
    expected = sum(part.pairs for part in slices)
    if not expected:
        raise no_pairs(store)
    if tables := embedded(store):
        ids, citing, cited = read_codes_of_pairs(tables)
    else:
        ids = sort_ids(store.read(query("features/papers"))["id"])
        parts = [
            (encode(rows["citing"], ids), encode(rows["cited"], ids))
            for rows in read_sliced(store, "features/pairs", slices)
        ]
        citing, cited = join([part[0] for part in parts]), join([part[1] for part in parts])
    if len(citing) != expected or (citing < 0).any() or (cited < 0).any():
        raise changed_meanwhile(store, expected, len(citing))
    return build_pairs(ids, citing, cited)


def select_pairs(store: GraphStore, pairs: Pairs, types: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Pairs (pairs,) whose citing paper has one of the types.

    Args:
        store: the graph.
        pairs: all pairs.
        types: types and groups of types, see `core.paper_types`.

    Raises:
        ConfigError: there is no such type, or no pair of such a paper.
    """
    sizes = np.diff(pairs.indptr)
    papers = find_of_types(store, pairs.ids, types, among=sizes > 0, noun="papers with references")
    selected: npt.NDArray[np.bool_] = np.repeat(papers, sizes)
    return selected


def choose_types(
    citing: pa.Table, types: Sequence[str], *, known: pa.ChunkedArray | pa.Array
) -> pa.Array:
    """The types of citing papers that the weights are computed from.

    Args:
        citing: type of citing papers, and number of papers.
        types: types and groups of types.
        known: types of all papers.

    Raises:
        ConfigError: there is no such type, or no citing paper of it.
    """
    chosen = select_types(citing["type"], types, known=known)
    if not chosen.any():
        found = f"{pc.sum(citing['papers']).as_py():,} papers with references"
        raise explain_no_papers(found, types, citing["type"])
    return citing["type"].filter(pa.array(chosen)).combine_chunks()


def hash_rows(table: pa.Table) -> str:
    """Hash of the values of a table, 64 hex digits; its rows are in a fixed order."""
    digest = hashlib.blake2b(digest_size=32)
    for name in table.column_names:
        digest.update(f"{name}\n".encode())
        for start in range(0, len(table), _HASHED_ROWS):
            values = table[name].slice(start, _HASHED_ROWS).cast(pa.string()).to_pylist()
            digest.update("".join(f"{value}\n" for value in values).encode())
    return digest.hexdigest()


def no_pairs(store: GraphStore) -> StoreError:
    """The error for a graph without citations."""
    return StoreError(
        f"{store.location} holds no citation pairs; expected papers with references: "
        f"load some with {quote_command('ingest PATH', store.location)}"
    )


def changed_meanwhile(store: GraphStore, expected: int, found: int) -> StoreError:
    """The error for a graph that another process changed while it was read.

    Args:
        store: the graph.
        expected: number of pairs before.
        found: number of pairs now.
    """
    return StoreError(
        f"{store.location} changed while it was read: expected {expected} pairs, found {found}; "
        "run the command again when nothing else writes to it"
    )


def _read_authorships(store: GraphStore, pairs: Pairs) -> tuple[Codes, Codes]:
    """Codes of papers in pairs and of their authors, one per author of a paper."""
    if tables := embedded(store):
        return read_authorships_by_row(tables, pairs.ids)
    rows = store.read(query("features/authorships"))
    papers = encode(rows["paper"], pairs.ids)
    names = rows["author"].cast(pa.string()).combine_chunks()
    authors: Codes = names.dictionary_encode().indices.to_numpy()
    return papers[papers >= 0], authors[papers >= 0]


def _read_titles(store: GraphStore, pairs: Pairs) -> tuple[Codes, pa.ChunkedArray]:
    """Codes of papers, and their titles."""
    rows = store.read(query("features/titles"))
    return encode(rows["id"], pairs.ids), rows["title"]


def _code_mentions(
    tables: Iterable[pa.Table], pairs: Pairs, *, by_rules: bool, moved: npt.NDArray[np.bool_]
) -> Iterator[Mentions]:
    """In-text citations, table by table.

    With `by_rules`, a section that a model typed is `other`. Sets `moved` (pairs,) for pairs with a
    mention in a section that a model typed, except as `other`.
    """
    for rows in tables:
        citing, cited = encode(rows["citing"], pairs.ids), encode(rows["cited"], pairs.ids)
        kinds = section_kinds(rows["type"], rows["combined"])
        typed = pc.fill_null(rows["relabelled"], False).to_numpy() & (kinds != kernel.OTHER)
        positions = pairs.locate(citing[typed], cited[typed])
        moved[positions[positions >= 0]] = True
        yield citing, cited, np.where(typed & by_rules, kernel.OTHER, kinds).astype(np.uint8)
