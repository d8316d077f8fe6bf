from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import CitescapeError, ConfigError, SourceError
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.scidocs.evaluate import (
    COLUMNS,
    SciDocsResult,
    evaluate_scidocs,
    read_groups,
)
from citescape.evaluation.scidocs.recommendation import RANKERS
from citescape.metrics.figures import Figure, Figures

PUBLISHED = """
Oracle 87.1 94.8 87.2 93.5 88.7 94.6 92.3 96.8 91.4 96.4 53.8 19.4 83.0
USE 80.0 83.9 77.2 88.1 76.5 88.1 76.6 89.0 78.3 89.8 53.7 19.6 75.1
Citeomatic 67.1 75.7 81.1 90.2 80.5 90.2 86.3 94.1 84.4 92.8 52.5 17.3 76.0
SGC 76.8 82.7 77.2 88.0 75.7 87.5 91.6 96.2 84.1 92.5 52.7 18.2 76.9
BERT 79.9 74.3 59.9 78.3 57.1 76.4 54.3 75.1 57.9 77.3 52.1 18.1 63.4
SciBERT 79.7 80.7 50.7 73.1 47.7 71.1 48.3 71.7 49.7 72.6 52.1 17.9 59.6
BioBERT 77.2 73.0 53.3 74.0 50.6 72.2 45.5 69.0 49.4 71.8 52.0 17.9 58.8
CiteBERT 78.8 74.8 53.2 73.6 49.9 71.3 45.0 67.9 50.3 72.1 51.6 17.0 58.8
DeCLUTR 81.2 88.0 63.4 80.6 60.0 78.6 57.2 77.4 62.9 80.9 52.0 17.4 66.6
SPECTER 82.0 86.4 83.6 91.5 84.5 92.4 88.3 94.9 88.1 94.8 53.9 20.0 80.0
SciNCL 81.4 88.7 85.3 92.3 87.5 93.9 93.6 97.3 91.6 96.4 53.9 19.3 81.8
SPECTER-apart 81.3 88.4 83.1 91.3 84.0 92.1 86.2 93.9 87.8 94.7 52.2 17.5 79.4
SciNCL-apart 81.3 89.4 84.3 91.8 85.6 92.8 91.4 96.3 90.1 95.7 54.3 19.9 81.1
"""
"""SciNCL, Table 1: MAG, MeSH, co-view, co-read, cite, co-cite, recommendations, average."""

IMPORTANCE = """
SciNCL 81.2 88.8 85.4 92.3 87.7 94.0 93.4 97.3 91.7 96.5 54.3 19.5 81.84
SPECTER2 82.5 89.1 85.3 92.3 87.0 93.6 92.1 96.8 91.2 96.3 53.0 18.9 81.51
Ours 83.3 89.8 84.5 92.0 85.4 92.9 91.1 96.2 89.5 95.5 54.9 20.6 81.31
Ada 83.6 88.7 84.0 91.6 84.5 92.5 86.4 94.1 87.3 94.4 54.4 20.6 80.17
SPECTER 82.0 86.4 88.3 94.9 88.1 94.8 83.6 91.5 84.5 92.4 53.9 20.0 80.03
E5 82.5 89.0 80.8 90.1 81.4 91.1 80.9 91.5 84.6 93.4 53.1 18.1 78.04
SGC 76.8 82.7 91.6 96.2 84.1 92.5 77.2 88.0 75.7 87.5 52.7 18.2 76.93
SimCSE 80.4 75.2 65.6 82.8 70.2 85.1 71.2 85.1 67.8 83.3 52.6 18.0 69.77
Fasttext 70.5 72.3 70.6 81.5 72.8 83.9 69.5 81.6 73.3 82.4 51.5 17.3 68.93
Doc2vec 66.2 69.2 65.3 82.2 67.1 83.4 67.8 82.9 64.9 81.6 51.7 16.9 66.60
BERT 79.9 74.3 54.3 75.1 57.9 77.3 59.9 78.3 57.1 76.4 52.1 18.1 63.39
SciBERT 79.4 79.9 53.2 73.8 57.7 77.4 59.8 78.1 55.7 75.3 51.6 17.3 63.27
"""
"""CIA, Table 4, with a two-decimal average. Its tasks have two orders, see the docs."""


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n") if line]


