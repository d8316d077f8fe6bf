"""Loading papers: repeated, corrected, in parts, in any order; every document is counted."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import IngestProgress, flat_report, ingest
from citescape.store.graph_store import GraphStore, open_store
from tests.ingest.papers import Cited, jats, load, one_column, small_corpus, snapshot, write_files

OWN_PAPER = "MATCH (p:Paper) WHERE p.fulltext RETURN p.id"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path / "in", small_corpus())
    return tmp_path / "in"


def test_counts_equal_the_store_and_a_second_ingest_changes_nothing(
    store: GraphStore, folder: Path
):
    result = load(store, folder)
    assert result.fulltext_papers == result.status["loaded"] == 8
    counts = {
        "papers": "Paper",
        "authors": "Author",
        "sections": "Section",
        "occurrences": "Occurrence",
    }
    for name, label in counts.items():
        n = store.read(f"MATCH (n:{label}) RETURN count(n) AS n")["n"].to_pylist()
        assert n == [getattr(result, name)]
    assert result.anchors == result.occurrences + sum(result.losses.values())
    before = snapshot(store)
    again = load(store, folder)
    assert snapshot(store) == before
    assert again.status == {"unchanged": 8}


def test_progress_counts_loaded_and_rejected_documents(tmp_path: Path):
    paths = write_files(tmp_path, [*(jats(i) for i in range(20)), b"not xml"])
    store = open_store(str(tmp_path / "s.lbug"))
    for kept in (0, 20):  # in the second run the first chunk is unchanged
        progress: list[IngestProgress] = []
        ingest(store, paths, IngestConfig(workers=1), progress=progress.append)
        loading = [p for p in progress if p.step == "loading papers"]
        assert [p.documents for p in loading] == [20, 21, 21]
        assert [p.rejected for p in loading] == [0, 1, 1]
        assert (loading[0].kept, loading[-1].kept) == (kept, 21)
    store.close()


def test_scores_survive_a_second_ingest(store: GraphStore, folder: Path):
    load(store, folder)
    store.write("MATCH ()-[x:CITES]->() SET x.importance = 0.5")
    load(store, folder, *write_files(folder.parent / "more", [jats(99, [Cited("New")])]))
    scores = one_column(store, "MATCH ()-[x:CITES]->() RETURN x.importance")
    assert scores.count(0.5) == len(scores) - 1


def test_a_corrected_paper_replaces_its_subtree_only(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
):
    papers = small_corpus()
    corrected = jats(
        3, [Cited("Linkage", doi="10.7777/linkage1")], title="Corrected", text="No more."
    )
    wanted_papers = [*papers[:3], corrected, *papers[4:]]
    store = fresh_store()
    load(store, *write_files(tmp_path / "right", wanted_papers))
    wanted = snapshot(store, without=PLACES)
    store = fresh_store()
    wrong = write_files(tmp_path / "wrong", papers)
    load(store, *wrong)
    others = "MATCH (p:Paper)-[:HAS_SECTION]->(s) WHERE p.id <> 'doi:10.1000/3' RETURN s.id"
    kept = one_column(store, others)
    wrong[3].write_bytes(corrected)
    result = load(store, wrong[3])
    assert result.status == {"loaded": 1}
    assert one_column(store, others) == kept
    assert snapshot(store, without=PLACES) == wanted


def test_ingest_in_parts_in_any_order_or_with_workers_gives_the_same_store(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
):
    paths = write_files(tmp_path / "in", small_corpus())
    store = fresh_store()
    load(store, *paths)
    wanted = snapshot(store)

    @settings(max_examples=2, deadline=None)
    @given(rng=st.randoms(use_true_random=False), batch=st.integers(1, 8), parts=st.integers(2, 3))
    def check_parts(rng: random.Random, batch: int, parts: int) -> None:
        store, mixed = fresh_store(), rng.sample(paths, len(paths))
        for part in range(parts):
            load(store, *mixed[part::parts], batch=batch)
        assert snapshot(store) == wanted

    check_parts()
    store = fresh_store()
    if store.dialect == "ladybug":  # workers parse: they do not know the engine
        ingest(store, [tmp_path / "in"], IngestConfig(workers=2))
        assert snapshot(store) == wanted


def two_copies(folder: Path) -> list[Path]:
    """Two files of one paper in different words."""
    paper = jats(1, [Cited("Peas", doi="10.7777/peas1")])
    return write_files(folder, [paper, paper.replace(b"before", b"earlier")])


PLACES = ("path", "source_paths")
"""Columns of the place of a file."""
CURRENT = "MATCH (p:Paper) WHERE p.fulltext RETURN p.path AS path"
FILES = "MATCH (f:File) RETURN f.id AS id"


@pytest.mark.parametrize("together", [True, False])
def test_copies_of_one_paper_are_loaded_once(store: GraphStore, tmp_path: Path, together: bool):
    paths = two_copies(tmp_path)
    if together:
        assert load(store, *paths).status == {"loaded": 1, "copy": 1}
    else:
        assert [load(store, path).status for path in paths] == [{"loaded": 1}, {"loaded": 1}]
    current, other = map(str, reversed(paths))
    assert one_column(store, CURRENT) == [current]
    assert one_column(store, FILES) == sorted([current, other])
    assert one_column(store, OWN_PAPER) == ["doi:10.1000/1"]
    assert len(one_column(store, "MATCH (o:Occurrence) RETURN o.id")) == 1
    before = snapshot(store)
    assert [load(store, path).status for path in paths] == [{"unchanged": 1}, {"unchanged": 1}]
    assert load(store, *paths).status == {"unchanged": 2}
    assert snapshot(store) == before


def test_the_last_copy_counts_also_when_an_interrupted_ingest_is_completed(
    store: GraphStore, tmp_path: Path
):
    paths = two_copies(tmp_path)
    load(store, paths[0])
    assert load(store, *paths).status == {"unchanged": 1, "loaded": 1}
    assert one_column(store, CURRENT) == [str(paths[1])]
    assert load(store, *paths).status == {"unchanged": 2}


def test_a_file_restored_to_earlier_content_is_loaded_again(store: GraphStore, tmp_path: Path):
    (path,) = write_files(tmp_path, [jats(1, title="First")])
    for title in ("First", "Second", "First"):
        path.write_bytes(jats(1, title=title))
        assert load(store, path).status == {"loaded": 1}
        assert one_column(store, "MATCH (p:Paper) RETURN p.title") == [title]
    assert one_column(store, FILES) == [str(path)]


def test_a_changed_file_replaces_its_paper_and_its_copy_stays_a_copy(
    store: GraphStore, tmp_path: Path
):
    paths = two_copies(tmp_path)
    load(store, *paths)
    paths[0].write_bytes(jats(1, title="Corrected"))
    assert load(store, *paths).status == {"loaded": 1, "unchanged": 1}
    assert one_column(store, "MATCH (p:Paper) WHERE p.fulltext RETURN p.title") == ["Corrected"]
    assert load(store, *paths).status == {"unchanged": 2}


@pytest.mark.parametrize(
    ("before", "after"), [({"doi": ""}, {}), ({}, {"doi": ""})], ids=["gained", "lost"]
)
def test_a_file_with_a_changed_id_replaces_its_old_paper(
    fresh_store: Callable[[], GraphStore],
    tmp_path: Path,
    before: dict[str, str],
    after: dict[str, str],
):
    cited = [Cited("Peas", doi="10.7777/peas1")]
    papers = [jats(0, [Cited("Paper number 1", year=2010, authors=(("Shull", "G H"),))])]
    store = fresh_store()
    paths = write_files(tmp_path, [*papers, jats(1, cited, **after)])
    load(store, *paths)
    wanted = snapshot(store)
    store = fresh_store()
    load(store, *write_files(tmp_path, [*papers, jats(1, cited, **before)]))
    paths[1].write_bytes(jats(1, cited, **after))
    assert load(store, *paths).status == {"unchanged": 1, "loaded": 1}
    assert snapshot(store) == wanted
    assert len(one_column(store, OWN_PAPER)) == 2


def test_another_paper_at_the_same_path_replaces_nothing(store: GraphStore, tmp_path: Path):
    """Two folders may both hold `00.xml`, and editorials may have the same title every month."""
    for paper in (jats(1, title="Editorial"), jats(2, title="Editorial"), jats(3, doi="")):
        load(store, *write_files(tmp_path, [paper]))
    assert len(one_column(store, OWN_PAPER)) == 3


def test_broken_documents_are_reported_and_skipped(store: GraphStore, tmp_path: Path):
    paths = write_files(tmp_path, [jats(1), b"not xml", b"<html><body/></html>", jats(2)])
    result = load(store, *paths)
    assert result.status == {"loaded": 2, "rejected": 2}
    assert [path for path, _ in result.rejected] == [str(paths[1]), str(paths[2])]
    assert result.report["reason"].drop_null().to_pylist() == ["not-xml", "not-jats"]
    assert one_column(store, OWN_PAPER) == ["doi:10.1000/1", "doi:10.1000/2"]


def test_strict_stops_at_the_first_broken_document(store: GraphStore, tmp_path: Path):
    with pytest.raises(SourceError, match=r"01\.xml.*--strict"):
        load(store, *write_files(tmp_path, [jats(1), b"not xml", jats(2)]), strict=True)


def test_the_report_accounts_for_every_pointer(store: GraphStore, tmp_path: Path):
    lost = jats(1, [Cited("Peas")], text="See below.").replace(
        b"See below.", b'<xref ref-type="bibr" rid="B99">[99]</xref>'
    )
    result = load(store, *write_files(tmp_path, [lost, *small_corpus()[2:]]))
    for row in result.report.to_pylist():
        assert row["anchors"] == row["occurrences"] + sum(n for _, n in row["lost"])
    assert pc.sum(result.report["anchors"]).as_py() == result.anchors
    assert sum(result.losses.values()) == 1
    assert flat_report(result.report)["lost"][0].as_py().endswith(": 1")


def test_counts_of_real_papers_add_up(store: GraphStore, data: Path, tmp_path: Path):
    """Six real papers, in two parts: loaded = found - lost, and a rerun changes nothing."""
    import tarfile

    with tarfile.open(data / "oa_crops.tar.xz") as archive:
        members = (member for member in archive if member.name.endswith("xml"))
        for _, member in zip(range(6), members, strict=False):
            held = archive.extractfile(member)
            assert held
            (tmp_path / Path(member.name).name).write_bytes(held.read())
    files = sorted(tmp_path.glob("*.xml"))
    load(store, *files[:3])
    result = load(store, *files)
    assert result.status == {"loaded": 3, "unchanged": 3}
    assert result.anchors == result.occurrences + sum(result.losses.values()) > 150
