"""The texts of the papers in triplets, and their tokens as flat arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, StoreError, invalid_choice
from citescape.core.types import FACETS, Document
from citescape.encoders.documents import EncoderSettings, document_text, separator
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_SCHEMA = pa.schema({name: pa.string() for name in ("id", "title", "abstract")})
_SLICE = 4096
"""Number of texts whose tokens are Python lists at one time."""


@dataclass(frozen=True)
class Texts:
    """Titles and abstracts of papers."""

    ids: pa.StringArray
    """(papers,) ascending."""
    documents: tuple[Document, ...]
    titles_only: int
    """Papers without an abstract (or without that part of it)."""

    @property
    def sha256(self) -> str:
        """Hash of ids and texts, 64 digits."""
        digest = hashlib.sha256()
        for id_, document in zip(self.ids.to_pylist(), self.documents, strict=True):
            digest.update(f"{id_}\0{document.title}\0{document.abstract}\0".encode())
        return digest.hexdigest()


def read_texts(store: GraphStore, ids: pa.StringArray, facet: str = "") -> Texts:
    """Texts of papers.

    Args:
        store: holds titles and abstracts.
        ids: distinct ids, ascending.
        facet: background, method or result: the abstract is that part of it, which may be empty
            (FLeW, section 3.3). Empty for the whole abstract.

    Raises:
        ConfigError: no such facet, or no abstract is split into facets.
        StoreError: papers are not in the store, or have neither title nor abstract.
    """
    if facet and facet not in FACETS:
        raise invalid_choice("facet", facet, FACETS)
    columns = {"id": "id", "title": "title", "abstract": facet or "abstract"}
    parts = [_SCHEMA.empty_table()]
    for batch in store.read_batches(query("training/documents")):
        rows = pa.table(batch)
        rows = rows.filter(pc.is_in(rows["id"].cast(pa.string()), value_set=ids))
        read = {name: rows[column].cast(pa.string()) for name, column in columns.items()}
        parts.append(pa.table({name: pc.fill_null(texts, "") for name, texts in read.items()}))
    table = pa.concat_tables(parts).sort_by("id")
    if table.num_rows < len(ids):
        absent = pc.invert(pc.is_in(ids, value_set=table["id"].combine_chunks()))
        example = ids.filter(absent)[0].as_py()
        raise StoreError(
            f"{len(ids) - table.num_rows:,} of {len(ids):,} papers of the triplets are not in "
            f"{store.location}, such as {example}; expected the store they were sampled from"
        )
    titles, abstracts = table["title"].to_pylist(), table["abstract"].to_pylist()
    documents = tuple(Document(*pair) for pair in zip(titles, abstracts, strict=True))
    if facet and not any(document.abstract for document in documents):
        raise ConfigError(
            f"none of {len(documents):,} abstracts has a part {facet}; run "
            "`platform text abstracts label` first"
        )
    empty = [k for k, d in enumerate(documents) if not f"{d.title} {d.abstract}".strip()]
    if empty:
        part = f"a part {facet} of the abstract" if facet else "abstract"
        remedy = ", with these papers in `--exclude`" if facet else ": sampling skips such papers"
        raise StoreError(
            f"{len(empty):,} papers of the triplets have neither title nor {part}, "
            f"such as {ids[empty[0]].as_py()}; sample again{remedy}"
        )
    return Texts(ids, documents, sum(not document.abstract for document in documents))


@dataclass(frozen=True)
class Tokens:
    """Token ids of texts, one after another."""

    flat: npt.NDArray[np.int32]
    """(tokens,)."""
    offsets: npt.NDArray[np.int64]
    """(texts + 1,): text i is flat[offsets[i] : offsets[i + 1]]."""

    def lengths(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """(rows,) number of tokens of some texts."""
        counts: npt.NDArray[np.int64] = self.offsets[rows + 1] - self.offsets[rows]
        return counts

    def pad(self, rows: npt.NDArray[Any], fill: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Token ids (B, T) of some texts, padded with `fill`, and mask (B, T): 1 for a token."""
        lengths = self.lengths(rows)
        mask = np.arange(lengths.max())[None] < lengths[:, None]  # (B, T)
        ids = np.full(mask.shape, fill, np.int64)
        starts = self.offsets[rows][:, None] + np.arange(mask.shape[1])[None]
        ids[mask] = self.flat[starts[mask]]
        return ids, mask.astype(np.int64)


def tokenise(texts: Texts, tokenizer: Any, settings: EncoderSettings) -> Tokens:
    """Token ids of the texts, as the encoder reads them.

    Args:
        texts: titles and abstracts.
        tokenizer: tokenizer of transformers.
        settings: form of the text and maximum number of tokens.
    """
    mark = separator(tokenizer) if settings.form == "sep" else ""
    strings = (document_text(document, settings.form, mark) for document in texts.documents)
    return tokenise_texts(tokenizer, strings, settings.max_tokens)


def tokenise_texts(tokenizer: Any, texts: Iterable[str], max_tokens: int, **options: Any) -> Tokens:
    """Token ids of texts.

    Args:
        tokenizer: tokenizer of transformers.
        texts: read once, so that not all token lists are in memory.
        max_tokens: maximum tokens per text; longer texts are cut.
        options: further options of the tokenizer.
    """
    lengths: list[int] = []
    parts: list[npt.NDArray[np.int32]] = [np.empty(0, np.int32)]
    remaining = iter(texts)
    while batch := list(islice(remaining, _SLICE)):
        ids = tokenizer(batch, truncation=True, max_length=max_tokens, **options)["input_ids"]
        lengths += map(len, ids)
        parts.append(np.concatenate([np.asarray(row, np.int32) for row in ids]))
    return Tokens(np.concatenate(parts), np.append(0, np.cumsum(lengths)).astype(np.int64))
