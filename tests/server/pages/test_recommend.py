"""The page that recommends what to cite."""

from __future__ import annotations

from playwright.sync_api import Page, expect

SENTENCE = "Contrastive pretraining improves the ranking of papers [?]."


def test_papers_are_ranked_with_reasons(page: Page, origin: str) -> None:
    page.goto(f"{origin}/recommend")
    page.locator("textarea[name=context]").fill(SENTENCE)
    page.get_by_role("button", name="Recommend").click()
    rows = page.locator("table.data tbody tr")
    expect(rows).to_have_count(10)
    assert rows.locator("td:nth-child(1)").all_inner_texts() == [str(n) for n in range(1, 11)]
    scores = [float(text) for text in rows.locator("td:nth-child(2)").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    assert page.locator("blockquote").count() > 0
    assert page.url == f"{origin}/recommend"


def test_an_empty_sentence_is_refused(page: Page, origin: str) -> None:
    page.goto(f"{origin}/recommend")
    page.get_by_role("button", name="Recommend").click()
    expect(page.get_by_role("alert")).to_contain_text("The sentence is empty")


def test_markup_in_a_sentence_is_text(page: Page, origin: str) -> None:
    page.goto(f"{origin}/recommend")
    page.locator("textarea[name=context]").fill("<img src=x onerror=alert(1)> ranking [?]")
    page.get_by_role("button", name="Recommend").click()
    expect(page.locator("table.data tbody tr")).to_have_count(10)
    assert page.locator("main img").count() == 0


def test_each_place_of_a_sentence_has_a_list(page: Page, origin: str) -> None:
    page.goto(f"{origin}/recommend")
    sentence = "Pretraining improves rankings [?], and citations follow attention [?]."
    page.locator("textarea[name=context]").fill(sentence)
    page.get_by_role("button", name="Recommend").click()
    expect(page.locator("table.data")).to_have_count(2)
    expect(page.get_by_text("Citation wanted for")).to_have_text(
        [
            "Citation wanted for “Pretraining improves rankings”",
            "Citation wanted for “and citations follow attention.”",
        ]
    )
