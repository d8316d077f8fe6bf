"""The query library: `.cypher` files, named by their path and read once.

A file begins with a comment block, its documentation:

    // Counts how often each pair is cited, by section type.
    // param citing (paper): the citing paper
    // param type such as "I": section type
    // param limit = 20: maximum number of rows
    // writes: CITES.f_I, CITES.f_M
    MATCH ...

A parameter marked `(paper)` is one paper and `(papers)` a list of them, by any identifier. A value
after `=` is the default of an optional parameter, a value after `such as` an example for a required
one; both are JSON.

A file `name.neo4j.cypher` or `name.ladybug.cypher` beside `name.cypher` replaces it on that engine
only; it exists only if the text must differ.

A header with `continues NAME` stands for the query NAME without its last clause, RETURN: what is
counted has one definition, whether it is read or written.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from citescape.core.errors import ConfigError
from citescape.core.near import find_near
from citescape.store.tokens import split_tokens

_FOR_PEOPLE = ("explore/", "facets/")
DIALECTS = ("ladybug", "neo4j")
_DECLARED = re.compile(
    r"^param (\w+)(?: \((papers?)\))?(?: = (.+?)| such as (.+?))?: (.*)$", re.MULTILINE
)


@dataclass(frozen=True)
class Parameter:
    """Declaration of a parameter in the header of a query."""

    name: str
    kind: str
    """`paper`, `papers`, or empty for any other value."""
    default: str
    """JSON; empty if a value must be given."""
    example: str
    """JSON, of a parameter without a default; empty if the header has none."""
    meaning: str

    def __str__(self) -> str:
        return f"{self.name}={self.default}" if self.default else self.name


@dataclass(frozen=True)
class Query:
    """A Cypher statement with its name and what it needs."""

    name: str
    """Empty for a statement outside the library."""
    text: str
    doc: str = ""
    dialects: dict[str, str] = field(default_factory=dict)
    """Texts that replace `text` on one engine."""

    def text_for(self, dialect: str) -> str:
        """The statement for one engine."""
        return self.dialects.get(dialect, self.text)

    @property
    def parameters(self) -> frozenset[str]:
        """Names of the `$parameters` in any of its texts."""
        return frozenset().union(*map(parameters, (self.text, *self.dialects.values())))

    @property
    def declared(self) -> tuple[Parameter, ...]:
        """The parameters declared in the header, in that order."""
        return tuple(Parameter(*groups) for groups in _DECLARED.findall(self.doc))

    @property
    def defaults(self) -> dict[str, object]:
        """Values of the optional parameters."""
        return {p.name: json.loads(p.default) for p in self.declared if p.default}

    @property
    def continues(self) -> str:
        """Name of the query that it continues; empty for a whole query."""
        match = re.search(r"^continues (\S+)$", self.doc, re.MULTILINE)
        return match.group(1) if match else ""

    @property
    def writes(self) -> str:
        """The properties that the query changes; empty for a read query."""
        match = re.search(r"^writes: (.*)$", self.doc, re.MULTILINE)
        return match.group(1) if match else ""


def parameters(text: str) -> frozenset[str]:
    """Names of the `$parameters` of a statement; those in strings and comments do not count."""
    return frozenset(token.name for token in split_tokens(text) if token.kind == "parameter")


def as_query(text: str) -> Query:
    """A statement of the user, optionally with a header."""
    return Query("", text, _split_header(text)[0])


@cache
def library() -> dict[str, Query]:
    """Every query of `cypher/`, by name such as ``features/location``."""
    headed: dict[str, dict[str, tuple[str, str]]] = {}
    for name, file in sorted(_walk(files("citescape.cypher"), "")):
        stem, _, dialect = name.removesuffix(".cypher").partition(".")
        headed.setdefault(stem, {})[dialect] = _split_header(file.read_text(encoding="utf-8"))
    queries = {}
    for name, variants in headed.items():
        doc, text = variants.get("") or next(iter(variants.values()))
        dialects = {d: body for d, (_, body) in variants.items() if d in DIALECTS}
        queries[name] = Query(name, text, doc, dialects)
    return {name: _continue(query, queries) for name, query in queries.items()}


def _continue(query: Query, queries: dict[str, Query]) -> Query:
    """A query with the texts of the one that it continues; any other query as it is.

    Raises:
        ConfigError: there is no such query to continue, or a text of it does not end in RETURN.
    """
    name = query.continues
    if not name:
        return query
    base = queries.get(name)
    texts = {"": base.text, **base.dialects} if base and not base.continues else {}
    begun = {dialect: text.rpartition("\nRETURN ")[0] for dialect, text in texts.items()}
    if not begun or not all(begun.values()):
        raise ConfigError(
            f"query {query.name} continues {name}; expected a query of the library that ends with "
            "a line RETURN and continues no other"
        )
    joined = {dialect: f"{text}\n{query.text}" for dialect, text in begun.items()}
    return replace(query, text=joined.pop(""), dialects=joined)


def queries_for_people() -> list[Query]:
    """The queries of the library that users run themselves; others belong to commands."""
    return [query for query in library().values() if query.name.startswith(_FOR_PEOPLE)]


def query(name: str) -> Query:
    """A library query by name.

    Raises:
        ConfigError: no such query; the message lists near names.
    """
    try:
        return library()[name]
    except KeyError:
        near = ", ".join(find_near(name, library(), most=3)) or "none"
        raise ConfigError(
            f"no library query is named {name!r}; near names: {near}; "
            "`platform cypher --list --all` shows all"
        ) from None


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    entries: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            entries += _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            entries.append((prefix + entry.name, entry))
    return entries


def _split_header(text: str) -> tuple[str, str]:
    lines = text.splitlines()
    head = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    doc = "\n".join(line.removeprefix("//").strip() for line in lines[:head])
    return doc, "\n".join(lines[head:]).strip()
