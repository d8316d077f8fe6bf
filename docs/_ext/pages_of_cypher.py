"""The Cypher cookbook: queries of the library, from the headers of their files."""

from __future__ import annotations

import json

from page_markup import code, escape, fence, table

from citescape.cli.cypher_browser import browser_statement
from citescape.store.queries import Parameter, Query, library

_HEAD = """# Cypher cookbook

Ready-made queries. Run one by its name on the command line or in Python, change its text, or paste
it into Neo4j Browser. The page is made from the headers of the files in `cypher/explore/` and
`cypher/facets/`; [the graph](../schema.md) describes labels, relationships and properties.

`platform cypher --show NAME --browser` prints a query with its `:param` lines, as each section
ends, to paste unchanged into Neo4j Browser or cypher-shell.

```sh
platform cypher --show explore/most_important --browser
```

<!-- not run: needs cypher-shell -->
```sh
platform cypher --show explore/most_important --browser | cypher-shell -a bolt://localhost:7687
```

On the command line and in Python, a parameter that takes a paper accepts a DOI, PMID, PMCID or an
id of the graph. In Neo4j Browser and cypher-shell it takes the `id` of the node, such as
`doi:10.1038/ng.3825`; a comment marks each value to replace.
"""
_MARK = "<!-- run by: tests/cypher/test_browser.py -->"
"""Tests run the statements on a real Neo4j, and the commands and calls on ladybug."""
_SHOWN = ("explore/", "facets/")


def make_page() -> str:
    """The page as Markdown."""
    queries = [query for query in library().values() if query.name.startswith(_SHOWN)]
    return "\n\n".join([_HEAD, *map(_section, queries)]) + "\n"


def _section(query: Query) -> str:
    sentences = [
        line for line in query.doc.splitlines() if not line.startswith(("param ", "writes: "))
    ]
    parts = [f"## {query.name}", escape(" ".join(filter(None, sentences)))]
    if query.declared:
        rows = [
            (
                code(parameter.name),
                _kind(parameter),
                code(parameter.default) if parameter.default else "required",
                escape(parameter.meaning),
            )
            for parameter in query.declared
        ]
        parts.append(table(("parameter", "value", "default", "meaning"), rows))
    needed = [parameter for parameter in query.declared if not parameter.default]
    options = "".join(f" --param {x.name}={_example(x)}" for x in needed)
    parts.append(fence(f"platform cypher {query.name}{options}", "sh"))
    arguments = "".join(f", {x.name}={_python_example(x)}" for x in needed)
    parts.append(fence(f'corpus.cypher("{query.name}"{arguments}).to_pandas()', "python"))
    parts.append(f"{_MARK}\n{fence(browser_statement(query), 'cypher')}")
    if query.text_for("ladybug") != query.text_for("neo4j"):
        text = f"{_MARK}\n{fence(query.text_for('ladybug'), 'cypher')}"
        parts += ["On ladybug the text is:", text]
    return "\n\n".join(parts)


def _kind(parameter: Parameter) -> str:
    kinds = {"paper": "a paper", "papers": "a list of papers"}
    if parameter.kind or not parameter.default:
        return kinds.get(parameter.kind, "text")
    value = json.loads(parameter.default)
    names = {str: "text", list: "a list", bool: "true or false"}
    return names.get(type(value), "a number")


def _example(parameter: Parameter) -> str:
    return "10.1038/ng.3825" if parameter.kind else str(json.loads(parameter.example))


def _python_example(parameter: Parameter) -> str:
    value = f'"{_example(parameter)}"'
    return f"[{value}]" if parameter.kind == "papers" else value
