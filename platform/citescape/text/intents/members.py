"""Members of an intent model, and the division of examples into parts."""

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


class FittedMember(NamedTuple):
    """A trained member and its margins for held-out examples."""

    member: Member
    held_out: Margins
    """(examples, 3), NaN for examples of its training. The vocabulary of n-grams and their IDF come
    from the texts of all examples, without their labels."""


def targets(examples: Sequence[Example]) -> npt.NDArray[np.float64]:
    """(n, 3): 1 where the example has the intent."""
    rows = [[name in example.intents for name in INTENTS] for example in examples]
    return np.array(rows, float).reshape(len(examples), len(INTENTS))


def divide_examples(examples: Sequence[Example], parts: int, seed: int) -> npt.NDArray[np.int64]:
    """The part (n,) of each example, 0 .. parts - 1.

    Args:
        examples: labelled citations; those of a group are in the same part.
        parts: number of parts, of similar size.
        seed: random seed.
    """
    groups = _groups(examples)
    names, members = np.unique(groups, return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(names))
    sizes = np.bincount(members, minlength=len(names))
    ends = np.cumsum(sizes[order])
    part = np.empty(len(names), np.int64)
    part[order] = np.minimum((ends - 1) * parts // len(groups), parts - 1)
    return np.asarray(part[members])


def divide_in_folds(examples: Sequence[Example], config: IntentConfig) -> npt.NDArray[np.int64]:
    """The fold (n,) of each example, such that a model can be trained on any folds but one.

    Raises:
        ConfigError: all papers with an intent are in one fold.
    """
    fold = divide_examples(examples, config.folds, config.seed)
    for k in range(config.folds):
        _check_division(examples, fold != k, "to train on")
    return fold


def hold_out(examples: Sequence[Example], config: IntentConfig) -> Flags:
    """(n,) true for the examples that calibrate a model and are not used for its training.

    Raises:
        ConfigError: all papers with an intent are in one of the two parts.
    """
    held: Flags = divide_examples(examples, round(1 / config.held_out), config.seed) == 0
    _check_division(examples, ~held, "to train on")
    _check_division(examples, held, "to calibrate on")
    return held


def _groups(examples: Sequence[Example]) -> list[str]:
    return [example.group or f"\x1f{k}" for k, example in enumerate(examples)]


def _check_division(examples: Sequence[Example], chosen: Flags, purpose: str) -> None:
    """Raises ConfigError if the chosen examples all have an intent, or all lack it."""
    truth, groups = targets(examples) > 0, np.array(_groups(examples))
    for k, name in enumerate(INTENTS):
        for side, has in (("with", truth[:, k]), ("without", ~truth[:, k])):
            if not (has & chosen).any():
                n = len(set(groups[has].tolist()))
                raise ConfigError(
                    f"no example {side} intent {name} is left {purpose}: the {has.sum()} examples "
                    f"are of {n} citing {'paper' if n == 1 else 'papers'}, which stay "
                    "together (`citingPaperId`); expected examples of each intent in more papers, "
                    "or no `citingPaperId`"
                )
