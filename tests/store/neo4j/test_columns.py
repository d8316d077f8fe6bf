"""Types of columns derived from a statement's text, and records as Arrow, without a server."""

from __future__ import annotations

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.store.neo4j.arrow import record_batches
from citescape.store.neo4j.columns import column_types
from citescape.store.neo4j.statements import by_position
from citescape.store.schema import BOOL, FLOAT, INT, STRING, STRINGS


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("MATCH (p:Paper) RETURN p.year AS y, p.surnames", {"y": INT, "p.surnames": STRINGS}),
        ("MATCH (a:Paper)-[c:CITES]->(b) RETURN c.importance AS `i`, b.id", {"i": FLOAT}),
        (
            "MATCH (p:Paper) RETURN count(DISTINCT p.id) AS n, avg(p.year) AS m",
            {"n": INT, "m": FLOAT},
        ),
        (
            "MATCH (p:Paper) RETURN collect(p.year) AS y, max(p.title) AS t",
            {"y": pa.list_(INT), "t": STRING},
        ),
        (
            "MATCH (p:Paper) RETURN head(collect(p.id)) AS h, last(collect(p.year)) AS l, "
            "head(p.surnames) AS s, head(collect(p.surnames)) AS n",
            {"h": STRING, "l": INT, "s": STRING, "n": STRINGS},
        ),
        (
            "MATCH (a:Paper)-[c:CITES]->(b:Paper) RETURN sum(c.f_R + c.f_D) AS n, "
            "count(*) + size(a.surnames + b.surnames) AS m, a.id + b.id AS s, "
            "collect(c.importance + c.importance) AS l",
            {"n": INT, "m": INT, "s": STRING, "l": pa.list_(FLOAT)},
        ),
        (
            "MATCH (p:Paper) RETURN p.year + p.title AS y, CASE AS n, "
            "CASE WHEN true THEN 1 ELSE 0 END + 0.5 AS ratio",
            {},
        ),
        ("MATCH (p:Paper) RETURN head(p.title) AS n, last($x) AS y", {}),
        ("RETURN sum(CASE WHEN $a = 'x, RETURN' THEN 1 ELSE 0 END) AS n", {"n": INT}),
        ("RETURN sum(CASE WHEN true THEN 0.5 ELSE 0 END) AS n", {}),
        (
            "MATCH (p:Paper) WITH p.year AS year, count(*) AS n WHERE n > 1 RETURN year, n",
            {"year": INT, "n": INT},
        ),
        (
            "MATCH (p:Paper) RETURN p.doi IS NULL AS lacks, EXISTS { MATCH (p)--() } AS tied",
            {"lacks": BOOL, "tied": BOOL},
        ),
        (
            "MATCH (p:Paper) RETURN coalesce(p.year, -1) AS y, size(p.surnames) AS s",
            {"y": INT, "s": INT},
        ),
        ("MATCH (p:Paper) RETURN count(p) / count(*) AS ratio", {}),
        ("MATCH (p:Paper) RETURN p.year + 0.5 AS y, 2 * p.year - 1 AS n", {"y": FLOAT, "n": INT}),
        ("MATCH (p:Person) RETURN p.year AS year", {}),
        ("MATCH (p:Paper) RETURN p.id AS id ORDER BY p.year LIMIT 3", {"id": STRING}),
        (
            "MATCH (p:Paper) RETURN p.id AS id UNION MATCH (a:Author) RETURN a.id AS id",
            {"id": STRING},
        ),
        ("MATCH (p:Paper) // RETURN p.year AS id\nRETURN p.id AS id", {"id": STRING}),
    ],
)
def test_types_are_derived_from_the_text(text: str, types: dict[str, pa.DataType]) -> None:
    column_types_ = column_types(text)
    assert {name: kind for name, kind in column_types_.items() if name in types} == types
    if not types:
        assert not set(column_types_) & {"n", "ratio", "y", "year"}


