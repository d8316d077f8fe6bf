"""Main result tables of the papers behind citescape, with rows of the user's evaluations."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import pyarrow as pa

from citescape.core.errors import ConfigError, invalid_choice
from citescape.evaluation.report.markdown import escape, format_row
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.papers.bibtex import escape_latex
from citescape.runs.result import Part, Result, Summary, Table, Text

_COLUMNS = "columns"
"""Condition of the columns of SciRepEval, which a run has among its counts."""
PUBLISHED = "published"
"""Source of the rows of the paper."""
_REASONS = {
    "scidocs": "its data lack these tasks, and an average needs all twelve columns",
    "scirepeval": "its data lack these tasks, and an average needs all of its tasks",
    "mdcr": "its benchmark has other fields",
    "lcr": "its lists are shorter than these cuts",
}
"""Benchmark -> why an evaluation has no figure for a column."""
WARNING = "Published figures were measured on other data than yours: do not compare them directly."


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper."""

    name: str
    paper: str
    table: str
    caption: str
    benchmark: str
    """Benchmark of the evaluations that can fill rows, as in their records."""
    decimals: int
    notes: tuple[str, ...]
    columns: tuple[str, ...]
    figures: tuple[tuple[str, str, str], ...]
    """Condition, group and metric of each column."""
    systems: Mapping[str, tuple[float, ...]]
    """Published rows, in per cent."""


@cache
def read_published() -> Mapping[str, PublishedTable]:
    """Name -> table."""
    text = files(__package__).joinpath("published_tables.toml").read_text(encoding="utf-8")
    tables = {}
    for name, content in tomllib.loads(text).items():
        systems = {system: tuple(row) for system, row in content["systems"].items()}
        named = {key: content[key] for key in ("paper", "table", "caption", "benchmark")}
        tables[name] = PublishedTable(
            name,
            **named,
            decimals=content["decimals"],
            notes=tuple(content["notes"]),
            columns=tuple(content["columns"]),
            figures=tuple(map(tuple, content["figures"])),
            systems=systems,
        )
    return tables


def find_published(name: str) -> PublishedTable:
    """A table by its name.

    Raises:
        ConfigError: no such table; the message lists the names.
    """
    tables = read_published()
    if name not in tables:
        raise invalid_choice("table", name, tables)
    return tables[name]


@dataclass(frozen=True)
class FilledTable(Result):
    """A published table with own rows below."""

    published: PublishedTable
    rows: Sequence[tuple[str, str, tuple[float | None, ...]]]
    """Source (`PUBLISHED` or the run), system, and figures in per cent."""
    reasons: tuple[str, ...]
    """Why cells of own rows are empty."""

    @property
    def arrow(self) -> pa.Table:
        """A row per system: source (`published`, or a run), system, and the columns of the table.

        Figures are in per cent; null for a missing one.
        """
        names = ("source", "system", *self.published.columns)
        rows = [(source, system, *values) for source, system, values in self.rows]
        return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])

    def _format(self, value: float | None) -> str:
        return "" if value is None else f"{value:.{self.published.decimals}f}"

    def _list_notes(self) -> Iterator[str]:
        yield WARNING
        yield from self.published.notes
        yield from self.reasons

    @property
    def _title(self) -> str:
        published = self.published
        return f"{published.paper}, {published.table}: {published.caption}"

    def summarise(self) -> Summary:
        """The table, with the source of each row, and notes."""
        rows = [
            (system, source, *map(self._format, values)) for source, system, values in self.rows
        ]
        parts: list[Part] = [self._title, ""]
        parts.append(Table(("", "source", *self.published.columns), rows))
        for note in self._list_notes():
            parts += ["", Text(note)]
        notes = list(self._list_notes())
        figures = {"table": self.published.name, "rows": self.arrow.to_pylist(), "notes": notes}
        return Summary(parts, figures)

    def to_markdown(self) -> str:
        """The table in Markdown."""
        columns = self.published.columns
        lines = [
            f"**{escape(self._title)}**",
            "",
            format_row(("system", "source", *columns)),
            f"| --- | --- |{' ---: |' * len(columns)}",
        ]
        lines += [
            format_row((system, source, *map(self._format, values)))
            for source, system, values in self.rows
        ]
        return "\n".join([*lines, *(f"\n{escape(note)}" for note in self._list_notes())]) + "\n"

    def to_latex(self) -> str:
        r"""The table in LaTeX, for the package booktabs; a \midrule is above own rows."""
        columns = self.published.columns
        lines = [
            r"\begin{table}",
            rf"\caption{{{escape_latex(' '.join([self._title, *self._list_notes()]))}}}",
            rf"\begin{{tabular}}{{ll{'r' * len(columns)}}}",
            r"\toprule",
            _join(("system", "source", *columns)),
            r"\midrule",
        ]
        before = PUBLISHED
        for source, system, values in self.rows:
            if before == PUBLISHED != source:
                lines.append(r"\midrule")
            before = source
            lines.append(_join((system, source, *map(self._format, values))))
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]) + "\n"


