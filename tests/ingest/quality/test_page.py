"""The quality report: after an ingest, and of a store as it stands, on both engines."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from citescape.core.errors import ConfigError
from citescape.ingest.quality.meanings import LOST, MATCHED, OUTCOMES, REJECTED
from citescape.ingest.quality.page import make_page
from citescape.ingest.quality.pictures import draw_completeness, draw_references, format_share
from citescape.ingest.quality.quality import read_quality
from citescape.ingest.steps import Ingest, Status
from citescape.reports.page import write_page
from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore
from citescape.store.schema import REL
from tests.ingest.converters import as_openalex
from tests.ingest.papers import small_corpus, write_files

ROOT = Path(__file__).parents[3]
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def context(store: GraphStore, tmp_path: Path) -> Context:
    result = Context(store.location, tmp_path / "runs")
    result.use(store)
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Papers, a record of one of them with a hostile title, a broken file, and a PDF."""
    papers = small_corpus()
    write_files(tmp_path / "in", papers)
    record = json.loads(as_openalex(papers[3], 9_003)) | {"title": HOSTILE}
    (tmp_path / "in" / "W9003.json").write_text(json.dumps(record))
    (tmp_path / "in" / "broken.xml").write_text("<article><front>")
    (tmp_path / "in" / "paper.pdf").write_text("")
    return tmp_path / "in"


def read_page(path: Path) -> html.HtmlElement:
    return html.document_fromstring(path.read_text(encoding="utf-8"))


def cells(page: html.HtmlElement, section: str, row: str) -> list[str]:
    """Text of the cells of a row, by its first cell."""
    found = page.xpath(f"//section[@aria-labelledby='{section}']//tr[th[1]='{row}']")
    return [cell.text_content().strip() for cell in found[0].xpath("*")]


