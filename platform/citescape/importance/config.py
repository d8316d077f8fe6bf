"""Settings of importance: which components a score has, and how they are weighted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.paper_types import RESEARCH
from citescape.importance.components import (
    METHODS,
    PRESETS,
    PUBLISHED,
    TABLE,
    choose,
    split_names,
)
from citescape.runs.step import PaperTypes, Setting, Settings

REFERENCE, LEARNED = "from", "learned"
"""Prefixes of weights that name a run."""
_QUESTIONS = "; ".join(f"{name}: {preset.question}" for name, preset in PRESETS.items())
_COMPONENTS = "; ".join(f"{name}: {component.doc}" for name, component in TABLE.items())


@dataclass(frozen=True)
class Weighting(Settings):
    """Which components a score has, and how they are weighted.

    f_M is left out by default: it "disturbs the focus on thematic relevance" (CIA, section 3.1).
    """

    features: Annotated[
        str | tuple[str, ...], Setting(metavar="NAMES", help=f"Components: {_COMPONENTS}.")
    ] = ",".join(PUBLISHED)
    """Components of the score."""
    weights: Annotated[
        str | Mapping[str, float],
        Setting(metavar="entropy|uniform|I=0.5,S=0.5|from:RUN|learned:RUN"),
    ] = "entropy"
    """Weights of the components: by entropy, equal, or given by name; those of a run of `platform
    score`, so that scores of two corpora can be compared; or importance as a run of `platform
    importance train` has learned it, in place of components and weights."""
    combined: Literal["R", "both"] = "R"
    """Where mentions in "Results and Discussion" count: in R, or half in R and half in D."""
    sections: Literal["model", "rules"] = "model"
    """Section types that count: those in the graph, a model's included (`platform text sections`),
    or those of rules alone."""
    preset: Annotated[
        Literal["published", "used", "discussed", "no-self"],
        Setting(help=f"Components and weights by the question they answer ({_QUESTIONS})."),
    ] = "published"
    types: PaperTypes = RESEARCH
    """Types of citing papers whose citations give the weights. Citations of other papers are
    scored with these weights."""
    title_encoder: Annotated[str, Setting(metavar="FOLDER|HUB-ID|hashed-words", expert=True)] = ""
    """Encoder of titles for T; by default that of $CITESCAPE_ENCODER, or MiniLM. hashed-words
    compares words and parts of words, without a model."""

    def __post_init__(self) -> None:
        super().__post_init__()
        changed = (self.features, self.weights) != (",".join(PUBLISHED), "entropy")
        if self.preset != "published" and changed:
            raise ConfigError(
                f"preset {self.preset} sets features and weights; expected either the preset, or "
                "features and weights"
            )
        if not isinstance(self.weights, str | Mapping):
            raise ConfigError(
                f"weights is a {type(self.weights).__name__}; expected entropy, uniform, weights "
                "by name, or the text 'from:RUN' or 'learned:RUN'"
            )
        if self.named_run(LEARNED) and (self.features, self.combined, self.types) != (
            ",".join(PUBLISHED),
            "R",
            RESEARCH,
        ):
            raise ConfigError(
                "learned importance has no components and no weights; expected it without "
                "features, combined and types"
            )
        choose(self.components)
        if isinstance(self.weighting, str):
            source, _, run = self.weighting.partition(":")
            if not (source in (REFERENCE, LEARNED) and run) and self.weighting not in METHODS:
                known = [*METHODS, *(f"{name}:RUN" for name in (REFERENCE, LEARNED))]
                raise invalid_choice("weights", self.weighting, known)

    @property
    def components(self) -> tuple[str, ...]:
        """Names of the components, in the order of the table of components."""
        if self.preset != "published":
            return PRESETS[self.preset].components
        return choose(split_names(self.features))

    def named_run(self, source: str) -> str:
        """The run that the weights name: `from:RUN`, `learned:RUN`; empty for other weights.

        Args:
            source: `from` or `learned`.
        """
        named = self.weighting if isinstance(self.weighting, str) else ""
        return named.removeprefix(f"{source}:") if named.startswith(f"{source}:") else ""

    @property
    def weighting(self) -> str | dict[str, float]:
        """A method, or a weight for each component."""
        if self.preset != "published":
            return PRESETS[self.preset].weights
        given = self.weights
        if isinstance(given, str):
            if "=" not in given:
                return given
            try:
                pairs = (item.split("=") for item in split_names(given))
                given = {name.strip(): float(value) for name, value in pairs}
            except ValueError as error:
                raise ConfigError(
                    f"weights is {given}; expected entropy, uniform, or NAME=NUMBER,…"
                ) from error
        from citescape.importance.weights import given_weights

        return given_weights(self.components, given)
