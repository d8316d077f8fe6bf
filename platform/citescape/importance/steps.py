"""Steps: score citations, show the weights of components, explain one score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from citescape.core.errors import ConfigError
from citescape.importance.config import Weighting
from citescape.ingest.shards.settings import ShardStep
from citescape.runs.context import Context
from citescape.runs.step import Count, RunName, Seed, Setting, Settings, Step

if TYPE_CHECKING:
    from citescape.importance.evaluation import ImportanceEvaluation
    from citescape.importance.explain import Explanation
    from citescape.importance.labelled import LabelledPairs
    from citescape.importance.learned.training import TrainedImportance
    from citescape.importance.normalise import NormalisedImportance
    from citescape.importance.score import ScoreResult, WeightsResult
    from citescape.importance.stability import StabilityRun


@dataclass(frozen=True)
class Score(ShardStep["ScoreResult"], Weighting):
    """Compute the importance of every citation and write it to the CITES relationships.

    importance = w_I f_I + w_R f_R + w_D f_D + w_S S (CIA, Eq. 1): the number of mentions in
    introduction, results and discussion, and whether it is a self-citation, weighted by entropy.
    A second run writes only rows that changed.
    """

    writes = True
    encode: Annotated[Callable[[Sequence[str]], Any] | None, Setting(python=True)] = None
    """Function from titles to vectors, for T only; by default `title_encoder`."""
    method: Annotated[Literal["kernel", "cypher"], Setting(flags=("--with",))] = "kernel"
    """Where importance is computed: in a compiled kernel of this process, or by Cypher queries in
    the database, by the definitions in cypher/features. Both give the same scores."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shards and (self.method == "cypher" or self.encode):
            found = "method is cypher" if self.method == "cypher" else "encode is given"
            raise ConfigError(f"{found}, which needs a store; expected shards without it")

    def compute(self, context: Context) -> ScoreResult:
        from citescape.importance.in_database import score_in_database
        from citescape.importance.score import score

        if self.shards:
            from citescape.importance.shards import score_shards

            with self.open_shards(context) as (graph, cluster):
                return score_shards(
                    graph, cluster, self, runs=context.runs, progress=context.progress
                )
        if self.method == "cypher":
            return score_in_database(
                context.store, self, runs=context.runs, progress=context.progress
            )
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

        return compute_component_weights(
            context.store, self, runs=context.runs, progress=context.progress
        )


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


@dataclass(frozen=True)
class Stability(Step["StabilityRun"], Weighting):
    """Show how sure importance is: its weights, and the ranks of references.

    Weights get intervals over samples of citing papers. Ranks within papers are compared with those
    under other weights, other rules for self-citation, other types of papers, and learned
    importance. Nothing is written to the graph.
    """

    examples = "platform evaluate stability"
    weights: Literal["entropy", "uniform"] = "entropy"
    """Weights of the components: by entropy, or equal. Others do not depend on the papers."""
    draws: Annotated[Count, Setting(most=100_000)] = 1_000
    """Number of samples of citing papers for the weights."""
    ranked_draws: Annotated[Count, Setting(expert=True)] = 20
    """Number of these samples whose ranks are compared."""
    model: tuple[RunName, ...] = ()
    """Learned importance to compare: a run of `platform importance train`."""
    seed: Seed = 0
    """Random seed."""

    def compute(self, context: Context) -> StabilityRun:
        from citescape.importance.stability import evaluate_stability

        return evaluate_stability(context.store, self, runs=context.runs, progress=context.progress)


@dataclass(frozen=True)
class NormaliseImportance(Step["NormalisedImportance"]):
    """Compute importance beside that of other citations: shares and percentiles.

    For each scored citation: its share of the importance that its paper gives, so that long papers
    do not decide; and its percentile among the citations of the same year and field. Fields are
    communities (`platform cluster`). Nothing is written to the graph.
    """

    examples = "platform importance normalise --save citations.csv"
    level: Annotated[str, Setting(metavar="LEVEL|none", default="the coarsest, if any")] = ""
    """Level of the communities that stand for fields; none compares all citations of a year."""

    def compute(self, context: Context) -> NormalisedImportance:
        from citescape.importance.normalise import normalise

        return normalise(context.store, self, runs=context.runs, progress=context.progress)


