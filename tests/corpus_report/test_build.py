"""`platform report`: one page about a corpus, on both engines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest
from lxml import html

from citescape.core.errors import ConfigError, StoreError
from citescape.corpus_report.questions import QUESTIONS
from citescape.corpus_report.sections import NEXT_QUERIES
from citescape.corpus_report.steps import Report
from citescape.demo.jats_writer import write_jats
from citescape.demo.world import generate_world
from citescape.importance.score import score
from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore, open_store
from tests.copies import fill_store, read_tables
from tests.ingest.papers import load, write_files


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, pa.Table]:
    """A scored corpus of 20 generated papers; one work has a hostile title."""
    folder = tmp_path_factory.mktemp("corpus")
    world = generate_world(papers=50, seed=3)
    with closing(open_store(str(folder / "corpus.lbug"))) as store:
        load(store, *write_files(folder, [write_jats(world, k) for k in range(20)]))
        score(store, runs=folder / "runs")
        store.run(
            "MATCH (:Paper)-[c:CITES]->(p:Paper) WITH p, sum(c.importance) AS s "
            "ORDER BY s DESC LIMIT 1 SET p.title = '<script>alert(1)</script>'"
        )
        return read_tables(store)


@pytest.fixture
def context(store: GraphStore, corpus: Mapping[str, pa.Table], tmp_path: Path) -> Context:
    """A copy of the corpus, on both engines."""
    fill_store(store, corpus)
    result = Context(store.location, tmp_path / "runs")
    result.use(store)
    return result


def number(page: html.HtmlElement, name: str) -> int:
    (cell,) = page.xpath(f"//tr[th='{name}']/td")
    return int(cell.text.replace(",", ""))


def test_totals_of_the_page_add_up_and_missing_steps_are_named(
    context: Context, tmp_path: Path
) -> None:
    report = Report(tmp_path / "report.html").compute(context)
    text = report.path.read_text(encoding="utf-8")
    page = html.fromstring(text)
    lost = sum(int(c.text) for c in page.xpath("//tr[starts-with(th, 'lost: ')]/td"))
    pointers = number(page, "pointers to references in the texts")
    assert pointers == number(page, "in-text citations") + lost
    shares = [c.text for c in page.xpath("//h2[@id='self-years']/following::tbody[1]/tr/td[3]")]
    assert shares
    assert all(re.fullmatch(r"\d+\.\d%", share) for share in shares)
    assert "<script>" not in text
    assert page.xpath("//h2[@id='works']/following::tbody[1]/tr[1]/th[1]")[0].text == (
        "<script>alert(1)</script>"
    )
    assert [part for part, _ in report.missing] == [
        "What citations are for",
        "Topics",
        "Map",
        "Nearest papers",
    ]
    missing = {words for _, words in report.missing}
    assert missing == {"text intents label", "cluster", "map", "embed"}
    assert len(page.xpath("//details/pre")) == 2 * (len(QUESTIONS) - 2 + len(NEXT_QUERIES))
    figures = report.summarise().figures
    assert figures["path"] == str(report.path)


def test_only_an_earlier_report_is_replaced_without_force(context: Context, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    out.write_text("my own page")
    with pytest.raises(ConfigError, match=r"report\.html exists; .*--force"):
        Report(out).compute(context)
    assert out.read_text() == "my own page"
    Report(out, force=True).compute(context)
    page = out.read_bytes()
    Report(out).compute(context)
    assert out.read_bytes() == page


def test_totals_of_self_citations_equal_the_graph(context: Context, tmp_path: Path) -> None:
    report = Report(tmp_path / "report.html").compute(context)
    page = html.fromstring(report.path.read_text(encoding="utf-8"))
    rows = page.xpath("//h2[@id='self-years']/following::tbody[1]/tr")
    shown = sum(int(row.xpath("td[2]")[0].text.replace(",", "")) for row in rows)
    (row,) = context.store.read("MATCH ()-[c:CITES]->() RETURN sum(c.self) AS n").to_pylist()
    assert shown == row["n"]


def test_a_store_without_citations_has_no_report(store: GraphStore, tmp_path: Path) -> None:
    empty = Context(store.location, tmp_path / "runs")
    empty.use(store)
    with pytest.raises(StoreError, match="no citations"):
        Report(tmp_path / "report.html").compute(empty)
    assert not (tmp_path / "report.html").exists()
