"""Steps: train a model of citation intents, label citations, evaluate models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from citescape.ingest.shards.settings import ShardStep
from citescape.runs.context import Context
from citescape.runs.step import Count, Seed, Setting, Settings, Step, extract
from citescape.text.labeller import Encoder, Model

if TYPE_CHECKING:
    from citescape.text.intents.evaluate import IntentEvaluations
    from citescape.text.intents.label import LabelledIntents
    from citescape.text.intents.model import IntentRun
    from citescape.text.shards import LabelledShards

KINDS = {
    "linear": ("linear",),
    "transformer": ("transformer",),
    "combined": ("linear", "transformer"),
}
"""Kind of model -> its members, whose margins are combined."""

THRESHOLD = 0.5
"""Minimum probability of an intent."""
_SETTINGS = {
    "linear": ("strength",),
    "transformer": (
        *("encoder", "held_out", "epochs", "batch", "learning_rate", "head_learning_rate"),
        *("weight_decay", "warm_up", "dropout", "kept_layers", "frozen_layers", "max_tokens"),
        "threads",
    ),
}
"""Member of a model -> settings that only this member uses."""
Threshold = Annotated[float, Setting(above=0, most=1)]
"""Minimum probability of an intent."""
Files = Annotated[tuple[Path, ...], Setting(argument=True)]
"""Files of labelled citations."""


@dataclass(frozen=True, kw_only=True)
class IntentConfig(Settings):
    """Settings of an intent model.

    The defaults were chosen by cross-validation on SciCite's training data.
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
    """Number of folds; a linear model of the other folds calibrates each."""
    held_out: Annotated[float, Setting(above=0, most=0.5, expert=True)] = 0.1
    """Share of the data to calibrate the transformer with, not used for its training."""
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
    """Share of the encoder's layers to keep, from below. The upper layers of a sentence encoder
    hold less about wording: on frozen vectors of MiniLM's layers 1-6, a linear model has macro-F1
    .805 .811 .816 .817 .801 .744."""
    frozen_layers: Annotated[float, Setting(least=0, most=1, expert=True)] = 1 / 3
    """Share of the layers to freeze, with the embeddings: halves the time at equal quality."""
    max_tokens: Annotated[int, Setting(least=16, expert=True)] = 128
    """Maximum tokens per citation context."""
    threads: Annotated[int, Setting(least=1, most=1024, expert=True)] = 2
    """Number of CPU threads; the last digits of a model depend on it."""

    def reset_unused(self) -> IntentConfig:
        """The settings with those that this kind does not use reset to their defaults.

        So unused settings do not change the run id.
        """
        missing = [member for member in _SETTINGS if member not in KINDS[self.kind]]
        unused = [name for member in missing for name in _SETTINGS[member]]
        defaults: dict[str, Any] = {name: getattr(IntentConfig, name) for name in unused}
        return replace(self, **defaults)


@dataclass(frozen=True)
class TrainIntents(IntentConfig, Step["IntentRun"]):
    """Train a model of citation intents on labelled citations.

    The files hold one JSON object per line, in SciCite's format. Each intent has its own
    probability, calibrated on held-out examples. The model is stored as a run; the store is not
    read. Requires `pip install 'citescape[learn]'`.
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
class LabelIntents(ShardStep["LabelledIntents | LabelledShards[LabelledIntents]"]):
    """Label every citation in the text with its intents, and count them for each pair of papers.

    Each citation gets a probability for each intent, and the intents above the threshold: none, one
    or several. CITES gets n_background, n_method and n_result. Intents from the source of a paper
    are kept. An interrupted run continues where it stopped: citations that this model has labelled
    are skipped.
    """

    writes = True
    model: Model = ""
    """Trained model, or `rules`, which need no training."""
    threshold: Threshold = THRESHOLD
    """Minimum probability of an intent."""
    again: bool = False
    """Label citations again that this model has labelled: needed after `platform text sections
    label` has changed types. If interrupted, run without --again to continue. Over shards this
    happens automatically after section types change."""

    def compute(self, context: Context) -> LabelledIntents | LabelledShards[LabelledIntents]:
        from citescape.text.intents.label import label
        from citescape.text.intents.model import resolve_model

        model = resolve_model(context.runs, str(self.model), location=context.location)
        if self.shards:
            from citescape.text.shard_labellers import INTENTS
            from citescape.text.shards import ModelReference, label_with_step

            reference = ModelReference.resolved(
                context.runs,
                str(self.model),
                model.record.id,
                is_network="transformer" in KINDS.get(model.record.config.get("kind", ""), ()),
            )
            return label_with_step(self, context, INTENTS, reference, threshold=self.threshold)
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
    """Minimum probability of an intent."""
    cases: Annotated[int, Setting(least=0)] = 5
    """Number of errors to list."""

    def compute(self, context: Context) -> IntentEvaluations:
        from citescape.text.intents.evaluate import IntentEvaluations, evaluate
        from citescape.text.intents.model import resolve_model, was_trained_on
        from citescape.text.intents.scicite import read_examples

        examples, evaluations, trained = read_examples(self.files), {}, []
        for named in self.models:
            model = resolve_model(context.runs, str(named), location=context.location)
            name = f"{model.name} ({model.record.id})"
            context.progress(f"evaluating {name}")
            evaluations[name] = evaluate(
                model.classify, examples, threshold=self.threshold, max_errors=self.cases
            )
            if was_trained_on(model.record, examples):
                trained.append(name)
        return IntentEvaluations(evaluations, tuple(trained))
