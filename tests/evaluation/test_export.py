from __future__ import annotations

import csv
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.evaluation.export import make_pages, write_report
from citescape.evaluation.report.pictures import PICTURES
from tests.evaluation.report.evaluations import make_run, make_task_run


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_exported_tables_equal_the_run(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs")
    files = write_report(run, tmp_path / "new" / "folder")
    assert files[0].name == "report.html"
    assert sorted(files) == sorted((tmp_path / "new" / "folder").iterdir())
    for name, table in (("figures.csv", run.figures), ("differences.csv", run.differences)):
        assert table is not None
        rows = read(files[0].with_name(name))
        for row, expected in zip(rows, table.to_pylist(), strict=True):
            assert row["system"] == expected["system"]
            assert float(row["low"]) == pytest.approx(expected["low"], rel=1e-12)
    for name, text in make_pages(run).items():
        assert files[0].with_name(name).read_text(encoding="utf-8") == text


def test_names_that_look_like_formulas_are_escaped(tmp_path: Path) -> None:
    run = make_run(tmp_path, systems=["=1+1"], conditions=["all"])
    files = write_report(run)
    assert {row["system"] for row in read(run.path / "figures.csv")} == {"'=1+1"}
    assert not (run.path / "differences.csv").exists(), "there is nothing to compare"
    assert all(path.parent == run.path for path in files)


def test_outdated_report_files_are_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    many = write_report(make_run(tmp_path / "runs"), out)
    single_system = make_run(
        tmp_path / "runs", systems=["bm25"], conditions=["all"], groups=["one"]
    )
    (out / "curves.svg").write_text("one's own, of a name that a report might give")
    (out / "notes.csv").write_text("too")
    few = write_report(single_system, out)
    assert {"differences.svg", "differences.csv", "kinds.svg", "fields.svg"} == {
        path.name for path in many if path not in few
    }
    own = [out / "curves.svg", out / "notes.csv"]
    assert sorted(out.iterdir()) == sorted([*few, *own])


def test_an_outdated_file_that_cannot_be_removed_is_reported(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_report(make_run(tmp_path / "runs"), out)
    (out / "kinds.svg").unlink()
    (out / "kinds.svg").mkdir()
    single_system = make_run(
        tmp_path / "runs", systems=["bm25"], conditions=["all"], groups=["one"]
    )
    with pytest.raises(ConfigError, match=r"kinds\.svg .*cannot be removed"):
        write_report(single_system, out)
    assert single_system.run in (out / "report.md").read_text()


def test_nothing_is_removed_beside_a_foreign_report(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("![mine](kinds.svg)")
    (tmp_path / "kinds.svg").write_text("mine")
    single_system = make_run(tmp_path / "runs", systems=["bm25"], conditions=["all"])
    write_report(single_system, tmp_path)
    assert (tmp_path / "kinds.svg").read_text() == "mine"


def test_every_figure_file_has_a_known_name(tmp_path: Path) -> None:
    evaluations = [
        make_run(tmp_path),
        make_run(tmp_path, conditions=["50", "100"], config={"benchmark": "pool"}),
        make_task_run(tmp_path, average=float("nan")),
    ]
    drawn = {Path(name) for evaluation in evaluations for name in make_pages(evaluation)}
    assert {path.stem for path in drawn if path.suffix == ".svg"} == set(PICTURES)
