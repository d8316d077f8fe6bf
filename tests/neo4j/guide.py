"""Queries in the guide to Neo4j that differ between releases."""

from __future__ import annotations

from tests.docs.pages import DOCS, split_page
from tests.neo4j.server import LONG_TERM, Release

GUIDE = DOCS / "guides" / "neo4j.md"


def vector_index_query(release: Release) -> str:
    """The query of the vector index: a procedure in 5.26, SEARCH in the current release."""
    blocks = split_page(GUIDE, GUIDE.read_text("utf-8"), "cypher")
    procedure, search = (block.text for block in blocks if "embedding_vector" in block.text)
    return procedure if release is LONG_TERM else search
