"""Ingest into shards: the graph is that of a store, however it is divided and interrupted."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, SchemaVersionError, SourceError, StoreError
from citescape.distributed.cluster import open_cluster
from citescape.distributed.storage import Storage
from citescape.ingest.config import IngestConfig
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.ingest import ShardedIngest, ingest_shards
from citescape.loaders.documents import SourceDocument
from citescape.store.graph_store import GraphStore
from tests.disk import small_disk
from tests.ingest.converters import as_openalex, as_s2orc, as_tei
from tests.ingest.papers import load, small_corpus, write_files
from tests.ingest.random_changes import SOURCES, _paper, _works, load_papers
from tests.ingest.shards.graphs import (
    FailureError,
    HereOnly,
    differing,
    rows_of_graph,
    rows_of_store,
    shards_of_papers,
)
from tests.ingest.test_real_sources import articles as real_articles

articles = real_articles  # fixture


def into(
    folder: Path, *paths: Path, parts: int | None = None, here: HereOnly | None = None
) -> ShardedIngest:
    """Ingests into a folder, in this process."""
    return ingest_shards(Storage(str(folder)), here or HereOnly(), paths, parts=parts)


def graph_of(result: ShardedIngest) -> ShardedGraph:
    assert result.graph is not None
    return result.graph


@pytest.fixture(scope="module")
def sources(articles: list[bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty real papers in four formats, a table of papers, and one of notices."""
    folder, papers = tmp_path_factory.mktemp("sources"), articles[:20]
    for name, written in (("jats", papers), ("tei", [as_tei(paper) for paper in papers])):
        (folder / name).mkdir()
        write_files(folder / name, written)
    works = [as_openalex(paper, 500 + n, [499 + n]) for n, paper in enumerate(papers)]
    (folder / "works.jsonl").write_bytes(b"\n".join(works))
    (folder / "s2orc.jsonl").write_bytes(b"\n".join(map(as_s2orc, papers)))
    (folder / "notices.csv").write_text(
        "OriginalPaperDOI,RetractionNature,RetractionDate\n10.1093/aob/mcr219,Retraction,1/2/2014\n"
    )
    return folder


@pytest.mark.parametrize("parts", [1, 3])
def test_the_graph_of_four_formats_is_that_of_a_store(
    fresh_store: Callable[[], GraphStore], sources: Path, tmp_path: Path, parts: int
) -> None:
    store = fresh_store()
    load(store, sources)
    graph = graph_of(into(tmp_path / "shards", sources, parts=parts))
    assert graph.parts == parts
    assert differing(rows_of_store(store), rows_of_graph(graph)) == set()
    assert graph.count("Record") == 80  # each paper in four sources


