"""The weight of words of a store: held-out papers, and the record of the choice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from citescape.embeddings.steps import EmbedConfig
from citescape.recommend import held_out
from citescape.recommend.contexts import Contexts
from citescape.recommend.held_out import choose_on_profiles, keep_word_weight
from citescape.recommend.lcr.prepare import ProfileInputs
from citescape.recommend.library import Library
from citescape.recommend.profiles import WORD_WEIGHT, ProfileRun
from citescape.recommend.profiling import ProfileConfig, make_profiles
from citescape.recommend.recommender import Recommender
from citescape.recommend.word_weight import TRIED_WEIGHTS, rank_by_word_weight
from citescape.runs.kept import find_kept
from tests.recommend.libraries import draw_library, make_library

PAPERS, CONTEXTS = 60, 2400
LIBRARY = make_library(*draw_library(PAPERS, CONTEXTS))


def profile(tiny: Path, runs: Path, library: Library = LIBRARY) -> ProfileRun:
    encoder = EmbedConfig(str(tiny), max_tokens=32)
    return make_profiles(library, ProfileConfig(encoder=encoder), runs=runs)


@pytest.fixture(scope="module")
def run(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> ProfileRun:
    return profile(tiny, tmp_path_factory.mktemp("profiles"))


def test_profiles_have_not_seen_the_papers_of_the_queries(
    run: ProfileRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}

    def build(self: ProfileInputs, citing: pa.StringArray, weights: Any = None) -> Any:
        seen["held"] = set(citing.to_pylist())
        return whole(self, citing, weights)

    def rank(index: Any, queries: Any, cited: Any, **settings: Any) -> Any:
        seen.update(index=index, queries=queries, cited=cited, among=settings["among"])
        return rank_by_word_weight(index, queries, cited, **settings)

    whole = ProfileInputs.build_index_without
    monkeypatch.setattr(ProfileInputs, "build_index_without", build)
    monkeypatch.setattr(held_out, "rank_by_word_weight", rank)
    choice = choose_on_profiles(run)
    assert len(seen["held"]) == PAPERS // 10
    ids, queries = run.ids.to_pylist(), seen["queries"]
    assert {ids[row] for row in queries.citing} == seen["held"]
    pairs = run.contexts.pairs.to_pylist()
    warm = {row["cited"] for row in pairs if row["citing"] not in seen["held"]}
    assert {ids[row] for row in np.flatnonzero(seen["among"])} == warm
    for query, own in zip(queries.ids.to_pylist(), seen["cited"], strict=True):
        expected = {row["cited"] for row in pairs if row["context"] == query} & warm
        assert {ids[row] for row in own} == expected
    assert choice.papers == len(seen["held"])
    assert len(choice.mrr) == len(TRIED_WEIGHTS)
    vectors = {row["context"]: row["row"] for row in pairs}
    context = run.context_vectors[[vectors[query] for query in queries.ids.to_pylist()]]
    expected_vectors = 0.7 * context + 0.3 * run.base[queries.citing]
    assert queries.vectors == pytest.approx(expected_vectors, abs=1e-6)


def test_the_choice_does_not_depend_on_the_order_of_contexts(
    run: ProfileRun, tiny: Path, tmp_path: Path
) -> None:
    pairs = LIBRARY.contexts.pairs
    turned = Contexts(pairs.take(pa.array(np.arange(pairs.num_rows)[::-1])))
    other = profile(tiny, tmp_path, replace(LIBRARY, contexts=turned))
    assert choose_on_profiles(other) == choose_on_profiles(run)


def test_a_choice_is_kept_with_the_profiles(
    run: ProfileRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run.word_weight_choice is None
    assert Recommender(run, None).find_word_weight(None) == 0.2
    kept = keep_word_weight(run)
    assert kept.word_weight_choice
    assert kept.word_weight_choice.run == run.run
    assert (
        find_kept(ProfileRun, run.path.parent, run.run).word_weight_choice
        == kept.word_weight_choice
    )
    assert kept.summarise().figures["word_weight"]["sentences"] == kept.word_weight_choice.sentences
    monkeypatch.setattr(held_out, "choose_on_profiles", None)
    assert keep_word_weight(kept) is kept
    chosen = replace(kept.word_weight_choice, word_weight=0.7).to_record()
    record = replace(kept.record, request={**kept.record.request, WORD_WEIGHT: chosen})
    recommender = Recommender(replace(kept, record=record), None)
    assert recommender.find_word_weight(None) == 0.7
    assert recommender.find_word_weight(0.1) == 0.1


def test_few_sentences_keep_the_default(tiny: Path, tmp_path: Path) -> None:
    small = make_library(*draw_library())
    run = keep_word_weight(profile(tiny, tmp_path, small))
    assert run.word_weight_choice
    assert run.word_weight_choice.word_weight == 0.2
    held = pc.count_distinct(small.contexts.pairs["context"]).as_py()
    assert run.word_weight_choice.sentences < held < 100
    assert "expected 100 or more" in run.word_weight_choice.describe()
