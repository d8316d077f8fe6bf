"""Embeddings of directed graphs, after PyTorch-BigGraph.

A citation i -> j has the score s_i . t_j (or their cosine), s from the table of sources and t from
that of targets; a shared table is both. Each citation is compared with pairs that share one of its
ends: the negatives on either side are the papers of its chunk and some papers drawn from all
(Lerer et al. 2019, section 4.3). Updates are sparse, so that tables may be on disk.

The same seed and number of threads give the same vectors to the bit on a CPU. Order of the edges,
place of the tables (memory or disk) and interruptions do not matter.
"""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch

from citescape.core.errors import ConfigError, TrainingError
from citescape.core.locks import alone
from citescape.core.progress import Progress, silent
from citescape.encoders.device import choose_device
from citescape.encoders.graph_checkpoint import (
    TrainingPosition,
    identify,
    load_checkpoint,
    save_checkpoint,
)
from citescape.encoders.graph_config import GraphConfig, Workplace
from citescape.encoders.graph_edges import Edges, count_steps, cut_epoch, expect_draws
from citescape.encoders.graph_step import compute_loss
from citescape.encoders.graph_tables import EmbeddingTable, make_table
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
        return _train(edges, config, place, progress)


def _train(
    edges: Edges, config: GraphConfig, place: Workplace, progress: Progress
) -> GraphEmbedding:
    device = choose_device(place.device)
    tables, mapped = _make_tables(edges.nodes, config, place, device)
    draws = expect_draws(edges, config) if config.corrects else None
    identity, position = identify(edges, config), TrainingPosition()
    if place.folder:
        position = load_checkpoint(place.folder, tables, identity=identity)
    total = count_steps(len(edges), config)
    done, seconds, cost, saved = 0, 0.0, 0.0, time.monotonic()
    for epoch in range(position.epoch, config.epochs):
        for batch in cut_epoch(edges, config, epoch, first=position.step):
            begun = time.monotonic()
            loss, leaves = compute_loss(tables, batch, config, device=device, draws=draws)
            if not math.isfinite(loss):
                raise TrainingError(
                    f"the loss is {loss} in epoch {epoch + 1}, step {position.step + 1}; expected "
                    f"a number: lower the learning rate (now {config.rate:.3g}), or bound the "
                    "vectors with max_norm"
                )
            for table, (rows, leaf) in zip(tables, leaves, strict=True):
                table.update(rows, leaf, config)
            seconds += time.monotonic() - begun
            done += 1
            position = replace(position, step=position.step + 1, loss=position.loss + loss)
            if position.step == total:
                losses = (*position.losses, position.loss / len(edges))
                position = TrainingPosition(epoch + 1, losses=losses)

            begun = time.monotonic()
            wait = max(place.every, _SPARED * cost) if place.every else 0
            finished = position.epoch == config.epochs
            if place.folder and (begun - saved >= wait or finished):
                save_checkpoint(place.folder, tables, position, identity=identity)
                saved = time.monotonic()
                cost = saved - begun
            rate = done * config.batch / max(seconds, 1e-9)
            progress(_describe(position, config, total, rate))
    arrays = [table.vectors.cpu().numpy() for table in tables]
    return GraphEmbedding(
        sources=arrays[0],
        targets=arrays[-1],
        losses=position.losses,
        steps=done,
        share=done / (config.epochs * total),
        seconds=seconds,
        device=str(device),
        mapped=mapped,
    )


def _make_tables(
    nodes: int, config: GraphConfig, place: Workplace, device: torch.device
) -> tuple[list[EmbeddingTable], bool]:
    """The tables, and whether they are on disk; files of a killed run are removed."""
    count = 2 if config.tables == "two" else 1
    size = 4 * count * nodes * (config.dimensions + 1)
    mapped, folder = place.memory_map, None
    mapped = size > available_memory() / 2 if mapped is None else mapped
    if mapped:
        if place.folder is None:
            raise ConfigError("tables on disk need a folder; name one in Workplace")
        folder = place.folder / _MAPPED
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    home = table_device(size, device)
    tables = [make_table(nodes, config, number=k, folder=folder, device=home) for k in range(count)]
    return tables, mapped


def _describe(position: TrainingPosition, config: GraphConfig, total: int, rate: float) -> str:
    """Progress in one line."""
    share = (position.epoch * total + position.step) / (total * config.epochs)
    loss = f", loss {position.losses[-1]:.3f}" if position.losses else ""
    epoch = min(position.epoch + 1, config.epochs)
    return f"epoch {epoch} of {config.epochs}, {share:.0%}{loss}, {rate:,.0f} citations a second"


def table_device(size: int, device: torch.device) -> torch.device:
    """The device of tables of `size` bytes: `device`, or the CPU where a GPU is too small.

    With tables on the CPU, each step copies its rows to the GPU and back.
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
        out_of_memory = isinstance(error, (torch.OutOfMemoryError, MemoryError))
        if not out_of_memory and "DefaultCPUAllocator" not in str(error):
            raise
        reason = (str(error).splitlines() or ["no more"])[0]
        raise TrainingError(
            f"memory does not suffice: {reason}; lower batch (now {config.batch}) or dimensions "
            f"(now {config.dimensions}), keep tables on disk (memory_map), or compute on the cpu"
        ) from error
