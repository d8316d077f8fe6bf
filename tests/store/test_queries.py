"""Queries that continue the definition of another query."""

from __future__ import annotations

import pytest

from citescape.core.errors import ConfigError
from citescape.store.queries import Query, _continue, library

BASE = Query("features/base", "MATCH (p:Paper)\nWITH p\nRETURN p.id AS id", "Reads ids.")


def make_continued(base: str = BASE.name) -> Query:
    return Query("features/writes", "SET p.year = 1", f"Writes years.\ncontinues {base}")


def test_the_last_clause_is_replaced() -> None:
    queries = {BASE.name: BASE}
    assert _continue(make_continued(), queries).text == "MATCH (p:Paper)\nWITH p\nSET p.year = 1"
    assert _continue(BASE, queries) == BASE
    other = Query(BASE.name, BASE.text, dialects={"neo4j": "CALL {}\nRETURN p.id AS id"})
    continued = _continue(make_continued(), {BASE.name: other})
    assert continued.text_for("ladybug") == "MATCH (p:Paper)\nWITH p\nSET p.year = 1"
    assert continued.text_for("neo4j") == "CALL {}\nSET p.year = 1"


@pytest.mark.parametrize(
    "base",
    [
        Query(BASE.name, "RETURN 1 AS id"),
        Query(BASE.name, BASE.text, dialects={"neo4j": "RETURN 1 AS id"}),
        Query(BASE.name, BASE.text, "continues features/another"),
        Query("features/another", BASE.text),
    ],
    ids=["nothing before RETURN", "nothing before RETURN on an engine", "continues too", "missing"],
)
def test_what_cannot_be_continued_is_an_error(base: Query) -> None:
    with pytest.raises(ConfigError, match="features/writes continues features/base; expected"):
        _continue(make_continued(), {base.name: base})


def test_definitions_are_continued_by_queries_that_write_or_count() -> None:
    queries = library()
    definition = queries["features/location"].text.rpartition("\nRETURN ")[0]
    continued = [query for query in queries.values() if query.text.startswith(definition)]
    assert {query.name for query in continued} == {
        "features/location",
        "features/values_halved",
        "features/write_location",
        "features/write_scores_halved",
    }
