"""A transformer of a few thousand numbers, as a folder that tests may damage."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from citescape.encoders.files import HUB_DEFAULT, locate

POSITIONS = 64


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A whole model with MiniLM's words, 16 dimensions and 64 positions."""
    from transformers import BertConfig, BertModel

    shape = BertConfig(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=POSITIONS,
    )
    path = tmp_path / "tiny"
    BertModel(shape).save_pretrained(path)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(Path(locate(HUB_DEFAULT)) / name, path / name)
    return path
