"""The texts of the papers in triplets, and their tokens as flat arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
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
"""Texts that are Python lists of tokens at one time."""


@dataclass(frozen=True)
class Texts:
    """Title and abstract of some papers."""

    ids: pa.StringArray
    """(papers,) ascending."""
    documents: tuple[Document, ...]
    titles_only: int
    """Papers without an abstract (or without that part of it)."""

    @property
    def sha256(self) -> str:
        """Of ids and texts, 64 digits."""
        digest = hashlib.sha256()
        for id_, document in zip(self.ids.to_pylist(), self.documents, strict=True):
            digest.update(f"{id_}\0{document.title}\0{document.abstract}\0".encode())
        return digest.hexdigest()


def read_texts(store: GraphStore, ids: pa.StringArray, facet: str = "") -> Texts:
    """Texts of the papers with these ids.

    Args:
        store: the graph.
        ids: ascending, each once.
        facet: background, method or result: title and that part of the abstract, which may be empty
            (FLeW, section 3.3); empty for the whole abstract.

    Raises:
        ConfigError: no such facet, or no abstract has been split.
        StoreError: papers are not in the store, or have neither title nor abstract.
    """
    if facet and facet not in FACETS:
        raise invalid_choice("facet", facet, FACETS)
    batches = store.read_batches(query("training/documents"))
    parts = [_wanted(pa.table(batch), ids, facet) for batch in batches]
    found = pa.concat_tables([_SCHEMA.empty_table(), *parts]).sort_by("id")
    if found.num_rows < len(ids):
        absent = pc.invert(pc.is_in(ids, value_set=found["id"].combine_chunks()))
        example = ids.filter(absent)[0].as_py()
        raise StoreError(
            f"{len(ids) - found.num_rows:,} of {len(ids):,} papers of the triplets are not in "
            f"{store.location}, {example} for one; expected the store they were sampled from"
        )
    titles, abstracts = found["title"].to_pylist(), found["abstract"].to_pylist()
    documents = tuple(Document(*pair) for pair in zip(titles, abstracts, strict=True))
    if facet and not any(document.abstract for document in documents):
        raise ConfigError(
            f"no abstract of these papers has a part {facet}; run "
            f"`platform text abstracts label` first"
        )
    _check_texts(ids, documents, facet)
    return Texts(ids, documents, sum(not document.abstract for document in documents))


def _wanted(rows: pa.Table, ids: pa.StringArray, facet: str) -> pa.Table:
    """`id`, `title`, `abstract` of those papers, empty where there is none."""
    kept = rows.filter(pc.is_in(rows["id"].cast(pa.string()), value_set=ids))
    names = {"id": "id", "title": "title", "abstract": facet or "abstract"}
    return pa.table(
        {name: pc.fill_null(kept[column].cast(pa.string()), "") for name, column in names.items()}
    )


def _check_texts(ids: pa.StringArray, documents: Sequence[Document], facet: str) -> None:
    texts = (f"{document.title} {document.abstract}" for document in documents)
    empty = [k for k, text in enumerate(texts) if not text.strip()]
    if empty:
        part = f"a part {facet} of the abstract" if facet else "abstract"
        remedy = "leave them out with `--exclude`" if facet else "which leaves them out"
        raise StoreError(
            f"{len(empty):,} papers of the triplets have neither title nor {part}, "
            f"{ids[empty[0]].as_py()} for one; sample again, {remedy}"
        )


@dataclass(frozen=True)
class Tokens:
    """Token ids of texts, one after another."""

    flat: npt.NDArray[np.int32]
    """(tokens,)."""
    offsets: npt.NDArray[np.int64]
    """(texts + 1,): text i is flat[offsets[i] : offsets[i + 1]]."""

    def lengths(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """(rows,) tokens of some texts."""
        starts, ends = self.offsets[rows], self.offsets[rows + 1]
        counts: npt.NDArray[np.int64] = ends - starts
        return counts

    def pad(self, rows: npt.NDArray[Any], fill: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Token ids (B, T) of some texts, T that of the longest, and mask (B, T): 1 for a token."""
        lengths = self.lengths(rows)
        mask = np.arange(lengths.max())[None] < lengths[:, None]  # (B, T)
        ids = np.full(mask.shape, fill, np.int64)
        starts = self.offsets[rows][:, None] + np.arange(mask.shape[1])[None]
        ids[mask] = self.flat[starts[mask]]
        return ids, mask.astype(np.int64)


def tokenise(texts: Texts, tokenizer: Any, settings: EncoderSettings) -> Tokens:
    """The tokens an encoder reads of each text; done once, whatever epochs and seeds follow."""
    mark = separator(tokenizer) if settings.form == "sep" else ""
    lengths: list[int] = []
    parts: list[npt.NDArray[np.int32]] = [np.empty(0, np.int32)]
    for start in range(0, len(texts.documents), _SLICE):
        written = [
            document_text(document, settings.form, mark)
            for document in texts.documents[start : start + _SLICE]
        ]
        found = tokenizer(written, truncation=True, max_length=settings.max_tokens)["input_ids"]
        lengths += map(len, found)
        parts.append(np.concatenate([np.asarray(row, np.int32) for row in found]))
    return Tokens(np.concatenate(parts), np.append(0, np.cumsum(lengths)).astype(np.int64))
