from __future__ import annotations

import csv
from pathlib import Path

import pytest

from citescape.evaluation.report.pages import make_pages
from citescape.exports.evaluations import write_report
from tests.evaluation.report.evaluations import make_run


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_tables_are_those_of_the_run(tmp_path: Path) -> None:
    made = make_run(tmp_path / "runs")
    files = write_report(made, tmp_path / "new" / "folder")
    assert files[0].name == "report.html"
    assert sorted(files) == sorted((tmp_path / "new" / "folder").iterdir())
    for name, table in (("figures.csv", made.figures), ("differences.csv", made.differences)):
        assert table is not None
        rows = read(files[0].with_name(name))
        for row, expected in zip(rows, table.to_pylist(), strict=True):
            assert row["system"] == expected["system"]
            assert float(row["low"]) == pytest.approx(expected["low"], rel=1e-12)
    for name, text in make_pages(made).items():
        assert files[0].with_name(name).read_text(encoding="utf-8") == text


def test_names_that_would_be_formulas_are_disarmed(tmp_path: Path) -> None:
    made = make_run(tmp_path, systems=["=1+1"], conditions=["all"])
    files = write_report(made)
    assert {row["system"] for row in read(made.path / "figures.csv")} == {"'=1+1"}
    assert not (made.path / "differences.csv").exists(), "there is nothing to compare"
    assert all(path.parent == made.path for path in files)
