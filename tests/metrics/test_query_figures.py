from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from citescape.metrics.query_figures import QueryFigures, join


def make(name: str, queries: Sequence[str], clusters: Sequence[int] | None) -> QueryFigures:
    """Values of one group: the lengths of its query ids."""
    return QueryFigures(
        [name],
        pa.array(queries, pa.string()),
        np.zeros(len(queries), np.int32),
        {"mrr": np.array([float(len(query)) for query in queries])},
        None if clusters is None else np.array(clusters, np.int32),
    )


def test_joined_values_keep_their_groups() -> None:
    parts = [make("x", ["b", "dddd"], None), make("y", [], None), make("z", ["aa", "ccc"], None)]
    joined = join(parts)
    assert joined.groups == ["x", "y", "z"]
    assert joined.queries.to_pylist() == ["aa", "b", "ccc", "dddd"]
    assert joined.codes.tolist() == [2, 0, 2, 0]
    assert joined.values["mrr"].tolist() == [2, 1, 3, 4]
    assert joined.clusters is None
    assert joined.group_means("mrr").tolist()[::2] == [2.5, 2.5]


def test_clusters_stay_separate_between_parts() -> None:
    parts = [
        make("x", ["b", "d", "e"], [1, 0, 1]),
        make("y", [], []),
        make("z", ["a", "c"], None),
        make("u", ["f", "g"], [0, 0]),
    ]
    clusters = join(parts).clusters
    assert clusters is not None
    together = [set(np.flatnonzero(clusters == code).tolist()) for code in np.unique(clusters)]
    a, b, c, d, e, f, g = range(7)
    assert sorted(map(sorted, together)) == [[a], [b, e], [c], [d], [f, g]]
