"""Steps: score citations, show the weights of components, explain one score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from citescape.importance.config import Weighting
from citescape.runs.context import Context
from citescape.runs.step import Setting, Step

if TYPE_CHECKING:
    from citescape.importance.explain import Explanation
    from citescape.importance.score import ScoreResult, WeightsResult


@dataclass(frozen=True)
class Score(Step["ScoreResult"], Weighting):
    """Compute the importance of every citation and write it to the CITES relationships.

    importance = w_I f_I + w_R f_R + w_D f_D + w_S S (CIA, Eq. 1): the number of mentions in
    introduction, results and discussion, and whether it is a self-citation, weighted by entropy.
    A second run writes only rows that changed.
    """

    writes = True
    encode: Annotated[Callable[[Sequence[str]], Any] | None, Setting(python=True)] = None
    """Function from titles to vectors, for T only; by default hashed words."""

    def compute(self, context: Context) -> ScoreResult:
        from citescape.importance.score import score

        return score(
            context.store,
            self,
            encode=self.encode,
            runs=context.runs,
            progress=context.progress,
        )


@dataclass(frozen=True)
class Weights(Step["WeightsResult"], Weighting):
    """Show the components of importance and their weights; nothing is written.

    Mean, standard deviation, entropy and weight of each component over all pairs of citing and
    cited paper: the weights are those of `platform score` with the same options.
    """

    def compute(self, context: Context) -> WeightsResult:
        from citescape.importance.score import compute_component_weights

        return compute_component_weights(context.store, self, progress=context.progress)


@dataclass(frozen=True)
class Explain(Step["Explanation"]):
    """Show how the importance of one citation is computed.

    Papers are named by DOI, PMID, PMCID, an address of PubMed, PubMed Central or Europe PMC, or the
    id in the graph. The output shows the terms of the score, shared authors, and every citation in
    the text with its section and sentence.
    """

    examples = "platform explain 10.1186/s12284-018-0256-8 pmid:22876203"
    citing: Annotated[str, Setting(argument=True)]
    """Citing paper."""
    cited: Annotated[str, Setting(argument=True)]
    """Cited paper."""

    def compute(self, context: Context) -> Explanation:
        from citescape.importance.explain import explain

        return explain(context.store, self.citing, self.cited)
