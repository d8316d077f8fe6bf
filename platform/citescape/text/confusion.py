"""Confusion matrices of labels, their figures, and texts of evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, stdev

import numpy as np
import numpy.typing as npt

from citescape.runs.result import Table


@dataclass(frozen=True)
class Confusion:
    """Confusion matrix: rows are true labels, columns predicted ones; matrices can be added."""

    labels: tuple[str, ...]
    counts: npt.NDArray[np.int64]
    """(labels, labels)"""

    @classmethod
    def from_labels(
        cls, labels: Sequence[str], true: Sequence[str], predicted: Sequence[str]
    ) -> Confusion:
        """Counts pairs of true and predicted labels.

        Args:
            labels: names of all labels, in the order of rows and columns.
            true: true label of each item.
            predicted: predicted label of each item.
        """
        place = {label: k for k, label in enumerate(labels)}
        counts = np.zeros((len(labels), len(labels)), np.int64)
        rows = [place[label] for label in true]
        np.add.at(counts, (rows, [place[label] for label in predicted]), 1)
        return cls(tuple(labels), counts)

    def __add__(self, other: Confusion) -> Confusion:
        return Confusion(self.labels, self.counts + other.counts)

    @property
    def total(self) -> int:
        """Number of labelled items."""
        return int(self.counts.sum())

    @property
    def accuracy(self) -> float:
        """Share of correct labels; 0 without items."""
        return float(np.trace(self.counts) / max(self.total, 1))

    @property
    def f1(self) -> dict[str, float]:
        """F1 = 2 TP / (true + predicted) of each label with true items."""
        true, predicted, correct = self.counts.sum(1), self.counts.sum(0), np.diag(self.counts)
        return {
            label: float(2 * correct[k] / (true[k] + predicted[k]))
            for k, label in enumerate(self.labels)
            if true[k]
        }

    @property
    def macro_f1(self) -> float:
        """The mean of F1 over the labels with true items.

        A label without true items has no F1, but lowers that of the labels it is confused with.
        """
        return float(np.mean(list(self.f1.values()))) if self.total else 0.0

    def to_table(self, title: str = "") -> Table:
        """Counts and the F1 of each label that occurs."""
        rows = [
            (label, *self.counts[k].tolist(), self.f1.get(label))
            for k, label in enumerate(self.labels)
            if self.counts[k].any()
        ]
        return Table(("", *self.labels, "F1"), rows, title)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "n": self.total,
            "macro_f1": self.macro_f1,
            "accuracy": self.accuracy,
            "f1": self.f1,
            "labels": list(self.labels),
            "confusion": self.counts.tolist(),
        }


def spread_of(values: Sequence[float]) -> str:
    """`0.976 ± 0.001`: mean and standard deviation; a single value alone."""
    return f"{mean(values):.3f}" + (f" ± {stdev(values):.3f}" if len(values) > 1 else "")


def cut_text(text: str, width: int) -> str:
    """The text, cut to `width` characters."""
    return text if len(text) <= width else text[: width - 1] + "…"
