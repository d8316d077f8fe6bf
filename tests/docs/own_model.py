"""A reader's own model: the mean of the vectors of the letters of a text."""

from __future__ import annotations

import numpy as np
import torch


class OwnModel(torch.nn.Module):
    """Has `encode`, like models of sentence-transformers, and all that `corpus.train` needs."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = torch.nn.Embedding(128, 8)

    def tokenize(self, texts: list[str]) -> dict[str, torch.Tensor]:
        width = max(map(len, texts))
        rows = [[min(ord(letter), 127) for letter in text.ljust(width)] for text in texts]
        return {"input_ids": torch.tensor(rows)}

    def forward(self, features: dict[str, torch.Tensor]) -> torch.Tensor:
        vectors: torch.Tensor = self.letters(features["input_ids"])
        return vectors.mean(1)

    def encode(self, texts: list[str]) -> np.ndarray:
        with torch.no_grad():
            return np.asarray(self(self.tokenize(texts)))
