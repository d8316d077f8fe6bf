"""Recommendations in Python, on a generated corpus."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import pytest

import citescape
from citescape import CitescapeError, Corpus
from citescape.core.errors import ConfigError
from citescape.demo.jats_writer import write_jats
from citescape.demo.world import generate_world
from citescape.recommend import cache
from citescape.recommend.cache import RecommenderCache
from citescape.recommend.lcr.config import ALL, TRAINING
from citescape.recommend.lcr.prepare import LcrEvaluationConfig
from citescape.recommend.lcr.shortlists import ShortlistConfig
from citescape.recommend.profiler import CONTEXTS, ProfileWeights
from citescape.recommend.protocol import PROTOCOLS
from citescape.recommend.recommender import Recommender
from citescape.recommend.retriever import SYSTEMS
from citescape.recommend.steps import (
    Candidates,
    Contexts,
    EvaluateLcr,
    Protocol,
    Recommend,
    System,
    TrainReranker,
)
from citescape.runs.context import Context
from citescape.runs.directory import list_runs
from citescape.runs.result import Text
from citescape.runs.step import command_words, describe
from citescape.training.reranking.config import ABLATIONS, KINDS, LOSSES, USUAL, RerankConfig
from tests.embeddings.conftest import encoder  # noqa: F401 - a fixture
from tests.ingest.papers import write_files
from tests.training.reranking.conftest import write_model

CONTEXT = "Nodulation of chickpea rotations was limited by phosphate [?]."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("recommended")
    world = generate_world(papers=50, seed=3)
    write_files(folder / "papers", [write_jats(world, k) for k in range(12)])
    with citescape.open(folder / "corpus.lbug") as opened:
        opened.ingest(folder / "papers")
        yield opened


def open_recommender(corpus: Corpus, encoder: str, **settings: Any) -> Recommender:  # noqa: F811
    step = Recommend(CONTEXT, encoder=encoder, max_tokens=32, **settings)
    return corpus.context.hold(RecommenderCache).open(step, corpus.context)


def list_notes(corpus: Corpus) -> tuple[str, ...]:
    return corpus.context.hold(RecommenderCache).describe_outdated(corpus.context)


def test_a_sentence_and_a_draft(corpus: Corpus, encoder: str, tmp_path: Path) -> None:  # noqa: F811
    how: dict[str, Any] = {"encoder": encoder, "max_tokens": 32}
    found = corpus.recommend(CONTEXT, title="Chickpea", k=3, **how)
    assert [paper.rank for paper in found.papers] == [1, 2, 3]
    assert found.papers[0].received.importance is None  # importance is not scored
    path = tmp_path / "draft.md"
    path.write_text(f"# Chickpea\n\n{CONTEXT} It snowed [CITE].\n")
    draft = corpus.recommend(draft=path, k=4, system="bm25", sentences=0, **how)
    assert (draft.places[0].line, draft.places[0].sentence) == (3, found.contexts[0].context)
    assert [len(context.papers) for context in draft.contexts] == [4, 4]
    assert not draft.papers[0].sentences
    path.write_text(f"# Chickpea\n\n{CONTEXT}\n")
    assert corpus.recommend(draft=path, k=3, **how).contexts == found.contexts
    rows = found.arrow.to_pylist()
    assert [row["id"] for row in rows] == [paper.work.id for paper in found.papers]
    best = found.papers[0]
    assert rows[0]["sentence"] == (best.sentences[0].text if best.sentences else None)
    assert rows[0]["importance"] is None
    assert not draft.arrow["sentence"].drop_null()
    assert draft.arrow.num_rows == 8
    years = [corpus.recommend(CONTEXT, before=day, **how).papers for day in (2050, "2050")]
    assert years[0] == years[1]


def test_each_marked_place_of_a_sentence_has_a_list(
    corpus: Corpus,
    encoder: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    text = "Nodulation of chickpea is limited by phosphate [?], and roots of wheat by rust [CITE]."
    found = corpus.recommend(text, k=3, encoder=encoder, max_tokens=32)
    parts = ["Nodulation of chickpea is limited by phosphate", "and roots of wheat by rust."]
    assert [context.part for context in found.contexts] == parts
    assert found.contexts[0].papers != found.contexts[1].papers
    assert Text(f"citation wanted for “{parts[0]}”") in found.summarise().parts
    assert found.arrow["part"].to_pylist() == [part for part in parts for _ in range(3)]
    path = tmp_path / "draft.md"
    path.write_text(text)
    draft = corpus.recommend(draft=path, k=3, encoder=encoder, max_tokens=32)
    assert [place.marker for place in draft.places] == ["[?]", "[CITE]"]
    assert draft.contexts == found.contexts


def test_words_answer_until_the_vectors_are_made(
    corpus: Corpus,
    encoder: str,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer by words equals that of the same system with profiles."""
    monkeypatch.setattr(cache, "FEW_TEXTS", 0)
    how: dict[str, Any] = {"encoder": encoder, "max_tokens": 32, "k": 20}
    corpus.close()
    with citescape.open(corpus.context.location, runs=tmp_path / "runs") as fresh:
        first = fresh.recommend(CONTEXT, **how)
        (note,) = first.notes
        assert note.startswith("found by words alone: the vectors of")
        command = f"`platform prepare --encoder {encoder} --max-tokens 32 --store "
        assert command in note
        assert (first.settings.system, first.profiles) == ("bm25-profile", None)
        assert first.summarise().figures["profiles"] is None
        assert any(paper.sentences for paper in first.papers)
        assert fresh.recommend(CONTEXT, system="bm25-profile", **how).notes == ()
        refused = fresh.recommend(CONTEXT, system="dense", make_vectors=False, **how)
        assert (refused.notes, refused.settings.system) == (first.notes, "bm25-profile")
        assert not list_runs(tmp_path / "runs", "")

        prepared = fresh.prepare(encoder=encoder, max_tokens=32)
        assert not prepared.unchanged
        assert fresh.prepare(encoder=encoder, max_tokens=32).summarise().figures["unchanged"]
        best = fresh.recommend(CONTEXT, **how)
        assert (best.notes, best.settings.system) == ((), "fused")
        assert best.profiles is not None
        assert best.profiles.run == prepared.run
        again = fresh.recommend(CONTEXT, system="bm25-profile", **how)
        assert [(paper.work, paper.score, paper.cited_by) for paper in again.papers] == [
            (paper.work, paper.score, paper.cited_by) for paper in first.papers
        ]


