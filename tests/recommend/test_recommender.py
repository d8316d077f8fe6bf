"""Recommendations in a generated world, compared with graph and encoder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.core.types import Document
from citescape.demo.jats_writer import write_jats
from citescape.demo.world import generate_world
from citescape.embeddings.steps import EmbedConfig
from citescape.importance.score import score
from citescape.recommend.current import is_current, open_named, open_profiles, read_state
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.profiling import ProfileConfig
from citescape.recommend.recommendations import Recommendation
from citescape.recommend.recommender import Recommender
from citescape.recommend.requests import RecommendationRequest
from citescape.recommend.retriever import SYSTEMS
from citescape.recommend.steps import Recommend
from citescape.recommend.texts import read_texts
from citescape.search.ranker import NONE
from citescape.store.graph_store import GraphStore, open_store
from citescape.training.reranking.config import DEPTH
from citescape.training.reranking.shortlists import Shortlists
from tests.copies import fill_store, read_tables
from tests.embeddings.conftest import encoder  # noqa: F401 - a fixture
from tests.ingest.papers import load, write_files

CONTEXT = "Nodulation of chickpea rotations was limited by phosphate [?]."
PAPERS = 9
"""Full texts that are loaded."""


@dataclass(frozen=True)
class World:
    """A store, its profiles and an encoder."""

    store: GraphStore
    runs: Path
    config: ProfileConfig
    another: Path
    """A paper that is not loaded."""

    def open(self, messages: list[str] | None = None) -> ProfileRun:
        progress = (messages if messages is not None else []).append
        return open_profiles(self.store, self.config, runs=self.runs, progress=progress)[0]

    def load(self) -> Recommender:
        run, reading = open_profiles(self.store, self.config, runs=self.runs)
        return Recommender(run, reading.load())

    def read(self, text: str, **params: object) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.store.read(text, **params).to_pylist()
        return rows


@dataclass(frozen=True)
class Source:
    """The original of which worlds are copies."""

    tables: Mapping[str, pa.Table]
    runs: Path
    """Runs of importance and of profiles."""
    config: ProfileConfig
    another: Path
    """A paper that is not loaded."""

    def copy_to(self, store: GraphStore, folder: Path) -> World:
        runs = Path(shutil.copytree(self.runs, folder / "runs"))
        return World(fill_store(store, self.tables), runs, self.config, self.another)


@pytest.fixture(scope="session")
def source(encoder: str, tmp_path_factory: pytest.TempPathFactory) -> Source:  # noqa: F811
    """Scored papers of a generated world, loaded once."""
    folder = tmp_path_factory.mktemp("source")
    generated = generate_world(papers=50, seed=5)
    *files, another = write_files(folder, [write_jats(generated, k) for k in range(PAPERS + 1)])
    config = ProfileConfig(encoder=EmbedConfig(encoder, max_tokens=32))
    with closing(open_store(str(folder / "source.lbug"))) as store:
        load(store, *files)
        score(store, runs=folder / "runs")
        open_profiles(store, config, runs=folder / "runs")
        return Source(read_tables(store), folder / "runs", config, another)


@pytest.fixture
def world(source: Source, store: GraphStore, tmp_path: Path) -> World:
    """World on both engines."""
    return source.copy_to(store, tmp_path)


@pytest.fixture(scope="module")
def lone_world(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """World for tests that write nothing and do not depend on the engine."""
    folder = tmp_path_factory.mktemp("lone")
    with closing(open_store(str(folder / "lone.lbug"))) as store:
        yield source.copy_to(store, folder)


def test_recommended_papers_have_explanations(world: World) -> None:
    recommender = world.load()
    (found,) = recommender.recommend(
        world.store, [RecommendationRequest(CONTEXT)], Recommend(CONTEXT, k=400, sentences=2)
    )
    assert found.context == CONTEXT.replace(" [?]", "")
    assert [paper.rank for paper in found.papers] == list(
        range(1, len(recommender.profiles.ids) + 1)
    )
    scores = [paper.score for paper in found.papers]
    assert scores == sorted(scores, reverse=True)
    near = compute_near(recommender, found.context)
    for paper in found.papers:
        assert sum(paper.retrieved.parts.values()) == pytest.approx(paper.score, abs=1e-5)
        assert (paper.retrieved.rank, paper.retrieved.score) == (paper.rank, paper.score)
        assert not paper.is_reranked
        check_sentences(world, paper, near.get(paper.work.id, {}))
        check_received(world, paper)
    assert any(paper.sentences for paper in found.papers)
    assert any(not paper.cited_by for paper in found.papers)


def compute_near(recommender: Recommender, context: str) -> dict[str, dict[str, float]]:
    """Cited -> citing -> largest cosine of its contexts with the given context."""
    contexts = recommender.profiles.contexts
    ids, texts = read_texts(contexts)
    vectors = recommender.encoder([Document("", text) for text in [context, *texts]]).astype(float)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = dict(zip(ids.to_pylist(), (vectors[1:] @ vectors[0]).tolist(), strict=True))
    found: dict[str, dict[str, float]] = {}
    for row in contexts.pairs.to_pylist():
        own, cosine = found.setdefault(row["cited"], {}), cosines.get(row["context"], -2.0)
        own[row["citing"]] = max(own.get(row["citing"], -2.0), cosine)
    return found


def check_sentences(world: World, paper: Recommendation, near: dict[str, float]) -> None:
    assert paper.cited_by == len(near)
    expected = sorted((value for value in near.values() if value > -2), reverse=True)[:2]
    similarities = [sentence.similarity for sentence in paper.sentences]
    assert similarities == pytest.approx(expected, abs=1e-4)
    for sentence in paper.sentences:
        assert sentence.similarity == pytest.approx(near[sentence.citing.id], abs=1e-4)
        assert sentence.citing.authors
        rows = world.read(
            "MATCH (p:Paper {id: $id})-[:HAS_SECTION]->(s)-[:CONTAINS]->(o)-[:REFERS_TO]->(c) "
            "WHERE c.id = $cited RETURN s.title AS section, o.context AS text",
            id=sentence.citing.id,
            cited=paper.work.id,
        )
        assert (sentence.section, sentence.text) in {
            (row["section"] or "", row["text"]) for row in rows
        }


def check_received(world: World, paper: Recommendation) -> None:
    rows = world.read(
        "MATCH (a:Paper)-[c:CITES]->(:Paper {id: $id}) "
        "RETURN a.id AS id, c.importance AS importance, c.f_I AS I, c.f_D AS D",
        id=paper.work.id,
    )
    assert paper.received.citing == len(rows)
    if rows:
        mean = sum(row["importance"] for row in rows) / len(rows)
        assert paper.received.importance == pytest.approx(mean)
        assert paper.received.sections is not None
        for name in ("I", "D"):
            assert paper.received.sections[name] == sum(row[name] for row in rows)
    assert paper.received.intents is None  # not labelled yet


def test_intents_are_shown_once_they_are_labelled(world: World) -> None:
    recommender = world.load()
    (before,) = recommender.recommend(
        world.store, [RecommendationRequest(CONTEXT)], Recommend(CONTEXT, k=5)
    )
    cited = next(paper.work.id for paper in before.papers if paper.cited_by)
    world.store.write(
        "UNWIND $rows AS row MATCH (:Paper)-[c:CITES]->(:Paper {id: row.id}) "
        "SET c.n_background = 2, c.n_method = 1, c.n_result = 0",
        pa.table({"id": [cited]}),
    )
    (after,) = recommender.recommend(
        world.store, [RecommendationRequest(CONTEXT)], Recommend(CONTEXT, k=5)
    )
    paper = next(paper for paper in after.papers if paper.work.id == cited)
    edges = paper.received.citing
    assert paper.received.intents == {"background": 2 * edges, "method": edges, "result": 0}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_excludes_own_and_newer_papers(lone_world: World, system: str) -> None:
    recommender = lone_world.load()
    papers = recommender.profiles.papers.to_pylist()
    citing = recommender.profiles.contexts.pairs["citing"].to_pylist()[0]
    own = next(row for row in papers if row["id"] == citing)
    requests = [
        RecommendationRequest(CONTEXT, title=own["title"].upper() + "!", abstract="Nodules."),
        RecommendationRequest(CONTEXT, before="2012"),
        RecommendationRequest(CONTEXT),
    ]
    config = Recommend(CONTEXT, k=len(papers), system=system)
    titled, old, all_ = recommender.recommend(lone_world.store, requests, config)
    assert {paper.work.id for paper in all_.papers} == {row["id"] for row in papers}
    assert {paper.work.id for paper in titled.papers} == {row["id"] for row in papers} - {citing}
    shown = [sentence for paper in titled.papers for sentence in paper.sentences]
    assert shown
    assert all(sentence.citing.id != citing for sentence in shown)
    assert titled.notes == (f"the title is that of {citing}, which is not recommended",)
    assert {paper.work.id for paper in old.papers} == {
        row["id"] for row in papers if row["date"] and row["date"][:4] < "2012"
    }
    assert bool(all_.papers[0].retrieved.parts) == (system == "fused")


def test_profiles_are_reused_until_the_store_changes(world: World, encoder: str) -> None:  # noqa: F811
    """The first profiles are computed from the store under test, not copied."""
    shutil.rmtree(world.runs)
    messages: list[str] = []
    first = world.open(messages)
    assert messages[0].startswith("computing profiles once")
    again: list[str] = []
    assert (world.open(again).run, again) == (first.run, [])
    assert is_current(first, read_state(world.store))
    load(world.store, world.another)
    assert not is_current(first, read_state(world.store))
    after = world.open()
    assert after.run != first.run
    assert 0 < after.counts["computed"] < after.counts["papers"]
    named, reading = open_named(world.store, first.run, runs=world.runs)
    assert (named.run, reading.sha256) == (first.run, first.record.inputs["encoder"])
    assert reading.settings.max_tokens == 32
    other = Path(encoder).with_name("other")
    write_other(Path(encoder), other)
    with pytest.raises(ConfigError, match=r"are of the encoder .*; found .*other"):
        open_named(world.store, first.run, runs=world.runs, encoder=str(other))


def write_other(path: Path, to: Path) -> None:
    """An encoder with one file changed."""
    shutil.copytree(path, to, dirs_exist_ok=True)
    config = to / "config.json"
    config.write_text(config.read_text() + "\n")


def test_no_candidate_older_than_the_date_is_refused(world: World) -> None:
    recommender = world.load()
    with pytest.raises(ConfigError, match=r"no paper is certainly older than 1500; .* is from 19"):
        recommender.recommend(
            world.store, [RecommendationRequest(CONTEXT, before="1500")], Recommend(CONTEXT)
        )


def test_sentences_of_deleted_papers_are_still_shown(world: World) -> None:
    recommender = world.load()
    world.store.write("MATCH (o:Occurrence) DETACH DELETE o")
    (found,) = recommender.recommend(
        world.store, [RecommendationRequest(CONTEXT)], Recommend(CONTEXT, k=20)
    )
    texts = {sentence.text for paper in found.papers for sentence in paper.sentences}
    assert texts
    assert texts <= {*read_texts(recommender.profiles.contexts)[1]}


class Backwards:
    """A reranker that reverses lists and records its inputs."""

    def __init__(self, k: int, *, abstracts: bool) -> None:
        self.k, self.abstracts, self.retriever = k, abstracts, dict[str, Any]()

    def score(self, shortlists: Shortlists, depth: int = 0, progress: Progress = silent) -> Any:
        self.seen, self.depth = shortlists, depth
        return -shortlists.scores[:, :depth]

    def describe(self) -> dict[str, Any]:
        return {}

    def check_retriever(self, retriever: Mapping[str, Any]) -> None:
        self.retriever = retriever


def test_a_reranker_reorders_retrieved_papers(world: World) -> None:
    """It reads only the first candidates, in the form it was trained on."""
    recommender, by = world.load(), Backwards(DEPTH + 9, abstracts=True)
    requests = [RecommendationRequest(CONTEXT, "Chickpea", "It fixes nitrogen.")]
    plain, turned = (
        recommender.recommend(
            world.store, requests, Recommend(CONTEXT, k=5, sentences=0), rerank=rerank
        )
        for rerank in (None, by)
    )
    (all_,) = recommender.recommend(world.store, requests, Recommend(CONTEXT, k=DEPTH + 9))
    ids = [paper.work.id for paper in all_.papers]
    assert len(ids) > DEPTH
    assert [paper.work.id for paper in turned[0].papers] == ids[:DEPTH][::-1][:5]
    assert [paper.work.id for paper in plain[0].papers] == ids[:5]
    for place, paper in enumerate(turned[0].papers):
        found = all_.papers[DEPTH - 1 - place]
        assert (paper.rank, paper.score) == (place + 1, -found.score)
        assert (paper.retrieved.rank, paper.retrieved.score) == (DEPTH - place, found.score)
        assert paper.retrieved.parts == pytest.approx(found.retrieved.parts)
        assert paper.is_reranked
    assert by.depth == DEPTH
    assert by.retriever == {"system": "fused", "word_weight": 0.2}
    context = CONTEXT.replace(" [?]", "")
    assert by.seen.queries == [f"{context} Chickpea It fixes nitrogen."]
    texts = {row["id"]: row for row in recommender.profiles.papers.to_pylist()}
    read = [by.seen.candidates[code] for code in by.seen.papers[0] if code != NONE]
    assert read == [f"{texts[paper]['title']} {texts[paper]['abstract']}".strip() for paper in ids]


@pytest.mark.parametrize("weight", [0.0, 0.4, 0.7])
def test_a_reranker_may_be_mixed_with_the_retriever(lone_world: World, weight: float) -> None:
    """The score is w * reranker + (1 - w) * retrieval, each scaled to 0..1 over the candidates."""
    recommender, requests = lone_world.load(), [RecommendationRequest(CONTEXT)]
    (all_,) = recommender.recommend(lone_world.store, requests, Recommend(CONTEXT, k=DEPTH))
    scores = np.array([paper.score for paper in all_.papers])
    scaled = (scores - scores.min()) / (scores.max() - scores.min())
    mixed = weight * (1 - scaled) + (1 - weight) * scaled
    config, by = Recommend(CONTEXT, k=9, weight=weight), Backwards(DEPTH, abstracts=False)
    (found,) = recommender.recommend(lone_world.store, requests, config, rerank=by)
    assert [paper.score for paper in found.papers] == pytest.approx(
        np.sort(mixed)[::-1][:9], abs=1e-5
    )
    for paper in found.papers:
        assert paper.score == pytest.approx(mixed[paper.retrieved.rank - 1], abs=1e-5)


def test_memory_holds_only_fields_of_the_last_system(lone_world: World) -> None:
    recommender, fields = lone_world.load(), {"dense", "profiler", "words", "calibrated"}
    for system in (*SYSTEMS, "dense"):
        found = [
            recommender.recommend(
                lone_world.store,
                [RecommendationRequest(CONTEXT)],
                Recommend(CONTEXT, system=system),
            )
            for _ in range(2)
        ]
        assert found[0] == found[1]
        assert [*recommender._prepared] == [system]
    assert fields & {*vars(recommender._prepared["dense"])} == {"dense"}
    assert not fields & {*vars(recommender.index)}


def test_weights_combine_vectors_and_words(lone_world: World) -> None:
    """Fused is (1 - w) * score of vectors + w * score of words; queries follow Eq. 4."""
    recommender = lone_world.load()

    def score(title: str, **weights: float) -> dict[tuple[str, str], float]:
        requests, config = (
            [RecommendationRequest(CONTEXT, title)],
            Recommend(CONTEXT, k=len(recommender.profiles.ids), **weights),
        )
        (found,) = recommender.recommend(lone_world.store, requests, config)
        return {
            (paper.work.id, name): part
            for paper in found.papers
            for name, part in list_scores(paper)
        }

    plain, even = score("Chickpea"), score("Chickpea", word_weight=0.5)
    vectors, words = score("Chickpea", word_weight=0.0), score("Chickpea", word_weight=1.0)
    for id_, name in plain:
        parts = 0.5 * vectors[id_, "vectors"], 0.5 * words[id_, "words"]
        expected = {"vectors": parts[0], "words": parts[1], "": sum(parts)}
        assert even[id_, name] == pytest.approx(expected[name], abs=1e-5)
    assert score("Chickpea", gamma=0.35, delta=0.15) == pytest.approx(
        plain, abs=1e-4
    )  # one direction
    alone = score("Chickpea", gamma=1.0, delta=0.0, word_weight=0.0)
    assert alone == pytest.approx(score("", word_weight=0.0), abs=1e-4)
    assert alone != pytest.approx(vectors, abs=1e-2)
    assert score("Chickpea") == plain


def list_scores(paper: Recommendation) -> list[tuple[str, float]]:
    return [("", paper.score), *paper.retrieved.parts.items()]
