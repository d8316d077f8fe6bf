"""Trains a reranker on shortlists and keeps it in a run directory."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.encoders.device import choose_device
from citescape.encoders.pretrained import resolve_precision
from citescape.encoders.randomness import fixed_randomness
from citescape.runs.directory import Stopwatch, check_writable
from citescape.training.base import Base
from citescape.training.processes import count_processes
from citescape.training.reranking.config import BATCH_TOKENS, RerankConfig
from citescape.training.reranking.data import RerankingData, find_reader, prepare_model
from citescape.training.reranking.kept import ENCODER, HEADS, RerankerRun, write_settings
from citescape.training.reranking.scoring import compute_mrr
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.task import RerankTask, find_reranked
from citescape.training.run import PreparedTraining, keep_training
from citescape.training.session import Session

TrainingLists = tuple[Shortlists, Shortlists, Mapping[str, Any]]
"""TrainingLists to train on, lists to validate on, and counts for the record of the run."""


def train_reranker(
    training: Shortlists,
    validation: Shortlists,
    config: RerankConfig | None = None,
    *,
    runs: Path,
    inputs: Mapping[str, str] | None = None,
    retriever: Mapping[str, Any] | None = None,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> RerankerRun:
    """Trains a reranker; the same shortlists and settings give the same run.

    Ctrl-C and SIGTERM stop it after the current update. An interrupted training continues from its
    last checkpoint; on a CPU the result has the same bits as without interruption.

    Args:
        training: papers retrieved for queries with known citations.
        validation: the same for other queries.
        config: encoder, model, loss, schedule.
        runs: folder of run directories.
        inputs: hashes of the sources of the shortlists, by name, for the record of the run.
        retriever: settings of the retriever: `system`, `words` and others; the reranker refuses
            lists of another one. None if unknown: the reranker accepts any.
        checkpoint_seconds: seconds between checkpoints.
        progress: reports the progress.

    Raises:
        ConfigError: invalid settings, no such encoder, no queries to train or validate on, a
            checkpoint of another training.
        TrainingError: the loss is not a number, or not enough memory.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the updates done are kept.
    """
    config, base = _resolve(config or RerankConfig(), runs)
    progress("reading shortlists")
    data = RerankingData.select((training, validation), config, base)
    return train_on_lists(
        lambda: (training, validation, {}),
        config,
        runs=runs,
        inputs={**(inputs or {}), **data.inputs},
        retriever=retriever,
        checkpoint_seconds=checkpoint_seconds,
        progress=progress,
    )


def train_on_lists(
    make_lists: Callable[[], TrainingLists],
    config: RerankConfig | None = None,
    *,
    runs: Path,
    inputs: Mapping[str, str],
    retriever: Mapping[str, Any] | None = None,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> RerankerRun:
    """As `train_reranker`, with shortlists that are computed only if there is no finished run.

    Args:
        make_lists: gives the same lists each time: an interrupted training calls it again.
        config: encoder, model, loss, schedule.
        runs: folder of run directories.
        inputs: hashes of all inputs of the lists except the retriever, for the id of the run.
        retriever: see `train_reranker`; the id of the run depends on it.
        checkpoint_seconds: seconds between checkpoints.
        progress: reports the progress.
    """
    config, base = _resolve(config or RerankConfig(), runs)

    def prepare_task(_session: Session, clock: Stopwatch) -> PreparedTraining:
        with clock.timed("lists"):
            *lists, list_counts = make_lists()
            data = RerankingData.select(lists, config, base)
        with clock.timed("prepare"), fixed_randomness(config.seed, threads=config.threads):
            module, tokenizer, splits = prepare_model(data, config)
        final = replace(config, max_tokens=splits[0].reader.most) if base else config

        def save(folder: Path) -> None:
            encoder: Any = module.encoder
            if encoder is not None:
                encoder.save_pretrained(folder)
                tokenizer.save_pretrained(folder)
            state = module.head.state_dict().items()
            tensors = {name: value.cpu().contiguous() for name, value in state}
            save_file(tensors, folder / HEADS, metadata={ENCODER: data.encoder})
            write_settings(folder, final, retriever or {})

        depth = config.validation_depth
        counts = {
            **list_counts,
            "queries": len(data.training),
            "left_out": data.left_out,
            "injected": int((~data.training.is_relevant.any(1)).sum()),
            "validation": len(data.validation),
            "validation_reranked": len(find_reranked(data.validation, depth)),
            "retriever_mrr": compute_mrr(data.validation),
        }
        return PreparedTraining(RerankTask(module, splits, final, save), counts, config.threads)

    inputs = {**inputs, **({"base": base.sha256} if base else {})}
    if retriever:
        inputs["retriever"] = json.dumps(retriever, sort_keys=True)
    return keep_training(
        RerankerRun,
        runs,
        {**config.settings(), "base": ""},  # the hash of its files is among the inputs
        inputs,
        prepare=prepare_task,
        seed=config.seed,
        precision=getattr(torch, config.precision),
        recorded={"base": base.name} if base else None,
        checkpoint_seconds=checkpoint_seconds,
        progress=progress,
    )


def _resolve(config: RerankConfig, runs: Path) -> tuple[RerankConfig, Base | None]:
    """The configuration with defaults of this machine, and the base encoder."""
    if count_processes() > 1:
        raise ConfigError(
            f"{count_processes()} processes were launched; expected one: a single process trains a "
            "reranker"
        )
    device = choose_device().type
    config = replace(
        config,
        precision=resolve_precision(config.precision),
        batch_tokens=config.batch_tokens or BATCH_TOKENS[device],
    )
    check_writable(runs)
    return config, find_reader(config, runs)
