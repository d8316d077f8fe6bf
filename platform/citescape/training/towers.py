"""Encoders in training: a transformer, an adapter on vectors, or an encoder of your own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import save_model

from citescape.encoders.documents import Adapter, EncoderSettings
from citescape.encoders.own import OWN, OwnEncoder
from citescape.encoders.saved import write_adapter, write_encoder_settings
from citescape.encoders.tokens import mean_pool
from citescape.training.batches import plan_passes
from citescape.training.texts import Tokens

Passes = list[tuple[torch.Tensor, ...]]
_MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
]
"""modules.json, by which sentence-transformers opens a folder."""


class TextModule(torch.nn.Module):
    """A transformer with pooling."""

    def __init__(self, model: torch.nn.Module, pooling: str) -> None:
        super().__init__()
        self.model = model
        self.pooling = pooling

    def forward(self, passes: Passes) -> torch.Tensor:
        """Vectors (papers, d) float32 of the token ids (B, T) and masks (B, T) of each pass."""
        vectors = []
        for ids, mask in passes:
            hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state  # (B, T, d)
            pooled = hidden[:, 0] if self.pooling == "cls" else mean_pool(hidden, mask)
            vectors.append(pooled.float())
        return torch.cat(vectors)


class TextTower:
    """Trains the transformer itself: all of it, or its bias terms.

    `inputs` returns the forward passes of some papers, and the position in `papers` of each vector.
    """

    def __init__(
        self, model: torch.nn.Module, tokenizer: Any, tokens: Tokens, *, pooling: str, budget: int
    ) -> None:
        self.module = TextModule(model, pooling)
        self._tokenizer = tokenizer
        self._tokens = tokens
        self._budget = budget

    def inputs(self, papers: Any, device: torch.device) -> tuple[Passes, Any]:
        """Passes with texts of similar length, padded to the longest of the pass."""
        planned = plan_passes(self._tokens.lengths(papers), self._budget)
        fill = self._tokenizer.pad_token_id or 0
        passes = [
            tuple(torch.from_numpy(array).to(device) for array in self._tokens.pad(papers[k], fill))
            for k in planned
        ]
        return passes, np.concatenate(planned)

    def tokens(self, papers: Any) -> int:
        """Number of tokens, special tokens included and padding not."""
        return int(self._tokens.lengths(papers).sum())

    def flops(self, papers: Any) -> float:
        """Floating-point operations of one forward pass."""
        return count_flops(self.module.model, self._tokens.lengths(papers))

    def save(self, folder: Path, settings: EncoderSettings) -> None:
        """Writes a Hugging Face folder, which sentence-transformers opens too.

        For sentence-transformers, write texts in the encoder's form: `title [SEP] abstract` with
        the tokenizer's separator, or title and abstract with a space between.
        """
        model: Any = self.module.model
        model.save_pretrained(folder)
        self._tokenizer.save_pretrained(folder)
        write_encoder_settings(folder, settings)
        pooling = {
            "word_embedding_dimension": model.config.hidden_size,
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


def count_flops(model: torch.nn.Module, lengths: npt.NDArray[np.int64]) -> float:
    """Operations of one forward pass of a transformer over texts of these lengths in tokens.

    2 per token and weight of a matrix (without embeddings, which are a lookup), and 4 T d per token
    and layer in attention.
    """
    config: Any = model.config
    tokens = lengths.astype(np.float64)
    layers, width = int(config.num_hidden_layers), int(config.hidden_size)
    attention = 4.0 * layers * width * float((tokens**2).sum())
    weights = sum(
        parameter.numel()
        for name, parameter in model.named_parameters()
        if parameter.ndim == 2 and "embedding" not in name and "pooler" not in name
    )
    return 2.0 * weights * float(tokens.sum()) + attention


class AdapterModule(torch.nn.Module):
    """A linear map, the identity before training."""

    def __init__(self, dimensions: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.eye(dimensions))
        self.bias = torch.nn.Parameter(torch.zeros(dimensions))

    def forward(self, passes: Passes) -> torch.Tensor:
        """Maps vectors (papers, d) of the frozen encoder."""
        return torch.cat([torch.nn.functional.linear(x, self.weight, self.bias) for (x,) in passes])


class AdapterTower:
    """Trains a linear map over the frozen encoder's vectors, which are computed once."""

    def __init__(self, vectors: Any) -> None:
        self._vectors = torch.from_numpy(np.array(vectors, np.float32))  # (papers, d)
        self.module = AdapterModule(self._vectors.shape[1])

    def inputs(self, papers: Any, device: torch.device) -> tuple[Passes, Any]:
        """One pass."""
        return [(self._vectors[torch.from_numpy(papers)].to(device),)], np.arange(len(papers))

    def tokens(self, papers: Any) -> int:
        """0: the tower reads vectors."""
        return 0

    def flops(self, papers: Any) -> float:
        """2 per weight and paper."""
        return 2.0 * self.module.weight.numel() * len(papers)

    def save(self, folder: Path, settings: EncoderSettings) -> None:
        """Writes the map and the name of its base."""
        weight, bias = (p.detach().cpu().numpy() for p in (self.module.weight, self.module.bias))
        write_adapter(folder, Adapter(weight, bias), settings)


