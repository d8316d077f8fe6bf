"""Sphinx extension: pages that are made from the code, and the notebooks.

Before Sphinx reads the sources, it writes below `docs/`:

- `reference/commands/`: one page for each command, from the click commands;
- `reference/python/`: `citescape.open`, the methods of a corpus, results and settings, from the
  steps;
- `reference/cookbook.md`: queries of `cypher/explore/` and `cypher/facets/`, from their headers;
- `reference/graph.svg`: the picture of the graph, in place of the diagram of `schema.md`;
- `notebooks/`: copies of the notebooks with their stored outputs.

These files are not in git.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pages_of_commands
import pages_of_cypher
import pages_of_python
import pages_of_schema
from pygments import token
from pygments.lexers.graph import CypherLexer

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent


def make_pages() -> dict[str, str]:
    """Texts of all generated pages by their path below `docs/`."""
    pages = pages_of_commands.make_pages() | pages_of_python.make_pages()
    pages["reference/cookbook.md"] = pages_of_cypher.make_page()
    pages["reference/graph.svg"] = pages_of_schema.make_picture()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        pages[f"notebooks/{path.name}"] = path.read_text(encoding="utf-8")
    return pages


def write_pages(_app: Any = None) -> None:
    """Writes the pages whose text has changed and removes those that are no longer made."""
    pages = make_pages()
    for folder in ("reference/commands", "reference/python", "notebooks"):
        for path in (DOCS / folder).glob("*.*"):
            if path.relative_to(DOCS).as_posix() not in pages and path.name != "index.md":
                path.unlink()
    for name, text in pages.items():
        path = DOCS / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


class Cypher(CypherLexer):  # type: ignore[misc]
    """Cypher with what the lexer of Pygments does not know: parameters and operators."""

    tokens = {  # noqa: RUF012
        **CypherLexer.tokens,
        "root": [
            *CypherLexer.tokens["root"],
            (r"\$\w+", token.Name.Variable),
            (r"[-+*/%=<>]", token.Operator),
            (r".", token.Text),
        ],
    }


def show_picture(_app: Any, page: str, source: list[str]) -> None:
    """The picture in place of the diagram, which needs a script to be drawn."""
    if page == "schema":
        picture = "![Labels and relationships of the graph](reference/graph.svg)"
        source[0] = pages_of_schema.FENCE.sub(picture, source[0])


def setup(app: Any) -> dict[str, object]:
    """Called by Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", show_picture)
    app.add_lexer("cypher", Cypher)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
