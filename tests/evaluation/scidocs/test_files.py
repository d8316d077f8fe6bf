from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.evaluation.scidocs.files import (
    Click,
    read_clicks,
    read_labelled,
    read_propensities,
    read_qrel,
)


def put(folder: Path, text: str) -> Path:
    path = folder / "file"
    path.write_text(text)
    return path


def test_judgements_are_read(tmp_path: Path) -> None:
    found = read_qrel(put(tmp_path, "q 0 b_1 1\nq 0 a 0\n\nr\t0\ta 2\r\n"))
    assert found.queries.to_pylist() == ["q", "r"]
    assert found.documents.to_pylist() == ["a", "b_1"]
    assert found.codes.tolist() == [0, 1, 0]
    assert found.values.tolist() == [0, 1, 2]


def test_labels_are_read(tmp_path: Path) -> None:
    found = read_labelled(put(tmp_path, 'pid,class\nb_1,10\n"a b",2\n\nb_1,2'))
    assert found.papers.to_pylist() == ["b_1", "a b", "b_1"]
    assert found.labels.tolist() == [10, 2, 2]
    texts = read_labelled(put(tmp_path, "pid,class\na,10\nb,010\n"))
    assert texts.labels.tolist() == ["10", "010"]


def test_clicks_are_read(tmp_path: Path) -> None:
    text = 'query,clicked,others\nq,b,"a,b,c d"\nr,a_1,a_1\n'
    found = read_clicks(put(tmp_path, text))
    assert found == [Click("q", "b", ("a", "b", "c d")), Click("r", "a_1", ("a_1",))]
    assert [click.position for click in found] == [1, 0]


def test_propensities_have_a_mean_of_1(tmp_path: Path) -> None:
    found = read_propensities(put(tmp_path, '{"scores": [0.6, 0.3, 0.3]}'))
    assert found == pytest.approx([1.5, 0.75, 0.75])


BAD: list[tuple[Callable[[Path], object], str, str]] = [
    (read_qrel, "", "found none"),
    (read_qrel, "q 0 a 1\nq 0 b", "line 2: found 'q 0 b'"),
    (read_qrel, "q 0 a b 1", "no spaces in ids"),
    (read_qrel, "q 0 a 0.5", "relevance a whole number"),
    (read_qrel, "q 0 a 1\nq 0 a 0", "'a' of query 'q'"),
    (read_labelled, "", "found no row after the header"),
    (read_labelled, "pid,class\n", "found no row after the header"),
    (read_labelled, "pid,class\na,1\nb", "line 3: found"),
    (read_labelled, "pid,class\na,\n", "expected an id and a label"),
    (read_labelled, 'pid,class\n"a,1\n', "the file may be truncated"),
    (read_clicks, "q,c,o\n", "found no row after the header"),
    (read_clicks, 'q,c,o\nq,b,"a,c"\n', "the clicked one among them"),
    (read_clicks, "q,c,o\nq,b\n", "line 2"),
    (read_propensities, "[1]", "positive numbers"),
    (read_propensities, '{"scores": []}', "positive numbers"),
    (read_propensities, '{"scores": [1, 0]}', "positive numbers"),
    (read_propensities, '{"scores": [1, NaN]}', "positive numbers"),
    (read_propensities, '{"scores": ["1"]}', "positive numbers"),
]


@pytest.mark.parametrize(("read", "text", "message"), BAD)
def test_invalid_files_are_refused(
    tmp_path: Path, read: Callable[[Path], object], text: str, message: str
) -> None:
    with pytest.raises(SourceError) as caught:
        read(put(tmp_path, text))
    assert message in str(caught.value)


@pytest.mark.parametrize("read", [read_qrel, read_labelled, read_clicks, read_propensities])
def test_missing_files_are_refused(tmp_path: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(SourceError, match="expected a file; found: No such file"):
        read(tmp_path / "none")
    (tmp_path / "latin").write_bytes(b"\xe9\xff")
    with pytest.raises(SourceError, match="expected UTF-8"):
        read(tmp_path / "latin")
