"""Pages: one style, everything escaped, every kind of part."""

from __future__ import annotations

import re

import pytest
from lxml import html

from citescape.reports.canvas import Canvas
from citescape.reports.content import (
    Cell,
    Citation,
    Citations,
    Image,
    Lines,
    Part,
    Picture,
    Question,
    Report,
    Section,
    Table,
    Terms,
    Verdict,
)
from citescape.reports.page import write_page

HOSTILE = '<script>alert("x")</script> & \'{{ title }} {% raw %} </title>'


def write(*parts: Part, text: str = "") -> str:
    section, verdict = Section("one", text, parts), Verdict(text, False)
    facts, notes = [(text, text)], [text]
    return write_page(Report(text, text, text, text, facts, [section], text, [verdict], notes))


def canvas() -> Canvas:
    drawn = Canvas(100, 50, name="x", title=HOSTILE, summary=HOSTILE)
    drawn.words((0, 0), HOSTILE)
    return drawn


def test_tables_wider_than_a_telephone_have_a_shade_where_they_go_on() -> None:
    (rule,) = re.findall(r"^\.scroll \{(.*?)^\}", write(), re.MULTILINE | re.DOTALL)
    assert "overflow-x: auto" in rule
    assert rule.count("no-repeat local") == rule.count("no-repeat scroll") == 2


@pytest.mark.parametrize(
    "part",
    [
        HOSTILE,
        Table(HOSTILE, (HOSTILE,), [(HOSTILE, Cell(HOSTILE, HOSTILE), Verdict(HOSTILE, True))]),
        Table(HOSTILE, (HOSTILE,), [(HOSTILE,)], closed=True),
        Picture("x", HOSTILE, HOSTILE, canvas()),
        Image(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),
        Terms([(HOSTILE, HOSTILE)]),
        Terms([(HOSTILE, HOSTILE)], code=True),
        Lines(HOSTILE),
        Question(HOSTILE, HOSTILE, HOSTILE),
        Citations(
            [Citation(1.0, *[HOSTILE] * 6, [(HOSTILE, HOSTILE)], [(HOSTILE, HOSTILE)])], HOSTILE
        ),
    ],
)
def test_hostile_text_is_only_text(part: Part) -> None:
    text = write(part, text=HOSTILE)
    page = html.document_fromstring(text)
    assert "<script" not in text
    assert page.find(".//h2").text == HOSTILE
    assert HOSTILE in page.find(".//section").text_content().replace(HOSTILE, "", 1)


def test_what_does_not_hold_is_marked() -> None:
    page = html.document_fromstring(write(Table("x", ("a",), [("b", Verdict("NO", False))])))
    assert page.find(".//td[@class='no']").text == "NO"
