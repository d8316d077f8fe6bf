"""The map of the explorer: dots, colours, search, lasso, address, keys."""

from __future__ import annotations

import io
import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.image import imread
from matplotlib.path import Path as Outline
from playwright.sync_api import Browser, Page, expect

from citescape.corpus import open_corpus
from citescape.mapping.maps.map_run import POINTS, TEXTS
from citescape.server.graph import ServedGraph
from tests.mapping.maps.packed import read_texts, unpack
from tests.server.pages.conftest import PAPERS, serve

READY = "body[data-ready=map][data-texts]"
DARK_DOT = 0.25


@pytest.fixture(scope="module")
def folder(demo: Path) -> Path:
    """The run of the map."""
    (run,) = (demo / "runs").glob("map-*")
    return run


@pytest.fixture
def map_page(page: Page, origin: str) -> Page:
    page.goto(f"{origin}/map")
    page.wait_for_selector(READY)
    return page


def pixels(page: Page) -> np.ndarray:
    """(height, width, 3) of the canvas, 0 to 1."""
    shot = page.locator(".map-canvas").screenshot()
    return np.asarray(imread(io.BytesIO(shot)))[..., :3]


def shown(page: Page) -> int:
    return int(page.locator(".map-table [data-count]").get_attribute("data-count") or -1)


def select_by_lasso(page: Page) -> None:
    """Draws around the left half of the canvas, by mouse."""
    page.get_by_role("button", name="Lasso").click()
    box = page.locator(".map-canvas").bounding_box()
    assert box
    left, top, width, height = box["x"], box["y"], box["width"], box["height"]
    corners = [(0.02, 0.1), (0.5, 0.12), (0.42, 0.5), (0.55, 0.93), (0.03, 0.9), (0.02, 0.1)]
    page.mouse.move(left + 0.02 * width, top + 0.1 * height)
    page.mouse.down()
    for x, y in corners[1:]:
        page.mouse.move(left + x * width, top + y * height, steps=4)
    page.mouse.up()


