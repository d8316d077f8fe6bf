"""TF-IDF and latent semantic analysis: vectors of the words of titles and abstracts."""

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
"""As in the paper that proposed it (Deerwester et al. 1990: 50 to 350)."""
_SPARE, _POWERS = 50, 6
"""Of 106,000 papers they keep .995 of the squares that an exact decomposition keeps."""
_ROWS = 1 << 13
"""That a thread works on at one time."""
_LOST = 1e-12
"""Share of the greatest eigenvalue below which there is only rounding."""
Matrix = npt.NDArray[Any]


def weigh_tfidf(counts: csr_array) -> csr_array:
    """(papers, words) (1 + ln f) ln(N / n), each row of length 1; a row without words stays zero.

    f is the count of a word in a paper, n of N papers have it (Salton and Buckley 1988, `ltc`).
    """
    having = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = np.log(counts.shape[0] / np.maximum(having, 1))
    data = (1 + np.log(counts.data.astype(np.float64))) * rarity[counts.indices]
    weighed = csr_array((data, counts.indices, counts.indptr), shape=counts.shape)
    lengths = np.sqrt(np.asarray((weighed * weighed).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
    return csr_array(diags_array(scale) @ weighed)


@dataclass(frozen=True)
class TfIdf:
    """Cosine of TF-IDF weights, searched exactly.

    Weights are those of `weigh_tfidf` in the whole corpus, whatever the pool: a paper has one
    vector, as in `make_lsa`.
    """

    name = "tfidf"

    weights: csr_array
    """(papers, words) rows of length 1, or zero."""
    threads: int = 0
    """For every core this process may use; results do not depend on it."""

    @classmethod
    def of(cls, documents: Sequence[Document]) -> TfIdf:
        """Reads the words of a corpus."""
        weights = weigh_tfidf(count_words(documents)[1])
        weights.eliminate_zeros()  # of words that all papers have
        return cls(weights)

    @property
    def traits(self) -> Traits:
        """It has no vectors: a number a word is none that could be compared with others."""
        return Traits()

    def describe(self) -> dict[str, str | float]:
        """The version of what tells words."""
        return {"ranker": self.name, "analyser": ANALYSER}

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers without a word that some other paper lacks."""
        empty: npt.NDArray[np.bool_] = np.diff(self.weights.indptr)[rows] == 0
        return empty

    def among(self, pool: Rows) -> WordPool:
        """Some papers, ascending and each once."""
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
        documents: (papers,).
        dimensions: fewer where the corpus has not so many.
        metric: how vectors are compared.
        seed: of the projection that they are found by.
    """
    weighed = weigh_tfidf(count_words(documents)[1]).astype(np.float32)
    most = min(dimensions, *weighed.shape)
    vectors = project(weighed, most, seed=seed)
    told = f"lsa of {most} dimensions, {_POWERS} powers, seed {seed}, words {ANALYSER}"
    return Dense("lsa", ids, Vectors(pa.table({"id": ids}), vectors), metric, source=told)


def project(rows: csr_array, dimensions: int, *, seed: int = 0) -> Matrix:
    """(n, dimensions) U S of the strongest singular vectors of rows (n, words), about.

    By random projection and power iterations (Halko, Martinsson and Tropp 2011, algorithm 4.4). A
    basis is made orthonormal by the eigenvectors of its products with itself, which takes a tenth
    of the time of a QR decomposition. Each block of rows is worked on by one thread, so that the
    result does not depend on their number.

    Args:
        rows: single or double precision, which is that of the result.
        dimensions: fewer columns are returned where the rows have not so many.
        seed: of the projection.
    """
    width = min(dimensions + _SPARE, *rows.shape)
    if not width:
        return np.empty((rows.shape[0], 0), rows.dtype)
    drawn, chance = np.empty((rows.shape[0], width), rows.dtype), np.random.default_rng(seed)
    for part in slices(len(drawn), _ROWS):  # numbers come in double precision
        drawn[part] = chance.normal(size=drawn[part].shape)
    across, along = rows, rows.T.tocsr()
    with plain_blas():
        basis = _orthonormalise(_multiply(along, drawn))
        for _ in range(_POWERS):
            basis = _orthonormalise(_multiply(along, _multiply(across, basis)))
        found = _multiply(across, basis)
        return _apply(found, _decompose(found)[1][:, :dimensions])


def _multiply(rows: csr_array, basis: Matrix) -> Matrix:
    found = np.zeros((rows.shape[0], basis.shape[1]), basis.dtype)
    entries = (rows.indptr, rows.indices, rows.data)

    def work(part: slice) -> None:
        _add_rows(entries, (part.start, part.stop), basis, found)

    for _ in run_blocks(work, slices(len(found), _ROWS)):
        pass
    return found


@compiled
def _add_rows(
    entries: tuple[Matrix, Matrix, Matrix], part: tuple[int, int], basis: Matrix, found: Matrix
) -> None:
    """Adds to found (n, r) the products of some rows of a CSR matrix (n, m) with basis (m, r)."""
    indptr, indices, data = entries
    for row in range(part[0], part[1]):
        for place in range(indptr[row], indptr[row + 1]):
            value, other = data[place], basis[indices[place]]
            for column in range(len(other)):
                found[row, column] += value * other[column]


def _orthonormalise(basis: Matrix) -> Matrix:
    """(n, r) of the same span; directions that are lost in rounding are dropped."""
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
