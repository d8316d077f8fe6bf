"""Vectors of texts, each encoded once: only texts new to a growing library are encoded."""

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
"""Runs of this name have vectors of texts, by the hash of each text."""
_UNRECORDED = ("base", "parts", "weights")


@dataclass(frozen=True)
class ResolvedEncoder:
    """An encoder with its settings, which determine the vector of a text."""

    name: str
    """Folder or hub id."""
    sha256: str
    """SHA-256 of its files."""
    settings: EncoderSettings
    precision: str

    @classmethod
    def from_config(cls, config: EmbedConfig, runs: Path) -> ResolvedEncoder:
        """Resolves a configuration.

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
        """Settings for records of runs, with the encoder by its content, not by its name."""
        settings = {name: v for name, v in asdict(self.settings).items() if name not in _UNRECORDED}
        return {**settings, "precision": self.precision, "encoder": self.sha256}

    def load(self) -> DocumentEncoder:
        """Loads the encoder, to encode single texts."""
        return load_document_encoder(self.name, self.settings, precision=self.precision)


def digest_documents(documents: Sequence[Document]) -> pa.StringArray:
    """(n,) 32 hex digits of each text; empty for an empty text."""
    digests = []
    for document in documents:
        text = repr((document.title, document.abstract)).encode()
        digest = hashlib.blake2b(text, digest_size=16).hexdigest()
        digests.append(digest if document.title.strip() or document.abstract.strip() else "")
    return pa.array(digests, pa.string())


def encode_documents(
    documents: Sequence[Document],
    encoder: ResolvedEncoder,
    *,
    runs: Path,
    into: Path | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> npt.NDArray[np.float32]:
    """(n, d) raw vectors of texts; zeros for empty texts.

    Vectors of texts that were encoded the same way before are read from runs; the others are
    encoded in a run, which resumes after an interruption.

    Args:
        documents: n texts.
        encoder: encoder and its settings.
        runs: folder of run directories.
        into: file (.npy) for the result, which then stays on disk; None for memory.
        threads: threads of torch; 0 leaves them as they are.
        progress: called with the number of encoded texts.

    Raises:
        ConfigError: the encoder cannot be loaded.
    """
    encode_new(documents, encoder, runs=runs, threads=threads, progress=progress)
    digests = digest_documents(documents)
    encoded = list(_find_encoded(encoder, runs))
    dimensions = encoded[-1].dimensions if encoded else encoder.load().dimensions
    shape = (len(documents), dimensions)
    if into is None:
        vectors = np.zeros(shape, np.float32)
    else:
        vectors = np.lib.format.open_memmap(into, mode="w+", dtype=np.float32, shape=shape)
    missing = pc.not_equal(digests, "").to_numpy(zero_copy_only=False).copy()
    for known in encoded:
        rows = known.rows(digests)
        filled = np.flatnonzero((rows != NONE) & missing)
        for part in slices(len(filled)):
            vectors[filled[part]] = known.values[rows[filled[part]]]
        missing[filled] = False
    if missing.any():
        raise SourceError(
            str(runs),
            "no-vectors",
            f"expected vectors of {len(documents):,} texts; {int(missing.sum()):,} are missing: "
            f"runs `{COMMAND}-...` may have been removed; run the command again",
        )
    return vectors


def encode_new(
    documents: Sequence[Document],
    encoder: ResolvedEncoder,
    *,
    runs: Path,
    threads: int = 0,
    progress: Progress = silent,
) -> None:
    """Encodes the texts that no run has vectors of, each once, in a run of their own.

    Args:
        documents: texts.
        encoder: encoder and its settings.
        runs: folder of run directories.
        threads: threads of torch; 0 leaves them as they are.
        progress: called with the number of encoded texts and the remaining time.

    Raises:
        ConfigError: the encoder cannot be loaded.
    """
    new = find_new(documents, encoder, runs)
    if not new:
        return
    ids = sorted(new)
    corpus = make_corpus(pa.array(ids, pa.string()), [new[digest] for digest in ids])
    config = EmbedConfig(
        encoder=encoder.name,
        form=encoder.settings.form,
        pooling=encoder.settings.pooling,
        max_tokens=encoder.settings.max_tokens,
        precision=encoder.precision,
        threads=threads,
    )
    embed(corpus, config, runs=runs, command=COMMAND, progress=progress)


def find_new(
    documents: Sequence[Document], encoder: ResolvedEncoder, runs: Path
) -> dict[str, Document]:
    """Texts without a vector by their digests."""
    new = dict(zip(digest_documents(documents).to_pylist(), documents, strict=True))
    new.pop("", None)
    for known in _find_encoded(encoder, runs):
        ids = pa.array(list(new), pa.string())
        for digest in ids.filter(pa.array(find_rows(ids, known.ids) != NONE)).to_pylist():
            del new[digest]
    return new


def _find_encoded(encoder: ResolvedEncoder, runs: Path) -> Iterator[Vectors]:
    """Vectors of all runs with the same encoder and settings."""
    settings = encoder.describe()
    for record, path in list_runs(runs, COMMAND):
        recorded = {**record.config, "encoder": record.inputs.get("encoder")}
        if recorded.items() >= settings.items():  # a record may have more settings
            find_finished(runs, record.id)  # removes leftovers of a process killed at the very end
            yield read_vectors(path)
