"""The bar of mentions by section: on the card of a citation, in the report of a reference list."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from citescape.core.types import SECTION_NAMES
from citescape.corpus import open_corpus
from citescape.explore.check import ReferenceCheck
from tests.server.pages.test_check import draft as draft
from tests.server.pages.test_check import expected as expected
from tests.server.pages.test_check import open_draft


def check_bar(bar: Locator, label: str, counts: Mapping[str, int]) -> None:
    """One part per section with mentions, as wide as its share; the same counts as text."""
    counts = {name: counts[name] for name in SECTION_NAMES if counts[name]}
    texts = [f"{SECTION_NAMES[name]} {count}" for name, count in counts.items()]
    expect(bar).to_have_attribute("aria-label", f"{label}: {', '.join(texts)}")
    parts = bar.locator("rect").evaluate_all(
        "parts => parts.map(part => [part.getAttribute('class'), +part.getAttribute('x'),"
        " +part.getAttribute('width')])"
    )
    end, total = 0.0, sum(counts.values())
    for (kind, start, width), (name, count) in zip(parts, counts.items(), strict=True):
        assert kind == f"section-{name}"
        assert (start, width) == pytest.approx((end, 100 * count / total))
        end += width


def test_the_card_has_the_mentions_of_the_citation(
    page: Page, origin: str, demo: Path, citing: str
) -> None:
    with open_corpus(demo / "demo.lbug", runs=demo / "runs", read_only=True) as corpus:
        rows = corpus.neighbours(citing).citations.to_pylist()
    row = max(rows, key=lambda row: sum(bool(row[f"f_{name}"]) for name in SECTION_NAMES))
    edge = quote(f"{row['citing']}→{row['cited']}")
    page.goto(f"{origin}/paper/{quote(citing, safe='')}?edge={edge}")
    bar = page.locator(".card .sections")
    check_bar(bar, "Mentions", {name: row[f"f_{name}"] for name in SECTION_NAMES})


def test_the_report_has_the_mentions_of_others_and_of_the_draft(
    page: Page, origin: str, draft: list[Path], expected: ReferenceCheck
) -> None:
    row = expected.references.to_pylist()[0]
    open_draft(page, origin, draft)
    bars = page.locator(".checked > li").first.locator(".sections")
    check_bar(bars.nth(0), "others", row)
    check_bar(bars.nth(1), "you", {name: row[f"cited_{name}"] for name in SECTION_NAMES})
