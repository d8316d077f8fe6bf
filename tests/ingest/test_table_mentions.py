"""Tables of citations with sentences, sections and intents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from citescape.importance.score import score
from citescape.store.graph_store import GraphStore
from tests.ingest.data_sets import Cells, titled, write_papers, write_table
from tests.ingest.papers import load, snapshot

COLUMNS = ("citing", "cited", "context", "section", "intents")
ROWS = (
    ("a", "b", "Rice grows.", "1. Introduction", ""),
    ("a", "b", "We grew rice [1].", "M", "method"),
    ("a", "c", "Others differ.", "R", "Result; background"),
    ("a", "c", "Others differ.", "R", "Result; background"),
    ("b", "c", "", "", ""),
    ("b", "c", "", "", ""),
    ("x", "c", "Lost.", "", ""),
    ("c", "c", "Itself.", "", ""),
)
LINES: list[Cells] = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]


def tables(folder: Path, lines: list[Cells]) -> tuple[Path, Path]:
    folder.mkdir(exist_ok=True)
    papers = write_papers(folder, *titled("a", "b", "c"))
    return papers, write_table(folder / "citations.csv", lines, COLUMNS)


def test_mentions_of_a_table_are_citations_in_the_text(store: GraphStore, tmp_path: Path) -> None:
    result = load(store, *tables(tmp_path, LINES))
    (account,) = result.citations_read
    assert account["lost"] == {"unknown-citing": 1, "self-citation": 1, "repeated": 1}
    assert (account["kept"], account["notes"]) == (5, {"mentioned-again": 2})
    found = store.read(
        "MATCH (p:Paper)-[:HAS_SECTION]->(s:Section)-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->(w) "
        "RETURN s.title AS section, s.type AS type, o.context AS context, o.intents AS intents, "
        "w.title AS work ORDER BY o.ordinal"
    ).to_pylist()
    assert [tuple(row.values()) for row in found] == [
        ("1. Introduction", "I", "Rice grows.", None, "On b"),
        ("M", "M", "We grew rice [1].", ["method"], "On b"),
        ("R", "R", "Others differ.", ["background", "result"], "On c"),
    ]
    score(store, runs=tmp_path / "runs")
    counts = store.read(
        "MATCH (a:Paper)-[c:CITES]->(b:Paper) RETURN a.title AS citing, b.title AS cited, "
        "c.f_I AS i, c.f_M AS m, c.f_R AS r ORDER BY citing, cited"
    ).to_pylist()
    assert [tuple(row.values()) for row in counts] == [
        ("On a", "On b", 1, 1, 0),
        ("On a", "On c", 0, 0, 1),
        ("On b", "On c", 0, 0, 0),
    ]


def test_the_order_of_rows_does_not_matter(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    states = []
    for seed in range(3):
        store = fresh_store()
        load(store, *tables(tmp_path / "set", Random(seed).sample(LINES, len(LINES))))
        states.append(snapshot(store))
    assert states[0] == states[1] == states[2]


def test_a_changed_sentence_is_loaded_again(store: GraphStore, tmp_path: Path) -> None:
    paths = tables(tmp_path, LINES)
    load(store, *paths)
    assert load(store, *paths).status["unchanged"] == 3
    tables(tmp_path, [{**LINES[0], "context": "Rice grows well."}, *LINES[1:]])
    assert load(store, *paths).status["loaded"] == 1
    texts = store.read("MATCH (o:Occurrence) RETURN o.context AS text ORDER BY text")
    assert texts["text"].to_pylist() == ["Others differ.", "Rice grows well.", "We grew rice [1]."]


def test_types_and_headings_of_papers_are_read(store: GraphStore, tmp_path: Path) -> None:
    paper = {**titled("a")[0], "type": "Review", "mesh": "Oryza/genetics*; Plants; Oryza/genetics*"}
    load(store, write_papers(tmp_path, paper))
    found = store.read(
        "MATCH (p:Paper)-[x:HAS_MESH]->(m:MeshDescriptor) RETURN p.type AS type, m.name AS name, "
        "x.major AS major, x.qualifiers AS qualifiers ORDER BY name"
    ).to_pylist()
    assert [tuple(row.values()) for row in found] == [
        ("review-article", "Oryza", True, "genetics"),
        ("review-article", "Plants", False, ""),
    ]
