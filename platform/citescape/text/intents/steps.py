"""Steps: train a model of citation intents, label citations, evaluate models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from citescape.runs.context import Context
from citescape.runs.step import Count, Seed, Setting, Settings, Step, extract
from citescape.text.labeller import Encoder, Model

if TYPE_CHECKING:
    from citescape.text.intents.evaluate import IntentEvaluations
    from citescape.text.intents.label import LabelledIntents
    from citescape.text.intents.model import IntentRun

KINDS = {
    "linear": ("linear",),
    "transformer": ("transformer",),
    "combined": ("linear", "transformer"),
}
"""Kind of model -> its members, whose margins are weighed together."""

THRESHOLD = 0.5
"""From this probability on a context is labelled with an intent."""
_SETTINGS = {
    "linear": ("strength",),
    "transformer": (
        *("encoder", "held_out", "epochs", "batch", "learning_rate", "head_learning_rate"),
        *("weight_decay", "warm_up", "dropout", "kept_layers", "frozen_layers", "max_tokens"),
        "threads",
    ),
}
"""Member of a model -> the settings that no other member reads."""
Threshold = Annotated[float, Setting(above=0, most=1)]
"""Probability from which on a citation has an intent."""
Files = Annotated[tuple[Path, ...], Setting(argument=True)]
"""Files of labelled citations."""


@dataclass(frozen=True, kw_only=True)
class IntentConfig(Settings):
    """What decides a model beside its training data.

    The values were chosen by cross-validation inside SciCite's training data.
    """

    kind: Literal["linear", "transformer", "combined"] = "linear"
    """Kind of model. linear: n-grams, trained in a minute; transformer: a fine-tuned encoder,
    trained in ten minutes on two cores; combined: both."""
    encoder: Encoder = ""
    """Pretrained transformer: a local folder, or an id of the Hugging Face hub."""
    seed: Seed = 0
    """Random seed."""
    strength: Annotated[float, Setting(above=0, expert=True)] = 10.0
    """C of the linear model: the inverse of its regularisation."""
    folds: Annotated[int, Setting(least=2, expert=True)] = 5
    """Number of folds; a linear model of the others calibrates each."""
    held_out: Annotated[float, Setting(above=0, most=0.5, expert=True)] = 0.1
    """Share of the data that calibrates the transformer and does not train it."""
    epochs: Count = 3
    """Number of passes of the transformer over the examples."""
    batch: Annotated[int, Setting(least=1, expert=True)] = 32
    """Examples per training step of the transformer."""
    learning_rate: Annotated[float, Setting(above=0, most=1, expert=True)] = 1.5e-4
    """Highest learning rate of the encoder."""
    head_learning_rate: Annotated[float, Setting(above=0, most=1, expert=True)] = 1e-3
    """Highest learning rate of the classification head."""
    weight_decay: Annotated[float, Setting(least=0, most=1, expert=True)] = 0.01
    """Weight decay of the transformer."""
    warm_up: Annotated[float, Setting(least=0, most=1, expert=True)] = 0.1
    """Share of training steps during which the learning rate rises."""
    dropout: Annotated[float, Setting(least=0, most=0.99, expert=True)] = 0.1
    """Dropout before the classification head; the encoder has its own."""
    kept_layers: Annotated[float, Setting(above=0, most=1, expert=True)] = 2 / 3
    """Share of the encoder's layers to keep, from below. The upper layers of an encoder of meaning
    have unlearned how a thing is said: on vectors of MiniLM's layers 1-6, left as they are, a
    linear model has macro-F1 .805 .811 .816 .817 .801 .744."""
    frozen_layers: Annotated[float, Setting(least=0, most=1, expert=True)] = 1 / 3
    """Share of the layers that are not trained, with the embeddings: half the time, no worse."""
    max_tokens: Annotated[int, Setting(least=16, expert=True)] = 128
    """Maximum tokens per citation context."""
    threads: Annotated[int, Setting(least=1, most=1024, expert=True)] = 2
    """Number of CPU threads; the last digits of a model depend on it."""

    def without_idle(self) -> IntentConfig:
        """With the settings of members that this kind does not have as they are by default.

        So what cannot matter does not make another model.
        """
        others = [member for member in _SETTINGS if member not in KINDS[self.kind]]
        idle = [name for member in others for name in _SETTINGS[member]]
        changed: dict[str, Any] = {name: getattr(IntentConfig, name) for name in idle}
        return replace(self, **changed)


@dataclass(frozen=True)
class TrainIntents(IntentConfig, Step["IntentRun"]):
    """Train a model of citation intents on labelled citations.

    The files hold one JSON object a line, in SciCite's format. Each intent has a probability of its
    own, calibrated on held-out examples. The model is kept as a run; the store is not read.
    Requires `pip install 'citescape[learn]'`.
    """

    examples = "platform text intents train train.jsonl"

    files: Files
    """Files of labelled citations in SciCite's format."""

    def compute(self, context: Context) -> IntentRun:
        from citescape.text.intents.model import train
        from citescape.text.intents.scicite import read_examples

        config = replace(extract(IntentConfig, self), encoder=self.encoder or context.encoder)
        examples = read_examples(self.files)
        return train(examples, config, runs=context.runs, progress=context.progress)


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

        model = resolve_model(context.runs, str(self.model), location=context.location)
        return label(
            context.store,
            model,
            threshold=self.threshold,
            again=self.again,
            progress=context.progress,
        )


@dataclass(frozen=True)
class EvaluateIntents(Step["IntentEvaluations"]):
    """Evaluate models of citation intents on labelled citations they were not trained on.

    Macro-F1 and the confusion matrix take the most probable intent of each citation. ECE is the
    expected calibration error of all probabilities. The errors of highest probability are listed.
    """

    examples = "platform text intents evaluate dev.jsonl --model rules --model RUN"
    files: Files
    """Files of labelled citations in SciCite's format."""
    models: Annotated[tuple[Model, ...], Setting(flags=("--model",))] = ("",)
    """Trained model, or `rules`, which need no training."""
    threshold: Threshold = THRESHOLD
    """Probability from which on a citation has an intent."""
    cases: Annotated[int, Setting(least=0)] = 5
    """Number of errors to list."""

    def compute(self, context: Context) -> IntentEvaluations:
        from citescape.text.intents.evaluate import IntentEvaluations, evaluate
        from citescape.text.intents.model import learned_from, resolve_model
        from citescape.text.intents.scicite import read_examples

        examples, found, known = read_examples(self.files), {}, []
        for named in self.models:
            model = resolve_model(context.runs, str(named), location=context.location)
            name = f"{model.name} ({model.record.id})"
            context.progress(f"evaluating {name}")
            found[name] = evaluate(
                model.judge, examples, threshold=self.threshold, hard_cases=self.cases
            )
            if learned_from(model.record, examples):
                known.append(name)
        return IntentEvaluations(found, tuple(known))
