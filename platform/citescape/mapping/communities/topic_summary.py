"""Summary of topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from citescape.mapping.communities.resolution import LevelChoice
from citescape.mapping.communities.topics import TopicsRun, find_topic
from citescape.networks.summary import cut_title
from citescape.runs.result import Part, Summary, Table, format_cell, plural

_LABEL, _FIELD, _TITLE, _TERMS = 40, 24, 60, 3
"""Widths, and number of terms beside the label."""
_BAR = 40
"""Letters of the longest bar."""
_MISSING = {
    "without_text": "no title or abstract",
    "without_year": "no year",
    "without_field": "no field",
}


def summarise_topics(run: TopicsRun) -> Summary:
    """Topics, the largest first; or one topic in full."""
    table = run.read()
    terms = [[item["term"] for item in items] for items in table["terms"].to_pylist()]
    plain = table.drop_columns(["terms", "years", "papers"]).to_pylist()
    topic = find_topic(run, run.show) if run.show else None
    figures = {
        "run": run.run,
        "path": str(run.path),
        "unchanged": run.unchanged,
        "clustering": run.clustering,
        "level": run.level,
        **run.counts,
        "topics": [{**row, "terms": names} for row, names in zip(plain, terms, strict=True)],
        **({"topic": topic} if topic else {}),
        "curve": run.chosen.curve.to_pylist() if run.chosen else None,
        "graph": run.graph,
    }
    curve = _describe_choice(run.chosen) if run.chosen else []
    if topic:
        return Summary([*curve, *_describe_topic(run, topic)], figures)
    steps = [("details of one topic", "topics --show NAME")]
    return Summary([*curve, *_list_topics(run)], figures, steps)


def _list_topics(run: TopicsRun) -> list[Part]:
    counts, weight, table = run.counts, _name_weight(run), run.read()
    rows = []
    for row in table.slice(0, run.limit).to_pylist():
        label = row["label"] or ""
        further = [item["term"] for item in row["terms"] if item["term"] not in label]
        cells = (
            row["name"],
            cut_title(label, _LABEL),
            row["size"],
            _show_year(row["mean_year"]),
            _show_weight(row["importance"], weight),
            cut_title(row["field"] or "", _FIELD),
            row["diversity"],
            ", ".join(further[:_TERMS]),
        )
        rows.append(cells)
    header = ("topic", "label", "papers", "mean year", weight, "main field", "DIV", "further terms")
    parts: list[Part] = [
        f"{plural(counts['topics'], 'topic')} of {plural(counts['papers'], 'paper')}: level "
        f"{run.level} of {run.clustering}",
        "",
        Table(header, rows),
    ]
    if len(table) > run.limit:
        smaller = plural(len(table) - run.limit, "smaller topic")
        parts.append(f"and {smaller}: use --limit or --save FILE")
    parts.append("")
    for name, reason in _MISSING.items():
        if counts[name]:
            parts.append(f"{plural(counts[name], 'paper')} with {reason}")
    if unknown := counts.get("labels_without_paper"):
        parts.append(f"{plural(unknown, 'label')} of papers not in the store")
    if counts["weight"] == "citations":
        parts.append("citations without importance are counted")
    if counts["weight"] == "none":
        parts.append("no citations, so no importance and no DIV")
    if not counts["with_vector"]:
        parts.append("no vectors of papers, so no topic vectors")
    parts.append(run.describe())
    if run.graph:
        parts.append(f"graph: {plural(run.graph, 'community', 'communities')} described")
    return parts


def _describe_topic(run: TopicsRun, row: Mapping[str, Any]) -> list[Part]:
    weight = _name_weight(run)
    above = f", part of {row['parent']}" if row["parent"] else ""
    maximum = max((item["papers"] for item in row["years"]), default=1)
    years = [
        (str(item["year"]), item["papers"], "█" * max(round(_BAR * item["papers"] / maximum), 1))
        for item in row["years"]
    ]
    terms = [(item["term"], round(item["score"]), item["papers"]) for item in row["terms"]]
    papers = [
        (
            _show_weight(item["importance"], weight),
            str(item["year"] or ""),
            item["id"],
            cut_title(item["title"], _TITLE),
        )
        for item in row["papers"]
    ]
    shown: list[Part] = [Table(("year", "papers", ""), years), ""] if years else []
    return [
        f"{row['name']}: {row['label'] or 'no label'}",
        "",
        f"{plural(row['size'], 'paper')}{above}; mean year {_show_year(row['mean_year'])}",
        f"{weight} received: {format_cell(_show_weight(row['importance'], weight))}",
        f"main field: {row['field'] or 'none'}; DIV {format_cell(row['diversity'])}",
        "",
        *shown,
        Table(("label candidate", "score", "papers"), terms),
        "",
        Table((weight, "year", "paper", "title"), papers),
    ]


def _describe_choice(chosen: LevelChoice) -> list[Part]:
    """Agreement of the communities of each level with reviews."""
    baseline = chosen.baseline
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
        f"{plural(len(baseline), 'paper')} cited by exactly one of "
        f"{plural(len(baseline.reviews), 'review')}; {baseline.shared:,} cited by several are "
        "excluded",
        "",
        Table(("level", "resolution", "communities", "adjusted Rand", ""), rows),
        "",
        *((f"note: {chosen.note}", "") if chosen.note else ()),
    ]


def _name_weight(run: TopicsRun) -> str:
    return "citations" if run.counts["weight"] == "citations" else "importance"


def _show_weight(value: float | None, weight: str) -> float | int | None:
    """Citations are whole numbers."""
    return value if value is None or weight == "importance" else round(value)


def _show_year(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
