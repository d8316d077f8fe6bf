"""The nearest papers of each paper among the vectors of a graph of shards.

    neighbours/RUN/K/00003.parquet   from, to, rank, score of the papers of part 3

Vectors are searched in groups of parts, each by one task with an index of its own; for each paper
the nearest of all groups are merged. Exact neighbours are those of `search.find_neighbours` over
all vectors, to the last bit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.distributed.cluster import Cluster
from citescape.distributed.exchange import read_exchange, writing
from citescape.distributed.stages import Stages
from citescape.distributed.storage import Storage
from citescape.embeddings.shards import EmbeddedShards
from citescape.ingest.shards.vectors import VectorFiles
from citescape.search.approximate import build_index, search_index
from citescape.search.exact import prepare_search, search_all
from citescape.search.neighbours import EXACT_UP_TO, RECALL
from citescape.search.vectors import Vectors, vectors_of_rows

FOLDER = "neighbours"
_WORK = "neighbour-work"
_INDEXED = 500_000
"""Vectors of a group: 1.5 GB with 768 numbers each."""


def find_shard_neighbours(
    vectors: EmbeddedShards, cluster: Cluster, k: int, *, progress: Progress = silent
) -> str:
    """Finds the k nearest papers of each paper by cosine; returns the folder of the result.

    Up to 150,000 vectors they are exact; among more, each group is searched by an index (`ivf`)
    with the effort that finds 95% of its exact neighbours.

    Args:
        vectors: result of `embed_shards`.
        cluster: where tasks run.
        k: neighbours per paper.
        progress: called with the number of finished tasks.

    Raises:
        ConfigError: k is not below the number of papers; vectors are zero or not finite.
    """
    storage, papers = vectors.storage, int(vectors.record.counts["papers"])
    if not 0 < k < papers:
        raise ConfigError(f"k is {k}; expected 1 to {papers - 1}, as {papers} papers have vectors")
    known = vectors.files
    sizes = json.dumps(storage.sizes(known.folder))
    state = hashlib.blake2b(sizes.encode(), digest_size=6).hexdigest()
    folder, work = f"{FOLDER}/{vectors.run}/{k}", f"{_WORK}/{vectors.run}-{k}-{state}"
    exact = papers <= EXACT_UP_TO
    stages = Stages(storage, cluster, progress)
    outputs = {part: f"{folder}/{part:05}.parquet" for part in sorted(known.parts)}
    if outputs.values() - storage.sizes(folder).keys():
        groups = [(vectors.run, group, k, exact) for group in _group(known, papers)]
        stages.run("searching vectors", work, search_group, groups, on_gpu=not exact)
        tasks = [(work, part, k) for part in outputs]
        stages.run("merging neighbours", folder, merge_part, tasks, outputs=[*outputs.values()])
    storage.remove(_WORK)
    return folder


def _group(files: VectorFiles, papers: int) -> list[tuple[int, ...]]:
    """The parts in groups of about `_INDEXED` vectors."""
    size = max(1, len(files.parts) * _INDEXED // max(papers, 1))
    parts = sorted(files.parts)
    return [tuple(parts[start : start + size]) for start in range(0, len(parts), size)]


def _read(files: VectorFiles, parts: Sequence[int]) -> Vectors:
    tables = [files.storage.read_table(name) for part in parts for name in files.parts[part]]
    return vectors_of_rows(pa.concat_tables(tables))


def search_group(
    storage: Storage,
    output: str,
    run: str,
    group: tuple[int, ...],
    k: int,
    exact: bool,
) -> None:
    """The nearest papers in a group of parts for the papers of all parts."""
    files = VectorFiles(storage, run)
    indexed = _read(files, group)
    index, effort = None, 0
    with writing(storage, output) as file:
        for part in sorted(files.parts):
            queries = _read(files, [part])
            search = prepare_search(indexed, queries, k, metric="cosine", allow_fewer=True)
            if exact:
                rows, scores = search_all(search)
            else:
                if index is None:
                    own = prepare_search(indexed, None, k, metric="cosine", allow_fewer=True)
                    index, _, effort = build_index(own, "ivf", recall=RECALL)
                rows, scores = search_index(search, index, effort)
            found = np.isfinite(scores)
            query = np.repeat(np.arange(len(queries)), found.sum(axis=1))
            near = {
                "from": queries.ids.take(pa.array(query)),
                "to": indexed.ids.take(pa.array(rows[found])),
                "score": scores[found],
            }
            file.add("near", part, pa.table(near))


def merge_part(storage: Storage, output: str, work: str, part: int, k: int) -> None:
    """The k nearest of all groups for each paper of a part: by score, then by id."""
    near = read_exchange(storage, work, part)["near"]
    near = near.sort_by([("from", "ascending"), ("score", "descending"), ("to", "ascending")])
    own = near["from"].combine_chunks()
    first = np.append(True, pc.not_equal(own[1:], own[:-1]).to_numpy(zero_copy_only=False))
    starts = np.flatnonzero(first)
    rank = np.arange(len(own)) - np.repeat(starts, np.diff(np.append(starts, len(own))))
    near = near.append_column("rank", pa.array(rank + 1))
    storage.write_table(
        output, near.filter(pa.array(rank < k)).select(["from", "to", "rank", "score"])
    )
