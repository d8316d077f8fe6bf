from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from citescape.embeddings.encoded import Encoded, read_encoded

Embeddings = Mapping[str, Sequence[float]]


@pytest.fixture
def encode(tmp_path: Path) -> Callable[[Embeddings], Encoded]:
    """Embeddings written as they are published, and read."""

    def encode(embeddings: Embeddings) -> Encoded:
        path = tmp_path / "embeddings.jsonl"
        with path.open("w") as opened:
            for paper, vector in embeddings.items():
                told = {"paper_id": paper, "embedding": np.asarray(vector).tolist()}
                opened.write(json.dumps(told) + "\n")
        return read_encoded(path)

    return encode
