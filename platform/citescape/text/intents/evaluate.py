"""Evaluation of intent models: confusion, F1, calibration, and the surest errors."""

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
    Context,
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
class HardCase:
    """A context of which a model is sure, but wrong."""

    context: Context
    true: tuple[str, ...]
    given: str
    probability: float


@dataclass(frozen=True)
class IntentEvaluation:
    """Figures of a model on labelled citations."""

    confusion: Confusion
    """True against most probable intent, of citations with exactly one."""
    f1_at_threshold: dict[str, float]
    """F1 of each intent, predicted where p >= threshold, over all citations."""
    calibration_error: float
    examples: int
    without_intent: int
    """Contexts with no intent above the threshold."""
    several_intents: int
    """Contexts with more than one above it."""
    hard_cases: tuple[HardCase, ...]
    """The most confident mistakes first."""

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        cases = [
            {**case.context._asdict(), "true": case.true, "given": case.given,
             "probability": case.probability}
            for case in self.hard_cases
        ]  # fmt: skip
        return {**vars(self), **self.confusion.as_dict(), "hard_cases": cases}


@dataclass(frozen=True)
class IntentEvaluations(Result):
    """Evaluations of several models on the same labelled citations."""

    models: dict[str, IntentEvaluation]
    """Evaluations by name and run of the model."""
    trained_on_these: tuple[str, ...]
    """Names of the models that were trained on these citations."""

    @property
    def arrow(self) -> pa.Table:
        """A row per model: macro-F1, accuracy, F1 of each intent, expected calibration error."""
        return pa.Table.from_pylist([dict(zip(_FIGURES, row, strict=True)) for row in self._rows()])

    def summarise(self) -> Summary:
        """The figures of all models, the confusion matrix and the errors of each."""
        parts: list[Part] = [
            f"warning: {name} was trained on these citations" for name in self.trained_on_these
        ]
        parts.append(Table(_HEADER, self._rows()))
        for name, found in self.models.items():
            title = f"{name}: {plural(found.examples, 'citation')}; rows true, columns predicted"
            parts += ["", found.confusion.to_table(title)]
            parts.append(
                f"{found.without_intent:,} with no intent above the threshold, "
                f"{found.several_intents:,} with several"
            )
            if found.hard_cases:
                parts += ["", "errors of highest probability"]
            for case in found.hard_cases:
                true, title = "+".join(case.true) or "none", case.context.title
                parts.append(
                    f"  {true}, predicted {case.given} ({case.probability:.2f}), "
                    f"in {(title or 'untitled section')[:40]}"
                )
                parts.append(f"    {cut_text(case.context.text, _WIDTH)}")
        return Summary(parts, {name: found.as_dict() for name, found in self.models.items()})

    def _rows(self) -> list[tuple[object, ...]]:
        return [
            (
                name,
                found.confusion.macro_f1,
                found.confusion.accuracy,
                *(found.confusion.f1.get(intent) for intent in INTENTS),
                found.calibration_error,
            )
            for name, found in self.models.items()
        ]


def evaluate(
    model: IntentModel,
    examples: Sequence[Example],
    *,
    threshold: float = THRESHOLD,
    hard_cases: int = 10,
) -> IntentEvaluation:
    """Compares a model with the labels of examples that it was not trained on.

    An intent is predicted where p >= threshold; at most `hard_cases` errors are returned.
    """
    probabilities = predict(model, [example.context for example in examples])
    wanted, given = targets(examples), probabilities >= threshold
    true = wanted > 0
    both, sums = (true & given).sum(0), np.maximum(true.sum(0) + given.sum(0), 1)
    best, sure = probabilities.argmax(1), probabilities.max(1)
    wrong = [
        k
        for k in np.lexsort((np.arange(len(sure)), -sure)).tolist()
        if INTENTS[best[k]] not in examples[k].intents
    ]
    return IntentEvaluation(
        confusion=confusion_of(examples, probabilities),
        f1_at_threshold={name: float(2 * both[k] / sums[k]) for k, name in enumerate(INTENTS)},
        calibration_error=calibration_error(probabilities, wanted),
        examples=len(examples),
        without_intent=int((given.sum(1) == 0).sum()),
        several_intents=int((given.sum(1) > 1).sum()),
        hard_cases=tuple(
            HardCase(examples[k].context, examples[k].intents, INTENTS[best[k]], float(sure[k]))
            for k in wrong[:hard_cases]
        ),
    )


def confusion_of(examples: Sequence[Example], probabilities: Probabilities) -> Confusion:
    """True against most probable intent, of examples with exactly one."""
    single = [k for k, example in enumerate(examples) if len(example.intents) == 1]
    given = probabilities.argmax(1)
    return Confusion.of(
        INTENTS,
        [examples[k].intents[0] for k in single],
        [INTENTS[given[k]] for k in single],
    )
