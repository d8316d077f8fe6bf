"""Agreement of importance with labels, as a run of `platform evaluate importance`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.importance.agreement import measure_agreement
from citescape.importance.components import PUBLISHED, TABLE
from citescape.importance.config import Weighting
from citescape.importance.labelled import LabelledPairs
from citescape.importance.learned.additive import score
from citescape.importance.learned.predictors import Columns
from citescape.importance.learned.training import (
    STATED,
    TrainedImportance,
    hash_values,
    list_measures,
    open_encoder,
    read_values,
    show_interval,
)
from citescape.importance.score import weigh_features
from citescape.importance.scored import ScoredPairs
from citescape.runs.directory import RunDirectory, Stopwatch
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table

if TYPE_CHECKING:
    from citescape.importance.steps import EvaluateImportance

Floats = npt.NDArray[np.float64]
AGREEMENT, SCORES = "agreement.parquet", "scores.parquet"
BASELINE = "mentions"
WEIGHTINGS = {
    "uniform weights": Weighting(weights="uniform"),
    "entropy weights": Weighting(),
    "entropy weights without S": Weighting(features="I,R,D"),
    "entropy weights with M": Weighting(features="I,M,R,D,S"),
}
"""Scores by Eq. 1 (CIA) that are compared."""


class ImportanceEvaluation(KeptRun):
    """agreement.parquet: figures by score and metric; scores.parquet: scores of all pairs."""

    command = "evaluate importance"
    noun = "evaluations of importance"

    @property
    def arrow(self) -> pa.Table:
        """A row per score and metric: value and lead over mentions, with intervals."""
        return self.read_table(AGREEMENT, "score", "metric", "value", "lead")

    def summarise(self) -> Summary:
        """The labels, and each metric of each score, the best first."""
        rows = self.arrow.to_pylist()
        parts: list[Part] = [*self.counts["labels"]]
        for metric in dict.fromkeys(row["metric"] for row in rows):
            some = [row for row in rows if row["metric"] == metric and row["value"] is not None]
            some.sort(key=lambda row: (-row["value"], row["score"]))
            table = [
                (
                    row["score"],
                    row["value"],
                    show_interval(row["low"], row["high"]),
                    "-" if row["lead"] is None else f"{row['lead']:+.4f}",
                    show_interval(row["lead_low"], row["lead_high"]),
                    "-" if row["p"] is None else row["p"],
                )
                for row in some
            ]
            names = ("score", metric, "95% interval", "lead over mentions", "95% interval", "p")
            parts += ["", Table(names, table)] if table else []
        parts += ["", *self.counts["notes"], self.describe()]
        figures = {"run": self.run, "path": str(self.path), **self.counts, "agreement": rows}
        return Summary(parts, figures)


def evaluate(
    labelled: LabelledPairs,
    config: EvaluateImportance,
    models: Sequence[TrainedImportance],
    *,
    runs: Path,
    progress: Progress = silent,
) -> ImportanceEvaluation:
    """Compares scores of labelled citations with their labels.

    Args:
        labelled: labelled pairs with their graph.
        config: settings of the evaluation.
        models: learned importance to compare. A citing paper of its training is scored by the
            model that has not seen it.
        runs: folder of runs.
        progress: called with the name of each stage.
    """
    settings = {
        "k": config.k,
        "sections": config.sections,
        "models": [model.run for model in models],
        "seed": config.seed,
    }
    clock = Stopwatch()
    progress("scoring")
    with clock.timed("score"):
        scores, notes = _compute_scores(labelled, config, models, progress)

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        progress("measuring agreement")
        with clock.timed("measure"):
            rows = list_measures(
                measure_agreement(
                    scores,
                    labelled.important,
                    labelled.clusters,
                    baseline=BASELINE,
                    k=config.k,
                    seed=config.seed,
                )
            )
        directory.write_parquet(AGREEMENT, [pa.Table.from_pylist(rows)])
        citing, cited = labelled.features.pairs.ends(labelled.positions)
        table = pa.table(
            {"citing": citing, "cited": cited, "important": labelled.important, **scores}
        )
        directory.write_parquet(SCORES, [table])
        tied = {name: _share_tied(values) for name, values in scores.items()}
        return {
            "labels": labelled.describe(),
            "citations": len(labelled),
            "important": int(labelled.important.sum()),
            "tied": tied,
            "notes": notes,
        }

    return compute_run(
        ImportanceEvaluation,
        runs,
        settings,
        {
            "labels": labelled.fingerprint(),
            "scores": hash_values(np.column_stack(list(scores.values()))),
        },
        fill=fill,
        recorded={"labels": [str(file) for file in config.labels]},
        seed=config.seed,
        libraries=("citescape", "numpy"),
        clock=clock,
    )


def _compute_scores(
    labelled: LabelledPairs,
    config: EvaluateImportance,
    models: Sequence[TrainedImportance],
    progress: Progress,
) -> tuple[dict[str, Floats], list[str]]:
    """Score -> (n,) values, and notes on scores that are undefined or partly known."""
    features, at = labelled.features, labelled.positions
    scores = {BASELINE: features.mentions[at].astype(float)}
    notes = []
    if np.isfinite(labelled.stated).any():
        scores[STATED] = np.fmax(scores[BASELINE], labelled.stated)
    for name, weighting in WEIGHTINGS.items():
        try:
            weights, _ = weigh_features(features, weighting)
        except ConfigError:
            notes.append(f"{name}: undefined, none of {weighting.features} varies")
            continue
        scores[name] = ScoredPairs(features, weights, "R").importance[at]
    for name in (*PUBLISHED, "M", "other"):
        component = TABLE[name]
        column = features.selfs if name == "S" else features.counts[:, component.slot]
        values = column[at].astype(float)
        if values.min() < values.max():
            scores[f"{name} alone: {component.doc}"] = values
        else:
            notes.append(f"{name} alone: the same for all labelled citations")
    read: dict[tuple[str, str], Columns] = {}
    for model in models:
        trained = model.record.config
        inputs = trained["title_encoder"], trained["mentions"]
        if inputs not in read:  # models of one encoder share their predictors
            read[inputs] = read_values(
                labelled, open_encoder(inputs[0]), mentions=inputs[1], progress=progress
            )
        scores[f"learned: {model.run}"], note = _score_unseen(labelled, model, read[inputs])
        notes.append(f"learned: {model.run}: {note}")
    return scores, notes


def _score_unseen(
    labelled: LabelledPairs, model: TrainedImportance, values: Columns
) -> tuple[Floats, str]:
    """Probabilities (n,) by models that have not seen the citing paper, and a note."""
    whole, *others = model.read_models()
    chosen = np.column_stack([values[name] for name in whole.names])
    folds = model.read_folds()
    fold = np.array([folds.get(paper, -1) for paper in labelled.citing.to_pylist()])
    probability, _ = score(whole, chosen)
    for number, other in enumerate(others):
        held = fold == number
        if held.any():
            probability[held] = score(other, chosen[held])[0]
    seen = int((fold >= 0).sum())
    if not seen:
        return probability, "no citing paper has the id of one in its training"
    return probability, (
        f"{seen:,} of {len(fold):,} citations are of papers in its training; scored by models "
        "without them"
    )


def _share_tied(values: Floats) -> float:
    """Share of all pairs of citations that have equal scores."""
    _, counts = np.unique(values, return_counts=True)
    n = len(values)
    return float((counts * (counts - 1.0)).sum() / (n * (n - 1.0))) if n > 1 else math.nan
