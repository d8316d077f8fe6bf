"""What reports say of each benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from citescape.runs.directory import RunRecord


@dataclass(frozen=True)
class BenchmarkDescription:
    """Its words."""

    title: str
    about: str
    """One or two sentences: what is ranked, and what a figure is the mean of."""
    parts: str
    """What conditions are, as a heading."""
    remark: str = ""
    """How figures by condition are to be read."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Setting -> option of the command that sets it."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Family of metrics -> what it is here, where that is not the usual."""
    shown: tuple[str, ...] = ()
    """Metrics of tables and pictures, where there are too many for all; files have the others."""


_PROFILES = ("alpha", "beta", "gamma", "delta", "contexts")
_FOUND = (
    'MAP and nDCG are over all cited papers. Those called "found" take the cited papers in the '
    "ranking for all there are, as published figures of large pools do; they cannot be compared "
    "with the others."
)
_PLAIN = (
    "Intervals are of figures that are plain means over queries; F1, correlations and averages "
    "have none, and are not tested."
)
BENCHMARKS = {
    "mdcr": BenchmarkDescription(
        "Telling cited papers from others like them",
        "Each query has papers that it cites, and others chosen to be taken for such; systems rank "
        "them together. A figure is the mean over fields of the means over their queries, so that "
        "each field counts the same.",
        "By kind of negatives",
        "The cited papers with the negatives of one kind alone. Those found by a ranker are from "
        "the head of its own lists: that ranker is bound to find these hard.",
    ),
    "pool": BenchmarkDescription(
        "Finding cited papers in whole pools of papers",
        "A pool holds all papers that the queries cite and others drawn at random, none newer than "
        "the queries; systems rank the whole pool for each query. A query's figure is the mean "
        "over the samples of a size.",
        "By size of the pool",
        _FOUND,
    ),
    "field pools": BenchmarkDescription(
        "Finding cited papers in pools of fields",
        "Each field has its own queries, and a pool of what they cite and of others that papers of "
        "the field cite. A query's figure is the mean over the samples; that of all is the mean "
        "over fields.",
        "By condition",
        _FOUND,
    ),
    "lcr": BenchmarkDescription(
        "Completing sentences from which a citation is taken out",
        "Each sentence asks for the works that it cites, among all that it could cite. Any of them "
        "counts: figures are of the first that is found. Intervals and tests draw papers with all "
        "their sentences, which are alike.",
        "By what is cited",
        "Warm works are cited by training sentences, of which profiles are made; cold ones are "
        "not. A sentence may ask for both. A graph of full texts knows a cold work only since one "
        "of these sentences cites it, so whatever brings cold works forward gains. Not so where "
        "warm works are searched for among warm works alone.",
        {
            **{"split": "split", "queries": "queries", "k": "k", "share": "words"},
            "weight": "weight",
            **{f"query_weights.weights.{name}": name for name in _PROFILES},
        },
        meanings={
            "mrr": "one over the rank of the first work that the sentence cites, if it is listed",
            "recall": "share of sentences with a work that they cite among the first {k}",
            "ndcg": "1 / log2(rank + 1) of the first work that the sentence cites, if it is among "
            "the first {k}",
        },
        shown=(
            "mrr",
            *(f"recall@{k}" for k in (5, 10, 20, 50, 300)),
            *(f"ndcg@{k}" for k in (10, 50, 300)),
        ),
    ),
    "scidocs": BenchmarkDescription(
        "Vectors of papers on the tasks of SciDocs",
        "Classes of papers, papers read, viewed and cited together, recommendations (Cohan et al. "
        "2020). Each task has its own papers and metrics.",
        "By task",
        _PLAIN,
    ),
    "scirepeval": BenchmarkDescription(
        "Vectors of papers on the tasks of SciRepEval",
        "Proximity, regression, search and classification (Singh et al. 2023). Each task has its "
        "own papers and metrics.",
        "By task",
        _PLAIN,
    ),
}
"""Name in a run's configuration -> words."""


def describe(record: RunRecord) -> BenchmarkDescription:
    """The words of a run's benchmark; plain ones of another than these."""
    name = str(record.config.get("benchmark", "evaluation"))
    return BENCHMARKS.get(name) or BenchmarkDescription(f"Figures of {name}", "", "By condition")
