"""Of several records of a paper the latest counts, also where records were joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pyarrow as pa
import pytest

from citescape.core.progress import silent
from citescape.core.types import Author, Identifiers, Losses, Notice, Paper, Reference
from citescape.ingest.batches import PaperWriter
from citescape.ingest.files import LoadedFile
from citescape.ingest.parse import REPORT, Parsed, report_row, unchanged_row
from citescape.ingest.resolve import resolve
from citescape.ingest.tables import paper_tables
from citescape.papers.identity import join_works
from citescape.store.graph_store import GraphStore
from tests.ingest.papers import snapshot
from tests.ingest.random_changes import count_updates, load_papers

DOI_1, DOI_2 = Identifiers("10.1000/1"), Identifiers("10.1000/2")
PMID = Identifiers(pmid="501")


def record(
    path: str,
    ids: Identifiers,
    title: str = "On rice",
    edition: int = 0,
    cited: Identifiers | None = None,
    notices: tuple[Notice, ...] = (),
) -> Paper:
    """A record of the source that the path begins with."""
    source = path.partition("/")[0]
    entry = Reference("B1", "1", cited or Identifiers(), "", "", 2000, "", "", (), False, "")
    paper = Paper(
        path=path,
        sha256="",
        ids=ids,
        title=title,
        year=2010,
        authors=(Author("Shull", "G"),),
        references=() if cited is None else (entry,),
        losses=Losses(0, 0),
        notices=notices,
        loader=f"{source}-1",
        source=source,
        edition=edition,
    )
    return replace(paper, sha256=sha256(repr(paper).encode()).hexdigest())


def papers(store: GraphStore) -> dict[str, list[str]]:
    """Loaded paper -> files of its records."""
    rows = store.read("MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id, p.source_paths AS paths")
    return {row["id"]: row["paths"] for row in rows.to_pylist()}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("editions", "counted"),
    [((0, 0), 1), ((1, 2), 1), ((2, 1), 0), ((0, 20250101), 1), ((20250101, 0), 0)],
)
def test_the_highest_edition_counts_and_of_equal_ones_the_last(
    store: GraphStore, editions: tuple[int, int], counted: int, apart: bool
) -> None:
    records = [record(f"openalex/{n}", DOI_1, f"Title {n}", editions[n]) for n in (0, 1)]
    for part in [[r] for r in records] if apart else [records]:
        load_papers(store, part)
    assert papers(store) == {"doi:10.1000/1": [f"openalex/{counted}"]}
    titles = store.read("MATCH (p:Paper) RETURN p.title AS title")["title"].to_pylist()
    assert titles == [f"Title {counted}"]


def test_a_corrected_record_of_a_joined_paper_replaces_it(
    fresh_store: Callable[[], GraphStore],
) -> None:
    """It is compared with the earlier record, not with the fields of the joined paper."""
    store = fresh_store()
    other = record("openalex/2", DOI_2, "On wheat and maize")
    load_papers(store, [record("tei/1", Identifiers(pmid="1", openalex="W1")), other])
    join_works(store, "pmid:1", "doi:10.1000/2", progress=silent)
    assert papers(store) == {"doi:10.1000/2": ["openalex/2", "tei/1"]}
    load_papers(store, [record("tei/1", Identifiers(openalex="W1"))])
    assert papers(store) == {"doi:10.1000/2": ["openalex/2"], "openalex:W1": ["tei/1"]}


def test_a_record_does_not_replace_one_that_was_joined_from_another_paper(
    fresh_store: Callable[[], GraphStore],
) -> None:
    """A source has a paper once: so the papers are two again, as after a fresh ingest."""
    store = fresh_store()
    records = [record("jats/1", DOI_1), record("tei/2", DOI_2), record("tei/1", DOI_1)]
    load_papers(store, records[:2])
    join_works(store, "doi:10.1000/2", "doi:10.1000/1", progress=silent)
    assert papers(store) == {"doi:10.1000/1": ["jats/1", "tei/2"]}
    load_papers(store, records[2:])
    assert papers(store) == {"doi:10.1000/1": ["jats/1", "tei/1"], "doi:10.1000/2": ["tei/2"]}


def test_a_joined_record_is_replaced_from_another_file(
    fresh_store: Callable[[], GraphStore],
) -> None:
    store = fresh_store()
    load_papers(store, [record("jats/1", DOI_1), record("tei/2", DOI_2)])
    join_works(store, "doi:10.1000/2", "doi:10.1000/1", progress=silent)
    load_papers(store, [record("tei/new", DOI_2, "On rice and wheat")])
    assert papers(store) == {"doi:10.1000/1": ["jats/1", "tei/new"]}
    load_papers(store, [record("jats/1", DOI_1, "A correction")])
    assert papers(store) == {"doi:10.1000/1": ["jats/1", "tei/new"]}


def test_a_notice_leaves_a_work_whose_id_is_overwritten(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reference prints a wrong PMID with the DOI; then the paper is loaded."""
    spy = count_updates(monkeypatch.setattr)
    wrong = DOI_2._replace(pmid="508")
    notice = Notice("retraction", "notice", Identifiers(pmid="508"), Identifiers(), "2012")
    load_papers(store, [record("jats/1", DOI_1, cited=wrong, notices=(notice,))])
    concerned = "MATCH (:Notice)-[:CONCERNS]->(p:Paper) RETURN p.id AS id"
    assert store.read(concerned)["id"].to_pylist() == ["doi:10.1000/2"]
    load_papers(store, [record("jats/2", DOI_2._replace(pmid="509"), "On wheat")])
    assert spy["_resolve_changes"]
    assert store.read(concerned).num_rows == 0
    graph = snapshot(store)
    resolve(store)
    assert snapshot(store) == graph


