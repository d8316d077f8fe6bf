"""The page of a paper: its citation network and the reasons of a citation."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from citescape.corpus import open_corpus
from citescape.explore.neighbourhood import CitationNeighbourhood
from citescape.server.graph import ServedGraph
from tests.server.pages.conftest import NEXT_FRAME, open_session, serve

ROWS = "table.edges tbody tr"


@pytest.fixture(scope="module")
def around(demo: Path, citing: str) -> CitationNeighbourhood:
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        return corpus.neighbours(citing)


@pytest.fixture
def opened(page: Page, origin: str, citing: str) -> Page:
    page.goto(f"{origin}/paper/{quote(citing, safe='')}")
    page.locator("body[data-ready=network]").wait_for()
    return page


def read_lines(page: Page) -> dict[str, dict[str, Any]]:
    """Drawn arrows by their citation."""
    lines = page.locator("path.line").evaluate_all(
        "nodes => nodes.map(node => [node.dataset.key, {width: +node.getAttribute('stroke-width'),"
        " dashed: getComputedStyle(node).strokeDasharray !== 'none'}])"
    )
    return dict(lines)


def key(row: dict[str, Any]) -> str:
    return f"{row['citing']}→{row['cited']}"


def test_width_follows_importance_and_self_citations_are_dashed(
    opened: Page, around: CitationNeighbourhood
) -> None:
    lines = read_lines(opened)
    rows = around.citations.to_pylist()
    assert lines.keys() == {key(row) for row in rows}
    ordered = sorted(rows, key=lambda row: row["importance"])
    widths = [lines[key(row)]["width"] for row in ordered]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]
    assert {name for name, line in lines.items() if line["dashed"]} == {
        key(row) for row in rows if row["self"]
    }


def test_an_edge_shows_its_terms_and_sentences(
    opened: Page, demo: Path, around: CitationNeighbourhood
) -> None:
    first = around.citations.to_pylist()[0]
    opened.locator(ROWS).first.press("Enter")
    card = opened.locator(".card[data-ready]")
    expect(card.locator("h2")).to_contain_text(f"{first['importance']:.4f}")
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        explained = corpus.explain(first["citing"], first["cited"]).summarise().figures
    sentences = card.locator(".sentences blockquote").all_inner_texts()
    assert sentences == [" ".join(entry["context"].split()) for entry in explained["occurrences"]]
    products = [float(text) for text in card.locator(".terms td:last-child").all_inner_texts()]
    assert sum(products) == pytest.approx(first["importance"], abs=1e-3)


def test_the_slider_hides_exactly_the_citations_below(
    opened: Page, around: CitationNeighbourhood
) -> None:
    scores = [row["importance"] for row in around.citations.to_pylist()]
    least = round(max(scores) / 2, 2)
    opened.locator("input[name=min]").fill(str(least))
    expect(opened.locator(ROWS)).to_have_count(sum(score >= least for score in scores))
    expect(opened).to_have_url(re.compile(f"min={least}"))


def test_the_address_restores_choices(opened: Page, origin: str) -> None:
    opened.locator(ROWS).nth(1).press("Enter")
    opened.get_by_label("Self-citations").select_option("exclude")
    expect(opened).to_have_url(re.compile("edge=.*self=exclude"))
    count = opened.locator(ROWS).count()
    opened.reload()
    expect(opened.get_by_label("Self-citations")).to_have_value("exclude")
    expect(opened.locator(".card[data-ready]")).to_be_visible()
    expect(opened.locator(ROWS)).to_have_count(count)


def test_weights_change_picture_and_ranking(opened: Page, around: CitationNeighbourhood) -> None:
    """With the weight of shared authors alone, scores are 1 for self-citations and 0 for others."""
    for name in around.weights:
        slider = opened.locator(f"input[name=weight-{name}]")
        slider.fill("1" if name == "S" else "0")
    own = sum(row["self"] for row in around.citations.to_pylist())
    scores = opened.locator(f"{ROWS} td:first-child").all_inner_texts()
    assert scores == ["1.0000"] * own + ["0.0000"] * (len(scores) - own)
    expect(opened.get_by_text("Save as run")).to_be_visible()


def test_years_hide_the_papers_around(opened: Page, around: CitationNeighbourhood) -> None:
    papers = {row["id"]: row for row in around.papers.to_pylist()}
    years = sorted(row["year"] for row in papers.values() if row["hops"])
    last = years[len(years) // 2]
    opened.get_by_label("Last year").fill(str(last))
    opened.get_by_label("Last year").press("Tab")
    kept = [
        row
        for row in around.citations.to_pylist()
        if all(
            papers[end]["hops"] == 0 or papers[end]["year"] <= last
            for end in (row["citing"], row["cited"])
        )
    ]
    expect(opened.locator(ROWS)).to_have_count(len(kept))


def test_an_unknown_paper_is_an_error_on_the_page(page: Page, origin: str) -> None:
    page.goto(f"{origin}/paper/doi%3A10.1%2Fnothing")
    expect(page.get_by_role("alert")).to_contain_text("no paper 'doi:10.1/nothing'")


def test_width_follows_the_mentions_with_an_intent(
    opened: Page, around: CitationNeighbourhood
) -> None:
    rows = around.citations.to_pylist()
    intent = max(
        ("background", "method", "result"), key=lambda name: len({row[f"n_{name}"] for row in rows})
    )
    opened.get_by_label("Width and colour by").select_option(intent)
    expect(opened).to_have_url(re.compile(f"by={intent}"))
    most = max(row[f"n_{intent}"] or 0 for row in rows)
    expect(opened.locator("figcaption")).to_contain_text(f"up to {most} mention")
    lines = read_lines(opened)
    for row in rows:
        share = (row[f"n_{intent}"] or 0) / most
        assert lines[key(row)]["width"] == pytest.approx(1 + 8 * share)
    first = opened.locator(f"{ROWS} td:first-child").first
    assert first.inner_text() == f"{max(row['importance'] for row in rows):.4f}"


def test_a_citation_that_is_not_loaded_is_named(
    page: Page, origin: str, citing: str, around: CitationNeighbourhood
) -> None:
    """The address has the number of papers and the tab; a button loads more papers."""
    last = around.citations.to_pylist()[-1]
    address = f"{origin}/paper/{quote(citing, safe='')}?limit=1&edge={quote(key(last))}#prior"
    page.goto(address)
    note = page.get_by_text("is not among those loaded")
    expect(note).to_contain_text(key(last))
    assert "limit=1" in page.url
    assert page.url.endswith("#prior")
    while note.is_visible():
        count = page.locator(".count").inner_text()
        page.get_by_role("button", name="Load more papers").click()
        expect(page.locator(".count")).not_to_have_text(count)
    expect(page.locator(".card[data-ready]")).to_be_visible()


def test_enter_opens_a_paper_of_the_present_text(
    page: Page, origin: str, citing: str, around: CitationNeighbourhood
) -> None:
    """The list of an earlier text is gone, and Enter waits for the answer."""
    papers = {row["id"]: row for row in around.papers.to_pylist()}
    other = next(id_ for id_ in papers if id_ != citing)
    page.goto(origin)
    page.locator("body[data-ready]").wait_for()
    box = page.get_by_role("combobox")
    box.fill("the")
    box.fill(citing)
    expect(page.locator("#found a")).to_have_count(1)
    box.fill(other)
    box.press("Enter")
    expect(page).to_have_url(f"{origin}/paper/{quote(other, safe='')}")


def test_a_malformed_address_is_an_error_on_the_page(page: Page, origin: str) -> None:
    for path in ("paper", "communities"):
        page.goto(f"{origin}/{path}/%zz")
        expect(page.get_by_role("alert")).to_contain_text("malformed")


def open_many(page: Page, origin: str, around: CitationNeighbourhood) -> None:
    """1,200 citations, the most important first; the last have the most mentions for methods."""
    figures = dict(around.summarise().figures)
    like, work = figures["citations"][0], figures["papers"][-1]
    cited = [{**work, "id": f"work-{k:04}", "hops": 1} for k in range(1200)]
    figures["papers"] = [figures["papers"][0], *cited]
    figures["citations"] = [
        {
            **like,
            "citing": around.seeds[0],
            "cited": row["id"],
            "importance": 2 - k / 1200,
            "n_background": 1,
            "n_method": k,
        }
        for k, row in enumerate(cited)
    ]
    page.route("**/api/neighbours", lambda route: route.fulfill(json=figures))
    page.goto(f"{origin}/paper/{quote(around.seeds[0], safe='')}")


def test_the_most_important_arrows_are_drawn_first(
    page: Page, origin: str, around: CitationNeighbourhood
) -> None:
    open_many(page, origin, around)
    note = page.get_by_text("1,000 of 1,200 citations are drawn")
    expect(note).to_contain_text("the most important first")
    drawn = read_lines(page)
    assert len(drawn) == 1000
    assert key({"citing": around.seeds[0], "cited": "work-0999"}) in drawn
    assert page.locator(ROWS).count() == 500
    page.get_by_role("button", name="Draw all").click()
    expect(page.locator("path.line")).to_have_count(1200)
    expect(page.get_by_text("citations are drawn")).to_have_count(0)
    page.get_by_role("button", name="Next").click()
    page.locator(ROWS).first.click()
    expect(page.locator("path.line.selected")).to_have_attribute(
        "data-key", re.compile("work-0500")
    )
    expect(page.locator(".pager")).to_contain_text("rows 501 to 1,000")


@pytest.mark.parametrize("name", ["min", "weight-I"])
def test_sliders_follow_the_pointer(opened: Page, name: str) -> None:
    """A change of the page between two moves would end the drag."""
    slider = opened.locator(f"input[name={name}]")
    slider.evaluate("slider => { window.moves = 0; slider.oninput = () => (window.moves += 1) }")
    box = slider.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    opened.mouse.move(box["x"] + 0.3 * box["width"], y)
    opened.mouse.down()
    for share in (0.4, 0.5, 0.6, 0.7):
        opened.mouse.move(box["x"] + share * box["width"], y)
        opened.evaluate(NEXT_FRAME)
    assert opened.evaluate("window.moves") >= 4
    opened.mouse.up()
    most = float(slider.get_attribute("max") or 0)
    assert float(slider.input_value()) == pytest.approx(0.7 * most, abs=0.06 * most)


def test_the_arrows_drawn_first_follow_what_the_width_shows(
    page: Page, origin: str, around: CitationNeighbourhood
) -> None:
    open_many(page, origin, around)
    note = page.get_by_text("1,000 of 1,200 citations are drawn")
    page.get_by_label("Width and colour by").select_option("method")
    expect(note).to_contain_text("with the most mentions for methods first")
    names = [f"work-{k:04}" for k in range(200, 1200)]
    assert list(read_lines(page)) == [f"{around.seeds[0]}→{name}" for name in names]


def test_own_references_and_papers_that_cite_it_are_apart(
    opened: Page, citing: str, around: CitationNeighbourhood
) -> None:
    rows = around.citations.to_pylist()
    opened.locator("select[name=dir]").select_option("references")
    assert read_lines(opened).keys() == {key(row) for row in rows if row["citing"] == citing}
    opened.wait_for_url(re.compile(r"dir=references"))
    opened.reload()
    opened.locator("body[data-ready=network]").wait_for()
    assert read_lines(opened).keys() == {key(row) for row in rows if row["citing"] == citing}
    opened.locator("select[name=dir]").select_option("citing")
    assert read_lines(opened).keys() == {key(row) for row in rows if row["cited"] == citing}


def test_the_card_has_the_weights_on_trial_and_is_in_view(opened: Page) -> None:
    row = opened.locator(ROWS).last
    row.click()
    card = opened.locator(".card[data-ready]")
    expect(card.locator("h2")).to_be_in_viewport()
    weights = {
        name: float(opened.locator(f"input[name=weight-{name}]").input_value()) for name in "IRDS"
    }
    opened.locator("input[name=weight-S]").fill("1")
    terms = card.locator(".terms tbody tr").all_inner_texts()
    values = {text.split()[0]: float(text.split()[-3]) for text in terms}
    expected = sum((weights | {"S": 1})[name] * value for name, value in values.items())
    assert float(card.locator("h2").inner_text().split()[-1]) == pytest.approx(expected, abs=0.02)
    expect(card.locator("caption")).to_contain_text("your weights")
    card.get_by_role("button", name="Close the citation").click()
    expect(opened.locator(f"{ROWS}:focus")).to_be_in_viewport()


def test_weights_are_saved_as_a_run_and_can_be_tried_again(
    browser: Browser, demo: Path, citing: str, tmp_path: Path
) -> None:
    shutil.copyfile(demo / "demo.lbug", tmp_path / "demo.lbug")
    shutil.copytree(demo / "runs", tmp_path / "runs")
    with (
        ServedGraph(str(tmp_path / "demo.lbug")) as graph,
        serve(graph) as address,
        open_session(browser, address) as context,
    ):
        page = context.new_page()
        page.goto(f"/paper/{quote(citing, safe='')}")
        page.locator("input[name=weight-S]").fill("0")
        page.get_by_role("button", name="Save as run…").click()
        page.get_by_role("button", name="Score the store").click()
        note = page.get_by_text("all pages show its importance now")
        note.wait_for()
        assert page.url.endswith(quote(citing, safe=""))
        expect(page.locator("input[name=weight-S]")).to_have_value("0")
        page.get_by_role("link", name=re.compile("Try the weights of score-")).click()
        page.locator("body[data-ready=network]").wait_for()
        assert float(page.locator("input[name=weight-S]").input_value()) > 0.1
        expect(note).to_have_count(0)


def test_pictures_have_the_fonts_of_the_page(opened: Page) -> None:
    with opened.expect_download() as download:
        opened.get_by_role("button", name="SVG").click()
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    size = opened.locator(".network text").first.evaluate("text => getComputedStyle(text).fontSize")
    assert set(re.findall(r'font-size="([^"]+)"', saved)) >= {size}
    assert "system-ui" in saved
