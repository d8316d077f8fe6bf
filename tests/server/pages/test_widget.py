"""The widget of a notebook: the bundle in a real browser, linked to the widget in Python."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from matplotlib.image import imread
from playwright.sync_api import Browser, Page, Route, expect

from citescape.corpus import Corpus, open_corpus
from citescape.explore.notebook import widget as widget_module
from citescape.explore.notebook.widget import EdgeExplorer
from tests.explore.notebook.networks import FIVE, HOSTILE, make_network, scored

HERE = Path(__file__).parent
STATIC = HERE.parents[2] / "platform/citescape/static"
FILES = {
    "/": HERE / "host.html",
    "/host.js": HERE / "host.js",
    "/widget.js": STATIC / "widget.js",
    "/widget.css": STATIC / "widget.css",
}
ROWS = ".edges tbody tr"


class Host:
    """A page that shows a widget as a notebook does."""

    def __init__(self, page: Page, widget: EdgeExplorer) -> None:
        self.page, self.widget = page, widget
        self.is_alive = True
        page.route("**/*", self._serve)
        page.expose_function("kernel", self._exchange)
        page.goto("http://notebook.test/")
        expect(page.locator(".network svg")).to_be_visible()

    def select(self, chosen: object) -> None:
        """Selects in Python, and waits for the page."""
        self.widget.select(chosen)
        self.page.evaluate("pull()")

    def rows(self) -> list[tuple[str, str]]:
        """Short names of the citing and cited papers in the table."""
        return [
            (row.locator("td").nth(1).inner_text(), row.locator("td").nth(2).inner_text())
            for row in self.page.locator(ROWS).all()
        ]

    def _serve(self, route: Route) -> None:
        path = FILES.get(re.sub(r"^http://notebook\.test", "", route.request.url))
        if path:
            route.fulfill(path=path)
        else:
            route.abort()

    def _exchange(self, content: dict[str, Any]) -> dict[str, Any] | None:
        if not self.is_alive:
            return None
        sent: list[Any] = []
        self.widget.send = sent.append
        self.widget.set_state(content.get("traits", {}))
        if "message" in content:
            self.widget._handle_custom_msg(content["message"], [])
        state = {k: v for k, v in self.widget.get_state().items() if k not in ("_esm", "layout")}
        return {"state": json.loads(json.dumps(state)), "messages": sent}


@pytest.fixture(scope="module")
def corpus(demo: Path) -> Iterator[Corpus]:
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        yield corpus


@pytest.fixture
def show(browser: Browser) -> Iterator[Callable[[EdgeExplorer], Host]]:
    """Opens a widget in a page of its own; fails on errors of the console."""
    messages: list[str] = []
    context = browser.new_context(viewport={"width": 1000, "height": 1000})
    context.on("console", lambda line: messages.append(line.text) if line.type == "error" else None)
    context.on("weberror", lambda error: messages.append(str(error.error)))
    yield lambda widget: Host(context.new_page(), widget)
    context.close()
    assert messages == []


def paper_of(corpus: Corpus) -> str:
    """The paper with the most citations."""
    rows = corpus.cypher("MATCH (p:Paper)-[c:CITES]-() RETURN p.id AS id, count(c) AS n")
    return str(rows.arrow.sort_by([("n", "descending"), ("id", "ascending")])["id"][0])


def test_a_click_selects_in_python_and_shows_reasons(
    show: Callable[[EdgeExplorer], Host], corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(widget_module, "EXPLAINED", 1)
    around = corpus.neighbours(paper_of(corpus))
    host = show(around.explore())
    page, widget = host.page, host.widget
    expect(page.locator(ROWS)).to_have_count(len(around.citations))
    pairs = [(row["citing"], row["cited"]) for row in around.citations.to_pylist()]

    page.locator(ROWS).nth(1).press("Enter")
    card = page.locator(".card[data-ready]")
    expect(card.locator(".terms tbody tr").first).to_be_visible()
    assert widget.selected == [pairs[1]]
    expected = corpus.explain(*pairs[1])
    expect(card.locator(".sentences li")).to_have_count(len(expected.occurrences))
    assert [found["cited"]["id"] for found in widget.explanations] == [pairs[0][1], pairs[1][1]]

    page.locator(ROWS).nth(2).click(modifiers=["Control"])
    expect(page.locator(".line.selected")).to_have_count(2)
    assert widget.selected == [pairs[1], pairs[2]]
    assert widget.selection["importance"].to_list() == widget.shown["importance"].to_list()[1:3]
    page.locator(ROWS).nth(1).click(modifiers=["Shift"])
    expect(page.locator(".line.selected")).to_have_count(1)
    assert widget.selected == [pairs[2]]
    page.get_by_role("button", name="Select those shown").click()
    expect(page.locator(".line.selected")).to_have_count(len(pairs))
    assert len(widget.selection) == len(pairs)


def test_a_click_on_an_arrow_selects(show: Callable[[EdgeExplorer], Host]) -> None:
    host = show(make_network(FIVE).explore())
    host.page.locator(".edge .reach").last.dispatch_event("click")
    expect(host.page.locator(".line.selected")).to_have_count(1)
    assert host.widget.selected == [("a", "b")]


def test_a_selection_in_python_is_highlighted(show: Callable[[EdgeExplorer], Host]) -> None:
    host = show(make_network(FIVE).explore())
    host.select([("a", "d"), ("c", "a")])
    marked = host.page.locator(".line.selected")
    expect(marked).to_have_count(2)
    assert {line.get_attribute("data-key") for line in marked.all()} == {"a→d", "c→a"}
    expect(host.page.locator(f'{ROWS}[aria-selected="true"]')).to_have_count(2)
    expect(host.page.locator(".count")).to_contain_text("2 selected")
    host.select([])
    expect(marked).to_have_count(0)


def test_filters_and_weights_are_those_of_python(show: Callable[[EdgeExplorer], Host]) -> None:
    papers = {"b": {"year": 2000}, "c": {"year": 2012}, "e": {"year": 2012}, "a": {"year": 2020}}
    host = show(make_network(FIVE, papers=papers).explore())
    page, widget = host.page, host.widget
    page.locator("select[name=self]").select_option("exclude")
    page.locator("input[name=min]").fill("0.5")
    expect(page.locator(ROWS)).to_have_count(3)
    assert (widget.self_citations, widget.min_importance) == ("exclude", 0.5)
    frame = widget.shown
    shown = [(citing[0], cited[0]) for citing, cited in host.rows()]
    assert shown == list(zip(frame["citing"], frame["cited"], strict=True))

    widget.self_citations, widget.min_importance, widget.years = "include", 0.0, "2012"
    page.evaluate("pull()")
    expect(page.locator(ROWS)).to_have_count(2)
    frame = widget.shown
    assert len(frame) == 2
    page.get_by_label("First year").fill("2000")
    page.get_by_label("First year").press("Enter")
    expect(page.locator(ROWS)).to_have_count(4)
    assert (widget.years, len(widget.shown)) == ("2000-2012", 4)

    widget.years = ""
    widget.weights = {"I": 0.0, "R": 0.0, "D": 0.75, "S": 0.0}
    page.evaluate("pull()")
    expect(page.locator(ROWS)).to_have_count(5)
    frame = widget.shown
    assert [row.locator("td").first.inner_text() for row in page.locator(ROWS).all()] == [
        f"{score:.4f}" for score in frame["importance"]
    ]


def test_the_picture_of_python_is_that_of_the_browser(
    show: Callable[[EdgeExplorer], Host], corpus: Corpus
) -> None:
    around = corpus.neighbours(paper_of(corpus), hops=2, limit=60)
    page = show(around.explore()).page
    drawing = etree.fromstring(around.to_svg())
    drawn = page.evaluate("describe()")
    circles = [
        [float(one.get(name)) for name in ("cx", "cy", "r")]
        for one in drawing.iterfind("{*}circle")
    ]
    assert len(circles) == len(around.papers)
    for mine, other in zip(circles, drawn["circle"], strict=True):
        assert mine == pytest.approx(other, abs=0.06)
    assert [one.text for one in drawing.iterfind("{*}text")] == drawn["text"]
    box = [float(side) for side in drawing.attrib["viewBox"].split()]
    assert box == pytest.approx([float(side) for side in drawn["box"].split()], abs=0.06)
    arrows = sorted(numbers(one.get("d", "")) for one in drawing.iterfind("{*}path"))
    for mine, other in zip(arrows, sorted(map(numbers, drawn["path"])), strict=True):
        assert mine == pytest.approx(other, abs=0.11)


def test_a_png_has_the_colour_of_its_page(
    show: Callable[[EdgeExplorer], Host], tmp_path: Path
) -> None:
    page = show(make_network(FIVE).explore()).page
    for theme, is_light in (("true", True), ("false", False)):
        page.evaluate("theme => { document.body.dataset.jpThemeLight = theme }", theme)
        with page.expect_download() as download:
            page.get_by_role("button", name="PNG").click()
        download.value.save_as(tmp_path / "picture.png")
        corner = imread(tmp_path / "picture.png")[0, 0, :3]
        assert (corner.min() > 0.9) if is_light else (0 < corner.max() < 0.3)


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.\d", path)]


def test_without_a_kernel_the_card_has_the_terms(show: Callable[[EdgeExplorer], Host]) -> None:
    host = show(make_network(FIVE).explore())
    host.is_alive = False
    host.page.clock.install()
    host.page.locator(ROWS).first.click()
    host.page.clock.run_for(3000)
    card = host.page.locator(".card[data-ready]")
    expect(card).to_contain_text("the kernel does not answer")
    products = [
        row.locator("td").last.inner_text() for row in card.locator(".terms tbody tr").all()
    ]
    assert products == ["0.2500", "0.0000", "0.7500", "1.0000"]
    host.page.locator("select[name=self]").select_option("exclude")
    expect(host.page.locator(ROWS)).to_have_count(4)


def test_errors_of_the_kernel_are_shown(show: Callable[[EdgeExplorer], Host]) -> None:
    host = show(make_network(FIVE).explore())
    host.page.locator(ROWS).first.click()
    expect(host.page.get_by_role("alert")).to_contain_text("this network has no corpus")


def test_styles_stay_within_the_widget(show: Callable[[EdgeExplorer], Host]) -> None:
    page = show(make_network(FIVE).explore()).page
    selectors = page.evaluate("selectors()")
    assert len(selectors) > 40
    for selector in selectors:
        assert all(".citescape-widget" in part for part in re.split(r",(?![^(]*\))", selector))
    assert "ready" not in page.evaluate("() => ({...document.body.dataset})")


def test_the_theme_of_the_notebook_decides(show: Callable[[EdgeExplorer], Host]) -> None:
    page = show(make_network(FIVE).explore()).page
    ground = "() => getComputedStyle(document.querySelector('.citescape-widget')).backgroundColor"
    seen = []
    for system, theme in (("dark", "true"), ("light", "true"), ("light", "false")):
        page.emulate_media(color_scheme=system)  # type: ignore[arg-type]
        page.evaluate("theme => { document.body.dataset.jpThemeLight = theme }", theme)
        seen.append(page.evaluate(ground))
    assert seen[0] == seen[1] != seen[2]


def test_the_saved_form_is_hidden_while_the_widget_is_shown(
    show: Callable[[EdgeExplorer], Host],
) -> None:
    host = show(make_network(FIVE).explore())
    page = host.page
    page.locator("#saved").evaluate(
        "(saved, name) => { saved.className = name }", host.widget.saved_as
    )
    expect(page.locator("#saved")).to_be_hidden()
    page.evaluate("remove()")
    expect(page.locator("#saved")).to_be_visible()
    assert page.locator("#output").inner_html() == ""
    assert page.evaluate("listeners()") == 0


def test_hostile_text_is_text(show: Callable[[EdgeExplorer], Host]) -> None:
    hostile = {"title": HOSTILE, "surnames": [HOSTILE]}
    network = make_network([scored(HOSTILE, "a", f_I=1)], papers={HOSTILE: hostile, "a": hostile})
    host = show(network.explore())
    host.page.locator(ROWS).first.click()
    expect(host.page.get_by_role("alert")).to_be_visible()
    assert host.page.title() == "Notebook"
    assert host.page.locator("#output img, #output script").count() == 0
    links = host.page.locator("#output a").evaluate_all(
        "all => all.map((one) => one.getAttribute('href'))"
    )
    assert set(links) == {None}  # ids that no site knows


def test_works_link_to_their_sites(show: Callable[[EdgeExplorer], Host]) -> None:
    rows = [scored("a", id_, f_I=1) for id_ in ("doi:10.1/a<b>", "pmid:12", "javascript:alert(1)")]
    page = show(make_network(rows).explore()).page
    links = page.locator(f"{ROWS} td:nth-child(3) a").evaluate_all(
        "all => all.map((one) => one.getAttribute('href'))"
    )
    assert links == ["https://doi.org/10.1/a%3Cb%3E", None, "https://pubmed.ncbi.nlm.nih.gov/12"]


@pytest.mark.parametrize("weights", [{}, None])
def test_networks_without_citations_or_scores_are_shown(
    show: Callable[[EdgeExplorer], Host], weights: dict[str, float] | None
) -> None:
    network = (
        make_network(())
        if weights is None
        else make_network([{"citing": "a", "cited": "b"}], weights={})
    )
    page = show(network.explore()).page
    expect(page.locator(ROWS)).to_have_count(len(network.citations))
    note = page.get_by_text("Nothing is scored")
    expect(note).to_have_count(0 if weights is None else 1)
