"""Interdisciplinarity of communities: DIV over the fields of their papers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core.pairs import find_rows
from citescape.mapping.communities.fields import Fields, fold_name
from citescape.networks.citations import Citations
from citescape.networks.network import Floats


def measure_diversity(
    fields: Fields, members: csr_array, profiles: csr_array
) -> list[float | None]:
    """Computes the DIV of each community over the fields of its papers.

    Args:
        fields: fields of papers; N is their number.
        members: (communities, papers) memberships.
        profiles: (fields, journals) references of fields.

    Returns:
        (communities,) 0 to 1; None if no paper has a field, or no field has a profile.
    """
    counts = (members @ fields.shares).tocsr()
    units = scale_profiles(profiles)
    diversity: list[float | None] = []
    for first, last in zip(counts.indptr, counts.indptr[1:], strict=False):
        if first == last or not units.nnz:
            diversity.append(None)
            continue
        disparity = compute_disparity(units[counts.indices[first:last]])
        amounts = counts.data[first:last]
        diversity.append(compute_diversity(amounts, known=len(fields.names), disparity=disparity))
    return diversity


def build_profiles(fields: Fields, citations: Citations, works: pa.Table) -> csr_array:
    """Counts references (fields, journals) of the papers of each field, by journal.

    A reference has the share of its citing paper in a field.

    Args:
        fields: fields of papers.
        citations: citations of any papers.
        works: `id` and `venue` of papers; `row` in `fields`, or -1.
    """
    names = [fold_name(venue or "") for venue in works["venue"].to_pylist()]
    codes = {name: code for code, name in enumerate(sorted({*names} - {""}))}
    journal = np.array([codes.get(name, -1) for name in names], np.int64)
    place = find_rows(citations.ids, works["id"].combine_chunks().cast(pa.string()))
    row = np.append(works["row"].to_numpy(), -1)[place[citations.citing]]
    column = np.append(journal, -1)[place[citations.cited]]
    known = (row >= 0) & (column >= 0)
    shape = (fields.shares.shape[0], len(codes))
    cited = csr_array((np.ones(int(known.sum())), (row[known], column[known])), shape=shape)
    return (fields.shares.T @ cited).tocsr()


def scale_profiles(profiles: csr_array) -> csr_array:
    """Scales each row to Euclidean length 1; empty rows stay empty."""
    lengths = np.sqrt(np.asarray((profiles * profiles).sum(axis=1)).ravel())
    rows = np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(profiles.indptr))
    return csr_array(
        (profiles.data / rows, profiles.indices, profiles.indptr), shape=profiles.shape
    )


def compute_disparity(units: csr_array) -> float:
    """Mean of d_ij = 1 - cosine over pairs i != j of fields; 0 for fewer than two.

    A field without a profile has d = 1 to all others. (The sum of all cosines of unit vectors is
    the squared length of their sum.)

    `units` (fields, journals) has rows of length 1, or empty rows.
    """
    size = units.shape[0]
    if size < 2:
        return 0.0
    total = np.asarray(units.sum(axis=0)).ravel()
    own = np.count_nonzero(np.diff(units.indptr))
    return float(1 - (total @ total - own) / (size * (size - 1)))


def compute_gini(counts: Floats) -> float:
    """The Gini coefficient of positive counts of categories: 0 if all are equal.

    sum_i sum_j |x_i - x_j| / (2 n sum_i x_i), for x ascending sum_i (2 i - n - 1) x_i / (n sum x).
    """
    ordered = np.sort(counts)
    size = len(ordered)
    ranks = 2 * np.arange(1, size + 1) - size - 1
    return float(ranks @ ordered / (size * ordered.sum()))


def compute_diversity(counts: Floats, *, known: int, disparity: float) -> float:
    """DIV (Leydesdorff, Wagner and Bornmann 2019): variety x balance x disparity, 0 to 1.

    (n / N) (1 - Gini) (sum_{i != j} d_ij / (n (n - 1))), with Gini over the n categories present;
    0 for one category.

    Args:
        counts: (n,) positive counts of the categories present.
        known: N, number of all categories.
        disparity: mean distance of two of the n categories, see `compute_disparity`.
    """
    if len(counts) < 2:
        return 0.0
    return len(counts) / known * (1 - compute_gini(counts)) * disparity
