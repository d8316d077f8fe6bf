"""Vectors of Semantic Scholar for the papers of a store, matched by corpus id."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.errors import SourceError
from citescape.loaders.s2ag_vectors import find_vector_files, read_paper_vectors
from citescape.search.vectors import Vectors
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


@dataclass(frozen=True)
class MatchedVectors:
    """Vectors of papers of a store, and what was left out."""

    vectors: Vectors
    files: tuple[Path, ...]
    left_out: dict[str, int]
    """Lines by reason: `not_in_store`, `broken` (no id or no vector of that length), `repeated`."""


def match_vectors(store: GraphStore, path: Path) -> MatchedVectors:
    """Reads the vectors of the papers of a store; memory is that of these vectors.

    Args:
        store: the graph.
        path: file of the dataset `embeddings-specter_v1` or `-specter_v2`, or a folder of them.

    Raises:
        SourceError: no such file, it cannot be read to its end, no paper of the store is in it, or
            it holds vectors of two models.
    """
    files = find_vector_files(path)
    rows = store.read(query("embeddings/corpus_ids"))
    wanted = dict.fromkeys(rows["s2"].to_pylist())
    found: dict[str, np.ndarray] = {}
    left_out: Counter[str] = Counter()
    models: dict[str, Path] = {}
    length = 0
    for file in files:
        for line in read_paper_vectors(file):
            if line is None or (length and len(line.vector) != length):
                left_out["broken"] += 1
                continue
            models.setdefault(line.model, file)
            if len(models) > 1:
                message = f"vectors of two models, {' and '.join(models)}; give one at a time"
                raise SourceError(str(file), "two-models", message)
            length = len(line.vector)
            if line.corpus_id not in wanted:
                left_out["not_in_store"] += 1
            elif line.corpus_id in found:
                left_out["repeated"] += 1
            else:
                found[line.corpus_id] = line.vector
    papers = rows.filter(pa.array([s2 in found for s2 in rows["s2"].to_pylist()], pa.bool_()))
    if not papers.num_rows:
        message = (
            f"no vector of a paper of {store.location}: {len(wanted):,} corpus ids in the store, "
            f"{left_out.total():,} other lines; ingest papers of Semantic Scholar or S2ORC, which "
            "have corpus ids"
        )
        raise SourceError(str(path), "no-vectors", message)
    papers = papers.sort_by("id")
    values = np.stack([found[s2] for s2 in papers["s2"].to_pylist()])
    return MatchedVectors(Vectors(papers.select(["id"]), values), tuple(files), dict(left_out))
