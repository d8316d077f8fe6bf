"""Labelled citations as pairs of a graph: matching, contradictions, several names of a paper."""

from __future__ import annotations

import json
import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.importance.labelled import LabelAccount, LabelledPairs, open_labelled
from citescape.store.graph_store import GraphStore
from tests.importance.labels import make_records, write_labels

PAIRS = ((0, 1), (0, 2), (1, 2), (3, 2))
MENTIONS = (((0, 1), "I", False), ((0, 1), "R", False), ((1, 2), "M", False))


@pytest.fixture
def known(store: GraphStore, load: Any, make_graph: Any) -> GraphStore:
    """Papers 0 to 4 with DOIs 10.1234/p0 and on; PMID 7 is paper 2."""
    load(store, make_graph(5, PAIRS, MENTIONS))
    store.write("MATCH (p:Paper {id: 'doi:10.1234/p2'}) SET p.pmid = '7'")
    return store


def write_rows(path: Path, *rows: tuple[object, object, object]) -> Path:
    lines = [",".join(map(str, row)) for row in (("citing", "cited", "label"), *rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def match(known: GraphStore) -> Any:
    """Labelled pairs of files in the store."""
    with ExitStack() as opened:

        def read(*files: Path, **options: Any) -> LabelledPairs:
            options = {"graph": "auto", "store": lambda: known, **options}
            return opened.enter_context(open_labelled(files, **options))

        yield read


def list_rows(pairs: LabelledPairs) -> list[tuple[str, str, bool]]:
    citing, cited = pairs.features.pairs.ends(pairs.positions)
    return list(zip(citing.to_pylist(), cited.to_pylist(), pairs.important.tolist(), strict=True))


P = [f"doi:10.1234/p{k}" for k in range(5)]


def test_papers_by_any_identifier(match: Any, tmp_path: Path) -> None:
    rows = (
        ("https://doi.org/10.1234/P0", "10.1234/p1", 1),
        ("doi:10.1234/p0", "pmid:7", 0),
        ("10.1234/p1", 7, 1),
    )
    pairs = match(write_rows(tmp_path / "x.csv", *rows))
    assert list_rows(pairs) == [(P[0], P[1], True), (P[0], P[2], False), (P[1], P[2], True)]
    assert pairs.clusters.tolist() == [0, 0, 1]
    assert np.isnan(pairs.stated).all()
    assert (len(pairs), pairs.from_sentences) == (3, False)
    assert pairs.account == LabelAccount(records=3, pairs=3)


def test_several_names_of_one_pair_are_one_labelled_pair(match: Any, tmp_path: Path) -> None:
    rows = (("10.1234/p0", "10.1234/p2", 1), (P[0], "pmid:7", 1), ("10.1234/p0", P[1], 0))
    pairs = match(write_rows(tmp_path / "x.csv", *rows))
    assert list_rows(pairs) == [(P[0], P[1], False), (P[0], P[2], True)]
    assert pairs.account == LabelAccount(records=3, pairs=2)


def test_contradictions_between_names_of_one_pair_are_found(match: Any, tmp_path: Path) -> None:
    rows = (
        ("10.1234/p0", "10.1234/p2", 1),
        (P[0], "pmid:7", 0),
        (P[0], P[1], 0),
        (P[1], P[2], 1),
    )
    pairs = match(write_rows(tmp_path / "x.csv", *rows))
    assert list_rows(pairs) == [(P[0], P[1], False), (P[1], P[2], True)]
    assert pairs.account == LabelAccount(records=4, pairs=3, contradicting=1)


def test_what_is_left_out_is_counted_and_described(match: Any, tmp_path: Path) -> None:
    rows = (
        (P[0], P[1], 1),
        (P[0], P[2], 0),
        (P[1], P[2], 1),
        (P[1], P[2], 0),  # contradicts
        (P[0], "10.1234/none", 1),  # unknown
        ("10.1234/none", P[0], 0),  # unknown
        (P[2], P[0], 1),  # no such citation
        (P[4], P[4], 1),  # papers in no pair
    )
    pairs = match(write_rows(tmp_path / "x.csv", *rows))
    account = LabelAccount(8, 7, contradicting=1, unknown=2, uncited=2)
    assert pairs.account == account
    assert len(pairs) + 1 + 2 + 2 == account.pairs
    first, second = pairs.describe()
    assert first.startswith("2 labelled citations of 1 papers, 1 important (50.0%); graph: ")
    assert first.endswith(pairs.store.location)
    assert second == (
        "left out of 7 pairs: 1 with contradicting labels, 2 with a paper that is not in the "
        "graph, 2 without a citation in the graph"
    )


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (((P[0], P[1], 1), (P[0], P[2], 1)), "2 important and 0 other citations of .*x.csv are in"),
        (((P[0], P[1], 0),), "0 important and 1 other"),
        ((("a", "b", 0), ("c", "d", 1)), r"0 important and 0 other .* 2 with unknown papers"),
        (((P[2], P[0], 1),), "1 without a citation; 0 records without a label"),
        (((P[0], P[1], 0), (P[0], P[1], 1)), "1 with contradicting labels"),
    ],
)
def test_labels_of_one_kind_or_of_unknown_papers(
    rows: Any, found: str, match: Any, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=found):
        match(write_rows(tmp_path / "x.csv", *rows))


