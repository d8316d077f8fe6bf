"""The weights a scoring would use, without scoring: reads the graph and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable

from citescape.features.components import PUBLISHED
from citescape.features.read import read_features
from citescape.features.score import ScoreConfig, Weights, weigh_features
from citescape.features.slices import read_slices
from citescape.features.titles import HashedWords
from citescape.features.weights import ComponentStatistics
from citescape.graph.store import GraphStore
from citescape.progress import Progress, silent


def weigh(
    store: GraphStore,
    *,
    components: Iterable[str] = PUBLISHED,
    weights: Weights = "entropy",
    combined: str = "R",
    sections: str = "model",
    progress: Progress = silent,
) -> tuple[int, tuple[ComponentStatistics, ...]]:
    """Number of pairs, and mean, deviation, entropy and weight of each component (CIA, Table 3).

    The options mean what they mean to `citescape.features.score.score`, and the weights are those
    it would use.

    Raises:
        ConfigError: a choice that does not exist, or weights that are undefined here.
        StoreError: no pairs, or another process changed the graph meanwhile.
    """
    config = ScoreConfig(tuple(components), weights, combined, sections=sections)
    progress("reading citations")
    titles = HashedWords() if "T" in config.components else None
    features = read_features(store, read_slices(store), titles=titles, sections=sections)
    progress("weighing")
    return len(features.pairs), weigh_features(features, config)[1]
