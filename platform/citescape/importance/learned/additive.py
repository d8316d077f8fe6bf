"""An additive model of importance: one effect per predictor, and interactions of two of them.

    log odds = base + sum over k of f_k(x_k) + sum over k < l of f_kl(x_k, x_l)

Each f is a table over at most 16 levels of a predictor, and one more for a missing value; all have
the mean 0 over the training pairs, predictors taken as independent. Explainable boosting machines
have this form (Lou et al. 2013, GA2M): it can be read, drawn and stored as numbers, and each score
is the sum of its parts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError
from citescape.importance.learned.predictors import TABLE

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
LEVELS = 16
"""Maximum number of levels of a predictor."""
_ROWS = 65_536
"""Pairs that are scored at once."""
_NEGLIGIBLE = 1e-9
_CLOSE = 1e-9


@dataclass(frozen=True)
class AdditiveModel:
    """Log odds that a citation is important, as a sum of effects of predictors."""

    names: tuple[str, ...]
    """Predictors, p of them, in the order of the table of predictors."""
    edges: tuple[Floats, ...]
    """Ascending bounds between the levels of each predictor."""
    base: float
    """Log odds of an average pair."""
    effects: tuple[Floats, ...]
    """(levels + 1,) for each predictor; the last element is for missing values."""
    interactions: Mapping[tuple[int, int], Floats] = field(default_factory=dict)
    """Positions of two predictors -> (levels + 1, levels + 1)."""

    def contributions(self, values: Floats) -> Floats:
        """Contribution of each predictor to the log odds; an interaction counts half for each.

        Args:
            values: (n, p) values of `names`, NaN for missing ones.

        Returns:
            (n, p); with `base`, the sum of a row is its log odds.
        """
        codes = code(values, self.edges)
        parts = np.column_stack([effect[codes[:, k]] for k, effect in enumerate(self.effects)])
        for (k, other), table in self.interactions.items():
            half = table[codes[:, k], codes[:, other]] / 2
            parts[:, k] += half
            parts[:, other] += half
        return parts

    def scale(self, slope: float, offset: float) -> AdditiveModel:
        """The model of slope x log odds + offset."""
        return AdditiveModel(
            self.names,
            self.edges,
            slope * self.base + offset,
            tuple(slope * effect for effect in self.effects),
            {key: slope * table for key, table in self.interactions.items()},
        )

    def to_json(self) -> dict[str, Any]:
        """The model as lists of numbers."""
        return {
            "names": list(self.names),
            "edges": [edges.tolist() for edges in self.edges],
            "base": self.base,
            "effects": [effect.tolist() for effect in self.effects],
            "interactions": [
                [k, other, table.tolist()] for (k, other), table in self.interactions.items()
            ],
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> AdditiveModel:
        """The model of `to_json`.

        Raises:
            KeyError, TypeError, ValueError: it is something else.
        """
        model = cls(
            tuple(content["names"]),
            tuple(np.array(edges, float) for edges in content["edges"]),
            float(content["base"]),
            tuple(np.array(effect, float) for effect in content["effects"]),
            {
                (int(k), int(other)): np.array(table, float)
                for k, other, table in content["interactions"]
            },
        )
        tables = (*model.edges, *model.effects, *model.interactions.values())
        if not (math.isfinite(model.base) and all(np.isfinite(one).all() for one in tables)):
            raise ValueError("a number that is not finite")
        sizes = [len(edges) + 2 for edges in model.edges]
        if not len(model.names) == len(sizes) == len(model.effects):
            raise ValueError(f"{len(model.names)} predictors with {len(model.effects)} effects")
        for name, effect, size in zip(model.names, model.effects, sizes, strict=True):
            if name not in TABLE or effect.shape != (size,):
                raise ValueError(f"the predictor {name!r} with {effect.shape} levels")
        if any(edges.ndim != 1 or (np.diff(edges) <= 0).any() for edges in model.edges):
            raise ValueError("bounds between levels that do not ascend")
        for (k, other), table in model.interactions.items():
            if not 0 <= k < other < len(sizes) or table.shape != (sizes[k], sizes[other]):
                raise ValueError(f"an interaction of {table.shape} levels")
        return model


def code(values: Floats, edges: Sequence[Floats]) -> Codes:
    """Levels (n, p) of values; the highest one + 1 for missing values."""
    codes = np.empty(values.shape, np.int64)
    for k, bounds in enumerate(edges):
        column = values[:, k]
        levels = np.searchsorted(bounds, column)
        codes[:, k] = np.where(np.isnan(column), len(bounds) + 1, levels)
    return codes


def find_edges(values: Floats) -> Floats:
    """Bounds between at most 16 levels of a predictor: between its values, or at quantiles.

    Args:
        values: (n,) values, NaN for missing ones.
    """
    known = values[np.isfinite(values)]
    distinct = np.unique(known)
    if len(distinct) <= LEVELS:
        return np.asarray((distinct[1:] + distinct[:-1]) / 2)
    edges = np.unique(np.quantile(known, np.arange(1, LEVELS) / LEVELS))
    return np.asarray(edges[edges < distinct[-1]])  # the highest level has values


def score(model: AdditiveModel, values: Floats) -> tuple[Floats, Floats]:
    """Importance, and what each predictor adds to it.

    The probability of a pair differs from that of an average one by p - p_0; each predictor has the
    share of this difference that it has of the difference in log odds:

        c_k = (p - p_0) phi_k / sum of phi

    Args:
        model: the model.
        values: (n, p) values of its predictors.

    Returns:
        (n,) probabilities and (n, p) contributions; a probability is the exactly rounded sum of p_0
        and its row.
    """
    count = len(values)
    importance, added = np.empty(count), np.empty((count, len(model.names)))
    average = logistic(np.array([model.base]))[0]
    for start in range(0, count, _ROWS):
        part = slice(start, start + _ROWS)
        phi = model.contributions(values[part])
        total = phi.sum(axis=1)
        slope = average * (1 - average)  # the limit where nothing differs from the average
        change = logistic(model.base + total) - average
        ratio = np.where(np.abs(total) > _CLOSE, change / np.where(total == 0, 1, total), slope)
        added[part] = phi * ratio[:, None]
        importance[part] = [math.fsum((average, *row)) for row in added[part].tolist()]
    return importance, added


def logistic(log_odds: Floats) -> Floats:
    """Probability of log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -700, 700))))


