"""Evaluation of models of section types, on halves of a corpus that share no paper."""

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
from citescape.text.confusion import Confusion, cut_text, spread_of
from citescape.text.sections import baselines
from citescape.text.sections.gold import (
    all_revealing_titles,
    check_tests,
    check_types,
    revealing_titles,
    sub_test,
    top_test,
)
from citescape.text.sections.inputs import SectionInputs, with_progress
from citescape.text.sections.sequences import TYPES, Flags, Ints, Probabilities, SectionSequences
from citescape.text.sections.steps import METHODS, TrainSections

_MAX_ERRORS = 20
_SHOWN_CASES = 8
_WIDTH = 60
"""Characters of titles and texts in the table of errors."""
Predictor = Callable[[SectionInputs], tuple[Ints, Probabilities]]


@dataclass(frozen=True)
class MisclassifiedSection:
    """A section with a wrong label."""

    paper: str
    title: str
    opening: str
    true: str
    predicted: str
    probability: float


@dataclass(frozen=True)
class Scores:
    """One method on one split of the corpus."""

    method: str
    seed: int
    top: Confusion
    sub: Confusion
    cpu_seconds: float
    """Time of training and prediction, without encoding texts."""

    def figures(self) -> dict[str, float]:
        """Macro-F1 and accuracy of TOP and SUB, CPU seconds."""
        return {
            "top_macro_f1": self.top.macro_f1,
            "top_accuracy": self.top.accuracy,
            "sub_macro_f1": self.sub.macro_f1,
            "sub_accuracy": self.sub.accuracy,
            "cpu_seconds": self.cpu_seconds,
        }


@dataclass(frozen=True)
class SectionEvaluation(Result):
    """All methods on all splits."""

    papers: int
    scores: tuple[Scores, ...]
    errors: tuple[MisclassifiedSection, ...]
    """Errors of `FULL` on the last split, the most probable labels first."""

    def scores_of(self, method: str) -> tuple[Scores, ...]:
        """The splits of one method."""
        return tuple(scores for scores in self.scores if scores.method == method)

    @property
    def arrow(self) -> pa.Table:
        """A row per method and split: macro-F1 and accuracy of TOP and SUB, CPU seconds."""
        return pa.Table.from_pylist(
            [{"method": s.method, "seed": s.seed, **s.figures()} for s in self.scores]
        )

    def tables(self) -> dict[str, pa.Table]:
        """Scores and errors."""
        errors = pa.Table.from_pylist([asdict(case) for case in self.errors])
        return {"scores": self.arrow, "errors": errors}

    def summarise(self) -> Summary:
        """Means over the splits, the confusion of the last split, errors of highest probability."""
        methods = list(dict.fromkeys(scores.method for scores in self.scores))
        splits = len(self.scores_of(methods[0]))
        spread = "; mean ± standard deviation" if splits > 1 else ""
        header = ("method", "TOP F1", "TOP accuracy", "SUB F1", "SUB accuracy", "CPU s")
        rows = []
        for method in methods:
            figures = (scores.figures().values() for scores in self.scores_of(method))
            *shares, seconds = zip(*figures, strict=True)
            rows.append((method, *map(spread_of, shares), f"{mean(seconds):,.1f}"))
        parts: list[Part] = [
            f"{plural(self.papers, 'paper')}, {plural(splits, 'split')} into halves{spread}",
            "",
            Table(header, rows),
        ]
        last = self.scores_of(FULL if FULL in methods else methods[-1])[-1]
        for name, confusion in (("TOP", last.top), ("SUB", last.sub)):
            title = f"{name}, {last.method}, split {last.seed}: rows are true, columns predicted"
            parts += ["", confusion.to_table(title)]
        if self.errors:
            cases = []
            for case in self.errors[:_SHOWN_CASES]:
                texts = (cut_text(text, _WIDTH) for text in (case.title, case.opening))
                cases.append((case.true, case.predicted, case.probability, *texts))
            columns = ("true", "predicted", "p", "title", "first words")
            parts += ["", Table(columns, cases, "errors of highest probability")]
        scores = [{**vars(s), "top": s.top.as_dict(), "sub": s.sub.as_dict()} for s in self.scores]
        errors = [asdict(case) for case in self.errors]
        return Summary(parts, {"papers": self.papers, "scores": scores, "errors": errors})


