"""`platform cypher`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.cypher_rows import FORMS, show_rows
from citescape.cli.options import output_options, store_option
from citescape.cli.output import echo_json, echo_table
from citescape.errors import CitescapeError, ConfigError

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.graph.queries import Query
    from citescape.graph.store import GraphStore

_NAME = re.compile(r"[a-z]+/\w+")


@click.command()
@click.argument("statement", required=False)
@click.option(
    "--file",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read the statement from a file.",
)
@click.option("--name", help="Run a query of the library; `--list` shows them.")
@click.option("--list", "list_queries", is_flag=True, help="List the library's questions.")
@click.option(
    "--all", "everything", is_flag=True, help="With --list: also the queries of other commands."
)
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter; numbers, true, null, lists and strings as JSON, other text as it stands.",
)
@click.option(
    "--output",
    "form",
    type=click.Choice(tuple(FORMS)),
    default="table",
    show_default=True,
    help="Form of the rows; arrow is an IPC stream for pandas, polars, R and others.",
)
@click.option("--write", is_flag=True, help="Allow the statement to change the graph.")
@store_option
@output_options
def cypher(
    statement: str | None,
    file: Path | None,
    name: str | None,
    list_queries: bool,
    everything: bool,
    params: tuple[str, ...],
    form: str,
    write: bool,
    store: str,
    as_json: bool,
) -> None:
    """Ask the graph a question in Cypher.

    One STATEMENT, a --file, a library query by --name, or a statement on standard input. On a
    terminal and without any of them: a console with history. The graph cannot be changed without
    --write.

    \b
    Examples:
      platform cypher "MATCH (p:Paper) WHERE p.fulltext RETURN p.title LIMIT 5"
      platform cypher --name explore/most_important --param limit=10
      platform cypher --output csv --file question.cypher > answer.csv
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.ask import ask
    from citescape.graph.store import open_store

    if list_queries:
        _list(everything=everything, as_json=as_json)
        return
    form = "json" if as_json else form
    given = dict(parse_parameter(text) for text in params)
    asked = _question(statement, file, name)
    graph = open_store(store, read_only=not write, create=False)
    try:
        if asked is None:
            _converse(graph, form, write=write)
        else:
            show_rows(ask(graph, asked, given, write=write), form)
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


def _question(statement: str | None, file: Path | None, name: str | None) -> Query | str | None:
    """What is asked; None for a console."""
    from citescape.graph.queries import query

    if sum(x is not None for x in (statement, file, name)) > 1:
        raise click.UsageError("give a statement, --file or --name, not several of them")
    if name is not None:
        return query(name)
    if statement is None and file is None and sys.stdin.isatty():
        return None
    text = statement if statement is not None else _read(file)
    if not text.strip(" \t\r\n;"):
        raise click.UsageError("the statement is empty; give one, or --name NAME (see --list)")
    return text.strip().rstrip(";")


def _read(file: Path | None) -> str:
    """The text of a file, or of standard input."""
    try:
        return sys.stdin.read() if file is None else file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        place = file or "standard input"
        raise ConfigError(
            f"{place} is not text in UTF-8 ({error.reason}); save it as UTF-8"
        ) from error


def _list(*, everything: bool, as_json: bool) -> None:
    """The library: questions for people, and with `everything` what commands ask and write."""
    from citescape.graph.queries import library

    rows = [
        (query.name, " ".join(sorted(query.parameters)), query.doc.partition("\n")[0])
        for query in library().values()
        if everything or query.name.startswith("explore/")
    ]
    if as_json:
        names = ("name", "parameters", "doc")
        echo_json([dict(zip(names, (n, p.split(), d), strict=True)) for n, p, d in rows])
    else:
        echo_table(("query", "parameters", "what it does"), rows)


def _converse(graph: GraphStore, form: str, *, write: bool) -> None:
    from citescape.cli.console import keep_history, read_statements

    keep_history()
    click.echo(
        f"{graph.location}: {'changes allowed' if write else 'read only'}. End a statement with ; "
        "or an empty line.\nA library query: explore/totals, or explore/most_important limit=5. "
        "Leave with exit."
    )
    for text in read_statements():
        try:
            show_rows(_answer(graph, text, write=write), form)
        except (CitescapeError, click.UsageError) as error:
            click.echo(" ".join(str(error).split()), err=True)


def _answer(graph: GraphStore, text: str, *, write: bool) -> pa.Table:
    """The rows of what was typed: a statement, or a library query with its parameters."""
    from citescape.ask import ask
    from citescape.graph.queries import query

    first, *rest = text.split()
    if not _NAME.fullmatch(first):
        return ask(graph, text, {}, write=write)
    return ask(graph, query(first), dict(map(parse_parameter, rest)), write=write)
