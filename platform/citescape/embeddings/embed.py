"""Encodes a corpus: raw vectors of titles and abstracts as a run directory.

Equal texts are encoded once; texts of similar length share a chunk, and each chunk is saved when it
is done. An interrupted encoding continues where it stopped and ends with the same bytes.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from citescape.core.extras import require
from citescape.core.progress import Progress, describe_remaining, silent
from citescape.embeddings.journal import Journal, open_journal
from citescape.embeddings.s2ag_vectors import match_vectors
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import DocumentEncoder, EncoderSettings
from citescape.encoders.pretrained import resolve_precision
from citescape.encoders.saved import (
    encoder_settings,
    find_document_encoder,
    hash_document_encoder,
    load_document_encoder,
    read_adapter,
)
from citescape.encoders.threads import limit_threads
from citescape.papers.documents import ABSTRACT, TITLE, DocumentCorpus
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
    check_writable,
    find_run,
    read_run,
    run_id,
)
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Summary, plural
from citescape.runs.step import name_runs
from citescape.search.graph_vectors import WrittenVectors
from citescape.search.vectors import (
    Vectors,
    hash_vector_file,
    read_vectors,
    slices,
    write_rows,
    write_vectors,
)
from citescape.store.graph_store import GraphStore

COMMAND = "embed"
_CHUNK = 1024
"""Maximum number of texts per chunk. An interruption loses at most one chunk."""
_CHUNK_CHARACTERS = 1 << 16
"""Maximum number of characters per chunk, unless one text has more: some four seconds of a core
with MiniLM. Texts of equal length share a batch: the more texts, the fuller the batches."""
_TOKEN = 4
"""Characters per token, to estimate how much of a text is read."""


@dataclass(frozen=True)
class Embedded(KeptRun):
    """Vectors of papers: vectors.npy, papers.parquet, run.json."""

    command: ClassVar[str] = COMMAND
    noun: ClassVar[str] = "vectors of texts"

    written: WrittenVectors | None = None
    """Numbers of vectors written to the graph; None if nothing was written."""

    @property
    def vectors(self) -> Vectors:
        """Memory-mapped, with `text` of each paper."""
        return read_vectors(self.path)

    @property
    def arrow(self) -> pa.Table:
        """A row per paper: `id`, `text` (title, abstract or both), `vector`."""
        vectors = self.vectors
        flat = pa.array(vectors.values.ravel())
        values = pa.FixedSizeListArray.from_arrays(flat, vectors.dimensions)
        return vectors.papers.append_column("vector", values)

    def summarise(self) -> Summary:
        """Number and kind of the vectors, and changes of the graph."""
        counts, config, written = self.record.counts, self.record.config, self.written
        state = "unchanged" if self.unchanged else f"{self.record.seconds:,.0f} s"
        encoder, is_file = config["encoder"], "form" not in config
        name = Path(encoder).name if Path(encoder).is_absolute() else encoder
        size = f"{plural(counts['papers'], 'vector')} of {counts['dimensions']} numbers"
        if is_file:
            parts = [f"{size} from the file {name}"]
            left = [
                f"{n:,} {name.removeprefix('lines_').replace('_', ' ')}"
                for name, n in counts.items()
                if name.startswith("lines_")
            ]
            parts += [f"lines left out: {', '.join(left)}"] if left else []
        else:
            parts = [
                f"{size} by {name} ({config['form']}, {config['pooling']}, at most "
                f"{config['max_tokens']} tokens, {config['precision']})",
                f"{counts['titles_only']:,} by title only, {counts['abstracts_only']:,} by "
                f"abstract only; {plural(counts['left_out'], 'paper')} with neither left out",
            ]
        if "adapted_from" in counts:
            parts.append(f"adapted from the vectors of its base in {counts['adapted_from']}")
        elif not (self.unchanged or is_file):
            parts.append(
                f"{counts['tokens']:,} tokens, {counts['tokens_per_second']:,} per second; peak "
                f"memory {self.record.peak_memory_mb:,} MB"
            )
        parts.append(f"run {self.run} in {self.path} ({state})")
        if written:
            parts.append(
                f"graph: {plural(written.inserted, 'vector')} written, {written.removed:,} of "
                "earlier runs removed"
            )
            if written.not_in_graph:
                parts.append(f"{plural(written.not_in_graph, 'paper')} of the run not in the graph")
        figures = {"run": self.run, "path": str(self.path), "unchanged": self.unchanged, **counts}
        option = "" if written else f" --vectors {self.run}"
        return Summary(
            parts,
            {**figures, "graph": asdict(written) if written else None},
            [("nearest papers", f"similar PAPER{option}")],
        )


@dataclass(frozen=True)
class EncodingPlan:
    """Distinct texts, the short ones first, and the text of each paper."""

    texts: list[str]
    rows: np.ndarray
    """(papers,) position of each paper's text."""

    @classmethod
    def from_texts(cls, texts: list[str]) -> EncodingPlan:
        """The plan for the texts of papers (papers,)."""
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        place = {text: k for k, text in enumerate(distinct)}
        return cls(distinct, np.array([place[text] for text in texts], np.int64))

    @property
    def chunks(self) -> list[list[str]]:
        """The distinct texts in chunks of limited size."""
        chunks: list[list[str]] = []
        characters = 0
        for text in self.texts:
            characters += len(text)
            if not chunks or len(chunks[-1]) == _CHUNK or characters > _CHUNK_CHARACTERS:
                chunks.append([])
                characters = len(text)
            chunks[-1].append(text)
        return chunks


