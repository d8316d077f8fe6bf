"""The vector index of Neo4j, for `db.index.vector.queryNodes`, or SEARCH in Cypher 25.

Its score is (1 + cosine) / 2. That of ladybug is a download, so there vectors are compared one by
one.
"""

from __future__ import annotations

from citescape.store.graph_store import GraphStore

VECTOR_INDEX = "embedding_vector"
_NUMBERS = 1_000_000
"""Numbers per transaction: some 10 MB of server memory."""
_DIMENSIONS = (
    "SHOW VECTOR INDEXES YIELD name, options WHERE name = $name "
    "RETURN options.indexConfig['vector.dimensions'] AS dimensions"
)
_DROP = f"DROP INDEX {VECTOR_INDEX} IF EXISTS"
_CREATE = (
    f"CREATE VECTOR INDEX {VECTOR_INDEX} IF NOT EXISTS FOR (e:Embedding) ON (e.vector) OPTIONS "
    "{{indexConfig: {{`vector.dimensions`: {0}, `vector.similarity_function`: 'cosine', "
    "`vector.quantization.enabled`: false}}}}"
)
"""With quantisation it would be a quarter as large, but confuse neighbours of similar rank."""
_AWAIT = f"CALL db.awaitIndex('{VECTOR_INDEX}', 36000)"


def vectors_of_transaction(dimensions: int) -> int:
    """How many vectors of this length are written in one transaction."""
    return max(_NUMBERS // max(dimensions, 1), 1)


def prepare_vector_index(store: GraphStore, dimensions: int) -> None:
    """Creates the index for vectors of this length; an index of another length is dropped first.

    Neo4j does not index vectors of another length. Does nothing on ladybug.
    """
    if store.dialect != "neo4j":
        return
    found = store.read(_DIMENSIONS, name=VECTOR_INDEX)["dimensions"].to_pylist()
    if found == [dimensions]:
        return
    store.write(_DROP)
    store.write(_CREATE.format(dimensions))


def await_vector_index(store: GraphStore) -> None:
    """Waits until the index holds every vector. Does nothing on ladybug."""
    if store.dialect == "neo4j":
        store.write(_AWAIT)
