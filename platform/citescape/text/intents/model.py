"""The intent model as a run: `text intents train` makes it, `label` and `evaluate` read it."""

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
from citescape.text.intents.contexts import INTENTS, Context, IntentModel, Probabilities
from citescape.text.intents.members import (
    Arrays,
    Fitted,
    Margins,
    Member,
    divide,
    divide_in_folds,
    hold_out,
    targets,
)
from citescape.text.intents.rules import CUES, SECTION_POINTS, judge_by_rules
from citescape.text.intents.scicite import Example, check_intents
from citescape.text.intents.steps import KINDS, IntentConfig
from citescape.text.labeller import RULES
from citescape.text.model_run import ModelRun, keep_model, load_model, write_tensors

_FEWEST = 10
"""Minimum number of examples with and without each intent."""
_NEEDS = {"linear": ("sklearn",), "transformer": ("torch", "transformers")}
"""Libraries that train a member."""
Fit = Callable[[Sequence[Example], IntentConfig, Progress], Fitted]
Load = Callable[[Arrays, Path, IntentConfig], Member]


@dataclass(frozen=True)
class NamedModel:
    """An intent model and the run it comes from."""

    name: str
    """`rules`, or the kind of model."""
    record: RunRecord
    judge: IntentModel


class IntentRun(ModelRun):
    """A trained model: model.safetensors, and encoder/ of a transformer.

    `held_out` of its counts are figures on examples that no member was trained on: `n`,
    `macro_f1`, `calibration_error`, with calibrations of the other examples. N-grams are counted in
    all examples (`Fitted`).
    """

    command = "intents train"
    group = "intents"
    columns = ("intent", "examples")
    learned = "intents"

    def describe_data(self) -> str:
        """Labelled citations."""
        return plural(self.counts["examples"], "citation")

    def details(self) -> list[str]:
        """The kind, and figures on held-out examples."""
        found = self.counts["held_out"]
        return [
            f"kind: {self.record.config['kind']}, trained in {self.record.seconds:.0f} s",
            f"held-out: {found['n']:,} citations, macro-F1 {found['macro_f1']:.3f}, "
            f"calibration error {found['calibration_error']:.3f}",
        ]

    def load(self) -> NamedModel:
        """The members and their calibration."""
        config, members = IntentConfig(**self.record.config), []
        for name in KINDS[config.kind]:
            start = f"{name}."
            own = {k.removeprefix(start): v for k, v in self.tensors.items() if k.startswith(start)}
            members.append(_member(name)[1](own, self.path, config))
        calibration = Calibration(self.tensors["slopes"], self.tensors["offsets"])

        def judge(contexts: Sequence[Context]) -> Probabilities:
            return calibration([member(contexts) for member in members])

        return NamedModel(config.kind, self.record, judge)


def train(
    examples: Sequence[Example],
    config: IntentConfig | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> IntentRun:
    """Trains an intent model and keeps it as a run.

    The same examples, in any order, and the same configuration give the same run, which is trained
    once.

    Raises:
        ConfigError: an intent is missing from the examples, or too few papers have it, or a library
            or an encoder is missing, or the training did not converge.
    """
    chosen = (config or IntentConfig()).without_idle()
    members = KINDS[chosen.kind]
    require(*(library for name in members for library in _NEEDS[name]), "safetensors")
    if "transformer" in members:
        chosen = replace(chosen, encoder=resolve_encoder(chosen.encoder))
    examples = sorted(examples)
    check_intents(examples, fewest=_FEWEST)

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        if "linear" in members:  # errors of the second come before the first is trained
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
    """The model of a name: `rules`, or a trained one (`load_model`).

    The rules have a run too, whose id depends on the score card.
    """
    if named != RULES:
        model: NamedModel = load_model(IntentRun, runs, named, location=location)
        return model
    settings: dict[str, object] = {
        "cues": {cue.name: [cue.pattern.pattern, *cue.points] for cue in CUES},
        "sections": SECTION_POINTS,
    }
    record = RunRecord.of("intents-rules", settings, {}, libraries=("citescape",))
    return NamedModel(RULES, record, judge_by_rules)


def _member(name: str) -> tuple[Fit, Load]:
    """The functions that train and load a member; loading the linear one needs no library."""
    if name == "linear":
        from citescape.text.intents.linear import LinearMember, fit_linear

        return fit_linear, LinearMember.load
    require("torch", "transformers")
    from citescape.text.intents.transformer import TransformerMember, fit_transformer

    return fit_transformer, TransformerMember.load


def _evaluate_held_out(
    fitted: Sequence[Fitted], examples: Sequence[Example], config: IntentConfig
) -> dict[str, float]:
    """Figures on the examples that no member was trained on."""
    from citescape.text.intents.evaluate import confusion_of

    margins: list[Margins] = [member.held_out for member in fitted]
    judged = np.flatnonzero(~np.isnan(margins).any((0, 2)))
    kept = [examples[k] for k in judged.tolist()]
    part, wanted = divide(kept, config.folds, config.seed), targets(kept)
    probabilities = cross_calibrate([member[judged] for member in margins], wanted, part)
    return {
        "n": len(kept),
        "macro_f1": confusion_of(kept, probabilities).macro_f1,
        "calibration_error": calibration_error(probabilities, wanted),
    }


def learned_from(record: RunRecord, examples: Sequence[Example]) -> bool:
    """Whether a model was trained on the same examples, in any order."""
    return record.inputs.get("examples") == _hash(examples)


def _hash(examples: Sequence[Example]) -> str:
    text = json.dumps(sorted(examples), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
