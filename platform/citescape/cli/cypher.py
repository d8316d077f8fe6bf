"""`platform cypher`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli import cypher_library
from citescape.cli.console import converse
from citescape.cli.cypher_rows import FORMS, show_rows
from citescape.cli.options import output_options, store_option
from citescape.core.config import QUERY_SECONDS
from citescape.core.errors import ConfigError
from citescape.core.terminal import echo
from citescape.runs.result import plural
from citescape.runs.save import check_save, save_tables

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.store.graph_store import GraphStore
    from citescape.store.queries import Query

_NAME = re.compile(r"[a-z]+/\w+")
_BETWEEN_PARAMETERS = re.compile(r"\s+(?=\w+=)")


@click.command()
@click.argument("statement", required=False, metavar="[STATEMENT|NAME]")
@click.option(
    "--file",
    "file",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    help="Read the statement from a file; - is standard input.",
)
@click.option("--list", "list_queries", is_flag=True, help="List the queries of the library.")
@click.option(
    "--all", "everything", is_flag=True, help="With --list: also the queries of other commands."
)
@click.option("--show", metavar="NAME", help="Show a query of the library: parameters and text.")
@click.option(
    "--browser",
    is_flag=True,
    help="With --show: text to paste into Neo4j Browser or cypher-shell, with :param lines.",
)
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter; numbers, true, null, lists and strings as JSON, any other text as a string.",
)
@click.option(
    "--output",
    "form",
    type=click.Choice(tuple(FORMS)),
    help="Format of rows; by default a table of at most 1,000. arrow is an IPC stream for pandas, "
    "polars, R and others.",
)
@click.option(
    "--raw",
    is_flag=True,
    help="With --output csv: leave text that a spreadsheet would run as a formula as it is.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the rows to a file instead: .csv, .json, .parquet or .xlsx.",
)
@click.option("--write", is_flag=True, help="Allow the statement to change the graph.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    default=QUERY_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Stop a query that takes longer; 0 for no limit.",
)
@store_option
@output_options
def cypher(
    statement: str | None,
    file: Path | None,
    list_queries: bool,
    everything: bool,
    show: str | None,
    browser: bool,
    params: tuple[str, ...],
    form: str | None,
    raw: bool,
    save: Path | None,
    write: bool,
    timeout: float,
    store: str,
    as_json: bool,
) -> None:
    """Query the graph in Cypher.

    One STATEMENT, the NAME of a query of the library with its parameters, a --file, or a statement
    on standard input. On a terminal and without any of them: a console with history. Without
    --write a statement can only read: no clause that changes the graph, no file, no network.

    --list names the queries of the library and their parameters, --show prints one with the
    meaning of each. Parameters with a default may be left out.

    \b
    Examples:
      platform cypher "MATCH (p:Paper) WHERE p.fulltext RETURN p.title LIMIT 5"
      platform cypher --list
      platform cypher explore/most_important --param limit=10
      platform cypher explore/contexts --param paper=10.1000/abc
      platform cypher --show explore/contexts --browser
      platform cypher --file question.cypher --save answer.xlsx
      platform cypher --output csv --file question.cypher > answer.csv
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.store.graph_store import open_store

    if list_queries:
        cypher_library.list_queries(everything=everything, as_json=as_json)
        return
    if browser and (show is None or as_json):
        raise click.UsageError("--browser needs --show NAME and prints text; leave out --json")
    if show is not None and browser:
        cypher_library.show_for_browser(show)
        return
    if show is not None:
        cypher_library.show_query(show, location=store, as_json=as_json)
        return
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --output {form} are two formats; give one of them")
    chosen = "json" if as_json else form or "table"
    if raw and chosen != "csv":
        raise click.UsageError("--raw needs --output csv")
    given = dict(parse_parameter(text) for text in params)
    query = _find_statement(statement, file)
    if save and (form or as_json):
        raise click.UsageError(
            "--save takes its format from the name of the file; leave out --output and --json"
        )
    if save and query is None:
        raise click.UsageError("--save needs a statement; the console shows rows only")
    if save:
        check_save(save, page=False)
    graph = open_store(store, read_only=not write, create=False)
    show_answer = partial(show_rows, form=chosen, raw=raw) if save is None else partial(_save, save)
    answer = partial(_run_statement, graph, show=show_answer, write=write, timeout=timeout)
    try:
        if query is None:
            converse(store, lambda text: answer(*_parse_line(text)), write=write)
        else:
            answer(query, given)
    finally:
        graph.close()


def parse_parameter(text: str) -> tuple[str, object]:
    """Name and value of `NAME=VALUE`.

    Raises:
        UsageError: there is no `=`.
    """
    import json

    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--param is {text!r}; expected NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _find_statement(statement: str | None, file: Path | None) -> Query | str | None:
    """The statement to run; None for a console."""
    from citescape.store.queries import query

    if statement is not None and file is not None:
        raise click.UsageError("give a statement or --file, not both")
    if statement is not None and _NAME.fullmatch(statement.strip()):
        return query(statement.strip())
    if statement is None and file is None and sys.stdin.isatty():
        return None
    text = statement
    if text is None:
        try:
            if file is None or str(file) == "-":
                text = sys.stdin.read()
            else:
                text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            place = file or "standard input"
            raise ConfigError(
                f"{place} is not text in UTF-8 ({error.reason}); save it as UTF-8"
            ) from error
    if not text.strip(" \t\r\n;"):
        raise click.UsageError(
            "the statement is empty; give one, or the NAME of a query (see --list)"
        )
    return text.strip().rstrip(";")


def _run_statement(
    graph: GraphStore,
    statement: Query | str,
    given: dict[str, object],
    *,
    show: Callable[[pa.Table], None],
    write: bool,
    timeout: float,
) -> None:
    """Runs a statement, prints the warnings of the engine, and shows or saves the rows."""
    import warnings

    from citescape.papers.cypher import run_cypher

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")  # warnings of libraries are for programmers
        warnings.simplefilter("always", UserWarning)
        rows = run_cypher(graph, statement, given, write=write, timeout=timeout)
    for warning in caught:
        echo(f"warning: {warning.message}", err=True)
    show(rows)


def _save(path: Path, rows: pa.Table) -> None:
    save_tables({"rows": rows}, path)
    echo(f"{plural(rows.num_rows, 'row')} in {path}")


def _parse_line(text: str) -> tuple[Query | str, dict[str, object]]:
    """A line of the console as a statement, or as a library query with its parameters."""
    from citescape.store.queries import query

    name, *rest = _BETWEEN_PARAMETERS.split(text)
    first, *odd = name.split() or [""]
    if not _NAME.fullmatch(first):
        return text, {}
    return query(first), dict(map(parse_parameter, (*odd, *rest)))
