"""The section model as a run of `platform text sections train`."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from citescape.core.config import DEFAULT_STORE, quote_command
from citescape.core.errors import ConfigError, StoreError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.encoders.files import hash_encoder, resolve_encoder
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder, resolve_precision
from citescape.runs.directory import RunDirectory, Stopwatch, command_words, default_runs
from citescape.runs.result import plural
from citescape.store.graph_store import GraphStore
from citescape.text.labeller import RULES
from citescape.text.model_run import ModelRun, keep_model, load_model, write_tensors
from citescape.text.sections.gold import check_types
from citescape.text.sections.sequences import SectionSequences, join_sections, read_sections
from citescape.text.sections.steps import TrainSections
from citescape.text.write_back import batches, full_texts

if TYPE_CHECKING:
    from citescape.text.sections.network import SectionNetwork

_READ_PAPERS = 512


class SectionModel(ModelRun):
    """A trained model. Encoder and network are loaded at their first use."""

    command = "sections train"
    group = "sections"
    columns = ("type", "sections")
    learned = "known"

    def describe_data(self) -> str:
        """Number of sections and papers."""
        papers = plural(self.counts["papers"], "paper")
        return f"{plural(self.counts['sections'], 'section')} of {papers}"

    def load(self) -> SectionModel:
        """The model itself; KeyError and TypeError mean that it is of another version."""
        if not {"encoder", "precision"} <= set(self.record.inputs):
            raise KeyError("no hash of its encoder")
        _ = self.config, self.tensors
        return self

    @cached_property
    def config(self) -> TrainSections:
        """Settings of the training."""
        return TrainSections(**self.record.config)

    @cached_property
    def encoder(self) -> PretrainedEncoder:
        """The encoder of the training, in the same precision.

        Raises:
            ConfigError: the encoder is missing, or its files have changed.
        """
        require("torch", "transformers")
        name, inputs = self.config.encoder, self.record.inputs
        hint = f"restore it, or train again with `platform {command_words(self.command)}`"
        try:
            digest = hash_encoder(name)
        except ConfigError as error:
            raise ConfigError(
                f"{self.run} needs the encoder {name!r}, which cannot be read: "
                f"{str(error.__cause__).splitlines()[0]}; {hint}"
            ) from error
        if digest != inputs["encoder"]:
            raise ConfigError(
                f"{self.run} was trained with another version of the encoder {name!r}: its files "
                f"have SHA-256 {digest[:12]}, expected {inputs['encoder'][:12]}; {hint}"
            )
        return PretrainedEncoder.load(EncoderConfig(name, precision=inputs["precision"]))

    @cached_property
    def network(self) -> SectionNetwork:
        """The trained network, ready to predict.

        Raises:
            SourceError: the tensors do not fit this network.
        """
        require("torch", "transformers")
        import torch

        from citescape.text.sections.network import SectionNetwork

        network = SectionNetwork(self.encoder.dimensions, body=self.config.body)
        tensors = {name: torch.tensor(array) for name, array in self.tensors.items()}
        try:
            network.load_state_dict(tensors)
        except RuntimeError as error:
            raise self.version_error(error) from error
        return network.eval()


def train(
    store: GraphStore,
    config: TrainSections | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = silent,
) -> SectionModel:
    """Trains a section model on the papers of a store and stores it as a run.

    The same sections, files of the encoder and configuration give the same run, which is trained
    once.

    Args:
        store: the graph, which is only read.
        config: settings of the training.
        runs: folder of runs; by default `runs` beside the store.
        progress: reports the stages.

    Raises:
        ConfigError: torch, the encoder or a type to train on is missing.
        StoreError: the store holds no sections.
    """
    require("torch", "transformers", "safetensors")
    config = config or TrainSections()
    progress("reading sections")
    sections = read_corpus(store, papers=config.papers, seed=config.seed)
    check_types(sections)
    chosen = replace(config, encoder=resolve_encoder(config.encoder))
    hashes = {
        "sections": sections.fingerprint(),
        "encoder": hash_encoder(chosen.encoder),
        "precision": resolve_precision("auto"),
    }

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        from citescape.text.sections.inputs import SectionInputs, with_progress
        from citescape.text.sections.network import fit

        with clock.timed("encode"):
            named = EncoderConfig(chosen.encoder, precision=hashes["precision"])
            encode = with_progress(PretrainedEncoder.load(named), progress)
            inputs = SectionInputs.from_sections(sections, encode, body=chosen.body)
        with clock.timed("train"):
            network = fit(inputs, chosen, progress)
        state = network.state_dict().items()
        write_tensors(directory.path, {name: tensor.numpy() for name, tensor in state})
        sizes = {"papers": sections.papers, "sections": len(sections)}
        return {**sizes, "known": sections.known()}

    runs = runs or default_runs(store.location)
    return keep_model(SectionModel, asdict(chosen), hashes, runs=runs, fill=fill)


def resolve_model(runs: Path, named: str, *, location: str = DEFAULT_STORE) -> SectionModel | None:
    """A trained model, or None for `rules`.

    Args:
        runs: folder of runs.
        named: `rules`, a run id or a folder; empty for the latest run.
        location: path or address of the store, for messages.

    Raises:
        ConfigError, SourceError: as `load_model`.
    """
    return None if named == RULES else load_model(SectionModel, runs, named, location=location)


def read_corpus(store: GraphStore, *, papers: int | None = None, seed: int = 0) -> SectionSequences:
    """The body sections of a store, or of some papers drawn at random.

    Args:
        store: the graph.
        papers: maximum number of papers; None for all.
        seed: random seed of the draw.

    Raises:
        StoreError: the store holds no sections.
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
