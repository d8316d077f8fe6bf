"""Texts of reports for each benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from citescape.runs.directory import RunRecord


@dataclass(frozen=True)
class BenchmarkDescription:
    """Texts of a report on a benchmark."""

    title: str
    about: str
    """One or two sentences on the task and on the figures."""
    parts: str
    """Heading of figures by condition."""
    remark: str = ""
    """Remark on figures by condition."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Setting -> option of the command."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Family of metrics -> definition, where it differs from the usual one."""
    shown: tuple[str, ...] = ()
    """Metrics of tables and pictures; empty for all. Files contain all metrics."""


_PROFILES = ("alpha", "beta", "gamma", "delta", "contexts")
_RETRIEVED_ONLY = (
    'MAP and nDCG are over all cited papers. "MAP found" and "nDCG found" are over the cited '
    "papers in the ranking only, as published figures of large pools are; they are not comparable "
    "with the others."
)
_PLAIN = (
    "Only figures that are plain means over queries have intervals and tests; F1, correlations and "
    "averages have none."
)
BENCHMARKS = {
    "mdcr": BenchmarkDescription(
        "Distinguishing cited papers from similar papers",
        "Each query has cited papers and hard negatives; systems rank them together. A figure is "
        "the mean over fields of the means over their queries, so that each field has the same "
        "weight.",
        "By kind of negatives",
        "Cited papers among the negatives of one kind. Negatives found by a ranker are the first "
        "papers of its own lists, so they are hardest for this ranker.",
    ),
    "pool": BenchmarkDescription(
        "Finding cited papers in whole pools of papers",
        "A pool holds all papers that the queries cite and others drawn at random, none newer "
        "than the queries; systems rank the whole pool for each query. The figure of a query is "
        "the mean over the samples of a size.",
        "By size of the pool",
        _RETRIEVED_ONLY,
    ),
    "field pools": BenchmarkDescription(
        "Finding cited papers in pools of fields",
        "Each field has its own queries, and a pool of papers that the queries or other papers "
        "of the field cite. The figure of a query is the mean over samples; the total is the "
        "mean over fields.",
        "By condition",
        _RETRIEVED_ONLY,
    ),
    "lcr": BenchmarkDescription(
        "Recommending works for sentences with a removed citation",
        "For each sentence, all works that it could cite are ranked. Figures are those of the "
        "first cited work in the ranking. Intervals and tests draw papers with all their "
        "sentences, which are dependent.",
        "By what is cited",
        "Warm works are cited by training sentences, which their profiles contain; cold works are "
        "not. A sentence may cite both. In a graph of full texts, a cold work exists only because "
        "one of these sentences cites it, so a ranker that prefers cold works has an advantage. "
        "Warm works among warm works only are free of this effect.",
        {
            **{"split": "split", "queries": "queries", "k": "k", "word_weight": "word-weight"},
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
        "Classification, papers that are read, viewed and cited together, and recommendations "
        "(Cohan et al. 2020). Each task has its own papers and metrics.",
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
"""Name in the settings of a run -> texts."""


def describe(record: RunRecord) -> BenchmarkDescription:
    """Texts for the benchmark of a run; short ones for an unknown benchmark."""
    name = str(record.config.get("benchmark", "evaluation"))
    return BENCHMARKS.get(name) or BenchmarkDescription(f"Figures of {name}", "", "By condition")
