"""The section model as it is kept: `platform text sections train` writes it, `label` reads it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, StoreError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.encoders.files import hash_encoder, resolve_encoder
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder, resolve_precision
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    check_writable,
    command_words,
    default_runs,
    find_run,
    library_versions,
    read_run,
    run_id,
)
from citescape.runs.result import Result, Summary, plural
from citescape.store.graph_store import GraphStore
from citescape.text.labeller import label_words
from citescape.text.saved_model import SavedModel, load_model, save_model, unlike
from citescape.text.sections.checks import check_types
from citescape.text.sections.sequences import SectionSequences, join_sections, read_sections
from citescape.text.sections.steps import TrainSections
from citescape.text.write_back import batches, full_texts

if TYPE_CHECKING:
    from citescape.text.sections.network import SectionNetwork

COMMAND = "sections train"
_READ_PAPERS = 512


@dataclass(frozen=True)
class TrainedSections(Result):
    """What a training found and made."""

    run: str
    path: Path
    """The run directory: model.safetensors, run.json."""
    config: TrainSections
    papers: int
    sections: int
    known: dict[str, int]
    """Sections whose type rules tell, by type: what was learned from."""
    unchanged: bool
    """The same model was there already."""

    @property
    def arrow(self) -> pa.Table:
        """A row per type: sections of known type."""
        return pa.table({"type": list(self.known), "sections": list(self.known.values())})

    def summarise(self) -> Summary:
        """The run, and the sections it learned from."""
        known = ", ".join(f"{count:,} {kind}" for kind, count in self.known.items())
        figures = {
            "run": self.run,
            "papers": self.papers,
            "sections": self.sections,
            "known": self.known,
            "unchanged": self.unchanged,
        }
        return Summary(
            [
                f"{'unchanged' if self.unchanged else 'trained'}: {self.run}, on "
                f"{plural(self.sections, 'section')} of {plural(self.papers, 'paper')} "
                f"(known: {known})",
                f"model: {self.path}",
                "",
            ],
            figures,
            [("next", label_words("sections", self.run if self.unchanged else ""))],
        )


@dataclass(frozen=True)
class SectionModel:
    """A trained model. Its encoder and network are loaded when they are first needed."""

    saved: SavedModel
    config: TrainSections

    @cached_property
    def encoder(self) -> PretrainedEncoder:
        """The encoder it was trained on, in the precision it was trained in.

        Raises:
            ConfigError: it is not at hand, or another one has its name by now.
        """
        require("torch", "transformers")
        name, inputs = self.config.encoder, self.saved.record.inputs
        ways = f"put it back, or train anew with `platform {command_words(COMMAND)}`"
        try:
            found = hash_encoder(name)
        except ConfigError as error:
            raise ConfigError(
                f"{self.saved.run} reads vectors of the encoder {name!r}, which is not at hand: "
                f"{str(error.__cause__).splitlines()[0]}; {ways}"
            ) from error
        if found != inputs["encoder"]:
            raise ConfigError(
                f"{self.saved.run} was trained on another encoder of the name {name!r}: its files "
                f"have SHA-256 {found[:12]}, expected {inputs['encoder'][:12]}; {ways}"
            )
        return PretrainedEncoder.load(EncoderConfig(name, precision=inputs["precision"]))

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
    config: TrainSections | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = silent,
) -> TrainedSections:
    """Trains a section model on the papers of a store and keeps it as a run.

    The same sections, encoder and configuration give the same run: it is found, and nothing is
    done; the encoder's files are compared, but it is not loaded.

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
    clock, config = Stopwatch(), config or TrainSections()
    progress("reading sections")
    sections = read_corpus(store, papers=config.papers, seed=config.seed)
    check_types(sections)
    config = replace(config, encoder=resolve_encoder(config.encoder))
    record, runs = _record(sections, config), runs or default_runs(store.location)
    if found := find_run(runs, record.id):
        return _result(read_run(found), found, unchanged=True)
    check_writable(runs)
    encoder = EncoderConfig(config.encoder, precision=record.inputs["precision"])
    tensors = _fit(sections, PretrainedEncoder.load(encoder), _Work(config, clock, progress))
    path = save_model(runs, clock.stop(record), tensors)
    return _result(read_run(path), path, unchanged=False)


def load(path: Path) -> SectionModel:
    """A model from its run directory, ready to label.

    Raises:
        ConfigError: it is a model of something else.
        SourceError: its files are damaged.
    """
    saved = load_model(path)
    if saved.record.command != COMMAND:
        raise ConfigError(
            f"{path} is a model of `platform {command_words(saved.record.command)}`; "
            f"expected one of `platform {command_words(COMMAND)}`"
        )
    try:
        config = TrainSections(**saved.record.config)
    except TypeError as error:
        raise unlike(path, error) from error
    if not {"encoder", "precision"} <= set(saved.record.inputs):
        raise unlike(path, KeyError("no hash of its encoder"))
    return SectionModel(saved, config)


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
    config: TrainSections
    clock: Stopwatch
    progress: Progress


def _fit(
    sections: SectionSequences, encoder: PretrainedEncoder, work: _Work
) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """The tensors of a network trained on the sections."""
    from citescape.text.sections.inputs import SectionInputs, telling
    from citescape.text.sections.train import fit

    with work.clock.timed("encode"):
        encode = telling(encoder, work.progress)
        inputs = SectionInputs.of(sections, encode, body=work.config.body)
    with work.clock.timed("train"):
        network = fit(inputs, work.config, work.progress)
    return {name: tensor.numpy() for name, tensor in network.state_dict().items()}


def _record(sections: SectionSequences, config: TrainSections) -> RunRecord:
    settings = asdict(config)
    inputs = {
        "sections": sections.fingerprint(),
        "encoder": hash_encoder(config.encoder),
        "precision": resolve_precision("auto"),
    }
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
        config=TrainSections(**record.config),
        papers=record.counts["papers"],
        sections=record.counts["sections"],
        known=dict(record.counts["known"]),
        unchanged=unchanged,
    )
