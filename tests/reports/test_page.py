"""Pages: one style, everything escaped, every kind of part."""

from __future__ import annotations

import re

import pytest
from lxml import html

from citescape.reports.canvas import Canvas
from citescape.reports.content import (
    Cell,
    CitationList,
    DefinitionList,
    Image,
    Lines,
    Picture,
    Question,
    QuotedCitation,
    ReportBlock,
    ReportContent,
    ReportSection,
    ReportTable,
    Verdict,
)
from citescape.reports.page import write_page

HOSTILE = '<script>alert("x")</script> & \'{{ title }} {% raw %} </title>'


def write(*parts: ReportBlock, text: str = "") -> str:
    section, verdict = ReportSection("one", text, parts), Verdict(text, False)
    facts, notes = [(text, text)], [text]
    return write_page(
        ReportContent(text, text, text, text, facts, [section], text, [verdict], notes)
    )


def canvas() -> Canvas:
    drawn = Canvas(100, 50, name="x", title=HOSTILE, summary=HOSTILE)
    drawn.words((0, 0), HOSTILE)
    return drawn


def test_wide_tables_have_a_scroll_shadow() -> None:
    (rule,) = re.findall(r"^\.scroll \{(.*?)^\}", write(), re.MULTILINE | re.DOTALL)
    assert "overflow-x: auto" in rule
    assert rule.count("no-repeat local") == rule.count("no-repeat scroll") == 2


@pytest.mark.parametrize(
    "part",
    [
        HOSTILE,
        ReportTable(
            HOSTILE, (HOSTILE,), [(HOSTILE, Cell(HOSTILE, HOSTILE), Verdict(HOSTILE, True))]
        ),
        ReportTable(HOSTILE, (HOSTILE,), [(HOSTILE,)], closed=True),
        Picture("x", HOSTILE, HOSTILE, canvas()),
        Image(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),
        DefinitionList([(HOSTILE, HOSTILE)]),
        DefinitionList([(HOSTILE, HOSTILE)], code=True),
        Lines(HOSTILE),
        Question(HOSTILE, HOSTILE, HOSTILE),
        CitationList(
            [QuotedCitation(1.0, *[HOSTILE] * 6, [(HOSTILE, HOSTILE)], [(HOSTILE, HOSTILE)])],
            HOSTILE,
        ),
    ],
)
def test_hostile_text_is_escaped(part: ReportBlock) -> None:
    text = write(part, text=HOSTILE)
    page = html.document_fromstring(text)
    assert "<script" not in text
    assert page.find(".//h2").text == HOSTILE
    assert HOSTILE in page.find(".//section").text_content().replace(HOSTILE, "", 1)


def test_failed_checks_are_marked() -> None:
    page = html.document_fromstring(write(ReportTable("x", ("a",), [("b", Verdict("NO", False))])))
    assert page.find(".//td[@class='no']").text == "NO"
