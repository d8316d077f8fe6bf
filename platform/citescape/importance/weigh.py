"""The weights a scoring would use, without scoring: reads the graph and writes nothing."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from citescape.core.progress import Progress, silent
from citescape.importance.config import Weighting
from citescape.importance.read import read_features
from citescape.importance.score import weigh_features
from citescape.importance.titles import HashedWords
from citescape.importance.weights import (
    ComponentStatistics,
    statistics_figures,
    statistics_table,
)
from citescape.papers.slices import read_slices
from citescape.runs.result import Result, Summary, Table, list_rows, plural
from citescape.store.graph_store import GraphStore


@dataclass(frozen=True)
class Weighed(Result):
    """The components of a score and their weights over all pairs."""

    pairs: int
    statistics: tuple[ComponentStatistics, ...]

    @property
    def arrow(self) -> pa.Table:
        """A row per component: mean, std, entropy, weight."""
        return statistics_table(self.statistics)

    def summarise(self) -> Summary:
        """Pairs and the statistics of each component."""
        table = self.arrow
        return Summary(
            [plural(self.pairs, "pair"), "", Table(table.column_names, list_rows(table))],
            {"pairs": self.pairs, **statistics_figures(self.statistics)},
        )


def weigh(
    store: GraphStore, config: Weighting | None = None, *, progress: Progress = silent
) -> Weighed:
    """Number of pairs, and mean, deviation, entropy and weight of each component (CIA, Table 3).

    The weights are those that `citescape.importance.score.score` would use with these settings.

    Raises:
        ConfigError: weights that are undefined here.
        StoreError: no pairs, or another process changed the graph meanwhile.
    """
    config = config or Weighting()
    progress("reading citations")
    titles = HashedWords() if "T" in config.components else None
    features = read_features(store, read_slices(store), titles=titles, sections=config.sections)
    progress("weighing")
    return Weighed(len(features.pairs), weigh_features(features, config)[1])