def embed(
    corpus: DocumentCorpus,
    config: EmbedConfig | None = None,
    *,
    runs: Path,
    command: str = COMMAND,
    progress: Progress = silent,
) -> Embedded:
    """Encodes the papers of a corpus into `runs/embed-<hash>`: vectors.npy and papers.parquet.

    An interrupted run continues after the last encoded chunk.

    If the encoder is an adapter and its base has encoded the same papers, the adapter maps the
    vectors of the base, and no text is encoded.

    Args:
        corpus: papers from `read_corpus`.
        config: the encoder and its settings.
        runs: the folder of run directories.
        command: command in the run's record; only `embed` is a run of `platform embed`.
        progress: called with the number of encoded texts.

    Raises:
        ConfigError: no such encoder, form, pooling or precision; torch is not installed; another
            process does the same work; `runs` is not writable.
    """
    config, clock = config or EmbedConfig(), Stopwatch()
    require("torch", "transformers")
    check_writable(runs)
    name, settings, precision = resolve_encoder(config, runs)

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        base = _find_base_vectors(corpus, name, settings, precision=precision, runs=runs)
        if base:
            adapter, values = read_adapter(name), read_vectors(base).values
            assert adapter
            mapped = (adapter(values[part]) for part in slices(len(values)))
            write_rows(directory.path, corpus.papers, mapped, dimensions=len(adapter.bias))
            own = {"dimensions": len(adapter.bias), "tokens": 0, "tokens_per_second": 0}
            return {**read_run(base).counts, **own, "adapted_from": base.name}
        with limit_threads(config.threads):
            progress("loading the encoder")
            encoder = load_document_encoder(name, settings, precision=precision)
            plan = EncodingPlan.from_texts(
                [encoder.text(document) for document in corpus.documents]
            )
            journal = open_journal(
                directory.unfinished,
                sizes=tuple(map(len, plan.chunks)),
                dimensions=encoder.dimensions,
            )
            with clock.timed("encode"):
                counts = _encode(encoder, plan, journal, progress=progress)
            progress("writing the run")
            vectors = journal.vectors()
            blocks = (vectors[plan.rows[part]] for part in slices(len(plan.rows)))
            write_rows(directory.path, corpus.papers, blocks, dimensions=journal.dimensions)
        return {
            "papers": len(corpus.documents),
            "titles_only": corpus.count_texts(TITLE),
            "abstracts_only": corpus.count_texts(ABSTRACT),
            "left_out": corpus.left_out,
            "distinct_texts": len(plan.texts),
            **counts,
        }

    return compute_run(
        Embedded,
        runs,
        *_identify(corpus, name, settings, precision=precision),
        fill=fill,
        command=command,
        recorded={"encoder": name},
        libraries=("torch", "transformers", "numpy"),
        resumes=True,
        clock=clock,
    )


def resolve_encoder(config: EmbedConfig, runs: Path) -> tuple[str, EncoderSettings, str]:
    """Folder or hub id of an encoder, how it reads documents, and its precision.

    Raises:
        ConfigError: no such encoder, form, pooling or precision.
    """
    name = find_document_encoder(runs, name_runs(config.encoder))
    settings = encoder_settings(name, form=config.form, pooling=config.pooling)
    if config.max_tokens:
        settings = replace(settings, max_tokens=config.max_tokens)
    return name, settings, resolve_precision(config.precision)


