"""Steps: sample triplets (anchor, positive, negative) for training an encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.core.errors import invalid_choice
from citescape.core.types import FACETS
from citescape.ingest.shards.settings import ShardReader
from citescape.runs.context import Context
from citescape.runs.step import RunName, Setting, Step, extract, name_runs
from citescape.sampling.config import (
    AnchorTypes,
    Hard,
    ImportanceConfig,
    LabelConfig,
    NeighbourhoodConfig,
    PerAnchor,
    SamplingConfig,
    SpecterConfig,
)

if TYPE_CHECKING:
    from citescape.sampling.collisions import CollisionTable
    from citescape.sampling.sample import SampleResult

Queries = Literal["citing", "all"]
Excluded = tuple[Annotated[RunName, Setting(metavar="RUN|FILE|PAPER")], ...]


@dataclass(frozen=True, kw_only=True)
class _SamplingStep(SamplingConfig, ShardReader["SampleResult"]):
    """Settings of all samplers, and the check of their result for leakage."""

    exclude: Excluded = ()
    """Papers to exclude from graph and triplets: the queries of a benchmark (`platform benchmark
    mdcr`, `platform evaluate pool`, files of MDCR, SciDocs, SciRepEval), a file with an id, DOI or
    PMID per line, or an id."""
    held_out: Excluded = ()
    """Papers of a test set, in the same form: report their number in the triplets."""
    with_candidates: bool = False
    """Use the candidates of a benchmark too, not only its queries."""

    def compute(self, context: Context) -> SampleResult:
        from citescape.evaluation.leakage.exclude import find_papers

        with self.read_from(context):
            context.progress("reading papers to hold out")
            exclude, held_out = (
                find_papers(context.store, context.runs, named, candidates=self.with_candidates)
                for named in (self.exclude, self.held_out)
            )
            result = self._sample(context, exclude)
        return replace(
            result,
            leakage=result.find_leaks(held_out) if self.held_out else {},
            excluded=result.find_leaks(exclude) if self.exclude else {},
            shards=self.shards,
        )

    def _sample(self, context: Context, exclude: tuple[str, ...]) -> SampleResult:
        raise NotImplementedError

    def _sample_citations(
        self,
        context: Context,
        exclude: tuple[str, ...],
        config: ImportanceConfig | SpecterConfig,
        types: Sequence[str],
    ) -> SampleResult:
        from citescape.sampling.sample import sample_citations

        return sample_citations(
            context.store,
            config,
            sampling=extract(SamplingConfig, self),
            types=types,
            exclude=exclude,
            runs=context.runs,
            progress=context.progress,
        )


@dataclass(frozen=True)
class SampleImportance(_SamplingStep, AnchorTypes, ImportanceConfig):
    """Sample triplets by importance: important references above unimportant and random papers.

    The references of each anchor are ranked by importance (`platform score`). Triplet i of K pairs
    the i-th most important reference with the i-th least important reference for i up to H, then
    with a random paper that the anchor does not cite (CIA, Algorithm 1).
    """

    def _sample(self, context: Context, exclude: tuple[str, ...]) -> SampleResult:
        return self._sample_citations(context, exclude, extract(ImportanceConfig, self), self.types)


@dataclass(frozen=True)
class SampleSpecter(_SamplingStep, AnchorTypes, SpecterConfig):
    """Sample triplets as SPECTER does: references above works that references cite.

    If few cited works in the corpus have a reference list, such hard negatives are rare; works that
    another paper cites beside a reference replace them, and the figures give their number.
    """

    def _sample(self, context: Context, exclude: tuple[str, ...]) -> SampleResult:
        return self._sample_citations(context, exclude, extract(SpecterConfig, self), self.types)


@dataclass(frozen=True)
class _Bands(AnchorTypes, NeighbourhoodConfig):
    """Bands of neighbours, and the vectors to search."""

    embeddings: Annotated[
        RunName, Setting(default="the latest of `platform train graph` with --weight none")
    ] = ""
    """Vectors of the citation graph: a run of `platform train graph`, or your own file (Parquet, or
    .npy beside a .txt file of ids)."""
    queries: Queries = "citing"
    """Anchors: papers with references, or all papers."""


@dataclass(frozen=True)
class SampleNeighbourhood(_SamplingStep, _Bands):
    """Sample triplets by neighbourhood: near papers of a citation embedding above far ones.

    Neighbours by cosine of graph embeddings (`platform train graph`): positives have the ranks up
    to --near, hard negatives those up to --far, easy negatives are random papers that are not
    among the nearest --far (SciNCL). The closer the bands, the more pairs are both close and far:
    `platform sample collisions` counts them.
    """

    def _sample(self, context: Context, exclude: tuple[str, ...]) -> SampleResult:
        from citescape.sampling.embedded import sample_neighbours

        return sample_neighbours(
            context.store,
            extract(NeighbourhoodConfig, self),
            embeddings=name_runs(self.embeddings),
            queries=self.queries,
            types=self.types,
            exclude=exclude,
            sampling=extract(SamplingConfig, self),
            runs=context.runs,
            progress=context.progress,
        )


@dataclass(frozen=True)
class SampleCollisions(_Bands, Step["CollisionTable"]):
    """Count pairs that are both close and far, for several distances of the bands.

    The bands are those of `platform sample neighbourhood`; no run is kept (SciNCL, Fig. 4).
    """

    def compute(self, context: Context) -> CollisionTable:
        from citescape.sampling.collisions import CollisionTable
        from citescape.sampling.embedded import compare_bands

        collisions = compare_bands(
            context.store,
            extract(NeighbourhoodConfig, self),
            embeddings=name_runs(self.embeddings),
            queries=self.queries,
            types=self.types,
            runs=context.runs,
        )
        return CollisionTable(tuple(collisions))


@dataclass(frozen=True)
class SampleFacet(_SamplingStep, AnchorTypes, NeighbourhoodConfig):
    """Sample triplets by facet: near above far papers in each facet's subgraph.

    Like `platform sample neighbourhood` in each of the background, method and result subgraphs,
    with one file of triplets per facet (FLeW). The subgraph of a facet has the citations with a
    context of that intent, weighted by their number; papers isolated in it are left out.
    """

    examples = """
        platform text intents label                   intents of each citation
        platform train graph --weight method     also for background and result
        platform sample facet
    """
    per_anchor: PerAnchor = 10
    hard: Hard = 4
    embeddings: Annotated[
        Mapping[str, RunName],
        Setting(metavar="FACET=RUN", default="the latest of `platform train graph --weight FACET`"),
    ] = field(default_factory=dict)
    """Vectors of the subgraph of a facet: a run of `platform train graph`, or your own file."""
    queries: Queries = "citing"
    """Anchors: papers with references, or all papers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for facet in self.embeddings:
            if facet not in FACETS:
                raise invalid_choice("facet of embeddings", facet, FACETS)

    def _sample(self, context: Context, exclude: tuple[str, ...]) -> SampleResult:
        from citescape.sampling.embedded import sample_facets

        return sample_facets(
            context.store,
            extract(NeighbourhoodConfig, self),
            embeddings=name_runs(self.embeddings),
            queries=self.queries,
            types=self.types,
            exclude=exclude,
            sampling=extract(SamplingConfig, self),
            runs=context.runs,
            progress=context.progress,
        )


@dataclass(frozen=True)
class SampleLabels(_SamplingStep, LabelConfig):
    """Sample triplets by gold label, an upper bound: papers of one label above papers of others.

    Only for an upper bound of what triplets can teach an encoder for a task: the triplets use the
    labels that the task predicts (SciNCL, section 4.4, Oracle SciDocs).
    """

    labels: Annotated[str | Path | Mapping[str, str], Setting(metavar="FILE")] = field(kw_only=True)
    """Labels: a CSV file with the header id,label and in each row an id, DOI, PMID or PMCID and a
    label; in Python also a mapping of identifiers to labels."""

    def _sample(self, context: Context, exclude: tuple[str, ...]) -> SampleResult:
        from citescape.sampling.labels import read_labels, sample_labels

        labels = self.labels
        return sample_labels(
            context.store,
            list(labels.items()) if isinstance(labels, Mapping) else read_labels(Path(labels)),
            extract(LabelConfig, self),
            sampling=extract(SamplingConfig, self),
            exclude=exclude,
            runs=context.runs,
            progress=context.progress,
        )
