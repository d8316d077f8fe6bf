"""TF-IDF and latent semantic analysis of the words of titles and abstracts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse import csr_array, diags_array

from citescape.core.blocks import run_blocks
from citescape.core.compiled import compiled
from citescape.core.cores import plain_blas
from citescape.core.types import Document
from citescape.search.dense import Dense
from citescape.search.listed import Floats, Rows
from citescape.search.traits import Traits
from citescape.search.vectors import Vectors, slices
from citescape.search.word_pool import WordPool
from citescape.search.words import ANALYSER, count_words

LSA_DIMENSIONS = 300
"""In the range of the original paper (Deerwester et al. 1990: 50 to 350)."""
_SPARE, _POWERS = 50, 6
"""For 106,000 papers they keep .995 of the squares of an exact decomposition."""
_ROWS = 1 << 13
"""Rows that a thread processes at a time."""
_LOST = 1e-12
"""Share of the greatest eigenvalue below which eigenvalues are rounding errors."""
Matrix = npt.NDArray[Any]


def weigh_tfidf(counts: csr_array) -> csr_array:
    """(papers, words) (1 + ln f) ln(N / n), each row of length 1; a row without words stays zero.

    f is the count of a word in a paper, n of N papers have it (Salton and Buckley 1988, `ltc`).
    """
    document_counts = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = np.log(counts.shape[0] / np.maximum(document_counts, 1))
    data = (1 + np.log(counts.data.astype(np.float64))) * rarity[counts.indices]
    weighted = csr_array((data, counts.indices, counts.indptr), shape=counts.shape)
    lengths = np.sqrt(np.asarray((weighted * weighted).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
    return csr_array(diags_array(scale) @ weighted)


@dataclass(frozen=True)
class TfIdf:
    """Cosine of TF-IDF weights, searched exactly.

    Weights are those of `weigh_tfidf` in the whole corpus, not in the pool: a paper has one vector,
    as in `make_lsa`.
    """

    name = "tfidf"

    weights: csr_array
    """(papers, words) rows of length 1, or zero."""
    threads: int = 0
    """0 for every core this process may use; results do not depend on it."""

    @classmethod
    def from_documents(cls, documents: Sequence[Document]) -> TfIdf:
        """Counts the words of a corpus."""
        weights = weigh_tfidf(count_words(documents)[1])
        weights.eliminate_zeros()  # words of all papers
        return cls(weights)

    @property
    def traits(self) -> Traits:
        """No traits: one number per word is not a dense vector."""
        return Traits()

    def describe(self) -> dict[str, str | float]:
        """Version of the analyser of words."""
        return {"ranker": self.name, "analyser": ANALYSER}

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers with only words that all papers have."""
        empty: npt.NDArray[np.bool_] = np.diff(self.weights.indptr)[rows] == 0
        return empty

    def among(self, pool: Rows) -> WordPool:
        """A pool of papers, ascending and each once."""
        rows = np.asarray(pool, np.int64)
        return WordPool(self.weights, self.weights[rows], rows, self.threads)


def make_lsa(
    ids: pa.StringArray,
    documents: Sequence[Document],
    *,
    dimensions: int = LSA_DIMENSIONS,
    metric: str = "cosine",
    seed: int = 0,
) -> Dense:
    """Cosine of papers in the space of the strongest singular vectors of their TF-IDF weights.

    Args:
        ids: (papers,) ascending.
        documents: (papers,) titles and abstracts.
        dimensions: fewer are used if the corpus has fewer.
        metric: `cosine`, `dot` or `l2`.
        seed: random seed of the projection.
    """
    weighted = weigh_tfidf(count_words(documents)[1]).astype(np.float32)
    columns = min(dimensions, *weighted.shape)
    vectors = project(weighted, columns, seed=seed)
    source = f"lsa of {columns} dimensions, {_POWERS} powers, seed {seed}, words {ANALYSER}"
    return Dense("lsa", ids, Vectors(pa.table({"id": ids}), vectors), metric, source=source)


def project(rows: csr_array, dimensions: int, *, seed: int = 0) -> Matrix:
    """(n, dimensions) approximate U S of the strongest singular vectors of rows (n, words).

    By random projection and power iterations (Halko, Martinsson and Tropp 2011, algorithm 4.4). A
    basis is orthonormalised by the eigenvectors of its Gram matrix, in a tenth of the time of a QR
    decomposition. One thread processes each block of rows, so that the result does not depend on
    the number of threads.

    Args:
        rows: (n, words) in the precision of the result.
        dimensions: number of columns; fewer if the rows have fewer.
        seed: random seed of the projection.
    """
    width = min(dimensions + _SPARE, *rows.shape)
    if not width:
        return np.empty((rows.shape[0], 0), rows.dtype)
    drawn, rng = np.empty((rows.shape[0], width), rows.dtype), np.random.default_rng(seed)
    for part in slices(len(drawn), _ROWS):  # drawn in double precision
        drawn[part] = rng.normal(size=drawn[part].shape)
    across, along = rows, rows.T.tocsr()
    with plain_blas():
        basis = _orthonormalise(_multiply(along, drawn))
        for _ in range(_POWERS):
            basis = _orthonormalise(_multiply(along, _multiply(across, basis)))
        products = _multiply(across, basis)
        return _apply(products, _decompose(products)[1][:, :dimensions])


def _multiply(rows: csr_array, basis: Matrix) -> Matrix:
    products = np.zeros((rows.shape[0], basis.shape[1]), basis.dtype)
    entries = (rows.indptr, rows.indices, rows.data)

    def work(part: slice) -> None:
        _add_rows(entries, (part.start, part.stop), basis, products)

    for _ in run_blocks(work, slices(len(products), _ROWS)):
        pass
    return products


@compiled
def _add_rows(
    entries: tuple[Matrix, Matrix, Matrix], part: tuple[int, int], basis: Matrix, products: Matrix
) -> None:
    """Adds the products of some rows of a CSR matrix (n, m) with basis (m, r) to (n, r)."""
    indptr, indices, data = entries
    for row in range(part[0], part[1]):
        for place in range(indptr[row], indptr[row + 1]):
            value, other = data[place], basis[indices[place]]
            for column in range(len(other)):
                products[row, column] += value * other[column]


def _orthonormalise(basis: Matrix) -> Matrix:
    """(n, r) orthonormal basis of the same span, without directions lost in rounding."""
    values, vectors = _decompose(basis)
    kept = values > _LOST * values[:1]
    return _apply(basis, vectors[:, kept] / np.sqrt(values[kept]))


def _decompose(basis: Matrix) -> tuple[Floats, Floats]:
    """Eigenvalues (r,), descending, and eigenvectors (r, r) of the products of columns (n, r)."""

    def multiply(part: slice) -> Floats:
        block = basis[part].astype(np.float64)
        products: Floats = block.T @ block
        return products

    values, vectors = np.linalg.eigh(sum(run_blocks(multiply, slices(len(basis), _ROWS))))
    return values[::-1], vectors[:, ::-1]


def _apply(basis: Matrix, turned: Floats) -> Matrix:
    other = turned.astype(basis.dtype)
    parts = slices(len(basis), _ROWS)
    return np.concatenate(list(run_blocks(lambda part: basis[part] @ other, parts)))