def test_vectors_of_few_texts_are_made_for_an_answer(
    corpus: Corpus,
    encoder: str,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    how: dict[str, Any] = {"encoder": encoder, "max_tokens": 32}
    corpus.close()
    with citescape.open(corpus.context.location, runs=tmp_path / "runs") as fresh:
        found = fresh.recommend(CONTEXT, **how)
        assert (found.notes, found.settings.system) == ((), "fused")
    monkeypatch.setattr(cache, "FEW_TEXTS", 0)
    with citescape.open(corpus.context.location, runs=tmp_path / "asked") as fresh:
        found = fresh.recommend(CONTEXT, system="dense", **how)
        assert (found.notes, found.settings.system) == ((), "dense")


def test_profiles_stay_in_memory_while_papers_do_not_change(
    corpus: Corpus,
    encoder: str,  # noqa: F811
) -> None:
    first = open_recommender(corpus, encoder)
    assert open_recommender(corpus, encoder) is first
    corpus.cypher("CREATE (:Meta {id: 'note'})", write=True)
    assert open_recommender(corpus, encoder) is first  # no paper has changed
    assert open_recommender(corpus, encoder, rerank="any") is first
    corpus.context.release()
    assert open_recommender(corpus, encoder) is first
    kept = first.profiles.run
    assert open_recommender(corpus, encoder, profiles=first.profiles).profiles.run == kept
    assert list_notes(corpus) == ()
    (row,) = corpus.cypher(
        "MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id ORDER BY id LIMIT 1"
    ).arrow.to_pylist()
    title = "MATCH (p:Paper {id: $id}) SET p.title = 'Chickpea, renamed'"
    corpus.cypher(title, id=row["id"], write=True)
    open_recommender(corpus, encoder, profiles=kept)
    (note,) = list_notes(corpus)
    assert note.startswith(kept)
    again = open_recommender(corpus, encoder).profiles
    assert again.run != kept
    assert 0 < again.counts["computed"] < again.counts["papers"]
    assert list_notes(corpus) == ()
    found = corpus.recommend(CONTEXT, title="chickpea renamed", k=1, encoder=encoder, max_tokens=32)
    (note,) = found.contexts[0].notes
    assert row["id"] in note


def test_profiles_leave_memory_before_others_are_loaded(
    corpus: Corpus,
    encoder: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, gone = weakref.ref(open_recommender(corpus, encoder)), []
    monkeypatch.setattr(corpus.context, "progress", lambda _: gone.append(first() is None))
    open_recommender(corpus, encoder, alpha=0.3)
    assert gone
    assert all(gone)


def test_other_weights_reuse_the_same_vectors(
    corpus: Corpus,
    encoder: str,  # noqa: F811
) -> None:
    published = open_recommender(corpus, encoder).profiles
    texts = list_runs(corpus.context.runs, "texts")
    profiles = open_recommender(corpus, encoder, alpha=0.5, beta=0.5).profiles
    assert published.run == open_recommender(corpus, encoder, beta=0.2).profiles.run
    assert profiles.run != published.run
    assert list_runs(corpus.context.runs, "texts") == texts
    assert (profiles.base == published.base).all()
    assert (profiles.profiles != published.profiles).any()


def test_a_reranker_stays_in_memory(
    corpus: Corpus,
    encoder: str,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named = str(write_model(tmp_path / "cross", classifier=True))
    lines: list[str] = []
    monkeypatch.setattr(corpus.context, "progress", lines.append)
    first, again = (
        corpus.recommend(CONTEXT, k=3, encoder=encoder, max_tokens=32, rerank=named)
        for _ in range(2)
    )
    assert first.contexts == again.contexts
    assert lines.count("loading the reranker") == 1
    assert set(first.timings) >= {"reranker", "recommendations"}
    assert set(again.timings) == {"recommendations"}


def test_defaults_are_the_published_weights() -> None:
    step = Recommend(CONTEXT)
    weights = ProfileWeights(step.alpha, step.beta, step.gamma, step.delta)
    assert weights == ProfileWeights()
    assert step.system is None
    assert get_args(System) == (*SYSTEMS,)


@pytest.mark.parametrize("context", ["<p></p>", "[?]"])
def test_requests_are_checked_before_profiles_are_computed(corpus: Corpus, context: str) -> None:
    with pytest.raises(CitescapeError, match="the context has no words"):
        corpus.recommend(context, encoder="no-such-encoder")


@pytest.mark.parametrize(
    "settings",
    [
        {"system": "best"},
        {"k": 0},
        {"sentences": -1},
        {"word_weight": 2},
        {"weight": 1.5},
        {"delta": -1},
        {"gamma": 0, "delta": 0},
        {"draft": "paper.tex"},
        {"context": ""},
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        Recommend(**{"context": CONTEXT, **settings})


def test_the_command_line_of_a_step() -> None:
    step = Recommend("Roots", k=3)
    assert command_words("recommend", step) == "recommend --context Roots --k 3"


def test_choices_equal_those_of_the_library() -> None:
    """The steps repeat them, because the library is slow to import."""
    assert set(get_args(Protocol)) == set(PROTOCOLS)
    assert set(get_args(Candidates)) == {ALL, TRAINING}
    assert set(get_args(Contexts)) == set(CONTEXTS)
    choices = {item.name: item.choices for item in describe(TrainReranker)}
    assert set(choices["kind"]) == set(KINDS)
    assert set(choices["ablation"]) == set(ABLATIONS)
    assert set(choices["loss"]) == set(LOSSES)


def test_defaults_equal_those_of_the_library() -> None:
    evaluation = EvaluateLcr().evaluation(Context.open("x.lbug"), EvaluateLcr().max_tokens)
    assert evaluation == LcrEvaluationConfig()
    training = TrainReranker()
    assert training.folds == ShortlistConfig().folds
    names = ("batch", "weight_decay", "dropout", "margin", "hidden", "abstracts", "base", "seed")
    for name in names:
        assert getattr(training, name) == getattr(RerankConfig(), name)
    assert training.pair_tokens == RerankConfig().max_tokens


def test_defaults_that_depend_on_the_kind_are_described() -> None:
    usual, published = (asdict(RerankConfig(kind=kind)) for kind in ("vectors", "davinci"))
    words = {True: "yes", False: "no"}
    for item in describe(TrainReranker):
        if item.name in USUAL["vectors"]:
            pair = [
                words.get(defaults[item.name], defaults[item.name])
                if item.name == "inject"
                else defaults[item.name]
                for defaults in (usual, published)
            ]
            assert item.default is None
            assert item.setting.default == f"{pair[0]}; {pair[1]} for other kinds"
