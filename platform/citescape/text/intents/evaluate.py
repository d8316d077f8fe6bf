"""How well a model tells intents: confusion, F1, calibration, and what it gets most wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.text.confusion import Confusion
from citescape.text.intents.calibration import calibration_error
from citescape.text.intents.config import THRESHOLD
from citescape.text.intents.contexts import (
    INTENTS,
    Context,
    IntentModel,
    Probabilities,
    predict,
)
from citescape.text.intents.members import targets
from citescape.text.intents.scicite import Example

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class HardCase:
    """A context that a model is sure of, and wrong."""

    context: Context
    true: tuple[str, ...]
    given: str
    probability: float


@dataclass(frozen=True)
class IntentEvaluation:
    """What a model says of labelled citations."""

    confusion: Confusion
    """Of citations with exactly one intent: true against most probable."""
    f1_at_threshold: dict[str, float]
    """Of all citations: each intent on its own, given where p >= threshold."""
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
        return {
            **self.confusion.as_dict(),
            "examples": self.examples,
            "f1_at_threshold": self.f1_at_threshold,
            "calibration_error": self.calibration_error,
            "without_intent": self.without_intent,
            "several_intents": self.several_intents,
            "hard_cases": [
                {**case.context._asdict(), "true": case.true, "given": case.given}
                | {"probability": case.probability}
                for case in self.hard_cases
            ],
        }


def evaluate(
    model: IntentModel,
    examples: Sequence[Example],
    *,
    threshold: float = THRESHOLD,
    hard_cases: int = 10,
) -> IntentEvaluation:
    """Compares a model with labels.

    Args:
        model: contexts to probabilities.
        examples: what `read_examples` read; not what the model was trained on.
        threshold: from which probability on an intent is given.
        hard_cases: how many mistakes to return.
    """
    probabilities = predict(model, [example.context for example in examples])
    wanted, given = targets(examples), probabilities >= threshold
    return IntentEvaluation(
        confusion=confusion_of(examples, probabilities),
        f1_at_threshold={
            name: _f1(wanted[:, k] > 0, given[:, k]) for k, name in enumerate(INTENTS)
        },
        calibration_error=calibration_error(probabilities, wanted),
        examples=len(examples),
        without_intent=int((given.sum(1) == 0).sum()),
        several_intents=int((given.sum(1) > 1).sum()),
        hard_cases=_hard_cases(examples, probabilities, hard_cases),
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


def _f1(true: Flags, given: Flags) -> float:
    """F1 = 2 TP / (true + given); 0 where both are nothing."""
    return float(2 * (true & given).sum() / max(true.sum() + given.sum(), 1))


def _hard_cases(
    examples: Sequence[Example], probabilities: Probabilities, most: int
) -> tuple[HardCase, ...]:
    """Contexts whose most probable intent they do not have, by that probability."""
    best, sure = probabilities.argmax(1), probabilities.max(1)
    wrong = [
        k
        for k in np.lexsort((np.arange(len(sure)), -sure)).tolist()
        if INTENTS[best[k]] not in examples[k].intents
    ]
    return tuple(
        HardCase(examples[k].context, examples[k].intents, INTENTS[best[k]], float(sure[k]))
        for k in wrong[:most]
    )
