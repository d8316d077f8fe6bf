"""Coverage of systems; a coverage below one half allows no comparison."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from citescape.evaluation.export import PAGE, TEXT, make_pages
from citescape.evaluation.report.board import Board, Estimate, read_board
from citescape.evaluation.report.finding import find
from citescape.metrics.coverage import find_coverage
from citescape.metrics.display import list_differences
from citescape.runs.result import Table
from tests.evaluation.report.evaluations import make_run

TASKS = {"a": {"mag": {"covered": 0.9}, "cite": {"covered": 0.2}}}


@pytest.mark.parametrize(
    ("counts", "condition", "share"),
    [
        ({}, "all", 1),
        ({"pairs": 8, "without_score": {"a": 6, "b": 1}}, "all", 0.25),
        ({"pairs": 8, "without_score": {"b": 1}}, "graph", 1),
        ({"papers": 9, "lacking": {"a": 8}, "covered": {"a": 0.75}}, "1,000", 0.75),
        ({"papers": TASKS}, "mag", 0.9),
        ({"papers": TASKS}, "cite", 0.2),
        ({"papers": TASKS}, "average", 0.2),
        ({"papers": {"a": {"mag": {"used": 9, "missing": 2}}}}, "mag", 1),
    ],
)
def test_coverage_is_read_from_the_counts(
    counts: dict[str, object], condition: str, share: float
) -> None:
    assert find_coverage(counts, "a", condition) == share


@pytest.mark.parametrize("sparse", ["bm25", "minilm"])
def test_a_system_without_most_vectors_is_not_compared(tmp_path: Path, sparse: str) -> None:
    counts = {"pairs": 100, "without_score": {sparse: 90}}
    run = make_run(tmp_path, systems=["bm25", "minilm", "lsa"], counts=counts)
    board = read_board(run)
    pairs = {(system, board.against) for system, _, _ in board.differences}
    assert pairs == (set() if sparse == "bm25" else {("lsa", "bm25")})
    assert board.unjudged(["all"]) == {(sparse, "all"): pytest.approx(0.1)}
    assert len(board.means) == run.figures.num_rows


def test_the_page_shows_coverage_and_no_comparison(tmp_path: Path) -> None:
    """minilm has the better metrics."""
    counts = {"pairs": 1000, "without_score": {"bm25": 877}}
    pages = make_pages(make_run(tmp_path, counts=counts))
    page = html.document_fromstring(pages[PAGE])
    lead = page.find(".//p[@class='lead']").text
    assert lead.startswith("minilm reaches ")
    assert lead.endswith(" bm25 covers only 12.3% of the data: it is not judged.")
    assert "Differences" not in [heading.text for heading in page.iter("h2")]
    (table,) = page.xpath(".//section[@aria-labelledby='figures']//table")
    rows = {row.find("th").text_content(): row.text_content() for row in table.iter("tr")}
    assert rows["bm25"].count("covers 12.3%") == 3
    assert "covers" not in rows["minilm"]
    assert "covers 12.3%)" in pages[TEXT]


@pytest.mark.parametrize("sparse", ["bm25", "minilm"])
def test_differences_are_dashes_in_the_terminal(tmp_path: Path, sparse: str) -> None:
    """The files of the run still have the differences."""
    counts = {"pairs": 1000, "without_score": {sparse: 877}}
    run = make_run(tmp_path, systems=["bm25", "minilm", "lsa"], counts=counts)
    *_, table = list_differences(run, names={"map": "MAP"}, title="all", only=("map",))
    assert isinstance(table, Table)
    shown = {row[0]: row[3:] for row in table.rows}
    assert shown["minilm"] == (f"- ({sparse} covers 12.3%)", None, None)
    assert run.differences is not None
    p = {row["system"]: row["p"] for row in run.differences.to_pylist() if row["metric"] == "map"}
    assert None not in p.values()
    assert shown["lsa"][1] == (None if sparse == "bm25" else p["lsa"])


def test_half_of_the_vectors_are_enough(tmp_path: Path) -> None:
    counts = {"pairs": 100, "without_score": {"bm25": 50}}
    pages = make_pages(make_run(tmp_path, counts=counts))
    assert "minilm leads bm25 by" in pages[PAGE]
    assert "covers" not in pages[TEXT]


def test_coverage_is_judged_by_task() -> None:
    figures = {
        (name, task, "", "f1"): Estimate(0.5, 0.4, 0.6, covered=0.03 if task == "mag" else 1)
        for name in ("a", "b")
        for task in ("mag", "mesh")
    }
    assert find(Board(figures, {}, "a", 0.95)) == (
        "a and b have 2 figures, of 2 tasks; none of them could be compared. a covers only 3.0% "
        "of mag: it is not judged. b covers only 3.0% of mag: it is not judged."
    )


def test_all_systems_with_low_coverage() -> None:
    board = Board({("a", "all", "", "map"): Estimate(0.5, 0.4, 0.6, covered=0.01)}, {}, "", 0.95)
    assert find(board) == (
        "No system has a figure of MAP that can be judged. a covers only 1.0% of the data: it is "
        "not judged."
    )
