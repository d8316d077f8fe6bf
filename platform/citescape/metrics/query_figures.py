"""Figures of a system, query by query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import encode
from citescape.metrics import find_metric
from citescape.metrics.ranked import RankedQueries
from citescape.search.listed import Codes, Floats


@dataclass(frozen=True)
class QueryFigures:
    """Figures per query of one system under one condition, such as one kind of candidates."""

    groups: Sequence[str]
    """Names of groups, such as fields, in display order; at least one."""
    queries: pa.StringArray
    """(q,) ids of the queries with a relevant document, ascending."""
    codes: Codes
    """(q,) index of the group of each query."""
    values: Mapping[str, Floats]
    """Metric -> (q,) figures, 0 to 1."""
    clusters: Codes | None = None
    """(q,) cluster of dependent queries, such as sentences of one paper; None: independent."""

    def __len__(self) -> int:
        return len(self.queries)

    def count_queries(self) -> Codes:
        """(groups,) number of queries per group."""
        return np.bincount(self.codes, minlength=len(self.groups)).astype(np.int32)

    def group_means(self, metric: str) -> Floats:
        """(groups,) means of the groups; NaN for a group without queries."""
        sums = np.bincount(self.codes, self.values[metric], minlength=len(self.groups))
        means: Floats = np.full(len(sums), np.nan)
        np.divide(sums, self.count_queries(), out=means, where=self.count_queries() > 0)
        return means


def join(parts: Sequence[QueryFigures]) -> QueryFigures:
    """Joins figures of different groups and queries; no cluster spans two parts."""
    queries = pa.concat_arrays([part.queries for part in parts])
    order = pc.sort_indices(queries).to_numpy()
    joined = _stack([part.codes for part in parts], [len(part.groups) for part in parts])
    independent = all(part.clusters is None for part in parts)
    clusters = [
        np.arange(len(part), dtype=np.int32) if part.clusters is None else part.clusters
        for part in parts
    ]
    sizes = [int(codes.max(initial=-1)) + 1 for codes in clusters]
    return QueryFigures(
        [group for part in parts for group in part.groups],
        queries.take(pa.array(order)),
        joined[order],
        {
            name: np.concatenate([part.values[name] for part in parts])[order]
            for name in parts[0].values
        },
        None if independent else _stack(clusters, sizes)[order],
    )


def _stack(codes: Sequence[Codes], sizes: Sequence[int]) -> Codes:
    """Concatenates codes; the codes of a part follow those of the parts before it."""
    starts = np.cumsum([0, *sizes[:-1]])
    stacked = np.concatenate([part + start for part, start in zip(codes, starts, strict=True)])
    return stacked.astype(np.int32)


def measure_ranked(
    ranked: RankedQueries,
    metrics: Sequence[str],
    *,
    groups: Sequence[str],
    query_groups: Sequence[str],
) -> QueryFigures:
    """Figures of the queries that have a relevant document; others are left out.

    Args:
        ranked: q queries with the ranks of relevant documents.
        metrics: names of metrics, see `metrics.find_metric`.
        groups: names of groups, in display order.
        query_groups: (q,) group of each query.

    Raises:
        ConfigError: no such metric.
    """
    has_relevant = ranked.relevant > 0
    codes = encode(pa.array(query_groups, pa.string()), pa.array(groups, pa.string()))
    values = {name: find_metric(name)(ranked)[has_relevant] for name in metrics}
    return QueryFigures(
        groups, ranked.queries.filter(pa.array(has_relevant)), codes[has_relevant], values
    )
