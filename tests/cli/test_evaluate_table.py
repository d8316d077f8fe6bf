"""Output of `platform evaluate table`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Platform
from tests.evaluation.scidocs.conftest import write_embeddings, write_scidocs


def test_tables_are_listed_filled_and_written(platform: Platform) -> None:
    listed = platform("evaluate", "table")
    assert listed.status == 0, listed.err
    assert "scincl-table-1" in listed.out
    (Path("data")).mkdir()
    write_scidocs(Path("data"))
    write_embeddings(Path("mine.jsonl"))
    words = ("evaluate", "scidocs", "mine.jsonl", "--data", "data", "--runs", "runs", "--json")
    run = platform(*words).json["run"]
    filled = ("evaluate", "table", "cia-table-4", run, "--runs", "runs")
    shown = platform(*filled, "--out", "table.md")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.startswith("CIA, Table 4: Model performances on the SciDocs benchmark.")
    assert "measured on other data than yours" in shown.out
    assert (Path("table.md")).read_text().startswith("**CIA, Table 4")
    again = platform(*filled, "--out", "table.md")
    assert again.status == 1
    assert "table.md" in again.err
    assert platform(*filled, "--out", "table.tex").status == 0
    rows = platform(*filled, "--json").json["rows"]
    assert [row["source"] for row in rows[-2:]] == ["published", run]
    for arguments, status, message in (
        (("other",), 1, "table is 'other'; expected one of: cia-table-4"),
        (("cia-table-4", "evaluate-000000000000"), 1, "evaluate-000000000000"),
        (("cia-table-4", "--out", "t.pdf"), 2, "expected a file that ends in .md or .tex"),
        (("--out", "t.md"), 2, "found out without a table"),
    ):
        failed = platform("evaluate", "table", *arguments, "--runs", "runs")
        assert (failed.status, failed.out) == (status, "")
        assert message in failed.err
