"""The texts of the papers in triplets, mapped from a file, and their tokens as flat arrays."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import (
    ConfigError,
    SourceError,
    StoreError,
    invalid_choice,
    library_reason,
)
from citescape.core.hashing import hash_texts
from citescape.core.mapped_rows import MappedRows
from citescape.core.outputs import naming_full_disk
from citescape.core.types import FACETS, Document
from citescape.encoders.documents import EncoderSettings, document_text, separator
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_SCHEMA = pa.schema({name: pa.string() for name in ("id", "title", "abstract")})
_SLICE = 4096
"""Number of texts that are Python objects at one time."""
_FLAT, _OFFSETS = "flat.npy", "offsets.npy"


class Texts:
    """Titles and abstracts of papers, read from a table when they are used."""

    def __init__(self, ids: pa.StringArray, table: pa.Table, rows: npt.NDArray[Any]) -> None:
        """Reads all texts once, for their hash and counts.

        Args:
            ids: (papers,) distinct ids, ascending.
            table: `title` and `abstract` without nulls; may be mapped from a file.
            rows: (papers,) the row of each paper.
        """
        self.ids = ids
        self._table, self._rows = MappedRows(table), rows
        digest = hashlib.sha256()
        self.titles_only = 0
        """Papers without an abstract (or without that part of it)."""
        self.without_text: list[str] = []
        """Ids of papers with neither title nor abstract."""
        for id_, document in zip(map(str, ids), self, strict=True):
            digest.update(f"{id_}\0{document.title}\0{document.abstract}\0".encode())
            self.titles_only += not document.abstract
            if not f"{document.title} {document.abstract}".strip():
                self.without_text.append(id_)
        self.sha256 = digest.hexdigest()
        """Hash of ids and texts, 64 digits."""

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Document]:
        """The documents in the order of their ids."""
        for documents in self.slices():
            yield from documents

    def slices(self) -> Iterator[list[Document]]:
        """The documents in the order of their ids, some thousands at a time."""
        for start in range(0, len(self), _SLICE):
            yield self.read(np.arange(start, min(start + _SLICE, len(self))))

    def read(self, papers: npt.NDArray[Any]) -> list[Document]:
        """Documents of some papers, by their positions in `ids`."""
        rows = self._rows[papers]
        order = np.argsort(rows)
        names = ("title", "abstract")
        taken = self._table.take(rows[order], names)
        documents = np.empty(len(rows), object)
        columns = (taken[name].to_pylist() for name in names)
        documents[order] = [Document(*pair) for pair in zip(*columns, strict=True)]
        return list(documents)


def read_texts(store: GraphStore, ids: pa.StringArray, folder: Path, facet: str = "") -> Texts:
    """Texts of papers, copied to an unlinked file, whose space is freed after their last use.

    Once they are read, the memory is that of the ids.

    Args:
        store: holds titles and abstracts.
        ids: one or more distinct ids, ascending.
        folder: where the file is; must exist.
        facet: background, method or result: the abstract is that part of it, which may be empty
            (FLeW, section 3.3). Empty for the whole abstract.

    Raises:
        ConfigError: no such facet, or no abstract is split into facets.
        OutputError: the disk is full.
        StoreError: papers are not in the store, or have neither title nor abstract.
    """
    if facet and facet not in FACETS:
        raise invalid_choice("facet", facet, FACETS)
    table = _copy_texts(store, ids, folder, facet or "abstract")
    rows = pc.index_in(ids, value_set=table["id"].combine_chunks())
    absent = ids.filter(pc.is_null(rows))
    if len(absent):
        raise StoreError(
            f"{len(absent):,} of {len(ids):,} papers of the triplets are not in "
            f"{store.location}, such as {absent[0].as_py()}; expected the store they were sampled "
            "from"
        )
    texts = Texts(ids, table, rows.to_numpy())
    if facet and texts.titles_only == len(texts):
        raise ConfigError(
            f"none of {len(texts):,} abstracts has a part {facet}; run "
            "`platform text abstracts label` first"
        )
    if texts.without_text:
        part = f"a part {facet} of the abstract" if facet else "abstract"
        remedy = ", with these papers in `--exclude`" if facet else ": sampling skips such papers"
        raise StoreError(
            f"{len(texts.without_text):,} papers of the triplets have neither title nor {part}, "
            f"such as {texts.without_text[0]}; sample again{remedy}"
        )
    return texts


def _copy_texts(store: GraphStore, ids: pa.StringArray, folder: Path, abstract: str) -> pa.Table:
    """Rows of these papers, perhaps of some others with the same hash."""
    hashes = np.sort(hash_texts(pa.chunked_array([ids])))
    columns = {"id": "id", "title": "title", "abstract": abstract}
    with naming_full_disk(folder), tempfile.TemporaryFile(dir=folder) as file:
        with pa.ipc.new_file(file, _SCHEMA) as writer:
            for batch in store.read_batches(query("training/documents")):
                rows = pa.table(
                    {
                        name: pc.fill_null(batch[column].cast(pa.string()), "")
                        for name, column in columns.items()
                    }
                )
                own = hash_texts(rows["id"])
                near = np.searchsorted(hashes, own)
                writer.write_table(rows.filter(hashes.take(near, mode="clip") == own))
        file.flush()
        mapped = np.memmap(file, np.uint8, "r")
    return pa.ipc.open_file(pa.py_buffer(mapped)).read_all()


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


def tokenise(texts: Texts, tokenizer: Any, settings: EncoderSettings) -> Iterator[Tokens]:
    """Token ids of the texts, as the encoder reads them, some thousands of texts at a time.

    Args:
        texts: titles and abstracts.
        tokenizer: tokenizer of transformers.
        settings: form of the text and maximum number of tokens.
    """
    mark = separator(tokenizer) if settings.form == "sep" else ""
    strings = (document_text(document, settings.form, mark) for document in texts)
    return tokenise_texts(tokenizer, strings, settings.max_tokens)


def tokenise_texts(
    tokenizer: Any, texts: Iterable[str], max_tokens: int, **options: Any
) -> Iterator[Tokens]:
    """Token ids of texts, some thousands of texts at a time.

    Args:
        tokenizer: tokenizer of transformers.
        texts: read as their tokens are used.
        max_tokens: maximum tokens per text; longer texts are cut.
        options: further options of the tokenizer.
    """
    remaining = iter(texts)
    while batch := list(islice(remaining, _SLICE)):
        rows = tokenizer(batch, truncation=True, max_length=max_tokens, **options)["input_ids"]
        flat = np.concatenate([np.asarray(row, np.int32) for row in rows])
        yield Tokens(flat, np.cumsum([0, *map(len, rows)], dtype=np.int64))


def join_tokens(parts: Iterable[Tokens]) -> Tokens:
    """Token ids of the texts of all parts, in memory."""
    flats, lengths = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
    for part in parts:
        flats.append(part.flat)
        lengths.append(np.diff(part.offsets))
    return Tokens(np.concatenate(flats), np.cumsum(np.concatenate(lengths)))


def write_tokens(folder: Path, parts: Iterable[Tokens]) -> int:
    """Writes token ids of the texts of all parts; one part is in memory at a time.

    Returns:
        Number of tokens.
    """
    lengths = [np.zeros(1, np.int64)]
    with (folder / _FLAT).open("wb") as file:
        _write_header(file, 0)
        for part in parts:
            file.write(part.flat.astype("<i4", copy=False).tobytes())
            lengths.append(np.diff(part.offsets))
        offsets = np.cumsum(np.concatenate(lengths))
        file.seek(0)
        _write_header(file, int(offsets[-1]))
    np.save(folder / _OFFSETS, offsets)
    return int(offsets[-1])


def _write_header(file: BinaryIO, tokens: int) -> None:
    """NumPy's header of an array (tokens,); it has the same length for every number."""
    header = {"descr": "<i4", "fortran_order": False, "shape": (tokens,)}
    np.lib.format.write_array_header_1_0(file, header)


def read_tokens(folder: Path) -> Tokens:
    """The token ids in a folder, memory-mapped.

    Raises:
        SourceError: a file is missing or damaged.
    """
    try:
        return Tokens(*(np.load(folder / name, mmap_mode="r") for name in (_FLAT, _OFFSETS)))
    except (OSError, ValueError, EOFError) as error:
        raise SourceError(
            str(folder),
            "no-tokens",
            f"expected arrays of token ids; found: {library_reason(error)}; move the folder away",
        ) from None
