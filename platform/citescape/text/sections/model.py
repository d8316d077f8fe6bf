"""The section model as it is kept: `platform sections train` writes it, `label` reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from citescape.config import quote_command
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder, require
from citescape.errors import ConfigError, StoreError
from citescape.graph.store import GraphStore
from citescape.runs import (
    RunRecord,
    Stopwatch,
    default_runs,
    find_run,
    library_versions,
    read_run,
    run_id,
)
from citescape.text.saved_model import SavedModel, load_model, save_model, unlike
from citescape.text.sections.config import SectionConfig
from citescape.text.sections.sequences import SectionSequences, join_sections, read_sections
from citescape.text.write_back import batches, full_texts

if TYPE_CHECKING:
    from citescape.text.sections.network import SectionNetwork

COMMAND = "sections train"
_READ_PAPERS = 512
Progress = Callable[[str], None]


@dataclass(frozen=True)
class TrainedSections:
    """What a training found and made."""

    run: str
    path: Path
    """The run directory: model.safetensors, run.json."""
    config: SectionConfig
    papers: int
    sections: int
    known: dict[str, int]
    """Sections whose type rules tell, by type: what was learned from."""
    unchanged: bool
    """The same model was there already."""


@dataclass(frozen=True)
class SectionModel:
    """A trained model. Its encoder and network are loaded when they are first needed."""

    saved: SavedModel
    config: SectionConfig

    @cached_property
    def encoder(self) -> PretrainedEncoder:
        """The encoder it was trained on.

        Raises:
            ConfigError: it is not at hand.
        """
        return PretrainedEncoder.load(EncoderConfig(self.config.encoder))

    @cached_property
    def network(self) -> SectionNetwork:
        """The trained network, ready to predict.

        Raises:
            SourceError: its tensors are not those of such a network.
        """
        require("torch", "transformers")
        import torch

        from citescape.text.sections.network import NetworkShape, SectionNetwork

        network = SectionNetwork(NetworkShape(self.encoder.dimensions, self.config.body))
        tensors = {name: torch.tensor(array) for name, array in self.saved.tensors.items()}
        try:
            network.load_state_dict(tensors)
        except RuntimeError as error:
            raise unlike(self.saved.path, error) from error
        return network.eval()


def train(
    store: GraphStore,
    config: SectionConfig | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = lambda _: None,
) -> TrainedSections:
    """Trains a section model on the papers of a store and keeps it as a run.

    The same sections and configuration give the same run: it is found, and nothing is done.

    Args:
        store: read only.
        config: how to train.
        runs: folder of run directories; by default `runs` beside the store.
        progress: told the name of each stage and epoch.

    Raises:
        ConfigError: torch or the encoder are missing, or types to learn from.
        StoreError: the store holds no sections.
    """
    require("torch", "transformers", "safetensors")
    clock, config = Stopwatch(), config or SectionConfig()
    progress("reading sections")
    sections = read_corpus(store, papers=config.papers, seed=config.seed)
    encoder = PretrainedEncoder.load(EncoderConfig(config.encoder))
    config = replace(config, encoder=encoder.name)
    record, runs = _record(sections, config), runs or default_runs(store.location)
    found = find_run(runs, record.id)
    if found is None:
        tensors = _fit(sections, encoder, _Work(config, clock, progress))
        found = save_model(runs, clock.stop(record), tensors)
        return _result(read_run(found), found, unchanged=False)
    return _result(read_run(found), found, unchanged=True)


def load(path: Path) -> SectionModel:
    """A model from its run directory, ready to label.

    Raises:
        ConfigError: it is a model of something else.
        SourceError: its files are damaged.
    """
    saved = load_model(path)
    if saved.record.command != COMMAND:
        raise ConfigError(
            f"{path} is a model of `platform {saved.record.command}`; expected one of "
            f"`platform {COMMAND}`"
        )
    try:
        return SectionModel(saved, SectionConfig(**saved.record.config))
    except TypeError as error:
        raise unlike(path, error) from error


def read_corpus(store: GraphStore, *, papers: int | None = None, seed: int = 0) -> SectionSequences:
    """The body sections of a store; of `papers` papers drawn at random if it holds more.

    Raises:
        StoreError: there are none.
    """
    ids = full_texts(store)
    if papers is not None and len(ids) > papers:
        drawn = np.random.default_rng(seed).choice(len(ids), papers, replace=False)
        ids = [ids[k] for k in sorted(drawn.tolist())]
    parts = [read_sections(store, batch) for batch in batches(ids, _READ_PAPERS)]
    if not any(len(part) for part in parts):
        raise StoreError(
            f"{store.location} holds no sections; expected papers with full text: load some with "
            f"{quote_command('ingest PATH', store.location)}"
        )
    return join_sections(parts)


@dataclass(frozen=True)
class _Work:
    config: SectionConfig
    clock: Stopwatch
    progress: Progress


def _fit(
    sections: SectionSequences, encoder: PretrainedEncoder, work: _Work
) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """The tensors of a network trained on the sections."""
    from citescape.text.sections.inputs import SectionInputs
    from citescape.text.sections.train import check_types, fit

    check_types(sections)
    work.progress("encoding titles and first words")
    with work.clock.timed("encode"):
        inputs = SectionInputs.of(sections, encoder, body=work.config.body)
    with work.clock.timed("train"):
        network = fit(inputs, work.config, work.progress)
    return {name: tensor.numpy() for name, tensor in network.state_dict().items()}


def _record(sections: SectionSequences, config: SectionConfig) -> RunRecord:
    settings, inputs = asdict(config), {"sections": sections.fingerprint()}
    return RunRecord(
        id=run_id("sections", settings, inputs),
        command=COMMAND,
        config=settings,
        inputs=inputs,
        seed=config.seed,
        versions=library_versions("citescape", "numpy", "torch", "transformers", "safetensors"),
        counts={
            "papers": sections.papers,
            "sections": len(sections),
            "known": sections.known(),
        },
    )


def _result(record: RunRecord, path: Path, *, unchanged: bool) -> TrainedSections:
    return TrainedSections(
        run=record.id,
        path=path,
        config=SectionConfig(**record.config),
        papers=record.counts["papers"],
        sections=record.counts["sections"],
        known=dict(record.counts["known"]),
        unchanged=unchanged,
    )
