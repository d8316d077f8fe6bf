"""Triplets from a run of `platform train graph`: papers and runs that are used."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import ConfigError
from citescape.core.types import FACETS
from citescape.networks.citations import read_citations
from citescape.runs.directory import RunRecord, open_run, read_run
from citescape.sampling.collisions import count_collisions
from citescape.sampling.config import NeighbourhoodConfig, SamplingConfig
from citescape.sampling.embedded import (
    EmbeddedPapers,
    compare_bands,
    find_embeddings,
    read_neighbourhoods,
    sample_facets,
    sample_neighbours,
)
from citescape.sampling.neighbourhood import sample_neighbourhood
from citescape.sampling.sample import SampleResult
from citescape.sampling.triplets import read_triplets
from citescape.search.vectors import Vectors, read_vectors, write_vectors
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert
from tests.sampling.conftest import Row, name, rows

PAPERS = 70
TEXTLESS = {3, 20, 21}
CITING = {k for k in range(PAPERS) if k % 3 == 0}
CITES = [(k, (7 * k + 11 * j) % PAPERS) for k in sorted(CITING - {0}) for j in range(20)]
CITES = [(a, b) for a, b in CITES if a != b]
UNPLACED = {5, 6}
"""Papers with a zero vector, because they have no edge in the embedded graph."""
CONFIG = NeighbourhoodConfig(3, 1, near=6, far=30)
ROLES = ("anchor", "positive", "negative")


def fill(
    store: GraphStore, *, turned: bool = False, types: Mapping[int, str] = MappingProxyType({})
) -> None:
    papers = [
        {"id": name(k), "title": None if k in TEXTLESS else "T", "type": types.get(k)}
        for k in range(PAPERS)
    ]
    insert(store, "Paper", papers[::-1] if turned else papers)
    insert(store, "CITES", [{"from": name(a), "to": name(b)} for a, b in CITES])


def write_embedding(
    runs: Path,
    papers: Sequence[int] = range(PAPERS),
    *,
    weight: str = "none",
    started: str = "2026-01-01T00:00:00+00:00",
    command: str = "graph-embed",
) -> Path:
    """Write a run directory in the format of `platform train graph`."""
    values = np.array([point(k, weight) for k in papers], np.float32)
    values[[k in UNPLACED for k in papers]] = 0
    table = pa.table(
        {
            "id": [name(k) for k in papers],
            "cites": [2 if k in CITING else 0 for k in papers],
            "cited": [1] * len(papers),
        }
    )
    id_ = f"{command}-{weight}-{len(papers)}-{started[:4]}"
    with open_run(runs, id_) as directory:
        write_vectors(directory.path, Vectors(table, values))
        return directory.complete(RunRecord(id_, command, {"weight": weight}, {}, started=started))


def point(paper: int, weight: str) -> list[float]:
    seed = int(hashlib.sha256(f"{paper} {weight}".encode()).hexdigest()[:8], 16)
    found: list[float] = np.random.default_rng(seed).normal(size=6).tolist()
    return found


def read(result: SampleResult, file: str = "triplets.parquet") -> list[Row]:
    return rows(read_triplets(result.path / file))


def papers_of(found: list[Row]) -> set[str]:
    return {getattr(row, role) for row in found for role in ROLES}


def names(papers: set[int]) -> set[str]:
    return {name(k) for k in papers}


def test_the_run_holds_the_triplets_of_the_sampler(store: GraphStore, tmp_path: Path) -> None:
    """Only papers with text and vector take part and count for ranks; citing papers are queries."""
    fill(store)
    path = write_embedding(tmp_path)
    sampling = SamplingConfig(seed=4, validation=0.25)
    result = sample_neighbours(store, CONFIG, sampling=sampling, runs=tmp_path)
    kept = [k for k in range(PAPERS) if k not in TEXTLESS | UNPLACED]
    values = np.array([point(k, "none") for k in kept], np.float32)
    left = Vectors(pa.table({"id": [name(k) for k in kept]}), values)
    queries = np.array([k in CITING for k in kept])
    citations = read_citations(store, weight="none")
    sampled = sample_neighbourhood(
        left, CONFIG, queries=queries, citations=citations, sampling=sampling
    )
    found = read(result)
    assert found == rows(sampled.triplets)
    assert {row.anchor for row in found} == names(CITING - TEXTLESS - UNPLACED)
    assert not papers_of(found) & names(TEXTLESS | UNPLACED)
    figures = result.files["triplets.parquet"]
    assert figures["left_out"] == {
        "papers_without_text": len(TEXTLESS),
        "papers_without_vector": len(UNPLACED),
        "anchors_of_other_types": 0,
        **sampled.counts,
    }
    record = read_run(result.path)
    assert (record.config["sampler"], record.config["near"]) == ("neighbourhood", 6)
    assert record.inputs["embeddings"] == path.name
    again = sample_neighbours(store, CONFIG, sampling=sampling, runs=tmp_path)
    assert (again.run, again.unchanged) == (result.run, True)
    everyone = sample_neighbours(store, CONFIG, queries="all", runs=tmp_path)
    assert {row.anchor for row in read(everyone)} == {name(k) for k in kept}
    assert everyone.run != result.run


def test_anchors_of_facets_and_neighbourhoods_have_the_chosen_types(
    store: GraphStore, tmp_path: Path
) -> None:
    types = {1: "editorial", **dict.fromkeys(range(0, PAPERS, 2), "review-article")}
    fill(store, types=types)
    reviews = names(set(range(0, PAPERS, 2)))
    for weight in ("none", *FACETS):
        write_embedding(tmp_path, weight=weight)
    left = {name(k) for k in CITING - TEXTLESS - UNPLACED}
    for chosen, expected in ((None, left - reviews), (["review"], left & reviews), (["all"], left)):
        options = {"types": chosen} if chosen else {}
        result = sample_neighbours(store, CONFIG, runs=tmp_path, **options)
        assert {row.anchor for row in read(result)} == expected
        assert {row.positive for row in read(result)} & reviews
        counts = result.files["triplets.parquet"]["left_out"]
        assert counts["anchors_of_other_types"] == len(left - expected)
        facets = sample_facets(store, CONFIG, runs=tmp_path, **options)
        for file, figures in facets.files.items():
            assert {row.anchor for row in read(facets, file)} == expected
            assert figures["left_out"]["anchors_of_other_types"] == len(left - expected)
    few, every = (
        compare_bands(store, CONFIG, types=chosen, runs=tmp_path)[0].pairs
        for chosen in (["review"], ["all"])
    )
    assert few < every
    with pytest.raises(ConfigError, match=r"none of .* possible anchors has .* editorial"):
        sample_neighbours(store, CONFIG, types=["editorial"], runs=tmp_path)


def test_the_order_of_loading_does_not_matter(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    found = []
    for turned in (False, True):
        store, runs = fresh_store(), tmp_path / str(turned)
        fill(store, turned=turned)
        write_embedding(runs)
        result = sample_neighbours(store, CONFIG, runs=runs)
        found.append((result.run, (result.path / "triplets.parquet").read_bytes()))
    assert found[0] == found[1]


@pytest.mark.parametrize("ending", [".parquet", ".npy"])
def test_own_vectors_give_the_same_triplets(ending: str, store: GraphStore, tmp_path: Path) -> None:
    """Citing papers are read from the graph."""
    fill(store)
    runs, other = tmp_path / "runs", tmp_path / "other"
    run = write_embedding(other, range(1, PAPERS))  # 0 is listed as citing, but is not
    path = write_own(tmp_path / f"own{ending}", read_vectors(run))
    result = sample_neighbours(store, CONFIG, embeddings=str(path), runs=runs)
    expected = sample_neighbours(store, CONFIG, embeddings=run.name, runs=other)
    assert read(result) == read(expected)
    assert sample_neighbours(store, CONFIG, embeddings=str(path), runs=runs).unchanged
    write_own(path, read_vectors(write_embedding(other, range(2, PAPERS))))
    assert sample_neighbours(store, CONFIG, embeddings=str(path), runs=runs).run != result.run


def write_own(path: Path, vectors: Vectors) -> Path:
    ids = vectors.ids.to_pylist()
    if path.suffix == ".parquet":
        pq.write_table(pa.table({"id": ids, "vector": vectors.values.tolist()}), path)
    else:
        np.save(path, vectors.values)
        path.with_suffix(".txt").write_text("\n".join(ids))
    return path


def test_facets_are_sampled_separately(store: GraphStore, tmp_path: Path) -> None:
    """Papers isolated in a facet are excluded from its triplets and ranks."""
    fill(store)
    isolated = {facet: set(range(k, PAPERS, 9)) for k, facet in enumerate(FACETS)}
    for facet, absent in isolated.items():
        write_embedding(tmp_path, [k for k in range(PAPERS) if k not in absent], weight=facet)
    result = sample_facets(store, runs=tmp_path)
    assert set(result.files) == {f"{facet}.parquet" for facet in FACETS}
    assert set(result.files) == {path.name for path in result.path.glob("*.parquet")}
    for facet, absent in isolated.items():
        found = read(result, f"{facet}.parquet")
        assert not papers_of(found) & names(absent)
        anchors = [row.anchor for row in found]
        assert set(anchors) == names(CITING - TEXTLESS - UNPLACED - absent)
        lost = result.files[f"{facet}.parquet"]["left_out"]["no_random_paper"]
        assert len(found) == 10 * len(set(anchors)) - lost
        hard = [row for row in found if row.negative_reason == "far neighbour"]
        assert len(hard) == 4 * len(set(anchors))
    files = [(result.path / f"{facet}.parquet").read_bytes() for facet in FACETS]
    assert len(set(files)) == 3
    assert sample_facets(store, runs=tmp_path).unchanged
    record = read_run(result.path)
    assert set(record.inputs) == {*FACETS, "citations"}
    assert record.config["sampler"] == "facet"


def test_references_are_no_easy_negatives_in_any_facet(store: GraphStore, tmp_path: Path) -> None:
    """True for all citations, also those outside the facet; hard negatives are counted."""
    fill(store)
    for weight in ("none", *FACETS):
        write_embedding(tmp_path, weight=weight)
    whole = sample_neighbours(store, CONFIG, runs=tmp_path)
    cited = {(name(a), name(b)) for a, b in CITES}
    facets = sample_facets(store, runs=tmp_path)
    for result, file in [(whole, "triplets.parquet"), *((facets, file) for file in facets.files)]:
        found = read(result, file)
        hard = {row for row in found if row.negative_reason == "far neighbour"}
        assert not {(row.anchor, row.negative) for row in found if row not in hard} & cited
        count = sum((row.anchor, row.negative) in cited for row in hard)
        assert result.files[file]["left_out"]["hard_cited"] == count > 0


def test_one_embedding_at_a_time_is_in_memory(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    for weight in FACETS:
        write_embedding(tmp_path, weight=weight)
    held: list[weakref.ref[Vectors]] = []
    read_all = EmbeddedPapers.vectors.fget
    assert read_all is not None

    def watch(source: EmbeddedPapers) -> Vectors:
        assert not any(reference() for reference in held), (
            "those of another facet are still in memory"
        )
        found: Vectors = read_all(source)
        held.append(weakref.ref(found))
        return found

    monkeypatch.setattr(EmbeddedPapers, "vectors", property(watch))
    assert not sample_facets(store, runs=tmp_path).unchanged
    assert len(held) == 3
    assert sample_facets(store, runs=tmp_path).unchanged
    assert len(held) == 3


def test_the_command_for_missing_embeddings_is_named(store: GraphStore, tmp_path: Path) -> None:
    fill(store)
    with pytest.raises(ConfigError, match=r"no embedding of the citation graph .*train graph"):
        sample_neighbours(store, CONFIG, runs=tmp_path)
    for facet in ("background", "method"):
        write_embedding(tmp_path, weight=facet)
    with pytest.raises(ConfigError, match=r"no embedding of the result facet .*--weight result"):
        sample_facets(store, CONFIG, runs=tmp_path)
    with pytest.raises(ConfigError, match=r"no embedding of the citation graph"):
        compare_bands(store, CONFIG, runs=tmp_path)


def test_the_last_embedding_of_a_weight_is_used(tmp_path: Path) -> None:
    old = write_embedding(tmp_path, started="2025-06-01T00:00:00+00:00")
    new = write_embedding(tmp_path, started="2026-06-01T00:00:00+00:00")
    write_embedding(tmp_path, weight="importance", started="2027-01-01T00:00:00+00:00")
    write_embedding(tmp_path, command="embed", started="2027-01-01T00:00:00+00:00")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("{")
    assert find_embeddings(tmp_path, "", location="x.lbug") == new
    assert find_embeddings(tmp_path, old.name, location="x.lbug") == old
    assert find_embeddings(tmp_path, str(old), location="x.lbug") == old


def test_runs_of_other_kinds_are_refused(store: GraphStore, tmp_path: Path) -> None:
    fill(store)
    texts = write_embedding(tmp_path, command="embed")
    caught = rf"{texts.name} is a run of `platform embed`; expected one of `platform train graph`"
    for named, message in (
        (texts.name, caught),
        ("absent", r"no run 'absent' in .*; expected one"),
    ):
        with pytest.raises(ConfigError, match=message):
            sample_neighbours(store, CONFIG, embeddings=named, runs=tmp_path)
    sampled = {facet: write_embedding(tmp_path, weight=facet).name for facet in FACETS}
    mixed = {**sampled, "method": sampled["result"]}
    with pytest.raises(ConfigError, match=r"embeds citations weighted by result; expected method"):
        sample_facets(store, CONFIG, embeddings=mixed, runs=tmp_path)
    assert sample_facets(store, CONFIG, embeddings=sampled, runs=tmp_path).files
    weighted = write_embedding(tmp_path, weight="importance")
    assert sample_neighbours(store, CONFIG, embeddings=weighted.name, runs=tmp_path).files


def test_excluded_papers_must_not_be_in_the_embedding(store: GraphStore, tmp_path: Path) -> None:
    """Excluded papers must also be missing from the embedded graph (SciNCL, app. C)."""
    fill(store)
    write_embedding(tmp_path)
    held = names({1, 2, 9})
    with pytest.raises(ConfigError, match=r"contains 3 excluded papers.*--exclude"):
        sample_neighbours(store, CONFIG, exclude=held, runs=tmp_path)
    clean = [k for k in range(PAPERS) if name(k) not in held]
    write_embedding(tmp_path, clean, started="2026-02-01T00:00:00+00:00")
    result = sample_neighbours(store, CONFIG, exclude=held, runs=tmp_path)
    assert not papers_of(read(result)) & held
    for facet in FACETS:
        write_embedding(tmp_path, clean if facet != "result" else range(PAPERS), weight=facet)
    with pytest.raises(ConfigError, match=r"graph-embed-result\S* contains 3 excluded papers"):
        sample_facets(store, CONFIG, exclude=held, runs=tmp_path)


def test_the_run_depends_on_inputs_and_settings(store: GraphStore, tmp_path: Path) -> None:
    fill(store)
    write_embedding(tmp_path)
    given: list[dict[str, Any]] = [
        {},
        {"sampling": SamplingConfig(seed=1)},
        {"queries": "all"},
        {"config": replace(CONFIG, near=7)},
        {"config": replace(CONFIG, easy="random")},
    ]
    runs = [
        sample_neighbours(store, **{"config": CONFIG, "runs": tmp_path, **options}).run
        for options in given
    ]
    write_embedding(tmp_path, started="2028-01-01T00:00:00+00:00")
    runs.append(sample_neighbours(store, CONFIG, runs=tmp_path).run)
    insert(store, "Paper", [{"id": "new", "title": "T"}])
    assert sample_neighbours(store, CONFIG, runs=tmp_path).run == runs[-1], "it has no vector"
    insert(store, "CITES", [{"from": name(0), "to": name(1)}])
    runs.append(sample_neighbours(store, CONFIG, runs=tmp_path).run)
    assert len(set(runs)) == len(runs)


def test_bands_are_compared_from_the_nearest_to_the_configured_one(
    store: GraphStore, tmp_path: Path
) -> None:
    fill(store)
    path = write_embedding(tmp_path)
    config = NeighbourhoodConfig(3, 1, near=6, far=40)
    found = compare_bands(store, config, runs=tmp_path)
    assert [(row.near, row.far) for row in found] == [(6, 7), (6, 14), (6, 28), (6, 40)]
    source = read_neighbourhoods(store, path, queries="citing")
    bands = [(row.near, row.far) for row in found]
    assert found == count_collisions(source.vectors, source.queries, bands, positives=3, hard=1)
    assert all(row.within == 0 for row in found)
    every = compare_bands(store, config, queries="all", runs=tmp_path)
    assert every[0].pairs > found[0].pairs
    touching = NeighbourhoodConfig(3, 1, near=6, far=7)
    assert [row.far for row in compare_bands(store, touching, runs=tmp_path)] == [7]