def published(values: list[str]) -> SciDocsResult:
    numbers = [float(value) for value in values]
    figures = [Figure(*key, n, used=1) for key, n in zip(COLUMNS, numbers, strict=True)]
    return SciDocsResult("test", Figures(tuple(figures)), "features")


@pytest.mark.parametrize("row", rows(PUBLISHED), ids=lambda row: str(row[0]))
def test_published_averages_of_scincl(row: list[str]) -> None:
    assert published(row[1:-1]).average == pytest.approx(float(row[-1]), abs=0.0501)


@pytest.mark.parametrize("row", rows(IMPORTANCE), ids=lambda row: str(row[0]))
def test_published_averages_of_cia(row: list[str]) -> None:
    assert published(row[1:-1]).average == pytest.approx(float(row[-1]), abs=0.0051)


@pytest.mark.parametrize("split", ["val", "test"])
def test_all_tasks_are_evaluated(scidocs: Path, encoded: PaperEmbeddings, split: str) -> None:
    messages: list[str] = []
    found = evaluate_scidocs(
        scidocs, encoded, split=split, ranker="features", progress=messages.append
    )
    assert [(figure.task, figure.metric) for figure in found.figures] == list(COLUMNS)
    assert found.absent == ()
    assert found.average == pytest.approx(np.mean([figure.value for figure in found.figures]))
    assert len(messages) == 7
    assert messages[0] == f"mag: {split}"
    table = found.table
    assert table.column_names[:4] == ["task", "metric", "value", "rounded"]
    assert table["rounded"].to_pylist() == [round(v, 2) for v in table["value"].to_pylist()]
    assert table.num_rows == 12


def test_a_cosine_is_not_in_the_average(scidocs: Path, encoded: PaperEmbeddings) -> None:
    found = evaluate_scidocs(scidocs, encoded)
    assert found.ranker == "cosine"
    assert found.absent == (("recomm", "ndcg"), ("recomm", "precision@1"))
    assert math.isnan(found.average)
    ten = [figure.value for figure in found.figures][:10]
    assert found.mean_of_present == pytest.approx(np.mean(ten))
    assert found.figures["recomm (cosine)", "ndcg"].value > 0


def test_missing_tasks_and_embeddings(
    scidocs: Path, group_files: Callable[..., Path], tmp_path: Path
) -> None:
    groups = read_groups(group_files("user-citation.jsonl", "cls.jsonl"))
    assert set(groups) == {"cls", "user-citation"}
    found = evaluate_scidocs(scidocs, groups)
    assert found.ranker == ""
    assert found.absent == (("recomm", "ndcg"), ("recomm", "precision@1"))
    shutil.copytree(scidocs / "cite", tmp_path / "cite")
    alone = evaluate_scidocs(tmp_path, groups)
    assert [figure.task for figure in alone.figures] == ["cite", "cite"]
    assert len(alone.absent) == 10


def test_a_task_without_papers_is_absent(
    scidocs: Path, encoded: PaperEmbeddings, tmp_path: Path
) -> None:
    (tmp_path / "cite").mkdir()
    (tmp_path / "cite" / "test.qrel").write_text("none 0 0000_p 1\n")
    found = evaluate_scidocs(tmp_path, encoded)
    assert math.isnan(found.figures["cite", "map"].value)
    assert len(found.absent) == 12
    assert math.isnan(found.mean_of_present)


def test_invalid_settings_are_refused(
    scidocs: Path, encoded: PaperEmbeddings, group_files: Callable[..., Path], tmp_path: Path
) -> None:
    wrong: list[tuple[type[CitescapeError], str, Callable[[], object]]] = [
        (
            ConfigError,
            "split is 'train'; expected one of: test, val",
            lambda: evaluate_scidocs(scidocs, encoded, split="train"),
        ),
        (ConfigError, "ranker is 'x'", lambda: evaluate_scidocs(scidocs, encoded, ranker="x")),
        (ConfigError, "embeddings is 'x'", lambda: evaluate_scidocs(scidocs, {"x": encoded})),
        (ConfigError, "no task of SciDocs in", lambda: evaluate_scidocs(tmp_path, encoded)),
        (SourceError, r"one or more of cls\.jsonl", lambda: read_groups(group_files("x.jsonl"))),
        (
            ConfigError,
            "no figure mag map; expected one of: none",
            lambda: Figures(())["mag", "map"],
        ),
    ]
    for kind, message, call in wrong:
        with pytest.raises(kind, match=message):
            call()
    assert set(RANKERS) == {"cosine", "features"}
