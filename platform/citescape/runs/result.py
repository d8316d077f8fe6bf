"""Results of steps, and their summaries for all outputs.

The terminal, `--json`, notebooks and report pages show a `Summary`; none knows the capability.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from citescape.core.errors import CitescapeError
from citescape.core.extras import require
from citescape.core.terminal import escape, wrap

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow as pa


Row = Sequence[object]
_SHOWN = 20
"""Rows that a notebook shows."""
_WIDTH = 100
"""Columns of paragraphs outside a terminal."""
_TABLE_WIDTH = 80
"""Columns from which optional columns of tables are shown."""


@dataclass(frozen=True)
class Table:
    """A table for people: numbers right-aligned, floats with four decimals, None as a dash."""

    header: Sequence[str]
    rows: Sequence[Row]
    title: str = ""
    widths: Sequence[int] = ()
    """Minimum widths of the first columns, to align tables below each other."""
    optional: int = 0
    """Last columns that a terminal of fewer than 80 columns does not show."""


@dataclass(frozen=True)
class Text:
    """A paragraph, wrapped to the width of the terminal; ids in it are never cut."""

    text: str
    first: str = ""
    """Indent of the first line, or the text in its place."""
    rest: str = ""
    """Indent of the other lines."""
    quote: bool = False
    """A quotation from a paper."""


@dataclass(frozen=True)
class Tabbed:
    """A line with tabs between its columns, as other programs print it."""

    text: str


Part = str | Text | Tabbed | Table


@dataclass(frozen=True)
class Summary:
    """A result in words, tables and figures."""

    parts: Sequence[Part]
    """Lines and tables for people, in this order. An empty line separates paragraphs."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """The JSON object of `--json`, for programs."""
    next: Sequence[tuple[str, str]] = ()
    """Next steps: purpose, and words of a command: ("a picture", "map")."""
    remarks: Sequence[str] = ()
    """Warnings about the input; on standard error, also with `--json`."""


class Result:
    """Base of results. A subclass gives `summarise`, and `arrow` where it has a table.

    `print` shows what the command prints.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # `dataclass` adds a `__repr__` that prints whole arrays, unless the class defines
        # one.
        if "__repr__" not in vars(cls):
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        try:
            return to_text(self.summarise())
        except CitescapeError as error:  # such as a file of the run that was removed
            return f"<{type(self).__name__}: {error}>"

    @property
    def failure(self) -> CitescapeError | None:
        """The error of an incomplete step that has a result.

        The command ends with this error and exit status 1.
        """
        return None

    @property
    def exit_status(self) -> int:
        """Exit status of the command."""
        return 0

    def summarise(self) -> Summary:
        """The result in words, tables and figures."""
        raise NotImplementedError

    def summarise_page(self) -> Summary:
        """The result as a page that stands alone, which may be longer than what is printed."""
        return self.summarise()

    @property
    def arrow(self) -> pa.Table:
        """The main table of the result."""
        raise AttributeError(f"{type(self).__name__} has no table")

    def tables(self) -> dict[str, pa.Table]:
        """All tables of the result by name; the first one is the main table."""
        return {} if type(self).arrow is Result.arrow else {"table": self.arrow}

    def to_pandas(self) -> pandas.DataFrame:
        """The main table as a pandas data frame.

        Raises:
            ConfigError: pandas is not installed.
        """
        require("pandas")
        frame: pandas.DataFrame = self.arrow.to_pandas()
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The main table as a polars data frame.

        Raises:
            ConfigError: polars is not installed.
        """
        require("polars")
        import polars

        frame = polars.from_arrow(self.arrow)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def save(self, path: str | Path) -> None:
        """Writes the table, or the whole output as a page, to a file, whole or not at all.

        Args:
            path: its ending decides the format: .csv, .json, .parquet or .xlsx (all tables), or
                .html for the output.

        Raises:
            ConfigError: no such format, no table, the file cannot be written, or the table has
                more rows than an Excel sheet holds.
        """
        from citescape.runs.save import check_save, save_result

        check_save(Path(path))
        save_result(self, Path(path))

    def _repr_html_(self) -> str:
        return to_html(self.summarise())


class Rows(Result):
    """The rows of a query."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    @property
    def arrow(self) -> pa.Table:
        """The rows as an Arrow table."""
        return self._table

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        rows: list[dict[str, Any]] = self.arrow.to_pylist()
        return rows

    def __len__(self) -> int:
        return int(self.arrow.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_dicts())

    def summarise(self) -> Summary:
        """The first rows as a table."""
        shown = self.arrow.slice(0, _SHOWN)
        more = [f"{len(self) - _SHOWN:,} more rows"] if len(self) > _SHOWN else []
        return Summary(
            [Table(shown.column_names, list_rows(shown)), *more], {"rows": self.to_dicts()}
        )


