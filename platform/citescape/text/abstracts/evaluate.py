"""Evaluation of splitters on structured abstracts that they were not trained on.

The complete structured abstracts are divided into two halves by paper, for each seed anew; equal
texts (a paper that is loaded twice, a series) stay together. Every kind is trained on the first
half and tested on the second. `written` tests on abstracts of other journals, whose headings are
printed in the text (and hidden).
Structured abstracts are no fair sample of the others: facets come in order and each has sentences
of its own. For abstracts without headings the figures are an upper bound.
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
from citescape.text.abstracts.facets import Labels, Splitter
from citescape.text.abstracts.gold import FEWEST, Gold, GoldAbstract
from citescape.text.abstracts.rules import Rules
from citescape.text.abstracts.steps import KINDS, TrainAbstracts
from citescape.text.abstracts.train import fit
from citescape.text.confusion import Confusion, spread_of
from citescape.text.labeller import RULES

EVALUATED = ("position", RULES, "linear", "sequence")
"""Kinds that need no encoder."""
FOLDS = 3
_SHOWN_CASES = 8


@dataclass(frozen=True)
class HardCase:
    """A sentence with a wrong label."""

    paper: str
    sentence: str
    true: str
    given: str


@dataclass(frozen=True)
class Evaluation:
    """Figures of one kind over the seeds."""

    kind: str
    tests: tuple[Confusion, ...]
    """Tests on the second half, a table per seed."""
    written: tuple[Confusion, ...]
    """Tests on abstracts whose headings are printed in the text."""
    folds: tuple[Confusion, ...]
    """Cross-validation inside the first half, a table per seed; may be empty."""
    hard: tuple[HardCase, ...]
    """Errors of the first seed."""
    seconds: float
    """CPU seconds of training and testing over all seeds and threads, with the first import of
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
            {key: value for key, value in found.as_dict().items() if isinstance(value, str | float)}
            for found in self.kinds
        ]
        return pa.Table.from_pylist(rows)

    def summarise(self) -> Summary:
        """The figures of all kinds, and the confusion matrix and errors of the last one."""
        last, rows = self.kinds[-1], []
        for found in self.kinds:
            printed = spread_of([t.macro_f1 for t in found.written])
            rows.append(
                (
                    found.kind,
                    spread_of([table.macro_f1 for table in found.tests]),
                    spread_of([table.accuracy for table in found.tests]),
                    printed if found.written_abstracts else "-",
                    f"{found.seconds:.1f}",
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
        if last.hard:
            cases = [
                (case.true, case.given, textwrap.shorten(case.sentence, 70, placeholder="…"))
                for case in last.hard[:_SHOWN_CASES]
            ]
            columns = ("true", "predicted", "sentence")
            parts += ["", Table(columns, cases, "errors of the first split")]
        kinds = [found.as_dict() for found in self.kinds]
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

    Each seed gives a partition, and a training per kind (`steps.KINDS`, and `rules`). `encoder` is
    that of the kind `vectors`. With `folds`, by which kinds are chosen, the first halves are
    cross-validated too.

    Raises:
        ConfigError: fewer than four different complete structured abstracts, no such kind, or its
            libraries are not installed.
    """
    different = len(_different(gold.complete))
    if different < 2 * FEWEST:
        raise ConfigError(
            f"{different} structured abstracts have headings for all facets; "
            f"expected {2 * FEWEST} different ones at least, half to learn from and half to test on"
        )
    for kind in kinds:
        if kind != RULES and kind not in KINDS:
            raise invalid_choice("kind", kind, (RULES, *KINDS))
    if set(kinds) - {RULES}:
        require("sklearn", "torch", "safetensors")
    encode = _Remembered(encoder) if "vectors" in kinds else None
    found = []
    for kind in kinds:
        tests, written, crossed = [], [], []
        hard: tuple[HardCase, ...] = ()
        spent = 0.0
        for seed in seeds:
            progress(f"{kind}: seed {seed}")
            first, second = halves(gold.complete, seed)
            begun = time.process_time()
            splitter = _fit(kind, first, seed=seed, encode=encode)
            labels = splitter([abstract.sentences for abstract in second])
            spent += time.process_time() - begun
            tests.append(confuse(labels, second))
            hard = hard if len(tests) > 1 else _find_errors(labels, second)
            more = splitter([abstract.sentences for abstract in gold.written])
            written.append(confuse(more, gold.written))
            if folds:
                crossed.append(_cross_validate(kind, first, seed=seed, encode=encode))
        tables = (tuple(tests), tuple(written), tuple(crossed))
        found.append(Evaluation(kind, *tables, hard, spent, len(gold.written)))
    return found


def halves(
    gold: Sequence[GoldAbstract], seed: int
) -> tuple[list[GoldAbstract], list[GoldAbstract]]:
    """The abstracts to train on and those to test on; equal texts are in the same half."""
    groups = _different(gold)
    order = np.random.default_rng(seed).permutation(len(groups))
    middle = len(order) // 2
    first, second = ([groups[k] for k in part] for part in (order[:middle], order[middle:]))
    return list(chain(*first)), list(chain(*second))


def _different(gold: Sequence[GoldAbstract]) -> list[list[GoldAbstract]]:
    """The abstracts by the letters and digits of their text, in order of the first."""
    groups: dict[str, list[GoldAbstract]] = {}
    for abstract in gold:
        text = "".join(abstract.sentences).casefold()
        groups.setdefault("".join(c for c in text if c.isalnum()), []).append(abstract)
    return list(groups.values())


class _Remembered:
    """An encoder that encodes each text once."""

    def __init__(self, encoder: str) -> None:
        self._encoder = PretrainedEncoder.load(EncoderConfig(encoder))
        self._known: dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}

    def __call__(self, texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        new = sorted(set(texts) - self._known.keys())
        self._known.update(zip(new, self._encoder(new), strict=True))
        vectors = [self._known[text] for text in texts]
        return np.stack(vectors) if vectors else np.zeros((0, self._encoder.dimensions), np.float32)


def _fit(
    kind: str, gold: Sequence[GoldAbstract], *, seed: int, encode: _Remembered | None
) -> Splitter:
    if kind == RULES:
        return Rules()
    return fit(gold, TrainAbstracts(cast("Any", kind), seed), encode=encode)


def _cross_validate(
    kind: str, gold: Sequence[GoldAbstract], *, seed: int, encode: _Remembered | None
) -> Confusion:
    """The table of all abstracts, each labelled by a model that was trained on the other folds."""
    groups, tables = _different(gold), []
    for fold in range(FOLDS):
        rest = [
            abstract for k, group in enumerate(groups) if k % FOLDS != fold for abstract in group
        ]
        held = list(chain(*groups[fold::FOLDS]))
        splitter = _fit(kind, rest, seed=seed, encode=encode)
        tables.append(confuse(splitter([abstract.sentences for abstract in held]), held))
    return sum(tables[1:], tables[0])


def confuse(labels: Sequence[Labels], gold: Sequence[GoldAbstract]) -> Confusion:
    """The table of a splitter's labels."""
    true = [facet for abstract in gold for facet in abstract.facets]
    return Confusion.of(FACETS, true, [facet for abstract in labels for facet in abstract.facets])


def _find_errors(labels: Sequence[Labels], gold: Sequence[GoldAbstract]) -> tuple[HardCase, ...]:
    return tuple(
        HardCase(abstract.id, sentence.strip(), true, given)
        for abstract, found in zip(gold, labels, strict=True)
        for sentence, true, given in zip(
            abstract.sentences, abstract.facets, found.facets, strict=True
        )
        if true != given
    )


def _spread(name: str, tables: Sequence[Confusion]) -> Mapping[str, float]:
    """Means and standard deviations over the seeds; none without tests."""
    figures: dict[str, float] = {}
    for figure in ("macro_f1", "accuracy") if tables and tables[0].total else ():
        values = [getattr(table, figure) for table in tables]
        figures[f"{name}{figure}"] = float(np.mean(values))
        figures[f"{name}{figure}_spread"] = stdev(values) if len(values) > 1 else 0.0
    return figures