@dataclass(frozen=True)
class TableList(Result):
    """Published tables that can be filled."""

    published: Sequence[PublishedTable]

    @property
    def arrow(self) -> pa.Table:
        """One row per table: table, paper, number, caption, benchmark."""
        rows = [(t.name, t.paper, t.table, t.caption, t.benchmark) for t in self.published]
        names = ("table", "paper", "number", "caption", "benchmark")
        return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])

    def summarise(self) -> Summary:
        """The list."""
        rows = self.arrow.to_pylist()
        shown = Table(tuple(rows[0]), [tuple(row.values()) for row in rows])
        return Summary([shown], {"tables": rows})


def fill_table(published: PublishedTable, runs: Sequence[EvaluationRun]) -> FilledTable:
    """A published table with a row for each system of evaluations.

    Args:
        published: the table.
        runs: evaluations on the same benchmark, which may have other data.

    Raises:
        ConfigError: an evaluation is of another benchmark.
        SourceError: a file of a run is missing or damaged.
    """
    rows: list[tuple[str, str, tuple[float | None, ...]]] = [
        (PUBLISHED, system, values) for system, values in published.systems.items()
    ]
    reasons = []
    for run in runs:
        benchmark = run.record.config.get("benchmark")
        if benchmark != published.benchmark:
            raise ConfigError(
                f"{run.run} is an evaluation of {benchmark}; expected one of "
                f"{published.benchmark}: `platform evaluate {published.benchmark}`"
            )
        for system in run.counts["systems"]:
            values = tuple(_find_values(run, system, published))
            rows.append((run.run, system, values))
            missing = [
                column
                for column, value in zip(published.columns, values, strict=True)
                if value is None
            ]
            if missing:
                reasons.append(_explain(run, system, missing, published))
    return FilledTable(published, rows, tuple(reasons))


def _find_values(
    run: EvaluationRun, system: str, published: PublishedTable
) -> Iterator[float | None]:
    means = {
        (row["condition"], row["group"] or "", row["metric"]): row["mean"]
        for row in run.figures.to_pylist()
        if row["system"] == system
    }
    columns: Mapping[str, Any] = run.counts.get("columns", {}).get(system, {})
    for condition, group, metric in published.figures:
        if condition == _COLUMNS:
            yield columns.get(metric)
        else:
            mean = means.get((condition, group, metric))
            yield None if mean is None else 100 * mean


def _explain(
    run: EvaluationRun, system: str, missing: Sequence[str], published: PublishedTable
) -> str:
    """Why cells of a row are empty."""
    reason = _REASONS[published.benchmark]
    if published.benchmark == "scidocs" and any(c.startswith("Recomm.") for c in missing):
        reason += "; published recommendations need `--ranker features`"
    shown = ", ".join(missing) if len(missing) < 9 else f"{len(missing)} columns"
    return f"{system} of {run.run} has no figure for {shown}: {reason}."


def _join(cells: Sequence[str]) -> str:
    return " & ".join(map(escape_latex, cells)) + r" \\"
