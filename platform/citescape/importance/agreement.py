"""Agreement of scores with labels: AUC, average precision, P@k, with intervals over citing papers.

Equal scores count as they are: half a point for a tied pair in AUC, one threshold for all tied
citations in average precision, the mean over all orders of tied citations in P@k. Citations of one
paper are drawn together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.metrics.intervals import LEVEL, MIN_QUERIES, Interval, adjust

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
DRAWS = 2_000
_BLOCK = 1 << 23
"""Maximum numbers of one block of draws."""


@dataclass(frozen=True)
class Measure:
    """One metric of one score, and its lead over another score."""

    score: str
    metric: str
    value: Interval
    lead: Interval | None
    """This score minus the baseline; None for the baseline itself."""
    p: float
    """Two-sided, from the draws; adjusted over the scores that are compared (Holm 1979)."""


def measure_agreement(
    scores: Mapping[str, Floats],
    important: npt.NDArray[np.bool_],
    clusters: Ints,
    *,
    baseline: str,
    k: int = 1,
    seed: int = 0,
    draws: int = DRAWS,
) -> list[Measure]:
    """The metrics of all scores.

    Args:
        scores: score -> (n,) values, higher for more important citations.
        important: (n,) labels.
        clusters: (n,) citing paper of each citation, 0 and up.
        baseline: score that the others are compared with.
        k: rank of P@k: the share of important citations among the k highest of a paper, over the
            papers with more than k labelled citations, some of them important and some not.
        seed: random seed of the draws.
        draws: number of bootstrap samples of citing papers.

    Returns:
        A row per score and metric. Bounds and p are NaN with fewer than 10 citing papers, of P@k
        with fewer than 10 papers that count.
    """
    size = int(clusters.max()) + 1
    labels = important.astype(float)
    ranked = {name: _Ranked(values, labels, clusters) for name, values in scores.items()}
    listed = {name: _list_precision(values, labels, clusters, k) for name, values in scores.items()}
    lists = int(np.isfinite(listed[baseline]).sum())  # equal for all scores
    drawn = _draw(ranked, listed, size, seed=seed, draws=draws)
    measures = []
    for metric, title in (("AUC", "AUC"), ("AP", "AP"), ("P", f"P@{k}")):
        reference, papers = drawn[baseline][metric], lists if metric == "P" else size
        tests: dict[str, tuple[Interval, float]] = {}
        for name, figures in drawn.items():
            if name != baseline:
                lead = figures[metric] - reference
                tests[name] = _bound(lead, papers), _test(lead[1:], papers)
        adjusted = adjust(np.array([p for _, p in tests.values()])).tolist()
        by_name = dict(zip(tests, adjusted, strict=True))
        measures += [
            Measure(
                name,
                title,
                _bound(figures[metric], papers),
                tests[name][0] if name in tests else None,
                by_name.get(name, float("nan")),
            )
            for name, figures in drawn.items()
        ]
    return measures


class _Ranked:
    """Citations in descending order of a score, with the last place of each group of ties."""

    def __init__(self, values: Floats, labels: Floats, clusters: Ints) -> None:
        order = np.argsort(-values, kind="stable")
        ordered = values[order]
        self.clusters, self.labels = clusters[order], labels[order]
        self.ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))

    def measure(self, weights: Floats) -> tuple[Floats, Floats]:
        """AUC and average precision (draws,) with weights (draws, clusters) of citing papers."""
        drawn = weights[:, self.clusters]
        hits = np.cumsum(drawn * self.labels, axis=1)[:, self.ends]  # (draws, groups)
        misses = np.cumsum(drawn * (1 - self.labels), axis=1)[:, self.ends]
        gained = np.diff(hits, axis=1, prepend=0)
        lost = np.diff(misses, axis=1, prepend=0)
        positive, negative = hits[:, -1], misses[:, -1]
        with np.errstate(invalid="ignore", divide="ignore"):
            below = negative[:, None] - misses + lost / 2
            auc = (gained * below).sum(axis=1) / (positive * negative)
            precision = hits / (hits + misses)
            average = np.nansum(gained * precision, axis=1) / positive
        return auc, average


def _list_precision(values: Floats, labels: Floats, clusters: Ints, k: int) -> Floats:
    """Expected P@k (clusters,) of each citing paper; NaN where the list says nothing."""
    size = int(clusters.max()) + 1
    counts = np.bincount(clusters, minlength=size)
    positive = np.bincount(clusters, labels, minlength=size)
    order = np.lexsort((-values, clusters))
    cluster, value, label = clusters[order], values[order], labels[order]
    starts = np.append(True, (cluster[1:] != cluster[:-1]) | (value[1:] != value[:-1]))
    group = np.cumsum(starts) - 1  # ties within one paper
    first = np.flatnonzero(starts)
    sizes = np.diff(np.append(first, len(group)))
    before = first - (np.cumsum(counts) - counts)[cluster[first]]
    taken = np.clip(k - before, 0, sizes)  # places among the first k that the group fills
    hits = np.bincount(group, label) * taken / sizes
    total = np.bincount(cluster[first], hits, minlength=size)
    is_ranked = (counts > k) & (positive > 0) & (positive < counts)
    return np.where(is_ranked, total / k, np.nan)


def _draw(
    ranked: Mapping[str, _Ranked],
    listed: Mapping[str, Floats],
    size: int,
    *,
    seed: int,
    draws: int,
) -> dict[str, dict[str, Floats]]:
    """Score -> metric -> figures of the sample (first) and of the draws, (1 + draws,).

    All scores share the draws of papers.
    """
    chance = np.random.default_rng(seed)
    block = max(1, _BLOCK // max(len(score.labels) for score in ranked.values()))
    figures: dict[str, dict[str, Floats]] = {
        name: {metric: np.empty(1 + draws) for metric in ("AUC", "AP", "P")} for name in ranked
    }
    for start in range(0, 1 + draws, block):
        rows = slice(start, min(start + block, 1 + draws))
        count = rows.stop - start
        weights = chance.multinomial(size, np.full(size, 1 / size), size=count).astype(float)
        if not start:
            weights[0] = 1
        for name, own in figures.items():
            own["AUC"][rows], own["AP"][rows] = ranked[name].measure(weights)
            known = np.isfinite(listed[name])
            of_lists = weights[:, known]
            with np.errstate(invalid="ignore"):
                own["P"][rows] = of_lists @ listed[name][known] / of_lists.sum(axis=1)
    return figures


def _bound(drawn: Floats, papers: int) -> Interval:
    """The figure of the sample, and its percentile interval."""
    low, high = np.nan, np.nan
    if papers >= MIN_QUERIES and np.isfinite(drawn[1:]).any():
        low, high = np.nanquantile(drawn[1:], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(drawn[0]), float(low), float(high))


def _test(lead: Floats, papers: int) -> float:
    """Two-sided p: twice the share of draws on the other side of 0, at least 1 / draws."""
    lead = lead[np.isfinite(lead)]
    if not len(lead) or papers < MIN_QUERIES:
        return float("nan")
    smaller = min((lead <= 0).sum(), (lead >= 0).sum())
    return float(min(1.0, 2 * (smaller + 1) / (len(lead) + 1)))
