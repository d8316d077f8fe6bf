from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from citescape.core.draws import hash_ids
from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.evaluation.mdcr.benchmark import TRUE
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.negatives import (
    RANDOM,
    CandidateSources,
    check_lists,
    check_names,
    choose_candidates,
    choose_models,
    find_most_cited,
    measure_jaccard,
    search_lists,
    walk_graph,
)
from citescape.papers.documents import make_corpus
from citescape.search.bm25 import Bm25
from citescape.search.ranker import NONE, SearchResult
from tests.evaluation.literatures import build

# 0 cites 1 to 4. 2 has links with 3, 4 (cited by 0), 5, 6 and 0; 1 with 2 (cited by 0), 7 and 0:
# O of 2 is 2/4 + its link with 1, so 3/4; of 1, 1/4; of 3 and 4, 1/4 each.
GRAPH = build({0: [1, 2, 3, 4], 1: [2, 7], 2: [3, 5], 4: [2], 6: [2], 8: [3], 9: [4]}, 12)
EVERYTHING = np.ones(12, np.bool_)


def make_sources(candidates: np.ndarray = EVERYTHING) -> CandidateSources:
    most = find_most_cited(GRAPH, candidates, 5)
    return CandidateSources(GRAPH, candidates, most, np.flatnonzero(candidates).astype(np.int32))


def test_graph_candidates_start_from_the_nearest_cited_paper() -> None:
    """Near 2: 5 and 6; near 1: 7; near 3: 8; near 4: 9. The query and cited papers never occur."""
    found = walk_graph(0, make_sources()).tolist()
    assert (sorted(found[:2]), sorted(found[2:])) == ([5, 6], [7, 8, 9])
    without = EVERYTHING.copy()
    without[[6, 8]] = False
    found = walk_graph(0, make_sources(without)).tolist()
    assert (found[0], sorted(found[1:])) == (5, [7, 9])


def test_cited_papers_with_equal_overlap_come_in_random_order() -> None:
    """1, 3 and 4 have equal overlap with the query, so each comes first equally often."""
    third = [walk_graph(0, make_sources(), seed=seed)[2] for seed in range(600)]
    counts = np.unique(third, return_counts=True)[1]
    # binomial: 200 of 600 each, with standard deviation (600 * 1/3 * 2/3) ** .5 = 11.5
    assert len(counts) == 3
    assert all(abs(count - 200) < 4 * 11.5 for count in counts)


def test_near_papers_of_one_cited_paper_come_in_random_order() -> None:
    """Ids may depend on the venue, so candidates must not be chosen in the order of ids."""
    world = build({0: [1], **{paper: [1] for paper in range(2, 42)}}, 42)
    everything = np.ones(42, np.bool_)
    whole = CandidateSources(
        world, everything, np.array([1], np.int32), np.arange(42, dtype=np.int32)
    )
    walks = [walk_graph(0, whole, seed=seed).tolist() for seed in range(200)]
    assert all(sorted(walk) == list(range(2, 42)) for walk in walks)
    assert walks[0] == walk_graph(0, whole, seed=0).tolist()
    first = np.mean([walk[:10] for walk in walks])
    assert abs(first - 21.5) < 2


def test_overlap_coefficient_by_hand() -> None:
    """OC = {1, 2, 3, 4}, links of 2 = {1, 3, 4, 5, 6, 0}: O = 3/4, and 0 does not count."""
    links = np.union1d(GRAPH.cites[2], GRAPH.cited_by[2])
    assert links.tolist() == [0, 1, 3, 4, 5, 6]
    assert np.isin(links, GRAPH.cites[0]).sum() / 4 == 0.75


def test_most_cited_candidates() -> None:
    """2 is cited 4 times, 3 three times, 4 twice; 1, 5 and 7 once; no other paper is cited."""
    assert find_most_cited(GRAPH, EVERYTHING, 3).tolist() == [2, 3, 4]
    last = [find_most_cited(GRAPH, EVERYTHING, 4, seed=seed)[3] for seed in range(600)]
    counts = np.unique(last, return_counts=True)[1]
    assert set(last) == {1, 5, 7}  # ties do not depend on the id
    assert all(abs(count - 200) < 4 * 11.5 for count in counts)


def test_equal_scores_are_cut_by_a_hash() -> None:
    """40 papers score higher than 260 others, which all have the same score."""
    counts = csr_array([[2.0]] * 10 + [[1.0]] * 260 + [[2.0]] * 40)  # queries, worse, better
    ranker, keys = Bm25(counts), hash_ids(pa.array([f"p{k:03}" for k in range(310)]))
    queries = np.arange(10)
    found = search_lists(ranker.among(np.arange(10, 310)), queries, 100, keys=keys)
    plain = ranker.among(np.arange(10, 310)).search(queries, 100)
    assert (found.scores == plain.scores).all()
    assert all(set(row[:40]) == set(range(270, 310)) for row in found.papers.tolist())
    tied = found.papers[:, 40:]
    assert ((tied >= 10) & (tied < 270)).all()
    assert all(len(set(row)) == 60 for row in tied.tolist())
    # a uniform draw of 60 of 260 for each query: mean 139.5, standard deviation of the mean 3
    assert abs(tied.mean() - 139.5) < 4 * 3
    assert len({tuple(row) for row in tied.tolist()}) == 10
    again = search_lists(ranker.among(np.arange(10, 310)), queries, 100, keys=keys)
    assert (again.papers == found.papers).all()
    other = search_lists(ranker.among(np.arange(10, 310)), queries, 100, keys=keys, seed=1)
    assert (other.papers != found.papers).any()


