"""From shortlists to a trained reranker in a run directory."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from citescape.core.errors import ConfigError
from citescape.core.locks import alone
from citescape.core.progress import Progress, silent
from citescape.encoders.pretrained import resolve_precision
from citescape.encoders.randomness import fixed_randomness
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    check_writable,
    find_finished,
    open_run,
    read_run,
    unfinished_folder,
)
from citescape.training.base import Base
from citescape.training.checkpoint import State, load_state
from citescape.training.logs import LOGS
from citescape.training.processes import count_processes, make_accelerator
from citescape.training.reranking.config import BATCH_TOKENS, RerankConfig
from citescape.training.reranking.kept import COMMAND, RerankerRun
from citescape.training.reranking.loop import find_reranked, train_module
from citescape.training.reranking.material import Material, find_reader, prepare
from citescape.training.reranking.saved import save_reranker
from citescape.training.reranking.scoring import compute_mrr
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.session import Session, forget, open_session
from citescape.training.throughput import compute_throughput, measure_peak

_LIBRARIES = ("citescape", "torch", "transformers", "tokenizers", "accelerate", "numpy")


Lists = tuple[Shortlists, Shortlists, Mapping[str, Any]]
"""Of queries to train on, whose citations are known; the same of others, to validate by; counts
that the run is to tell of them."""


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

    Ctrl-C and SIGTERM stop it after the update under way. A training that was interrupted goes on
    from its last checkpoint, and on a processor ends bit for bit like one that was not.

    Args:
        training: what was retrieved for queries whose citations are known.
        validation: the same of other queries.
        config: encoder, model, loss, schedule.
        runs: folder of run directories.
        inputs: what the shortlists were made from, by name, as the run is to tell.
        retriever: by what they were made: `system`, `words`, and what else; over another one the
            reranker is refused. None where that is not known: any is taken.
        checkpoint_seconds: from one checkpoint to the next.
        progress: told where the training is.

    Raises:
        ConfigError: settings without meaning, no such encoder, nothing to learn or validate on, a
            checkpoint of another training.
        TrainingError: the loss is not a number, or memory does not suffice.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the updates done are kept.
    """
    asked = _Order.of(config or RerankConfig(), runs, retriever or {})
    progress("reading shortlists")
    material = Material.of((training, validation), asked.config, asked.base)
    told = {**(inputs or {}), **material.inputs}
    return _train(asked, lambda: material, told, every=checkpoint_seconds, progress=progress)