@dataclass(frozen=True, kw_only=True)
class LabelledFiles(Settings):
    """Files of citations that are labelled as important or not, and the graph to score them in."""

    labels: Annotated[tuple[Path, ...], Setting(metavar="FILE")] = ()
    """File of labelled citations, or folder of such files. Formats are recognised:
    a table with citing, cited, label; Valenzuela et al. 2015; SciCite; ACL-ARC; 3C and ACT; S2AG.
    """
    graph: Literal["auto", "store", "sentences"] = "auto"
    """Graph that scores are computed in: the store, or a graph of the sentences that the files
    hold; auto: sentences if they have any."""
    sections: Literal["model", "rules"] = "model"
    """Section types that count: those in the graph, a model's included, or those of rules alone."""
    seed: Seed = 0
    """Random seed."""

    def open_labels(self, context: Context) -> AbstractContextManager[LabelledPairs]:
        """The labelled pairs with their graph."""
        from citescape.importance.labelled import open_labelled

        return open_labelled(
            self.labels,
            graph=self.graph,
            store=lambda: context.store,
            sections=self.sections,
            progress=context.progress,
        )


@dataclass(frozen=True, kw_only=True)
class EvaluateImportance(LabelledFiles, Step["ImportanceEvaluation"]):
    """Compare importance with citations that people or machines labelled as important.

    AUC, average precision and P@k, with intervals over citing papers, of: the number of mentions,
    Eq. 1 (CIA) with uniform and entropy weights, each component alone, and learned importance.
    """

    examples = "platform evaluate importance --labels scicite/train.jsonl"
    model: Annotated[tuple[RunName, ...], Setting(flags=("--model",))] = ()
    """Learned importance to compare: a run of `platform importance train`."""
    k: Annotated[Count, Setting(flags=("-k", "--k"))] = 1
    """Rank of P@k, within the labelled references of a paper."""

    def compute(self, context: Context) -> ImportanceEvaluation:
        from citescape.importance.evaluation import evaluate
        from citescape.importance.learned.training import TrainedImportance
        from citescape.runs.kept import find_kept

        models = [
            find_kept(TrainedImportance, context.runs, str(named), location=context.location)
            for named in self.model
        ]
        with self.open_labels(context) as labelled:
            return evaluate(labelled, self, models, runs=context.runs, progress=context.progress)


@dataclass(frozen=True, kw_only=True)
class TrainImportance(LabelledFiles, Step["TrainedImportance"]):
    """Learn importance from labelled citations.

    Predictors are what the graph knows of a pair: number and places of mentions, works cited in the
    same sentence, wording, intents, similarity of titles and abstracts, years, self-citation. The
    model is additive, so that each score is the sum of its parts. Its figures are those on citing
    papers that it has not seen. `platform score --weights learned:RUN` scores citations by it.
    Requires `pip install 'citescape[learn]'`. A boosted model takes up to two minutes, a linear
    one seconds; with few labels try both.
    """

    examples = "platform importance train --labels scicite/train.jsonl"
    kind: Literal["boosted", "linear"] = "boosted"
    """Kind of model: gradient boosting with effects of one and of two predictors, or logistic
    regression."""
    folds: Annotated[int, Setting(least=2, most=20)] = 5
    """Number of folds of citing papers for cross-validation."""
    mentions: Literal["stated", "counted"] = "stated"
    """Number of mentions: as the file states it, where it does, or as counted in its sentences."""
    title_encoder: Annotated[
        str, Setting(metavar="FOLDER|HUB-ID|hashed-words|none", default="MiniLM, if installed")
    ] = ""
    """Encoder of titles and abstracts for their similarity."""

    def compute(self, context: Context) -> TrainedImportance:
        from citescape.importance.learned.training import train

        with self.open_labels(context) as labelled:
            return train(labelled, self, runs=context.runs, progress=context.progress)
