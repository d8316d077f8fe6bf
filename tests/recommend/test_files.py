"""Folders in HAtten's format: read, written, and read again."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, SourceError
from citescape.recommend.contexts import COLUMNS, TEXT, Contexts
from citescape.recommend.files import read_library_folder, write_library_folder
from citescape.recommend.library import PAPER_COLUMNS, Library

Files = dict[str, Any]


def files() -> Files:
    return {
        "contexts": {
            "q_a_0": entry("q_a_0", "q", "a", "as in TARGETCIT and OTHERCIT"),
            "q_b_0": entry("q_b_0", "q", "b", "as in OTHERCIT and TARGETCIT"),
            "r_a_0": entry("r_a_0", "r", "a", "by TARGETCIT"),
            "r_b_0": entry("r_b_0", "r", "b", "unlike TARGETCIT"),
        },
        "papers": {
            "q": {"title": "Q", "abstract": "About q", "date": "2019-03"},
            "b": {"title": "B", "year": 2001.0, "abstract": None},
            "a": {"title": ["A", "study"], "abstract": ["One.", "Two."], "authors": ["X"]},
            "r": {},
        },
        "train": [{"context_id": "r_a_0", "positive_ids": ["a"]}],
        "test": [{"context_id": "q_b_0", "positive_ids": ["b", "a"]}],
    }


def entry(id_: str, citing: str, cited: str, text: str) -> dict[str, str]:
    return {"masked_text": text, "context_id": id_, "citing_id": citing, "refid": cited}


def put(folder: Path, contents: Files) -> Path:
    for name, content in contents.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


def test_a_folder_is_read(tmp_path: Path) -> None:
    library, splits = read_library_folder(put(tmp_path, files()))
    assert library.papers.to_pylist() == [
        {"id": "a", "title": "A study", "abstract": "One. Two.", "date": ""},
        {"id": "b", "title": "B", "abstract": "", "date": "2001"},
        {"id": "q", "title": "Q", "abstract": "About q", "date": "2019-03"},
        {"id": "r", "title": "", "abstract": "", "date": ""},
    ]
    assert {
        name: [tuple(r.values()) for r in s.pairs.to_pylist()] for name, s in splits.items()
    } == {
        "train": [("r_a_0", "r", "a", "by TARGETCIT")],
        "test": [
            ("q_b_0", "q", "b", "as in OTHERCIT and TARGETCIT"),
            ("q_b_0", "q", "a", "as in TARGETCIT and OTHERCIT"),
        ],
    }
    assert library.contexts.pairs["context"].to_pylist() == ["r_a_0", "q_b_0", "q_b_0", "r_b_0"]


def test_texts_of_sentences_are_not_confused(tmp_path: Path) -> None:
    contents = files()
    contents["test"] = [{"context_id": "r_a_0", "positive_ids": ["a", "b"]}]
    _, splits = read_library_folder(put(tmp_path, contents))
    assert splits["test"].pairs[TEXT].to_pylist() == ["by TARGETCIT"] * 2


def test_ids_of_contexts_may_have_any_form(tmp_path: Path) -> None:
    contents = files()
    contents["contexts"]["17"] = entry("17", "q", "a", "here TARGETCIT")
    contents["test"] = [{"context_id": "17", "positive_ids": ["a"]}]
    _, splits = read_library_folder(put(tmp_path, contents))
    assert splits["test"].citing.to_pylist() == ["q"]


def test_compressed_files_are_read(tmp_path: Path) -> None:
    for name, content in files().items():
        data = gzip.compress(json.dumps(content).encode(), mtime=0)
        (tmp_path / f"{name}.json.gz").write_bytes(data)
    assert len(read_library_folder(tmp_path)[0].contexts) == 3


@pytest.mark.parametrize(
    ("id_", "year"),
    [("P15-2138", "2015"), ("J79-1001", "1979"), ("2020.acl-main.447", "2020"), ("1503.1", "")],
)
def test_years_follow_from_acl_anthology_ids(id_: str, year: str, tmp_path: Path) -> None:
    contents = files()
    contents["papers"][id_] = {"title": "Parsing"}
    library, _ = read_library_folder(put(tmp_path, contents))
    assert dict(zip(*(library.papers[c].to_pylist() for c in ("id", "date")), strict=True))[
        id_
    ] == year  # fmt: skip


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("rice &amp; wheat &lt;i&gt;", "rice & wheat <i>"),
        ("one\x00two\n three\u2028", "one two three"),
        ("a\ufeffnaly\u200bsis", "analysis"),
        ("half \ud83d of a pair", "half of a pair"),
        ("R&D, AT&T &c.", "R&D, AT&T &c."),
    ],
)
def test_entities_and_invisible_characters_are_cleaned(
    source: str, read: str, tmp_path: Path
) -> None:
    changed = files()
    changed["papers"]["q"]["title"] = source
    changed["contexts"]["r_a_0"]["masked_text"] = source
    library, splits = read_library_folder(put(tmp_path, changed))
    assert library.papers["title"].to_pylist()[2] == read
    assert splits["train"].pairs[TEXT].to_pylist() == [read]


def _set(*path: str | int, to: object) -> Callable[[Files], None]:
    def change(record: Any) -> None:
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("contexts", to=[]), r"contexts\.json: expected an object of objects; found list"),
        (_set("contexts", to={}), "found an empty object"),
        (_set("papers", to=7), r"papers\.json: expected an object of objects; found int"),
        (_set("papers", to={"a": 1, "b": "B"}), r"papers\.json, 'a': expected an object; found 1"),
        (_set("contexts", to={"x": {}, "y": 0}), r"contexts\.json, 'x': expected masked_text"),
        (
            _set("papers", to={"z": {}}),
            "no context is left; .*: found 'q', which is not a paper",
        ),
        (_set("test", 0, "context_id", to="q_z_0"), "entry 0: found 'q_z_0'; expected the id"),
        (_set("test", 0, "positive_ids", to=[]), "expected context_id and positive_ids"),
        (_set("test", to={}), "expected a list of contexts; found dict"),
    ],
)
def test_invalid_folders_are_refused(
    change: Callable[[Files], None], message: str, tmp_path: Path
) -> None:
    contents = files()
    change(contents)
    with pytest.raises(SourceError, match=message) as raised:
        read_library_folder(put(tmp_path, contents))
    assert "\n" not in str(raised.value)


INVALID = {"context_id": "q_z_0", "positive_ids": ["a"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("papers", "x", to="A"), r"papers\.json, 'x': expected an object; found A"),
        (_set("papers", "x", "title", to=float("nan")), "'x': expected a text; found nan"),
        (_set("papers", "x", "title", to=[1]), "'x': expected a text; found 1"),
        (_set("papers", "x", "date", to=[1]), r"'x': found \[1\] as id"),
        (_set("papers", "\ud800", to={}), "found an id with half of a surrogate pair"),
        (_set("contexts", "q_x_0", to=None), "'q_x_0': expected an object; found None"),
        (_set("contexts", "q_x_0", "masked_text", to=" \x07"), "'q_x_0': expected masked_text"),
        (_set("contexts", "q_x_0", "masked_text", to=None), "'q_x_0': expected masked_text"),
        (_set("contexts", "q_x_0", "masked_text", to=7), "'q_x_0': expected a text; found 7"),
        (_set("contexts", "q_x_0", "citing_id", to=None), "'q_x_0': found None as id"),
        (_set("contexts", "q_x_0", "context_id", to="x"), "'q_x_0': found 'x' as context_id"),
        (_set("test", 1, to=INVALID), r"test\.json, entry 1: found 'q_z_0'; expected the id"),
        (
            _set("test", 1, "positive_ids", to=["z"]),
            r"'r_b_0': found 'z', which is not a paper of papers\.json",
        ),
        (_set("test", 1, "positive_ids", to=[]), "expected context_id and positive_ids"),
        (_set("test", 0, "positive_ids", to=["b", "a", "a"]), "'q_b_0': found one work twice"),
    ],
)
def test_only_the_invalid_record_is_skipped(
    change: Callable[[Files], None], message: str, tmp_path: Path
) -> None:
    valid, invalid = files(), files()
    for contents in (valid, invalid):
        contents["papers"]["x"] = {"title": "X"}
        contents["contexts"]["q_x_0"] = entry("q_x_0", "q", "x", "on TARGETCIT")
        contents["test"].append({"context_id": "r_b_0", "positive_ids": ["b"]})
    change(invalid)
    (tmp_path / "whole").mkdir()
    whole, wholes = read_library_folder(put(tmp_path / "whole", valid))
    library, splits = read_library_folder(put(tmp_path, invalid))
    assert whole.skipped == ()
    (skipped,) = library.skipped
    assert re.search(message, skipped)
    assert "\n" not in skipped
    assert library.count_skipped() == {"skipped_records": 1, "skipped_examples": [skipped]}
    ids = {"papers": whole.ids, "contexts": whole.contexts.ids, "test": wholes["test"].ids}
    found = {"papers": library.ids, "contexts": library.contexts.ids, "test": splits["test"].ids}
    lost = {name: set(ids[name].to_pylist()) - set(found[name].to_pylist()) for name in ids}
    assert sum(map(bool, (lost["papers"], lost["contexts"], lost["test"]))) <= 1
    assert all(len(contents) <= 1 for contents in lost.values())
    assert sentences(splits["train"]) == sentences(wholes["train"])


def test_contexts_of_an_invalid_paper_are_skipped_and_reported(tmp_path: Path) -> None:
    contents = files()
    contents["papers"]["a"] = 7
    library, splits = read_library_folder(put(tmp_path, contents))
    assert library.ids.to_pylist() == ["b", "q", "r"]
    assert sentences(splits["test"]) == [[("q", "b", "as in OTHERCIT and TARGETCIT")]]
    assert len(splits["train"]) == 0
    assert [message.partition(": ")[2] for message in library.skipped] == [
        "expected an object; found 7",
        "found 'a', which is not a paper of papers.json",
        "found 'a', which is not a paper of papers.json",
    ]


def test_duplicate_ids_and_keys_are_reported(tmp_path: Path) -> None:
    put(tmp_path, files())
    text = '{"a": {}, "b": {"title": "B", "title": "C"}, "q": {}, "r": {}, "a": {"title": "A"}}'
    (tmp_path / "papers.json").write_text(text)
    library, _ = read_library_folder(tmp_path)
    assert library.papers["title"].to_pylist() == [""] * 3
    assert library.ids.to_pylist() == ["a", "q", "r"]
    assert [message.partition(": ")[2] for message in library.skipped[:2]] == [
        "found this key twice; the first one counts",
        "found 'title' twice; expected each key once",
    ]


@pytest.mark.parametrize("name", ["contexts", "papers", "train"])
def test_truncated_and_missing_files_are_refused(name: str, tmp_path: Path) -> None:
    path = put(tmp_path, files()) / f"{name}.json"
    path.write_text(path.read_text()[:-9])
    with pytest.raises(SourceError, match=rf"{name}\.json: expected JSON; found it cut off"):
        read_library_folder(tmp_path)
    path.unlink()
    if name != "train":
        with pytest.raises(SourceError, match=rf"expected {name}\.json or {name}\.json\.gz"):
            read_library_folder(tmp_path)


def test_a_folder_without_splits_is_refused(tmp_path: Path) -> None:
    contents = files()
    with pytest.raises(SourceError, match="expected one or more of train"):
        read_library_folder(
            put(tmp_path, {name: contents[name] for name in ("contexts", "papers")})
        )


IDS = st.sampled_from(["a", "b", "a_b", "doi:10.1/x", "c_0", "b_0"])
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)


@st.composite
def libraries(draw: st.DrawFn) -> tuple[Library, dict[str, Contexts]]:
    """Sentences that cite one or more works, distributed over splits."""
    papers = sorted(draw(st.sets(IDS, min_size=2)))
    titles = [draw(WORDS) for _ in papers]
    dates = [draw(st.sampled_from(["", "2001", "2001-02-03"])) for _ in papers]
    rows, dealt = [], []
    for number in range(draw(st.integers(1, 8))):
        citing = draw(st.sampled_from(papers))
        word, split = draw(WORDS), draw(st.sampled_from(["train", "val", "test"]))
        cited = draw(st.lists(st.sampled_from(papers), min_size=1, max_size=3, unique=True))
        for k, work in enumerate(cited):
            places = ["OTHERCIT"] * len(cited)
            places[k] = "TARGETCIT"
            rows.append((f"{citing}#{number}", citing, work, f"{word} {number} ({places})"))
            dealt.append(split)
    pairs = pa.table(list(zip(*rows, strict=True)), [*COLUMNS, TEXT])
    papers_table = pa.table([papers, titles, [""] * len(papers), dates], list(PAPER_COLUMNS))
    splits = {
        name: Contexts(pairs.filter(pa.array([part == name for part in dealt])))
        for name in dict.fromkeys(dealt)
    }
    return Library(papers_table, Contexts(pairs)), splits


def sentences(contexts: Contexts) -> list[list[tuple[str, ...]]]:
    """Rows of each context without its id, sorted."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for row in contexts.pairs.select([*COLUMNS, TEXT]).to_pylist():
        context, *rest = row.values()
        found.setdefault(context, []).append(tuple(rest))
    return sorted(map(sorted, found.values()))


