"""`platform evaluate report`: the pages of a run, where they are asked for."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from citescape.cli.evaluate import evaluate
from citescape.evaluation.evaluated import FIGURES
from citescape.evaluation.report.benchmarks import BENCHMARKS
from tests.cli.conftest import Platform
from tests.evaluation.mdcr.worlds import make, write
from tests.evaluation.report.evaluations import make_run


def test_the_last_evaluation_is_told_in_its_folder(platform: Platform, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    make_run(runs, systems=["bm25"])
    last = make_run(runs)
    shown = platform("evaluate", "report")
    assert shown.status == 0, shown.err
    page = last.path.relative_to(tmp_path) / "report.html"
    assert shown.out.splitlines()[-1] == f"page: {page}"
    names = {path.name for path in last.path.iterdir()}
    assert {"report.html", "report.md", "intervals.svg", "figures.csv"} <= names
    assert platform("evaluate", "report").status == 0, "it may be written again"


def test_another_folder_and_json(platform: Platform, tmp_path: Path) -> None:
    made = make_run(tmp_path / "runs")
    before = sorted(made.path.iterdir())
    words = ("evaluate", "report", made.run, "--out", "paper/figures", "--json")
    told = json.loads(platform(*words).out)
    assert told["run"] == made.run
    assert told["page"] == "paper/figures/report.html"
    assert all(Path(path).is_file() for path in told["files"])
    assert sorted(made.path.iterdir()) == before


def test_what_is_no_evaluation(platform: Platform, tmp_path: Path) -> None:
    failed = platform("evaluate", "report")
    assert failed.status == 1
    assert "no evaluations in runs" in failed.err
    made = make_run(tmp_path / "runs")
    failed = platform("evaluate", "report", "nothing")
    assert failed.status == 1
    assert made.run in failed.err


def test_a_damaged_run_leaves_nothing_behind(platform: Platform, tmp_path: Path) -> None:
    made = make_run(tmp_path / "runs")
    (made.path / FIGURES).write_bytes(b"PAR1")
    failed = platform("evaluate", "report", "--out", "out")
    assert failed.status == 1
    assert "move the folder away" in failed.err
    assert not Path("out").exists()


def test_where_nothing_can_be_written(platform: Platform, tmp_path: Path) -> None:
    make_run(tmp_path / "runs")
    Path("taken").write_text("")
    failed = platform("evaluate", "report", "--out", "taken/below")
    assert failed.status == 1
    assert "the folder taken/below cannot be made" in failed.err


@pytest.mark.parametrize("name", [name for name, one in BENCHMARKS.items() if one.options])
def test_options_that_a_report_names_are_those_of_the_command(name: str) -> None:
    known = {
        word
        for one in evaluate.commands[BENCHMARKS[name].command or name].params
        for word in one.opts
    }
    assert {f"--{option}" for option in BENCHMARKS[name].options.values()} <= known


def test_evaluations_say_how_to_have_a_page(platform: Platform, tmp_path: Path) -> None:
    published = write(make(6), tmp_path, "mdcr_test.json")
    lines = [{"paper_id": f"{kind}_{n}", "title": "of it"} for kind in "cq" for n in range(90)]
    texts = "".join(json.dumps(line) + "\n" for line in lines)
    published.with_name("mdcr_test_data.jsonl").write_text(texts)
    runs = ("--runs", tmp_path / "own runs")
    shown = platform("evaluate", "mdcr", "random", "--benchmark", published, *runs)
    assert shown.status == 0, shown.err
    words = shlex.split(shown.out.splitlines()[-1].removeprefix("as a page: "))
    told = platform(*words[1:])
    assert told.status == 0, told.err
    assert Path(told.out.splitlines()[-1].removeprefix("page: ")).is_file()
