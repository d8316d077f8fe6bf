from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.evaluation.systems import SystemSources, open_systems
from citescape.papers.documents import DocumentCorpus, make_corpus


def test_what_is_not_there_shows_before_anything_is_encoded(tmp_path: Path) -> None:
    told: list[str] = []

    def read() -> DocumentCorpus:
        told.append("read")
        return make_corpus(pa.array(["a"]), [Document("A title")])

    sources = SystemSources(tmp_path / "runs", read, max_tokens=16)
    for second, expected in (
        ("nowhere.jsonl", "no file nowhere"),
        ("minilm", "are called"),
        ("bm25", "^bm25 .*expected .* such as minilm"),
    ):
        with pytest.raises(ConfigError, match=expected):
            open_systems(("minilm", second), sources)
    assert told == []
    embeddings = tmp_path / "e.jsonl"
    embeddings.write_text('{"paper_id": "a", "embedding": [1]}')
    found = open_systems(("minilm", f"own={embeddings}"), sources)
    assert [one.name for one in found] == ["minilm", "own"]
    assert told == ["read"]
