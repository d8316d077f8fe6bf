"""Simplified graph convolution of text vectors over citations, without those of queries."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.encoders.sgc import encode_sgc
from citescape.networks.citations import Citations
from citescape.networks.network import build_network
from citescape.search.dense import Dense
from citescape.search.listed import Codes, Rows
from citescape.search.ranker import NONE
from citescape.search.vectors import Vectors

STEPS = 2
"""K, as in the paper."""
Ends = tuple[Codes, Codes]
"""Rows (citations,) of citing and of cited papers in a corpus."""


def smooth(inner: Dense, citations: Ends, held_out: Rows, *, name: str = "sgc") -> Dense:
    """S^K X of a ranker's vectors, K = 2 (Wu et al. 2019, Eq. 8; see `encoders.sgc.encode_sgc`).

    A is undirected. It excludes the references of queries, which are the answers of an evaluation;
    citations of queries by other papers are kept.

    A paper without citations keeps its vector; a paper without a vector gets the mean of its
    neighbours.

    Args:
        inner: ranker with the vectors X; missing vectors count as zeros.
        citations: all citations between papers of its corpus.
        held_out: rows of the queries.
        name: name of the new ranker.

    Raises:
        ConfigError: no citations remain.
    """
    citing, cited = citations
    kept = ~np.isin(citing, held_out)
    if not kept.any():
        raise ConfigError(
            f"{name}: none of {len(citing):,} citations between papers of the corpus is left "
            "without the references of queries; expected some: check that --store is the store of "
            "the benchmark"
        )
    ends = (citing[kept], cited[kept])
    values = np.zeros((len(inner.ids), inner.vectors.dimensions), np.float32)
    known = np.flatnonzero(inner.places != NONE)
    values[known] = inner.vectors.values[inner.places[known]]
    network = build_network(inner.ids, ends, None)
    vectors = Vectors(pa.table({"id": inner.ids}), encode_sgc(network, values, steps=STEPS))
    # sorted: the hash does not depend on the order of citations
    ordered = np.stack(ends)[:, np.lexsort(ends)].astype(np.int64)
    hashed = hashlib.sha256(ordered.tobytes()).hexdigest()[:16]
    source = f"sgc of {STEPS} steps over {hashed} of {inner.source}"
    traits = replace(inner.known, citations=True)
    return replace(inner, name=name, vectors=vectors, source=source, known=traits)


def find_ends(citations: Citations, ids: pa.StringArray) -> Ends:
    """The citations between papers of a corpus, ids ascending."""
    rows = find_rows(citations.ids, ids)
    citing, cited = rows[citations.citing], rows[citations.cited]
    kept = (citing >= 0) & (cited >= 0)
    return citing[kept].astype(np.int32), cited[kept].astype(np.int32)
