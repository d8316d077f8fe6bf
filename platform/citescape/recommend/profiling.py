"""From a library to profiles of all its papers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.sparse import save_npz

from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.core.types import Document
from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.encoding import Reading, digest_documents, encode_documents
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.library import PAPER_COLUMNS, Library
from citescape.recommend.neighbourhoods import Neighbourhoods
from citescape.recommend.profiler import ProfileWeights, Vectors, build_profiles
from citescape.recommend.profiles import (
    BASE,
    CONTEXTS,
    OWN,
    PAIRS,
    PAPERS,
    PROFILES,
    SAID,
    WORDS,
    ProfileRun,
)
from citescape.recommend.texts import read_texts
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
    list_runs,
    run_id,
)
from citescape.runs.kept import compute_run
from citescape.search.ranker import NONE

_LIBRARIES = ("citescape", "numpy", "scipy", "torch", "transformers")
Prints = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class ProfileConfig:
    """What profiles are made by."""

    weights: ProfileWeights = field(default_factory=ProfileWeights)
    encoder: EmbedConfig = field(default_factory=lambda: EmbedConfig(max_tokens=128))
    """128 tokens hold nearly every context; abstracts are cut there."""


@dataclass(frozen=True, eq=False)
class _Material:
    """What profiles are made of."""

    library: Library
    reading: Reading
    documents: Sequence[Document]
    """(papers,)"""
    ids: pa.StringArray
    """(contexts,) of those with words, ascending."""
    texts: Sequence[str]
    """(contexts,)"""
    cited_by: Neighbourhoods

    @classmethod
    def of(cls, library: Library, reading: Reading) -> _Material:
        ids, texts = read_texts(library.contexts)
        cited_by = Neighbourhoods.of(library.contexts, library.ids, ids)
        return cls(library, reading, library.documents, ids, texts, cited_by)


def make_profiles(
    library: Library,
    config: ProfileConfig | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> ProfileRun:
    """Profiles of the papers of a library; made once, and kept as a run.

    Where there are profiles of an earlier state of the library, only those are made anew whose
    paper is cited otherwise now; the result is that of a full build, bit for bit.

    Args:
        library: papers and contexts; those that are to be found out must not be among them.
        config: weights and encoder.
        runs: folder of run directories.
        progress: told what is being done.

    Raises:
        ConfigError: no such encoder; nothing can be written to `runs`.
        SourceError: an array of an earlier run is damaged.
    """
    config = config or ProfileConfig()
    reading = Reading.of(config.encoder, runs)

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        return _write(
            directory.path, (library, reading, config), runs=runs, clock=clock, progress=progress
        )

    settings = _settings(config, reading)
    inputs = {"encoder": settings.pop("encoder"), "library": library.hash()}
    return compute_run(
        ProfileRun,
        runs,
        settings,
        inputs,
        fill=fill,
        recorded={"encoder": reading.name},
        libraries=_LIBRARIES,
    )


def _settings(config: ProfileConfig, reading: Reading) -> dict[str, Any]:
    weights = config.weights
    mixed = {"alpha": weights.alpha, "beta": weights.beta, "contexts": weights.contexts}
    return {**mixed, **reading.describe()}


def _write(
    folder: Path,
    asked: tuple[Library, Reading, ProfileConfig],
    *,
    runs: Path,
    clock: Stopwatch,
    progress: Progress,
) -> dict[str, int]:
    """Fills the run's folder; returns its figures."""
    library, reading, config = asked
    material = _Material.of(library, reading)
    with clock.timed("encode"):
        vectors = _encode(folder, material, config, runs=runs, progress=progress)
    progress("making profiles")
    with clock.timed("profiles"):
        prints = _fingerprint(material)
        earlier = next(iter(list_alike(config, reading, runs)), None)
        profiles, made = _profile(material, vectors, prints, config=config, earlier=earlier)
        np.save(folder / PROFILES, profiles)
    progress("reading words")
    with clock.timed("words"):
        _write_lexicon(folder, material)
    cited_by = material.cited_by.count_citing()
    papers = library.papers.select(PAPER_COLUMNS)
    papers = papers.append_column("cited_by", pa.array(cited_by))
    pq.write_table(papers.append_column("print", pa.array(prints)), folder / PAPERS)
    rows = pa.array(find_rows(library.contexts.pairs["context"], material.ids), pa.int32())
    pq.write_table(library.contexts.pairs.append_column("row", rows), folder / PAIRS)
    return {
        "papers": len(cited_by),
        "profiled": int((cited_by > 0).sum()),
        "made": made,
        "contexts": len(library.contexts),
        "wordless_contexts": len(library.contexts) - len(material.ids),
        "citing": len(library.contexts.citing),
        "dimensions": vectors[0].shape[1],
    }


