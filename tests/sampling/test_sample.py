"""Triplets of a store in a run directory."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.networks.citations import read_citations
from citescape.sampling.config import ImportanceConfig, SamplingConfig, SpecterConfig
from citescape.sampling.importance import sample_importance
from citescape.sampling.leakage import compute_leakage
from citescape.sampling.sample import SampleResult, find_usable, sample_citations
from citescape.sampling.specter import sample_specter
from citescape.sampling.triplets import read_triplets
from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, write_meta
from tests.importance.conftest import insert
from tests.sampling.conftest import Graph, random_graph, rows

TEXTLESS = {"p003", "p010", "p011"}
CONFIG = ImportanceConfig(3, 1)


def papers_of(graph: Graph) -> list[str]:
    return sorted(set(graph) | {paper for cited in graph.values() for paper in cited})


def fill(
    store: GraphStore,
    graph: Graph,
    *,
    turned: bool = False,
    scored: bool = True,
    types: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Texts are a title, an abstract or both; some papers have neither."""
    texts = ({"title": "T"}, {"abstract": "A"}, {"title": "T", "abstract": "A"})
    papers = [
        {
            "id": id_,
            **({"title": ""} if id_ in TEXTLESS else texts[k % 3]),
            **({"type": types[id_]} if id_ in types else {}),
        }
        for k, id_ in enumerate(papers_of(graph))
    ]
    pairs = [
        {"from": a, "to": b, **({"importance": w} if scored else {})}
        for a, cited in graph.items()
        for b, w in cited.items()
    ]
    insert(store, "Paper", papers[::-1] if turned else papers)
    insert(store, "CITES", pairs[::-1] if turned else pairs)
    if scored:
        write_meta(store, IMPORTANCE_RUN, "score-1")


@pytest.fixture
def graph() -> Graph:
    return random_graph(80, 8, 1, levels=9)


def files(result: SampleResult) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(result.path.iterdir())}


def triplets(result: SampleResult) -> Any:
    return rows(read_triplets(result.path / "triplets.parquet"))


@pytest.mark.parametrize("sampler", ["importance", "specter"])
def test_the_run_holds_the_triplets_of_the_sampler(
    sampler: str, store: GraphStore, graph: Graph, tmp_path: Path
) -> None:
    fill(store, graph)
    sampling = SamplingConfig(seed=5, validation=0.25)
    config = CONFIG if sampler == "importance" else SpecterConfig(3, 1)
    result = sample_citations(store, config, sampling=sampling, runs=tmp_path)
    citations = read_citations(store, weight="importance" if sampler == "importance" else "none")
    usable = find_usable(store, citations.ids)
    assert usable.tolist() == [id_ not in TEXTLESS for id_ in citations.ids.to_pylist()]
    if isinstance(config, ImportanceConfig):
        sampled = sample_importance(citations, usable, config, sampling=sampling)
    else:
        sampled = sample_specter(citations, usable, config, sampling=sampling)
    assert triplets(result) == rows(sampled.triplets)
    found = result.files["triplets.parquet"]
    held = sum(row.split == "validation" for row in triplets(result))
    assert (found["triplets"], found["validation"]) == (len(sampled.triplets), held)
    assert found["train"] == len(sampled.triplets) - held
    assert found["anchors"] == len({row.anchor for row in triplets(result)})
    assert found["papers"] == len(sampled.triplets.papers)
    assert found["left_out"] == sampled.counts
    record = json.loads((result.path / "run.json").read_text())
    assert record["config"]["sampler"] == sampler
    assert record["seed"] == record["config"]["seed"] == 5
    assert record["counts"] == {"triplets.parquet": found}


def test_sampling_again_changes_nothing(store: GraphStore, graph: Graph, tmp_path: Path) -> None:
    fill(store, graph)
    first = sample_citations(store, CONFIG, runs=tmp_path)
    before = files(first)
    again = sample_citations(store, CONFIG, runs=tmp_path)
    assert (again.run, again.unchanged, first.unchanged) == (first.run, True, False)
    assert files(again) == before
    assert again.files == first.files
    assert store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist() == [first.run]


def test_the_order_of_loading_does_not_matter(
    fresh_store: Callable[[], GraphStore], graph: Graph, tmp_path: Path
) -> None:
    """The run and its bytes are the same."""
    found = []
    for turned in (False, True):
        store = fresh_store()
        fill(store, graph, turned=turned)
        result = sample_citations(store, CONFIG, runs=tmp_path / str(turned))
        found.append((result.run, files(result)["triplets.parquet"]))
    assert found[0] == found[1]


def test_the_run_depends_on_settings_and_inputs(
    store: GraphStore, graph: Graph, tmp_path: Path
) -> None:
    fill(store, graph)
    runs = [
        sample_citations(store, CONFIG, sampling=sampling, exclude=exclude, runs=tmp_path).run
        for sampling, exclude in (
            (SamplingConfig(), ()),
            (SamplingConfig(seed=1), ()),
            (SamplingConfig(validation=0.5), ()),
            (SamplingConfig(), ("p001",)),
            (SamplingConfig(), ("absent",)),
        )
    ]
    runs.append(sample_citations(store, SpecterConfig(3, 1), runs=tmp_path).run)
    insert(store, "Paper", [{"id": "new", "title": "T"}])
    assert sample_citations(store, CONFIG, runs=tmp_path).run == runs[0], "it cites nothing"
    assert len(set(runs)) == len(runs)


