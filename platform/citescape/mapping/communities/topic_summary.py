"""What people and programs are shown of topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from citescape.mapping.communities.resolution import Chosen
from citescape.mapping.communities.topics import TopicsRun, find_topic
from citescape.runs.result import Part, Summary, Table, format_cell, plural

_LABEL, _FIELD, _TITLE, _TERMS = 40, 24, 60, 3
"""Widths, and terms beside the label."""
_BAR = 40
_MISSING = {
    "without_text": "no title or abstract",
    "without_year": "no year",
    "without_field": "no field",
}


def summarise_topics(made: TopicsRun) -> Summary:
    """Topics, the largest first; or everything about the one that is to be shown."""
    table = made.read()
    terms = [[one["term"] for one in of] for of in table["terms"].to_pylist()]
    plain = table.drop_columns(["terms", "years", "papers"]).to_pylist()
    topic = find_topic(made, made.show) if made.show else None
    figures = {
        "run": made.run,
        "path": str(made.path),
        "unchanged": made.unchanged,
        "clustering": made.clustering,
        "level": made.level,
        **made.counts,
        "topics": [{**row, "terms": names} for row, names in zip(plain, terms, strict=True)],
        **({"topic": topic} if topic else {}),
        "curve": made.chosen.curve.to_pylist() if made.chosen else None,
        "graph": made.graph,
    }
    curve = _curve(made.chosen) if made.chosen else []
    if topic:
        return Summary([*curve, *_topic(made, topic)], figures)
    return Summary(
        [*curve, *_topics(made)], figures, [("everything about one topic", "topics --show NAME")]
    )


def _topics(made: TopicsRun) -> list[Part]:
    counts, weight, table = made.counts, _weight(made), made.read()
    rows = [
        (
            row["name"],
            _cut(row["label"] or "", _LABEL),
            row["size"],
            _year(row["mean_year"]),
            _amount(row["importance"], weight),
            _cut(row["field"] or "", _FIELD),
            row["diversity"],
            ", ".join(_further(row)[:_TERMS]),
        )
        for row in table.slice(0, made.limit).to_pylist()
    ]
    header = ("topic", "label", "papers", "mean year", weight, "main field", "DIV", "further terms")
    parts: list[Part] = [
        f"{plural(counts['topics'], 'topic')} of {plural(counts['papers'], 'paper')}: level "
        f"{made.level} of {made.clustering}",
        "",
        Table(header, rows),
    ]
    if len(table) > made.limit:
        smaller = plural(len(table) - made.limit, "smaller topic")
        parts.append(f"and {smaller}: --limit, or --save FILE")
    parts += ["", *_notes(counts), made.describe()]
    if made.graph:
        parts.append(f"graph: {plural(made.graph, 'community', 'communities')} described")
    return parts


def _topic(made: TopicsRun, row: Mapping[str, Any]) -> list[Part]:
    weight = _weight(made)
    above = f", part of {row['parent']}" if row["parent"] else ""
    most = max((one["papers"] for one in row["years"]), default=1)
    years = [
        (str(one["year"]), one["papers"], "█" * max(round(_BAR * one["papers"] / most), 1))
        for one in row["years"]
    ]
    terms = [(one["term"], round(one["score"]), one["papers"]) for one in row["terms"]]
    papers = [
        (
            _amount(one["importance"], weight),
            str(one["year"] or ""),
            one["id"],
            _cut(one["title"], _TITLE),
        )
        for one in row["papers"]
    ]
    shown: list[Part] = [Table(("year", "papers", ""), years), ""] if years else []
    return [
        f"{row['name']}: {row['label'] or 'no label'}",
        "",
        f"{plural(row['size'], 'paper')}{above}; mean year {_year(row['mean_year'])}",
        f"{weight} received: {format_cell(_amount(row['importance'], weight))}",
        f"main field: {row['field'] or 'none'}; DIV {format_cell(row['diversity'])}",
        "",
        *shown,
        Table(("label candidate", "score", "papers"), terms),
        "",
        Table((weight, "year", "paper", "title"), papers),
    ]


def _curve(chosen: Chosen) -> list[Part]:
    """Agreement of the communities of each level with reviews."""
    found = chosen.baseline
    rows = [
        (
            row["level"],
            f"{row['resolution']:g}",
            row["communities"],
            row["ari"],
            "chosen" if row["level"] == chosen.level else "",
        )
        for row in chosen.curve.to_pylist()
    ]
    return [
        f"{plural(len(found), 'paper')} cited by one of {plural(len(found.reviews), 'review')}; "
        f"{found.shared:,} cited by several are not counted",
        "",
        Table(("level", "resolution", "communities", "adjusted Rand", ""), rows),
        "",
        *((f"note: {chosen.note}", "") if chosen.note else ()),
    ]


def _weight(made: TopicsRun) -> str:
    """What is summed: importance, or citations where there is none."""
    return "citations" if made.counts["weight"] == "citations" else "importance"


def _amount(value: float | None, weight: str) -> float | int | None:
    """Citations are whole numbers."""
    return value if value is None or weight == "importance" else round(value)


def _year(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _further(row: Mapping[str, Any]) -> list[str]:
    """Terms that are not in the label."""
    label = row["label"] or ""
    return [one["term"] for one in row["terms"] if one["term"] not in label]


def _notes(counts: Mapping[str, Any]) -> list[str]:
    lines = [
        f"{plural(counts[name], 'paper')} with {what}"
        for name, what in _MISSING.items()
        if counts[name]
    ]
    if unknown := counts.get("labels_without_paper"):
        lines.append(f"{plural(unknown, 'label')} of papers not in the store")
    if counts["weight"] == "citations":
        lines.append("citations are counted: they have no importance yet")
    if counts["weight"] == "none":
        lines.append("no citations, so no importance and no DIV")
    if not counts["with_vector"]:
        lines.append("no vectors of papers, so none of topics")
    return lines


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"
