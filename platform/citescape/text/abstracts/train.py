"""Trains a splitter on the structured abstracts of a store, and finds it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from citescape.core.errors import ConfigError, SourceError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.encoders.files import resolve_encoder
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder
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
from citescape.text.abstracts.abstract import Abstract, abstract_papers, as_abstracts, read_rows
from citescape.text.abstracts.facets import Splitter
from citescape.text.abstracts.features import FEATURES_VERSION
from citescape.text.abstracts.gold import Gold, GoldAbstract, check_gold, collect_gold
from citescape.text.abstracts.headings import HEADINGS_VERSION
from citescape.text.abstracts.rules import Rules
from citescape.text.abstracts.sentences import SENTENCES_VERSION
from citescape.text.abstracts.steps import KINDS, TrainAbstracts
from citescape.text.labeller import RULES, label_words
from citescape.text.saved_model import (
    SavedModel,
    Tensors,
    find_model,
    load_model,
    save_model,
    unlike,
)
from citescape.text.write_back import batches

if TYPE_CHECKING:
    from citescape.text.abstracts.sequence import Encode

COMMAND = "split train"
_READ = 1024
_SHOWN_HEADINGS = 5


class Trained(Splitter, Protocol):
    """A splitter that can be saved."""

    def tensors(self) -> Tensors:
        """Arrays by name."""
        ...


@dataclass(frozen=True)
class TrainResult(Result):
    """What a training found and where it is kept."""

    record: RunRecord
    path: Path
    gold: Gold
    known: bool
    """The same was trained before."""

    @property
    def run(self) -> str:
        """Id of the run."""
        return self.record.id

    @property
    def arrow(self) -> pa.Table:
        """A row per facet: sentences that it was trained on."""
        sentences = self.record.counts["sentences"]
        return pa.table({"facet": list(sentences), "sentences": list(sentences.values())})

    def summarise(self) -> Summary:
        """The run, its abstracts, and what it could not learn from."""
        counts, skipped = self.record.counts, self.gold.left_out
        facets = ", ".join(f"{count:,} {facet}" for facet, count in counts["sentences"].items())
        common = ", ".join(
            repr(name or "no heading") for name, _ in skipped.most_common(_SHOWN_HEADINGS)
        )
        parts = [
            f"{'unchanged' if self.known else 'trained'}: {self.run}, on "
            f"{plural(counts['abstracts'], 'structured abstract')} (sentences: {facets})",
            f"skipped: {plural(counts['incomplete'], 'structured abstract')} without a heading for "
            f"each facet, and {plural(sum(skipped.values()), 'sentence')} under other headings"
            f"{f' ({common}, ...)' if common else ''}",
            f"model: {self.path}",
            "",
        ]
        words = label_words("abstracts", self.run if self.known else "")
        figures = {"run": self.run, "unchanged": self.known, **counts}
        return Summary(parts, figures, [("next", words)])


def read_abstracts(store: GraphStore, progress: Progress = silent) -> Iterator[Abstract]:
    """All abstracts of a store that hold any text, by id, some at a time."""
    papers, read = abstract_papers(store), 0
    for ids in batches(papers, _READ):
        yield from as_abstracts(read_rows(store, ids))
        read += len(ids)
        progress(f"reading: {read:,} of {len(papers):,} papers")


def train(
    store: GraphStore,
    config: TrainAbstracts | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = silent,
) -> TrainResult:
    """Trains a splitter on all abstracts of the store whose headings name every facet.

    The same abstracts, configuration and seed give the same model, which is trained once.

    Args:
        store: the graph to read.
        config: which kind, and its seed.
        runs: folder of run directories; by default `runs` beside the store.
        progress: told the name of each stage as it begins.

    Raises:
        ConfigError: too few structured abstracts, or a library or an encoder is missing.
    """
    require("sklearn", "torch", "safetensors")
    clock, config = Stopwatch(), config or TrainAbstracts()
    if config.kind == "vectors":
        config = replace(config, encoder=resolve_encoder(config.encoder))
    with clock.timed("read"):
        gold = collect_gold(read_abstracts(store, progress))
    check_gold(gold, store.location)
    runs = runs or default_runs(store.location)
    encode = (
        PretrainedEncoder.load(EncoderConfig(config.encoder)) if config.kind == "vectors" else None
    )
    record = _record(config, gold, encode)
    if found := find_run(runs, record.id):
        return TrainResult(read_run(found), found, gold, known=True)
    check_writable(runs)
    progress(f"training on {len(gold.complete):,} abstracts")
    with clock.timed("train"):
        model = fit(gold.complete, config, record, encode=encode)
    record = clock.stop(record)
    return TrainResult(record, save_model(runs, record, model.tensors()), gold, known=False)


def fit(
    gold: Sequence[GoldAbstract],
    config: TrainAbstracts,
    record: RunRecord,
    *,
    encode: Encode | None = None,
) -> Trained:
    """A trained splitter; `encode` is loaded by the configuration if it is not given."""
    from citescape.text.abstracts.linear import Linear, Position
    from citescape.text.abstracts.sequence import SentenceCrf, SequenceConfig

    if config.kind == "position":
        return Position.fit(gold, record)
    if config.kind == "linear":
        return Linear.fit(gold, record)
    learns = SequenceConfig(seed=config.seed)
    if config.kind != "vectors":
        return SentenceCrf.fit(gold, record, config=learns)
    encode = encode or PretrainedEncoder.load(EncoderConfig(config.encoder))
    return SentenceCrf.fit(gold, record, config=learns, encode=encode)


def load_splitter(named: str, runs: Path) -> Splitter:
    """The rules, or a trained splitter by path or run id; the empty name is the last trained.

    Raises:
        ConfigError: there is no such model; the message says how to train one.
        SourceError: it is no splitter, or its files are damaged.
    """
    if named == RULES:
        return Rules()
    require("sklearn", "torch", "safetensors")
    return _restore(load_model(find_model(runs, COMMAND, named)))


def any_trained(runs: Path) -> bool:
    """Whether a folder of runs holds a splitter."""
    try:
        find_model(runs, COMMAND)
    except ConfigError:
        return False
    return True


def _restore(saved: SavedModel) -> Splitter:
    from citescape.text.abstracts.linear import Linear, Position
    from citescape.text.abstracts.sequence import SentenceCrf

    kind = saved.record.config.get("kind") if saved.record.command == COMMAND else None
    tensors, record = saved.tensors, saved.record
    if kind not in KINDS:
        raise SourceError(
            str(saved.path),
            "not-a-splitter",
            f"expected a model of `platform {command_words(COMMAND)}`; found one of "
            f"`platform {command_words(saved.record.command)}`",
        )
    try:
        _check_features(record)
        if kind == "position":
            return Position.from_tensors(tensors, record)
        if kind == "linear":
            return Linear.from_tensors(tensors, record)
        encode = _encoder_of(record) if kind == "vectors" else None
        return SentenceCrf.from_tensors(tensors, record, encode=encode)
    except (KeyError, ValueError, RuntimeError) as error:
        raise unlike(saved.path, error) from error


def _check_features(record: RunRecord) -> None:
    found = record.config.get("features")
    if found != FEATURES_VERSION:
        raise ValueError(f"features of version {found}, where {FEATURES_VERSION} is read")


def _encoder_of(record: RunRecord) -> PretrainedEncoder:
    """The encoder of a model, as it computed when the model was trained."""
    said = record.config
    return PretrainedEncoder.load(
        EncoderConfig(said["encoder"], said["max_tokens"], said["precision"])
    )


def _settings(config: TrainAbstracts, encode: PretrainedEncoder | None) -> dict[str, object]:
    """All that decides the tensors beside the abstracts."""
    from citescape.text.abstracts.linear import LINEAR_SETTINGS
    from citescape.text.abstracts.sequence import SequenceConfig

    found = {
        **config.settings(),
        "headings": HEADINGS_VERSION,
        "sentences": SENTENCES_VERSION,
        "features": FEATURES_VERSION,
    }
    if config.kind == "linear":
        found["linear"] = LINEAR_SETTINGS
    if config.kind in ("sequence", "vectors"):
        found["sequence"] = asdict(SequenceConfig(seed=config.seed))
    if encode:
        found["max_tokens"] = encode.config.max_tokens
        precision = next(encode.model.parameters()).dtype  # `auto` is another on other machines
        found["precision"] = str(precision).removeprefix("torch.")
    return found


def _record(config: TrainAbstracts, gold: Gold, encode: PretrainedEncoder | None) -> RunRecord:
    settings, inputs = _settings(config, encode), {"abstracts": gold.fingerprint()}
    sentences = [facet for one in gold.complete for facet in one.facets]
    return RunRecord(
        id=run_id("split", settings, inputs),
        command=COMMAND,
        config=settings,
        inputs=inputs,
        seed=config.seed,
        versions=library_versions("citescape", "numpy", "scikit-learn", "torch", "transformers"),
        counts={
            "abstracts": len(gold.complete),
            "sentences": {facet: sentences.count(facet) for facet in FACETS},
            "incomplete": len(gold.incomplete),
            "left_out": dict(gold.left_out.most_common()),
        },
    )
