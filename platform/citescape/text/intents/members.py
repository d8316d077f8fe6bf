"""What a trained member of an intent model is: margins of contexts, and a form to be stored in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from citescape.text.intents.contexts import INTENTS, Context
from citescape.text.intents.scicite import Example

Margins = npt.NDArray[np.float64]
"""(n, 3): above 0 the intent is rather there, below rather not; in log odds, but not calibrated."""
Progress = Callable[[str], None]
Arrays = Mapping[str, npt.NDArray[Any]]


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
    """(examples, 3), NaN for those it was trained on."""


def targets(examples: Sequence[Example]) -> npt.NDArray[np.float64]:
    """(n, 3): 1 where the example has the intent."""
    rows = [[name in example.intents for name in INTENTS] for example in examples]
    return np.array(rows, float).reshape(len(examples), len(INTENTS))


def divide(examples: Sequence[Example], parts: int, seed: int) -> npt.NDArray[np.int64]:
    """The part (n,) of each example, 0 .. parts - 1, of like size; groups stay together."""
    groups = [example.group or f"\x1f{k}" for k, example in enumerate(examples)]
    names, members = np.unique(groups, return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(names))
    sizes = np.bincount(members, minlength=len(names))
    ends = np.cumsum(sizes[order])
    part = np.empty(len(names), np.int64)
    part[order] = np.minimum((ends - 1) * parts // len(groups), parts - 1)
    found: npt.NDArray[np.int64] = part[members]
    return found