def fit_method(method: str, train: SectionInputs, config: TrainSections) -> Predictor:
    """Trains a method.

    Args:
        method: one of `METHODS`.
        train: sections to train on.
        config: settings of the network; the linear CRF uses `seed` and `threads`.

    Returns:
        A function of sections to types (n,) and their probabilities (n,), 1 for baselines.
    """
    name, _, options = method.partition(", ")
    body = "body" in options
    if name == "BiLSTM-CRF":
        from citescape.text.sections.network import fit, predict

        network = fit(train, replace(config, body=body))
        hide = all_revealing_titles if "strict" in options else revealing_titles
        return lambda test: predict(network, test, hidden=hide(test.sections))
    if name == "rules":
        baseline = baselines.rules(train.sections)
    elif name == "words":
        baseline = baselines.logistic_regression(train.sections, body=body)
    else:
        from citescape.text.sections.linear_crf import linear_crf

        baseline = linear_crf(train.sections, body=body, seed=config.seed, threads=config.threads)
    return lambda test: (baseline(test.sections), np.ones(len(test.sections)))


FULL = "BiLSTM-CRF, body"
"""The method that `platform text sections train` uses by default."""
_LIBRARIES = {
    "words": ("sklearn",),
    "linear CRF": ("torch",),
    "BiLSTM-CRF": ("torch", "transformers"),
}
"""Libraries that each model needs."""


def evaluate(
    sections: SectionSequences,
    config: TrainSections | None = None,
    *,
    methods: Sequence[str] = METHODS,
    seeds: Sequence[int] = (0, 1, 2),
    progress: Progress = silent,
) -> SectionEvaluation:
    """Trains on one half of the papers and tests on the other, once for each seed.

    Titles that name the type are hidden from every method (`gold`): TOP hides all top-level titles,
    SUB tests subsections whose parent's title is hidden.

    Args:
        sections: n sections.
        config: settings of the training.
        methods: methods of `METHODS`.
        seeds: each gives a division into halves.
        progress: reports seed and method.

    Raises:
        ConfigError: an unknown method or a missing library, fewer than four papers, or too few
            sections to train or to test on in a half.
    """
    config = config or TrainSections()
    for method in methods:
        if method not in METHODS:
            raise invalid_choice("method", method, METHODS)
    names = {method.partition(",")[0] for method in methods}
    require(*sorted({library for name in names for library in _LIBRARIES.get(name, ())}))
    if sections.papers < 4:
        raise ConfigError(f"{sections.papers} papers with sections; expected 4 or more to halve")
    check_types(sections)
    check_tests(sections)
    if "BiLSTM-CRF" in names:
        encode = with_progress(PretrainedEncoder.load(EncoderConfig(config.encoder)), progress)
        inputs = SectionInputs.from_sections(sections, encode, body=True)
    else:
        zeros = np.zeros((len(sections), 1), np.float32)
        inputs = SectionInputs.from_sections(
            sections, lambda texts: zeros[: len(texts)], body=False
        )
    scores: list[Scores] = []
    errors: tuple[MisclassifiedSection, ...] = ()
    for seed in seeds:
        train, test = halves(inputs, seed)
        check_types(train.sections)
        check_tests(test.sections)
        tests = top_test(test.sections), sub_test(test.sections)
        for method in methods:
            progress(f"seed {seed}: {method}")
            started = process_time()
            types, probabilities = fit_method(method, train, replace(config, seed=seed))(test)
            seconds = round(process_time() - started, 1)
            true = test.sections.rule_types
            top, sub = (
                Confusion.from_labels(
                    TYPES, [TYPES[k] for k in true[tested]], [TYPES[k] for k in types[tested]]
                )
                for tested in tests
            )
            scores.append(Scores(method, seed, top, sub, seconds))
            if method == FULL:
                errors = _find_errors(test.sections, tests[0] | tests[1], types, probabilities)
    return SectionEvaluation(sections.papers, tuple(scores), errors)


def halves(inputs: SectionInputs, seed: int) -> tuple[SectionInputs, SectionInputs]:
    """Two halves that share no paper, drawn by `seed`."""
    papers = inputs.sections.papers
    order = np.random.default_rng(seed).permutation(papers)
    return (
        inputs.select_papers(sorted(order[: papers // 2].tolist())),
        inputs.select_papers(sorted(order[papers // 2 :].tolist())),
    )


def _find_errors(
    sections: SectionSequences, tested: Flags, types: Ints, probabilities: Probabilities
) -> tuple[MisclassifiedSection, ...]:
    wrong = np.flatnonzero(tested & (types != sections.rule_types))
    worst = wrong[np.argsort(-probabilities[wrong], kind="stable")][:_MAX_ERRORS]
    papers, titles = sections.texts("paper"), sections.texts("title")
    openings, true = sections.texts("opening"), sections.rule_types
    return tuple(
        MisclassifiedSection(
            papers[k],
            titles[k],
            openings[k],
            TYPES[true[k]],
            TYPES[types[k]],
            float(probabilities[k]),
        )
        for k in worst.tolist()
    )