@pytest.mark.parametrize(
    "changed",
    [record("jats/2", Identifiers(pmid="7")), record("jats/2", DOI_1, edition=1)],
    ids=["another id", "a lower edition"],
)
def test_other_files_of_a_record_are_read_again_when_that_of_the_latest_changes(
    store: GraphStore, changed: Paper
) -> None:
    """The latest is known by its file, which holds something else now."""
    load_papers(store, [record("jats/1", DOI_1, edition=2), record("jats/2", DOI_1, edition=2)])
    files = "MATCH (f:File) RETURN f.id AS id ORDER BY id"
    assert store.read(files)["id"].to_pylist() == ["jats/1", "jats/2"]
    load_papers(store, [changed])
    assert list(papers(store).values()) == [["jats/2"]]
    assert store.read(files)["id"].to_pylist() == ["jats/2"]


@pytest.mark.parametrize("edition", [0, 1])
def test_a_file_that_holds_a_copy_now_loses_its_earlier_record(
    store: GraphStore, edition: int
) -> None:
    """Its DOI became known, and another file has the record that counts."""
    both = DOI_1._replace(pmid="501")
    load_papers(store, [record("jats/1", Identifiers(pmid="501"), edition=1)])
    load_papers(store, [record("jats/copy", both, edition=2)])
    assert papers(store) == {"pmid:501": ["jats/1"], "doi:10.1000/1": ["jats/copy"]}
    load_papers(store, [record("jats/1", both, edition=edition)])
    assert papers(store) == {"doi:10.1000/1": ["jats/copy"]}
    graph = snapshot(store)
    load_papers(store, [record("jats/1", both, edition=edition)])
    assert snapshot(store) == graph


def held(store: GraphStore) -> dict[str, str]:
    """File -> its paper."""
    rows = store.read("MATCH (f:File) RETURN f.id AS id, f.paper AS paper").to_pylist()
    return {row["id"]: row["paper"] for row in rows}


