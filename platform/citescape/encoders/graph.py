"""Embeddings of directed graphs, after PyTorch-BigGraph.

A citation i -> j has the score s_i . t_j (or their cosine), s from the table of sources and t from
that of targets; a shared table is both. Each citation is compared with others that share one of its
ends: with the cited papers of its chunk and some of all papers as targets, likewise as sources
(Lerer et al. 2019, section 4.3). Updates are sparse, so that tables may lie on disk.

One seed and number of threads give the same vectors to the bit on a CPU, whatever the order of the
edges, wherever the tables lie, and however often the work is interrupted.
"""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from citescape.core.errors import ConfigError, TrainingError
from citescape.core.locks import alone
from citescape.core.progress import Progress, silent
from citescape.encoders.device import choose_device
from citescape.encoders.graph_checkpoint import (
    Position,
    identify,
    load_checkpoint,
    save_checkpoint,
)
from citescape.encoders.graph_config import GraphConfig, Workplace
from citescape.encoders.graph_edges import Edges, Step, count_steps, cut_epoch, expect_draws
from citescape.encoders.graph_step import compute_loss
from citescape.encoders.graph_tables import make_table
from citescape.encoders.memory import available_memory
from citescape.encoders.threads import limit_threads

Floats = npt.NDArray[np.float32]
_MAPPED = "tables"
_SPARED = 9
"""Time between checkpoints, at least this multiple of the time to write one."""
_RESIDENT = 0.8
"""Maximum share of a GPU's free memory for tables; steps need the rest."""


@dataclass(frozen=True)
class GraphEmbedding:
    """Vectors of all nodes, for either end of an edge."""

    sources: Floats
    """(nodes, d)"""
    targets: Floats
    """(nodes, d); the same array for a shared table."""
    losses: tuple[float, ...]
    """Mean over the edges of each epoch."""
    steps: int
    """Steps of this call: fewer than all after a checkpoint."""
    share: float
    """Their share of all steps."""
    seconds: float
    """Their time, without checkpoints."""
    device: str
    mapped: bool
    """The tables are on disk: the arrays are views of files in the working folder."""


def fit(
    edges: Edges,
    config: GraphConfig,
    *,
    place: Workplace | None = None,
    progress: Progress = silent,
) -> GraphEmbedding:
    """Trains vectors on edges, from the last checkpoint in the folder on, if there is one.

    Args:
        edges: result of `make_edges`.
        config: all settings that decide the vectors.
        place: folder and device.
        progress: reports epoch, share done, loss, and edges per second.

    Raises:
        ConfigError: there is no such device; a checkpoint is of another configuration or graph; or
            mapped tables have no folder.
        SourceError: a checkpoint is damaged.
        TrainingError: the loss is not a number, or memory does not suffice.
    """
    place = place or Workplace()
    edges = edges.both_ways() if config.undirected else edges
    lock = alone(place.folder) if place.folder else nullcontext()
    with limit_threads(config.threads), lock, _enough_memory(config):
        training = _Training(edges, config, place)
        for _ in training.run():
            progress(training.describe())
        return training.result()


