"""Algorithm 1, compared with a plain implementation, and counts, compared with sets."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.draws import draw, hash_ids
from citescape.core.errors import ConfigError
from citescape.sampling.config import SHORT, ImportanceConfig, SamplingConfig
from citescape.sampling.controls import shuffle_importance
from citescape.sampling.importance import sample_importance
from citescape.sampling.pool import SampledTriplets
from tests.sampling.conftest import (
    Graph,
    References,
    Row,
    arrays,
    graphs,
    name,
    random_graph,
    rows,
    star,
    with_text,
)

KEEP = "keep"


@dataclass(frozen=True)
class Plain:
    """A triplet of the plain algorithm; `negative` is None if it is random."""

    positive: str
    negative: str | None
    positive_rank: int
    negative_rank: int | None


def algorithm_1(
    anchor: str, references: References, config: ImportanceConfig, seed: int = 0
) -> list[Plain]:
    """CIA, Algorithm 1, lines 4-18, for one anchor: a sorted list, popped at both ends.

    Ties of importance are broken by the hash of (seed, anchor, reference).
    """

    def tie(paper: str) -> int:
        anchor_key, key = hash_ids(pa.array([anchor, paper]))
        return int(draw(seed, anchor_key, key))

    ranked = sorted(references, key=lambda paper: (-references[paper], tie(paper)))
    rank = {paper: k for k, paper in enumerate(ranked, start=1)}
    short = len(ranked) < config.positives + min(config.hard, config.positives)
    if short and config.short_anchors == "skip":
        return []
    picked: list[Plain] = []
    while len(picked) < config.positives and ranked:
        positive, negative = ranked.pop(0), None
        if len(picked) < config.hard and ranked:
            negative = ranked.pop()
        picked.append(
            Plain(positive, negative, rank[positive], rank[negative] if negative else None)
        )
    return picked


def usable_references(graph: Graph, textless: set[str]) -> Graph:
    """References with text of each anchor with text."""
    return {
        anchor: {paper: value for paper, value in cited.items() if paper not in textless}
        for anchor, cited in graph.items()
        if anchor not in textless
    }


def papers_of(graph: Graph) -> set[str]:
    return set(graph) | {paper for cited in graph.values() for paper in cited}


def by_anchor(sampled: SampledTriplets) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows(sampled.triplets):
        found.setdefault(row.anchor, []).append(row)
    return found


def sample(
    graph: Graph, config: ImportanceConfig, textless: set[str] | None = None, **sampling: Any
) -> SampledTriplets:
    citations = arrays(graph)
    usable = with_text(citations, without=textless or ())
    return sample_importance(citations, usable, config, sampling=SamplingConfig(**sampling))


configs = st.integers(1, 6).flatmap(
    lambda positives: st.builds(
        ImportanceConfig,
        positives=st.just(positives),
        hard=st.integers(0, positives),
        short_anchors=st.sampled_from(SHORT),
        contradictions=st.just(KEEP),
    )
)


@settings(max_examples=120, deadline=None)
@given(graphs, configs, st.data())
def test_triplets_equal_those_of_a_plain_implementation(
    graph: Graph, config: ImportanceConfig, data: st.DataObject
) -> None:
    """Positives, hard negatives and ranks are equal; random negatives are valid."""
    textless = data.draw(st.sets(st.sampled_from(sorted(papers_of(graph))), max_size=5))
    seed = data.draw(st.integers(0, 99))
    sampled = sample(graph, config, textless, seed=seed)
    found, lost = by_anchor(sampled), 0
    for anchor, references in usable_references(graph, textless).items():
        expected = algorithm_1(anchor, references, config, seed)
        pool = papers_of(graph) - textless - {anchor} - set(graph[anchor])
        drawn = [row for row in expected if row.negative is None]
        lost += max(0, len(drawn) - len(pool))
        kept = [row for row in expected if row.negative] + drawn[: len(pool)]
        mine = found.pop(anchor, [])
        assert [(row.positive, row.positive_rank, row.negative_rank) for row in mine] == [
            (row.positive, row.positive_rank, row.negative_rank) for row in kept
        ]
        hard = [row.negative for row in mine if row.negative_rank]
        assert hard == [row.negative for row in kept if row.negative]
        easy = [row.negative for row in mine if not row.negative_rank]
        assert set(easy) <= pool
        assert len(set(easy)) == len(easy)
        for row in mine:
            assert row.positive_score == np.float32(graph[anchor][row.positive])
            score = graph[anchor][row.negative] if row.negative_rank else None
            assert row.negative_score == (None if score is None else np.float32(score))
    assert not found
    assert sampled.counts["no_random_paper"] == lost


@settings(max_examples=60, deadline=None)
@given(graphs, configs, st.data())
def test_counts_equal_those_of_sets(
    graph: Graph, config: ImportanceConfig, data: st.DataObject
) -> None:
    textless = data.draw(st.sets(st.sampled_from(sorted(papers_of(graph))), max_size=5))
    counts = sample(graph, config, textless).counts
    usable = usable_references(graph, textless)
    needed = 1 if config.short_anchors == "shrink" else config.needed
    assert counts["anchors"] == len(graph)
    assert counts["anchors_without_text"] == len(textless & set(graph))
    assert counts["anchors_skipped_short"] == sum(len(refs) < needed for refs in usable.values())
    assert counts["references_without_text"] == sum(
        paper in textless for cited in graph.values() for paper in cited
    )
    equal = 0
    for anchor, references in usable.items():
        for row in algorithm_1(anchor, references, config):
            if row.negative:
                equal += graph[anchor][row.negative] >= graph[anchor][row.positive]
    assert counts["hard_as_important"] == equal
    tied_positives, tied_hard = 0, 0
    for anchor, references in usable.items():
        if len(references) < needed or anchor in textless:
            continue
        values = sorted((graph[anchor][one] for one in references), reverse=True)
        hard = min(config.hard, config.positives, len(values) // 2)
        top = min(config.positives, len(values) - hard)
        tied_positives += 0 < top < len(values) and values[top - 1] == values[top]
        tied_hard += 0 < hard < len(values) and values[-hard] == values[-hard - 1]
    assert (counts["tied_positives"], counts["tied_hard"]) == (tied_positives, tied_hard)
    assert counts["contradictory_dropped"] == 0


@settings(max_examples=60, deadline=None)
@given(graphs, configs, st.integers(0, 99))
def test_contradictory_pairs_are_dropped_and_counted(
    graph: Graph, config: ImportanceConfig, seed: int
) -> None:
    every = sample(graph, config, seed=seed)
    clean = sample(graph, replace(config, contradictions="drop"), seed=seed)
    picked = rows(every.triplets)
    close = {frozenset(row.pair) for row in picked}
    far = {frozenset((row.anchor, row.negative)) for row in picked}
    kept = [
        row
        for row in picked
        if not {frozenset(row.pair), frozenset((row.anchor, row.negative))} & close & far
    ]
    found = rows(clean.triplets)
    assert [triple(row) for row in found] == [triple(row) for row in kept]
    assert clean.counts["contradictory_dropped"] == len(picked) - len(kept)
    close = {frozenset(row.pair) for row in found}
    assert not close & {frozenset((row.anchor, row.negative)) for row in found}


def triple(row: Row) -> tuple[str, str, str]:
    return row.anchor, row.positive, row.negative


def test_triplets_of_seven_references() -> None:
    """K + H = 7: two hard pairs; all other references have random negatives."""
    picked = by_anchor(sample(star(7), ImportanceConfig()))["anchor"]
    pairs = [(row.positive, row.negative if row.negative_rank else "easy") for row in picked]
    assert pairs == [("r1", "r7"), ("r2", "r6"), ("r3", "easy"), ("r4", "easy"), ("r5", "easy")]
    assert [row.negative_rank for row in picked] == [7, 6, None, None, None]
    assert all(row.negative.startswith("free") for row in picked[2:])


def test_six_references_are_too_few_and_counted() -> None:
    """Free papers have one reference each, so they are counted, too."""
    graph = star(6)
    skipped = sample(graph, ImportanceConfig())
    assert (len(skipped.triplets), skipped.counts["anchors_skipped_short"]) == (0, len(graph))
    shrunk = sample(graph, ImportanceConfig(short_anchors="shrink"))
    assert shrunk.counts["anchors_skipped_short"] == 0
    picked = by_anchor(shrunk)["anchor"]
    pairs = [(row.positive, row.negative if row.negative_rank else "easy") for row in picked]
    assert pairs == [("r1", "r6"), ("r2", "r5"), ("r3", "easy"), ("r4", "easy")]


@pytest.mark.parametrize(
    ("references", "expected"),
    [
        (1, [("r1", 0)]),
        (2, [("r1", 2)]),
        (3, [("r1", 3), ("r2", 0)]),
        (4, [("r1", 4), ("r2", 3)]),
        (5, [("r1", 5), ("r2", 4), ("r3", 0)]),
    ],
)
def test_short_reference_lists_shrink(references: int, expected: list[tuple[str, int]]) -> None:
    picked = by_anchor(sample(star(references), ImportanceConfig(short_anchors="shrink")))
    assert [(row.positive, row.negative_rank or 0) for row in picked["anchor"]] == expected


@pytest.mark.parametrize("hard", [0, 1, 3, 5])
def test_hard_negatives_of_an_anchor(hard: int) -> None:
    picked = by_anchor(sample(star(10), ImportanceConfig(5, hard)))["anchor"]
    assert (len(picked), sum(row.negative_rank is not None for row in picked)) == (5, hard)
    assert ImportanceConfig(5, hard).needed == 5 + hard


def test_ties_of_importance_are_broken_by_a_hash() -> None:
    graph = star(7)
    graph["anchor"] = dict.fromkeys(graph["anchor"], 1.0)
    orders = set()
    for seed in range(20):
        sampled = sample(graph, ImportanceConfig(), seed=seed)
        picked = by_anchor(sampled)["anchor"]
        expected = algorithm_1("anchor", graph["anchor"], ImportanceConfig(), seed)
        assert [row.positive for row in picked] == [row.positive for row in expected]
        assert [row.negative for row in picked][:2] == [row.negative for row in expected][:2]
        assert sampled.counts["hard_as_important"] == 2
        orders.add(tuple(row.positive for row in picked))
    assert len(orders) > 15


def tied_graph(anchors: int = 400, references: int = 20) -> Graph:
    """All references are equally important; 60% of the works have a DOI.

    Ids are like those of a real graph: `doi:` sorts before `key:` and `ref:`.
    """
    chance = np.random.default_rng(7)
    works = [f"doi:10.1/{k}" for k in range(600)]
    works += [f"{kind}:{k}" for kind in ("key", "ref") for k in range(200)]
    return {
        f"doi:10.9/{anchor}": dict.fromkeys(chance.choice(works, references, replace=False), 1.0)
        for anchor in range(anchors)
    }


@pytest.mark.parametrize("shuffled", [False, True])
def test_ties_do_not_depend_on_the_kind_of_id(shuffled: bool) -> None:
    """Checklist P1-13: with ties, hard negatives and positives are a uniform sample."""
    citations = arrays(tied_graph())
    if shuffled:
        citations = shuffle_importance(citations, seed=3)
    config = ImportanceConfig(5, 5, contradictions=KEEP)
    picked = rows(sample_importance(citations, with_text(citations), config).triplets)
    cited = [citations.ids[int(code)].as_py() for code in citations.cited]
    expected = np.mean([not id_.startswith("doi:") for id_ in cited])
    for drawn in ([row.negative for row in picked], [row.positive for row in picked]):
        share = np.mean([not id_.startswith("doi:") for id_ in drawn])
        assert len(drawn) == 5 * 400
        assert abs(share - expected) < 3 * (expected * (1 - expected) / len(drawn)) ** 0.5


def test_papers_without_text_are_in_no_triplet() -> None:
    graph, textless = star(9, free=4), {"r1", "r9", "free2"}
    sampled = sample(graph, ImportanceConfig(), textless)
    picked = by_anchor(sampled)["anchor"]
    assert [row.positive for row in picked] == ["r2", "r3", "r4", "r5", "r6"]
    assert [row.negative for row in picked][:2] == ["r8", "r7"]
    assert not textless & set(sampled.triplets.papers.to_pylist())
    assert sampled.counts["references_without_text"] == 2 + 1
    assert sampled.counts["anchors_without_text"] == 1


def test_a_reference_without_text_is_no_random_negative() -> None:
    """It is in the original list, so it may not be a random negative."""
    graph = star(8, free=3)
    for seed in range(20):
        picked = by_anchor(sample(graph, ImportanceConfig(), {"r4"}, seed=seed))["anchor"]
        assert {row.negative for row in picked if not row.negative_rank} <= {
            "free0",
            "free1",
            "free2",
        }


def test_triplets_without_random_negatives_are_counted() -> None:
    """Three random negatives are needed, two papers are not cited."""
    sampled = sample(star(7, free=2), ImportanceConfig())
    picked = by_anchor(sampled)["anchor"]
    assert [row.positive for row in picked] == ["r1", "r2", "r3", "r4"]
    assert {row.negative for row in picked[2:]} == {"free0", "free1"}
    assert sampled.counts["no_random_paper"] == 1
    limited = sample(star(7, free=2), ImportanceConfig(), triplets=4)
    assert (len(limited.triplets), limited.counts["no_random_paper"]) == (4, 0)
    cut = sample(star(7, free=2), ImportanceConfig(), triplets=5)
    assert (len(cut.triplets), cut.counts["no_random_paper"]) == (4, 1)


def corpus(seed: int = 0) -> Graph:
    return random_graph(300, 12, seed, levels=20)


def test_random_negatives_are_spread_over_the_corpus() -> None:
    """All papers are sampled about equally often."""
    graph = corpus()
    drawn = [row.negative for row in rows(sample(graph, ImportanceConfig(5, 0)).triplets)]
    counts = np.unique(drawn, return_counts=True)[1]
    expected = len(drawn) / 300
    assert len(counts) > 290
    assert counts.max() < expected + 6 * expected**0.5


def test_a_share_keeps_complete_anchors() -> None:
    every = by_anchor(sample(corpus(), ImportanceConfig(3, 1, contradictions=KEEP)))
    some = by_anchor(sample(corpus(), ImportanceConfig(3, 1, contradictions=KEEP), share=0.1))
    assert len(some) == round(0.1 * len(every))
    for anchor, picked in some.items():
        assert [triple(row) for row in picked] == [triple(row) for row in every[anchor]]
    small = by_anchor(sample(corpus(), ImportanceConfig(3, 1, contradictions=KEEP), share=0.05))
    assert set(small) < set(some)


@pytest.mark.parametrize("triplets", [1, 2, 3, 4, 100, 10**6])
def test_the_number_of_triplets_is_limited(triplets: int) -> None:
    """The first anchors in the order are kept; only the last one is cut."""
    config = ImportanceConfig(3, 1, contradictions=KEEP)
    every, some = (by_anchor(sample(corpus(), config, triplets=n)) for n in (None, triplets))
    total = sum(map(len, every.values()))
    assert sum(map(len, some.values())) == min(triplets, total)
    cut = [anchor for anchor in some if len(some[anchor]) < len(every[anchor])]
    assert len(cut) <= 1
    for anchor, picked in some.items():
        assert [triple(r) for r in picked] == [triple(r) for r in every[anchor][: len(picked)]]


def test_triplets_do_not_depend_on_row_order_and_threads() -> None:
    graph = corpus()
    pairs = sum(map(len, graph.values()))
    orders = [np.random.default_rng(k).permutation(pairs).tolist() for k in range(3)]

    def run(order: list[int] | None) -> list[Row]:
        citations = arrays(graph, order)
        return rows(sample_importance(citations, with_text(citations)).triplets)

    expected = run(None)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(run, [*orders, None]))


def test_the_seed_affects_ties_random_papers_and_the_split_only() -> None:
    config = ImportanceConfig(contradictions=KEEP)
    graph = {  # references of an anchor have distinct importance
        anchor: {paper: float(value) for value, paper in enumerate(cited)}
        for anchor, cited in corpus().items()
    }
    first, second = (rows(sample(graph, config, seed=seed).triplets) for seed in (0, 1))
    assert [(row.pair, row.negative_rank) for row in first] == [
        (row.pair, row.negative_rank) for row in second
    ]
    assert [row.negative for row in first] != [row.negative for row in second]
    assert [row.split for row in first] != [row.split for row in second]
    tied = [rows(sample(corpus(), config, seed=seed).triplets) for seed in (0, 1)]
    assert [row.positive_score for row in tied[0]] == [row.positive_score for row in tied[1]]
    assert [row.pair for row in tied[0]] != [row.pair for row in tied[1]]


def test_an_additional_paper_does_not_change_ties_of_others() -> None:
    """Ties depend on ids, not on positions in the corpus."""
    graph = tied_graph(50)
    config = ImportanceConfig(5, 2, contradictions=KEEP)
    before = by_anchor(sample(graph, config))
    after = by_anchor(sample({**graph, "a": {"aa": 1.0}}, config))
    for anchor, picked in before.items():
        other = after[anchor]
        assert [row.pair for row in picked] == [row.pair for row in other]
        assert [row.negative for row in picked][:2] == [row.negative for row in other][:2]


def test_excluding_papers_equals_sampling_without_them() -> None:
    graph, excluded = corpus(), {name(k) for k in range(0, 300, 7)}
    kept = {
        anchor: {paper: value for paper, value in cited.items() if paper not in excluded}
        for anchor, cited in graph.items()
        if anchor not in excluded
    }
    citations = arrays(graph).without(excluded)
    found = rows(sample_importance(citations, with_text(citations)).triplets)
    assert found == rows(sample(kept, ImportanceConfig()).triplets)
    assert not excluded & {end for row in found for end in triple(row)}


def test_a_graph_without_citations_has_no_triplets() -> None:
    for limit in (None, 5):
        sampled = sample({}, ImportanceConfig(), triplets=limit)
        assert (len(sampled.triplets), set(sampled.counts.values())) == (0, {0})


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"positives": 0}, "positives is 0; expected 1 or more"),
        ({"hard": -1}, "hard is -1; expected 0 or more"),
        ({"hard": 6}, "5 triplets .* 6 hard .*; expected H of 0 to K"),
        ({"short_anchors": "pad"}, "short_anchors is 'pad'; expected one of: shrink, skip"),
        ({"contradictions": "mark"}, "contradictions is 'mark'; expected one of: drop, keep"),
    ],
)
def test_invalid_parameters_are_refused(settings_: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ImportanceConfig(**settings_)


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"validation": 1.0}, "validation is 1.0; expected 0 or more, less than 1"),
        ({"share": 0}, "share is 0; expected more than 0, at most 1"),
        ({"triplets": 0}, "triplets is 0; expected 1 or more"),
    ],
)
def test_invalid_sampling_settings_are_refused(settings_: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SamplingConfig(**settings_)
