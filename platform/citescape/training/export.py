"""Files beside a trained model that let sentence-transformers open its folder."""

from __future__ import annotations

import json
from pathlib import Path

from citescape.encoders.documents import EncoderSettings

_MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
]


def write_sentence_transformer(folder: Path, settings: EncoderSettings, dimensions: int) -> None:
    """Writes modules.json, sentence_bert_config.json and 1_Pooling/config.json.

    A text given to such a model should be in the encoder's form: `title [SEP] abstract` with the
    tokenizer's separator, or title and abstract with a blank between them.
    """
    pooling = {
        "word_embedding_dimension": dimensions,
        "pooling_mode_cls_token": settings.pooling == "cls",
        "pooling_mode_mean_tokens": settings.pooling == "mean",
    }
    length = {"max_seq_length": settings.max_tokens, "do_lower_case": False}
    (folder / "1_Pooling").mkdir(exist_ok=True)
    for name, content in (
        ("modules.json", _MODULES),
        ("sentence_bert_config.json", length),
        ("1_Pooling/config.json", pooling),
    ):
        (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