def to_text(summary: Summary, width: int = _WIDTH) -> str:
    """A summary as lines of text, without control characters.

    Args:
        summary: summary of a result.
        width: columns of paragraphs; tables may be wider.
    """
    lines = [line for part in summary.parts for line in format_part(part, width)]
    lines += [f"{purpose}: platform {words}" for purpose, words in summary.next]
    return "\n".join(lines)


def format_part(part: Part, width: int) -> list[str]:
    """A part of a summary as lines, in which control characters are escaped.

    In tables text is aligned left and numbers right, with two spaces between columns.

    Args:
        part: part of a summary.
        width: columns of paragraphs; a table leaves out its optional columns below 80.
    """
    if isinstance(part, Text):
        return wrap(part.text, width, first=part.first, rest=part.rest)
    if isinstance(part, Tabbed):
        return ["\t".join(map(escape, part.text.split("\t")))]
    if isinstance(part, str):
        return [escape(part)]
    shown = len(part.header) - (part.optional if width < _TABLE_WIDTH else 0)
    values = [row[:shown] for row in part.rows]
    header = [escape(name) for name in part.header[:shown]]
    cells = [
        [escape(format_cell(value, name)) for value, name in zip(row, header, strict=True)]
        for row in values
    ]
    numeric = [
        bool(values)
        and all(isinstance(row[k], int | float | None) or row[k] == "" for row in values)
        for k in range(shown)
    ]
    least = [*part.widths, *[0] * shown][:shown]
    widths = [
        max(minimum, *map(len, column))
        for minimum, column in zip(least, zip(header, *cells, strict=True), strict=True)
    ]
    lines = [escape(part.title)] if part.title else []
    for row in (header, *cells):
        fitted = (
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        )
        lines.append("  ".join(fitted).rstrip())
    return lines


def to_html(summary: Summary) -> str:
    """A summary as HTML: all text escaped, without scripts and styles."""
    parts = []
    for part in summary.parts:
        if isinstance(part, Table):
            head = "".join(f"<th>{html.escape(name)}</th>" for name in part.header)
            rows = ["".join(map(_cell_html, row, part.header)) for row in part.rows]
            body = "".join(f"<tr>{row}</tr>" for row in rows)
            title = f"<caption>{html.escape(part.title)}</caption>" if part.title else ""
            parts.append(
                f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            )
        elif isinstance(part, Text):
            tag = "blockquote" if part.quote else "p"
            parts.append(f"<{tag}>{html.escape(part.first.lstrip() + part.text)}</{tag}>")
        elif isinstance(part, Tabbed):
            parts.append(f"<p>{html.escape(part.text)}</p>")
        elif part:
            parts.append(f"<p>{html.escape(part)}</p>")
    hints = [
        f"<li>{html.escape(purpose)}: <code>platform {html.escape(words)}</code></li>"
        for purpose, words in summary.next
    ]
    return "\n".join([*parts, *(["<ul>", *hints, "</ul>"] if hints else [])])


def to_page(summary: Summary) -> str:
    """A summary as an HTML page without scripts, which needs no other file."""
    template = Template(Path(__file__).with_name("page.html").read_text("utf-8"))
    title = " ".join(to_text(replace(summary, next=())).partition("\n")[0].split())
    return template.substitute(title=html.escape(title), body=to_html(summary))


def _cell_html(value: object, column: str) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    style = ' style="text-align: right"' if is_number else ""
    return f"<td{style}>{html.escape(format_cell(value, column))}</td>"


def format_cell(value: object, column: str = "") -> str:
    """A cell of a table for people: `1,234`, `0.1234`, `-` for None.

    Args:
        value: value of the cell.
        column: header of its column; years have no thousands separator.
    """
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, int) and not isinstance(value, bool) and column != "year":
        return f"{value:,}"
    return str(value)


def plural(count: int, one: str, many: str = "") -> str:
    """`1 row`, `2 rows`, `1,000 rows`.

    Args:
        count: number of items.
        one: singular of the noun.
        many: plural; by default the singular with an s.
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def list_rows(table: pa.Table) -> list[tuple[object, ...]]:
    """The rows of an Arrow table as tuples."""
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def minute(moment: str) -> str:
    """`2026-11-21T06:31:35.123456+00:00` as `2026-11-21 06:31`."""
    return moment[:16].replace("T", " ")
