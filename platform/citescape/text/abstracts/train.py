"""Trains a splitter on the structured abstracts of a store, and loads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.core.config import DEFAULT_STORE
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.encoders.files import resolve_encoder
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder
from citescape.runs.directory import RunDirectory, Stopwatch, default_runs
from citescape.runs.kept import list_kept
from citescape.runs.result import plural
from citescape.store.graph_store import GraphStore
from citescape.text.abstracts.abstract import (
    SENTENCES_VERSION,
    MainAbstract,
    abstract_papers,
    as_abstracts,
    read_rows,
)
from citescape.text.abstracts.facets import Splitter
from citescape.text.abstracts.features import FEATURES_VERSION
from citescape.text.abstracts.gold import GoldAbstract, check_gold, collect_gold
from citescape.text.abstracts.headings import HEADINGS_VERSION
from citescape.text.abstracts.rules import RuleSplitter
from citescape.text.abstracts.steps import TrainAbstracts
from citescape.text.labeller import RULES
from citescape.text.model_run import ModelRun, keep_model, load_model, write_tensors
from citescape.text.write_back import report_batches

if TYPE_CHECKING:
    from citescape.text.abstracts.linear import LinearSplitter, PositionSplitter
    from citescape.text.abstracts.sequence import Encode, SentenceCrf

_READ = 1024
_SHOWN_HEADINGS = 5


class SplitterRun(ModelRun):
    """A trained splitter as a run."""

    command = "split train"
    group = "abstracts"
    columns = ("facet", "sentences")
    learned = "sentences"

    def describe_data(self) -> str:
        """Number of structured abstracts."""
        return plural(self.counts["abstracts"], "structured abstract")

    def details(self) -> list[str]:
        """Abstracts and sentences that were skipped."""
        skipped = self.counts["left_out"]
        common = ", ".join(repr(name or "no heading") for name in list(skipped)[:_SHOWN_HEADINGS])
        return [
            f"skipped: {plural(self.counts['incomplete'], 'structured abstract')} without a "
            f"heading for each facet, and {plural(sum(skipped.values()), 'sentence')} under other "
            f"headings{f' ({common}, ...)' if common else ''}"
        ]

    def load(self) -> Splitter:
        """The splitter, with the encoder of its training."""
        require("sklearn", "torch")
        from citescape.text.abstracts.linear import LinearSplitter, PositionSplitter
        from citescape.text.abstracts.sequence import SentenceCrf

        config, record = self.record.config, self.record
        if config["features"] != FEATURES_VERSION:
            version = config["features"]
            raise ValueError(f"features of version {version}; expected version {FEATURES_VERSION}")
        if config["kind"] == "position":
            return PositionSplitter.from_tensors(self.tensors, record)
        if config["kind"] == "linear":
            return LinearSplitter.from_tensors(self.tensors, record)
        encode = None
        if config["kind"] == "vectors":
            encoder = (config["encoder"], config["max_tokens"], config["precision"])
            encode = PretrainedEncoder.load(EncoderConfig(*encoder))
        return SentenceCrf.from_tensors(self.tensors, record, encode=encode)


def read_abstracts(store: GraphStore, progress: Progress = silent) -> Iterator[MainAbstract]:
    """All abstracts of a store that are not blank, in order of id, read in batches."""
    for ids in report_batches(abstract_papers(store), _READ, progress, verb="reading"):
        yield from as_abstracts(read_rows(store, ids))


def train(
    store: GraphStore,
    config: TrainAbstracts | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = silent,
) -> SplitterRun:
    """Trains a splitter on all abstracts of the store whose headings name every facet.

    The same abstracts, configuration and seed give the same model, which is trained once.

    Args:
        store: the graph to read.
        config: kind of model, seed and encoder.
        runs: folder of runs; by default `runs` beside the store.
        progress: reports the stages.

    Raises:
        ConfigError: too few structured abstracts, or a library or an encoder is missing.
    """
    require("sklearn", "torch", "safetensors")
    chosen, encode = config or TrainAbstracts(), None
    if chosen.kind == "vectors":
        chosen = replace(chosen, encoder=resolve_encoder(chosen.encoder))
    gold = collect_gold(read_abstracts(store, progress))
    check_gold(gold, store.location)
    if chosen.kind == "vectors":
        encode = PretrainedEncoder.load(EncoderConfig(chosen.encoder))

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        progress(f"training on {len(gold.complete):,} abstracts")
        write_tensors(directory.path, fit(gold.complete, chosen, encode=encode).tensors())
        sentences = [facet for abstract in gold.complete for facet in abstract.facets]
        return {
            "abstracts": len(gold.complete),
            "sentences": {facet: sentences.count(facet) for facet in FACETS},
            "incomplete": len(gold.incomplete),
            "left_out": dict(gold.left_out.most_common()),
        }

    return keep_model(
        SplitterRun,
        _settings(chosen, encode),
        {"abstracts": gold.fingerprint()},
        runs=runs or default_runs(store.location),
        fill=fill,
    )


def fit(
    gold: Sequence[GoldAbstract], config: TrainAbstracts, *, encode: Encode | None = None
) -> PositionSplitter | LinearSplitter | SentenceCrf:
    """A trained splitter, not stored as a run.

    Args:
        gold: abstracts to train on.
        config: kind of model, seed and encoder.
        encode: encoder of the kind `vectors`; by default that of the configuration.
    """
    from citescape.text.abstracts.linear import LinearSplitter, PositionSplitter
    from citescape.text.abstracts.sequence import SentenceCrf, SequenceConfig

    if config.kind == "position":
        return PositionSplitter.fit(gold)
    if config.kind == "linear":
        return LinearSplitter.fit(gold)
    if config.kind == "vectors":
        encode = encode or PretrainedEncoder.load(EncoderConfig(config.encoder))
    return SentenceCrf.fit(gold, config=SequenceConfig(seed=config.seed), encode=encode)


def load_splitter(runs: Path, named: str, *, location: str = DEFAULT_STORE) -> Splitter:
    """The rules, or a trained splitter.

    Args:
        runs: folder of runs.
        named: `rules`, a run id or a folder; empty for the latest run.
        location: path or address of the store, for messages.

    Raises:
        ConfigError, SourceError: as `load_model`.
    """
    if named == RULES:
        return RuleSplitter()
    splitter: Splitter = load_model(SplitterRun, runs, named, location=location)
    return splitter


def has_trained(runs: Path) -> bool:
    """Whether a folder of runs holds a splitter."""
    return bool(list_kept(SplitterRun, runs))


def _settings(config: TrainAbstracts, encode: PretrainedEncoder | None) -> dict[str, Any]:
    """All settings that decide the tensors, except the abstracts."""
    from citescape.text.abstracts.linear import LINEAR_SETTINGS
    from citescape.text.abstracts.sequence import SequenceConfig

    settings = {
        **asdict(config),
        "headings": HEADINGS_VERSION,
        "sentences": SENTENCES_VERSION,
        "features": FEATURES_VERSION,
    }
    if config.kind == "linear":
        settings["linear"] = LINEAR_SETTINGS
    if config.kind in ("sequence", "vectors"):
        settings["sequence"] = asdict(SequenceConfig(seed=config.seed))
    if encode:
        settings["max_tokens"] = encode.config.max_tokens
        precision = next(encode.model.parameters()).dtype  # `auto` depends on the machine
        settings["precision"] = str(precision).removeprefix("torch.")
    return settings
