"""Vectors of texts, each encoded once: what a growing library adds is encoded, the rest is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.extras import require
from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.core.types import Document
from citescape.embeddings.embed import embed
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import DocumentEncoder, EncoderSettings
from citescape.encoders.pretrained import resolve_precision
from citescape.encoders.saved import (
    encoder_settings,
    find_document_encoder,
    hash_document_encoder,
    load_document_encoder,
)
from citescape.papers.documents import make_corpus
from citescape.runs.directory import find_finished, list_runs
from citescape.runs.step import name_runs
from citescape.search.ranker import NONE
from citescape.search.vectors import Vectors, read_vectors, slices

COMMAND = "texts"
"""Runs of it are lots: the texts that were new when they were asked for, by the hash of each."""
_OWN = ("base", "parts", "weights")


@dataclass(frozen=True)
class Reading:
    """An encoder and how it reads: what decides the vector of a text."""

    name: str
    """Folder or hub id."""
    sha256: str
    """Of its files."""
    settings: EncoderSettings
    precision: str

    @classmethod
    def of(cls, config: EmbedConfig, runs: Path) -> Reading:
        """What a configuration means here.

        Raises:
            ConfigError: no such encoder, form, pooling or precision; torch is not installed.
        """
        require("torch", "transformers")
        name = find_document_encoder(runs, name_runs(config.encoder))
        settings = encoder_settings(name, form=config.form, pooling=config.pooling)
        if config.max_tokens:
            settings = replace(settings, max_tokens=config.max_tokens)
        return cls(name, hash_document_encoder(name), settings, resolve_precision(config.precision))

    def describe(self) -> dict[str, str | int]:
        """For the records of runs: the encoder by its content, not by its name."""
        told = {name: value for name, value in asdict(self.settings).items() if name not in _OWN}
        return {**told, "precision": self.precision, "encoder": self.sha256}

    def load(self) -> DocumentEncoder:
        """The encoder itself, for a few texts more."""
        return load_document_encoder(self.name, self.settings, precision=self.precision)


def digest_documents(documents: Sequence[Document]) -> pa.StringArray:
    """(n,) 32 hex digits of each text; empty where there is nothing to read."""
    return pa.array([_digest(document) for document in documents], pa.string())


def _digest(document: Document) -> str:
    if not (document.title.strip() or document.abstract.strip()):
        return ""
    text = repr((document.title, document.abstract)).encode()
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def encode_documents(
    documents: Sequence[Document],
    reading: Reading,
    *,
    runs: Path,
    into: Path | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> npt.NDArray[np.float32]:
    """(n, d) raw vectors of texts; zeros where there is nothing to read.

    Texts that were read the same way before are looked up; the others are encoded as a run, which
    may be interrupted and goes on.

    Args:
        documents: n of them.
        reading: by what, and how.
        runs: folder of run directories.
        into: file (.npy) that holds the result in place of memory.
        threads: of torch; 0 leaves them as they are.
        progress: told how many texts are encoded.

    Raises:
        ConfigError: the encoder cannot be loaded.
    """
    digests = digest_documents(documents)
    _encode_missing(digests, documents, reading, runs=runs, threads=threads, progress=progress)
    lots = list(_find_lots(reading, runs))
    dimensions = lots[-1].dimensions if lots else reading.load().dimensions
    found = _allocate(into, (len(documents), dimensions))
    missing = pc.not_equal(digests, "").to_numpy(zero_copy_only=False).copy()
    for lot in lots:
        rows = lot.rows(digests)
        held = np.flatnonzero((rows != NONE) & missing)
        for part in slices(len(held)):
            found[held[part]] = lot.values[rows[held[part]]]
        missing[held] = False
    if missing.any():
        raise SourceError(
            str(runs),
            "no-vectors",
            f"expected vectors of {len(documents):,} texts; {int(missing.sum()):,} have none: "
            f"were runs `{COMMAND}-...` removed meanwhile? Run the command again",
        )
    return found


def _allocate(into: Path | None, shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    if into is None:
        return np.zeros(shape, np.float32)
    return np.lib.format.open_memmap(into, mode="w+", dtype=np.float32, shape=shape)


def _find_lots(reading: Reading, runs: Path) -> Iterator[Vectors]:
    """What was read this way before."""
    wanted = reading.describe()
    for record, path in list_runs(runs, COMMAND):
        told = {**record.config, "encoder": record.inputs.get("encoder")}
        if told.items() >= wanted.items():  # a record may tell more of how its run was made
            find_finished(runs, record.id)  # removes what a kill at the very end left
            yield read_vectors(path)


def _encode_missing(
    digests: pa.StringArray,
    documents: Sequence[Document],
    reading: Reading,
    *,
    runs: Path,
    threads: int,
    progress: Progress,
) -> None:
    missing = {
        digest: document
        for digest, document in zip(digests.to_pylist(), documents, strict=True)
        if digest
    }
    for lot in _find_lots(reading, runs):
        ids = pa.array(list(missing), pa.string())
        for held in ids.filter(pa.array(find_rows(ids, lot.ids) != NONE)).to_pylist():
            del missing[held]
    if not missing:
        return
    ids = sorted(missing)
    corpus = make_corpus(pa.array(ids, pa.string()), [missing[digest] for digest in ids])
    settings = reading.settings
    config = EmbedConfig(
        encoder=reading.name,
        form=settings.form,
        pooling=settings.pooling,
        max_tokens=settings.max_tokens,
        precision=reading.precision,
        threads=threads,
    )
    embed(corpus, config, runs=runs, command=COMMAND, progress=progress)
