"""Importance learned from labelled citations, as a run of `platform importance train`."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, SourceError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.importance.agreement import Measure, measure_agreement
from citescape.importance.labelled import LabelledPairs
from citescape.importance.learned.additive import AdditiveModel, fit, logistic, read_models
from citescape.importance.learned.predictors import TABLE, Columns, read_predictors
from citescape.importance.text_encoder import HASHED, load_text_encoder
from citescape.importance.titles import Encode
from citescape.runs.directory import RunDirectory, Stopwatch
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table
from citescape.store.queries import query
from citescape.text.intents.calibration import calibration_error

if TYPE_CHECKING:
    from citescape.importance.steps import TrainImportance

Floats = npt.NDArray[np.float64]
MODEL, FOLDS, PREDICTIONS = "models.json", "folds.parquet", "predictions.parquet"
STATED = "mentions, as the file states"
"""Name of the number of mentions that files state."""
NO_ENCODER = "none"
"""Name of the encoder if texts are not compared."""
_FEWEST = 10
"""Minimum number of important, and of other citations, for each fold."""


class TrainedImportance(KeptRun):
    """Models of importance: models.json, folds.parquet, predictions.parquet.

    The first model was fitted to all labels, the others without one fold each; all have the same
    calibration. `predictions` are those of the model that has not seen the citing paper.
    """

    command = "importance train"
    noun = "models of importance"
    required = ("config.kind", "config.folds", "counts.predictors")

    def read_models(self) -> list[AdditiveModel]:
        """The model of all labels, then the model without each fold.

        Raises:
            SourceError: the file is missing or damaged.
        """
        path, expected = self.path / MODEL, 1 + int(self.record.config["folds"])
        try:
            models = read_models(path.read_text(encoding="utf-8"))
            if len(models) != expected:
                raise ValueError(f"{len(models)} models, not {expected}")
            return models
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise SourceError(
                str(path),
                "not-a-model",
                f"expected models of `platform importance train`; found: {error}; move the folder "
                "away and train again",
            ) from error

    def read_folds(self) -> dict[str, int]:
        """Citing paper -> fold, 0 and up, for the papers of the labels."""
        table = self.read_table(FOLDS, "citing", "fold")
        return dict(zip(table["citing"].to_pylist(), table["fold"].to_pylist(), strict=True))

    @property
    def arrow(self) -> pa.Table:
        """A row per predictor: what it adds on average, without its sign, to the log odds."""
        rows = self.counts["predictors"]
        return pa.table(
            {
                "predictor": list(rows),
                "mean_effect": list(rows.values()),
                "meaning": [TABLE[name].doc for name in rows],
            }
        )

    def summarise(self) -> Summary:
        """Labels, figures on held-out papers, and predictors, the strongest first."""
        counts = self.counts
        rows = [
            (
                row["score"],
                row["metric"],
                row["value"],
                show_interval(row["low"], row["high"]),
                _lead(row),
            )
            for row in counts["held_out"]
        ]
        table = self.arrow
        effects = list(zip(*(table[name].to_pylist() for name in table.column_names), strict=True))
        parts: list[Part] = [
            *counts["labels"],
            "",
            f"held-out citing papers, {self.record.config['folds']} folds:",
            Table(("score", "metric", "value", "95% interval", "lead over mentions"), rows),
            f"calibration error {counts['calibration_error']:.3f}, Brier score "
            f"{counts['brier']:.3f} ({counts['brier_of_share']:.3f} for the share of important "
            "citations alone)",
            "",
            Table(("predictor", "mean effect (log odds)", "meaning"), effects, optional=1),
        ]
        if counts["unused"]:
            parts.append(f"not known in these labels: {', '.join(counts['unused'])}")
        parts.append(self.describe())
        return Summary(
            parts,
            {"run": self.run, "path": str(self.path), **counts},
            [("scores by this model", f"score --weights learned:{self.run}")],
        )


def train(
    labelled: LabelledPairs,
    config: TrainImportance,
    *,
    runs: Path,
    progress: Progress = silent,
) -> TrainedImportance:
    """Trains a model on labelled pairs, with cross-validation by citing paper.

    Args:
        labelled: labelled pairs with their graph.
        config: settings of the training.
        runs: folder of runs.
        progress: called with the name of each stage.

    Raises:
        ConfigError: too few citations or papers for the folds, no predictor that varies, or
            scikit-learn is missing.
    """
    require("sklearn")
    _check(labelled, config.folds)
    encoder, encode = choose_encoder(config.title_encoder, labelled)
    settings = {
        "kind": config.kind,
        "folds": config.folds,
        "mentions": config.mentions,
        "title_encoder": encoder,
        "sections": config.sections,
        "seed": config.seed,
    }
    clock = Stopwatch()
    progress("reading predictors")
    with clock.timed("read"):
        values = read_values(labelled, encode, mentions=config.mentions, progress=progress)
        names, unused = _choose(values, labelled)
        chosen = np.column_stack([values[name] for name in names])

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        with clock.timed("train"):
            fitted = _cross_validate(chosen, labelled, names, config, progress=progress)
        labels = labelled.important
        progress("measuring agreement")
        scores = {
            "mentions": labelled.features.mentions[labelled.positions].astype(float),
            "learned": fitted.held_out,
        }
        if np.isfinite(labelled.stated).any():
            counted = scores["mentions"]
            scores[STATED] = np.fmax(counted, labelled.stated)
        measures = measure_agreement(
            scores, labels, labelled.clusters, baseline="mentions", seed=config.seed
        )
        models = json.dumps([model.to_json() for model in fitted.models])
        (directory.path / MODEL).write_text(models, encoding="utf-8")
        citing, cited = labelled.features.pairs.ends(labelled.positions)
        folds = pa.table({"citing": citing, "fold": fitted.folds}).group_by("citing")
        directory.write_parquet(
            FOLDS, [folds.aggregate([("fold", "min")]).rename_columns(["citing", "fold"])]
        )
        directory.write_parquet(
            PREDICTIONS,
            [
                pa.table(
                    {
                        "citing": citing,
                        "cited": cited,
                        "important": labels,
                        "probability": fitted.held_out,
                    }
                )
            ],
        )
        share = labels.mean()
        strength = _measure_effects(fitted.models[0], chosen)
        return {
            "labels": labelled.describe(),
            "citations": len(labelled),
            "important": int(labels.sum()),
            "held_out": list_measures(measures),
            "calibration_error": calibration_error(fitted.calibrated, labels.astype(float)),
            "brier": float(np.mean((fitted.calibrated - labels) ** 2)),
            "brier_of_share": float(share * (1 - share)),
            "predictors": strength,
            "unused": unused,
        }

    return compute_run(
        TrainedImportance,
        runs,
        settings,
        {"labels": labelled.fingerprint(), "predictors": hash_values(chosen)},
        fill=fill,
        recorded={"labels": [str(file) for file in config.labels]},
        seed=config.seed,
        libraries=("citescape", "numpy", "scikit-learn"),
        clock=clock,
    )


def hash_values(values: Floats) -> str:
    """Hash of numbers, 64 hex digits; all NaN are equal."""
    same = np.where(np.isnan(values), np.nan, values)
    return hashlib.blake2b(same.tobytes(), digest_size=32).hexdigest()


def open_encoder(name: str) -> Encode | None:
    """The encoder of titles and abstracts; None for `none`."""
    return None if name == NO_ENCODER else load_text_encoder(name)


def choose_encoder(name: str, labelled: LabelledPairs) -> tuple[str, Encode | None]:
    """The encoder to use, and its name for the record.

    Args:
        name: as given; empty for MiniLM, if it is installed and the graph has titles.
        labelled: labelled pairs.
    """
    if name in (NO_ENCODER, HASHED):
        return name, open_encoder(name)
    titles = labelled.store.read(query("features/titles"))["title"]
    if not name and not pc.any(pc.greater(pc.utf8_length(titles), 0)).as_py():
        return NO_ENCODER, None
    try:
        encode = load_text_encoder(name)
    except ConfigError:
        if name:
            raise
        return NO_ENCODER, None
    from citescape.encoders.files import resolve_encoder

    return resolve_encoder(name), encode


def read_values(
    labelled: LabelledPairs,
    encode: Encode | None,
    *,
    mentions: str,
    progress: Progress = silent,
) -> Columns:
    """The predictors of labelled pairs.

    Args:
        labelled: the pairs.
        encode: encodes titles and abstracts; None leaves their similarity missing.
        mentions: `stated`: the number of mentions is the one that the file states, if it is larger
            than the number of its sentences; `counted`: that of the sentences.
        progress: called while texts are encoded.
    """
    needed = np.zeros(len(labelled.features.pairs), np.bool_)
    needed[labelled.positions] = True
    columns = read_predictors(
        labelled.store,
        labelled.slices,
        labelled.features,
        encode_texts=encode,
        among=needed,
        progress=progress,
    )
    values = {name: column[labelled.positions] for name, column in columns.items()}
    if mentions == "stated":
        values["mentions"] = np.fmax(values["mentions"], labelled.stated)
    return values


def list_measures(measures: Sequence[Measure]) -> list[dict[str, Any]]:
    """Measures as rows for records: bounds that are undefined are None."""
    rows = []
    for row in measures:
        lead = row.lead
        rows.append(
            {
                "score": row.score,
                "metric": row.metric,
                "value": _none(row.value.mean),
                "low": _none(row.value.low),
                "high": _none(row.value.high),
                "lead": _none(lead.mean) if lead else None,
                "lead_low": _none(lead.low) if lead else None,
                "lead_high": _none(lead.high) if lead else None,
                "p": _none(row.p),
            }
        )
    return rows


def show_interval(low: float | None, high: float | None) -> str:
    """An interval as text."""
    return "-" if low is None or high is None else f"{low:.4f} to {high:.4f}"


@dataclass(frozen=True)
class _Fitted:
    models: tuple[AdditiveModel, ...]
    """Of all labels, then without each fold."""
    folds: npt.NDArray[np.int64]
    """(n,) fold of each pair."""
    held_out: Floats
    """(n,) probability by the model without its fold."""
    calibrated: Floats
    """(n,) the same, calibrated without its fold: for figures of the calibration."""


def _cross_validate(
    values: Floats,
    labelled: LabelledPairs,
    names: Sequence[str],
    config: TrainImportance,
    *,
    progress: Progress,
) -> _Fitted:
    from sklearn.model_selection import StratifiedGroupKFold

    labels = labelled.important.astype(float)
    divide = StratifiedGroupKFold(config.folds, shuffle=True, random_state=config.seed)
    folds, log_odds = np.zeros(len(labels), np.int64), np.zeros(len(labels))
    models = []
    for fold, (known, held) in enumerate(divide.split(values, labels, labelled.clusters)):
        progress(f"training without fold {fold + 1} of {config.folds}")
        model = fit(config.kind, values[known], labels[known], names, seed=config.seed)
        log_odds[held] = model.base + model.contributions(values[held]).sum(axis=1)
        folds[held] = fold
        models.append(model)
    progress("training on all labels")
    models.insert(0, fit(config.kind, values, labels, names, seed=config.seed))
    slope, offset = _calibrate(log_odds, labels)
    scaled = tuple(model.scale(slope, offset) for model in models)
    calibrated = np.zeros(len(labels))
    for fold in range(config.folds):
        held = folds == fold
        own_slope, own_offset = _calibrate(log_odds[~held], labels[~held])
        calibrated[held] = logistic(own_slope * log_odds[held] + own_offset)
    return _Fitted(scaled, folds, logistic(slope * log_odds + offset), calibrated)


def _calibrate(log_odds: Floats, labels: Floats) -> tuple[float, float]:
    """Slope and offset of log odds on held-out papers (Platt 1999).

    With his smoothed targets, (N+ + 1) / (N+ + 2) and 1 / (N- + 2), they are finite for labels that
    are separated perfectly. The slope is never negative: a model that orders citations worse than
    chance would be reversed, by the labels that measure it. It becomes the share of important ones.
    """
    from sklearn.linear_model import LogisticRegression

    positive, negative = labels.sum(), (1 - labels).sum()
    target = np.where(labels > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))
    fitted = LogisticRegression(C=math.inf).fit(
        np.concatenate([log_odds, log_odds])[:, None],
        np.repeat([1, 0], len(labels)),
        sample_weight=np.concatenate([target, 1 - target]),
    )
    slope = float(fitted.coef_[0, 0])
    if slope <= 0:
        return 0.0, math.log(positive / negative)
    return slope, float(fitted.intercept_[0])


def _check(labelled: LabelledPairs, folds: int) -> None:
    papers, important = len(np.unique(labelled.clusters)), int(labelled.important.sum())
    others = len(labelled) - important
    if min(important, others) < _FEWEST * folds or papers < 2 * folds:
        raise ConfigError(
            f"{important:,} important and {others:,} other citations of {papers:,} papers; "
            f"expected at least {_FEWEST * folds} of each, of {2 * folds} papers, for {folds} "
            "folds"
        )


def _choose(values: Columns, labelled: LabelledPairs) -> tuple[list[str], list[str]]:
    """Predictors to use, and those whose values are unknown or equal in these labels."""
    used: list[str] = []
    unused: list[str] = []
    for name, predictor in TABLE.items():
        known = values[name][np.isfinite(values[name])]
        varies = len(known) > 0 and float(known.min()) < float(known.max())
        is_partial = predictor.whole and labelled.from_sentences
        (used if varies and not is_partial else unused).append(name)
    if not used:
        raise ConfigError(
            f"all {len(labelled):,} labelled citations have the same {', '.join(TABLE)}, or none; "
            "expected at least one predictor that varies"
        )
    return used, unused


def _measure_effects(model: AdditiveModel, values: Floats) -> dict[str, float]:
    """Mean of the absolute contribution of each predictor, the strongest first."""
    strength = np.abs(model.contributions(values)).mean(axis=0).tolist()
    pairs = sorted(zip(model.names, strength, strict=True), key=lambda pair: (-pair[1], pair[0]))
    return dict(pairs)


def _none(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _lead(row: Mapping[str, Any]) -> str:
    if row["lead"] is None:
        return "-"
    return f"{row['lead']:+.4f} ({show_interval(row['lead_low'], row['lead_high'])})"
