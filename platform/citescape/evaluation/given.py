"""Systems that published benchmarks measure: files of embeddings, or encoders to make them."""

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
from citescape.embeddings.encoded import Encoded, read_encoded
from citescape.embeddings.graph_embed import COMMAND as GRAPH
from citescape.embeddings.steps import EmbedConfig
from citescape.papers.documents import Corpus
from citescape.ranking.names import name_systems
from citescape.ranking.registry import DEFAULT, ENCODING, KINDS
from citescape.runs.directory import Stopwatch, find_run, read_command

Encodings = Encoded | Mapping[str, Encoded]
"""Embeddings of all papers; or of groups of tasks, or tasks, by name."""


@dataclass(frozen=True)
class Given:
    """One system."""

    name: str
    origin: Mapping[str, str]
    """File -> SHA-256 of its bytes, or `run` -> id."""
    read: Callable[[], Encodings]


@dataclass(frozen=True)
class SystemSources:
    """Where systems are found."""

    runs: Path
    texts: Callable[[], Corpus]
    """Titles and abstracts of the benchmark, for encoders."""
    open: Callable[[Path], Encodings] = read_encoded
    """Reads a file or folder of embeddings."""
    is_embeddings: Callable[[Path], bool] = Path.is_file
    """Whether a path is such, and no encoder."""
    max_tokens: int = 0
    """Read of a text; 0 for the encoder's own."""
    progress: Progress = silent
    clock: Stopwatch = field(default_factory=Stopwatch)
    """Times the encoding of texts."""


def find_given(named: Sequence[str], sources: SystemSources) -> list[Given]:
    """Systems by `NAME=WHAT` or WHAT: embeddings, a run of `platform embed`, or an encoder.

    Encoders encode the texts of the benchmark once all else is found; files are read when they
    are needed.

    Raises:
        ConfigError: there is no such thing, or two systems have one name.
        SourceError: the texts cannot be read.
    """
    if not named:
        raise ConfigError("expected at least one file of embeddings, or an encoder")
    names = name_systems(named)
    made = {name: _find(name, told, sources) for name, told in names.items()}
    return [made[name] or _encode(name, told, sources) for name, told in names.items()]


def _find(title: str, told: str, sources: SystemSources) -> Given | None:
    """None for an encoder."""
    path = Path(told)
    run = find_run(sources.runs, told)
    if run and read_command(run) in (EMBED, GRAPH):
        return Given(title, {"run": told}, lambda: read_encoded(run))
    if sources.is_embeddings(path):
        return Given(title, hash_files(_list_files(path), path), lambda: sources.open(path))
    if path.suffix in (".jsonl", ".gz", ".npy", ".parquet"):
        raise ConfigError(f"no file {told}; expected embeddings of papers")
    if told in KINDS and told != DEFAULT:
        raise ConfigError(
            f"{told} ranks the papers of a corpus and embeds none; expected embeddings of papers, "
            f"or an encoder such as {DEFAULT}"
        )
    return None


def _encode(title: str, told: str, sources: SystemSources) -> Given:
    encoder = "" if told == DEFAULT else told
    config = EmbedConfig(encoder=encoder, max_tokens=sources.max_tokens)
    texts, progress = sources.texts(), sources.progress
    with sources.clock.timed(ENCODING):
        made = embed(texts, config, runs=sources.runs, command="encode", progress=progress)
    encoded = Encoded(made.vectors, pa.array([], pa.string()), made.run)
    return Given(title, {"run": made.run}, lambda: encoded)


def hash_files(paths: Iterable[Path], root: Path) -> dict[str, str]:
    """File, as seen from a folder -> SHA-256 of its bytes."""
    found = {}
    for path in paths:
        with path.open("rb") as file:
            name = path.name if path == root else str(path.relative_to(root))
            found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def _list_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(one for one in path.iterdir() if one.is_file())
