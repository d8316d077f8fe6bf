"""Evaluation of intent models: confusion, F1, calibration, errors of highest probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.text.confusion import Confusion, cut_text
from citescape.text.intents.calibration import calibration_error
from citescape.text.intents.contexts import (
    INTENTS,
    CitationContext,
    IntentModel,
    Probabilities,
    predict,
)
from citescape.text.intents.members import targets
from citescape.text.intents.scicite import Example
from citescape.text.intents.steps import THRESHOLD

_WIDTH = 100
"""Characters of citing sentences in the list of errors."""
_HEADER = ("model", "macro-F1", "accuracy", *INTENTS, "ECE")
_FIGURES = ("model", "macro_f1", "accuracy", *INTENTS, "calibration_error")


@dataclass(frozen=True)
class MisclassifiedCitation:
    """A context whose most probable intent is wrong."""

    context: CitationContext
    true: tuple[str, ...]
    predicted: str
    probability: float


@dataclass(frozen=True)
class IntentEvaluation:
    """Figures of a model on labelled citations."""

    confusion: Confusion
    """True against most probable intent, of citations with exactly one intent."""
    f1_at_threshold: dict[str, float]
    """F1 of each intent, predicted where p >= threshold, over all citations."""
    calibration_error: float
    examples: int
    without_intent: int
    """Contexts with no intent above the threshold."""
    several_intents: int
    """Contexts with more than one intent above the threshold."""
    errors: tuple[MisclassifiedCitation, ...]
    """Errors, those of highest probability first."""

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        cases = [
            {**case.context._asdict(), "true": case.true, "predicted": case.predicted,
             "probability": case.probability}
            for case in self.errors
        ]  # fmt: skip
        return {**vars(self), **self.confusion.as_dict(), "errors": cases}


@dataclass(frozen=True)
class IntentEvaluations(Result):
    """Evaluations of several models on the same labelled citations."""

    models: dict[str, IntentEvaluation]
    """Evaluations by name and run of the model."""
    trained_on_examples: tuple[str, ...]
    """Names of models that were trained on these citations."""

    @property
    def arrow(self) -> pa.Table:
        """A row per model: macro-F1, accuracy, F1 of each intent, expected calibration error."""
        return pa.Table.from_pylist([dict(zip(_FIGURES, row, strict=True)) for row in self._rows()])

    def summarise(self) -> Summary:
        """The figures of all models, the confusion matrix and the errors of each."""
        parts: list[Part] = [
            f"warning: {name} was trained on these citations" for name in self.trained_on_examples
        ]
        parts.append(Table(_HEADER, self._rows()))
        for name, evaluation in self.models.items():
            examples = plural(evaluation.examples, "citation")
            title = f"{name}: {examples}; rows true, columns predicted"
            parts += ["", evaluation.confusion.to_table(title)]
            parts.append(
                f"{evaluation.without_intent:,} with no intent above the threshold, "
                f"{evaluation.several_intents:,} with several"
            )
            if evaluation.errors:
                parts += ["", "errors of highest probability"]
            for case in evaluation.errors:
                true, title = "+".join(case.true) or "none", case.context.title
                parts.append(
                    f"  {true}, predicted {case.predicted} ({case.probability:.2f}), "
                    f"in {(title or 'untitled section')[:40]}"
                )
                parts.append(f"    {cut_text(case.context.text, _WIDTH)}")
        return Summary(parts, {name: figures.as_dict() for name, figures in self.models.items()})

    def _rows(self) -> list[tuple[object, ...]]:
        return [
            (
                name,
                evaluation.confusion.macro_f1,
                evaluation.confusion.accuracy,
                *(evaluation.confusion.f1.get(intent) for intent in INTENTS),
                evaluation.calibration_error,
            )
            for name, evaluation in self.models.items()
        ]


def evaluate(
    model: IntentModel,
    examples: Sequence[Example],
    *,
    threshold: float = THRESHOLD,
    max_errors: int = 10,
) -> IntentEvaluation:
    """Compares a model with the labels of examples that it was not trained on.

    Args:
        model: contexts to probabilities.
        examples: labelled citations.
        threshold: an intent is predicted where p >= threshold.
        max_errors: maximum number of errors to return.
    """
    probabilities = predict(model, [example.context for example in examples])
    truth, predicted = targets(examples), probabilities >= threshold
    true = truth > 0
    both, sums = (true & predicted).sum(0), np.maximum(true.sum(0) + predicted.sum(0), 1)
    best, highest = probabilities.argmax(1), probabilities.max(1)
    wrong = [
        k
        for k in np.lexsort((np.arange(len(highest)), -highest)).tolist()
        if INTENTS[best[k]] not in examples[k].intents
    ]
    return IntentEvaluation(
        confusion=compute_confusion(examples, probabilities),
        f1_at_threshold={name: float(2 * both[k] / sums[k]) for k, name in enumerate(INTENTS)},
        calibration_error=calibration_error(probabilities, truth),
        examples=len(examples),
        without_intent=int((predicted.sum(1) == 0).sum()),
        several_intents=int((predicted.sum(1) > 1).sum()),
        errors=tuple(
            MisclassifiedCitation(
                examples[k].context, examples[k].intents, INTENTS[best[k]], float(highest[k])
            )
            for k in wrong[:max_errors]
        ),
    )


def compute_confusion(examples: Sequence[Example], probabilities: Probabilities) -> Confusion:
    """True against most probable intent, of examples with exactly one intent."""
    single = [k for k, example in enumerate(examples) if len(example.intents) == 1]
    predicted = probabilities.argmax(1)
    return Confusion.from_labels(
        INTENTS,
        [examples[k].intents[0] for k in single],
        [INTENTS[predicted[k]] for k in single],
    )