class _Training:
    """Tables and position; `run` yields after each step."""

    def __init__(self, edges: Edges, config: GraphConfig, place: Workplace) -> None:
        self.edges, self.config, self.place = edges, config, place
        self.device = choose_device(place.device)
        count = 2 if config.tables == "two" else 1
        size = 4 * count * edges.nodes * (config.dimensions + 1)
        mapped = place.memory_map
        self.mapped = size > available_memory() / 2 if mapped is None else mapped
        folder = _empty_folder(place.folder) if self.mapped else None
        home = table_device(size, self.device)
        self.tables = [
            make_table(edges.nodes, config, number=k, folder=folder, device=home)
            for k in range(count)
        ]
        self.draws = expect_draws(edges, config) if config.corrects else None
        self.identity = identify(edges, config)
        self.at = Position()
        if place.folder:
            self.at = load_checkpoint(place.folder, self.tables, of=self.identity)
        self.steps, self.seconds, self.cost = 0, 0.0, 0.0
        self.saved = time.monotonic()

    def run(self) -> Iterator[None]:
        """Trains from the current position to the end."""
        for epoch in range(self.at.epoch, self.config.epochs):
            for step in cut_epoch(self.edges, self.config, epoch, first=self.at.step):
                begun = time.monotonic()
                loss = self.at.loss + self._train(step)
                self.seconds += time.monotonic() - begun
                self.at = replace(self.at, step=self.at.step + 1, loss=loss)
                if self.at.step == count_steps(len(self.edges), self.config):
                    losses = (*self.at.losses, loss / len(self.edges))
                    self.at = Position(epoch + 1, losses=losses)
                self.steps += 1
                self._save()
                yield

    def _train(self, step: Step) -> float:
        """One step of the optimiser; the loss summed over its edges."""
        loss, leaves = compute_loss(
            self.tables, step, self.config, device=self.device, draws=self.draws
        )
        if not math.isfinite(loss):
            raise TrainingError(
                f"the loss is {loss} in epoch {self.at.epoch + 1}, step {self.at.step + 1}; "
                f"expected a number: lower the learning rate (now {self.config.rate:.3g}), "
                "or bound the vectors with max_norm"
            )
        for table, (rows, leaf) in zip(self.tables, leaves, strict=True):
            table.update(rows, leaf, self.config)
        return loss

    def _save(self) -> None:
        """Writes a checkpoint if it is time, and at the end."""
        begun = time.monotonic()
        wait = max(self.place.every, _SPARED * self.cost) if self.place.every else 0
        over = self.at.epoch == self.config.epochs
        if not self.place.folder or (begun - self.saved < wait and not over):
            return
        save_checkpoint(self.place.folder, self.tables, self.at, of=self.identity)
        self.saved = time.monotonic()
        self.cost = self.saved - begun

    def describe(self) -> str:
        """Progress in one line."""
        total = count_steps(len(self.edges), self.config)
        done = self.at.epoch * total + self.at.step
        rate = self.steps * self.config.batch / max(self.seconds, 1e-9)
        loss = f", loss {self.at.losses[-1]:.3f}" if self.at.losses else ""
        epoch = min(self.at.epoch + 1, self.config.epochs)
        return (
            f"epoch {epoch} of {self.config.epochs}, {done / (total * self.config.epochs):.0%}"
            f"{loss}, {rate:,.0f} citations a second"
        )

    def result(self) -> GraphEmbedding:
        """The vectors as arrays."""
        arrays = [table.vectors.cpu().numpy() for table in self.tables]
        return GraphEmbedding(
            sources=arrays[0],
            targets=arrays[-1],
            losses=self.at.losses,
            steps=self.steps,
            share=self.steps / (self.config.epochs * count_steps(len(self.edges), self.config)),
            seconds=self.seconds,
            device=str(self.device),
            mapped=self.mapped,
        )


def table_device(size: int, device: torch.device) -> torch.device:
    """The device of tables of `size` bytes: `device`, or the CPU where a GPU is too small.

    Then each step copies its rows to the GPU and back.
    """
    if device.type == "cuda" and size > _RESIDENT * torch.cuda.mem_get_info(device)[0]:
        return torch.device("cpu")
    return device


@contextmanager
def _enough_memory(config: GraphConfig) -> Iterator[None]:
    """Raises TrainingError with advice where torch or numpy has no memory left."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        out = isinstance(error, (torch.OutOfMemoryError, MemoryError))
        if not out and "DefaultCPUAllocator" not in str(error):
            raise
        reason = (str(error).splitlines() or ["no more"])[0]
        raise TrainingError(
            f"memory does not suffice: {reason}; lower batch (now {config.batch}) or dimensions "
            f"(now {config.dimensions}), keep tables on disk (memory_map), or compute on the cpu"
        ) from error


def _empty_folder(folder: Path | None) -> Path:
    """An empty folder for mapped tables; files of a killed run are removed."""
    if folder is None:
        raise ConfigError("tables on disk need a folder to lie in; name one in Workplace")
    path = folder / _MAPPED
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path
