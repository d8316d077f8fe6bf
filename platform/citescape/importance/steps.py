"""Steps: score citations, show the weights of components, explain one score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from citescape.core.errors import ConfigError, invalid_choice
from citescape.importance.components import METHODS, PUBLISHED, TABLE, choose, split_names
from citescape.runs.context import Context
from citescape.runs.step import Setting, Step

if TYPE_CHECKING:
    from citescape.importance.explain import Explanation
    from citescape.importance.score import ScoreResult
    from citescape.importance.weigh import Weighed

_COMPONENTS = "; ".join(f"{name}: {component.doc}" for name, component in TABLE.items())


R = TypeVar("R")


@dataclass(frozen=True)
class _Weighted(Step[R]):
    """Which components a score has, and how they are weighted."""

    features: Annotated[
        str | tuple[str, ...], Setting(metavar="NAMES", help=f"Components: {_COMPONENTS}.")
    ] = ",".join(PUBLISHED)
    """Components of the score."""
    weights: Annotated[
        str | Mapping[str, float], Setting(metavar="entropy|uniform|I=0.5,S=0.5")
    ] = "entropy"
    """Weights of the components: by entropy, equal, or given by name."""
    combined: Literal["R", "both"] = "R"
    """Where mentions in "Results and Discussion" count: in R, or half in R and half in D."""
    sections: Literal["model", "rules"] = "model"
    """Section types that count: those in the graph, a model's included (`platform text sections`),
    or those of rules alone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        choose(self.components)
        if isinstance(self.weighting, str) and self.weighting not in METHODS:
            raise invalid_choice("weights", self.weighting, METHODS)

    @property
    def components(self) -> list[str]:
        """Names of the components."""
        return split_names(self.features)

    @property
    def weighting(self) -> str | Mapping[str, float]:
        """A method, or a weight for each component."""
        if not isinstance(self.weights, str) or "=" not in self.weights:
            return self.weights
        try:
            pairs = (item.split("=") for item in split_names(self.weights))
            return {name.strip(): float(value) for name, value in pairs}
        except ValueError as error:
            raise ConfigError(
                f"weights is {self.weights}; expected entropy, uniform, or NAME=NUMBER,…"
            ) from error


@dataclass(frozen=True)
class Score(_Weighted["ScoreResult"]):
    """Compute the importance of every citation and keep it on the CITES relationships.

    importance = w_I f_I + w_R f_R + w_D f_D + w_S S (CIA, Eq. 1): the number of mentions in
    introduction, results and discussion, and whether it is a self-citation, weighted by entropy.
    Run again, it writes only what changed.
    """

    writes = True
    encode: Annotated[Callable[[Sequence[str]], Any] | None, Setting(python=True)] = None
    """Function from titles to vectors, for T only; by default hashed words."""

    def compute(self, context: Context) -> ScoreResult:
        from citescape.importance.score import score

        return score(
            context.store,
            components=self.components,
            weights=self.weighting,
            combined=self.combined,
            sections=self.sections,
            encode=self.encode,
            runs=context.runs,
            progress=context.progress,
        )


@dataclass(frozen=True)
class Weights(_Weighted["Weighed"]):
    """Show the components of importance and their weights; nothing is written.

    Mean, standard deviation, entropy and weight of each component over all pairs of citing and
    cited paper: what `platform score` with the same options would use.
    """

    def compute(self, context: Context) -> Weighed:
        from citescape.importance.weigh import weigh

        return weigh(
            context.store,
            components=self.components,
            weights=self.weighting,
            combined=self.combined,
            sections=self.sections,
            progress=context.progress,
        )


@dataclass(frozen=True)
class Explain(Step["Explanation"]):
    """Show everything behind the importance of one citation.

    Papers are named by DOI, PMID, PMCID, an address of PubMed, PubMed Central or Europe PMC, or the
    id in the graph. Shown are the terms of the score, shared authors, and every citation in the
    text with its section and sentence.
    """

    examples = "platform explain 10.1186/s12284-018-0256-8 pmid:22876203"
    citing: Annotated[str, Setting(argument=True)]
    """Citing paper."""
    cited: Annotated[str, Setting(argument=True)]
    """Cited paper."""

    def compute(self, context: Context) -> Explanation:
        from citescape.importance.explain import explain

        return explain(context.store, self.citing, self.cited)
