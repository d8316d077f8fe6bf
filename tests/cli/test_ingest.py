"""What `platform ingest` says to people while it works and at its end."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from citescape.graph.ingest import ingest
from citescape.graph.store import GraphStore
from tests.graph.papers import jats, write_files

Platform = Callable[..., Any]


def test_a_store_in_a_new_folder_is_made_with_it(platform: Platform, made: Any) -> None:
    done = platform("ingest", made.papers, "--store", "new/folder/my papers.lbug")
    assert done.status == 0
    assert Path("new/folder/my papers.lbug").exists()
    assert done.out.endswith(" score --store 'new/folder/my papers.lbug'\n")


def test_scores_that_are_in_order_need_no_next_step(ask: Platform, made: Any) -> None:
    done = ask("ingest", made.papers)
    assert "50 unchanged" in done.out
    assert "next:" not in done.out


def test_progress_knows_how_many_documents_a_folder_holds(store: GraphStore, made: Any) -> None:
    told = []
    ingest(store, [made.papers], progress=told.append)
    assert {step.total for step in told} == {50}
    assert [step.documents for step in told][-1] == 50


def test_files_that_are_passed_over_are_named_in_one_line(
    platform: Platform, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    write_files(folder, [jats(1)])
    for name in ("a.pdf", "b.PDF", "c.json"):
        (folder / name).write_bytes(b"")
    done = platform("ingest", folder)

    assert done.status == 0
    assert "3 files passed over: 2 .pdf, 1 .json\n" in done.err


def test_endings_of_files_that_are_passed_over_are_cut_and_counted(
    platform: Platform, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    write_files(folder, [jats(1)])
    for number in range(100):
        (folder / f"a.{number:02}").write_bytes(b"")
    (folder / "b.00").write_bytes(b"")
    shown = "2 .00, 1 .01, 1 .02, 1 .03, 1 .04 and 95 more\n"
    assert platform("ingest", folder).err.endswith(f"101 files passed over: {shown}")


def test_a_report_has_no_formulas(platform: Platform) -> None:
    Path("=1+1.xml").write_text("hello")
    platform("ingest", "=1+1.xml", "--report", "report.csv")
    with open("report.csv", encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert "'=1+1.xml" in row.values()
    assert "=1+1.xml" not in row.values()
