from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings

Embeddings = Mapping[str, Sequence[float]]


@pytest.fixture
def encode(tmp_path: Path) -> Callable[[Embeddings], PaperEmbeddings]:
    """Function that writes embeddings in the published format and reads them."""

    def encode(embeddings: Embeddings) -> PaperEmbeddings:
        path = tmp_path / "embeddings.jsonl"
        with path.open("w") as opened:
            for paper, vector in embeddings.items():
                line = {"paper_id": paper, "embedding": np.asarray(vector).tolist()}
                opened.write(json.dumps(line) + "\n")
        return read_paper_embeddings(path)

    return encode