def train_on_lists(
    make: Callable[[], Lists],
    config: RerankConfig | None = None,
    *,
    runs: Path,
    inputs: Mapping[str, str],
    retriever: Mapping[str, Any] | None = None,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> RerankerRun:
    """The same of shortlists that are made if there is no such run yet.

    Args:
        make: makes them, the same ones each time: a training that was interrupted asks again.
        config: see `train_reranker`.
        runs: folder of run directories.
        inputs: all that they follow from, beside the retriever; the run's id is made of both.
        retriever: see `train_reranker`.
        checkpoint_seconds: from one checkpoint to the next.
        progress: told where the training is.

    Raises:
        ConfigError: see `train_reranker`; so are the others.
    """
    asked = _Order.of(config or RerankConfig(), runs, retriever or {})
    told = {**inputs, **({"base": asked.base.sha256} if asked.base else {})}

    def choose() -> Material:
        *lists, counts = make()
        return replace(Material.of(lists, asked.config, asked.base), counts=counts)

    return _train(asked, choose, told, every=checkpoint_seconds, progress=progress)


@dataclass(frozen=True)
class _Order:
    """What is to be trained, and where."""

    config: RerankConfig
    runs: Path
    retriever: Mapping[str, Any]
    base: Base | None

    @classmethod
    def of(cls, config: RerankConfig, runs: Path, retriever: Mapping[str, Any]) -> _Order:
        config = _resolve(config)
        check_writable(runs)
        return cls(config, runs, retriever, find_reader(config, runs))

    def record(self, inputs: Mapping[str, str]) -> RunRecord:
        """Of a training on lists that follow from the inputs and the retriever."""
        told = {"retriever": json.dumps(self.retriever, sort_keys=True)} if self.retriever else {}
        settings = {**self.config.settings(), "base": ""}  # which the hash stands for
        record = RunRecord.of(
            COMMAND,
            settings,
            {**inputs, **told},
            seed=self.config.seed,
            libraries=_LIBRARIES,
        )
        named = {**settings, "base": self.base.name} if self.base else settings
        return replace(record, config=named)


def _train(
    asked: _Order,
    make: Callable[[], Material],
    inputs: Mapping[str, str],
    *,
    every: float,
    progress: Progress,
) -> RerankerRun:
    record, runs, clock = asked.record(inputs), asked.runs, Stopwatch()
    found = find_finished(runs, record.id)
    if found:
        return RerankerRun(found, read_run(found))
    with clock.timed("lists"):
        material = make()
    session = Session(
        run=record.id,
        accelerator=make_accelerator(),
        folder=unfinished_folder(runs, record.id),
        checkpoint_seconds=every,
        precision=getattr(torch, asked.config.precision),
        progress=progress,
    )
    with alone(session.folder):
        return _train_in(asked, material, session, record=record, clock=clock)


def _resolve(config: RerankConfig) -> RerankConfig:
    """The configuration with what `auto` means on this machine."""
    if count_processes() > 1:
        raise ConfigError(
            f"{count_processes()} processes were launched; expected one: rerankers are trained by "
            "a single process"
        )
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return replace(
        config,
        precision=resolve_precision(config.precision),
        batch_tokens=config.batch_tokens or BATCH_TOKENS[device],
    )


def _train_in(
    asked: _Order, material: Material, session: Session, *, record: RunRecord, clock: Stopwatch
) -> RerankerRun:
    config = asked.config
    with fixed_randomness(config.seed, threads=config.threads):
        with clock.timed("prepare"):
            module, tokenizer, lists = prepare(material, config)
        if material.base:
            config = replace(config, max_tokens=lists[0].reader.most)
        state = load_state(session.folder, record.id) or State(record.id)
        resumed_after = state.updates
        with clock.timed("train"), open_session(session, state) as told:
            state = train_module(module, lists, config, session=told, state=state)
        peak = measure_peak(session.accelerator.device, session.precision)
    record = clock.stop(replace(record, counts=_figures(material, config, state, peak=peak)))
    with open_run(asked.runs, record.id) as directory:
        save_reranker(
            directory.path,
            module,
            config,
            tokenizer=tokenizer,
            reads=material.reads,
            retriever=asked.retriever,
        )
        shutil.copytree(session.folder / LOGS, directory.path / LOGS)
        path = directory.complete(record)
    forget(session)
    return RerankerRun(path, record, unchanged=False, resumed_after=resumed_after)


def _figures(
    material: Material, config: RerankConfig, state: State, *, peak: float
) -> dict[str, Any]:
    speed = compute_throughput(state.tokens, state.flops, state.seconds, peak=peak)
    rates = asdict(speed)
    if not material.base:  # there are no tokens in vectors
        rates = {name: rate for name, rate in rates.items() if not name.startswith("tokens")}
    found = [entry["mrr"] for entry in state.history]
    best = 1 + int(np.argmax(found[1:])) if config.patience else len(found) - 1
    return {
        **material.counts,
        "queries": len(material.training),
        "left_out": material.left_out,
        "injected": int((~material.training.is_relevant.any(1)).sum()),
        "validation": len(material.validation),
        "validation_reranked": len(find_reranked(material.validation, config.validation_depth)),
        "retriever_mrr": compute_mrr(material.validation),
        "mrr": found[best],
        "updates": state.updates,
        "pairs": state.pairs,
        "history": state.history,
        "kept": best,
        "throughput": {
            **rates,
            "share_of_peak": speed.share_of_peak,
            "pairs_a_second": state.pairs / state.seconds if state.seconds else 0.0,
        },
    }
