"""`platform cypher`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import output_options, store_option
from citescape.cli.output import echo_json

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.graph.store import GraphStore

_PROMPT, _MORE = "cypher> ", "      > "
_WIDEST = 60


@click.command()
@click.argument("statement", required=False)
@click.option(
    "--file",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read the statement from a file.",
)
@click.option("--name", help="Run a query of the library; `--list` shows them.")
@click.option("--list", "list_queries", is_flag=True, help="List the library's queries.")
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
    type=click.Choice(("table", "csv", "json", "arrow")),
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
    params: tuple[str, ...],
    form: str,
    write: bool,
    store: str,
    as_json: bool,
) -> None:
    """Ask the graph a question in Cypher.

    One STATEMENT, a --file, a library query by --name, or without any of them a console. The graph
    cannot be changed without --write.

    \b
    Examples:
      platform cypher "MATCH (p:Paper) WHERE p.fulltext RETURN p.title LIMIT 5"
      platform cypher --name explore/most_important --param limit=10
      platform cypher --output csv --file question.cypher > answer.csv
    """
    from citescape.graph.queries import query
    from citescape.graph.store import open_store

    if list_queries:
        _list()
        return
    if sum(x is not None for x in (statement, file, name)) > 1:
        raise click.UsageError("give a statement, --file or --name, not several of them")
    given = dict(_parameter(text) for text in params)
    text = file.read_text(encoding="utf-8") if file else statement
    asked = query(name) if name else text
    graph = open_store(store, read_only=not write, create=False)
    try:
        if asked is None:
            _console(graph, "json" if as_json else form, write=write)
        else:
            _show(_run(graph, asked, given, write=write), "json" if as_json else form)
    finally:
        graph.close()


def _run(graph: GraphStore, asked: Any, params: dict[str, object], *, write: bool) -> pa.Table:
    import pyarrow as pa

    if not write:
        return graph.read(asked, **params)
    graph.write(asked, **params)
    return pa.table({})


def _parameter(text: str) -> tuple[str, object]:
    import json

    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--param {text!r}; expected NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _list() -> None:
    from citescape.graph.queries import library

    for name, found in library().items():
        click.echo(f"{name:32} {found.doc.splitlines()[0] if found.doc else ''}")


def _show(rows: pa.Table, form: str) -> None:
    if form == "json":
        echo_json(rows.to_pylist())
    elif form == "csv":
        _write_csv(rows)
    elif form == "arrow":
        import pyarrow as pa

        with pa.ipc.new_stream(sys.stdout.buffer, rows.schema) as stream:
            stream.write_table(rows)
    else:
        _print_table(rows)


def _write_csv(rows: pa.Table) -> None:
    """CSV; lists and maps as JSON, since CSV has no form of its own for them."""
    import csv
    import json

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(rows.column_names)
    for row in rows.to_pylist():
        writer.writerow(
            json.dumps(value, default=str) if isinstance(value, list | dict) else value
            for value in row.values()
        )


def _print_table(rows: pa.Table) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not rows.num_columns:
        click.echo("done")
        return
    table = Table(box=SIMPLE, pad_edge=False)
    for name in rows.column_names:
        numeric = str(rows.schema.field(name).type) in ("int64", "double")
        table.add_column(name, justify="right" if numeric else "left", max_width=_WIDEST)
    for row in rows.to_pylist():
        table.add_row(*(Text(_text(value)) for value in row.values()))
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    console.print(table)
    click.echo(f"{rows.num_rows:,} rows")


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _console(graph: GraphStore, form: str, *, write: bool) -> None:
    """Reads statements up to `;` or an empty line until `exit` or end of input; keeps a history."""
    from citescape.errors import CitescapeError

    _keep_history()
    click.echo(f"{graph.location}: end a statement with ; or an empty line, leave with exit")
    while (text := _read_statement()) is not None:
        try:
            if text:
                _show(_run(graph, text, {}, write=write), form)
        except CitescapeError as error:
            click.echo(str(error), err=True)


def _keep_history() -> None:
    import atexit
    import os
    import readline

    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    file = state / "citescape" / "cypher_history"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            readline.read_history_file(file)
        atexit.register(readline.write_history_file, file)
    except OSError:
        return  # a home that cannot be written to costs the history only
    readline.set_history_length(1000)


def _read_statement() -> str | None:
    lines: list[str] = []
    while True:
        try:
            line = input(_MORE if lines else _PROMPT)
        except EOFError:
            return None
        if not lines and line.strip() in ("exit", "quit", ":q"):
            return None
        lines.append(line)
        if line.rstrip().endswith(";") or not line.strip():
            return "\n".join(lines).strip().rstrip(";").strip()
