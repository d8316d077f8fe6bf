"""Evaluation of splitters on structured abstracts that they were not trained on.

The complete structured abstracts are divided into two halves by paper, differently for each seed;
equal texts (a paper that is loaded twice, a series) stay together. Every kind is trained on the
first half and tested on the second. `written` tests on abstracts of other journals, whose headings
are printed in the text (and hidden). Structured abstracts are not representative of the others:
their facets come in order, and no sentence belongs to two facets. For abstracts without headings
the figures are an upper bound.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import stdev
from typing import Any, cast

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.text.abstracts.facets import FacetLabels, Splitter
from citescape.text.abstracts.gold import MIN_ABSTRACTS, Gold, GoldAbstract
from citescape.text.abstracts.rules import RuleSplitter
from citescape.text.abstracts.steps import KINDS, TrainAbstracts
from citescape.text.abstracts.train import fit
from citescape.text.confusion import Confusion, spread_of
from citescape.text.labeller import RULES

EVALUATED = ("position", RULES, "linear", "sequence")
"""Kinds that need no encoder; evaluated by default."""
FOLDS = 3
_SHOWN_CASES = 8


@dataclass(frozen=True)
class MisclassifiedSentence:
    """A sentence with a wrong label."""

    paper: str
    sentence: str
    true: str
    predicted: str


@dataclass(frozen=True)
class Evaluation:
    """Figures of one kind over the seeds."""

    kind: str
    tests: tuple[Confusion, ...]
    """Tests on the second half, one table per seed."""
    written: tuple[Confusion, ...]
    """Tests on abstracts whose headings are printed in the text."""
    folds: tuple[Confusion, ...]
    """Cross-validation inside the first half, one table per seed; may be empty."""
    errors: tuple[MisclassifiedSentence, ...]
    """Errors of the first seed."""
    seconds: float
    """CPU seconds of training and testing over all seeds and threads, including the first import of
    libraries."""
    written_abstracts: int = 0
    """Number of abstracts of `written`."""

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
    """Evaluations of several kinds of models on the same structured abstracts."""

    abstracts: int
    """Structured abstracts with a heading for each facet."""
    written: int
    """Other abstracts, whose headings are printed in the text."""
    kinds: tuple[Evaluation, ...]

    @property
    def arrow(self) -> pa.Table:
        """A row per kind: means over the seeds and their standard deviations."""
        rows = [
            {key: value for key, value in kind.as_dict().items() if isinstance(value, str | float)}
            for kind in self.kinds
        ]
        return pa.Table.from_pylist(rows)

    def summarise(self) -> Summary:
        """The figures of all kinds, and the confusion matrix and errors of the last one."""
        last, rows = self.kinds[-1], []
        for evaluation in self.kinds:
            written = spread_of([table.macro_f1 for table in evaluation.written])
            rows.append(
                (
                    evaluation.kind,
                    spread_of([table.macro_f1 for table in evaluation.tests]),
                    spread_of([table.accuracy for table in evaluation.tests]),
                    written if evaluation.written_abstracts else "-",
                    f"{evaluation.seconds:.1f}",
                )
            )
        header = ("kind", "macro-F1", "accuracy", "in-text F1", "CPU s")
        parts: list[Part] = [
            f"{plural(self.abstracts, 'structured abstract')}, "
            f"{plural(len(last.tests), 'split')} into halves; mean ± standard deviation",
            "in-text F1: macro-F1 on "
            f"{plural(self.written, 'other abstract')} with headings printed in the text",
            "",
            Table(header, rows),
            "",
            last.confusion.to_table(f"{last.kind}, all splits: rows are true, columns predicted"),
        ]
        if last.errors:
            cases = [
                (case.true, case.predicted, textwrap.shorten(case.sentence, 70, placeholder="…"))
                for case in last.errors[:_SHOWN_CASES]
            ]
            columns = ("true", "predicted", "sentence")
            parts += ["", Table(columns, cases, "errors of the first split")]
        kinds = [evaluation.as_dict() for evaluation in self.kinds]
        return Summary(parts, {"abstracts": self.abstracts, "kinds": kinds})


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
        gold: structured abstracts.
        kinds: kinds of `steps.KINDS`, or `rules`.
        seeds: each gives a division into halves, and one training per kind.
        encoder: folder or Hugging Face id of the encoder of the kind `vectors`.
        folds: cross-validate the first halves too; kinds are chosen by these figures.
        progress: reports kind and seed.

    Raises:
        ConfigError: fewer than four different complete structured abstracts, an unknown kind, or a
            missing library.
    """
    distinct = len(_group_equal_texts(gold.complete))
    if distinct < 2 * MIN_ABSTRACTS:
        raise ConfigError(
            f"{distinct} distinct structured abstracts have headings for all facets; "
            f"expected at least {2 * MIN_ABSTRACTS}, half to train on and half to test on"
        )
    for kind in kinds:
        if kind != RULES and kind not in KINDS:
            raise invalid_choice("kind", kind, (RULES, *KINDS))
    if set(kinds) - {RULES}:
        require("sklearn", "torch", "safetensors")
    encode = _CachedEncoder(encoder) if "vectors" in kinds else None
    evaluations = []
    for kind in kinds:
        tests, written, cross_validated = [], [], []
        errors: tuple[MisclassifiedSentence, ...] = ()
        seconds = 0.0
        for seed in seeds:
            progress(f"{kind}: seed {seed}")
            first, second = halves(gold.complete, seed)
            begun = time.process_time()
            splitter = _fit(kind, first, seed=seed, encode=encode)
            labels = splitter([abstract.sentences for abstract in second])
            seconds += time.process_time() - begun
            tests.append(compute_confusion(labels, second))
            errors = errors if len(tests) > 1 else _find_errors(labels, second)
            labels = splitter([abstract.sentences for abstract in gold.written])
            written.append(compute_confusion(labels, gold.written))
            if folds:
                cross_validated.append(_cross_validate(kind, first, seed=seed, encode=encode))
        tables = (tuple(tests), tuple(written), tuple(cross_validated))
        evaluations.append(Evaluation(kind, *tables, errors, seconds, len(gold.written)))
    return evaluations


