"""Published tables: consistent figures, and rows of evaluations in published formats."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.evaluation.config import SciDocsConfig
from citescape.evaluation.published_tables import (
    PUBLISHED,
    WARNING,
    FilledTable,
    fill_table,
    find_published,
    read_published,
)
from citescape.evaluation.scidocs.run import find_systems, measure_scidocs
from citescape.evaluation.scirepeval.run import measure_scirepeval
from citescape.evaluation.scirepeval.tasks import read_tasks
from citescape.evaluation.systems import SystemSources, open_systems
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.metrics.summary import Resampling
from tests.evaluation.scidocs.conftest import write_embeddings, write_scidocs
from tests.evaluation.scirepeval.conftest import KNOWN, write_jsonl, write_scirepeval

FEW = Resampling(draws=10)


@pytest.fixture(scope="module")
def scidocs_run(tmp_path_factory: pytest.TempPathFactory) -> EvaluationRun:
    folder = tmp_path_factory.mktemp("scidocs")
    (folder / "data").mkdir()
    write_scidocs(folder / "data")
    path = write_embeddings(folder / "mine.jsonl")
    systems = find_systems([f"mine={path}"], folder / "data", folder / "runs")
    config = SciDocsConfig(ranker="cosine")
    return measure_scidocs(folder / "data", systems, config, resampling=FEW, runs=folder / "runs")


@pytest.mark.parametrize("name", read_published())
def test_rows_are_complete(name: str) -> None:
    published = read_published()[name]
    assert len(published.columns) == len(published.figures) == len(set(published.figures))
    assert {len(row) for row in published.systems.values()} == {len(published.columns)}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("cia-table-4", [(range(12), 12)]),
        ("scincl-table-1", [(range(12), 12)]),
        ("flew-table-1", [(range(5), 5), (range(6, 11), 11), (range(12, 15), 15),
                          (range(16, 22), 22),
                          ([*range(5), *range(6, 11), *range(12, 15), *range(16, 22)], 23)]),
        ("flew-table-2", [(range(19), 19), (range(20, 39), 39)]),
        ("mdcr-table-3", [(range(19), 19), (range(20, 39), 39)]),
    ],
)  # fmt: skip
def test_averages_are_those_of_their_columns(name: str, parts: list[tuple[list[int], int]]) -> None:
    """A wrong digit of a published figure would not fit its average."""
    published = find_published(name)
    for system, row in published.systems.items():
        for columns, place in parts:
            mean = np.mean([row[column] for column in columns])
            assert row[place] == pytest.approx(mean, abs=0.06), (system, published.columns[place])


@pytest.mark.parametrize("name", read_published())
def test_figures_are_in_the_paper(name: str, data: Path) -> None:
    numbers = {"cia": "000", "scincl": "001", "flew": "002", "mdcr": "003", "profiler": "004"}
    (path,) = (data.parent / "papers").glob(f"{numbers[name.partition('-')[0]]}_*.txt")
    printed = set(re.findall(r"\d+\.\d+", path.read_text(encoding="utf-8")))
    published = find_published(name)
    for row in published.systems.values():
        assert {f"{value:.{published.decimals}f}" for value in row} <= printed


def test_own_rows_have_the_figures_of_the_run(scidocs_run: EvaluationRun) -> None:
    published = find_published("scincl-table-1")
    filled = fill_table(published, [scidocs_run])
    assert [source for source, *_ in filled.rows[:-1]] == [PUBLISHED] * len(published.systems)
    source, system, values = filled.rows[-1]
    assert (source, system) == (scidocs_run.run, "mine")
    means = {
        (row["condition"], row["metric"]): row["mean"] for row in scidocs_run.figures.to_pylist()
    }
    for (condition, _, metric), value in zip(published.figures, values, strict=True):
        mean = means.get((condition, metric))
        assert value == (None if mean is None else 100 * mean)
    assert [name for name, value in zip(published.columns, values, strict=True)
            if value is None] == ["Recomm. nDCG", "Recomm. P@1", "Avg."]  # fmt: skip
    (reason,) = filled.reasons
    assert "no figure for Recomm. nDCG, Recomm. P@1, Avg." in reason
    assert "`--ranker features`" in reason
    assert filled.arrow["Avg."].to_pylist()[-1] is None
    assert filled.arrow["Avg."].to_pylist()[0] == 83.0


def test_tables_are_written_in_markdown_and_latex(scidocs_run: EvaluationRun) -> None:
    filled = fill_table(find_published("scincl-table-1"), [scidocs_run])
    lines = filled.to_markdown().splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in rows} == {1 + 2 + 13}
    assert rows[-1].startswith(f"| mine | {scidocs_run.run} | ")
    assert rows[-1].endswith(" |  |  |  |")
    assert WARNING in lines
    latex = filled.to_latex()
    assert latex.count(r"\midrule") == 2
    ended = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert {line.count("&") for line in ended} == {14}
    assert r"SciNCL (ours), with leakage & published & 81.4 & 88.7 & 85.3" in latex


def test_names_of_systems_are_escaped() -> None:
    published = find_published("profiler-table-2")
    rows = [("run_1", "a|b{c}\\d~e", (None,) * len(published.columns))]
    filled = FilledTable(published, rows, ())
    assert r"| a\|b{c}\\d\~e | run_1 |" in filled.to_markdown()
    name = r"a|b{\textbraceleft}c{\textbraceright}{\textbackslash}d{\textasciitilde}e"
    assert rf"{name} & run\_1 &" in filled.to_latex()


def test_columns_of_scirepeval_are_those_of_its_summary(tmp_path: Path) -> None:
    write_scirepeval(tmp_path)
    rows = [{"doc_id": p, "embedding": v.tolist()} for p, v in KNOWN.items()]
    write_jsonl(tmp_path / "mine.jsonl", rows)
    tasks = [t for t in read_tasks(tmp_path / "tasks.jsonl") if t.name.startswith("Paper-Rev")]
    sources = SystemSources(tmp_path / "runs", lambda: pytest.fail("no texts are needed"))
    systems = open_systems([f"mine={tmp_path / 'mine.jsonl'}"], sources)
    run = measure_scirepeval(tasks, systems, resampling=FEW, runs=tmp_path / "runs")
    published = find_published("flew-table-1")
    *_, (_, _, values) = fill_table(published, [run]).rows
    found = dict(zip(published.columns, values, strict=True))
    assert found["Reviewer"] == run.counts["columns"]["mine"]["Reviewer"]
    assert {name for name, value in found.items() if value is not None} == {"Reviewer"}


def test_other_benchmarks_and_unknown_tables_are_refused(scidocs_run: EvaluationRun) -> None:
    message = "is an evaluation of scidocs; expected one of lcr: `platform evaluate lcr`"
    with pytest.raises(ConfigError, match=message):
        fill_table(find_published("profiler-table-2"), [scidocs_run])
    with pytest.raises(ConfigError, match="table is 'x'; expected one of: cia-table-4, flew"):
        find_published("x")


def test_two_runs_have_a_row_each(scidocs_run: EvaluationRun, tmp_path: Path) -> None:
    filled = fill_table(find_published("cia-table-4"), [scidocs_run, scidocs_run])
    assert [system for _, system, _ in filled.rows[-2:]] == ["mine", "mine"]
    filled.save(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["system"] for row in rows][-3:] == ["SciBERT", "mine", "mine"]
    assert rows[0]["MAG F1"] == "81.2"
    assert rows[-1]["Avg."] == ""
