"""Members of an intent model: their interface, and the division of examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError
from citescape.text.intents.contexts import INTENTS
from citescape.text.intents.scicite import Example
from citescape.text.intents.steps import IntentConfig

if TYPE_CHECKING:
    from citescape.text.intents.linear import LinearMember
    from citescape.text.intents.transformer import TransformerMember

Member: TypeAlias = "LinearMember | TransformerMember"
Margins = npt.NDArray[np.float64]
"""(n, 3) log odds of each intent, not calibrated."""
Arrays = Mapping[str, npt.NDArray[Any]]
Flags = npt.NDArray[np.bool_]


class Fitted(NamedTuple):
    """A trained member and its margins of held-out examples."""

    member: Member
    held_out: Margins
    """(examples, 3), NaN for examples it was trained on. The vocabulary of n-grams and its weights
    come from the texts of all examples, without their labels."""


def targets(examples: Sequence[Example]) -> npt.NDArray[np.float64]:
    """(n, 3): 1 where the example has the intent."""
    rows = [[name in example.intents for name in INTENTS] for example in examples]
    return np.array(rows, float).reshape(len(examples), len(INTENTS))


def divide(examples: Sequence[Example], parts: int, seed: int) -> npt.NDArray[np.int64]:
    """The part (n,) of each example, 0 .. parts - 1, of similar size; groups stay together."""
    groups = _groups(examples)
    names, members = np.unique(groups, return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(names))
    sizes = np.bincount(members, minlength=len(names))
    ends = np.cumsum(sizes[order])
    part = np.empty(len(names), np.int64)
    part[order] = np.minimum((ends - 1) * parts // len(groups), parts - 1)
    return np.asarray(part[members])


def divide_in_folds(examples: Sequence[Example], config: IntentConfig) -> npt.NDArray[np.int64]:
    """The fold (n,) of each example; a model can be trained without any one of the folds.

    Raises:
        ConfigError: all papers with an intent are in one fold.
    """
    fold = divide(examples, config.folds, config.seed)
    for k in range(config.folds):
        _check_division(examples, fold != k, "to train on while they are judged")
    return fold


def hold_out(examples: Sequence[Example], config: IntentConfig) -> Flags:
    """(n,): the examples that calibrate a model and do not train it.

    Raises:
        ConfigError: all papers with an intent are in the one part, or in the other.
    """
    held: Flags = divide(examples, round(1 / config.held_out), config.seed) == 0
    _check_division(examples, ~held, "to train on")
    _check_division(examples, held, "to calibrate on")
    return held


def _groups(examples: Sequence[Example]) -> list[str]:
    return [example.group or f"\x1f{k}" for k, example in enumerate(examples)]


def _check_division(examples: Sequence[Example], chosen: Flags, purpose: str) -> None:
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
