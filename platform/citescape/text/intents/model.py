"""The intent model as a run of `platform text intents train`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from citescape.core.config import DEFAULT_STORE
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.encoders.files import resolve_encoder
from citescape.runs.directory import RunDirectory, RunRecord, Stopwatch
from citescape.runs.result import plural
from citescape.text.intents.calibration import (
    Calibration,
    calibrate,
    calibration_error,
    cross_calibrate,
)
from citescape.text.intents.contexts import INTENTS, CitationContext, IntentModel, Probabilities
from citescape.text.intents.members import (
    Arrays,
    FittedMember,
    Margins,
    Member,
    divide_examples,
    divide_in_folds,
    hold_out,
    targets,
)
from citescape.text.intents.rules import CUES, SECTION_POINTS, classify_by_rules
from citescape.text.intents.scicite import Example, check_intents
from citescape.text.intents.steps import KINDS, IntentConfig
from citescape.text.labeller import RULES
from citescape.text.model_run import ModelRun, keep_model, load_model, write_tensors

_FEWEST = 10
"""Minimum number of examples with and without each intent."""
_NEEDS = {"linear": ("sklearn",), "transformer": ("torch", "transformers")}
"""Libraries that a member needs for training."""
Fit = Callable[[Sequence[Example], IntentConfig, Progress], FittedMember]
Load = Callable[[Arrays, Path, IntentConfig], Member]


@dataclass(frozen=True)
class NamedModel:
    """An intent model and its run."""

    name: str
    """`rules`, or the kind of model."""
    record: RunRecord
    classify: IntentModel
    members: tuple[Member, ...] = ()
    """Members of a trained model, whose margins `classify` combines."""


class IntentRun(ModelRun):
    """A trained model: model.safetensors, and encoder/ of a transformer.

    `held_out` of its counts are figures on examples that no member was trained on: `n`,
    `macro_f1`, `calibration_error`, by calibrations of the other examples. N-grams are counted in
    all examples (`FittedMember`).
    """

    command = "intents train"
    group = "intents"
    columns = ("intent", "examples")
    learned = "intents"

    def describe_data(self) -> str:
        """Number of labelled citations."""
        return plural(self.counts["examples"], "citation")

    def details(self) -> list[str]:
        """The kind, and figures on held-out examples."""
        figures = self.counts["held_out"]
        return [
            f"kind: {self.record.config['kind']}, trained in {self.record.seconds:.0f} s",
            f"held-out: {figures['n']:,} citations, macro-F1 {figures['macro_f1']:.3f}, "
            f"calibration error {figures['calibration_error']:.3f}",
        ]

    def load(self) -> NamedModel:
        """The members and their calibration."""
        config, members = IntentConfig(**self.record.config), []
        for name in KINDS[config.kind]:
            prefix = f"{name}."
            tensors = {
                key.removeprefix(prefix): array
                for key, array in self.tensors.items()
                if key.startswith(prefix)
            }
            members.append(_member(name)[1](tensors, self.path, config))
        calibration = Calibration(self.tensors["slopes"], self.tensors["offsets"])

        def classify(contexts: Sequence[CitationContext]) -> Probabilities:
            return calibration([member(contexts) for member in members])

        return NamedModel(config.kind, self.record, classify, tuple(members))


def train(
    examples: Sequence[Example],
    config: IntentConfig | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> IntentRun:
    """Trains an intent model and stores it as a run.

    The same examples, in any order, and the same configuration give the same run, which is trained
    once.

    Args:
        examples: labelled citations.
        config: settings of the training.
        runs: folder of runs.
        progress: reports the stages.

    Raises:
        ConfigError: an intent is missing from the examples, or too few papers have it, or a library
            or an encoder is missing, or the training did not converge.
    """
    chosen = (config or IntentConfig()).reset_unused()
    members = KINDS[chosen.kind]
    require(*(library for name in members for library in _NEEDS[name]), "safetensors")
    if "transformer" in members:
        chosen = replace(chosen, encoder=resolve_encoder(chosen.encoder))
    examples = sorted(examples)
    check_intents(examples, fewest=_FEWEST)

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        if "linear" in members:  # check the examples of all members before training any
            divide_in_folds(examples, chosen)
        if "transformer" in members:
            hold_out(examples, chosen)
        fitted = [_member(name)[0](examples, chosen, progress) for name in members]
        calibration = calibrate([member.held_out for member in fitted], targets(examples))
        tensors: dict[str, Any] = {"slopes": calibration.slopes, "offsets": calibration.offsets}
        for name, (member, _) in zip(members, fitted, strict=True):
            tensors |= {f"{name}.{key}": array for key, array in member.tensors().items()}
            member.save(directory.path)
        write_tensors(directory.path, tensors)
        return {
            "examples": len(examples),
            "intents": {name: sum(name in e.intents for e in examples) for name in INTENTS},
            "held_out": _evaluate_held_out(fitted, examples, chosen),
        }

    return keep_model(
        IntentRun, asdict(chosen), {"examples": _hash(examples)}, runs=runs, fill=fill
    )


def resolve_model(runs: Path, named: str, *, location: str = DEFAULT_STORE) -> NamedModel:
    """The rules, whose run id depends on the score card, or a trained model.

    Args:
        runs: folder of runs.
        named: `rules`, a run id or a folder; empty for the latest run.
        location: path or address of the store, for messages.

    Raises:
        ConfigError, SourceError: as `load_model`.
    """
    if named != RULES:
        model: NamedModel = load_model(IntentRun, runs, named, location=location)
        return model
    settings: dict[str, object] = {
        "cues": {cue.name: [cue.pattern.pattern, *cue.points] for cue in CUES},
        "sections": SECTION_POINTS,
    }
    record = RunRecord.create("intents-rules", settings, {}, libraries=("citescape",))
    return NamedModel(RULES, record, classify_by_rules)


def _member(name: str) -> tuple[Fit, Load]:
    """The functions that train and load a member; the linear one is loaded without scikit-learn."""
    if name == "linear":
        from citescape.text.intents.linear import LinearMember, fit_linear

        return fit_linear, LinearMember.load
    require("torch", "transformers")
    from citescape.text.intents.transformer import TransformerMember, fit_transformer

    return fit_transformer, TransformerMember.load


def _evaluate_held_out(
    fitted: Sequence[FittedMember], examples: Sequence[Example], config: IntentConfig
) -> dict[str, float]:
    """Figures on the examples that no member was trained on."""
    from citescape.text.intents.evaluate import compute_confusion

    margins: list[Margins] = [member.held_out for member in fitted]
    rows = np.flatnonzero(~np.isnan(margins).any((0, 2)))
    held_out = [examples[k] for k in rows.tolist()]
    part, truth = divide_examples(held_out, config.folds, config.seed), targets(held_out)
    probabilities = cross_calibrate([member[rows] for member in margins], truth, part)
    return {
        "n": len(held_out),
        "macro_f1": compute_confusion(held_out, probabilities).macro_f1,
        "calibration_error": calibration_error(probabilities, truth),
    }


def was_trained_on(record: RunRecord, examples: Sequence[Example]) -> bool:
    """Whether a model was trained on these examples, in any order."""
    return record.inputs.get("examples") == _hash(examples)


def _hash(examples: Sequence[Example]) -> str:
    text = json.dumps(sorted(examples), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
