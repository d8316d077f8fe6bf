"""A table of vectors with its optimiser: a step reads and writes only the rows of its batch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from citescape.encoders.graph_config import GraphConfig

_EPSILON = 1e-10
_SPREAD = 1e-3
"""Standard deviation of the initial vectors, as in PyTorch-BigGraph. With cosines they have length
1: the gradient by a short vector is so large that Adagrad would hardly move it afterwards."""
_ROWS = 65_536
"""Number of rows that are filled or copied at one time."""


@dataclass(frozen=True)
class EmbeddingTable:
    """Vectors of nodes and, for each, the sum of its mean squared gradients (row-wise Adagrad).

    Both are tensors in memory, on disk (memory-mapped) or on an accelerator.
    """

    vectors: Tensor
    """(nodes, d) float32"""
    squares: Tensor
    """(nodes,) float32"""

    def gather(self, rows: Tensor, device: torch.device) -> Tensor:
        """(k, d) a copy of some rows, on the device that computes."""
        return self.vectors.index_select(0, rows.to(self.vectors.device)).to(device)

    def update(self, rows: Tensor, leaf: Tensor, config: GraphConfig) -> None:
        """One step of Adagrad: x -= rate * g / sqrt(sum of mean squares of its gradients).

        Args:
            rows: (k,) distinct rows.
            leaf: (k, d) their vectors from `gather`, with the gradient of the loss.
            config: learning rate and maximum length.
        """
        if leaf.grad is None:
            return
        place = self.vectors.device
        rows, vectors, gradient = rows.to(place), leaf.detach().to(place), leaf.grad.to(place)
        squares = self.squares.index_select(0, rows) + gradient.square().mean(1)
        self.squares.index_copy_(0, rows, squares)
        steps = config.rate / (squares.sqrt() + _EPSILON)
        moved = vectors.addcmul(gradient, steps.unsqueeze(1), value=-1)
        self.vectors.index_copy_(0, rows, _bound(moved, config))


def make_table(
    nodes: int, config: GraphConfig, *, number: int, folder: Path | None, device: torch.device
) -> EmbeddingTable:
    """A table of small random vectors.

    Args:
        nodes: number of rows.
        config: dimensions, seed, comparator.
        number: 0 or 1: each table has other initial vectors.
        folder: folder of memory-mapped files; None for memory.
        device: device of a table in memory.
    """
    shape = (nodes, config.dimensions)
    if folder is None:
        table = EmbeddingTable(torch.empty(shape), torch.zeros(nodes))
    else:
        table = EmbeddingTable(
            _mapped(folder / f"vectors-{number}.npy", shape),
            _mapped(folder / f"squares-{number}.npy", (nodes,)),
        )
    generator = np.random.default_rng([config.seed, 0, number])
    spread = _SPREAD if config.comparator == "dot" else config.dimensions**-0.5
    for first in range(0, nodes, _ROWS):
        part = table.vectors[first : first + _ROWS]
        drawn = generator.standard_normal(tuple(part.shape), dtype=np.float32)
        part.copy_(_bound(torch.from_numpy(drawn).mul_(spread), config))
    return table if folder else EmbeddingTable(table.vectors.to(device), table.squares.to(device))


def save_table(table: EmbeddingTable, folder: Path, number: int) -> None:
    """Writes both arrays, some rows at a time.

    Args:
        table: table to save.
        folder: folder that exists.
        number: number of the table, for the names of its files.
    """
    for name, tensor in (("vectors", table.vectors), ("squares", table.squares)):
        copy = _mapped(folder / f"{name}-{number}.npy", tuple(tensor.shape))
        copy_rows(tensor, copy)


def load_table(table: EmbeddingTable, folder: Path, number: int) -> None:
    """Fills a table from the files of `save_table`.

    Args:
        table: table of the same shape.
        folder: folder of the files.
        number: number of the table.

    Raises:
        ValueError: the file is cut short, or of another shape.
    """
    for name, tensor in (("vectors", table.vectors), ("squares", table.squares)):
        path = folder / f"{name}-{number}.npy"
        saved = np.load(path, mmap_mode="c", allow_pickle=False)
        if saved.shape != tuple(tensor.shape) or saved.dtype != np.float32:
            raise ValueError(f"{path} is {saved.dtype} {saved.shape}, not {tuple(tensor.shape)}")
        copy_rows(torch.from_numpy(saved), tensor)


def copy_rows(source: Tensor, target: Tensor) -> None:
    """Copies a table into another of the same shape."""
    for first in range(0, len(source), _ROWS):
        target[first : first + _ROWS].copy_(source[first : first + _ROWS])


def _bound(vectors: Tensor, config: GraphConfig) -> Tensor:
    """The vectors (k, d), scaled down to the maximum length."""
    if config.max_norm is None:
        return vectors
    return torch.renorm(vectors, 2, 0, config.max_norm)


def _mapped(path: Path, shape: tuple[int, ...]) -> Tensor:
    """A new array on disk, all 0."""
    array = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=shape)
    return torch.from_numpy(array)
