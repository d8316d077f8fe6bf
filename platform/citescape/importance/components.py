"""Components of an importance score, and the values of each.

Every value is a whole number of a unit that is a power of two, so that sums over pairs are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.types import SECTION_TYPES


@dataclass(frozen=True)
class Component:
    """One term of Eq. 1 (CIA). `column` is the property of CITES that holds its value."""

    name: str
    column: str
    slot: int
    """Index among the weights of the kernel."""
    doc: str


TABLE = {
    component.name: component
    for component in (
        Component("I", "f_I", 0, "mentions in introduction and literature review"),
        Component("M", "f_M", 1, "mentions in methods"),
        Component("R", "f_R", 2, "mentions in results"),
        Component("D", "f_D", 3, "mentions in discussion and conclusion"),
        Component("other", "f_other", 4, "mentions anywhere else"),
        Component("S", "self", 5, "1 if the papers share an author, else 0"),
        Component("T", "title_similarity", 6, "cosine of the titles, 0 if negative or missing"),
    )
}
COUNTED = tuple(TABLE[name].column for name in SECTION_TYPES)
"""Properties of CITES that hold counts, in the order of the kernel's columns."""

PUBLISHED = ("I", "R", "D", "S")
"""The components of the paper: f_M is counted but left out (CIA, section 3.1)."""


@dataclass(frozen=True)
class Preset:
    """Components and weights that answer one question."""

    components: tuple[str, ...]
    weights: str
    question: str


PRESETS = {
    "published": Preset(
        PUBLISHED,
        "entropy",
        "which works are discussed in introduction, results and discussion, or are the authors' "
        "own? (CIA, Eq. 1; mentions in methods do not count)",
    ),
    "used": Preset(
        ("M", "R"), "uniform", "which works are used, as mentions in methods and results show?"
    ),
    "discussed": Preset(("R", "D"), "uniform", "which works are results and discussion about?"),
    "no-self": Preset(("I", "R", "D"), "entropy", "which works are discussed, whoever wrote them?"),
}
"""Name -> components, weights and the question that they answer."""

METHODS = ("entropy", "uniform")
"""Methods that compute weights; weights can also be given."""

COMBINED = ("R", "both")
"""Where a mention in "Results and Discussion" counts: once in f_R, or half in f_R, half in f_D."""

SECTIONS = ("model", "rules")
"""Section types to count: those in the graph, including a model's, or those of rules alone, where
all others are `other`."""


def split_names(names: str | Iterable[str]) -> list[str]:
    """Splits names such as `"I, R,S"`; a list is returned as it is."""
    if not isinstance(names, str):
        return list(names)
    return [name.strip() for name in names.split(",") if name.strip()]


def find_question(components: Sequence[str], weights: object) -> str:
    """The question that a score answers; empty for components and weights without a preset.

    Args:
        components: components of the score.
        weights: method of their weights, or the weights.
    """
    for preset in PRESETS.values():
        if (preset.components, preset.weights) == (tuple(components), weights):
            return preset.question
    return ""


def choose(names: Iterable[str]) -> tuple[str, ...]:
    """The named components in the order of the table.

    Raises:
        ConfigError: no name, a repeated name, or one that is not in the table.
    """
    chosen = list(names)
    for name in chosen:
        if name not in TABLE:
            raise invalid_choice("component", name, TABLE)
    if not chosen or len(set(chosen)) < len(chosen):
        raise ConfigError(
            f"components are {', '.join(chosen) or 'none'}; expected each at most once, "
            f"at least one of: {', '.join(TABLE)}"
        )
    return tuple(name for name in TABLE if name in chosen)


def unit(name: str, combined: str) -> float:
    """Unit of the values of a component: 1, or 1/2 for R and D with halves, or 2**-15 for T."""
    if name == "T":
        return 2.0**-15
    return 0.5 if combined == "both" and name in ("R", "D") else 1.0