def test_empty_results_and_columns_of_nulls_keep_their_types() -> None:
    known = {"year": INT, "names": STRINGS}
    (empty,) = record_batches(["year", "names", "other"], known, [])
    assert empty.schema == pa.schema({"year": INT, "names": STRINGS, "other": STRING})
    full, _ = record_batches(["year", "names"], known, [[[None, []], [None, None]]])
    assert full.to_pylist() == [{"year": None, "names": []}, {"year": None, "names": None}]
    assert full.schema == empty.schema.remove(2)


def test_batches_wait_until_every_type_is_known() -> None:
    chunks = [[[1, None, []]], [[2, None, ["x"]]], [[3, 0.5, []]], [[4, None, None]]]
    batches = list(record_batches(["a", "b", "c"], {}, iter(chunks)))
    assert {batch.schema for batch in batches} == {pa.schema({"a": INT, "b": FLOAT, "c": STRINGS})}
    table = pa.Table.from_batches(batches)
    assert table["b"].to_pylist() == [None, None, 0.5, None]
    assert table["c"].to_pylist() == [[], ["x"], [], None]


def test_streaming_does_not_read_ahead_once_types_are_known() -> None:
    read = []

    def chunks():  # type: ignore[no-untyped-def]
        for i in range(3):
            read.append(i)
            yield [[i]]

    batches = record_batches(["a"], {"a": INT}, chunks())
    next(batches)
    assert read == [0]


def test_columns_of_empty_lists_are_lists_of_text() -> None:
    batch, _ = record_batches(["a", "b"], {}, [[[[], [[]]]]])
    assert batch.schema == pa.schema({"a": STRINGS, "b": pa.list_(STRINGS)})
    assert batch.to_pylist() == [{"a": [], "b": [[]]}]


def test_maps_keep_the_keys_of_every_batch() -> None:
    """Nodes of different labels, or with properties that are null at first."""
    chunks = [[[{"a": None, "l": []}, 1]], [[{"a": 1, "b": "x", "l": ["y"]}, 2]]]
    batches = list(record_batches(["m", "i"], {}, chunks))
    assert pa.Table.from_batches(batches).to_pylist() == [
        {"m": {"a": None, "l": [], "b": None}, "i": 1},
        {"m": {"a": 1, "l": ["y"], "b": "x"}, "i": 2},
    ]
    (alone, _) = record_batches(["m"], {}, [[[{"a": None}]]])
    assert alone.schema.field("m").type == pa.struct({"a": STRING})


def test_values_of_another_type_than_derived_are_refused() -> None:
    """Arrow alone would turn a text into a list of characters."""
    for kind, value in ((STRINGS, "doi:1"), (pa.list_(STRINGS), ["doi:1"]), (INT, "1")):
        with pytest.raises(StoreError, match="column a holds values of several types"):
            list(record_batches(["a"], {"a": kind}, [[[value]]]))


@pytest.mark.parametrize("chunks", [[[[1], ["x"]]], [[[1]], [["x"]]], [[[1]], [[0.5]]]])
def test_a_column_of_several_types_is_refused(chunks: list[list[list[object]]]) -> None:
    with pytest.raises(StoreError, match="column a holds values of several types"):
        list(record_batches(["a"], {}, chunks))


def test_whole_numbers_fit_a_column_of_numbers() -> None:
    batch, _ = record_batches(["a"], {"a": FLOAT}, [[[1], [0.5]]])
    assert batch.schema.field("a").type == FLOAT


def test_rows_are_addressed_by_position() -> None:
    text = "UNWIND $rows AS row MATCH (p {id: row.id}) SET p.`from` = row.`from`, p.x = row.x1"
    assert by_position(text, ["x1", "from", "id"]) == (
        "UNWIND $rows AS row MATCH (p {id: row[2]}) SET p.`from` = row[1], p.x = row[0]"
    )
    with pytest.raises(ConfigError, match="needs column from, x1; given: id"):
        by_position(text, ["id"])
    with pytest.raises(ConfigError, match="must start with 'UNWIND"):
        by_position("MATCH (n) SET n.x = $rows", ["x"])
