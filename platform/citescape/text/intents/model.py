"""The intent model as it is kept: `text intents train` writes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.encoders.files import resolve_encoder
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    check_writable,
    command_words,
    find_run,
    library_versions,
    read_run,
    run_id,
)
from citescape.runs.result import Result, Summary, plural
from citescape.text.intents.calibration import (
    Calibration,
    calibrate,
    calibration_error,
    cross_calibrate,
)
from citescape.text.intents.config import KINDS, IntentConfig
from citescape.text.intents.contexts import INTENTS, Context, IntentModel, Probabilities
from citescape.text.intents.members import (
    Arrays,
    Fitted,
    Margins,
    Member,
    divide,
    divide_in_folds,
    hold_out,
    targets,
)
from citescape.text.intents.rules import CUES, SECTION_POINTS, judge_by_rules
from citescape.text.intents.scicite import Example, check_intents
from citescape.text.labeller import RULES, label_words
from citescape.text.saved_model import SavedModel, find_model, load_model, save_model, unlike

COMMAND = "intents train"
_FEWEST = 10
"""Examples that each intent needs, with and without it."""


@dataclass(frozen=True)
class IntentClassifier:
    """An `IntentModel`: trained members and the calibration that joins their margins."""

    members: tuple[Member, ...]
    calibration: Calibration

    def __call__(self, contexts: Sequence[Context]) -> Probabilities:
        """Probabilities (n, 3)."""
        return self.calibration([member(contexts) for member in self.members])


@dataclass(frozen=True)
class NamedModel:
    """An intent model and the run it comes from."""

    name: str
    """`rules`, or the kind of model."""
    record: RunRecord
    judge: IntentModel


@dataclass(frozen=True)
class TrainedIntents(Result):
    """What a training found and made."""

    run: str
    path: Path
    """The run directory: model.safetensors, run.json, and encoder/ of a transformer."""
    config: IntentConfig
    examples: int
    intents: dict[str, int]
    """Examples with each intent."""
    held_out: dict[str, float]
    """Of examples a member was not trained on: `n`, `macro_f1`, `calibration_error`. Each is judged
    with a calibration that it had no part in; n-grams are counted in all (`Fitted`)."""
    seconds: float
    unchanged: bool
    """The same model was there already."""

    @property
    def arrow(self) -> pa.Table:
        """A row per intent: examples that have it."""
        return pa.table({"intent": list(self.intents), "examples": list(self.intents.values())})

    def summarise(self) -> Summary:
        """The run, its examples, and its figures on held-out examples."""
        known = ", ".join(f"{count:,} {name}" for name, count in self.intents.items())
        parts = [
            f"{'unchanged' if self.unchanged else 'trained'}: {self.run}, {self.config.kind}, on "
            f"{plural(self.examples, 'citation')} ({known}) in {self.seconds:.0f} s",
            f"held-out: {self.held_out['n']:,} citations, "
            f"macro-F1 {self.held_out['macro_f1']:.3f}, "
            f"calibration error {self.held_out['calibration_error']:.3f}",
            f"model: {self.path}",
            "",
        ]
        figures = {**asdict(self), "kind": self.config.kind}
        words = label_words("intents", self.run if self.unchanged else "")
        return Summary(parts, figures, [("next", words)])


def train(
    examples: Sequence[Example],
    config: IntentConfig | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> TrainedIntents:
    """Trains an intent model and keeps it as a run.

    The order of the examples does not matter. The same examples and configuration give the same
    run: it is found, and nothing is done.

    Args:
        examples: what `read_examples` read.
        config: kind of model and how to train it.
        runs: folder of run directories.
        progress: told what is being done.

    Raises:
        ConfigError: an intent is missing from the examples, or known of too few papers, or a
            library or an encoder is not at hand, or the training did not converge.
    """
    clock, config = Stopwatch(), _complete(config or IntentConfig())
    examples = sorted(examples)
    check_intents(examples, fewest=_FEWEST)
    record = _record(examples, config)
    if found := find_run(runs, record.id):
        return _result(read_run(found), found, unchanged=True)
    check_writable(runs)
    fitted = _fit(examples, config, progress)
    calibration = calibrate([one.held_out for one in fitted], targets(examples))
    record = replace(record, counts={**record.counts, "held_out": _judge(fitted, examples, config)})
    path = save_model(
        runs,
        clock.stop(record),
        _tensors(fitted, calibration, config),
        more=partial(_save_members, fitted),
    )
    return _result(read_run(path), path, unchanged=False)


def load(path: Path) -> NamedModel:
    """A model from its run directory, ready to label.

    Raises:
        ConfigError: it is a model of something else, or a library is not installed.
        SourceError: its files are damaged.
    """
    saved = load_model(path)
    if saved.record.command != COMMAND:
        raise ConfigError(
            f"{path} is a model of `platform {command_words(saved.record.command)}`; "
            f"expected one of `platform {command_words(COMMAND)}`"
        )
    try:
        return _assemble(saved)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise unlike(path, error) from error


def _assemble(saved: SavedModel) -> NamedModel:
    config = IntentConfig(**saved.record.config)
    members = [
        MEMBERS[name].load(_below(saved.tensors, name), saved.path, config)
        for name in KINDS[config.kind]
    ]
    calibration = Calibration(saved.tensors["slopes"], saved.tensors["offsets"])
    return NamedModel(config.kind, saved.record, IntentClassifier(tuple(members), calibration))


def resolve_model(runs: Path, named: str) -> NamedModel:
    """The model that a command line names: `rules`, a path or run id, or the last one trained.

    Raises:
        ConfigError: there is none; the message says how to train one.
    """
    if named == RULES:
        return NamedModel(RULES, _rules_record(), judge_by_rules)
    return load(find_model(runs, COMMAND, named))


@dataclass(frozen=True)
class _Maker:
    """How a member is trained and read back."""

    needs: tuple[str, ...]
    """Libraries to train it."""
    divide: Callable[[Sequence[Example], IntentConfig], object]
    """Refuses examples that `fit` cannot divide."""
    fit: Callable[[Sequence[Example], IntentConfig, Progress], Fitted]
    load: Callable[[Arrays, Path, IntentConfig], Member]


def _fit_linear(examples: Sequence[Example], config: IntentConfig, progress: Progress) -> Fitted:
    from citescape.text.intents.linear import fit_linear

    return fit_linear(examples, config, progress)


def _load_linear(tensors: Arrays, folder: Path, config: IntentConfig) -> Member:
    from citescape.text.intents.linear import LinearMember

    return LinearMember.load(tensors, folder, config)


def _fit_transformer(
    examples: Sequence[Example], config: IntentConfig, progress: Progress
) -> Fitted:
    from citescape.text.intents.transformer import fit_transformer

    return fit_transformer(examples, config, progress)


def _load_transformer(tensors: Arrays, folder: Path, config: IntentConfig) -> Member:
    require("torch", "transformers")
    from citescape.text.intents.transformer import TransformerMember

    return TransformerMember.load(tensors, folder, config)


MEMBERS = {
    "linear": _Maker(("sklearn",), divide_in_folds, _fit_linear, _load_linear),
    "transformer": _Maker(("torch", "transformers"), hold_out, _fit_transformer, _load_transformer),
}


def _complete(config: IntentConfig) -> IntentConfig:
    """The configuration as it is kept: with the encoder named, if one is used.

    Raises:
        ConfigError: a library is not installed.
    """
    config, members = config.without_idle(), KINDS[config.kind]
    require(*(library for name in members for library in MEMBERS[name].needs), "safetensors")
    if "transformer" in members:
        config = replace(config, encoder=resolve_encoder(config.encoder))
    return config


def _fit(examples: Sequence[Example], config: IntentConfig, progress: Progress) -> list[Fitted]:
    makers = [MEMBERS[name] for name in KINDS[config.kind]]
    for maker in makers:
        maker.divide(examples, config)  # a fault of the second is told before the first is trained
    return [maker.fit(examples, config, progress) for maker in makers]


def _judge(
    fitted: Sequence[Fitted], examples: Sequence[Example], config: IntentConfig
) -> dict[str, float]:
    """What the model says of examples its members were not trained on."""
    from citescape.text.intents.evaluate import confusion_of

    margins: list[Margins] = [one.held_out for one in fitted]
    judged = np.flatnonzero(~np.isnan(margins).any((0, 2)))
    kept = [examples[k] for k in judged.tolist()]
    part, wanted = divide(kept, config.folds, config.seed), targets(kept)
    probabilities = cross_calibrate([found[judged] for found in margins], wanted, part)
    return {
        "n": len(kept),
        "macro_f1": confusion_of(kept, probabilities).macro_f1,
        "calibration_error": calibration_error(probabilities, wanted),
    }


def _tensors(
    fitted: Sequence[Fitted], calibration: Calibration, config: IntentConfig
) -> dict[str, Any]:
    found: dict[str, Any] = {"slopes": calibration.slopes, "offsets": calibration.offsets}
    for name, one in zip(KINDS[config.kind], fitted, strict=True):
        found |= {f"{name}.{key}": array for key, array in one.member.tensors().items()}
    for name, array in found.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ConfigError(
                f"the training did not converge: found numbers in {name} that are not finite; "
                "expected other settings or examples"
            )
    return found


def _save_members(fitted: Sequence[Fitted], folder: Path) -> None:
    for one in fitted:
        one.member.save(folder)


def _below(tensors: Arrays, name: str) -> Arrays:
    """The tensors of one member."""
    prefix = f"{name}."
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}


def learned_from(record: RunRecord, examples: Sequence[Example]) -> bool:
    """Whether a model was trained on these very examples, in whatever order."""
    return record.inputs.get("examples") == _hash(examples)


def _hash(examples: Sequence[Example]) -> str:
    text = json.dumps(sorted(examples), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _record(examples: Sequence[Example], config: IntentConfig) -> RunRecord:
    settings, inputs = asdict(config), {"examples": _hash(examples)}
    libraries = ("citescape", "numpy", "scipy", "scikit-learn", "torch", "transformers")
    return RunRecord(
        id=run_id("intents", settings, inputs),
        command=COMMAND,
        config=settings,
        inputs=inputs,
        seed=config.seed,
        versions=library_versions(*libraries, "safetensors"),
        counts={
            "examples": len(examples),
            "intents": {name: sum(name in e.intents for e in examples) for name in INTENTS},
        },
    )


def _rules_record() -> RunRecord:
    """The rules as a run: another score card has another id."""
    settings: dict[str, object] = {
        "cues": {cue.name: [cue.pattern.pattern, *cue.points] for cue in CUES},
        "sections": SECTION_POINTS,
    }
    id_ = run_id("intents-rules", settings, {})
    return RunRecord(id_, "intents rules", settings, {}, versions=library_versions("citescape"))


def _result(record: RunRecord, path: Path, *, unchanged: bool) -> TrainedIntents:
    return TrainedIntents(
        run=record.id,
        path=path,
        config=IntentConfig(**record.config),
        examples=record.counts["examples"],
        intents=dict(record.counts["intents"]),
        held_out=dict(record.counts["held_out"]),
        seconds=record.seconds,
        unchanged=unchanged,
    )