def test_lists_of_small_pools_are_padded() -> None:
    ranker, keys = Bm25(csr_array([[1.0]] * 5)), hash_ids(pa.array(list("abcde")))
    found = search_lists(ranker.among(np.arange(5)), np.array([0]), 7, keys=keys)
    assert sorted(found.papers[0, :4].tolist()) == [1, 2, 3, 4]
    assert found.papers[0, 4:].tolist() == [NONE] * 3


def test_each_candidate_has_one_kind() -> None:
    lists = {"bm25": np.array([1, 5, 6, 10, -1], np.int32)}
    config = MdcrConfig(positives=3, negatives=2, depth=5)
    found = choose_candidates(0, lists, make_sources(), config=config)
    assert list(found) == [TRUE, "bm25", "graph", "most_cited", "random"]
    assert len(found[TRUE]) == 3
    assert set(found[TRUE]) <= {1, 2, 3, 4}
    others = np.concatenate([papers for kind, papers in found.items() if kind != TRUE])
    assert len(set(others)) == len(others)
    assert not set(others) & {0, 1, 2, 3, 4}
    assert set(found["bm25"]) <= {5, 6, 10}
    assert len(found["bm25"]) == 2
    again = choose_candidates(0, lists, make_sources(), config=config)
    assert all(again[kind].tolist() == papers.tolist() for kind, papers in found.items())
    drawn = {
        tuple(
            choose_candidates(
                0, lists, make_sources(), config=MdcrConfig(negatives=2, depth=5, seed=seed)
            )["random"].tolist()
        )
        for seed in range(20)
    }
    assert len(drawn) > 3


def test_adding_a_paper_changes_at_most_one_candidate() -> None:
    """The new paper is the first, so that all rows move."""
    world = build({0: [1]}, 300)
    ids = pa.array(["o", *world.ids.to_pylist()])
    grown = replace(build({1: [2]}, 301), corpus=make_corpus(ids, [Document("A title")] * len(ids)))
    for seed in range(10):
        config = MdcrConfig(seed=seed)
        found = []
        for literature, query in ((world, 0), (grown, 1)):
            candidates = np.ones(len(literature), np.bool_)
            surroundings = CandidateSources(
                literature,
                candidates,
                np.empty(0, np.int32),
                np.flatnonzero(candidates).astype(np.int32),
            )
            papers = choose_candidates(query, {}, surroundings, config=config)[RANDOM]
            found.append(set(literature.ids.take(pa.array(papers)).to_pylist()))
        assert len(found[0]) == 10
        assert len(found[0] & found[1]) >= 9


def lists(*papers: list[int]) -> dict[str, SearchResult]:
    """Lists of models for the single query 0."""
    return {
        f"m{k}": SearchResult(
            np.array([0]), np.array([own], np.int32), np.zeros((1, len(own)), np.float32)
        )
        for k, own in enumerate(papers)
    }


def test_models_with_the_smallest_overlap_are_chosen() -> None:
    """Cited papers (1 to 4) do not count. m0 and m1 share all papers, m2 and m3 share none."""
    found = lists([1, 5, 6], [2, 5, 6], [7, 8, -1], [9, 10, 1])
    shared = dict(measure_jaccard(found, GRAPH))
    assert shared["m0", "m1"] == 1
    assert shared["m0", "m2"] == shared["m2", "m3"] == 0
    assert choose_models(found, GRAPH) == ["m0", "m2", "m3"]
    assert choose_models(lists([5], [5]), GRAPH) == ["m0", "m1"]


def test_jaccard_index_by_hand() -> None:
    found = lists([5, 6, 7], [6, 7, 8, 9])
    assert dict(measure_jaccard(found, GRAPH)) == {("m0", "m1"): pytest.approx(2 / 5)}


def test_a_model_named_like_a_kind_is_refused() -> None:
    check_names(["bm25", "minilm"])
    for taken in ("random", "all"):
        with pytest.raises(ConfigError, match=f"cannot be called '{taken}'"):
            check_names(["bm25", taken])


def test_queries_with_an_empty_list_have_no_jaccard() -> None:
    """For m0 and m1 the second query counts; m2 has no such query and is not chosen."""
    papers = ([[5, 6], [5, 6]], [[1, -1], [6, 7]], [[-1, -1], [-1, -1]], [[7, 8], [8, 9]])
    found = {
        f"m{k}": SearchResult(
            np.array([0, 1]), np.array(own, np.int32), np.zeros((2, 2), np.float32)
        )
        for k, own in enumerate(papers)
    }
    shared = dict(measure_jaccard(found, GRAPH))
    assert shared == {
        ("m0", "m1"): 0.5,
        ("m0", "m3"): 0.0,
        ("m1", "m3"): 0.0,
    }
    assert choose_models(found, GRAPH) == ["m0", "m1", "m3"]
    with pytest.raises(ConfigError, match="m2 finds nothing for 2 of 2 queries"):
        check_lists(found)
    check_lists({name: own for name, own in found.items() if name != "m2"})