@given(libraries())
def test_writing_and_reading_gives_the_same_library(
    example: tuple[Library, dict[str, Contexts]],
) -> None:
    library, splits = example
    with TemporaryDirectory() as name:
        folder = Path(name, "new")
        write_library_folder(folder, library, splits)
        again, read = read_library_folder(folder)
        assert sorted(path.name for path in folder.iterdir()) == sorted(
            f"{name}.json" for name in ("contexts", "papers", *splits)
        )
        entries = json.loads((folder / "contexts.json").read_text())
        trained = json.loads((folder / "train.json").read_text()) if "train" in splits else []
    assert again.papers.equals(library.papers)
    assert set(read) == set(splits)
    for split, contexts in splits.items():
        if split == "train":
            rows = sorted(row for group in sentences(contexts) for row in group)
            assert [row for group in sentences(read[split]) for row in group] == rows
        else:
            assert sentences(read[split]) == sentences(contexts)
    assert len(entries) == library.contexts.pairs.num_rows
    assert all(
        entries[group["context_id"]]["refid"] == group["positive_ids"][0] for group in trained
    )
    for id_, group in entries.items():
        assert id_.startswith(f"{group['citing_id']}_{group['refid']}_")


def test_works_outside_the_candidates_are_left_out_of_a_split(tmp_path: Path) -> None:
    library, splits = read_library_folder(put(tmp_path, files()))
    kept = splits["test"].filter(pa.array([False, True]))
    write_library_folder(tmp_path / "new", library, {"test": kept})
    again, read = read_library_folder(tmp_path / "new")
    assert sentences(read["test"]) == [[("q", "a", "as in TARGETCIT and OTHERCIT")]]
    assert again.contexts.pairs.num_rows == library.contexts.pairs.num_rows


def test_a_failed_write_changes_nothing(tmp_path: Path) -> None:
    library, splits = read_library_folder(put(tmp_path, files()))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    strange = Contexts(splits["test"].pairs.set_column(0, "context", pa.array(["x", "x"])))
    for kept_splits, message in (
        ({"dev": splits["test"]}, "found splits dev; expected some of train, val, test"),
        ({**splits, "test": strange}, "test: found 'x'; expected contexts of the library"),
        ({"train": splits["train"]}, r"test\.json is of another set of contexts"),
    ):
        with pytest.raises(ConfigError, match=message):
            write_library_folder(tmp_path, library, kept_splits)
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    with pytest.raises(ConfigError, match=r"cannot be written: (File exists|Not a directory)"):
        write_library_folder(tmp_path / "papers.json", library, splits)
