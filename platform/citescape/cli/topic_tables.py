"""What `platform topics` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citescape.cli.output import echo_table, number
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.mapping.communities.resolution import Chosen
    from citescape.mapping.communities.topics import TopicsRun

_LABEL, _FIELD, _TITLE, _TERMS = 40, 24, 60, 3
"""Widths, and terms beside the label."""
_BAR = 40


def find_row(run: str, table: pa.Table, named: str) -> int:
    """The row of a topic, by its name or label, capitals aside.

    Raises:
        ConfigError: there is none; the message names some.
    """
    from difflib import get_close_matches

    from citescape.core.errors import ConfigError

    rows = table.select(["name", "label"]).to_pylist()
    known: dict[str, int] = {}
    for place, row in enumerate(rows):
        known.setdefault(row["name"].casefold(), place)
        known.setdefault((row["label"] or "").casefold(), place)
    if named.casefold() in known:
        return known[named.casefold()]
    near = [rows[known[one]] for one in get_close_matches(named.casefold(), known)] or rows[:3]
    told = ", ".join(f"{row['name']} ({row['label']})" for row in near) or "none"
    raise ConfigError(f"no topic is named {named!r} in {run}; there are: {told}")


def tell_topics(made: TopicsRun, table: pa.Table, named: int | None) -> dict[str, Any]:
    """The run, its figures, and its topics with their terms; all of the one that is named."""
    plain = table.drop_columns(["terms", "years", "papers"]).to_pylist()
    terms = [[one["term"] for one in told] for told in table["terms"].to_pylist()]
    told = [{**row, "terms": names} for row, names in zip(plain, terms, strict=True)]
    one = {} if named is None else {"topic": table.slice(named, 1).to_pylist()[0]}
    return {
        "run": made.run,
        "path": str(made.path),
        "unchanged": made.unchanged,
        "clustering": made.clustering,
        "level": made.level,
        **made.counts,
        "topics": told,
        **one,
    }


def print_topics(made: TopicsRun, table: pa.Table, *, limit: int, written: int) -> None:
    """A row a topic, the largest first."""
    counts = made.counts
    echo(
        f"{plural(counts['topics'], 'topic')} of {plural(counts['papers'], 'paper')}: level "
        f"{made.level} of {made.clustering}",
        "",
    )
    weight = _weight(made)
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
        for row in table.slice(0, limit).to_pylist()
    ]
    header = ("topic", "label", "papers", "mean year", weight, "main field", "DIV", "further terms")
    echo_table(header, rows)
    if len(table) > limit:
        echo(f"and {plural(len(table) - limit, 'smaller one')}: --limit, or --csv FILE")
    echo("", *_notes(counts))
    state = "there already" if made.unchanged else f"{made.record.seconds:,.0f} s"
    echo(f"run {made.run} in {made.path} ({state})")
    if written:
        echo(f"graph: {plural(written, 'community', 'communities')} described")


def print_topic(made: TopicsRun, row: dict[str, Any]) -> None:
    """All of one topic."""
    weight = _weight(made)
    above = f", part of {row['parent']}" if row["parent"] else ""
    echo(f"{row['name']}: {row['label'] or 'no label'}", "")
    echo(f"{plural(row['size'], 'paper')}{above}; mean year {_year(row['mean_year'])}")
    echo(f"{weight} received: {_shown(_amount(row['importance'], weight))}")
    echo(f"main field: {row['field'] or 'none'}; DIV {_shown(row['diversity'])}", "")
    if row["years"]:
        _print_years(row["years"])
    terms = [(one["term"], round(one["score"]), one["papers"]) for one in row["terms"]]
    echo_table(("label candidate", "score", "papers"), terms)
    echo()
    papers = [
        (
            _amount(one["importance"], weight),
            str(one["year"] or ""),
            one["id"],
            _cut(one["title"], _TITLE),
        )
        for one in row["papers"]
    ]
    echo_table((weight, "year", "paper", "title"), papers)


def print_curve(chosen: Chosen) -> None:
    """How far the communities of each level agree with reviews."""
    found = chosen.baseline
    echo(
        f"{plural(len(found), 'paper')} cited by one of {plural(len(found.reviews), 'review')}; "
        f"{number(found.shared)} by several, left out",
        "",
    )
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
    echo_table(("level", "resolution", "communities", "adjusted Rand", ""), rows)
    echo("", *((f"note: {chosen.note}", "") if chosen.note else ()))


def _weight(made: TopicsRun) -> str:
    """What a paper weighs, in a word: importance, or citations where there is none."""
    return "citations" if made.counts["weight"] == "citations" else "importance"


def _amount(value: float | None, weight: str) -> float | int | None:
    """Citations are whole numbers."""
    return value if value is None or weight == "importance" else round(value)


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return number(value) if isinstance(value, int) else f"{value:.4f}"


def _year(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _further(row: dict[str, Any]) -> list[str]:
    """Terms that are not in the label."""
    label = row["label"] or ""
    return [one["term"] for one in row["terms"] if one["term"] not in label]


def _print_years(years: list[dict[str, int]]) -> None:
    most = max(one["papers"] for one in years)
    rows = [
        (str(one["year"]), one["papers"], "█" * max(round(_BAR * one["papers"] / most), 1))
        for one in years
    ]
    echo_table(("year", "papers", ""), rows)
    echo()


def _notes(counts: Any) -> list[str]:
    told = {
        "without_text": "no title or abstract",
        "without_year": "no year",
        "without_field": "no field",
    }
    lines = [
        f"{plural(counts[name], 'paper')} with {what}"
        for name, what in told.items()
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
