from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from citescape.embeddings.documents import make_corpus
from citescape.evaluation.given import Shelf, find_given


def test_files_in_folders_with_an_equals_sign(tmp_path: Path) -> None:
    path = tmp_path / "year=2019" / "a.jsonl"
    path.parent.mkdir()
    path.write_text('{"paper_id": "a", "embedding": [1]}')
    shelf = Shelf(tmp_path, lambda: make_corpus(pa.array([], pa.string()), []))
    found = find_given([str(path), f"x={path}"], shelf)
    assert [one.name for one in found] == [str(path), "x"]
    assert [list(one.origin) for one in found] == [["a.jsonl"]] * 2