def test_an_ingest_writes_its_outcomes_and_the_quality_of_the_store(
    context: Context, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "quality.html"
    result = Ingest(folder, workers=1, report=out).compute(context)
    page = read_page(out)
    assert cells(page, "ingest", "loaded")[:2] == ["loaded", "9"]
    assert cells(page, "ingest", "broken-xml")[:2] == ["broken-xml", "1"]
    assert "1 .pdf" in page.get_element_by_id("ingest").getparent().text_content()
    assert cells(page, "sources", "jats")[2:] == [
        f"{row:,}" for row in (8, 7, 8, result.quality.entries if result.quality else 0)
    ]
    assert cells(page, "conflicts", "title")[1:3] == ["1", "1"]
    text = out.read_text(encoding="utf-8")
    assert "<script" not in text
    assert HOSTILE in page.text_content()
    assert not re.search(r"(src|href)=\"(?!data:)", text)

    figures = result.summarise().figures
    assert figures["report"] == str(out)
    assert figures["quality"]["papers"] == 8
    assert json.dumps(figures)
    assert "sources" in result.tables()


def test_a_store_as_it_stands_has_the_same_sections(
    context: Context, folder: Path, tmp_path: Path
) -> None:
    result = Ingest(folder, workers=1, report=tmp_path / "first.html").compute(context)
    overview = Status(report=tmp_path / "second.html").compute(context)
    first, second = (read_page(tmp_path / name) for name in ("first.html", "second.html"))
    titles = [[h.get("id") for h in page.iter("h2")] for page in (first, second)]
    assert titles[0] == ["ingest", *titles[1]]
    assert overview.quality is not None
    assert result.quality is not None
    assert overview.quality.figures() == result.quality.figures()
    assert overview.summarise().figures["quality"] == result.summarise().figures["quality"]
    assert list(overview.tables())[:2] == ["table", "sources"]


def test_without_report_there_are_no_figures_of_it(context: Context, folder: Path) -> None:
    result = Ingest(folder, workers=1).compute(context)
    assert not {"report", "quality"} & set(result.summarise().figures)
    overview = Status().compute(context)
    assert not {"page", "report", "quality"} & set(overview.summarise().figures)


def test_only_an_earlier_report_is_replaced_and_before_loading(
    context: Context, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "quality.html"
    out.write_text("my own page")
    with pytest.raises(ConfigError, match=r"quality\.html exists and is no quality report"):
        Ingest(folder, report=out).compute(context)
    assert context.store.read("MATCH (p:Paper) RETURN p.id AS id LIMIT 1").num_rows == 0
    out.unlink()
    Ingest(folder, workers=1, report=out).compute(context)
    Ingest(folder, workers=1, report=out).compute(context)
    assert cells(read_page(out), "ingest", "unchanged")[1] == "9"


def test_a_report_and_files_for_neo4j_exclude_each_other(folder: Path, tmp_path: Path) -> None:
    step = Ingest(folder, neo4j_import=tmp_path / "files", report=tmp_path / "page.html")
    with pytest.raises(ConfigError, match="leave out one of the two"):
        step.compute(Context(str(tmp_path / "new.lbug"), tmp_path / "runs"))


def test_rejections_are_reported_where_no_paper_could_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "broken.xml").write_text("<article>")
    context = Context(str(tmp_path / "new.lbug"), tmp_path / "runs", create=True)
    out = tmp_path / "quality.html"
    result = Ingest(tmp_path / "broken.xml", workers=1, report=out).compute(context)
    page = read_page(out)
    assert result.exit_status == 1
    assert [h.get("id") for h in page.iter("h2")] == ["ingest"]
    assert "No paper is loaded." in page.text_content()
    assert not Path(context.location).exists()
    assert result.summarise().figures["quality"] is None


def test_a_store_without_texts_and_references_has_a_page(context: Context, tmp_path: Path) -> None:
    (tmp_path / "papers.csv").write_text("id,title\na,Rice\n")
    Ingest(tmp_path / "papers.csv", report=tmp_path / "page.html").compute(context)
    text = read_page(tmp_path / "page.html").text_content()
    assert "No source of this store has reference lists." in text
    assert "No text with citations is loaded" in text
    assert "No paper has several sources" in text


def test_an_empty_store_has_a_page(store: GraphStore) -> None:
    page = write_page(make_page(read_quality(store), store.location))
    assert "No paper is loaded." in page


def test_pictures_have_texts_for_screen_readers(store: GraphStore, folder: Path) -> None:
    from tests.ingest.papers import load

    load(store, folder)
    quality = read_quality(store)
    for narrow in (False, True):
        drawn = draw_completeness(quality.completeness, narrow=narrow).__html__()
        assert "openalex: DOI 100%" in drawn
        assert "All cited works: " in drawn
        assert "entries" in draw_references(quality.references, narrow=narrow).__html__()


@pytest.mark.parametrize(
    ("share", "text"),
    [(None, "–"), (0.0, "0%"), (0.001, "<1%"), (0.5, "50%"), (0.999, ">99%"), (1.0, "100%")],
)
def test_shares_are_never_rounded_to_all_or_none(share: float | None, text: str) -> None:
    assert format_share(share) == text


def reasons(heading: str) -> set[str]:
    """Reasons in the first column of tables below a heading of docs/loaders.md."""
    text = (ROOT / "docs" / "loaders.md").read_text(encoding="utf-8")
    part = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+`) \|", part, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row)}


def test_every_documented_reason_has_a_meaning() -> None:
    assert reasons("Every citation is accounted for") == set(LOST)
    assert reasons("Hostile and broken files") <= set(REJECTED)
    assert {"no-id", "repeated-id", "broken-row", "cut-off", "no-papers"} <= set(REJECTED)


def test_every_way_of_matching_and_every_outcome_has_a_meaning(
    context: Context, folder: Path
) -> None:
    assert set(re.findall(r"`(\w+)`", REL["MATCHES"].doc)) - {"matched_by"} == set(MATCHED)
    result: Any = Ingest(folder, workers=1).compute(context)
    assert set(result.status) <= set(OUTCOMES)
