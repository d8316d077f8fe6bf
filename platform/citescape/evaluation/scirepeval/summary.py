"""Summary of SciRepEval: nineteen columns, four formats, one average (FLeW, Table 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from citescape.metrics.figures import Figures, mean

FORMATS = ("PRX", "RGN", "QRY", "CLF")
"""Proximity, regression, queries, classification."""


@dataclass(frozen=True)
class Column:
    """A column of the published table."""

    name: str
    format: str
    tasks: tuple[str, ...]
    metrics: tuple[str, ...]
    """The figure is the mean over these metrics of all `tasks`."""
    few_shot: bool = False
    """Whether few-shot runs count as much as the full run."""


COLUMNS = (
    Column("RELISH", "PRX", ("RELISH",), ("ndcg",)),
    Column("Reviewer", "PRX", ("Paper-Reviewer Matching",), ("P_5", "P_10")),
    Column("Same Author", "PRX", ("Same Author Detection",), ("map",)),
    Column("HighInf Citation", "PRX", ("Highly Influential Citations",), ("map",)),
    Column(
        "SciDocs PRX",
        "PRX",
        ("SciDocs Cite", "SciDocs CoView", "SciDocs CoCite", "SciDocs CoRead"),
        ("ndcg",),
    ),
    Column("Review Score", "RGN", ("Peer Review Score",), ("kendalltau",)),
    Column("Max H-index", "RGN", ("Max hIndex",), ("kendalltau",)),
    Column("Tweet Mentions", "RGN", ("Tweet Mentions",), ("kendalltau",)),
    Column("Citation Count", "RGN", ("Citation Count",), ("kendalltau",)),
    Column("Pub Year", "RGN", ("Publication Year",), ("kendalltau",)),
    Column("NFCorpus", "QRY", ("NFCorpus",), ("ndcg",)),
    Column("TREC Covid", "QRY", ("TREC-CoVID",), ("ndcg",)),
    Column("Search", "QRY", ("Search",), ("ndcg",)),
    Column("Biomimicry", "CLF", ("Biomimicry",), ("f1",), few_shot=True),
    Column("DRSM", "CLF", ("DRSM",), ("f1_macro",), few_shot=True),
    Column("MeSH", "CLF", ("MeSH",), ("f1_macro",)),
    Column("FoS", "CLF", ("Fields of study",), ("f1_macro",)),
    Column("SciDocs MAG", "CLF", ("SciDocs MAG",), ("f1_macro",)),
    Column("SciDocs MeSH", "CLF", ("SciDocs MeSH",), ("f1_macro",)),
)
"""Columns in the order of the table, with the task names of the published configuration.

The metric of Biomimicry and DRSM is `Wt. F1` in the table, without a definition: here it is the
mean of the full run and the few-shot runs. That of FoS is `F1`: here it is that of the full run,
although the configuration has few-shot runs.
"""


@dataclass(frozen=True)
class SciRepEvalSummary:
    """Figures by column, with averages."""

    columns: Mapping[str, float]
    """Column -> percentage; absent columns are missing."""

    @property
    def absent(self) -> tuple[str, ...]:
        """Names of absent columns."""
        return tuple(column.name for column in COLUMNS if column.name not in self.columns)

    @property
    def formats(self) -> dict[str, float]:
        """Format -> mean of its columns; NaN if one is absent."""
        return {name: self._mean(name) for name in FORMATS}

    @property
    def average(self) -> float:
        """Mean of the nineteen columns, not of the formats; NaN if one is absent."""
        return self._mean()

    @property
    def mean_of_present(self) -> float:
        """Mean of the present columns; not comparable with published averages."""
        return mean(list(self.columns.values()))

    def _mean(self, kind: str = "") -> float:
        names = [column.name for column in COLUMNS if kind in ("", column.format)]
        return mean([self.columns.get(name, float("nan")) for name in names])


def summarise(figures: Figures) -> SciRepEvalSummary:
    """Summary with the columns that have all their figures."""
    names, columns = list(dict.fromkeys(figure.task for figure in figures)), {}
    for column in COLUMNS:
        tasks = list(column.tasks)
        for task in column.tasks if column.few_shot else ():
            starts = [name for name in names if name.startswith(f"{task}, ")]
            # "" stands for missing few-shot runs, so that the column is absent
            tasks += [name for name in starts if name.endswith(" shot")] or [""]
        keys = [(task, metric) for task in tasks for metric in column.metrics]
        values = [figure.value if (figure := figures.find(*key)) else np.nan for key in keys]
        columns[column.name] = mean(values)
    return SciRepEvalSummary({name: value for name, value in columns.items() if np.isfinite(value)})
