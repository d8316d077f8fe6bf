"""What a trained member of an intent model is: margins of contexts, and a form to be stored in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError
from citescape.text.intents.contexts import INTENTS, Context
from citescape.text.intents.scicite import Example
from citescape.text.intents.steps import IntentConfig

Margins = npt.NDArray[np.float64]
"""(n, 3): above 0 the intent is rather there, below rather not; in log odds, but not calibrated."""
Arrays = Mapping[str, npt.NDArray[Any]]
Flags = npt.NDArray[np.bool_]


class Member(Protocol):
    """A trained model."""

    def __call__(self, contexts: Sequence[Context]) -> Margins:
        """Margins (n, 3)."""
        ...

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Its numbers by name."""
        ...

    def save(self, folder: Path) -> None:
        """Writes what is no tensor of its own into the folder of the model."""
        ...


@dataclass(frozen=True)
class Fitted:
    """A trained member and what it says of examples that it was not trained on."""

    member: Member
    held_out: Margins
    """(examples, 3), NaN for those it was trained on. Which n-grams there are, and how rare they
    are, is learned from the texts of all examples, without their labels."""


def targets(examples: Sequence[Example]) -> npt.NDArray[np.float64]:
    """(n, 3): 1 where the example has the intent."""
    rows = [[name in example.intents for name in INTENTS] for example in examples]
    return np.array(rows, float).reshape(len(examples), len(INTENTS))


def divide(examples: Sequence[Example], parts: int, seed: int) -> npt.NDArray[np.int64]:
    """The part (n,) of each example, 0 .. parts - 1, of like size; groups stay together."""
    groups = _groups(examples)
    names, members = np.unique(groups, return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(names))
    sizes = np.bincount(members, minlength=len(names))
    ends = np.cumsum(sizes[order])
    part = np.empty(len(names), np.int64)
    part[order] = np.minimum((ends - 1) * parts // len(groups), parts - 1)
    found: npt.NDArray[np.int64] = part[members]
    return found


def divide_in_folds(examples: Sequence[Example], config: IntentConfig) -> npt.NDArray[np.int64]:
    """The fold (n,) of each example; a model can be trained without any of them.

    Raises:
        ConfigError: an intent is only known of papers that are in one fold.
    """
    fold = divide(examples, config.folds, config.seed)
    for k in range(config.folds):
        _check_taught(examples, fold != k, "to train on while they are judged")
    return fold


def hold_out(examples: Sequence[Example], config: IntentConfig) -> Flags:
    """(n,): the share of the examples that a model is calibrated on instead of trained.

    Raises:
        ConfigError: an intent is only known of papers of the one part, or of the other.
    """
    held: Flags = divide(examples, round(1 / config.held_out), config.seed) == 0
    _check_taught(examples, ~held, "to train on")
    _check_taught(examples, held, "to calibrate on")
    return held


def _groups(examples: Sequence[Example]) -> list[str]:
    return [example.group or f"\x1f{k}" for k, example in enumerate(examples)]


def _check_taught(examples: Sequence[Example], chosen: Flags, purpose: str) -> None:
    """Refuses a division that leaves one side of an intent without examples."""
    wanted, groups = targets(examples) > 0, np.array(_groups(examples))
    for k, name in enumerate(INTENTS):
        for side, has in (("with", wanted[:, k]), ("without", ~wanted[:, k])):
            if not (has & chosen).any():
                n = len(set(groups[has].tolist()))
                raise ConfigError(
                    f"the {has.sum()} examples {side} intent {name} are of {n} citing "
                    f"{'paper' if n == 1 else 'papers'} (`citingPaperId`), and divided by these "
                    f"none is left {purpose}; expected examples of each intent from more papers, "
                    "or no `citingPaperId`"
                )
