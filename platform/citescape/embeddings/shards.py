"""Encodes the papers of a graph of shards; vectors are written beside it.

The files are those of `ingest.shards.vectors`; the record of the run is written last. A task
encodes a range of rows of a part. Each process loads the encoder once. An encoding that is run
again after an interruption does the ranges that are missing.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.errors import StoreError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.distributed.cluster import Cluster
from citescape.distributed.stages import DONE, Stages, name_beside
from citescape.distributed.storage import Storage
from citescape.embeddings.embed import (
    COMMAND,
    Embedded,
    EncodingPlan,
    list_encoder_settings,
    resolve_encoder,
)
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import DocumentEncoder, EncoderSettings
from citescape.encoders.saved import hash_document_encoder, load_document_encoder
from citescape.encoders.threads import limit_threads
from citescape.ingest.shards.graph import ShardedGraph, name_file
from citescape.ingest.shards.vectors import FILES, FOLDER, VectorFiles
from citescape.papers.documents import corpus_of
from citescape.runs.directory import RECORD, RunRecord, Stopwatch
from citescape.runs.result import Summary, plural
from citescape.search.vectors import Vectors, vectors_of_rows

_ROWS = 4096
"""Rows of a part that a task encodes; an interruption loses those of the tasks at work."""


@dataclass(frozen=True)
class EmbeddedShards(Embedded):
    """Vectors beside a graph of shards; `path` is their folder, if it is on this machine."""

    storage: Storage = field(kw_only=True)
    neighbours: str = field(kw_only=True, default="")
    """Folder of the nearest papers; empty if they were not asked for."""

    @property
    def files(self) -> VectorFiles:
        """Their files."""
        return VectorFiles(self.storage, self.run)

    @property
    def arrow(self) -> pa.Table:
        """A row per paper: `id`, `text` (title, abstract or both), `vector`."""
        return pa.concat_tables([self.storage.read_table(name) for name in self.files.names])

    @property
    def vectors(self) -> Vectors:
        """All vectors, in memory."""
        return vectors_of_rows(self.arrow)

    def summarise(self) -> Summary:
        """Number and kind of the vectors."""
        counts, config = self.record.counts, self.record.config
        state = "unchanged" if self.unchanged else f"{self.record.seconds:,.0f} s"
        folder = f"{self.storage.address}/{self.files.folder}"
        near = f"{self.storage.address}/{self.neighbours}" if self.neighbours else ""
        return Summary(
            [
                f"{plural(counts['papers'], 'vector')} of {counts['dimensions']} numbers by "
                f"{config['encoder']} ({config['form']}, {config['pooling']}, at most "
                f"{config['max_tokens']} tokens, {config['precision']})",
                f"{plural(counts['left_out'], 'paper')} without title and abstract left out",
                f"{plural(counts['files'], 'file')} in {folder} ({state})",
                *([f"nearest papers are in {near}"] if near else []),
            ],
            {
                "run": self.run,
                "folder": folder,
                "neighbours": near,
                "unchanged": self.unchanged,
                **counts,
            },
        )


def embed_shards(
    graph: ShardedGraph,
    cluster: Cluster,
    config: EmbedConfig | None = None,
    *,
    papers: str = "all",
    runs: Path,
    progress: Progress = silent,
) -> EmbeddedShards:
    """Encodes titles and abstracts of the papers of a graph of shards.

    Vectors are those of `embed.embed`, but for the last bits, which depend on the texts that are
    encoded together.

    Args:
        graph: the graph; its folder takes the vectors.
        cluster: where tasks run; each process loads the encoder.
        config: the encoder and its settings; on a cluster a folder that all machines see, or a hub
            id.
        papers: `all`, or `fulltext` for loaded papers only.
        runs: folder of runs, in which the encoder may be named.
        progress: called with the number of finished tasks.

    Raises:
        ConfigError: no such encoder, form, pooling or precision; torch is not installed.
        StoreError: no paper with a title or an abstract, or a damaged file.
    """
    config, clock = config or EmbedConfig(), Stopwatch()
    require("torch", "transformers")
    name, settings, precision = resolve_encoder(config, runs)
    if Path(name).is_dir():
        name = os.path.abspath(name)  # tasks run in other folders
    inputs = {"encoder": hash_document_encoder(name), "graph": graph.id, "papers": papers}
    recorded = list_encoder_settings(settings, precision)
    record = RunRecord.create(
        COMMAND, recorded, inputs, libraries=("torch", "transformers", "numpy")
    )
    storage, folder = graph.storage, f"{FOLDER}/{record.id}"
    done = f"{folder}/{DONE}"
    if f"{folder}/{RECORD}" in storage.sizes(folder):
        try:
            known = VectorFiles(storage, record.id).record()
        except StoreError:
            storage.remove(folder)  # a file is missing or damaged
        else:
            storage.remove(done)
            return EmbeddedShards(_path(storage, known), known, unchanged=True, storage=storage)
    pieces = [
        (part, start)
        for part in range(graph.parts)
        for start in range(0, graph.rows.get(name_file("Paper", part), 0), _ROWS)
    ]
    outputs = [f"{done}/{part:05}-{start // _ROWS:04}.json" for part, start in pieces]
    with clock.timed("encode"):
        Stages(storage, cluster, progress).run(
            "encoding titles and abstracts",
            done,
            encode_rows,
            [
                (name_file("Paper", part), start, papers, name, settings, precision, config.threads)
                for part, start in pieces
            ],
            outputs=outputs,
            on_gpu=True,
        )
    counts: Counter[str] = Counter()
    for output in outputs:
        counts.update(storage.read_json(output))
    if not counts["papers"]:
        storage.remove(folder)
        raise StoreError(
            f"{storage.address} holds {counts['left_out']} papers to encode, none with a title or "
            "an abstract; expected others"
        )
    figures = {name: counts[name] for name in ("papers", "left_out", "tokens", "files")}
    figures["dimensions"] = counts["numbers"] // counts["papers"]
    record = clock.stop(replace(record, counts=figures, config={**recorded, "encoder": name}))
    sizes = storage.sizes(folder)
    files = {name: size for name, size in sizes.items() if name.endswith(".parquet")}
    storage.write_json(f"{folder}/{FILES}", files)
    storage.write_json(f"{folder}/{RECORD}", asdict(record))
    storage.remove(done)
    return EmbeddedShards(_path(storage, record), record, unchanged=False, storage=storage)


def _path(storage: Storage, record: RunRecord) -> Path:
    return Path(storage.location, FOLDER, record.id)


@lru_cache(maxsize=1)
def _load(name: str, settings: EncoderSettings, precision: str) -> DocumentEncoder:
    """The encoder, once in each process."""
    return load_document_encoder(name, settings, precision=precision)


def encode_rows(
    storage: Storage,
    output: str,
    file: str,
    start: int,
    papers: str,
    name: str,
    settings: EncoderSettings,
    precision: str,
    threads: int,
) -> None:
    """Encodes a range of rows of a file of papers; writes their vectors, then their counts."""
    rows = storage.read_table(file, ["id", "title", "abstract", "fulltext"]).slice(start, _ROWS)
    if papers == "fulltext":
        rows = rows.filter(rows["fulltext"])
    corpus = corpus_of(rows)
    counts = Counter(papers=len(corpus.documents), left_out=corpus.left_out)
    if corpus.documents:
        with limit_threads(threads):
            encoder = _load(name, settings, precision)
            plan = EncodingPlan.from_texts([encoder.text(text) for text in corpus.documents])
            encoded = [encoder.encode(chunk) for chunk in plan.chunks]
        values = np.concatenate([part.vectors for part in encoded])[plan.rows].astype(np.float32)
        vectors = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])
        table = corpus.papers.append_column("vector", vectors)
        storage.write_table(name_beside(output), table)
        tokens = sum(part.tokens for part in encoded)
        counts.update(tokens=tokens, files=1, numbers=values.size)
    storage.write_json(output, counts)
