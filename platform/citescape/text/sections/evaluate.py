"""How well each way tells section types, on halves of a corpus that share no paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import mean
from time import process_time

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.text.confusion import Confusion, spread_of
from citescape.text.sections.checks import check_tests, check_types
from citescape.text.sections.gold import all_telling, answers, sub_test, top_test
from citescape.text.sections.inputs import SectionInputs, telling
from citescape.text.sections.sequences import TYPES, Flags, Ints, Probabilities, SectionSequences
from citescape.text.sections.steps import TrainSections

_HARD = 20
_SHOWN_CASES = 8
_WIDTH = 60
"""Characters of titles and texts in the table of errors."""
Fitted = Callable[[SectionInputs], tuple[Ints, Probabilities]]


@dataclass(frozen=True)
class HardCase:
    """A section that the model is sure of, and wrong about."""

    paper: str
    title: str
    opening: str
    true: str
    given: str
    probability: float


@dataclass(frozen=True)
class Scores:
    """One way on one split of the corpus."""

    method: str
    seed: int
    top: Confusion
    sub: Confusion
    cpu_seconds: float
    """To train and to predict; encoding texts is not in it."""


@dataclass(frozen=True)
class SectionEvaluation(Result):
    """All ways on all splits."""

    papers: int
    scores: tuple[Scores, ...]
    hard: tuple[HardCase, ...]
    """Of the last split and the full model."""

    def of(self, method: str) -> tuple[Scores, ...]:
        """The splits of one way."""
        return tuple(scores for scores in self.scores if scores.method == method)

    @property
    def arrow(self) -> pa.Table:
        """A row per method and split: macro-F1 and accuracy of TOP and SUB, CPU seconds."""
        return pa.Table.from_pylist(
            [
                {
                    "method": scores.method,
                    "seed": scores.seed,
                    "top_macro_f1": scores.top.macro_f1,
                    "top_accuracy": scores.top.accuracy,
                    "sub_macro_f1": scores.sub.macro_f1,
                    "sub_accuracy": scores.sub.accuracy,
                    "cpu_seconds": scores.cpu_seconds,
                }
                for scores in self.scores
            ]
        )

    def tables(self) -> dict[str, pa.Table]:
        """Scores and errors."""
        errors = pa.Table.from_pylist([asdict(case) for case in self.hard])
        return {"scores": self.arrow, "errors": errors}

    def summarise(self) -> Summary:
        """Means over the splits, the confusion of the last split, and the surest errors."""
        methods = list(dict.fromkeys(scores.method for scores in self.scores))
        splits = len(self.of(methods[0]))
        spread = "; mean ± standard deviation" if splits > 1 else ""
        header = ("method", "TOP F1", "TOP accuracy", "SUB F1", "SUB accuracy", "CPU s")
        parts: list[Part] = [
            f"{plural(self.papers, 'paper')}, {plural(splits, 'split')} into halves{spread}",
            "",
            Table(header, [self._row(method) for method in methods]),
        ]
        last = self.of(FULL if FULL in methods else methods[-1])[-1]
        for name, confusion in (("TOP", last.top), ("SUB", last.sub)):
            title = f"{name}, {last.method}, split {last.seed}: rows are true, columns predicted"
            parts += ["", confusion.to_table(title)]
        if self.hard:
            cases = [
                (case.true, case.given, case.probability, _cut(case.title), _cut(case.opening))
                for case in self.hard[:_SHOWN_CASES]
            ]
            columns = ("true", "predicted", "p", "title", "first words")
            parts += ["", Table(columns, cases, "errors of highest probability")]
        scores = [
            {
                "method": scores.method,
                "seed": scores.seed,
                "top": scores.top.as_dict(),
                "sub": scores.sub.as_dict(),
                "cpu_seconds": scores.cpu_seconds,
            }
            for scores in self.scores
        ]
        hard = [asdict(case) for case in self.hard]
        return Summary(parts, {"papers": self.papers, "scores": scores, "hard": hard})

    def _row(self, method: str) -> tuple[object, ...]:
        each = self.of(method)
        return (
            method,
            spread_of([scores.top.macro_f1 for scores in each]),
            spread_of([scores.top.accuracy for scores in each]),
            spread_of([scores.sub.macro_f1 for scores in each]),
            spread_of([scores.sub.accuracy for scores in each]),
            f"{mean(scores.cpu_seconds for scores in each):,.1f}",
        )


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def _baseline(name: str, *, body: bool = False) -> Callable[[SectionInputs, TrainSections], Fitted]:
    def fit(train: SectionInputs, config: TrainSections) -> Fitted:
        from citescape.text.sections import baselines

        made = {
            "rules": lambda: baselines.rules(train.sections),
            "words": lambda: baselines.logistic_regression(train.sections, body=body),
            "crf": lambda: baselines.linear_crf(
                train.sections, body=body, seed=config.seed, threads=config.threads
            ),
        }[name]()
        return lambda test: (made(test.sections), np.ones(len(test.sections)))

    return fit


def _network(
    *, body: bool, hidden: Callable[[SectionSequences], Flags] = answers
) -> Callable[[SectionInputs, TrainSections], Fitted]:
    def fit_network(train: SectionInputs, config: TrainSections) -> Fitted:
        from citescape.text.sections.predict import anything, predict
        from citescape.text.sections.train import fit

        network = fit(train, replace(config, body=body))

        def fitted(
            test: SectionInputs,
        ) -> tuple[Ints, Probabilities]:
            free = anything(len(test.sections))
            return predict(network, test, allowed=free, hidden=hidden(test.sections))

        return fitted

    return fit_network


METHODS = {
    "rules": _baseline("rules"),
    "words": _baseline("words"),
    "words, body": _baseline("words", body=True),
    "linear CRF": _baseline("crf"),
    "linear CRF, body": _baseline("crf", body=True),
    "BiLSTM-CRF": _network(body=False),
    "BiLSTM-CRF, body": _network(body=True),
    "BiLSTM-CRF, body, strict": _network(body=True, hidden=all_telling),
}
"""Ways to tell types, the simplest first. `body`: with the first words of the text; `strict`: no
title at all tells a type, not even that of a subsection that is not asked for."""
FULL = "BiLSTM-CRF, body"
_LIBRARIES = {
    "words": ("sklearn",),
    "linear CRF": ("torch",),
    "BiLSTM-CRF": ("torch", "transformers"),
}
"""Libraries of each model."""
_ENCODED = {"BiLSTM-CRF", FULL, f"{FULL}, strict"}


def evaluate(
    sections: SectionSequences,
    config: TrainSections | None = None,
    *,
    methods: Sequence[str] = tuple(METHODS),
    seeds: Sequence[int] = (0, 1, 2),
    progress: Progress = silent,
) -> SectionEvaluation:
    """Trains on one half of the papers and tests on the other, once for each seed.

    Titles that would give the answer away are hidden from every way (`gold`): TOP blanks all
    top-level titles, SUB asks for subsections whose parent's title is hidden.

    Raises:
        ConfigError: a way that does not exist or whose libraries are missing, fewer than four
            papers, or too little to learn from or to ask in a half.
    """
    config = config or TrainSections()
    _check(sections, methods)
    inputs = _encode(sections, config, needed=bool(_ENCODED & set(methods)), progress=progress)
    scores: list[Scores] = []
    hard: tuple[HardCase, ...] = ()
    for seed in seeds:
        train, test = halves(inputs, seed)
        check_types(train.sections)
        check_tests(test.sections)
        for method in methods:
            progress(f"seed {seed}: {method}")
            found, cases = _score(train, test, replace(config, seed=seed), method=method)
            scores.append(found)
            hard = cases if method == FULL else hard
    return SectionEvaluation(sections.papers, tuple(scores), hard)


def _check(sections: SectionSequences, methods: Sequence[str]) -> None:
    """Before anything is computed."""
    for method in methods:
        if method not in METHODS:
            raise invalid_choice("method", method, METHODS)
    needed = {one for method in methods for one in _LIBRARIES.get(method.partition(",")[0], ())}
    require(*sorted(needed))
    if sections.papers < 4:
        raise ConfigError(f"{sections.papers} papers with sections; expected 4 or more to halve")
    check_types(sections)
    check_tests(sections)


def _encode(
    sections: SectionSequences,
    config: TrainSections,
    *,
    needed: bool,
    progress: Progress,
) -> SectionInputs:
    """Inputs with vectors, where a way is to be tried that uses them."""
    if not needed:
        return SectionInputs.of(
            sections, lambda texts: np.zeros((len(texts), 1), np.float32), body=False
        )
    encoder = PretrainedEncoder.load(EncoderConfig(config.encoder))
    return SectionInputs.of(sections, telling(encoder, progress), body=True)


def halves(inputs: SectionInputs, seed: int) -> tuple[SectionInputs, SectionInputs]:
    """Two halves that share no paper, drawn by `seed`."""
    papers = inputs.sections.papers
    order = np.random.default_rng(seed).permutation(papers)
    return (
        inputs.take_papers(sorted(order[: papers // 2].tolist())),
        inputs.take_papers(sorted(order[papers // 2 :].tolist())),
    )


def _score(
    train: SectionInputs, test: SectionInputs, config: TrainSections, *, method: str
) -> tuple[Scores, tuple[HardCase, ...]]:
    begun = process_time()
    types, sure = METHODS[method](train, config)(test)
    seconds = process_time() - begun
    top, sub = top_test(test.sections), sub_test(test.sections)
    found = Scores(
        method,
        config.seed,
        _confusion(test.sections, top, types),
        _confusion(test.sections, sub, types),
        round(seconds, 1),
    )
    return found, _hard_cases(test.sections, top | sub, (types, sure))


def _confusion(sections: SectionSequences, tested: Flags, types: Ints) -> Confusion:
    true = [TYPES[kind] for kind in sections.rule_types[tested].tolist()]
    return Confusion.of(TYPES, true, [TYPES[kind] for kind in types[tested].tolist()])


def _hard_cases(
    sections: SectionSequences,
    tested: Flags,
    found: tuple[Ints, Probabilities],
) -> tuple[HardCase, ...]:
    types, sure = found
    wrong = np.flatnonzero(tested & (types != sections.rule_types))
    worst = wrong[np.argsort(-sure[wrong], kind="stable")][:_HARD]
    papers, titles = sections.texts("paper"), sections.texts("title")
    openings = sections.texts("opening")
    return tuple(
        HardCase(
            papers[row],
            titles[row],
            openings[row],
            TYPES[sections.rule_types[row]],
            TYPES[types[row]],
            float(sure[row]),
        )
        for row in worst.tolist()
    )
