"""Vectors of an adapter, computed from existing vectors of its base."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from citescape.embeddings.embed import embed
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import Adapter, EncoderSettings
from citescape.encoders.saved import write_adapter
from citescape.papers.documents import read_corpus
from citescape.store.graph_store import GraphStore


def test_an_adapter_maps_base_vectors_without_encoding(
    library: GraphStore, encoder: str, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    base = EmbedConfig(encoder=encoder, form="joined", max_tokens=32, precision="float32")
    corpus = read_corpus(library)
    base_vectors = embed(corpus, base, runs=tmp_path / "runs")
    d = base_vectors.vectors.dimensions
    adapter = Adapter(
        rng.normal(size=(d, d)).astype(np.float32), rng.normal(size=d).astype(np.float32)
    )
    folder = tmp_path / "adapter"
    folder.mkdir()
    write_adapter(folder, adapter, EncoderSettings("joined", "mean", 32, base=encoder))
    config = EmbedConfig(encoder=str(folder), precision="float32")
    adapted = embed(corpus, config, runs=tmp_path / "runs")
    encoded = embed(corpus, config, runs=tmp_path / "elsewhere")
    assert adapted.record.id == encoded.record.id
    assert adapted.record.counts["adapted_from"] == base_vectors.record.id
    assert "adapted_from" not in encoded.record.counts
    np.testing.assert_array_equal(adapted.vectors.values, encoded.vectors.values)
    np.testing.assert_allclose(
        adapted.vectors.values,
        base_vectors.vectors.values @ adapter.weight.T + adapter.bias,
        rtol=1e-5,
        atol=1e-5,
    )
    assert adapted.vectors.papers.equals(base_vectors.vectors.papers)
