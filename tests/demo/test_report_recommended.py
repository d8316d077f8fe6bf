"""The section of the report on recommendation of citations."""

from __future__ import annotations

from itertools import product

from lxml import html

from citescape.demo.proof import MethodComparison
from citescape.demo.recommended import PLANTED, TRAINING_CONTEXTS, RecommendationProof
from citescape.demo.recovery import Check
from citescape.demo.sections import show_recommended
from citescape.recommend.lcr.measure import ALL, COLD, WARM
from citescape.recommend.retriever import SYSTEMS
from citescape.reports.content import ReportContent
from citescape.reports.page import write_page

HEADING = "Do citing sentences help to recommend a work?"


def make_proof(*, holds: bool) -> RecommendationProof:
    """A proof with two seeds; all figures are different."""
    result = {}
    for at, (deal, name) in enumerate(product(TRAINING_CONTEXTS, (ALL, WARM, COLD))):
        figures = {
            system: (0.01 * at + 0.1 * k, 0.01 * at + 0.1 * k + 0.02)
            for k, system in enumerate(SYSTEMS)
        }
        result[deal, name] = MethodComparison(f"MRR <{name}> {deal}", figures)
    checks = (Check("a & b", 0.5 if holds else -0.5, "≥", 0.0), Check("none", 0, "=", 0))
    return RecommendationProof(result, checks, ("Not checked: <i>",))


def page_of(proof: RecommendationProof) -> html.HtmlElement:
    shown = show_recommended(proof)
    assert shown.section
    report = ReportContent("", "", "", "", [], [shown.section], "", verdicts=[shown.verdict])
    return html.document_fromstring(write_page(report))


def test_systems_are_shown_in_a_picture_and_a_table() -> None:
    proof = make_proof(holds=True)
    page = page_of(proof)
    assert HEADING in [element.text for element in page.iter("h2")]
    (table,) = page.xpath(".//table[caption[starts-with(., 'MRR, mean')]]")
    rows = {
        row[0].text_content(): [cell.text_content() for cell in row[1:]]
        for row in table.xpath("./tbody/tr")
    }
    assert list(rows) == list(SYSTEMS)
    columns = [(PLANTED, WARM), (PLANTED, COLD), (PLANTED, ALL), ("leaked", ALL)]
    for system, cells in rows.items():
        values = (proof.comparisons[key].values[system] for key in columns)
        assert cells == [f"{sum(pair) / 2:.3f} ± 0.014" for pair in values]
    (picture,) = page.xpath(".//*[name()='svg'][@*[contains(., 'recommended')]]")
    dots = [e for e in picture.iter() if "seed" in (e.get("class") or "").split()]
    assert len(dots) == 4 * len(SYSTEMS) * 2
    controls = [e for e in dots if "control" in e.get("class").split()]
    assert len(controls) == 4 * 2 * 2, "own texts by words and by vectors"
    text = page.text_content()
    assert "All 2 comparisons of recommendations hold." in text
    assert "Not checked: <i>" in text
    assert "2 seeds, each with its own literature" in text
    assert "no evidence about science" in text


def test_failures_are_shown_at_the_top() -> None:
    text = page_of(make_proof(holds=False)).text_content()
    assert "1 of 2 comparisons of recommendations fail." in text
