"""Tables of papers and citations in the graph, on both engines."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import IngestResult, ingest
from citescape.store.graph_store import GraphStore, open_store
from tests.ingest.data_sets import titled, write_citations, write_papers
from tests.ingest.killed import kill_ingest
from tests.ingest.papers import Cited, jats, load, one_column, snapshot, write_files

CITES = "MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.id + ' ' + b.id AS pair"
LOADED = "MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id"
CITED_ONLY = "MATCH (p:Paper) WHERE NOT p.fulltext RETURN p.id AS id"
PLACES = ("path", "source_paths")
PMID = b'<article-id pub-id-type="pmid">5</article-id>'


def account(result: IngestResult) -> tuple[int, dict[str, int], dict[str, int]]:
    (table,) = result.citations_read
    return table["kept"], table["lost"], table["notes"]


def test_papers_cite_each_other_by_the_ids_of_the_table(store: GraphStore, tmp_path: Path) -> None:
    rows = titled("a", "b", "c")
    rows[2]["doi"] = "https://doi.org/10.1000/C7"
    papers = write_papers(tmp_path, *rows)
    pairs = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "10.1000/x9"), ("c", "d")]
    result = load(store, papers, write_citations(tmp_path, *pairs))

    assert one_column(store, LOADED) == ["doi:10.1000/c7", "papers:a", "papers:b"]
    assert one_column(store, CITED_ONLY) == ["doi:10.1000/x9", "papers:d"]
    assert one_column(store, CITES) == [
        "doi:10.1000/c7 doi:10.1000/x9",
        "doi:10.1000/c7 papers:d",
        "papers:a doi:10.1000/c7",
        "papers:a papers:b",
        "papers:b doi:10.1000/c7",
    ]
    assert account(result) == (5, {}, {"unknown-cited": 2})
    assert (result.fulltext_papers, result.table_papers, result.occurrences) == (3, 3, 0)


def test_invalid_citations_are_counted_by_reason(store: GraphStore, tmp_path: Path) -> None:
    pairs = [("a", "b"), ("a", "b"), ("b", "b"), ("z", "a"), ("a", ""), ("z", "z")]
    result = load(
        store, write_papers(tmp_path, *titled("a", "b")), write_citations(tmp_path, *pairs)
    )
    lost = {"not-a-pair": 1, "unknown-citing": 2, "self-citation": 1, "repeated": 1}
    assert account(result) == (1, lost, {})
    assert one_column(store, CITES) == ["papers:a papers:b"]


def test_a_second_ingest_changes_nothing_in_any_row_order(
    store: GraphStore, tmp_path: Path
) -> None:
    rows, pairs = titled("a", "b", "c"), [("a", "b"), ("a", "c"), ("c", "x"), ("c", "a")]
    paths = write_papers(tmp_path, *rows), write_citations(tmp_path, *pairs)
    load(store, *paths)
    before = snapshot(store)
    write_papers(tmp_path, *({"venue": "", **row} for row in reversed(rows)))
    write_citations(tmp_path, *reversed(pairs))

    assert load(store, *paths).status == {"unchanged": 3}
    assert snapshot(store) == before


def test_a_changed_data_set_replaces_its_earlier_papers(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    """Only changed papers are written; the graph is as if only the last version had been loaded."""
    store = fresh_store()
    load(
        store,
        write_papers(tmp_path, *titled("a", "b", "gone", "d")),
        write_citations(tmp_path, ("a", "gone"), ("gone", "b"), ("d", "a")),
    )
    rows = titled("a", "b", "d")
    rows[1] |= {"doi": "10.1000/b1", "title": "On something else"}
    paths = write_papers(tmp_path, *rows), write_citations(tmp_path, ("a", "b"), ("d", "a"))
    result = load(store, *paths)
    rows_ = snapshot(store)
    assert result.status == {"loaded": 2, "unchanged": 1, "removed": 2}

    other = fresh_store()
    load(other, *paths)
    assert rows_ == snapshot(other)


def test_removed_papers_that_are_cited_stay_as_cited_works(
    store: GraphStore, tmp_path: Path
) -> None:
    citations = write_citations(tmp_path, ("a", "b"))
    load(store, write_papers(tmp_path, *titled("a", "b")), citations)
    load(store, write_papers(tmp_path, *titled("a")), citations)
    assert one_column(store, CITED_ONLY) == ["papers:b"]
    assert one_column(store, CITES) == ["papers:a papers:b"]


def test_papers_of_unreadable_rows_are_kept(store: GraphStore, tmp_path: Path) -> None:
    papers = write_papers(tmp_path, *titled("a", "b"))
    load(store, papers)
    papers.write_text('id,title,year,authors\na,On a,2001,"Shull, G"\nb,"On')
    result = load(store, papers)

    assert [reason for reason in result.report["reason"].to_pylist() if reason] == ["cut-off"]
    assert one_column(store, LOADED) == ["papers:a", "papers:b"]


def test_rejected_rows_and_copies_are_reported(store: GraphStore, tmp_path: Path) -> None:
    rows = [*titled("a", "b", "a"), {"id": "", "title": "On nothing"}]
    rows += [{"id": "a", "title": "Another"}, {"id": "e", "title": "", "year": "soon"}]
    rows += [{"id": "10.1000/f1", "title": "F"}, {"id": "f", "doi": "10.1000/F1", "title": "Ff"}]
    paths = write_papers(tmp_path, *rows), write_citations(tmp_path, ("f", "a"), ("b", "f"))
    result = load(store, *paths)

    assert result.status == {"loaded": 4, "copy": 2, "rejected": 2}
    assert [path.rpartition("/")[2] for path, _ in result.rejected] == [
        "papers.csv:5",
        "papers.csv:6",
    ]
    notes = {row["paper"]: dict(row["notes"] or []) for row in result.report.to_pylist()}
    assert notes["papers:e"] == {"bad-year": 1, "no-title": 1}
    assert one_column(store, CITES) == ["doi:10.1000/f1 papers:a", "papers:b doi:10.1000/f1"]
    again = load(store, *paths)
    assert again.status == {"unchanged": 6, "rejected": 2}


def test_full_texts_and_rows_of_one_paper_converge(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    """They give one paper, in any order; its references reach papers of the table."""
    texts = write_files(tmp_path / "texts", [jats(1, [Cited("On b", doi="", year=2001)])])
    rows = [{**titled("a")[0], "doi": "10.1000/1"}, {**titled("b")[0], "authors": "Mendel, G"}]
    table = write_papers(tmp_path, *rows)
    states = []
    for order in ([table, *texts], [*texts, table]):
        store = fresh_store()
        for path in order:
            load(store, path)
        assert one_column(store, CITES) == ["doi:10.1000/1 papers:b"]
        states.append(snapshot(store))
        for path in order:
            assert {*load(store, path).status} == {"unchanged"}
        assert snapshot(store) == states[-1]
    assert states[0] == states[1]
    both = load(fresh_store(), table, *texts)
    assert both.status == {"loaded": 3}
    assert both.table_papers == 1


def test_two_data_sets_of_one_name_are_refused(store: GraphStore, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    load(store, write_papers(tmp_path / "one", *titled("a")))
    other = write_papers(tmp_path / "two", *titled("b"))
    before = snapshot(store)
    with pytest.raises(SourceError, match="give --dataset papers, else another name") as error:
        load(store, other)
    assert error.value.reason == "name-taken"
    assert snapshot(store) == before
    ingest(store, [other], IngestConfig(workers=1, data_set="two"))
    assert one_column(store, LOADED) == ["papers:a", "two:b"]


def test_a_moved_data_set_keeps_its_papers(store: GraphStore, tmp_path: Path) -> None:
    """Missing papers are removed only with --replace, because the file may be another data set."""
    papers = write_papers(tmp_path, *titled("a", "b", "c"))
    load(store, papers)
    (tmp_path / "new").mkdir()
    config = IngestConfig(workers=1, data_set="papers")
    moved = write_papers(tmp_path / "new", *titled("a", "b", "c"))
    assert ingest(store, [moved], config).status == {"unchanged": 3}
    write_papers(tmp_path / "new", *titled("a", "c", "d"))
    (text,) = write_files(tmp_path / "texts", [jats(1)])
    before = snapshot(store)
    with pytest.raises(SourceError, match=f"1 papers of this name from {papers} .* --replace"):
        ingest(store, [text, moved], config)
    assert snapshot(store) == before
    result = ingest(store, [moved], replace(config, replace=True))
    assert result.status == {"unchanged": 2, "loaded": 1, "removed": 1}


def test_the_default_name_of_a_format_never_removes_papers_of_another_file(
    store: GraphStore, tmp_path: Path
) -> None:
    for name in ("aanx", "aany"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "acl-metadata.txt").write_text(f"id = {{{name}}}\ntitle = {{On it}}\n")
    load(store, tmp_path / "aanx")
    with pytest.raises(SourceError, match="1 papers of this name from") as error:
        load(store, tmp_path / "aany")
    assert error.value.reason == "would-remove"
    assert one_column(store, LOADED) == ["aan:aanx"]
    ingest(store, [tmp_path / "aany"], IngestConfig(workers=1, data_set="other"))
    assert one_column(store, LOADED) == ["aan:aanx", "other:aany"]


def test_a_file_that_lacks_most_of_its_papers_is_refused(store: GraphStore, tmp_path: Path) -> None:
    papers = write_papers(tmp_path, *titled(*"abcde"))
    load(store, papers)
    before = snapshot(store)
    write_papers(tmp_path, *titled("a", "b"))
    with pytest.raises(SourceError, match=r"3 of the 5 papers of this data set .* --replace"):
        load(store, papers)
    assert snapshot(store) == before
    config = IngestConfig(workers=1, replace=True)
    assert ingest(store, [papers], config).status == {"unchanged": 2, "removed": 3}


def test_a_data_set_without_its_citations_is_refused(store: GraphStore, tmp_path: Path) -> None:
    """Also with a rejected row; a full text keeps its references."""
    rows = titled(*"abc")
    rows[0]["doi"], rows[2]["doi"] = "10.1000/7", "10.1000/1"
    papers = write_papers(tmp_path, *rows)
    (text,) = write_files(tmp_path / "texts", [jats(1, [Cited("On peas")])])
    load(store, text)
    assert load(store, papers).status == {"loaded": 3}
    load(store, papers, write_citations(tmp_path, ("a", "b"), ("b", "c")))
    write_papers(tmp_path, *rows, {"id": ""})
    before = snapshot(store)
    message = r"citations of 2 papers \(no table of them is given\) are not in it, .* --replace"
    with pytest.raises(SourceError, match=message):
        ingest(store, [text, papers], IngestConfig(workers=1))
    assert snapshot(store) == before
    ingest(store, [papers], IngestConfig(workers=1, replace=True))
    (kept,) = one_column(store, CITES)
    assert str(kept).startswith("doi:10.1000/1 ")


def test_papers_with_changed_ids_are_not_lost(store: GraphStore, tmp_path: Path) -> None:
    papers = write_papers(tmp_path, *titled(*"abc"))
    load(store, papers)
    write_papers(tmp_path, *({**row, "doi": f"10.1000/{row['id']}1"} for row in titled(*"abc")))
    load(store, papers)
    assert one_column(store, LOADED) == ["doi:10.1000/a1", "doi:10.1000/b1", "doi:10.1000/c1"]


@pytest.mark.parametrize("strict", [True, False])
def test_a_truncated_file_loads_nothing(store: GraphStore, tmp_path: Path, strict: bool) -> None:
    import gzip

    papers = write_papers(tmp_path, *titled(*map(str, range(500))))
    zipped = tmp_path / "citations.csv.gz"
    zipped.write_bytes(gzip.compress(b"citing,cited\n" + b"1,2\n3,4\n5,8\n" * 3000)[:-20])
    if strict:
        with pytest.raises(SourceError, match="cut off or damaged"):
            load(store, papers, zipped, strict=True)
    else:
        result = load(store, papers, zipped)
        assert result.damage is not None
        assert result.damage.path == str(zipped)
    assert one_column(store, LOADED) == []


@dataclass(frozen=True)
class ChangedTables:
    """A data set that has changed since it was loaded, and its next ingest."""

    paths: tuple[Path, Path]
    store: Path
    expected: dict[str, list[str]]


def load_file(path: Path, paths: Sequence[Path]) -> dict[str, list[str]]:
    store = open_store(str(path))
    try:
        load(store, *paths)
        return snapshot(store)
    finally:
        store.close()


@pytest.fixture(scope="module")
def changed_tables(tmp_path_factory: pytest.TempPathFactory) -> ChangedTables:
    folder = tmp_path_factory.mktemp("changed")
    old = titled(*(f"p{i}" for i in range(20)))
    chain = [(f"p{i}", f"p{i + 1}") for i in range(20)]
    paths = write_papers(folder, *old), write_citations(folder, *chain)
    load_file(folder / "old.lbug", paths)
    write_papers(folder, *({**row, "venue": "J Peas"} for row in old[:12]))
    return ChangedTables(paths, folder / "old.lbug", load_file(folder / "whole.lbug", paths))


@pytest.mark.parametrize("statements", [5, 15, 25, 40, 55])
def test_a_killed_ingest_is_completed_by_running_it_again(
    changed_tables: ChangedTables, tmp_path: Path, statements: int
) -> None:
    store = shutil.copy(changed_tables.store, tmp_path / "killed.lbug")
    kill_ingest(
        store, changed_tables.paths, reader="table_papers", statements=statements, batch_papers=1
    )
    assert load_file(store, changed_tables.paths) == changed_tables.expected


def test_a_joined_row_is_unchanged_by_the_same_tables(store: GraphStore, tmp_path: Path) -> None:
    """A full text has a DOI and the PMID of the row, so that both are one paper."""
    text = jats(1, []).replace(b"</article-meta>", PMID + b"</article-meta>")
    (row,) = titled("a")
    papers = write_papers(tmp_path, {**row, "pmid": "5"})
    load(store, *write_files(tmp_path / "texts", [text]), papers)
    assert one_column(store, LOADED) == ["doi:10.1000/1"]
    before = snapshot(store)
    for _ in range(2):
        assert load(store, papers).status == {"unchanged": 1}
        assert snapshot(store) == before
    write_papers(tmp_path, *titled("b"))
    ingest(store, [papers], IngestConfig(replace=True))
    sources = "MATCH (p:Paper {id: 'doi:10.1000/1'}) RETURN p.sources AS s"
    assert store.read(sources)["s"].to_pylist() == [["jats"]]