@pytest.mark.parametrize("seed", range(12))
def test_random_papers_in_random_divisions_are_those_of_a_store(
    fresh_store: Callable[[], GraphStore], tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    works = _works(rng, 14)
    paths = [f"{rng.choice(SOURCES)}/{rng.randrange(14)}/{n}" for n in range(30)]
    papers = [_paper(rng, works, path) for path in paths]
    store = fresh_store()
    load_papers(store, papers)
    expected = rows_of_store(store)
    for parts in (1, rng.randint(2, 6)):
        cuts = sorted(rng.sample(range(1, len(papers)), 4))
        groups = [papers[a:b] for a, b in zip([0, *cuts], [*cuts, len(papers)], strict=True)]
        graph = shards_of_papers(tmp_path / f"{parts}", groups, parts=parts)
        assert differing(expected, rows_of_graph(graph)) == set()


def test_tables_of_papers_and_citations_are_those_of_a_store(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    (folder := tmp_path / "tables").mkdir()
    (folder / "papers.csv").write_text(
        "id,title,authors,year\n"
        + "".join(f'p{n},Title number {n},"Name{n % 3}, A.",200{n}\n' for n in range(9))
    )
    (folder / "citations.csv").write_text(
        "citing,cited\n" + "".join(f"p{n},p{n - 1}\n" for n in range(1, 9))
    )
    store = fresh_store()
    load(store, folder)
    graph = graph_of(into(tmp_path / "shards", folder, parts=2))
    assert differing(rows_of_store(store), rows_of_graph(graph)) == set()
    assert graph.count("CITES") == 8


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Eight small papers that cite common works."""
    (folder := tmp_path / "corpus").mkdir()
    write_files(folder, small_corpus())
    return folder


def test_an_ingest_that_fails_anywhere_is_completed_by_the_next(
    corpus: Path, tmp_path: Path
) -> None:
    whole = HereOnly()
    expected = rows_of_graph(graph_of(into(tmp_path / "whole", corpus, parts=2, here=whole)))
    folder = tmp_path / "shards"
    failing, total = 0, 0
    while True:
        here = HereOnly(fail_at=3)
        try:
            result = into(folder, corpus, parts=2, here=here)
        except FailureError:
            failing, total = failing + 1, total + len(here.done)
            assert not (folder / "graph.json").exists()
            continue
        total += len(here.done)
        break
    assert failing > 10
    assert total == len(whole.done)  # no task ran twice
    assert differing(expected, rows_of_graph(graph_of(result))) == set()
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["graph", "graph.json", "lock", "records", "shards.json"]


def test_a_full_disk_stops_with_a_clear_line_and_loses_nothing(
    corpus: Path, tmp_path: Path
) -> None:
    expected = rows_of_graph(graph_of(into(tmp_path / "whole", corpus, parts=2)))
    folder = tmp_path / "shards"
    for size in (1_000, 8_000, 14_000):
        with small_disk(size), pytest.raises(StoreError, match="File too large"):
            into(folder, corpus, parts=2)
        assert not [path for path in folder.rglob("*") if path.name.endswith(".part")]
    result = into(folder, corpus, parts=2)
    assert differing(expected, rows_of_graph(graph_of(result))) == set()


def test_the_same_sources_again_run_no_task(corpus: Path, tmp_path: Path) -> None:
    first = into(tmp_path / "shards", corpus)
    again = HereOnly()
    second = into(tmp_path / "shards", corpus, here=again)
    assert again.done == []
    assert first.status == {"loaded": 8}
    assert second.status == {"unchanged": 8}
    assert graph_of(second).id == graph_of(first).id


def test_other_sources_are_read_and_earlier_ones_removed(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    (more := tmp_path / "more").mkdir()
    write_files(more, small_corpus(12)[8:])
    into(folder, corpus)
    here = HereOnly()
    both = into(folder, corpus, more, here=here)
    assert here.done.count("read_task") == 1
    assert both.fulltext_papers == 12
    fresh = graph_of(into(tmp_path / "fresh", corpus, more))
    assert differing(rows_of_graph(fresh), rows_of_graph(graph_of(both))) == set()
    less = into(folder, more)
    assert less.fulltext_papers == 4
    assert len([*(folder / "records").glob("*.json")]) == 1


def test_records_that_were_damaged_are_read_again(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    expected = rows_of_graph(graph_of(into(folder, corpus)))
    (references,) = folder.glob("records/*/*/Reference.parquet")
    references.write_bytes(references.read_bytes()[:100])
    (folder / "graph.json").unlink()
    here = HereOnly()
    again = into(folder, corpus, here=here)
    assert here.done.count("read_task") == 1
    assert differing(expected, rows_of_graph(graph_of(again))) == set()


def test_files_that_the_manifest_does_not_describe_are_refused(
    corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "shards"
    graph = graph_of(into(folder, corpus))
    name = graph.files("Section")[0]
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content + b" ")
    with pytest.raises(StoreError, match=r"Section/00000.parquet .* differs in size"):
        ShardedGraph.open(graph.storage)
    (folder / name).unlink()
    with pytest.raises(StoreError, match=r"lacks graph/Section/00000.parquet"):
        ShardedGraph.open(graph.storage)
    again = into(folder, corpus)  # builds it again
    assert (folder / name).read_bytes() == content
    assert graph_of(again).count("Section") == graph.count("Section")


def test_shards_of_another_schema_are_refused(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    into(folder, corpus)
    manifest = json.loads((folder / "graph.json").read_text())
    (folder / "graph.json").write_text(json.dumps({**manifest, "schema": 3}))
    with pytest.raises(SchemaVersionError, match="schema version 3; expected"):
        ShardedGraph.open(Storage(str(folder)))


def test_a_folder_without_papers_leaves_nothing(tmp_path: Path) -> None:
    (empty := tmp_path / "empty").mkdir()
    (empty / "broken.xml").write_text("<article")
    result = into(tmp_path / "shards", empty)
    assert result.exit_status == 1
    assert result.rejected[0][0].endswith("broken.xml")
    assert [path.name for path in (tmp_path / "shards").rglob("*.json")] == ["shards.json"]


def test_a_folder_with_other_files_is_refused(corpus: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "home").mkdir()
    (folder / "work").mkdir()
    (folder / "work" / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match=r"holds other files, such as work/notes\.txt"):
        into(folder, corpus)
    assert (folder / "work" / "notes.txt").read_text() == "mine"


def test_two_ingests_into_one_folder_do_not_meet(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    into(folder, corpus)
    with Storage(str(folder)).alone(), pytest.raises(ConfigError, match="another process"):
        into(folder, corpus)


def test_a_wrong_path_keeps_what_was_read(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    with pytest.raises(FailureError):
        into(folder, corpus, here=HereOnly(fail_at=2))
    (wrong := tmp_path / "wrong.xml").write_text("<article")
    assert into(folder, wrong).exit_status == 1
    here = HereOnly()
    into(folder, corpus, here=here)
    assert "read_task" not in here.done


def test_a_file_that_a_machine_could_not_read_is_read_again(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, hidden = tmp_path / "shards", sorted(corpus.iterdir())[0]

    def without_mount(document: SourceDocument) -> bytes:
        if document.path == str(hidden):
            raise SourceError(document.path, "unreadable", "No such file or directory")
        return read(document)

    read = SourceDocument.read
    monkeypatch.setattr(SourceDocument, "read", without_mount)
    first = into(folder, corpus)
    assert first.status == {"loaded": 7, "rejected": 1}
    monkeypatch.undo()
    second = into(folder, corpus)
    assert second.status == {"loaded": 8}
    assert graph_of(second).id != graph_of(first).id
    assert second.fulltext_papers == 8


def test_a_damaged_manifest_is_written_again(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    expected = rows_of_graph(graph_of(into(folder, corpus)))
    (folder / "graph.json").write_text("{")
    assert differing(expected, rows_of_graph(graph_of(into(folder, corpus)))) == set()


def test_files_lost_between_stages_are_noticed(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    with pytest.raises(FailureError):
        into(folder, corpus, parts=2, here=HereOnly(fail_at=4))
    (split,) = folder.glob("work/*/split/*")
    (chosen,) = folder.glob("work/*/choose/*1")
    split.unlink()  # is made again
    chosen.unlink()
    assert into(folder, corpus, parts=2).fulltext_papers == 8


def test_strict_names_the_document(corpus: Path, tmp_path: Path) -> None:
    (corpus / "zz.xml").write_text("<article")
    with pytest.raises(SourceError, match=r"zz\.xml: .*stopped: --strict"):
        ingest_shards(Storage(str(tmp_path / "s")), HereOnly(), [corpus], IngestConfig(strict=True))


def test_the_report_has_a_row_for_each_document(corpus: Path, tmp_path: Path) -> None:
    (corpus / "zz.xml").write_text("<article")
    result = into(tmp_path / "shards", corpus)
    assert result.arrow.num_rows == 9
    assert result.report.num_rows == 1
    assert result.status == {"loaded": 8, "rejected": 1}


def test_processes_give_the_same_files_as_one(corpus: Path, tmp_path: Path) -> None:
    alone = graph_of(into(tmp_path / "alone", corpus, parts=3))
    with open_cluster(workers=2) as cluster:
        result = ingest_shards(Storage(str(tmp_path / "two")), cluster, [corpus], parts=3)
    assert graph_of(result).rows == alone.rows
    assert differing(rows_of_graph(alone), rows_of_graph(graph_of(result))) == set()


def test_an_object_store_holds_the_same_graph(corpus: Path, tmp_path: Path) -> None:
    alone = graph_of(into(tmp_path / "alone", corpus, parts=2))
    storage = Storage(f"memory://{tmp_path.name}/shards")
    remote = graph_of(ingest_shards(storage, HereOnly(), [corpus], parts=2))
    assert differing(rows_of_graph(alone), rows_of_graph(remote)) == set()
    assert not [name for name in storage.sizes() if name.startswith("work/")]
