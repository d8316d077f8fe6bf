"""Papers to cite in Python, on a generated world."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import citescape
from citescape import CitescapeError, Corpus, ProfilesConfig, RecommendConfig
from citescape.core.errors import ConfigError
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.recommend.drafts.wants import read_draft
from citescape.recommend.profiler import ProfileWeights
from citescape.runs.directory import list_runs
from tests.embeddings.conftest import encoder  # noqa: F401 - a fixture
from tests.training.reranking.conftest import write_model

CONTEXT = "Nodulation of chickpea rotations was limited by phosphate [?]."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("recommended")
    write_corpus(generate_world(papers=50, seed=3), folder / "papers")
    with citescape.open(folder / "corpus.lbug") as made:
        made.ingest(folder / "papers")
        yield made


def test_a_sentence_and_a_draft(corpus: Corpus, encoder: str, tmp_path: Path) -> None:  # noqa: F811
    profiles = ProfilesConfig(encoder, max_tokens=32)
    found = corpus.recommend(CONTEXT, title="Chickpea", k=3, profiles=profiles)
    assert [one.rank for one in found.papers] == [1, 2, 3]
    assert found.papers[0].received.importance is None  # nothing is scored
    path = tmp_path / "draft.md"
    path.write_text(f"# Chickpea\n\n{CONTEXT} It snowed [CITE].\n")
    config = RecommendConfig(system="bm25", sentences=0)
    told: list[str] = []
    first, second = corpus.recommend.draft(
        path, k=4, config=config, profiles=profiles, progress=told.append
    )
    assert (first.want.line, first.want.sentence) == (3, found.context)
    assert len(first.recommended.papers) == len(second.recommended.papers) == 4
    assert not first.recommended.papers[0].sentences
    (alone,) = corpus.recommend.draft(read_draft(CONTEXT), title="Chickpea", k=3, profiles=profiles)
    assert alone.recommended == found
    rows = found.table.to_pylist()
    assert [row["id"] for row in rows] == [one.work.id for one in found.papers]
    best = found.papers[0]
    assert rows[0]["sentence"] == (best.sentences[0].text if best.sentences else None)
    assert rows[0]["importance"] is None
    assert not first.recommended.table["sentence"].drop_null()
    years = [
        corpus.recommend(CONTEXT, before=day, profiles=profiles).papers for day in (2050, "2050")
    ]
    assert years[0] == years[1]


def test_profiles_stay_in_memory_while_papers_do(
    corpus: Corpus,
    encoder: str,  # noqa: F811
) -> None:
    profiles = ProfilesConfig(encoder, max_tokens=32)
    first = corpus.recommend.open(profiles)
    assert corpus.recommend.open(profiles) is first
    corpus.cypher("CREATE (:Meta {id: 'note'})", write=True)
    assert corpus.recommend.open(profiles) is first  # no paper has changed
    assert corpus.recommend.open(replace(profiles, rerank="any")) is first
    held = replace(profiles, profiles=first.profiles.run)
    assert corpus.recommend.open(held).profiles.run == first.profiles.run
    assert corpus.recommend.notes == ()
    (row,) = corpus.cypher(
        "MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id ORDER BY id LIMIT 1"
    ).arrow.to_pylist()
    title = "MATCH (p:Paper {id: $id}) SET p.title = 'Chickpea, renamed'"
    corpus.cypher(title, id=row["id"], write=True)
    corpus.recommend.open(held)
    assert corpus.recommend.notes == (
        f"{first.profiles.run} are profiles of another state of {corpus.store.location}",
    )
    again = corpus.recommend.open(profiles).profiles
    assert again.run != first.profiles.run
    assert 0 < again.counts["made"] < again.counts["papers"]
    assert corpus.recommend.notes == ()
    found = corpus.recommend(CONTEXT, title="chickpea renamed", k=1, profiles=profiles)
    assert found.notes == (f"the title is that of {row['id']}, which is not recommended",)


def test_profiles_leave_memory_before_others_come(
    corpus: Corpus,
    encoder: str,  # noqa: F811
) -> None:
    profiles = ProfilesConfig(encoder, max_tokens=32)
    first, gone = weakref.ref(corpus.recommend.open(profiles)), []
    other = replace(profiles, alpha=0.3)
    corpus.recommend.open(other, progress=lambda _: gone.append(first() is None))
    assert gone
    assert all(gone)


def test_profiles_of_other_weights_are_others_of_the_same_vectors(
    corpus: Corpus,
    encoder: str,  # noqa: F811
) -> None:
    profiles = ProfilesConfig(encoder, max_tokens=32)
    published = corpus.recommend.open(profiles).profiles
    texts = list_runs(corpus.recommend.runs, "texts")
    made = corpus.recommend.open(replace(profiles, alpha=0.5, beta=0.5)).profiles
    assert published.run == corpus.recommend.open(replace(profiles, beta=0.2)).profiles.run
    assert made.run != published.run
    assert list_runs(corpus.recommend.runs, "texts") == texts
    assert (made.base == published.base).all()
    assert (made.profiles != published.profiles).any()
    with pytest.raises(ConfigError, match=r"alpha is 1.5; expected 0 to 1"):
        corpus.recommend.open(replace(profiles, alpha=1.5))


def test_a_reranker_stays_in_memory(
    corpus: Corpus,
    encoder: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    named = str(write_model(tmp_path / "cross", classifier=True))
    profiles = ProfilesConfig(encoder, max_tokens=32, rerank=named)
    told: list[str] = []
    first, again = (
        corpus.recommend(CONTEXT, k=3, profiles=profiles, progress=told.append) for _ in range(2)
    )
    assert first == again
    assert told.count("loading the reranker") == 1


def test_defaults_are_the_published_weights() -> None:
    config, profiles = RecommendConfig(), ProfilesConfig()
    weights = ProfileWeights(profiles.alpha, profiles.beta, config.gamma, config.delta)
    assert weights == ProfileWeights()


@pytest.mark.parametrize("wrong", ["", "[?]"])
def test_nothing_is_made_for_nothing(corpus: Corpus, wrong: str) -> None:
    with pytest.raises(CitescapeError, match="the context has no words"):
        corpus.recommend(wrong, profiles=ProfilesConfig("no-such-encoder"))


def test_settings_that_cannot_be() -> None:
    with pytest.raises(ConfigError, match="system is 'best'; expected one of: bm25"):
        RecommendConfig(system="best")
    with pytest.raises(ConfigError, match="found 0 papers with 1 sentences each"):
        RecommendConfig(k=0)
    with pytest.raises(ConfigError, match="the share of words is 2; expected 0 to 1"):
        RecommendConfig(words=2)
    with pytest.raises(ConfigError, match="delta is -1; expected 0 to 1"):
        RecommendConfig(delta=-1)
