"""Systems for published benchmarks: files of embeddings, runs, or encoders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.embeddings.embed import COMMAND as EMBED
from citescape.embeddings.embed import embed
from citescape.embeddings.graph_embed import COMMAND as GRAPH
from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings
from citescape.embeddings.steps import EmbedConfig
from citescape.papers.documents import DocumentCorpus
from citescape.ranking.names import name_systems
from citescape.ranking.registry import DEFAULT, ENCODING, KINDS
from citescape.runs.directory import Stopwatch, find_run, read_command

EmbeddingSet = PaperEmbeddings | Mapping[str, PaperEmbeddings]
"""Embeddings of all papers, or by name of a task or a group of tasks."""


@dataclass(frozen=True)
class EmbeddingSystem:
    """Embeddings to evaluate, which are read on demand."""

    name: str
    origin: Mapping[str, str]
    """File -> SHA-256 of its bytes, or `run` -> id."""
    read: Callable[[], EmbeddingSet]


@dataclass(frozen=True)
class SystemSources:
    """Inputs for opening systems."""

    runs: Path
    texts: Callable[[], DocumentCorpus]
    """Reads titles and abstracts of the benchmark, for encoders."""
    open: Callable[[Path], EmbeddingSet] = read_paper_embeddings
    """Reads a file or folder of embeddings."""
    is_embeddings: Callable[[Path], bool] = Path.is_file
    """Whether a path contains embeddings, not an encoder."""
    max_tokens: int = 0
    """Maximum tokens per text; 0 for the limit of the encoder."""
    progress: Progress = silent
    clock: Stopwatch = field(default_factory=Stopwatch)
    """Times the encoding of texts."""


def open_systems(named: Sequence[str], sources: SystemSources) -> list[EmbeddingSystem]:
    """Opens `NAME=SYSTEM` or SYSTEM: embeddings, a run of `platform embed`, or an encoder.

    All names are resolved before encoders encode the texts of the benchmark. Files are read on
    demand.

    Raises:
        ConfigError: no such system, or two systems have the same name.
        SourceError: the texts cannot be read.
    """
    if not named:
        raise ConfigError("expected at least one file of embeddings, or an encoder")
    names = name_systems(named)
    opened = {name: _find(name, system, sources) for name, system in names.items()}
    return [opened[name] or _encode(name, system, sources) for name, system in names.items()]


def _find(name: str, system: str, sources: SystemSources) -> EmbeddingSystem | None:
    """A run or files of embeddings; None for an encoder."""
    path = Path(system)
    run = find_run(sources.runs, system)
    if run and read_command(run) in (EMBED, GRAPH):
        return EmbeddingSystem(name, {"run": system}, lambda: read_paper_embeddings(run))
    if sources.is_embeddings(path):
        paths = [path] if path.is_file() else sorted(path.iterdir())
        files = [file for file in paths if file.is_file()]
        return EmbeddingSystem(name, hash_files(files, path), lambda: sources.open(path))
    if path.suffix in (".jsonl", ".gz", ".npy", ".parquet"):
        raise ConfigError(f"no file {system}; expected embeddings of papers")
    if system in KINDS and system != DEFAULT:
        raise ConfigError(
            f"{system} is a ranker without embeddings; expected embeddings of papers, or an "
            f"encoder such as {DEFAULT}"
        )
    return None


def _encode(name: str, system: str, sources: SystemSources) -> EmbeddingSystem:
    encoder = "" if system == DEFAULT else system
    config = EmbedConfig(encoder=encoder, max_tokens=sources.max_tokens)
    texts, progress = sources.texts(), sources.progress
    with sources.clock.timed(ENCODING):
        run = embed(texts, config, runs=sources.runs, command="encode", progress=progress)
    embeddings = PaperEmbeddings(run.vectors, pa.array([], pa.string()), run.run)
    return EmbeddingSystem(name, {"run": run.run}, lambda: embeddings)


def hash_files(paths: Iterable[Path], root: Path) -> dict[str, str]:
    """Path relative to a folder -> SHA-256 of the file's bytes."""
    hashes = {}
    for path in paths:
        with path.open("rb") as file:
            name = path.name if path == root else str(path.relative_to(root))
            hashes[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes
