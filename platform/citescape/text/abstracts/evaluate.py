"""How well splitters tell the facets of structured abstracts they have not seen.

The complete structured abstracts are cut in two halves by paper, for each seed anew; equal texts
(a paper that is loaded twice, a series) stay together. Every kind learns from the first half and is
tested on the second; all kinds see the same halves. `written` tests them on abstracts whose
headings are printed in the text (and hidden), which other journals do.
Structured abstracts are no fair sample of the others: facets come in order and each has sentences
of its own. For abstracts without headings the figures are an upper bound.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Any, cast

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder
from citescape.runs.directory import RunRecord
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.text.abstracts.facets import Labels, Splitter
from citescape.text.abstracts.gold import FEWEST, Gold, GoldAbstract
from citescape.text.abstracts.rules import Rules
from citescape.text.abstracts.steps import KINDS, TrainAbstracts
from citescape.text.abstracts.train import fit
from citescape.text.confusion import Confusion
from citescape.text.labeller import RULES

EVALUATED = ("position", RULES, "linear", "sequence")
"""Kinds that need no encoder."""
FOLDS = 3
_SHOWN_CASES = 8


@dataclass(frozen=True)
class HardCase:
    """A sentence that was labelled wrong."""

    paper: str
    sentence: str
    true: str
    given: str


@dataclass(frozen=True)
class Evaluation:
    """One kind, over the seeds."""

    kind: str
    tests: tuple[Confusion, ...]
    """On the second half, a table a seed."""
    written: tuple[Confusion, ...]
    """On abstracts whose headings are printed in the text."""
    folds: tuple[Confusion, ...]
    """Cross-validation inside the first half, a table a seed; empty if not asked for."""
    hard: tuple[HardCase, ...]
    """Errors of the first seed; none if it made none."""
    seconds: float
    """CPU seconds of training and testing, all seeds; of all threads, and with the import of
    libraries where nothing loaded them before."""
    written_abstracts: int = 0
    """That `written` tests on, the same for each seed."""

    @property
    def confusion(self) -> Confusion:
        """The tables of all seeds added up."""
        return sum(self.tests[1:], self.tests[0])

    def as_dict(self) -> dict[str, object]:
        """Means over the seeds and their spread (standard deviation), for JSON."""
        return {
            "kind": self.kind,
            **_spread("", self.tests),
            **_spread("written_", self.written),
            **_spread("cross_validated_", self.folds),
            "f1": {f: float(np.mean([t.f1.get(f, 0.0) for t in self.tests])) for f in FACETS},
            "macro_f1_by_seed": [table.macro_f1 for table in self.tests],
            "written_abstracts": self.written_abstracts,
            "sentences": self.confusion.total,
            "confusion": self.confusion.counts.tolist(),
            "trial_cpu_seconds": round(self.seconds, 2),
        }


@dataclass(frozen=True)
class AbstractEvaluations(Result):
    """What several kinds of models say of the same structured abstracts."""

    abstracts: int
    """Structured abstracts with a heading for each facet."""
    written: int
    """Other abstracts, whose headings are printed in the text."""
    kinds: tuple[Evaluation, ...]

    @property
    def arrow(self) -> pa.Table:
        """A row per kind: means over the seeds and their standard deviations."""
        rows = [
            {key: value for key, value in found.as_dict().items() if isinstance(value, str | float)}
            for found in self.kinds
        ]
        return pa.Table.from_pylist(rows)

    def summarise(self) -> Summary:
        """The figures of all kinds, and the confusion matrix and errors of the last one."""
        last = self.kinds[-1]
        header = ("kind", "macro-F1", "accuracy", "in-text F1", "CPU s")
        parts: list[Part] = [
            f"{plural(self.abstracts, 'structured abstract')}, "
            f"{plural(len(last.tests), 'split')} into halves; mean ± standard deviation",
            "in-text F1: macro-F1 on "
            f"{plural(self.written, 'other abstract')} with headings printed in the text",
            "",
            Table(header, [_row(found) for found in self.kinds]),
            "",
            last.confusion.to_table(f"{last.kind}, all splits: rows are true, columns predicted"),
        ]
        if last.hard:
            cases = [
                (case.true, case.given, textwrap.shorten(case.sentence, 70, placeholder="…"))
                for case in last.hard[:_SHOWN_CASES]
            ]
            columns = ("true", "predicted", "sentence")
            parts += ["", Table(columns, cases, "errors of the first split")]
        kinds = [found.as_dict() for found in self.kinds]
        return Summary(parts, {"abstracts": self.abstracts, "kinds": kinds})


def _row(found: Evaluation) -> tuple[object, ...]:
    figures = found.as_dict()
    cells = [
        f"{figures[name]:.3f} ± {figures[f'{name}_spread']:.3f}" if name in figures else "-"
        for name in ("macro_f1", "accuracy", "written_macro_f1")
    ]
    return (found.kind, *cells, f"{found.seconds:.1f}")


def evaluate(
    gold: Gold,
    *,
    kinds: Sequence[str] = EVALUATED,
    seeds: Sequence[int] = (0, 1, 2),
    encoder: str = "",
    folds: bool = False,
    progress: Progress = silent,
) -> list[Evaluation]:
    """Tests kinds of splitters on halves of the complete structured abstracts.

    Args:
        gold: of a corpus.
        kinds: of `steps.KINDS`, and `rules`.
        seeds: a partition and a training each.
        encoder: for the kind `vectors`; empty for the default one.
        folds: cross-validate inside the first halves too, which is what kinds are chosen by.
        progress: told the kind and the seed.

    Raises:
        ConfigError: fewer than four different complete structured abstracts, or no such kind, or
            one that learns and its libraries are not installed.
    """
    if len(_different(gold.complete)) < 2 * FEWEST:
        raise ConfigError(
            f"{len(_different(gold.complete))} structured abstracts have headings for all facets; "
            f"expected {2 * FEWEST} different ones at least, half to learn from and half to test on"
        )
    for kind in kinds:
        if kind != RULES and kind not in KINDS:
            raise invalid_choice("kind", kind, (RULES, *KINDS))
    if set(kinds) - {RULES}:
        require("sklearn", "torch", "safetensors")
    encode = _Remembered(encoder) if "vectors" in kinds else None
    return [
        _evaluate_kind(_Trial(gold, kind, encode), seeds, folds=folds, progress=progress)
        for kind in kinds
    ]


def halves(
    gold: Sequence[GoldAbstract], seed: int
) -> tuple[list[GoldAbstract], list[GoldAbstract]]:
    """The abstracts to learn from and those to test on; equal texts are in the same half."""
    groups = _different(gold)
    order = np.random.default_rng(seed).permutation(len(groups))
    middle = len(order) // 2
    first, second = ([groups[k] for k in part] for part in (order[:middle], order[middle:]))
    return _flat(first), _flat(second)


def _different(gold: Sequence[GoldAbstract]) -> list[list[GoldAbstract]]:
    """The abstracts by text, of which only letters and digits count; in order of the first."""
    groups: dict[str, list[GoldAbstract]] = {}
    for one in gold:
        text = "".join(one.sentences).casefold()
        groups.setdefault("".join(c for c in text if c.isalnum()), []).append(one)
    return list(groups.values())


def _flat(groups: Sequence[Sequence[GoldAbstract]]) -> list[GoldAbstract]:
    return [one for group in groups for one in group]


class _Remembered:
    """An encoder that is asked for each text once."""

    def __init__(self, encoder: str) -> None:
        self._encoder = PretrainedEncoder.load(EncoderConfig(encoder))
        self._known: dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}

    def __call__(self, texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        new = sorted(set(texts) - self._known.keys())
        self._known.update(zip(new, self._encoder(new), strict=True))
        vectors = [self._known[text] for text in texts]
        return np.stack(vectors) if vectors else np.zeros((0, self._encoder.dimensions), np.float32)


@dataclass(frozen=True)
class _Trial:
    """A kind to be trained and tested."""

    gold: Gold
    kind: str
    encode: _Remembered | None

    def fit(self, gold: Sequence[GoldAbstract], seed: int) -> Splitter:
        if self.kind == RULES:
            return Rules()
        record = RunRecord("split-evaluation", "split eval", {}, {}, seed)
        return fit(gold, TrainAbstracts(cast("Any", self.kind), seed), record, encode=self.encode)

    def cross_validate(self, gold: Sequence[GoldAbstract], seed: int) -> Confusion:
        """The table of all abstracts, each labelled by a model of the other folds."""
        groups, tables = _different(gold), []
        for fold in range(FOLDS):
            rest = _flat([group for k, group in enumerate(groups) if k % FOLDS != fold])
            held = _flat(groups[fold::FOLDS])
            tables.append(confuse(_ask(self.fit(rest, seed), held), held))
        return sum(tables[1:], tables[0])


def _ask(splitter: Splitter, gold: Sequence[GoldAbstract]) -> list[Labels]:
    return splitter([one.sentences for one in gold])


def confuse(labels: Sequence[Labels], gold: Sequence[GoldAbstract]) -> Confusion:
    """The table of a splitter's labels."""
    true = [facet for one in gold for facet in one.facets]
    return Confusion.of(FACETS, true, [facet for one in labels for facet in one.facets])


def _evaluate_kind(
    trial: _Trial, seeds: Sequence[int], *, folds: bool, progress: Progress
) -> Evaluation:
    tests, written, crossed = [], [], []
    hard: list[HardCase] | None = None
    spent = 0.0
    for seed in seeds:
        progress(f"{trial.kind}: seed {seed}")
        first, second = halves(trial.gold.complete, seed)
        begun = time.process_time()
        splitter = trial.fit(first, seed)
        labels = _ask(splitter, second)
        spent += time.process_time() - begun
        tests.append(confuse(labels, second))
        written.append(confuse(_ask(splitter, trial.gold.written), trial.gold.written))
        hard = _errors(labels, second) if hard is None else hard
        if folds:
            crossed.append(trial.cross_validate(first, seed))
    tables = (tuple(tests), tuple(written), tuple(crossed))
    return Evaluation(trial.kind, *tables, tuple(hard or ()), spent, len(trial.gold.written))


def _errors(labels: Sequence[Labels], gold: Sequence[GoldAbstract]) -> list[HardCase]:
    return [
        HardCase(one.id, sentence.strip(), true, given)
        for one, found in zip(gold, labels, strict=True)
        for sentence, true, given in zip(one.sentences, one.facets, found.facets, strict=True)
        if true != given
    ]


def _deviation(values: Sequence[float]) -> float:
    """Of a sample; 0 for a single value."""
    return stdev(values) if len(values) > 1 else 0.0


def _spread(name: str, tables: Sequence[Confusion]) -> Mapping[str, float]:
    if not tables or not tables[0].total:
        return {}
    f1 = [table.macro_f1 for table in tables]
    accuracy = [table.accuracy for table in tables]
    return {
        f"{name}macro_f1": float(np.mean(f1)),
        f"{name}macro_f1_spread": _deviation(f1),
        f"{name}accuracy": float(np.mean(accuracy)),
        f"{name}accuracy_spread": _deviation(accuracy),
    }