def halves(
    gold: Sequence[GoldAbstract], seed: int
) -> tuple[list[GoldAbstract], list[GoldAbstract]]:
    """Abstracts to train on and abstracts to test on; equal texts are in the same half."""
    groups = _group_equal_texts(gold)
    order = np.random.default_rng(seed).permutation(len(groups))
    middle = len(order) // 2
    first, second = ([groups[k] for k in part] for part in (order[:middle], order[middle:]))
    return list(chain(*first)), list(chain(*second))


def _group_equal_texts(gold: Sequence[GoldAbstract]) -> list[list[GoldAbstract]]:
    """Groups of abstracts whose texts have the same letters and digits, in order of their first."""
    groups: dict[str, list[GoldAbstract]] = {}
    for abstract in gold:
        text = "".join(abstract.sentences).casefold()
        groups.setdefault("".join(c for c in text if c.isalnum()), []).append(abstract)
    return list(groups.values())


class _CachedEncoder:
    """An encoder that encodes each text once."""

    def __init__(self, encoder: str) -> None:
        self._encoder = PretrainedEncoder.load(EncoderConfig(encoder))
        self._vectors: dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}

    def __call__(self, texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        new = sorted(set(texts) - self._vectors.keys())
        self._vectors.update(zip(new, self._encoder(new), strict=True))
        vectors = [self._vectors[text] for text in texts]
        return np.stack(vectors) if vectors else np.zeros((0, self._encoder.dimensions), np.float32)


def _fit(
    kind: str, gold: Sequence[GoldAbstract], *, seed: int, encode: _CachedEncoder | None
) -> Splitter:
    if kind == RULES:
        return RuleSplitter()
    return fit(gold, TrainAbstracts(cast("Any", kind), seed), encode=encode)


def _cross_validate(
    kind: str, gold: Sequence[GoldAbstract], *, seed: int, encode: _CachedEncoder | None
) -> Confusion:
    """Confusion of all abstracts, each labelled by a model trained on the other folds."""
    groups, tables = _group_equal_texts(gold), []
    for fold in range(FOLDS):
        training = [
            abstract for k, group in enumerate(groups) if k % FOLDS != fold for abstract in group
        ]
        held = list(chain(*groups[fold::FOLDS]))
        splitter = _fit(kind, training, seed=seed, encode=encode)
        tables.append(compute_confusion(splitter([abstract.sentences for abstract in held]), held))
    return sum(tables[1:], tables[0])


def compute_confusion(labels: Sequence[FacetLabels], gold: Sequence[GoldAbstract]) -> Confusion:
    """Confusion of the labels of a splitter."""
    true = [facet for abstract in gold for facet in abstract.facets]
    return Confusion.from_labels(
        FACETS, true, [facet for abstract in labels for facet in abstract.facets]
    )


def _find_errors(
    labels: Sequence[FacetLabels], gold: Sequence[GoldAbstract]
) -> tuple[MisclassifiedSentence, ...]:
    return tuple(
        MisclassifiedSentence(abstract.id, sentence.strip(), true, predicted)
        for abstract, label in zip(gold, labels, strict=True)
        for sentence, true, predicted in zip(
            abstract.sentences, abstract.facets, label.facets, strict=True
        )
        if true != predicted
    )


def _spread(name: str, tables: Sequence[Confusion]) -> Mapping[str, float]:
    """Means and standard deviations over the seeds; empty without tests."""
    figures: dict[str, float] = {}
    for figure in ("macro_f1", "accuracy") if tables and tables[0].total else ():
        values = [getattr(table, figure) for table in tables]
        figures[f"{name}{figure}"] = float(np.mean(values))
        figures[f"{name}{figure}_spread"] = stdev(values) if len(values) > 1 else 0.0
    return figures
