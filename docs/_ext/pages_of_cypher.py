"""The Cypher cookbook: queries of the library, from the headers of their files."""

from __future__ import annotations

import json

from page_markup import code, escape, fence, table

from citescape.store.queries import Parameter, Query, library

_HEAD = """# Cypher cookbook

Ready-made queries. Run one by its name on the command line or in Python, change its text, or paste
it into Neo4j Browser. The page is made from the headers of the files in `cypher/explore/` and
`cypher/facets/`; [the graph](../schema.md) describes labels, relationships and properties.

On the command line and in Python, a parameter that takes a paper accepts a DOI, PMID, PMCID or an
id of the graph. In Neo4j Browser it takes the `id` of the node, such as `doi:10.1038/ng.3825`:
enter the `:param` lines first, then the query.
"""
_SHOWN = ("explore/", "facets/")


def make_page() -> str:
    """The page as Markdown."""
    found = [query for query in library().values() if query.name.startswith(_SHOWN)]
    return "\n\n".join([_HEAD, *map(_section, found)]) + "\n"


def _section(query: Query) -> str:
    sentences = [
        line for line in query.doc.splitlines() if not line.startswith(("param ", "writes: "))
    ]
    parts = [f"## {query.name}", escape(" ".join(filter(None, sentences)))]
    if query.declared:
        rows = [
            (
                code(one.name),
                _kind(one),
                code(one.default) if one.default else "required",
                escape(one.meaning),
            )
            for one in query.declared
        ]
        parts.append(table(("parameter", "value", "default", "meaning"), rows))
    needed = [one for one in query.declared if not one.default]
    words = "".join(f" --param {one.name}={_example(one)}" for one in needed)
    parts.append(fence(f"platform cypher --name {query.name}{words}", "sh"))
    given = "".join(f", {one.name}={_python_example(one)}" for one in needed)
    parts.append(fence(f'corpus.cypher("{query.name}"{given}).to_pandas()', "python"))
    if query.declared:
        lines = [f":param {one.name} => {_browser_example(one)};" for one in query.declared]
        parts.append(fence("\n".join(lines), "text"))
    parts.append(fence(query.text_for("neo4j"), "cypher"))
    if query.text_for("ladybug") != query.text_for("neo4j"):
        parts += ["On ladybug the text is:", fence(query.text_for("ladybug"), "cypher")]
    return "\n\n".join(parts)


def _kind(parameter: Parameter) -> str:
    kinds = {"paper": "a paper", "papers": "a list of papers"}
    if parameter.kind or not parameter.default:
        return kinds.get(parameter.kind, "text")
    value = json.loads(parameter.default)
    names = {str: "text", list: "a list", bool: "true or false"}
    return names.get(type(value), "a number")


def _example(parameter: Parameter) -> str:
    return "10.1038/ng.3825" if parameter.kind else "micro-1"


def _python_example(parameter: Parameter) -> str:
    value = f'"{_example(parameter)}"'
    return f"[{value}]" if parameter.kind == "papers" else value


def _browser_example(parameter: Parameter) -> str:
    if parameter.default:
        return json.dumps(json.loads(parameter.default))
    value = "'doi:10.1038/ng.3825'" if parameter.kind else "'micro-1'"
    return f"[{value}]" if parameter.kind == "papers" else value
