"""Averages as in the tables of FLeW."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from citescape.evaluation.scirepeval.summary import COLUMNS, FORMATS, SciRepEvalSummary, summarise
from citescape.metrics.figures import Figure, Figures

PRX_RGN = """
SciBERT 82.81 41.68 79.48 33.72 76.15 62.77 20.26 12.38 22.18 39.16 27.71 24.34
SPECTER 90.07 45.16 86.53 42.89 93.98 71.73 17.35 12.52 24.19 33.21 25.96 22.65
SciNCL 90.67 45.40 87.47 43.39 95.01 72.39 18.87 13.45 25.79 34.61 28.99 24.34
SPECTER-2 91.63 45.42 87.00 44.96 94.87 72.78 20.63 12.76 27.11 38.33 33.65 26.50
SFR-2_R 88.36 45.56 82.09 39.52 87.10 68.53 11.18 8.31 14.09 36.24 31.23 20.21
FLeW 92.15 45.70 87.03 45.50 94.46 72.97 20.93 15.09 27.01 39.21 33.90 27.23
"""
QRY_CLF = """
SciBERT 53.34 79.73 71.49 68.19 50.00 64.01 76.71 42.67 79.50 79.97 65.48 54.37
SPECTER 64.90 86.53 73.25 74.89 51.22 66.16 85.46 43.00 79.75 87.80 68.90 58.42
SciNCL 70.85 87.67 73.46 77.33 50.22 65.10 86.17 43.53 81.11 89.13 69.21 59.52
SPECTER-2 72.03 89.46 73.76 78.42 50.53 62.96 86.76 42.16 81.03 89.00 68.74 60.21
SFR-2_R 67.76 86.97 70.89 75.21 47.33 63.40 81.96 38.52 78.63 86.68 66.09 56.10
FLeW 72.64 89.14 74.13 78.64 50.25 65.41 87.17 44.61 81.71 89.39 69.76 60.81
"""
ROWS = [
    [left.split()[0], *left.split()[1:], *right.split()[1:]]
    for left, right in zip(PRX_RGN.split("\n")[1:-1], QRY_CLF.split("\n")[1:-1], strict=True)
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]))
def test_published_averages_of_flew(row: list[str]) -> None:
    numbers = list(map(float, row[1:]))
    tasks = numbers[0:5] + numbers[6:11] + numbers[12:15] + numbers[16:22]
    found = SciRepEvalSummary(dict(zip([column.name for column in COLUMNS], tasks, strict=True)))
    printed = {"PRX": numbers[5], "RGN": numbers[11], "QRY": numbers[15], "CLF": numbers[22]}
    assert found.formats == pytest.approx(printed, abs=0.0101)
    assert found.average == pytest.approx(numbers[23], abs=0.0101)
    assert found.absent == ()


def test_the_average_is_over_tasks_not_formats() -> None:
    sizes = Counter(column.format for column in COLUMNS)
    assert [sizes[name] for name in FORMATS] == [5, 5, 3, 6]
    means = {"PRX": 72.97, "RGN": 27.23, "QRY": 78.64, "CLF": 69.76}
    found = SciRepEvalSummary({column.name: means[column.format] for column in COLUMNS})
    assert found.average == pytest.approx((72.97 * 5 + 27.23 * 5 + 78.64 * 3 + 69.76 * 6) / 19)
    assert round(found.average, 2) == 60.81
    assert np.mean(list(means.values())) == pytest.approx(62.15)


def figures(*values: tuple[str, str, float]) -> Figures:
    return Figures(tuple(Figure(task, metric, value, used=1) for task, metric, value in values))


def test_columns_may_average_several_metrics() -> None:
    parts = ("Cite", "CoView", "CoCite", "CoRead")
    found = summarise(
        figures(
            ("Paper-Reviewer Matching", "P_5", 60),
            ("Paper-Reviewer Matching", "P_10", 30),
            *((f"SciDocs {part}", "map", 1) for part in parts),
            *((f"SciDocs {part}", "ndcg", 90 + at) for at, part in enumerate(parts)),
            ("Biomimicry", "f1", 80),
            ("Biomimicry, 64 shot", "f1", 50),
            ("Biomimicry, 16 shot", "f1", 20),
            ("Fields of study", "f1_macro", 44),
            ("Fields of study, 10 shot", "f1_macro", 20),
            ("NFCorpus", "ndcg", math.nan),
        )
    )
    assert found.columns == pytest.approx(
        {"Reviewer": 45, "SciDocs PRX": 91.5, "Biomimicry": 50, "FoS": 44}
    )
    assert found.mean_of_present == pytest.approx((45 + 91.5 + 50 + 44) / 4)
    assert len(found.absent) == 15
    assert math.isnan(found.average)
    assert all(math.isnan(value) for value in found.formats.values())


def test_a_column_is_absent_if_a_part_is_absent() -> None:
    assert summarise(figures(("Paper-Reviewer Matching", "P_5", 60))).columns == {}
    assert summarise(figures(("SciDocs Cite", "ndcg", 60))).columns == {}
    assert summarise(figures(("Biomimicry", "f1", 60))).columns == {}  # no few-shot runs
    assert math.isnan(summarise(figures()).mean_of_present)
