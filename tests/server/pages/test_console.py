"""The page of the Cypher console."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from citescape.corpus import open_corpus
from citescape.sandbox.console import Console
from tests.required import skip_outside_ci
from tests.sandbox.test_console import ENDLESS

PAPERS = "MATCH (p:Paper) RETURN p.id AS id, p.year AS year ORDER BY id LIMIT 7"
GRAPH = "MATCH (p:Paper)-[c:CITES]->(q:Paper) RETURN p, c, q ORDER BY p.id, q.id LIMIT 9"


@pytest.fixture(scope="module", autouse=True)
def sandbox(demo: Path) -> None:
    """The console works here."""
    with Console(str(demo / "demo.lbug")) as console:
        if off := console.check():
            skip_outside_ci(off)


def open_page(page: Page, origin: str, query: str = "", more: str = "") -> None:
    page.goto(f"{origin}/cypher?q={quote(query)}{more}" if query else f"{origin}/cypher")
    page.wait_for_selector("body[data-ready=cypher]")


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Cypher query")


def write(page: Page, text: str) -> None:
    """Replaces the query, as a user who pastes it."""
    editor(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def run(page: Page) -> Locator:
    page.get_by_role("button", name="Run", exact=True).click()
    results = page.locator(".results[data-ready=answer]")
    expect(results).to_be_visible()
    return results


def test_a_query_in_the_address_waits_until_it_is_run(page: Page, origin: str) -> None:
    calls: list[str] = []
    page.on("request", lambda request: calls.append(urlsplit(request.url).path))
    open_page(page, origin, PAPERS)
    expect(editor(page)).to_contain_text("ORDER BY id LIMIT 7")
    expect(page.locator(".empty")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert "/api/console" not in calls
    run(page)
    assert calls.count("/api/console") == 1


def test_rows_are_those_of_corpus_cypher(page: Page, origin: str, demo: Path) -> None:
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        expected = corpus.cypher(PAPERS).arrow.to_pylist()
    open_page(page, origin)
    write(page, PAPERS)
    page.keyboard.press("Control+Enter")
    results = page.locator(".results[data-ready=answer]")
    expect(results.locator(".count")).to_have_text(re.compile(r"^7 rows in \d+ ms\.|^7 rows in"))
    assert results.locator("th").all_inner_texts() == ["id", "year"]
    cells = [row.locator("td").all_inner_texts() for row in results.locator("tbody tr").all()]
    assert cells == [[row["id"], str(row["year"] or "–")] for row in expected]
    assert parse_qs(urlsplit(page.url).query)["q"] == [PAPERS]
    page.reload()
    expect(editor(page)).to_contain_text("LIMIT 7")
    expect(page.locator(".results")).to_have_count(0)


def test_rows_beyond_the_limit_are_reported_and_can_be_had(page: Page, origin: str) -> None:
    open_page(page, origin, "UNWIND range(1, 1500) AS x RETURN x")
    results = run(page)
    expect(results.locator(".count")).to_contain_text("First 1,000 rows")
    expect(results.locator(".pager")).to_contain_text("rows 1 to 200 of 1,000")
    results.get_by_role("button", name="Raise the limit to 10,000 rows").click()
    expect(results.locator(".count").first).to_contain_text("1,500 rows")
    expect(results.get_by_role("button", name="Raise")).to_have_count(0)


def test_the_graph_has_the_nodes_and_relationships_of_the_rows(
    page: Page, origin: str, demo: Path
) -> None:
    with open_corpus(demo / "demo.lbug", read_only=True) as corpus:
        rows = corpus.cypher(GRAPH).arrow.to_pylist()
    papers = {row[name]["id"] for row in rows for name in ("p", "q")}
    open_page(page, origin, GRAPH, "&tab=graph")
    results = run(page)
    expect(results.locator("svg circle.node.colour-0[r='9']")).to_have_count(len(papers))
    expect(results.locator("svg path.relationship")).to_have_count(len(rows))
    page.get_by_text(f"Nodes ({len(papers)})").click()
    ids = results.locator("table.nodes tbody td:nth-child(3)").all_inner_texts()
    assert set(ids) == papers
    assert parse_qs(urlsplit(page.url).query)["tab"] == ["graph"]


def test_files_have_all_rows(page: Page, origin: str) -> None:
    open_page(page, origin, "UNWIND range(1, 300) AS x RETURN x, '=1+1' AS text, [x] AS list")
    results = run(page)
    with page.expect_download() as saved:
        results.get_by_role("button", name="CSV").click()
    rows = list(csv.reader(StringIO(saved.value.path().read_text("utf-8"))))
    assert rows[0] == ["x", "text", "list"]
    assert rows[1] == ["1", "'=1+1", "[1]"]  # a spreadsheet does not run it
    assert len(rows) == 301
    with page.expect_download() as saved:
        results.get_by_role("button", name="JSON file").click()
    objects = json.loads(saved.value.path().read_text("utf-8"))
    assert (len(objects), objects[299]) == (300, {"x": 300, "text": "=1+1", "list": [300]})


@pytest.mark.parametrize(("form", "begins"), [("SVG", b"<svg"), ("PNG", b"\x89PNG")])
def test_the_picture_can_be_saved(page: Page, origin: str, form: str, begins: bytes) -> None:
    open_page(page, origin, GRAPH, "&tab=graph")
    run(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name=form).click()
    content = saved.value.path().read_bytes()
    assert content.startswith(begins)
    assert len(content) > 2_000


def test_markup_in_values_is_shown_as_text(page: Page, origin: str) -> None:
    markup = "<img src=x onerror=alert(1)>"
    open_page(page, origin, f"RETURN '{markup}' AS `<b>x</b>`, {{a: '{markup}'}} AS map")
    results = run(page)
    expect(results.locator("td").first).to_have_text(markup)
    expect(results.locator("th").first).to_have_text("<b>x</b>")
    page.get_by_role("tab", name="JSON").click()
    expect(results.locator("pre")).to_contain_text(markup)
    assert page.locator("main img").count() == 0


def test_named_queries_and_parameters(page: Page, origin: str) -> None:
    open_page(page, origin)
    page.get_by_label("Filter named queries").fill("most_cited")
    page.locator(".queries button").click()
    expect(editor(page)).to_contain_text("param limit = 20")
    field = page.get_by_label("$limit")
    expect(field).to_have_attribute("placeholder", "20")
    field.fill("3")
    results = run(page)
    expect(results.locator("tbody tr")).to_have_count(3)
    assert parse_qs(urlsplit(page.url).query)["p.limit"] == ["3"]
    page.reload()
    expect(page.get_by_label("$limit")).to_have_value("3")


def test_the_schema_is_inserted(page: Page, origin: str) -> None:
    open_page(page, origin)
    write(page, "MATCH ")
    page.get_by_role("button", name=":Author", exact=True).click()
    expect(editor(page)).to_have_text("MATCH (:Author)")


def test_labels_and_properties_are_suggested(page: Page, origin: str) -> None:
    open_page(page, origin)
    editor(page).click()
    page.keyboard.type("MATCH (p:Emb")
    option = page.get_by_role("option", name=re.compile("Embedding"))
    expect(option.first).to_be_visible()
    page.wait_for_timeout(100)  # the editor ignores Enter for a moment after a list appears
    page.keyboard.press("Enter")
    expect(editor(page)).to_contain_text("MATCH (p:Embedding")
    page.keyboard.press("End")
    page.keyboard.type(" RETURN p.vec")
    expect(page.get_by_role("option", name=re.compile("vector")).first).to_be_visible()


def test_an_error_has_a_place_in_the_editor(page: Page, origin: str) -> None:
    open_page(page, origin, "MATCH (p:Paper)\nDETACH DELETE p")
    page.get_by_role("button", name="Run", exact=True).click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("found DETACH (line 2, column 1); expected one statement that")
    expect(page.locator(".cm-wrong")).to_have_text("DETACH DELETE p")
    alert.get_by_role("button", name="Go to line 2, column 1").click()
    page.keyboard.type("RETURN p LIMIT 1 //")
    expect(page.locator(".cm-wrong")).to_have_count(0)
    run(page)


@pytest.mark.parametrize(
    "query",
    ["LOAD FROM '/etc/passwd' RETURN *", "CALL timeout=0", "RETURN 1; CHECKPOINT", "INSTALL x"],
)
def test_attacks_are_refused(page: Page, origin: str, query: str) -> None:
    open_page(page, origin, query)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("expected one statement that only reads")
    expect(page.locator(".results")).to_have_count(0)


def test_a_query_can_be_cancelled(page: Page, origin: str) -> None:
    open_page(page, origin, ENDLESS)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".running")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".note[role=status]")).to_have_text("Cancelled.")
    write(page, "RETURN 1 AS one")
    expect(run(page).locator("tbody td")).to_have_text("1")


def test_the_time_limit_can_be_raised(page: Page, origin: str) -> None:
    open_page(page, origin, "RETURN 1 AS x")
    page.get_by_label("Time limit").select_option("300")
    with page.expect_request("**/api/console") as sent:
        run(page)
    assert sent.value.post_data_json["seconds"] == 300


def test_without_a_sandbox_the_console_is_off(
    page: Page, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Console, "check", lambda _: "there is no sandbox: no Landlock")
    open_page(page, origin, PAPERS)
    expect(page.get_by_role("alert")).to_have_text(
        "The console is off: there is no sandbox: no Landlock."
    )
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()


def test_rows_without_a_graph_say_what_to_return(page: Page, origin: str) -> None:
    open_page(page, origin, "RETURN 1 AS x", "&tab=graph")
    expect(run(page)).to_contain_text("hold no nodes and relationships. Return them whole")
    write(page, "MATCH (p:Paper) WHERE p.year < 0 RETURN p.id")
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".results")).to_contain_text("The query has no rows.")


def test_tabs_follow_the_arrow_keys(page: Page, origin: str) -> None:
    open_page(page, origin, GRAPH)
    run(page)
    page.get_by_role("tab", name="Table").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Graph")).to_be_focused()
    expect(page.get_by_role("tab", name="Graph")).to_have_attribute("aria-selected", "true")


def test_tab_leaves_the_editor(page: Page, origin: str) -> None:
    open_page(page, origin, "RETURN 1 AS x")
    editor(page).click()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_focused()


@pytest.mark.parametrize(
    ("tab", "theme"), [("table", "light"), ("graph", "dark"), ("json", "dark")]
)
def test_results_have_no_serious_faults_of_accessibility(
    page: Page, origin: str, tab: str, theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    open_page(page, origin, f"// param x = 1: a value\n{GRAPH} // $x", f"&tab={tab}")
    run(page)
    violations = Axe().run(page).response["violations"]
    serious = {
        item["id"]: [node["html"][:200] for node in item["nodes"]]
        for item in violations
        if item["impact"] in ("serious", "critical")
    }
    assert serious == {}
