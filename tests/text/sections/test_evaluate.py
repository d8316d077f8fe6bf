"""Comparison of methods, on halves that share no paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sklearn.metrics import f1_score

from citescape.core.errors import ConfigError
from citescape.importance.titles import HashedWords
from citescape.store.graph_store import open_store
from citescape.text.sections.baselines import logistic_regression, rules
from citescape.text.sections.evaluate import evaluate, halves
from citescape.text.sections.gold import revealing_titles, sub_test, top_test
from citescape.text.sections.inputs import SectionInputs
from citescape.text.sections.linear_crf import linear_crf
from citescape.text.sections.model import read_corpus
from citescape.text.sections.sequences import SectionSequences
from citescape.text.sections.steps import TrainSections

CONFIG = TrainSections(epochs=6, fewest_steps=1, threads=1)


@pytest.fixture(scope="module")
def sections(corpus: Path) -> SectionSequences:
    store = open_store(str(corpus), read_only=True)
    result = read_corpus(store)
    store.close()
    return result


def test_halves_share_no_paper(sections: SectionSequences) -> None:
    inputs = SectionInputs.from_sections(sections, HashedWords(8), body=False)
    first, second = halves(inputs, 0)
    papers = [set(part.sections.texts("paper")) for part in (first, second)]
    assert not papers[0] & papers[1]
    assert papers[0] | papers[1] == set(sections.texts("paper"))
    assert set(halves(inputs, 1)[0].sections.texts("paper")) != papers[0]


def test_scores_of_methods(sections: SectionSequences, tiny: Path) -> None:
    config = replace(CONFIG, encoder=str(tiny))
    result = evaluate(sections, config, seeds=(0, 1), methods=("rules", "BiLSTM-CRF, body"))
    assert [(s.method, s.seed) for s in result.scores] == [
        ("rules", 0), ("BiLSTM-CRF, body", 0), ("rules", 1), ("BiLSTM-CRF, body", 1)
    ]  # fmt: skip
    for baseline, full in zip(
        result.scores_of("rules"), result.scores_of("BiLSTM-CRF, body"), strict=True
    ):
        assert baseline.top.total == full.top.total > 0
        assert baseline.sub.total == full.sub.total > 0
        assert full.top.macro_f1 > baseline.top.macro_f1
    for case in result.errors:
        assert case.true != case.predicted
        assert 0 <= case.probability <= 1


@pytest.mark.parametrize("body", [False, True])
@pytest.mark.parametrize("way", ["words", "crf"])
def test_baselines_learn_something(sections: SectionSequences, way: str, body: bool) -> None:
    train, test = (sections.select_papers(range(k, sections.papers, 2)) for k in (0, 1))
    fit = logistic_regression if way == "words" else linear_crf
    predict = fit(train, body=body, **({} if way == "words" else {"seed": 0}))
    tested = top_test(test) if way == "crf" else sub_test(test)
    frequent = rules(train)(test)[tested]
    result = predict(test)[tested]
    true = test.rule_types[tested]
    assert f1_score(true, result, average="macro") > f1_score(true, frequent, average="macro")


def test_rules_are_uninformative_if_titles_are_hidden(sections: SectionSequences) -> None:
    types = rules(sections)(sections)
    assert len(set(types[revealing_titles(sections)].tolist())) == 1


def test_invalid_comparisons_are_refused(build: Callable[..., SectionSequences]) -> None:
    few = build((("Results", 1),), (("Methods", 1),))
    with pytest.raises(ConfigError, match="2 papers with sections; expected 4 or more"):
        evaluate(few)
    with pytest.raises(ConfigError, match="method is 'bert'; expected one of: BiLSTM-CRF"):
        evaluate(few, methods=("bert",))
