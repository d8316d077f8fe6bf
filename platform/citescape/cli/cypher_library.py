"""Printing of the query library: its list, and one query with its header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citescape.cli.fitted_table import terminal_width
from citescape.cli.output import echo_json
from citescape.core.config import is_address
from citescape.core.terminal import echo, wrap

if TYPE_CHECKING:
    from citescape.store.queries import Query


def list_queries(*, everything: bool = False, as_json: bool = False) -> None:
    """Prints the queries for users, and with `everything` those of commands."""
    from citescape.store.queries import library, queries_for_people

    listed = list(library().values()) if everything else queries_for_people()
    if as_json:
        echo_json(
            [{"name": q.name, "parameters": sorted(q.parameters), "doc": _gist(q)} for q in listed]
        )
        return
    for query in listed:
        declared = {parameter.name: str(parameter) for parameter in query.declared}
        parameters = " ".join(declared.get(name, name) for name in sorted(query.parameters))
        echo(f"{query.name} {parameters}".rstrip())
        echo(*wrap(_gist(query), min(terminal_width(), 100), first="    ", rest="    "))


def show_query(name: str, *, location: str = "", as_json: bool = False) -> None:
    """Prints one query as a `.cypher` file that the engine of the store at `location` can run.

    Args:
        name: name of the query, such as `explore/cited_for`.
        location: path or address of the store, which decides the engine.
        as_json: prints one line of JSON.
    """
    from citescape.store.queries import query

    shown = query(name)
    text = shown.text_for("neo4j" if is_address(location) else "ladybug")
    if as_json:
        meanings = {parameter.name: parameter.meaning for parameter in shown.declared}
        echo_json({"name": name, "doc": shown.doc, "parameters": meanings, "text": text})
        return
    for line in shown.doc.splitlines():
        echo(f"// {line}".rstrip())
    echo(*text.split("\n"))


def show_for_browser(name: str) -> None:
    """Prints one query with `:param` lines, as Neo4j Browser and cypher-shell take it."""
    from citescape.cli.cypher_browser import browser_text
    from citescape.store.queries import query

    echo(*browser_text(query(name)).split("\n"))


def _gist(query: Query) -> str:
    return query.doc.partition("\n")[0]