def keep_own_vectors(path: Path, *, runs: Path) -> Embedded:
    """Stores the user's own vectors as a run of `platform embed`.

    Args:
        path: see `search.vectors.read_vectors`.
        runs: folder of run directories.

    Raises:
        SourceError: not a file of vectors.
    """
    return _keep(read_vectors(path), path, {"vectors": hash_vector_file(path)}, runs=runs)


def keep_s2ag_vectors(store: GraphStore, path: Path, *, runs: Path) -> Embedded:
    """Stores vectors of Semantic Scholar for the papers of a store as a run of `platform embed`.

    Args:
        store: the graph.
        path: see `embeddings.s2ag_vectors.match_vectors`.
        runs: folder of run directories.

    Raises:
        SourceError: see `match_vectors`.
    """
    matched = match_vectors(store, path)
    ids = "\n".join(matched.vectors.ids.to_pylist())
    papers = hashlib.blake2b(ids.encode(), digest_size=8).hexdigest()
    inputs = {"vectors": [hash_vector_file(file) for file in matched.files], "papers": papers}
    return _keep(matched.vectors, path, inputs, runs=runs, left_out=matched.left_out)


def _keep(
    vectors: Vectors,
    path: Path,
    inputs: Mapping[str, Any],
    *,
    runs: Path,
    left_out: Mapping[str, int] | None = None,
) -> Embedded:
    text = pa.repeat("own", len(vectors))
    papers = vectors.papers.append_column("text", text)

    def fill(directory: RunDirectory, _clock: Stopwatch) -> dict[str, Any]:
        write_vectors(directory.path, Vectors(papers, vectors.values))
        return {
            "papers": len(vectors),
            "dimensions": vectors.dimensions,
            **{f"lines_{reason}": n for reason, n in (left_out or {}).items()},
        }

    return compute_run(Embedded, runs, {}, inputs, fill=fill, recorded={"encoder": path.name})


def _identify(
    corpus: DocumentCorpus, name: str, settings: EncoderSettings, *, precision: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Settings and inputs for the id of the run; the encoder is identified by its content."""
    inputs = {"encoder": hash_document_encoder(name), "papers": corpus.hash()}
    return list_encoder_settings(settings, precision), inputs


def list_encoder_settings(settings: EncoderSettings, precision: str) -> dict[str, Any]:
    """The settings of an encoder that are part of the id of a run."""
    own = ("base", "parts")
    config = {key: value for key, value in asdict(settings).items() if key not in own}
    return {**config, "precision": precision}


def _find_base_vectors(
    corpus: DocumentCorpus, name: str, settings: EncoderSettings, *, precision: str, runs: Path
) -> Path | None:
    """The run in which the base of an adapter encoded the same papers, if it exists."""
    if not settings.base or read_adapter(name) is None:
        return None
    bare = replace(settings, base="")
    return find_run(
        runs, run_id(COMMAND, *_identify(corpus, settings.base, bare, precision=precision))
    )


def _encode(
    encoder: DocumentEncoder, plan: EncodingPlan, journal: Journal, *, progress: Progress
) -> dict[str, int | float]:
    """Encodes the chunks that are not done; returns counts for the record."""
    kept, before, begun = journal.done, journal.tokens, time.monotonic()
    first = done = sum(journal.sizes[:kept])
    most, chunks = _TOKEN * encoder.settings.max_tokens, plan.chunks[kept:]
    work = np.array([sum(min(len(text), most) for text in chunk) for chunk in chunks])
    for number, chunk in enumerate(chunks):
        left = describe_remaining(
            time.monotonic() - begun, done=work[:number].sum(), left=work[number:].sum()
        )
        progress(f"encoding: {done:,} of {len(plan.texts):,} texts{left}")
        encoded = encoder.encode(chunk)
        journal.add(encoded.vectors, encoded.tokens)
        done += len(chunk)
    seconds, tokens = time.monotonic() - begun, journal.tokens
    return {
        "dimensions": encoder.dimensions,
        "tokens": tokens,
        "kept_texts": first,
        "tokens_per_second": round((tokens - before) / seconds),
    }
