"""Figures as the published evaluator prints them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from citescape.evaluation.mdcr.evaluate import METRICS
from citescape.evaluation.measured import Measured

_NAMES = dict(zip(METRICS, ("map", "ndcg", "recall_5"), strict=True))
_DIGITS = 4


def tell_published(measured: Measured) -> Iterator[str]:
    """A line a field and one of the averages: `Art<TAB>map: 34.7136<TAB>ndcg: ...`, in per cent.

    Fields are rounded to four digits, then averaged and rounded again, as there.
    """
    rounded = {
        _NAMES[metric]: np.round(100 * measured.group_means(metric), _DIGITS) for metric in METRICS
    }
    for row, field in enumerate(measured.groups):
        yield _line(field, {name: values[row] for name, values in rounded.items()})
    yield ""
    means = {name: np.round(np.nanmean(values), _DIGITS) for name, values in rounded.items()}
    yield _line("AVG", means)


def _line(title: str, figures: dict[str, float]) -> str:
    return "\t".join([title, *(f"{name}: {value}" for name, value in figures.items())])
