from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.evaluation.systems import SystemSources, open_systems
from citescape.papers.documents import DocumentCorpus, make_corpus


def test_missing_systems_are_refused_before_encoding(tmp_path: Path) -> None:
    calls: list[str] = []

    def read() -> DocumentCorpus:
        calls.append("read")
        return make_corpus(pa.array(["a"]), [Document("A title")])

    sources = SystemSources(tmp_path / "runs", read, max_tokens=16)
    for second, expected in (
        ("nowhere.jsonl", "no file nowhere"),
        ("minilm", "are called"),
        ("bm25", "^bm25 .*expected .* such as minilm"),
    ):
        with pytest.raises(ConfigError, match=expected):
            open_systems(("minilm", second), sources)
    assert calls == []
    embeddings = tmp_path / "e.jsonl"
    embeddings.write_text('{"paper_id": "a", "embedding": [1]}')
    found = open_systems(("minilm", f"own={embeddings}"), sources)
    assert [system.name for system in found] == ["minilm", "own"]
    assert calls == ["read"]
