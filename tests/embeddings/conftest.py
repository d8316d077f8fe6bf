"""A tiny encoder and a store whose papers have titles, abstracts, both or neither."""

from __future__ import annotations

import pyarrow as pa
import pytest

from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE
from tests.small_encoder import write_small_encoder

TEXTS = {
    "doi:10.1/1": ("Rice under drought", "We measured yields in dry fields."),
    "doi:10.1/2": ("Wheat in salty soils", ""),
    "doi:10.1/3": ("", "An abstract alone, on maize."),
    "doi:10.1/4": (None, None),
    "doi:10.1/5": ("Wheat in  salty soils", None),
    **{
        f"doi:10.2/{k:02d}": (f"Plot {k} of rice", f"{'Yields of rice and wheat. ' * (k % 5)}")
        for k in range(20)
    },
}
"""Papers by id; the last twenty are known only from reference lists."""


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a transformer with MiniLM's vocabulary and 16 dimensions."""
    path = tmp_path_factory.mktemp("encoder") / "tiny"
    return str(write_small_encoder(path, positions=64))


@pytest.fixture
def library(store: GraphStore) -> GraphStore:
    """A store with the papers of `TEXTS` and three citations of the first."""
    fill(store)
    return store


def fill(store: GraphStore) -> None:
    ids = list(TEXTS)
    insert(
        store,
        "Paper",
        id=ids,
        title=[title for title, _ in TEXTS.values()],
        abstract=[abstract for _, abstract in TEXTS.values()],
        year=[2010 + k % 9 for k in range(len(ids))],
        fulltext=[k < 5 for k in range(len(ids))],
    )
    insert(
        store,
        "CITES",
        **{"from": ["doi:10.1/1", "doi:10.1/1", "doi:10.2/03"]},
        to=["doi:10.1/2", "doi:10.2/04", "doi:10.1/1"],
        importance=[0.5, None, 1.25],
    )


def insert(store: GraphStore, table: str, **columns: list[object]) -> None:
    schema, rows = TABLE[table].arrow, len(next(iter(columns.values())))
    values = {
        name: pa.array(columns.get(name, [None] * rows), schema.field(name).type)
        for name in schema.names
    }
    store.apply([Change("insert", table, pa.table(values, schema))])
