from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import SourceError
from citescape.evaluation.report.board import Board, Estimate, read_board
from citescape.metrics.evaluation_run import FIGURES
from tests.evaluation.report.evaluations import HOSTILE, make_run


def make_board(*conditions: str) -> Board:
    return Board(
        {("a", name, "", "map"): Estimate(0.5, 0.4, 0.6) for name in conditions}, {}, "", 0.9
    )


def test_names_are_in_the_order_of_the_run(tmp_path: Path) -> None:
    run = make_run(tmp_path, systems=["z", "a"], conditions=["all", "graph", "bm25"])
    board = read_board(run)
    assert board.systems == ["z", "a"]
    assert board.conditions == ["all", "graph", "bm25"]
    assert board.groups == ["Art", "Law"]
    assert board.metrics() == board.metrics("graph") == ["map", "ndcg", "recall@5"]
    assert (board.main, board.parts, board.kinds) == ("all", ["graph", "bm25"], True)
    assert (board.against, board.level) == ("z", 0.95)
    assert (board.queries("all"), board.queries("all", "Art")) == (24, 12)
    assert len(board.means) == run.figures.num_rows
    row = run.figures.to_pylist()[7]
    names = ("system", "condition", "metric")
    found = board.find(*[row[name] for name in names], group=row["group"])
    assert found == Estimate(row["mean"], row["low"], row["high"], row["queries"])
    assert math.isnan(board.find("nobody", "all", "map").mean)


@pytest.mark.parametrize(
    ("conditions", "main", "parts", "sizes"),
    [
        (["12,000", "3,000"], "12,000", ["3,000", "12,000"], {"3,000": 3000, "12,000": 12000}),
        (["mag", "mesh"], "", ["mag", "mesh"], {}),
        (["mag", "average"], "average", ["mag"], {}),
        (["only"], "only", [], {}),
        (["2,000", "all"], "all", ["2,000"], {}),
    ],
)
def test_the_main_condition(
    conditions: list[str], main: str, parts: list[str], sizes: dict[str, int]
) -> None:
    board = make_board(*conditions)
    assert (board.main, board.parts, dict(board.sizes)) == (main, parts, sizes)


def test_a_board_of_selected_metrics(tmp_path: Path) -> None:
    board = read_board(make_run(tmp_path, systems=["z", "a"], conditions=["all", "graph"]))
    few = board.only(["ndcg"])
    assert few.metrics() == ["ndcg"]
    assert {key[2] for key in few.differences} == {"ndcg"}
    assert len(few.differences) == len(board.differences) / len(board.metrics())
    assert board.only([]) is board


def test_a_single_system_has_no_differences(tmp_path: Path) -> None:
    board = read_board(make_run(tmp_path, systems=["bm25"]))
    assert (board.against, dict(board.differences)) == ("", {})


def test_missing_values_are_nan(tmp_path: Path) -> None:
    run = make_run(tmp_path, systems=["bm25"])
    columns = run.figures.drop_columns(["low", "high"])
    nothing = pa.nulls(len(columns))
    changed = columns.append_column("low", nothing).append_column("high", nothing)
    pq.write_table(changed, run.path / FIGURES)
    figures = read_board(run).means.values()
    assert all(math.isnan(estimate.low) and math.isnan(estimate.high) for estimate in figures)


def test_names_are_single_lines_valid_in_xml(tmp_path: Path) -> None:
    board = read_board(make_run(tmp_path, systems=["bm25", HOSTILE], groups=[HOSTILE, "Law"]))
    assert board.systems[1] == board.groups[0]
    assert board.systems[1].endswith("$y$ \\")
    assert ("bm25", "all", board.groups[0], "map") in board.means


def test_a_run_without_figures_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    pq.write_table(run.figures.slice(0, 0), run.path / FIGURES)
    with pytest.raises(SourceError, match="expected the figures of one system or more"):
        read_board(run)
    (run.path / FIGURES).unlink()
    with pytest.raises(SourceError, match=FIGURES):
        read_board(run)
