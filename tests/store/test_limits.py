"""A LIMIT at the end of a statement leaves out rows and changes nothing else."""

from __future__ import annotations

import pytest

from citescape.store.limits import limit_rows
from citescape.store.queries import library
from citescape.store.read_only import find_refused


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n",
        "MATCH (n) RETURN n;",
        "MATCH (n) RETURN n // the end",
        "MATCH (n) WITH n LIMIT 5 RETURN n ORDER BY n.x SKIP 2",
        "MATCH (n) RETURN n, COUNT { MATCH (n)-->(m) RETURN m LIMIT 3 } AS c",
        "CALL { MATCH (n) RETURN n UNION MATCH (n) RETURN n } RETURN n",
        "RETURN 'LIMIT 5 UNION' AS x, `LIMIT` AS y",
    ],
)
def test_a_statement_gets_a_limit(text: str) -> None:
    assert limit_rows(text, 7) == f"{text.rstrip(';')}\nLIMIT 7"


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n LIMIT 5",
        "MATCH (n) RETURN n limit $most",
        "MATCH (n) RETURN n UNION MATCH (m) RETURN m",
        "MATCH (n) RETURN n.limit AS limit",  # a name, but a limit might follow it
        "CALL show_tables()",
        "RETURN 1 AS x NEXT RETURN x LIMIT 1",
    ],
)
def test_other_statements_stay_as_they_are(text: str) -> None:
    assert limit_rows(text, 7) == text


def test_limited_library_queries_still_only_read() -> None:
    for query in library().values():
        for dialect in ("ladybug", "neo4j"):
            if not query.writes:
                assert find_refused(limit_rows(query.text_for(dialect), 7), dialect) == ""
