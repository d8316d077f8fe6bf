"""Documents -> tables: an internal error of the loader rejects one document; chunks are bounded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import sentencex  # type: ignore[import-untyped]

from citescape.ingest import parse
from citescape.ingest.parse import parse_documents
from citescape.loaders.documents import SourceDocument
from citescape.loaders.sources import iter_documents
from tests.ingest.papers import jats, small_corpus, write_files


class Panicking(SourceDocument):
    """A document on which sentencex, a Rust library, panics."""

    def read(self) -> bytes:
        sentencex.segment("en", "vitamin C\u00a0.")
        pytest.skip("this sentencex no longer panics")


class Interrupted(SourceDocument):
    def read(self) -> bytes:
        raise KeyboardInterrupt


def rows(documents: Sequence[SourceDocument]) -> list[dict[str, object]]:
    return [
        row
        for parsed in parse_documents(documents, workers=1)
        for row in parsed.report.select(["path", "reason", "status"]).to_pylist()
    ]


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (SourceDocument("bad.xml", 3, data="<a>"), "TypeError: "),  # type: ignore[arg-type]
        (Panicking("bad.xml", 1), "PanicException: "),
    ],
)
def test_an_internal_error_rejects_one_document(bad: SourceDocument, fault: str) -> None:
    good = SourceDocument("good.xml", 1, data=jats(1))
    first, second = sorted(rows([bad, good]), key=lambda row: str(row["path"]))

    assert first["reason"] == "loader-fault"
    assert str(first["status"]).startswith(f"rejected: reading failed: {fault}")
    assert "\n" not in str(first["status"])
    assert (second["path"], second["status"]) == ("good.xml", "loaded")


def test_ctrl_c_does_not_reject_a_document() -> None:
    with pytest.raises(KeyboardInterrupt):
        rows([Interrupted("a.xml", 1)])


def test_chunks_are_bounded_in_documents_and_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = write_files(tmp_path, small_corpus(6))
    sizes = [path.stat().st_size for path in paths]
    for most, bytes_, lengths in (
        (4, 10**9, [4, 2]),
        (16, sum(sizes[:3]), [3, 2, 1]),
        (16, 1, [1] * 6),
    ):
        monkeypatch.setattr(parse, "_CHUNK", most)
        monkeypatch.setattr(parse, "_CHUNK_BYTES", bytes_)
        result = list(parse_documents(iter_documents([tmp_path]), workers=1))
        assert [parsed.report.num_rows for parsed in result] == lengths