def test_the_order_of_records_and_files_does_not_matter(match: Any, tmp_path: Path) -> None:
    rows = [(P[0], P[1], 1), ("10.1234/p0", "pmid:7", 0), (P[0], P[2], 0), (P[1], P[2], 1)]
    one = match(write_rows(tmp_path / "x.csv", *rows))
    two = match(
        write_rows(tmp_path / "y.csv", *rows[:1:-1]), write_rows(tmp_path / "z.csv", *rows[1::-1])
    )
    assert one.fingerprint() == two.fingerprint()
    other = match(write_rows(tmp_path / "w.csv", *[(a, b, 1 - y) for a, b, y in rows]))
    assert other.fingerprint() != one.fingerprint()


def test_sentences_make_a_graph_of_their_own(tmp_path: Path) -> None:
    records = make_records()
    with read_sentences(write_labels(tmp_path / "x.jsonl", records)) as pairs:
        citing, cited = pairs.features.pairs.ends(pairs.positions)
        given = {(r["citingPaperId"], r["citedPaperId"]): r["isKeyCitation"] for r in records}
        counted: dict[tuple[str, str], int] = {}
        for record in records:
            key = record["citingPaperId"], record["citedPaperId"]
            counted[key] = counted.get(key, 0) + 1
        found = list(zip(citing.to_pylist(), cited.to_pylist(), strict=True))
        names = [(a.rpartition(":")[2], b.rpartition(":")[2]) for a, b in found]
        assert dict(zip(names, pairs.important.tolist(), strict=True)) == given
        mentions = pairs.features.mentions[pairs.positions].tolist()
        assert dict(zip(names, mentions, strict=True)) == counted
        assert pairs.stated.tolist() == mentions
        assert pairs.from_sentences
        assert pairs.describe()[0].endswith("graph: sentences of the files")
        place = Path(pairs.store.location)
        assert place.exists()
    assert not place.parent.exists()


def no_store() -> GraphStore:
    raise AssertionError("the store of the user is not needed")


def read_sentences(*files: Path, graph: str = "auto") -> Any:
    return open_labelled(files, graph=graph, store=no_store)


def test_sentences_in_any_order_are_the_same_labels(tmp_path: Path) -> None:
    records = make_records()
    with read_sentences(write_labels(tmp_path / "x.jsonl", records)) as one:
        first = one.fingerprint()
    random.Random(5).shuffle(records)
    folder = tmp_path / "labels"
    folder.mkdir()
    write_labels(folder / "a.jsonl", records[:100])
    write_labels(folder / "b.jsonl", records[100:])
    (folder / "notes.md").write_text("not read")
    with read_sentences(folder) as two:
        assert two.fingerprint() == first