def test_dots_are_drawn_in_the_colours_of_the_legend(map_page: Page) -> None:
    found = pixels(map_page)
    ground = found[2, 2]
    assert 0.001 < (np.abs(found - ground).max(axis=2) > DARK_DOT).mean() < 0.5
    entry = map_page.locator(".map-legend circle").first.get_attribute("fill") or ""
    colour = np.array([int(entry[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    drawn = 0.85 * colour + 0.15 * ground
    assert (np.abs(found - drawn).max(axis=2) < 0.02).sum() > 20


def test_another_colour_changes_pixels(map_page: Page) -> None:
    before = pixels(map_page)
    map_page.locator("select[name=color]").select_option("density")
    expect(map_page.locator(".map-legend .note").first).to_contain_text("more papers nearby")
    map_page.wait_for_timeout(300)
    assert (np.abs(pixels(map_page) - before).max(axis=2) > 0.1).sum() > 100
    map_page.wait_for_url(re.compile(r"color=density"))


def test_labels_do_not_overlap(map_page: Page) -> None:
    texts = map_page.locator(".map-marks text")
    boxes = [texts.nth(k).bounding_box() for k in range(texts.count())]
    assert boxes
    for k, a in enumerate(boxes):
        for b in boxes[:k]:
            assert a
            assert b
            apart = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
            assert apart or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]


def test_a_lasso_selects_the_papers_inside(map_page: Page, folder: Path) -> None:
    """The count and the table are those of a point-in-polygon test in Python."""
    select_by_lasso(map_page)
    map_page.wait_for_url(re.compile(r"sel="))
    polygon = read_polygon(map_page.url)
    header, columns = unpack((folder / POINTS).read_bytes())
    inside = Outline(polygon).contains_points(columns["places"].reshape(-1, 2))
    assert 0 < inside.sum() < header["papers"]
    assert shown(map_page) == inside.sum()
    titles = read_texts((folder / TEXTS).read_bytes(), "title")
    own = {title for title, chosen in zip(titles, inside, strict=True) if chosen}
    listed = map_page.locator(".map-table tbody .map-title a").all_text_contents()
    assert 0 < len(listed) <= 20
    assert set(listed) <= own
    with map_page.expect_download() as download:
        map_page.get_by_role("button", name="CSV").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + inside.sum()
    address = map_page.get_by_role("link", name="Open as Cypher").get_attribute("href") or ""
    query = parse_qs(urlsplit(address).query)["q"][0]
    with open_corpus(folder.parent.parent / "demo.lbug", read_only=True) as corpus:
        assert len(corpus.cypher(query).arrow) == inside.sum()


@pytest.mark.parametrize("key_of_selection", ["s", "S"])
def test_the_keyboard_selects_the_papers_in_view(
    map_page: Page, folder: Path, key_of_selection: str
) -> None:
    """The polygon is the frame: its corners, and the papers inside."""
    frame = map_page.locator(".map-frame")
    for key in ("+", "+", "ArrowLeft"):
        frame.press(key)
    map_page.wait_for_url(re.compile(r"cam="))
    camera = parse_qs(urlsplit(map_page.url).query)["cam"][0]
    x, y, _ = map(float, camera.split(","))
    frame.press(key_of_selection)
    map_page.wait_for_url(re.compile(r"sel="))
    polygon = read_polygon(map_page.url)
    np.testing.assert_allclose(polygon.mean(axis=0), (x, y), atol=2e-4)
    box = map_page.locator(".map-canvas").bounding_box()
    assert box
    width, height = np.ptp(polygon, axis=0)
    assert width / height == pytest.approx(box["width"] / box["height"], rel=0.01)
    _, columns = unpack((folder / POINTS).read_bytes())
    inside = Outline(polygon).contains_points(columns["places"].reshape(-1, 2))
    assert 0 < inside.sum() < PAPERS
    assert shown(map_page) == inside.sum()
    frame.press("Escape")
    expect(map_page.locator(".map-table [data-count]")).to_have_attribute("data-count", str(PAPERS))


def test_the_table_selects_a_community(map_page: Page) -> None:
    expect(map_page.locator("body[data-texts=read]")).to_be_visible()
    button = map_page.locator(".map-table tbody small button").first
    name = button.inner_text()
    entry = map_page.locator(".map-legend li button", has_text=name)
    button.press("Enter")
    expect(entry).to_have_attribute("aria-pressed", "true")
    assert shown(map_page) == int(entry.locator("small").inner_text())


def read_polygon(url: str) -> np.ndarray:
    parts = urlsplit(url)
    text = parse_qs(parts.query or parts.fragment, separator="&")["sel"][0]  # a file has no query
    return np.array([[float(part) for part in corner.split(",")] for corner in text.split(";")])


def test_a_reload_restores_selection_and_camera(map_page: Page) -> None:
    map_page.locator(".map-frame").press("+")
    map_page.locator(".map-frame").press("ArrowRight")
    select_by_lasso(map_page)
    map_page.locator("select[name=color]").select_option("density")
    map_page.wait_for_url(re.compile(r"color=density.*cam=.*sel="))
    url, count = map_page.url, shown(map_page)
    places = label_places(map_page)
    map_page.reload()
    map_page.wait_for_selector(READY)
    map_page.wait_for_timeout(400)
    assert map_page.url == url
    assert shown(map_page) == count
    np.testing.assert_allclose(label_places(map_page), places, atol=1.5)


def label_places(page: Page) -> list[tuple[float, float]]:
    texts = page.locator(".map-marks text")
    found = []
    for k in range(texts.count()):
        x, y = texts.nth(k).get_attribute("x"), texts.nth(k).get_attribute("y")
        found.append((float(x or 0), float(y or 0)))
    return sorted(found)


def test_search_highlights_and_flies(map_page: Page, folder: Path) -> None:
    title = read_texts((folder / TEXTS).read_bytes(), "title")[-1]
    map_page.locator("body").press("/")
    expect(map_page.locator("input[name=q]")).to_be_focused()
    map_page.keyboard.type(title)
    first = map_page.locator(".map-found button").first
    expect(first).to_contain_text(title)
    assert shown(map_page) >= 1
    assert map_page.locator(".map-ring").count() >= 1
    map_page.keyboard.press("Enter")
    expect(map_page.locator(".map-card")).to_contain_text(title)
    map_page.wait_for_url(re.compile(r"cam=[^&]*,5\.000&q="))  # after the flight
    map_page.keyboard.press("Escape")
    expect(map_page.locator("input[name=q]")).to_have_value("")
    expect(map_page.locator(".map-table [data-count]")).to_have_attribute("data-count", str(PAPERS))


def test_the_legend_selects_a_community(map_page: Page) -> None:
    entry = map_page.locator(".map-legend li button").first
    papers = int(entry.locator("small").inner_text())
    entry.click()
    assert shown(map_page) == papers
    map_page.wait_for_url(re.compile(r"sel=[a-z]+-\d+"))
    address = map_page.get_by_role("link", name="Open as Cypher").get_attribute("href") or ""
    assert "IN_COMMUNITY" in unquote(address)
    entry.click()
    assert shown(map_page) == PAPERS


def test_years_filter_papers(map_page: Page, folder: Path) -> None:
    _, columns = unpack((folder / POINTS).read_bytes())
    years = np.sort(columns["year"])
    middle = int(years[len(years) // 2])
    map_page.locator("input[name=from]").fill(str(middle))
    expect(map_page.locator(".map-table [data-count]")).to_have_attribute(
        "data-count", str((columns["year"] >= middle).sum())
    )
    map_page.wait_for_url(re.compile(rf"year={middle}-{years[-1]}"))


def test_back_returns_to_the_map_before(page: Page, origin: str, folder: Path) -> None:
    """With its colours; another map begins without them."""
    other = "map-other"
    (drawn,) = page.request.get(f"{origin}/api/map/runs").json()
    runs = [drawn, {**drawn, "run": other}]
    page.route("**/api/map/runs", lambda route: route.fulfill(json=runs))
    for name in ("points", "texts"):
        page.route(
            f"**/api/map/{name}?run={other}",
            lambda route: route.continue_(url=route.request.url.split("?")[0]),
        )
    page.goto(f"{origin}/map?color=density")
    run, color = page.locator("select[name=run]"), page.locator("select[name=color]")
    run.select_option(other)
    expect(color).not_to_have_value("density")
    expect(run).to_have_value(other)
    assert page.url == f"{origin}/map?run={other}"
    page.go_back()
    expect(color).to_have_value("density")
    expect(run).to_have_value(folder.name)
    assert page.url == f"{origin}/map?color=density"


def test_a_dot_shows_a_card_and_opens_its_paper(map_page: Page, folder: Path, origin: str) -> None:
    label = map_page.locator(".map-table tbody tr").first
    title = label.locator("a").inner_text()
    label.get_by_role("button", name="show").click()
    card = map_page.locator(".map-card")
    expect(card).to_contain_text(title)
    map_page.wait_for_timeout(600)
    box = map_page.locator(".map-canvas").bounding_box()
    assert box
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    map_page.mouse.move(middle[0] - 1, middle[1])
    expect(card).to_contain_text(title)
    map_page.mouse.click(*middle)
    map_page.wait_for_url(f"{origin}/paper/**")


def test_pictures_are_saved(map_page: Page) -> None:
    for name in ("PNG", "SVG"):
        with map_page.expect_download() as download:
            map_page.get_by_role("button", name=name).click()
        content = Path(download.value.path()).read_bytes()
        if name == "PNG":
            picture = np.asarray(imread(io.BytesIO(content)))
            assert len(np.unique(np.round(255 * picture[..., :3]) @ [65536, 256, 1])) > 20
        else:
            assert content.count(b"<circle") > PAPERS
            assert b"Papers by community" in content


def test_without_webgl_the_table_stays(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.add_init_script(
        "HTMLCanvasElement.prototype.getContext = (get => function (kind, ...more) {"
        " return kind === 'webgl2' ? null : get.call(this, kind, ...more); })"
        "(HTMLCanvasElement.prototype.getContext)"
    )
    page.goto(address.replace("/?", "/map?"))
    page.wait_for_selector(READY)
    expect(page.get_by_text("has no WebGL2")).to_be_visible()
    assert page.locator(".map-table tbody tr").count() == 20
    expect(page.locator(".map-figure button")).to_have_count(0)
    page.close()


def test_without_a_map_the_commands_are_named(browser: Browser, tmp_path: Path) -> None:
    with open_corpus(tmp_path / "bare.lbug", create=True) as corpus:
        corpus.status()
    with ServedGraph(str(tmp_path / "bare.lbug")) as graph, serve(graph) as printed:
        page = browser.new_page()
        page.goto(printed.replace("/?", "/map?"))
        page.wait_for_selector("body[data-ready=empty]")
        for command in ("cluster", "topics", "map"):
            expect(page.get_by_text(f"platform {command}", exact=True)).to_be_visible()
        page.close()