def _encode(
    folder: Path, material: _Material, config: ProfileConfig, *, runs: Path, progress: Progress
) -> tuple[Vectors, Vectors]:
    """Vectors of papers and of contexts, on disk."""
    texts = [Document("", text) for text in material.texts]
    both = ((material.documents, BASE), (texts, CONTEXTS))
    base, contexts = (
        encode_documents(
            documents,
            material.reading,
            runs=runs,
            into=folder / name,
            threads=config.encoder.threads,
            progress=progress,
        )
        for documents, name in both
    )
    return base, contexts


def _fingerprint(material: _Material) -> Prints:
    """(papers,) of all that a paper's profile is made of: 0 changes are 0 changes of the print."""
    edges, ids = material.cited_by, material.library.ids
    own = _hash(ids, digest_documents(material.documents))
    said = np.append(_hash(material.ids, pa.array(material.texts, pa.string())), np.uint64(0))
    with np.errstate(over="ignore"):
        each = _mix(own[edges.citing] ^ _mix(said[edges.contexts]))
        sums = np.append(np.uint64(0), np.cumsum(each, dtype=np.uint64))
        found: Prints = _mix(own) + sums[edges.indptr[1:]] - sums[edges.indptr[:-1]]
    return found


def _hash(ids: pa.StringArray, texts: pa.StringArray) -> Prints:
    told = zip(ids.to_pylist(), texts.to_pylist(), strict=True)
    digests = (hashlib.blake2b(repr(one).encode(), digest_size=8).digest() for one in told)
    return np.frombuffer(b"".join(digests), np.uint64)


def _mix(values: Prints) -> Prints:
    """Scrambles bits (splitmix64), so that sums of hashes tell what was added up."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    found: Prints = mixed ^ (mixed >> np.uint64(31))
    return found


def list_alike(config: ProfileConfig, reading: Reading, runs: Path) -> list[ProfileRun]:
    """Profiles that were made the same way, of whatever library; the latest first."""
    settings = _settings(config, reading)
    encoder = settings.pop("encoder")
    found = []
    for record, path in reversed(list_runs(runs, ProfileRun.command)):
        inputs = {**record.inputs, "encoder": encoder}
        if record.id == run_id(ProfileRun.command, settings, inputs):
            found.append(ProfileRun(path, record))
    return found


def _profile(
    material: _Material,
    vectors: tuple[Vectors, Vectors],
    prints: Prints,
    *,
    config: ProfileConfig,
    earlier: ProfileRun | None,
) -> tuple[Vectors, int]:
    """(papers, d) profiles, and how many of them were not there before."""
    base, contexts = vectors
    found = np.empty(base.shape, np.float32)
    missing = np.arange(len(base))
    if earlier is not None:
        rows = find_rows(material.library.ids, earlier.ids)
        known = np.append(earlier.papers["print"].to_numpy(), np.uint64(0))
        same = (rows != NONE) & (known[rows] == prints)
        found[same], missing = earlier.profiles[rows[same]], np.flatnonzero(~same)
    found[missing] = build_profiles(
        base, contexts, material.cited_by, weights=config.weights, papers=missing
    )
    return found, len(missing)


def _write_lexicon(folder: Path, material: _Material) -> None:
    lexicon = Lexicon.of(material.documents, material.texts, material.cited_by)
    pq.write_table(pa.table({"word": pa.array(lexicon.words, pa.string())}), folder / WORDS)
    for name, counts in ((OWN, lexicon.own), (SAID, lexicon.said)):
        save_npz(folder / name, counts, compressed=False)