def test_one_important_sentence_makes_a_pair_important_where_sentences_have_labels(
    tmp_path: Path,
) -> None:
    base = {"text": "We use it.", "citing_paper_id": "a", "section_name": "method"}
    records = [
        {**base, "cited_paper_id": cited, "intent": intent}
        for cited, intent in (("b", "Uses"), ("b", "Background"), ("c", "Background"))
    ]
    with read_sentences(write_labels(tmp_path / "x.jsonl", records)) as pairs:
        assert pairs.important.tolist() == [True, False]
        assert pairs.account == LabelAccount(3, 2)


def test_stated_mentions_are_the_largest_of_a_pair(tmp_path: Path) -> None:
    record = make_records()[0]
    records = [
        {**record, "citedPaperId": cited, "excerpt_index": index, "isKeyCitation": cited == "b"}
        for cited, index in (("b", 4), ("b", 1), ("c", None))
    ]
    with read_sentences(write_labels(tmp_path / "x.jsonl", records)) as pairs:
        assert pairs.stated.tolist() == pytest.approx([5, np.nan], nan_ok=True)


def test_files_without_sentences_have_no_graph_of_their_own(match: Any, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", (P[0], P[1], 1), (P[0], P[2], 0))
    with pytest.raises(ConfigError, match=r"x\.csv has no sentences; give --graph store"):
        match(path, graph="sentences")
    s2ag = {"citingcorpusid": 1, "citedcorpusid": 2, "isinfluential": True, "contexts": [""]}
    with pytest.raises(ConfigError, match="has no sentences"):
        match(write_labels(tmp_path / "x.jsonl", [s2ag]), graph="sentences")


def test_labels_of_a_data_set_in_a_store(store: GraphStore, tmp_path: Path) -> None:
    """Ids without the name of the set are those of any loader; a number is not a PMID."""
    for pair in (("aan:P1", "aan:W1"), ("aan:P2", "aan:W2"), ("pmid:11", "pmid:22")):
        store.write("CREATE (a:Paper {id: $a})-[:CITES]->(b:Paper {id: $b})", a=pair[0], b=pair[1])
    arc = [
        {"citing_paper_id": f"P{k}", "cited_paper_id": f"W{k}", "intent": intent}
        for k, intent in ((1, "Uses"), (2, "Background"))
    ]
    s2ag = {"citingcorpusid": 11, "citedcorpusid": 22, "isinfluential": True}
    files = [write_labels(tmp_path / "x.jsonl", arc), write_labels(tmp_path / "y.jsonl", [s2ag])]
    with open_labelled(files, graph="store", store=lambda: store) as pairs:
        assert list_rows(pairs) == [("aan:P1", "aan:W1", True), ("aan:P2", "aan:W2", False)]
        assert pairs.account == LabelAccount(3, 3, unknown=1)


def test_no_files(tmp_path: Path, match: Any) -> None:
    (tmp_path / "empty").mkdir()
    for files in ((), (tmp_path / "empty",)):
        with pytest.raises(ConfigError, match="expected --labels FILE"):
            match(*files)
    with pytest.raises(SourceError, match=r"none\.csv"):
        match(tmp_path / "none.csv")


def test_damaged_files_leave_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = write_labels(
        tmp_path / "x.jsonl", [{**r, "isKeyCitation": True} for r in make_records()]
    )
    with pytest.raises(ConfigError, match="expected both kinds"), read_sentences(path):
        pass
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.jsonl"]


def test_hostile_ids_and_texts(tmp_path: Path) -> None:
    texts = ("'); DROP", "a\x00b", "\ud800", "=1+1", "<b>", "x" * 5_000, "id with spaces\u202e")
    record = make_records()[0]
    records = [
        {
            **record,
            "string": f"We follow {text}.",
            "sectionName": text,
            "citedPaperId": f"w{k}",
            "isKeyCitation": k % 2 == 0,
        }
        for k, text in enumerate(texts)
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    with read_sentences(path) as pairs:
        assert len(pairs) == len(texts)
