"""Steps: train a model of citation intents, label citations, evaluate models."""

from __future__ import annotations

from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from citescape.runs.context import Context
from citescape.runs.step import Setting, Step
from citescape.text.intents.config import THRESHOLD, IntentConfig
from citescape.text.labeller import Model

if TYPE_CHECKING:
    from citescape.text.intents.evaluate import IntentEvaluations
    from citescape.text.intents.label import LabelledIntents
    from citescape.text.intents.model import TrainedIntents
    from citescape.text.intents.scicite import Example

R = TypeVar("R")
Threshold = Annotated[float, Setting(above=0, most=1)]
"""Probability from which on a citation has an intent."""


@dataclass(frozen=True)
class _OfFiles(Step[R]):
    """Reads labelled citations."""

    files: Annotated[tuple[Path, ...], Setting(argument=True)]
    """Files of labelled citations in SciCite's format."""

    def __post_init__(self) -> None:
        super().__post_init__()
        files = (self.files,) if isinstance(self.files, str | PathLike) else self.files
        object.__setattr__(self, "files", tuple(Path(file) for file in files))

    def read_examples(self) -> list[Example]:
        """The labelled citations of all files."""
        from citescape.text.intents.scicite import read_examples

        return read_examples(self.files)


@dataclass(frozen=True)
class TrainIntents(IntentConfig, _OfFiles["TrainedIntents"]):
    """Train a model of citation intents on labelled citations.

    The files hold one JSON object a line, in SciCite's format. Each intent has a probability of its
    own, calibrated on held-out examples. The model is kept as a run; the store is not read.
    Requires `pip install 'citescape[learn]'`.
    """

    examples = "platform text intents train train.jsonl"

    def __post_init__(self) -> None:
        _OfFiles.__post_init__(self)
        super().__post_init__()

    def compute(self, context: Context) -> TrainedIntents:
        from citescape.text.intents.model import train

        settings = {item.name: getattr(self, item.name) for item in fields(IntentConfig)}
        settings["encoder"] = self.encoder or context.encoder
        config = IntentConfig(**settings)
        return train(self.read_examples(), config, runs=context.runs, progress=context.progress)


@dataclass(frozen=True)
class LabelIntents(Step["LabelledIntents"]):
    """Label every citation in the text with its intents, and count them for each pair of papers.

    Each citation gets a probability for each intent, and the intents above the threshold: none, one
    or several. CITES gets n_background, n_method and n_result. Intents that came with a paper stay.
    An interrupted run continues where it stopped: what this model has labelled is skipped.
    """

    writes = True
    model: Model = ""
    """Trained model, or `rules`, which need no training."""
    threshold: Threshold = THRESHOLD
    """Probability from which on a citation has an intent."""
    again: bool = False
    """Label again what this model has labelled: needed after `platform text sections label` has
    changed types. If interrupted, run without --again to continue."""

    def compute(self, context: Context) -> LabelledIntents:
        from citescape.text.intents.label import label
        from citescape.text.intents.model import resolve_model

        model = resolve_model(context.runs, str(self.model))
        return label(
            context.store,
            model,
            threshold=self.threshold,
            again=self.again,
            progress=context.progress,
        )


@dataclass(frozen=True)
class EvaluateIntents(_OfFiles["IntentEvaluations"]):
    """Evaluate models of citation intents on labelled citations they were not trained on.

    Macro-F1 and the confusion matrix take the most probable intent of each citation. ECE is the
    expected calibration error of all probabilities. The errors of highest probability are listed.
    """

    examples = "platform text intents evaluate dev.jsonl --model rules --model RUN"
    models: Annotated[tuple[Model, ...], Setting(flags=("--model",))] = ("",)
    """Trained model, or `rules`, which need no training."""
    threshold: Threshold = THRESHOLD
    """Probability from which on a citation has an intent."""
    cases: Annotated[int, Setting(least=0)] = 5
    """Number of errors to list."""

    def compute(self, context: Context) -> IntentEvaluations:
        from citescape.text.intents.evaluate import IntentEvaluations, evaluate
        from citescape.text.intents.model import learned_from, resolve_model

        examples, found, known = self.read_examples(), {}, []
        for named in self.models:
            model = resolve_model(context.runs, str(named))
            name = f"{model.name} ({model.record.id})"
            context.progress(f"evaluating {name}")
            found[name] = evaluate(
                model.judge, examples, threshold=self.threshold, hard_cases=self.cases
            )
            if learned_from(model.record, examples):
                known.append(name)
        return IntentEvaluations(found, tuple(known))