@pytest.mark.parametrize("config", [CONFIG, SpecterConfig(3, 1)])
def test_anchors_are_research_articles_unless_types_are_given(
    config: ImportanceConfig | SpecterConfig, store: GraphStore, graph: Graph, tmp_path: Path
) -> None:
    """Papers in other roles have any type, and papers of unknown type count as research."""
    kinds = ("research-article", "review-article", "editorial", None)
    types = {id_: kind for k, id_ in enumerate(papers_of(graph)) if (kind := kinds[k % 4])}
    fill(store, graph, types=types)
    every = sample_citations(store, config, types=["all"], runs=tmp_path)
    result = sample_citations(store, config, runs=tmp_path)
    others = {id_ for id_, kind in types.items() if kind in ("review-article", "editorial")}
    found = triplets(result)
    assert not {row.anchor for row in found} & others
    assert {row.anchor for row in found} & (set(graph) - set(types)), "of unknown type"
    assert {row.positive for row in found} & others
    assert {row.negative for row in found} & others
    left_out = result.files["triplets.parquet"]["left_out"]
    assert left_out["anchors_of_other_types"] == len(set(graph) & others)
    assert result.record.config["types"] == ["research", "unknown"]
    assert every.files["triplets.parquet"]["left_out"]["anchors_of_other_types"] == 0
    reviews = sample_citations(store, config, types=["review"], runs=tmp_path)
    assert {types[row.anchor] for row in triplets(reviews)} == {"review-article"}
    assert len({every.run, result.run, reviews.run}) == 3
    with pytest.raises(ConfigError, match=r"no paper has the type 'novel'.*editorial"):
        sample_citations(store, config, types=["novel"], runs=tmp_path)


def test_types_that_no_citing_paper_has_are_named(
    store: GraphStore, graph: Graph, tmp_path: Path
) -> None:
    """A store without types has anchors of unknown type."""
    fill(store, graph)
    plain = sample_citations(store, CONFIG, runs=tmp_path)
    every = sample_citations(store, CONFIG, types=["all"], runs=tmp_path)
    assert triplets(plain) == triplets(every)
    message = (
        rf"none of {len(graph):,} papers with citations has one of the types review; found unk"
    )
    with pytest.raises(ConfigError, match=message):
        sample_citations(store, CONFIG, types=["review"], runs=tmp_path)


def test_excluded_papers_are_in_no_triplet_and_do_not_leak(
    store: GraphStore, graph: Graph, tmp_path: Path
) -> None:
    fill(store, graph)
    held = [f"p{k:03d}" for k in range(0, 80, 5)]
    leaky = sample_citations(store, CONFIG, runs=tmp_path)
    found = compute_leakage(read_triplets(leaky.path / "triplets.parquet"), held)
    assert found.leaked > 0
    clean = sample_citations(store, CONFIG, exclude=held, runs=tmp_path)
    found = compute_leakage(read_triplets(clean.path / "triplets.parquet"), held)
    assert (found.leaked, found.triplets, found.share) == (0, 0, 0.0)
    assert TEXTLESS & {row.anchor for row in triplets(clean)} == set()


def test_missing_or_outdated_importance_is_refused(
    store: GraphStore, graph: Graph, tmp_path: Path
) -> None:
    fill(store, graph, scored=False)
    with pytest.raises(StoreError, match=r"importance .*; run .*score"):
        sample_citations(store, CONFIG, runs=tmp_path)
    assert sample_citations(store, SpecterConfig(3, 1), runs=tmp_path).files
    write_meta(store, IMPORTANCE_RUN, "score-1")
    with pytest.raises(StoreError, match=r"citations .* have no importance"):
        sample_citations(store, CONFIG, runs=tmp_path)


def test_an_empty_sample_is_reported_with_reasons(
    store: GraphStore, graph: Graph, tmp_path: Path
) -> None:
    fill(store, graph)
    with pytest.raises(
        ConfigError, match=r"no importance triplets.*anchors skipped short"
    ) as caught:
        sample_citations(store, ImportanceConfig(70, 1), runs=tmp_path / "runs")
    assert f"{len(graph):,} anchors" in str(caught.value)
    assert list((tmp_path / "runs").iterdir()) == [], "no run is kept"


def test_blank_texts_count_as_missing(store: GraphStore) -> None:
    insert(store, "Paper", [{"id": "a", "title": " "}, {"id": "b", "title": "T"}, {"id": "c"}])
    insert(store, "CITES", [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}])
    usable = find_usable(store, read_citations(store, weight="none").ids)
    assert np.array_equal(usable, [False, True, False])
