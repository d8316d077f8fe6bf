"""The page of a reference list."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from citescape.corpus import open_corpus
from citescape.explore.checked import CHECKED, ReferenceCheck
from citescape.papers.bibliography import write_bibliography
from citescape.papers.bibtex import make_keys
from citescape.papers.entries import read_entries
from citescape.runs.save import to_json

EVIL = "<img src=x onerror=document.title='broken'>"


@pytest.fixture(scope="module")
def draft(demo: Path, citing: str, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """`draft.tex` and `refs.bib`: references of a paper, one that nobody wrote, one with markup."""
    folder = tmp_path_factory.mktemp("draft")
    text = "MATCH (:Paper {id: $id})-[:CITES]->(b:Paper) RETURN b.id AS id ORDER BY id"
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        ids = corpus.cypher(text, id=citing).arrow["id"].to_pylist()
        entries = read_entries(corpus.store, ids)
    bib = write_bibliography(entries, "bibtex", folder / "refs.bib")
    bib.write_text(
        f"{bib.read_text()}\n@misc{{ghost, title={{Quarks nobody saw}}, year={{2020}}}}\n"
        f"@misc{{evil, title={{{EVIL}}}}}\n@misc{{formula, title={{=1+1}}}}\n"
    )
    keys = ",".join(make_keys(entries).values())
    tex = folder / "draft.tex"
    tex.write_text(
        rf"\documentclass{{article}}\begin{{document}}\section{{Methods}}\cite{{{keys},absent}}"
        r"\section{Discussion}\cite{evil,formula}\bibliography{refs}\end{document}"
    )
    return [tex, bib]


@pytest.fixture(scope="module")
def expected(demo: Path, draft: list[Path]) -> ReferenceCheck:
    """The answer of the step."""
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        return corpus.check(str(draft[0]))


def open_draft(page: Page, origin: str, draft: list[Path]) -> None:
    page.goto(f"{origin}/check")
    page.get_by_label("Files with references").set_input_files([*map(str, draft)])
    expect(page.get_by_text("refs.bib")).to_be_visible()
    page.get_by_role("button", name="Check the references").click()
    page.locator("body[data-ready=check]").wait_for()


def test_a_chosen_draft_is_reported(
    page: Page, origin: str, draft: list[Path], expected: ReferenceCheck
) -> None:
    """Counts, problems, use, sentences and missing works are those of the command."""
    open_draft(page, origin, draft)
    counts = expected.counts
    expect(page.locator(".count")).to_contain_text(
        f"{counts['references']} references, {counts['found']} found"
    )
    entries = page.locator(".checked > li")
    expect(entries).to_have_count(counts["references"])
    first = expected.references.to_pylist()[0]
    expect(entries.first).to_contain_text(first["paper_title"])
    expect(entries.first).to_contain_text("you cite it in the methods")
    texts = [one["context"] for row in expected.references.to_pylist() for one in row["sentences"]]
    assert texts
    fold = entries.filter(has=page.locator("details")).first
    fold.locator("summary").click()
    expect(fold.locator("blockquote").first).to_be_visible()
    assert fold.locator("blockquote").first.inner_text() in texts
    missing = page.get_by_role("region", name="Missing works").locator("tbody tr")
    assert missing.count() == len(expected.missing)


def test_filters_are_in_the_address(page: Page, origin: str, draft: list[Path]) -> None:
    open_draft(page, origin, draft)
    page.get_by_role("button", name="Never cited").click()
    entries = page.locator(".checked > li")
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text("ghost")
    expect(page).to_have_url(re.compile("show=uncited"))
    page.reload()
    expect(entries).to_have_count(1)
    page.get_by_role("button", name="Not in the list").click()
    expect(entries).to_contain_text("Cited, and in no reference list.")
    page.get_by_role("button", name="All").click()
    page.get_by_role("searchbox", name="Words of title or key").fill("quarks")
    expect(entries).to_have_count(1)


def test_markup_is_shown_as_text(page: Page, origin: str, draft: list[Path]) -> None:
    open_draft(page, origin, draft)
    page.get_by_role("searchbox", name="Words of title or key").fill("evil")
    expect(page.locator(".checked > li")).to_contain_text("<img src=x")
    assert page.locator(".checked img").count() == 0
    assert page.title() == "Check references · citescape"


def test_the_report_is_saved(
    page: Page, origin: str, draft: list[Path], expected: ReferenceCheck, tmp_path: Path
) -> None:
    """JSON is that of `--json`; CSV has the same rows, empty cells for nulls, and no formulas."""
    open_draft(page, origin, draft)
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON").click()
    saved.value.save_as(tmp_path / "references.json")
    content = json.loads((tmp_path / "references.json").read_text())
    figures = json.loads(to_json(expected.summarise().figures))
    assert content == figures
    with page.expect_download() as saved:
        page.locator(".save").get_by_role("button", name="CSV").click()
    saved.value.save_as(tmp_path / "references.csv")
    with (tmp_path / "references.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {*rows[0]} == {*CHECKED.names} - {"near", "sentences"}
    for row, reference in zip(rows, figures["references"], strict=True):
        assert row.pop("problems") == "; ".join(reference["problems"])
        for name, cell in row.items():
            value = reference[name]
            if isinstance(value, int | float):
                assert float(cell) == value
            else:
                assert cell == ("'=1+1" if value == "=1+1" else value or "")


def test_a_dropped_file_is_read(page: Page, origin: str) -> None:
    page.goto(f"{origin}/check")
    page.locator("form.references").wait_for()
    transfer = page.evaluate_handle(
        """() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(["@misc{k, title={Dropped work}}"], "dropped.bib"));
            return transfer;
        }"""
    )
    page.dispatch_event("form.references", "drop", {"dataTransfer": transfer})
    expect(page.get_by_text("dropped.bib")).to_be_visible()
    page.get_by_role("button", name="Check the references").click()
    expect(page.locator(".checked > li")).to_contain_text("Dropped work")
    expect(page.get_by_role("heading", level=1)).to_contain_text("dropped.bib")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("draft.pdf", b"%PDF-1.7 ...", "draft.pdf is a PDF file"),
        ("draft.docx", b"PK\x03\x04...", "a compressed file"),
    ],
)
def test_a_binary_file_is_refused(
    page: Page, origin: str, name: str, content: bytes, message: str
) -> None:
    page.goto(f"{origin}/check")
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.get_by_label("Files with references").set_input_files([file])  # type: ignore[list-item]
    expect(page.get_by_role("alert")).to_contain_text(message)


def test_a_file_in_an_older_encoding_is_read(page: Page, origin: str) -> None:
    """Windows-1252, as older programs write it."""
    page.goto(f"{origin}/check")
    content = "@misc{m, title={Größe und Müller}}".encode("cp1252")
    file = {"name": "old.bib", "mimeType": "text/plain", "buffer": content}
    page.get_by_label("Files with references").set_input_files([file])  # type: ignore[list-item]
    page.get_by_role("button", name="Check the references").click()
    expect(page.locator(".checked > li")).to_contain_text("Größe und Müller")


def test_an_empty_file_is_an_error(page: Page, origin: str) -> None:
    page.goto(f"{origin}/check")
    file = {"name": "empty.bib", "mimeType": "text/plain", "buffer": b""}
    page.get_by_label("Files with references").set_input_files([file])  # type: ignore[list-item]
    page.get_by_role("button", name="Check the references").click()
    expect(page.get_by_role("alert")).to_contain_text("empty.bib has no reference")


def test_the_printed_report_has_the_sentences(page: Page, origin: str, draft: list[Path]) -> None:
    open_draft(page, origin, draft)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator(".checked blockquote").first).to_be_visible()
    expect(page.locator("header.site")).to_be_hidden()
