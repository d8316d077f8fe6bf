"""Arrows that lie over each other: a click asks which one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from citescape.corpus import open_corpus

NEAR, FAR = 3, 8
"""Pixels from a click within which arrows are hit, and beyond which they are not; reach: 4.5."""
FIND_POINTS = """([near, far]) => {
  const lines = [...document.querySelectorAll("path.line")].map((line) => {
    const matrix = line.getScreenCTM();
    const steps = Math.ceil(line.getTotalLength() * matrix.a);
    return { key: line.dataset.key, points: Array.from({ length: steps + 1 }, (_, k) =>
      line.getPointAtLength((line.getTotalLength() * k) / steps).matrixTransform(matrix)) };
  });
  const measure = (point, { key, points }) => {
    const distances = points.map((own) => Math.hypot(own.x - point.x, own.y - point.y));
    const distance = Math.min(...distances), place = distances.indexOf(distance);
    return { key, distance, isEnd: place === 0 || place === points.length - 1 };
  };
  const found = [];
  for (const { points } of lines) {
    for (let k = 12; k < points.length - 12; k += 12) {
      const point = points[k];
      if (!document.elementFromPoint(point.x, point.y)?.closest(".edge")) continue;
      const measured = lines.map((line) => measure(point, line))
        .filter(({ distance }) => distance < far);
      if (measured.some(({ distance, isEnd }) => distance > near || isEnd)) continue;
      found.push({ x: point.x, y: point.y, keys: measured.map(({ key }) => key) });
    }
  }
  return found;
}"""


@dataclass(frozen=True)
class Network:
    page: Page
    scores: dict[str, float]
    """Citation -> importance."""

    def click(self, fits: Callable[[int], bool]) -> list[str]:
        """Clicks where a number of arrows lie; returns their citations."""
        points = self.page.evaluate(FIND_POINTS, [NEAR, FAR])
        point = next(point for point in points if fits(len(point["keys"])))
        self.page.mouse.click(point["x"], point["y"])
        return list(point["keys"])

    @property
    def chooser(self) -> Locator:
        return self.page.get_by_role("dialog", name="Citations here")


@pytest.fixture
def network(page: Page, origin: str, demo: Path, citing: str) -> Network:
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        rows = corpus.neighbours(citing).citations.to_pylist()
    page.goto(f"{origin}/paper/{quote(citing, safe='')}")
    page.locator("body[data-ready=network]").wait_for()
    return Network(page, {f"{row['citing']}→{row['cited']}": row["importance"] for row in rows})


def test_a_click_on_several_arrows_asks_which_one(network: Network) -> None:
    page = network.page
    keys = network.click(lambda count: count > 2)
    buttons = network.chooser.get_by_role("button")
    scores = sorted((network.scores[key] for key in keys), reverse=True)
    expect(buttons.locator("b")).to_have_text([f"{score:.4f}" for score in scores])
    expect(page.locator(".card")).to_have_count(0)
    expect(buttons.first).to_be_focused()
    pointed = page.locator("path.line.selected")
    seen = []
    for button in buttons.all():
        expect(button).to_be_focused()
        seen.append(pointed.get_attribute("data-key") or "")
        page.keyboard.press("ArrowDown")
    assert sorted(seen) == sorted(keys)
    page.keyboard.press("ArrowUp")  # from the first, which follows the last
    name = buttons.last.locator("span").inner_text()
    page.keyboard.press("Enter")
    expect(network.chooser).to_have_count(0)
    expect(page.locator(".network > svg")).to_be_focused()
    expect(page).to_have_url(re.compile(f"edge={quote(seen[-1], safe='')}"))
    expect(page.locator(".card[data-ready] h2")).to_contain_text(f"{scores[-1]:.4f}")
    row = page.locator("table.edges tr[aria-selected=true] td")
    assert name == f"{row.nth(1).inner_text()} → {row.nth(2).inner_text()}"


def test_escape_and_a_click_elsewhere_close_it(network: Network) -> None:
    network.click(lambda count: count > 1)
    expect(network.chooser).to_be_visible()
    expect(network.chooser.get_by_role("button").first).to_be_focused()
    network.page.keyboard.press("Escape")
    expect(network.chooser).to_have_count(0)
    expect(network.page.locator(".network > svg")).to_be_focused()
    network.click(lambda count: count > 1)
    expect(network.chooser).to_be_visible()
    network.page.locator("h1").click()
    expect(network.chooser).to_have_count(0)
    assert "edge=" not in network.page.url


def test_it_closes_when_the_focus_leaves_it(network: Network) -> None:
    keys = network.click(lambda count: count > 1)
    buttons = network.chooser.get_by_role("button")
    for place in range(len(keys)):
        expect(buttons.nth(place)).to_be_focused()
        network.page.keyboard.press("Tab")
    expect(network.chooser).to_have_count(0)
    network.click(lambda count: count > 1)
    expect(buttons.first).to_be_focused()
    network.page.locator("input[name=min]").focus()
    expect(network.chooser).to_have_count(0)
    expect(network.page.locator("input[name=min]")).to_be_focused()
    assert "edge=" not in network.page.url


def test_a_click_on_a_lone_arrow_opens_it(network: Network) -> None:
    (key,) = network.click(lambda count: count == 1)
    expect(network.page).to_have_url(re.compile(f"edge={quote(key, safe='')}"))
    expect(network.chooser).to_have_count(0)
    expect(network.page.locator(".card[data-ready]")).to_be_visible()
