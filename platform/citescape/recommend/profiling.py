"""Computes profiles of all papers of a library, and updates them when it changes."""

from __future__ import annotations

import hashlib
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
from citescape.recommend.encoding import (
    ResolvedEncoder,
    digest_documents,
    encode_documents,
    encode_new,
)
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.library import PAPER_COLUMNS, Library
from citescape.recommend.neighbourhoods import InwardNeighbourhoods
from citescape.recommend.profiler import ProfileWeights, build_profiles
from citescape.recommend.profiles import (
    BASE,
    CONTEXT_WORDS,
    CONTEXTS,
    PAIRS,
    PAPER_WORDS,
    PAPERS,
    PROFILES,
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
    """Weights and encoder of profiles."""

    weights: ProfileWeights = field(default_factory=ProfileWeights)
    encoder: EmbedConfig = field(default_factory=lambda: EmbedConfig(max_tokens=128))
    """Nearly every context has at most 128 tokens; abstracts are cut."""


def make_profiles(
    library: Library,
    config: ProfileConfig | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> ProfileRun:
    """Computes profiles of the papers of a library and stores them as a run.

    If a run has profiles of an earlier state of the library, only those with changed input are
    computed; the result equals a full build, bit for bit.

    Args:
        library: papers and contexts, without the contexts that are to be evaluated.
        config: weights and encoder.
        runs: folder of run directories.
        progress: called with the name of each stage as it begins.

    Raises:
        ConfigError: no such encoder; `runs` is not writable.
        SourceError: an array of an earlier run is damaged.
    """
    config = config or ProfileConfig()
    encoder = ResolvedEncoder.from_config(config.encoder, runs)

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        return _write(
            directory.path, library, config, encoder, runs=runs, clock=clock, progress=progress
        )

    settings = _settings(config, encoder)
    inputs = {"encoder": settings.pop("encoder"), "library": library.hash()}
    return compute_run(
        ProfileRun,
        runs,
        settings,
        inputs,
        fill=fill,
        recorded={"encoder": encoder.name},
        libraries=_LIBRARIES,
    )


def _settings(config: ProfileConfig, encoder: ResolvedEncoder) -> dict[str, Any]:
    weights = config.weights
    mixed = {"alpha": weights.alpha, "beta": weights.beta, "contexts": weights.contexts}
    return {**mixed, **encoder.describe()}


def _write(
    folder: Path,
    library: Library,
    config: ProfileConfig,
    encoder: ResolvedEncoder,
    *,
    runs: Path,
    clock: Stopwatch,
    progress: Progress,
) -> dict[str, int]:
    """Fills the folder of the run; returns its figures."""
    worded, texts = read_texts(library.contexts)
    cited_by = InwardNeighbourhoods.from_contexts(library.contexts, library.ids, worded)
    documents = library.documents

    with clock.timed("encode"):
        sentences, threads = [Document("", text) for text in texts], config.encoder.threads
        encode_new(  # together: one remaining time for all
            [*documents, *sentences], encoder, runs=runs, threads=threads, progress=progress
        )
        base, contexts = (
            encode_documents(batch, encoder, runs=runs, into=folder / name)
            for batch, name in ((documents, BASE), (sentences, CONTEXTS))
        )

    progress("computing profiles")
    with clock.timed("profiles"):
        own = _hash(library.ids, digest_documents(documents))
        prints = _fingerprint(own, _hash(worded, pa.array(texts, pa.string())), cited_by)
        profiles, missing = np.empty(base.shape, np.float32), np.arange(len(base))
        earlier = next(iter(list_alike(config, encoder, runs)), None)
        if earlier is not None:
            rows = find_rows(library.ids, earlier.ids)
            known = np.append(earlier.papers["print"].to_numpy(), np.uint64(0))
            same = (rows != NONE) & (known[rows] == prints)
            profiles[same], missing = earlier.profiles[rows[same]], np.flatnonzero(~same)
        profiles[missing] = build_profiles(
            base, contexts, cited_by, weights=config.weights, papers=missing
        )
        np.save(folder / PROFILES, profiles)

    progress("counting words")
    with clock.timed("words"):
        lexicon = Lexicon.from_texts(documents, texts, cited_by)
        pq.write_table(pa.table({"word": pa.array(lexicon.words, pa.string())}), folder / WORDS)
        for name, counts in ((PAPER_WORDS, lexicon.own), (CONTEXT_WORDS, lexicon.contexts)):
            save_npz(folder / name, counts, compressed=False)

    citing = cited_by.count_citing()
    papers = library.papers.select(PAPER_COLUMNS).append_column("cited_by", pa.array(citing))
    pq.write_table(papers.append_column("print", pa.array(prints)), folder / PAPERS)
    rows = pa.array(find_rows(library.contexts.pairs["context"], worded), pa.int32())
    pq.write_table(library.contexts.pairs.append_column("row", rows), folder / PAIRS)
    return {
        "papers": len(citing),
        "profiled": int((citing > 0).sum()),
        "computed": len(missing),
        "contexts": len(library.contexts),
        "wordless_contexts": len(library.contexts) - len(worded),
        "citing": len(library.contexts.citing),
        "dimensions": base.shape[1],
    }


def _fingerprint(own: Prints, contexts: Prints, cited_by: InwardNeighbourhoods) -> Prints:
    """(papers,) hashes of the input of each profile, from those of ids and texts."""
    contexts = np.append(contexts, np.uint64(0))  # -1, a context without words, is the last
    with np.errstate(over="ignore"):
        edges = _mix(own[cited_by.citing] ^ _mix(contexts[cited_by.contexts]))
        sums = np.append(np.uint64(0), np.cumsum(edges, dtype=np.uint64))
        prints: Prints = _mix(own) + sums[cited_by.indptr[1:]] - sums[cited_by.indptr[:-1]]
    return prints


def _hash(ids: pa.StringArray, texts: pa.StringArray) -> Prints:
    pairs = zip(ids.to_pylist(), texts.to_pylist(), strict=True)
    digests = (hashlib.blake2b(repr(pair).encode(), digest_size=8).digest() for pair in pairs)
    return np.frombuffer(b"".join(digests), np.uint64)


def _mix(values: Prints) -> Prints:
    """Scrambles bits (splitmix64), so that sums of hashes identify the summands."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    scrambled: Prints = mixed ^ (mixed >> np.uint64(31))
    return scrambled


def list_alike(config: ProfileConfig, encoder: ResolvedEncoder, runs: Path) -> list[ProfileRun]:
    """Profiles of any library with the same weights and encoder, the latest first.

    Args:
        config: weights.
        encoder: encoder and its settings.
        runs: folder of run directories.
    """
    settings = _settings(config, encoder)
    sha256 = settings.pop("encoder")
    alike = []
    for record, path in reversed(list_runs(runs, ProfileRun.command)):
        inputs = {**record.inputs, "encoder": sha256}
        if record.id == run_id(ProfileRun.command, settings, inputs):
            alike.append(ProfileRun(path, record))
    return alike
