"""Builds the page about a corpus: figures, losses, pictures, tables, and the Cypher of each."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from citescape.core.config import quote_command, store_words
from citescape.core.errors import StoreError
from citescape.core.files import write_files
from citescape.corpus_report.pairs import read_pairs, read_totals
from citescape.corpus_report.pictures import draw_by_section, draw_distribution
from citescape.corpus_report.questions import QUESTIONS, Question, Row
from citescape.mapping.maps.drawn import MapRun
from citescape.reports.template import Html, Page
from citescape.runs.context import Context
from citescape.runs.kept import list_kept
from citescape.runs.result import Result, Summary
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


@dataclass(frozen=True)
class CorpusReport(Result):
    """A page about a corpus."""

    path: Path
    shown: tuple[str, ...]
    """Titles of the parts it has."""
    left_out: tuple[tuple[str, str], ...]
    """Titles of parts without data, and the command that makes them."""

    def summarise(self) -> Summary:
        """Where the page is, and what would make it complete."""
        figures = {
            "path": str(self.path),
            "shown": list(self.shown),
            "left_out": [{"part": part, "command": command} for part, command in self.left_out],
        }
        lines = [f"{self.path}: {', '.join(self.shown)}"]
        return Summary(lines, figures, [(f"to add: {p.lower()}", c) for p, c in self.left_out])

    def _repr_html_(self) -> str:
        return self.path.read_text(encoding="utf-8")


def build_report(context: Context, out: Path) -> CorpusReport:
    """Writes the page; what is there is replaced.

    Args:
        context: the store and the runs, among which the latest map is looked for.
        out: the HTML file.

    Raises:
        StoreError: the store has no citations.
        ConfigError: the file cannot be written.
    """
    store = context.store
    context.progress("reading citations")
    pairs = read_pairs(store)
    if not len(pairs):
        raise StoreError(
            f"{store.location} has no citations; load papers with "
            f"{quote_command('ingest PATH', store.location)}"
        )
    page = Page(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    totals = read_totals(store)
    shown, parts = ["losses", "importance"], []
    left_out: list[tuple[str, str]] = []
    for question in QUESTIONS:
        context.progress(question.title.lower())
        found = store.read(query(question.query), **{**_defaults(question), **question.params})
        rows = question.arrange(found.to_pylist())
        if rows:
            parts.append(_table(page, question, rows, location=store.location))
            shown.append(question.title.lower())
        else:
            left_out.append((question.title, question.missing))
    picture = _map(page, context)
    if picture:
        shown.append("map")
    else:
        left_out.append(("Map", "map"))
    scored = bool(pairs.importance.any())
    text = page.fill(
        {
            "location": store.location,
            "lead": f"{totals['fulltext_papers']:,} papers with their references, "
            f"{totals['papers']:,} works and {totals['citations']:,} citations.",
            "figures": _figures(page, totals, float(pairs.shared.mean())),
            "losses": _losses(page, store, loaded=totals["occurrences"]),
            "importance": page.rows(
                "importance",
                [
                    {
                        "by_section": draw_by_section(pairs),
                        "by_section_narrow": draw_by_section(pairs, narrow=True),
                        "distribution": draw_distribution(pairs.importance),
                    }
                ]
                if scored
                else [],
            ),
            "parts": Html("".join(parts)),
            "map": picture,
            "left_out": page.rows(
                "left_out",
                (
                    {"part": part, "command": f"platform {words}{store_words(store.location)}"}
                    for part, words in left_out
                ),
            ),
        }
    )
    write_files({out: lambda file: file.write(text.encode())})
    return CorpusReport(out, tuple(shown), tuple(left_out))


def _defaults(question: Question) -> dict[str, object]:
    return dict(query(question.query).defaults)


def _figures(page: Page, totals: dict[str, int], self_citations: float) -> Html:
    figures = {
        "full texts read": f"{totals['fulltext_papers']:,}",
        "works, cited ones included": f"{totals['papers']:,}",
        "citations": f"{totals['citations']:,}",
        "in-text citations": f"{totals['occurrences']:,}",
        "authors": f"{totals['authors']:,}",
        "self-citations": f"{self_citations:.1%}",
    }
    return page.rows("figure", ({"name": n, "value": v} for n, v in figures.items()))


def _losses(page: Page, store: GraphStore, *, loaded: int) -> Html:
    """Pointers in the texts = in-text citations + lost ones, by reason."""
    pointers, lost = 0, Counter[str]()
    for text in store.read(query("ingest/losses"))["losses"].to_pylist():
        account = json.loads(text) if text else {}
        pointers += account.get("anchors", 0)
        lost.update(account.get("lost", {}))
    counts = {"pointers to references in the texts": pointers, "in-text citations": loaded}
    counts |= {f"lost: {reason}": number for reason, number in lost.most_common()}
    return page.rows("loss", ({"name": n, "value": f"{v:,}"} for n, v in counts.items()))


def _table(page: Page, question: Question, rows: Sequence[Row], *, location: str) -> Html:
    head = page.rows(
        "head", ({"name": title, "style": _style(rows, c)} for c, title in question.columns.items())
    )
    body = page.rows(
        "row",
        (
            {
                "cells": page.rows(
                    "cell",
                    (
                        {"value": _show(column, row.get(column)), "style": _style(rows, column)}
                        for column in question.columns
                    ),
                )
            }
            for row in rows
        ),
    )
    cypher = query(question.query)
    return page.rows(
        "part",
        [
            {
                "anchor": question.anchor,
                "title": question.title,
                "text": question.text,
                "head": head,
                "rows": body,
                "cypher": cypher.text.strip(),
                "command": f"platform cypher --name {question.query}{store_words(location)}",
            }
        ],
    )


def _style(rows: Sequence[Row], column: str) -> str:
    values = [row.get(column) for row in rows]
    return "n" if all(isinstance(v, int | float | None) for v in values) else "t"


def _show(column: str, value: Any) -> str:
    """Years as they are, shares in per cent, other numbers with thousands separated."""
    if value is None:
        return "–"
    if column in ("rate", "self_citation_rate"):
        return f"{value:.1%}"
    if isinstance(value, float):
        return f"{value:.0f}" if column == "mean_year" else f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) and column != "year" else str(value)


def _map(page: Page, context: Context) -> Html:
    """The picture of the latest map by topics, inside the page."""
    made = list_kept(MapRun, context.runs)
    pictures = [path for path in made[-1].pictures if path.is_file()] if made else []
    if not pictures:
        return Html()
    image = b64encode(pictures[0].read_bytes()).decode()
    return page.rows("atlas", [{"run": made[-1].run, "image": f"data:image/png;base64,{image}"}])
