"""A graph from the sentences of labelled citations."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.ingest import labelled_contexts
from citescape.ingest.labelled_contexts import load_contexts
from citescape.loaders.citation_labels import CitationLabel, LabelledContext, LabelledWork
from citescape.store.graph_store import GraphStore

WE = LabelledContext("We follow Lee [1].", "2. Methods", "[1]", 0.25, ("method",))
GREW = LabelledContext("Rice grew [1, 2].", "Results and Discussion", "[1, 2]")


def label(citing: str, cited: str, *contexts: LabelledContext, **given: Any) -> CitationLabel:
    return CitationLabel(LabelledWork(citing), LabelledWork(cited), False, contexts, **given)


LABELS = (
    label("s2:p1", "s2:w1", WE),
    label("s2:p1", "s2:w1", GREW),
    label("s2:p1", "s2:w2", GREW),
    label("s2:p2", "s2:p1", LabelledContext("Shown before.")),
    label("s2:p2", "s2:w2"),
)
SENTENCES = (
    "MATCH (p:Paper)-[:HAS_SECTION]->(s:Section)-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->"
    "(w:Paper) RETURN p.id AS citing, w.id AS cited, s.title AS title, s.type AS type, "
    "s.combined AS joined, o.context AS text, o.marker AS marker, "
    "o.position AS place, o.intents AS intents "
    "ORDER BY citing, cited, text"
)
PAIRS = "MATCH (p:Paper)-[:CITES]->(w:Paper) RETURN p.id AS a, w.id AS b ORDER BY a, b"


def list_pairs(store: GraphStore) -> list[tuple[str, str]]:
    return [(row["a"], row["b"]) for row in store.read(PAIRS).to_pylist()]


def test_sentences_headings_and_works(store: GraphStore) -> None:
    load_contexts(store, LABELS)
    pairs = list_pairs(store)
    citing = sorted({pair[0] for pair in pairs})
    assert {pair[1] for pair in pairs} == {"s2:w1", "s2:w2", "s2:p1"}  # ids of the file
    assert "s2:p1" in citing  # a cited work that is a citing paper is one node
    first, second = "s2:p1", next(id_ for id_ in citing if id_ != "s2:p1")
    expected = {
        (first, "s2:w1", "2. Methods", "M", False, *WE[:1], "[1]", 0.25, ("method",)),
        (first, "s2:w1", GREW.section, "R", True, GREW.text, "[1, 2]", None, None),
        (first, "s2:w2", GREW.section, "R", True, GREW.text, "[1, 2]", None, None),
        (second, first, "", None, None, "Shown before.", "", None, None),
    }
    found = {
        (*list(row.values())[:-1], row["intents"] and tuple(row["intents"]))
        for row in store.read(SENTENCES).to_pylist()
    }
    assert {row[:3] + row[5:] for row in found} == {row[:3] + row[5:] for row in expected}
    typed = {row[2]: (row[3], bool(row[4])) for row in found}
    assert typed["2. Methods"] == ("M", False)
    assert typed[GREW.section] == ("R", True)
    assert typed[""][0] not in ("I", "M", "R", "D")
    assert sorted(list_pairs(store)) == sorted(
        {(first, "s2:w1"), (first, "s2:w2"), (second, first), (second, "s2:w2")}
    )


def test_titles_years_and_authors_make_self_citations(store: GraphStore) -> None:
    """Two shared names: each is evidence for the other. The comma of a name may be lacking."""
    authors = ("A. Lee", "Wu, B. C.", "Kim, D.")
    citing = LabelledWork("acl:a", "On rice", "Rice is good.", 2010, authors)
    cited = LabelledWork("acl:b", "On wheat", "", 2001, ("B. C. Wu", "D. Kim"))
    load_contexts(store, [CitationLabel(citing, cited, True, (WE,))])
    rows = store.read(
        "MATCH (p:Paper) RETURN p.title AS title, p.abstract AS abstract, p.year AS year "
        "ORDER BY title"
    ).to_pylist()
    assert [(row["title"], row["year"]) for row in rows] == [("On rice", 2010), ("On wheat", 2001)]
    assert rows[0]["abstract"] == "Rice is good."
    shared = (
        "MATCH (a:Paper)<-[:WROTE]-(author:Author)-[:WROTE]->(b:Paper) "
        "WHERE a.title = 'On rice' AND b.title = 'On wheat' RETURN author.name AS name"
    )
    assert sorted(store.read(shared)["name"].to_pylist()) == ["B. C. Wu", "D. Kim"]


def test_works_of_one_title_and_several_ids_stay_apart(store: GraphStore) -> None:
    """Works have no identity but the id of the file: equal titles are not joined."""
    works = [LabelledWork(f"s2:{k}", "On rice", year=2001) for k in (1, 2)]
    labels = [CitationLabel(LabelledWork("s2:p"), work, True, (WE,)) for work in works]
    load_contexts(store, labels)
    assert {cited for _, cited in list_pairs(store)} == {"s2:1", "s2:2"}


def test_empty_sentences_add_a_reference_alone(store: GraphStore) -> None:
    load_contexts(store, [label("s2:p", "s2:w", LabelledContext(""))])
    assert len(list_pairs(store)) == 1
    assert store.read("MATCH (o:Occurrence) RETURN o.id AS id").num_rows == 0


def test_a_paper_that_cites_itself_is_no_pair(store: GraphStore) -> None:
    load_contexts(store, [label("s2:p", "s2:p", WE), label("s2:p", "s2:w", WE)])
    assert len(list_pairs(store)) == 1


def test_the_order_of_records_does_not_matter(fresh_store: Any) -> None:
    """Not even where records of one work disagree on its title."""
    first = LABELS[0]._replace(cited=LabelledWork("s2:w1", "On rice", year=2001))
    second = LABELS[1]._replace(cited=LabelledWork("s2:w1", "On wheat", year=None), place="x:1")
    contents = []
    for labels in ([first, second, *LABELS[2:]], [*LABELS[:1:-1], second, first]):
        load_contexts(store := fresh_store(), labels)
        nodes = store.read("MATCH (p:Paper) RETURN p.id AS id, p.title AS title ORDER BY id")
        contents.append((store.read(SENTENCES).to_pylist(), nodes.to_pylist(), list_pairs(store)))
    assert contents[0] == contents[1]


def test_batches_give_the_same_graph(fresh_store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    load_contexts(store := fresh_store(), LABELS)
    whole = store.read(SENTENCES).to_pylist()
    monkeypatch.setattr(labelled_contexts, "_BATCH", 1)
    load_contexts(store := fresh_store(), LABELS)
    assert store.read(SENTENCES).to_pylist() == whole