def fit(
    kind: str, values: Floats, labels: Floats, names: Sequence[str], *, seed: int
) -> AdditiveModel:
    """Fits a model.

    Args:
        kind: `boosted` (gradient boosting, at most two predictors in a tree, monotone where the
            table of predictors says so) or `linear` (logistic regression on standardised values).
        values: (n, p) values of the predictors.
        labels: (n,) 1 for important citations, else 0.
        names: the predictors.
        seed: random seed.

    Raises:
        ConfigError: all labels are equal.
    """
    if len(np.unique(labels)) < 2:
        raise ConfigError("all labels are equal; expected important and other citations")
    edges = tuple(find_edges(values[:, k]) for k in range(len(names)))
    codes = code(values, edges)
    fit_kind = {"boosted": _fit_boosted, "linear": _fit_linear}[kind]
    return fit_kind(values, labels, names, edges=edges, codes=codes, seed=seed)


def _fit_boosted(
    values: Floats,
    labels: Floats,
    names: Sequence[str],
    *,
    edges: tuple[Floats, ...],
    codes: Codes,
    seed: int,
) -> AdditiveModel:
    """Gradient boosting over levels; its trees of two predictors are summed into tables.

    300 trees of at most 6 leaves with 50 pairs each, learning rate .03: chosen while looking at the
    cross-validated AUC on SciCite and ACL-ARC, so that their figures include this choice.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    missing = np.array([len(bounds) + 1 for bounds in edges])
    is_known = (codes != missing).any(axis=0)  # scikit-learn refuses columns of NaN alone

    def encode(rows: Codes) -> Floats:
        return np.where((rows == missing) & is_known, np.nan, rows)

    boosted = HistGradientBoostingClassifier(
        max_iter=300,
        learning_rate=0.03,
        max_leaf_nodes=6,
        min_samples_leaf=min(50, max(5, len(labels) // 20)),
        l2_regularization=5.0,
        interaction_cst="pairwise",
        monotonic_cst=[TABLE[name].direction for name in names],
        early_stopping=False,
        random_state=seed,
    ).fit(encode(codes), labels)

    def predict(rows: Codes) -> Floats:
        return np.asarray(boosted.decision_function(encode(rows)))

    return _tabulate(predict, names, edges, codes)


def _tabulate(
    predict: Any, names: Sequence[str], edges: tuple[Floats, ...], codes: Codes
) -> AdditiveModel:
    """Effects and interactions of a function of levels that has no interaction of three.

    With all other predictors at level 0, f(k) - f(0) is the effect of one predictor, and f(k, l) -
    f(k) - f(l) + f(0) the interaction of two; both are then centred over the levels of the training
    pairs, the means of interactions going to the effects.
    """
    p = len(names)
    sizes = [len(bounds) + 2 for bounds in edges]
    shares = [np.bincount(codes[:, k], minlength=sizes[k]) / len(codes) for k in range(p)]
    origin = np.zeros(p, np.int64)
    base = float(predict(origin[None])[0])
    effects = []
    for k in range(p):
        rows = np.tile(origin, (sizes[k], 1))
        rows[:, k] = np.arange(sizes[k])
        effects.append(predict(rows) - base)
    interactions: dict[tuple[int, int], Floats] = {}
    for k, other in combinations(range(p), 2):
        grid = np.stack(np.meshgrid(np.arange(sizes[k]), np.arange(sizes[other]), indexing="ij"))
        rows = np.tile(origin, (grid[0].size, 1))
        rows[:, k], rows[:, other] = grid[0].ravel(), grid[1].ravel()
        joint = predict(rows).reshape(sizes[k], sizes[other]) - base
        table = joint - effects[k][:, None] - effects[other][None]
        if np.abs(table).max(initial=0) > _NEGLIGIBLE:
            interactions[k, other] = table
    for (k, other), table in interactions.items():
        rows_mean, columns_mean = table @ shares[other], shares[k] @ table
        mean = float(shares[k] @ table @ shares[other])
        effects[k] = effects[k] + rows_mean
        effects[other] = effects[other] + columns_mean - mean
        interactions[k, other] = table - rows_mean[:, None] - columns_mean[None] + mean
    for k in range(p):
        mean = float(shares[k] @ effects[k])
        base += mean
        effects[k] = effects[k] - mean
        if not shares[k][-1]:  # never missing in the labels: a missing value says nothing
            effects[k][-1] = 0
            for pair, table in interactions.items():
                if k in pair:
                    table[(-1, slice(None)) if pair[0] == k else (slice(None), -1)] = 0
    return AdditiveModel(tuple(names), edges, base, tuple(effects), interactions)


def _fit_linear(
    values: Floats,
    labels: Floats,
    names: Sequence[str],
    *,
    edges: tuple[Floats, ...],
    codes: Codes,
    seed: int,
) -> AdditiveModel:
    """Logistic regression; a level has the mean of its values, a missing value the overall mean."""
    from sklearn.linear_model import LogisticRegression

    scaled = [TABLE[name].is_log for name in names]
    columns = np.where(scaled, np.log1p(np.maximum(values, 0)), values)
    columns = np.where(np.isnan(columns).all(axis=0), 0, columns)
    mean, spread = np.nanmean(columns, axis=0), np.nanstd(columns, axis=0)
    standard = (columns - mean) / np.where(spread == 0, 1, spread)
    levels = [
        list(_level_means(standard[:, k], codes[:, k], len(edges[k]) + 2))
        for k in range(len(names))
    ]
    rows = np.column_stack([np.array(levels[k])[codes[:, k]] for k in range(len(names))])
    fitted = LogisticRegression(C=1.0, max_iter=1_000, random_state=seed).fit(rows, labels)
    base = float(fitted.intercept_[0])
    effects = []
    for k, weight in enumerate(fitted.coef_[0]):
        effect = weight * np.array(levels[k])
        centre = float(effect[codes[:, k]].mean())
        base += centre
        effects.append(effect - centre)
    return AdditiveModel(tuple(names), edges, base, tuple(effects))


def _level_means(values: Floats, codes: Codes, size: int) -> Iterator[float]:
    for level in range(size):
        inside = values[(codes == level) & np.isfinite(values)]
        yield float(inside.mean()) if len(inside) else 0.0


def read_models(text: str) -> list[AdditiveModel]:
    """The models of a JSON list, which have the same predictors.

    Raises:
        KeyError, TypeError, ValueError: it is something else.
    """
    try:
        models = [AdditiveModel.from_json(content) for content in json.loads(text)]
    except RecursionError as error:
        raise ValueError(str(error)) from error
    if not models or any(model.names != models[0].names for model in models):
        raise ValueError(f"{len(models)} models, or models of different predictors")
    return models
