"""Simplified graph convolution of text vectors over citations, without those to be found."""

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
"""K of the paper."""
Ends = tuple[Codes, Codes]
"""Rows (citations,) of citing and of cited papers in a corpus."""


def smooth(inner: Dense, citations: Ends, held_out: Rows, *, name: str = "sgc") -> Dense:
    """S^K X of a ranker's vectors, K = 2 (Wu et al. 2019, Eq. 8; see `encoders.sgc.encode_sgc`).

    A is undirected: a citation ties both its papers. The references that a query gives are what is
    to be found, so they are not in A: with them a query would lie beside what it cites, and the
    figure would say how well citations are remembered. Citations that a query receives stay.

    A paper without a citation that is left keeps its vector; one without a vector has the mean of
    those around it.

    Args:
        inner: X; papers that it lacks count as zeros.
        citations: between papers of its corpus, those of queries among them.
        held_out: queries.
        name: of the ranker.

    Raises:
        ConfigError: no citation is left.
    """
    citing, cited = citations
    kept = ~np.isin(citing, held_out)
    if not kept.any():
        raise ConfigError(
            f"{name}: without those that queries give, none of {len(citing):,} citations between "
            "papers of the corpus is left; expected some: is this the --store of the benchmark?"
        )
    ends = (citing[kept], cited[kept])
    values = np.zeros((len(inner.ids), inner.vectors.dimensions), np.float32)
    there = np.flatnonzero(inner.places != NONE)
    values[there] = inner.vectors.values[inner.places[there]]
    network = build_network(inner.ids, ends, None)
    vectors = Vectors(pa.table({"id": inner.ids}), encode_sgc(network, values, steps=STEPS))
    ordered = np.stack(ends)[:, np.lexsort(ends)].astype(np.int64)  # whatever their order
    hashed = hashlib.sha256(ordered.tobytes()).hexdigest()[:16]
    source = f"sgc of {STEPS} steps over {hashed} of {inner.source}"
    known = replace(inner.known, citations=True)
    return replace(inner, name=name, vectors=vectors, source=source, known=known)


def find_ends(citations: Citations, ids: pa.StringArray) -> Ends:
    """The citations between papers of a corpus, ids ascending."""
    rows = find_rows(citations.ids, ids)
    citing, cited = rows[citations.citing], rows[citations.cited]
    kept = (citing >= 0) & (cited >= 0)
    return citing[kept].astype(np.int32), cited[kept].astype(np.int32)