@pytest.mark.parametrize("together", [True, False])
def test_corrections_of_identical_files_leave_nothing_of_the_earlier_record(
    store: GraphStore, together: bool
) -> None:
    """Both get a DOI, in one ingest or one after the other."""
    before, after = record("jats/1", PMID), record("jats/1", DOI_1._replace(pmid="501"))
    load_papers(store, [before, replace(before, path="jats/2")])
    both = [after, replace(after, path="jats/2")]
    if together:
        load_papers(store, both)
    else:
        load_papers(store, [after, replace(before, path="jats/2")])
        assert papers(store) == {"doi:10.1000/1": ["jats/1"], "pmid:501": ["jats/1"]}
        load_papers(store, both[1:])
    assert papers(store) == {"doi:10.1000/1": ["jats/1"]}
    assert held(store) == dict.fromkeys(("jats/1", "jats/2"), "doi:10.1000/1")


def test_a_file_that_is_overwritten_by_another_loses_its_earlier_record(store: GraphStore) -> None:
    first, second = record("jats/1", PMID), record("jats/2", DOI_1._replace(pmid="501"))
    load_papers(store, [first, second])
    load_papers(store, [replace(second, path="jats/1")])
    assert papers(store) == {"doi:10.1000/1": ["jats/2"]}
    assert held(store) == dict.fromkeys(("jats/1", "jats/2"), "doi:10.1000/1")


def test_a_paper_without_files_is_joined_with_another_source(store: GraphStore) -> None:
    """Stores of schema versions before 7 have papers, but no files."""
    load_papers(store, [record("tei/1", DOI_1)])
    store.write("MATCH (f:File) DELETE f")
    load_papers(store, [record("jats/1", DOI_1)])
    assert papers(store) == {"doi:10.1000/1": ["jats/1", "tei/1"]}


def test_a_record_counts_where_an_earlier_one_was_only_joined(store: GraphStore) -> None:
    """A record without DOI was joined to a paper, of which its source has one now."""
    joined, own = record("jats/1", PMID, edition=2), record("jats/2", DOI_1, edition=1)
    load_papers(store, [record("tei/1", DOI_1._replace(pmid="501")), joined])
    assert papers(store) == {"doi:10.1000/1": ["jats/1", "tei/1"]}
    writer = PaperWriter(store, None)
    known = LoadedFile("jats/1", joined.sha256, "doi:10.1000/1", "jats", "jats-1")
    unchanged = pa.Table.from_pylist([unchanged_row(known)], REPORT)
    loaded = pa.Table.from_pylist([report_row(own, "doi:10.1000/1")], REPORT)
    writer.add(Parsed({}, unchanged, "jats"))
    assert writer.add(Parsed(paper_tables([own]), loaded, "jats"))["status"][0].as_py() == "loaded"
    writer.finish()
    resolve(store, writer.changes)
    assert papers(store)["doi:10.1000/1"] == ["jats/2", "tei/1"]


def test_a_copy_of_a_joined_record_changes_nothing(store: GraphStore) -> None:
    joined = record("jats/1", PMID)
    load_papers(store, [record("tei/1", DOI_1._replace(pmid="501")), joined])
    before = snapshot(store)
    load_papers(store, [replace(joined, path="jats/copy")])
    assert papers(store) == {"doi:10.1000/1": ["jats/1", "tei/1"]}
    after = snapshot(store)
    assert {**after, "File": []} == {**before, "File": []}
    assert held(store) == dict.fromkeys(("jats/1", "jats/copy", "tei/1"), "doi:10.1000/1")


@pytest.mark.parametrize(("edition", "copies"), [(1, 1), (0, 0)])
def test_a_copy_of_a_joined_record_stays_a_copy_when_that_changes(
    store: GraphStore, edition: int, copies: int
) -> None:
    """As without the join; after a lower edition the copy is read again, since it counts now."""
    joined = record("jats/1", PMID, edition=1)
    load_papers(store, [record("tei/1", DOI_1._replace(pmid="501")), joined])
    load_papers(store, [replace(joined, path="jats/copy")])
    load_papers(store, [record("jats/1", PMID, "On rice, corrected", edition=edition)])
    assert papers(store) == {"doi:10.1000/1": ["jats/1", "tei/1"]}
    expected = ["jats/1", *["jats/copy"] * copies, "tei/1"]
    assert held(store) == dict.fromkeys(expected, "doi:10.1000/1")
