r"""A query of the library as text for Neo4j Browser and cypher-shell.

Both set a parameter with `:param name => expression`, on one line. Neo4j Browser needs `;` between
such a line and what follows; cypher-shell 5 removes it. Comments may stand before a `:param` line
in both.
"""

from __future__ import annotations

import json
import re

from citescape.store.queries import Parameter, Query

_PAPER = "doi:10.1000/your-paper"
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_ESCAPES = {
    "\\": r"\\",
    "'": r"\'",
    "\b": r"\b",
    "\t": r"\t",
    "\n": r"\n",
    "\f": r"\f",
    "\r": r"\r",
}


def browser_text(query: Query) -> str:
    """Header of the query as comments, and `browser_statement`."""
    header = (f"// {line}".rstrip() for line in query.doc.splitlines())
    return "\n".join((*header, browser_statement(query)))


def browser_statement(query: Query) -> str:
    """One `:param` line per parameter, with its default or an example, and the statement with `;`.

    A value to replace, such as the id of a paper of the user, has a comment line before it.
    """
    lines = [line for parameter in query.declared for line in _parameter_lines(parameter)]
    return "\n".join((*lines, f"{query.text_for('neo4j')};"))


def cypher_literal(value: object) -> str:
    """A JSON value as a Cypher expression of one line."""
    match value:
        case None:
            return "null"
        case str():
            return f"'{''.join(map(_escape, value))}'"
        case list():
            return f"[{', '.join(map(cypher_literal, value))}]"
        case dict():
            return (
                f"{{{', '.join(f'{_key(key)}: {cypher_literal(v)}' for key, v in value.items())}}}"
            )
        case _:
            return json.dumps(value)  # numbers, true, false: as JSON writes them


def _parameter_lines(parameter: Parameter) -> list[str]:
    name = parameter.name
    if parameter.default:
        return [_assignment(name, json.loads(parameter.default))]
    if parameter.kind == "paper":
        return [
            f"// Replace the value of {name}: `id` of a paper in your graph.",
            _assignment(name, _PAPER),
        ]
    if parameter.kind == "papers":
        return [
            f"// Replace the value of {name}: list of the `id` of papers in your graph.",
            _assignment(name, [_PAPER]),
        ]
    example = json.loads(parameter.example or "null")
    return [f"// Replace the value of {name}: {parameter.meaning}.", _assignment(name, example)]


def _assignment(name: str, value: object) -> str:
    return f":param {name} => {cypher_literal(value)};"


def _escape(character: str) -> str:
    # A line break of Unicode, such as U+2028, would end the line of `:param` in an editor.
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    units = character.encode("utf-16-be")
    return "".join(rf"\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def _key(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) else f"`{name.replace('`', '``')}`"
