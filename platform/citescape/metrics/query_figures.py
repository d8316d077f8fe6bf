"""Figures of a system, query by query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import encode
from citescape.metrics import find_metric
from citescape.metrics.ranked import Ranked
from citescape.search.listed import Codes, Floats


@dataclass(frozen=True)
class QueryFigures:
    """What one system reached under one condition, such as one kind of candidates."""

    groups: Sequence[str]
    """Such as fields, in the order in which they are shown; one for all if there are none."""
    queries: pa.StringArray
    """(q,) ascending: those with something relevant."""
    codes: Codes
    """(q,) index of the group of each query."""
    values: Mapping[str, Floats]
    """(q,) of each metric, 0 to 1."""
    clusters: Codes | None = None
    """(q,) cluster of dependent queries, such as sentences of one paper; None: independent."""

    def __len__(self) -> int:
        return len(self.queries)

    def count(self) -> Codes:
        """(groups,) queries of each."""
        return np.bincount(self.codes, minlength=len(self.groups)).astype(np.int32)

    def group_means(self, metric: str) -> Floats:
        """(groups,) NaN for one without queries."""
        sums = np.bincount(self.codes, self.values[metric], minlength=len(self.groups))
        means: Floats = np.full(len(sums), np.nan)
        np.divide(sums, self.count(), out=means, where=self.count() > 0)
        return means


def join(parts: Sequence[QueryFigures]) -> QueryFigures:
    """Joins figures of different groups and queries; no cluster spans two parts."""
    queries = pa.concat_arrays([part.queries for part in parts])
    order = pc.sort_indices(queries).to_numpy()
    codes = _stack([part.codes for part in parts], [len(part.groups) for part in parts])
    alone = all(part.clusters is None for part in parts)
    clusters = [
        np.arange(len(one), dtype=np.int32) if one.clusters is None else one.clusters
        for one in parts
    ]
    sizes = [int(one.max(initial=-1)) + 1 for one in clusters]
    return QueryFigures(
        [group for part in parts for group in part.groups],
        queries.take(pa.array(order)),
        codes[order],
        {
            name: np.concatenate([part.values[name] for part in parts])[order]
            for name in parts[0].values
        },
        None if alone else _stack(clusters, sizes)[order],
    )


def _stack(codes: Sequence[Codes], sizes: Sequence[int]) -> Codes:
    """Codes of several parts as one; those of a part, 0 and up, come after those before."""
    starts = np.cumsum([0, *sizes[:-1]])
    stacked = np.concatenate([one + start for one, start in zip(codes, starts, strict=True)])
    return stacked.astype(np.int32)


def measure_ranked(
    ranked: Ranked, metrics: Sequence[str], *, groups: Sequence[str], of: Sequence[str]
) -> QueryFigures:
    """Figures of the queries to which anything is relevant; the others are in no mean.

    Args:
        ranked: q queries.
        metrics: see `metrics.find_metric`.
        groups: names in their order.
        of: (q,) the group of each query.

    Raises:
        ConfigError: no such metric.
    """
    counted = ranked.relevant > 0
    codes = encode(pa.array(of, pa.string()), pa.array(groups, pa.string()))
    values = {name: find_metric(name)(ranked)[counted] for name in metrics}
    return QueryFigures(groups, ranked.queries.filter(pa.array(counted)), codes[counted], values)
