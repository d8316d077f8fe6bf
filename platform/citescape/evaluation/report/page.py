"""A report as one HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from citescape.evaluation.report.content import (
    Cell,
    Lines,
    Part,
    Picture,
    Report,
    Section,
    Table,
    Terms,
)
from citescape.reports.template import Html, Page

_MANY = 7
"""Columns that stand close to each other, so that a page holds them."""


def write_page(report: Report, template: str, style: str) -> str:
    """The page; all that comes from data is escaped.

    Args:
        report: its content.
        template: HTML with the blocks of `template.Page`.
        style: of its pictures.
    """
    page = Page(template)
    return page.fill(
        {
            "style": Html(style),
            "kicker": report.kicker,
            "title": report.title,
            "finding": report.finding,
            "about": report.about,
            "facts": _list(page, report.facts, around="facts", each="fact"),
            "sections": page.rows("section", [_section(page, one) for one in report.sections]),
            "origin": report.origin,
        }
    )


def _section(page: Page, section: Section) -> dict[str, object]:
    parts = Html("".join(_part(page, part) for part in section.parts if part))
    return {"name": section.name, "heading": section.title, "parts": parts}


def _part(page: Page, part: Part) -> Html:
    if isinstance(part, Table):
        return _table(page, part)
    if isinstance(part, Picture):
        return page.rows("picture", [_picture(part)])
    if isinstance(part, Terms):
        return _list(page, part.rows, around="terms", each="code" if part.code else "term")
    if isinstance(part, Lines):
        return page.rows("lines", [{"text": part.text}])
    return page.rows("paragraph", [{"text": part}])


def _table(page: Page, table: Table) -> Html:
    heads = [
        {"text": name, "style": "n" if place in table.numbers else "t"}
        for place, name in enumerate(table.header)
    ]
    rows = [{"cells": Html("".join(_cells(page, table, row)))} for row in table.rows]
    values = {
        "caption": table.caption,
        "size": "dense" if len(table.header) > _MANY else "plain",
        "heads": page.rows("head", heads),
        "body": page.rows("row", rows),
    }
    return page.rows("closed" if table.closed else "table", [values])


def _cells(page: Page, table: Table, row: Iterable[str | Cell]) -> Iterable[str]:
    for place, cell in enumerate(row):
        if isinstance(cell, Cell):
            span = page.rows("span", [{"text": cell.span}] if cell.span else [])
            yield page.rows("number", [{"text": cell.text, "span": span}])
        else:
            yield page.rows("name" if place < table.names else "text", [{"text": cell}])


def _picture(picture: Picture) -> dict[str, object]:
    return {
        "title": picture.title,
        "caption": picture.caption,
        "wide": picture.wide.html(),
        "narrow": picture.narrow.html(),
    }


def _list(page: Page, rows: Sequence[tuple[str, str]], *, around: str, each: str) -> Html:
    """Nothing at all without rows."""
    told = page.rows(each, [{"name": name, "value": value} for name, value in rows])
    return page.rows(around, [{"rows": told}] if rows else [])
