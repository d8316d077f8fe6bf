"""Ranks for several weights of words, and the choice of one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.recommend.retriever import CandidateIndex, retrieve
from citescape.recommend.word_weight import (
    FEWEST,
    LONGEST,
    TRIED_WEIGHTS,
    WordWeightChoice,
    choose_word_weight,
    rank_by_word_weight,
)
from tests.recommend.test_retriever import PAPERS, QUERIES, make_index, make_queries

DEFAULT = TRIED_WEIGHTS.index(CandidateIndex.word_weight)


@given(st.integers(0, 999), st.integers(1, 4), st.integers(1, 3), st.booleans())
@settings(max_examples=40, deadline=None)
def test_ranks_are_those_of_retrieval(seed: int, block: int, threads: int, some: bool) -> None:
    """With ties, dates, own papers, papers that are no candidates, and any blocks."""
    index, chance = make_index(seed), np.random.default_rng(seed)
    queries = make_queries(seed, index)
    among = chance.random(PAPERS) < 0.6 if some else None
    cited = [chance.choice(PAPERS, int(chance.integers(0, 4))) for _ in range(QUERIES)]
    word_weights = (0.0, 0.3, 1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("citescape.recommend.word_weight._QUERIES", block)
        ranks = rank_by_word_weight(
            index, queries, cited, word_weights=word_weights, among=among, threads=threads
        )
    for column, weight in enumerate(word_weights):
        lists = retrieve(
            replace(index, word_weight=weight), queries, "fused", k=PAPERS, among=among
        )
        for query, own in enumerate(cited):
            places = np.flatnonzero(np.isin(lists.papers[query], own))
            expected = places[0] + 1 if len(places) else np.inf
            assert ranks[query, column] == expected


def make_ranks(sentences: int, **by_weight: float) -> np.ndarray:
    """Equal ranks of all sentences, 10 except those of `_K` tenths."""
    ranks = np.full((sentences, len(TRIED_WEIGHTS)), 10.0)
    for name, rank in by_weight.items():
        ranks[:, int(name[1:])] = rank
    return ranks


def test_the_weight_with_the_highest_mrr_is_chosen() -> None:
    citing = np.arange(FEWEST) // 4
    found = choose_word_weight(make_ranks(FEWEST, _2=4, _6=2), citing)
    assert (found.word_weight, found.reason) == (0.6, "")
    assert (found.sentences, found.papers) == (FEWEST, 25)
    assert found.mrr[6] == 0.5
    assert found.mrr[DEFAULT] == 0.25
    assert "0.6, chosen on 100 sentences of 25 papers" in found.describe()
    assert "MRR 50.0, and 25.0 with 0.2" in found.describe()
    assert choose_word_weight(make_ranks(FEWEST, _6=LONGEST + 1), citing).word_weight == 0.2


def test_of_equal_weights_the_nearest_to_the_default_is_chosen() -> None:
    citing = np.arange(FEWEST)
    assert choose_word_weight(make_ranks(FEWEST, _0=2, _3=2, _9=2), citing).word_weight == 0.3
    assert choose_word_weight(make_ranks(FEWEST), citing).word_weight == 0.2


def test_a_lead_within_its_standard_error_is_not_enough() -> None:
    """Sentences of one paper are alike: their lead counts as that of one paper."""
    ranks, papers = make_ranks(FEWEST), 5
    ranks[:30, 5] = 1.0
    lead = 0.3 * (1 - 1 / 10)
    assert choose_word_weight(ranks, np.arange(FEWEST)).word_weight == 0.5
    citing = np.arange(FEWEST) // (FEWEST // papers)  # those of one and a half papers lead
    kept = choose_word_weight(ranks, citing)
    sums = FEWEST * lead * np.array([2 / 3, 1 / 3, 0, 0, 0]) - FEWEST * lead / papers
    error = np.sqrt(np.square(sums).sum() * papers / (papers - 1)) / FEWEST
    assert (kept.word_weight, error < lead) == (0.5, True)
    ranks[50:70, 5] = 20.0  # the second half falls behind: two papers disagree
    lead = (30 * (1 - 0.1) + 20 * (1 / 20 - 0.1)) / FEWEST
    error = np.sqrt(2 * np.square(27 - FEWEST * lead / 2) * 2) / FEWEST
    kept = choose_word_weight(ranks, np.arange(FEWEST) // 50)
    assert error > lead
    assert kept.word_weight == 0.2
    assert (
        f"0.5 leads by {100 * lead:.1f} in MRR on 100 held-out sentences of 2 papers, with a "
        f"standard error of {100 * error:.1f}"
    ) in kept.describe()
    assert kept.describe().startswith("weight of words: 0.2, the default: ")
    assert choose_word_weight(ranks, np.zeros(FEWEST)).word_weight == 0.2, "one paper has no error"


def test_too_few_sentences_keep_the_default() -> None:
    found = choose_word_weight(make_ranks(FEWEST - 1, _6=1), np.arange(FEWEST - 1))
    assert (found.word_weight, found.mrr) == (CandidateIndex.word_weight, ())
    assert found.describe() == (
        "weight of words: 0.2, the default: 99 sentences to choose on; expected 100 or more"
    )


def test_a_choice_can_be_recorded() -> None:
    for choice in (
        choose_word_weight(make_ranks(FEWEST, _6=2), np.arange(FEWEST)),
        choose_word_weight(make_ranks(3), np.arange(3)),
    ):
        assert WordWeightChoice.from_record(choice.to_record()) == choice