class OwnModule(torch.nn.Module):
    """An encoder of your own, called as the module of a tower."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, passes: list[dict[str, Any]]) -> torch.Tensor:
        """Vectors (papers, d) float32 of the features of each pass."""
        outputs = [self.encoder(features) for features in passes]
        vectors = [
            out["sentence_embedding"] if isinstance(out, Mapping) else out for out in outputs
        ]
        return torch.cat(vectors).float()


class OwnTower:
    """Trains an encoder of your own; the texts of an update are one pass."""

    def __init__(self, encoder: OwnEncoder, read_texts: Callable[[Any], list[str]]) -> None:
        """Takes a module with `tokenize`.

        Args:
            encoder: it is trained in place.
            read_texts: texts of papers by their positions (k,), in this order.
        """
        self.module = OwnModule(encoder)
        self._encoder, self._read_texts = encoder, read_texts

    def inputs(self, papers: Any, device: torch.device) -> tuple[Any, Any]:
        """Features of all texts together."""
        tokenised = self._encoder.tokenize(self._read_texts(papers))
        features = {
            name: value.to(device) if isinstance(value, torch.Tensor) else value
            for name, value in tokenised.items()
        }
        return [features], np.arange(len(papers))

    def tokens(self, papers: Any) -> int:
        """0: unknown."""
        return 0

    def flops(self, papers: Any) -> float:
        """0: unknown."""
        return 0.0

    def save(self, folder: Path, settings: EncoderSettings) -> None:
        """Writes the weights alone."""
        save_model(self.module.encoder, str(folder / OWN))


Tower = TextTower | AdapterTower | OwnTower
"""A module and its inputs: `module(passes)` gives vectors (papers, d) in the passes' order."""


def choose_parameters(
    module: torch.nn.Module, tune: str, *, loss: object = "triplet", teacher: bool = False
) -> list[torch.nn.Parameter]:
    """Freezes the other parameters and returns the trained ones.

    A pooling layer is never trained: its output is not used. The bias of an adapter is trained only
    if the loss depends on cosines, as a teacher's does. A shift of all vectors does not change
    distances: its gradient is rounding errors, which Adam scales up to the size of any gradient.

    Args:
        module: module of a tower or a reranker.
        tune: `bias` for bias terms only, else all parameters.
        loss: `TrainConfig.loss`.
        teacher: whether the encoder learns from a teacher too.
    """
    by_distance = loss in ("triplet", "in-batch") and not teacher
    unused_bias = "bias" if tune == "adapter" and by_distance else ""
    for name, parameter in module.named_parameters():
        used = "pooler" not in name and name != unused_bias
        parameter.requires_grad_(used and (tune != "bias" or name.endswith("bias")))
    return [parameter for parameter in module.parameters() if parameter.requires_grad]
