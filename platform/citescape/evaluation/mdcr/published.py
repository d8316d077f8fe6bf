"""Figures in the format of the published evaluator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from citescape.evaluation.mdcr.benchmark import ALL
from citescape.evaluation.mdcr.evaluate import METRICS
from citescape.metrics.summary import EACH

_NAMES = dict(zip(METRICS, ("map", "ndcg", "recall_5"), strict=True))
_DIGITS = 4


def format_published(figures: pa.Table, system: str, fields: Sequence[str]) -> Iterator[str]:
    """A line per field and one of averages: `Art<TAB>map: 34.7136<TAB>ndcg: ...`, in per cent.

    Figures of fields are rounded to four digits, then averaged and rounded again, as in the
    published evaluator.

    Args:
        figures: table of `summary.summarise`.
        system: name of the system.
        fields: names of the fields, in the order of lines.
    """
    means = {
        (row["group"], row["metric"]): row["mean"]
        for row in figures.to_pylist()
        if row["system"] == system and row["condition"] == ALL
    }
    # a single field has no row of its own, only the mean
    groups = list(fields) if len(fields) > 1 else [EACH]
    rounded = {
        name: np.round([100 * means[group, metric] for group in groups], _DIGITS)
        for metric, name in _NAMES.items()
    }
    for row, field in enumerate(fields):
        yield _line(field, {name: values[row] for name, values in rounded.items()})
    yield ""
    averages = {name: np.round(np.nanmean(values), _DIGITS) for name, values in rounded.items()}
    yield _line("AVG", averages)


def _line(title: str, figures: Mapping[str, float]) -> str:
    return "\t".join([title, *(f"{name}: {value}" for name, value in figures.items())])
