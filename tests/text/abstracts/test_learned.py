"""Learned splitters: accuracy, saving and loading, and independence of batches."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.core.types import FACETS
from citescape.runs.directory import RunRecord, run_id
from citescape.text.abstracts.features import BINS, Words, bins, describe_position
from citescape.text.abstracts.gold import GoldAbstract
from citescape.text.abstracts.linear import LinearSplitter, PositionSplitter
from citescape.text.abstracts.sequence import SentenceCrf, SequenceConfig
from citescape.text.abstracts.train import SplitterRun
from citescape.text.model_run import write_tensors
from tests.text.abstracts.planted import gold

LEARNED = {"position": PositionSplitter, "linear": LinearSplitter, "sequence": SentenceCrf}
TRAIN, TEST = gold(60, seed=1), gold(40, seed=2)


def record(name: str = "x") -> RunRecord:
    return RunRecord(run_id("split", {"kind": name}, {}), "split train", {"kind": name}, {})


@pytest.fixture(params=LEARNED, scope="module")
def splitter(request: pytest.FixtureRequest) -> Any:
    return LEARNED[request.param].fit(TRAIN, record(request.param))


def labels(splitter: Any, abstracts: list[GoldAbstract]) -> list[tuple[str, ...]]:
    return [
        abstract.facets for abstract in splitter([abstract.sentences for abstract in abstracts])
    ]


def share_right(splitter: Any) -> float:
    pairs = zip(labels(splitter, TEST), TEST, strict=True)
    hits = [
        a == b
        for predicted, abstract in pairs
        for a, b in zip(predicted, abstract.facets, strict=True)
    ]
    return sum(hits) / len(hits)


def test_planted_facets_are_learned(splitter: Any) -> None:
    right = share_right(splitter)
    if isinstance(splitter, PositionSplitter):
        assert 0.6 < right < 0.95  # numbers of sentences differ, so position alone is not enough
    else:
        assert right > 0.95


def test_a_loaded_splitter_equals_the_saved_one(splitter: Any, tmp_path: Path) -> None:
    write_tensors(tmp_path, splitter.tensors())
    saved = SplitterRun(tmp_path, splitter.record)
    loaded = type(splitter).from_tensors(saved.tensors, saved.record)
    assert labels(loaded, TEST) == labels(splitter, TEST)
    assert loaded.record.id == splitter.record.id


def test_labels_do_not_depend_on_the_other_abstracts(splitter: Any) -> None:
    together = labels(splitter, TEST)
    assert [labels(splitter, [abstract])[0] for abstract in TEST[:8]] == together[:8]
    assert labels(splitter, TEST[::-1]) == together[::-1]


def test_any_abstract_can_be_labelled(splitter: Any) -> None:
    unusual = [(), ("",), ("Rice.",), ("unseen zzz 稲",), ("word. ",) * 3000]
    results = splitter(unusual)
    assert [len(labels_.facets) for labels_ in results] == [len(labels_) for labels_ in unusual]
    assert {facet for labels_ in results for facet in labels_.facets} <= set(FACETS)
    assert {labels_.run for labels_ in results} == {splitter.record.id}


def test_training_is_repeatable_and_has_a_seed() -> None:
    first, same, other = (
        SentenceCrf.fit(TRAIN, record(), config=SequenceConfig(steps=20, seed=seed)).tensors()
        for seed in (0, 0, 1)
    )
    assert all(np.array_equal(first[name], same[name]) for name in first)
    assert not np.array_equal(first["network.words"], other["network.words"])


def test_position_counts_the_facets_of_each_tenth() -> None:
    counts: list[Counter[str]] = [Counter() for _ in range(BINS)]
    for abstract in TRAIN:
        n = len(abstract.facets)
        for k, facet in enumerate(abstract.facets):
            counts[int(BINS * (k + 0.5) / n)][facet] += 1
    result = [FACETS[k] for k in PositionSplitter.fit(TRAIN, record()).facets]
    assert all(c[f] == max(c.values()) for c, f in zip(counts, result, strict=True) if c)


def test_vectors_of_sentences_are_learned_from() -> None:
    """An encoder that knows the facet of each sentence, while words are uninformative."""
    known = {
        s: f
        for abstract in (*TRAIN, *TEST)
        for s, f in zip(abstract.sentences, abstract.facets, strict=True)
    }

    def encode(texts: Any) -> Any:
        return np.eye(3, dtype=np.float32)[[FACETS.index(known[text]) for text in texts]]

    mute = [
        GoldAbstract(
            abstract.id, tuple(s.replace(" ", "_") for s in abstract.sentences), abstract.facets
        )
        for abstract in TRAIN
    ]
    known |= {s.replace(" ", "_"): f for s, f in known.items()}
    splitter = SentenceCrf.fit(mute, record(), encode=encode)
    assert share_right(splitter) > 0.97
    assert splitter([]) == []  # as for a batch in which all abstracts have headings
    assert splitter([(), TEST[0].sentences])[0].facets == ()
    again = SentenceCrf.from_tensors(splitter.tensors(), record(), encode=encode)
    assert labels(again, TEST) == labels(splitter, TEST)


def test_rare_words_have_larger_weights() -> None:
    words = Words.fit(["rice grew", "rice rose"])
    assert words.vocabulary == ["grew", "rice", "rice grew", "rice rose", "rose"]
    row = words(["rice grew rice"]).toarray()[0]
    rare = np.log(3 / 2) + 1
    expected = np.array([rare, np.log(2) + 1, rare, 0, 0])  # sublinear: 1 + log tf
    assert row == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)
    assert words([]).shape == (0, 5)


def test_the_most_frequent_words_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.text.abstracts.features._MAX_WORDS", 2)
    assert Words.fit(["rice grew", "rice rose", "rose"]).vocabulary == ["rice", "rose"]


def test_training_needs_words() -> None:
    with pytest.raises(ConfigError, match="hold no word"):
        Words.fit(["...", "--"])


def test_positions_in_tenths() -> None:
    assert bins(10).tolist() == list(range(10))
    assert bins(1).tolist() == [5]
    assert describe_position(0).shape == (0, 17)
    assert describe_position(3)[:, :4].tolist() == [[0, 1, 1, 0], [0.5, 0.5, 0, 0], [1, 0, 0, 1]]
