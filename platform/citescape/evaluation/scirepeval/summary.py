"""SciRepEval in one row: nineteen tasks, four formats, one number (FLeW, Table 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from citescape.metrics.figures import Figures, mean

FORMATS = ("PRX", "RGN", "QRY", "CLF")
"""Proximity, regression, queries, classification."""


@dataclass(frozen=True)
class Column:
    """One of the nineteen."""

    name: str
    format: str
    tasks: tuple[str, ...]
    metrics: tuple[str, ...]
    """The mean is over these of all `tasks`."""
    few_shot: bool = False
    """Runs that learn from few papers count beside the full one, each as much."""


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
"""In the order of the table, by the names of the published configuration.

The table calls the metric of Biomimicry and DRSM `Wt. F1`, without a definition: here it is the
plain mean of the full run and its few-shot runs. That of FoS it calls `F1`: here of the full run
alone, although the configuration has few-shot runs of it.
"""


@dataclass(frozen=True)
class SciRepEvalSummary:
    """The row."""

    columns: Mapping[str, float]
    """Percentages of the columns that are there."""

    @property
    def absent(self) -> tuple[str, ...]:
        """Columns that are not there."""
        return tuple(column.name for column in COLUMNS if column.name not in self.columns)

    @property
    def formats(self) -> dict[str, float]:
        """Plain mean of the columns of each format; NaN if one is absent."""
        return {name: self._mean(name) for name in FORMATS}

    @property
    def average(self) -> float:
        """Plain mean of the nineteen columns, not of the formats; NaN if one is absent."""
        return self._mean()

    @property
    def mean_of_present(self) -> float:
        """Plain mean of the columns that are there: not comparable with a published average."""
        return mean(list(self.columns.values()))

    def _mean(self, kind: str = "") -> float:
        names = [column.name for column in COLUMNS if kind in ("", column.format)]
        return mean([self.columns.get(name, float("nan")) for name in names])


def summarise(figures: Figures) -> SciRepEvalSummary:
    """The columns that have all their figures."""
    names, columns = list(dict.fromkeys(figure.task for figure in figures)), {}
    for column in COLUMNS:
        tasks = list(column.tasks)
        for task in column.tasks if column.few_shot else ():
            starts = [name for name in names if name.startswith(f"{task}, ")]
            tasks += [name for name in starts if name.endswith(" shot")] or [""]  # "": missing
        keys = [(task, metric) for task in tasks for metric in column.metrics]
        values = [figure.value if (figure := figures.find(*key)) else np.nan for key in keys]
        columns[column.name] = mean(values)
    return SciRepEvalSummary({name: value for name, value in columns.items() if np.isfinite(value)})
