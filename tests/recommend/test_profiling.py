"""Runs of profiles: correct by definition, and updated only where the library changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import load_npz

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.encoding import ResolvedEncoder
from citescape.recommend.profiler import ProfileWeights, compose_queries
from citescape.recommend.profiles import (
    BASE,
    CONTEXT_WORDS,
    CONTEXTS,
    PAPER_WORDS,
    PROFILES,
    ProfileRun,
)
from citescape.recommend.profiling import ProfileConfig, make_profiles
from citescape.recommend.queries import ContextQueries
from citescape.recommend.retriever import SYSTEMS, retrieve
from citescape.recommend.texts import read_texts
from citescape.runs.directory import list_runs
from tests.recommend.libraries import Pair, Paper, define_profile, draw_library, make_library

PAPERS, PAIRS = draw_library()
Made = Callable[..., ProfileRun]


@pytest.fixture(scope="module")
def make(tiny: Path) -> Made:
    """Profiles of papers and pairs by a tiny encoder."""

    def build(
        runs: Path,
        papers: Sequence[Paper] = PAPERS,
        pairs: Sequence[Pair] = PAIRS,
        **weights: float,
    ) -> ProfileRun:
        config = ProfileConfig(ProfileWeights(**weights), EmbedConfig(str(tiny), max_tokens=32))  # type: ignore[arg-type]
        return make_profiles(make_library(papers, pairs), config, runs=runs)

    return build


@pytest.fixture(scope="module")
def whole_run(make: Made, tmp_path_factory: pytest.TempPathFactory) -> ProfileRun:
    """The run of the whole library; tests write nothing beside it."""
    return make(tmp_path_factory.mktemp("whole"))


def assert_same(first: ProfileRun, second: ProfileRun) -> None:
    """Profiles, words and dates are equal to the bit."""
    for name in (BASE, CONTEXTS, PROFILES):
        assert (first.path / name).read_bytes() == (second.path / name).read_bytes(), name
    for name in (PAPER_WORDS, CONTEXT_WORDS):
        matrices = [load_npz(run.path / name) for run in (first, second)]
        assert (matrices[0] != matrices[1]).nnz == 0, name
    assert first.papers == second.papers
    assert first.lexicon.words == second.lexicon.words


def test_profiles_of_a_run_equal_the_definition(whole_run: ProfileRun) -> None:
    ids, _ = read_texts(make_library(PAPERS, PAIRS).contexts)
    base = dict(zip(whole_run.ids.to_pylist(), np.float64(whole_run.base), strict=True))
    context_vectors = dict(zip(ids.to_pylist(), np.float64(whole_run.context_vectors), strict=True))
    wanted = [define_profile(paper, base, context_vectors, pairs=PAIRS) for paper in base]
    assert whole_run.profiles == pytest.approx(np.array(wanted), rel=1e-5, abs=1e-6)
    assert not whole_run.base[0].any()  # it has no text
    assert whole_run.base[1:].any(axis=1).all()
    citing = {id_: {j for _, j, i, _ in PAIRS if i == id_} for id_ in base}
    assert whole_run.papers["cited_by"].to_pylist() == [len(citing[id_]) for id_ in base]
    assert not whole_run.unchanged
    assert dict(whole_run.counts) == {
        "papers": 12,
        "profiled": sum(map(bool, citing.values())),
        "computed": 12,
        "contexts": 30,
        "wordless_contexts": len({c for c, *_, t in PAIRS if not t.split("CIT")[-1].strip()}),
        "citing": len({j for _, j, _, _ in PAIRS}),
        "dimensions": 32,
    }


def test_the_same_library_in_any_order_is_the_same_run(
    make: Made, whole_run: ProfileRun, tmp_path: Path
) -> None:
    mixed = [PAIRS[k] for k in np.random.default_rng(0).permutation(len(PAIRS))]
    assert_same(make(tmp_path, PAPERS[::-1], mixed), whole_run)
    again = make(whole_run.path.parent, PAPERS, mixed)
    assert again.unchanged
    assert again.path == whole_run.path


def change_text(at: int) -> tuple[list[Paper], list[Pair]]:
    papers = list(PAPERS)
    papers[at] = (papers[at][0], "nebula flare", *papers[at][2:])
    return papers, PAIRS


def change_context(at: str) -> tuple[list[Paper], list[Pair]]:
    return PAPERS, [(*p[:3], f"{p[3]} comet") if p[0] == at else p for p in PAIRS]


NEW: Paper = ("p05x", "planet lens", "dust", "")
ADDED = (
    [*PAPERS, NEW],
    [
        *PAIRS,
        ("c05x", "p05x", "p03", "TARGETCIT OTHERCIT orbit comet"),
        ("c05x", "p05x", "p07", "OTHERCIT TARGETCIT orbit comet"),
        ("c07x", "p05x", "p03", "TARGETCIT"),
    ],
)
REMOVED = PAPERS[:4] + PAPERS[5:], [pair for pair in PAIRS if "p04" not in pair]
FEWER = PAPERS, [pair for pair in PAIRS if pair[1] != "p04"]
CHANGES = {
    "a citing paper more, amid the others": ADDED,
    "a paper less": REMOVED,
    "a full text less": FEWER,
    "another title": change_text(5),
    "a title where was none": change_text(0),
    "another context": change_context("c03"),
    "words where were none": change_context("c06"),
    "no contexts": (PAPERS, []),
}


def list_inputs(papers: Sequence[Paper], pairs: Sequence[Pair]) -> dict[str, object]:
    """Inputs of the profile of each paper."""
    texts = {id_: (title, abstract) for id_, title, abstract, _ in papers}
    words = {pair[0]: pair[3].replace("TARGETCIT", "").replace("OTHERCIT", "") for pair in pairs}
    return {
        id_: (own, {(j, texts[j], c, words[c]) for c, j, i, _ in pairs if i == id_})
        for id_, own in texts.items()
    }


@pytest.mark.parametrize("change", CHANGES)
def test_only_changed_profiles_are_computed_again(
    change: str, make: Made, whole_run: ProfileRun, tmp_path: Path
) -> None:
    """Only new texts are encoded, and the result equals that of a full build."""
    papers, pairs = CHANGES[change]
    runs = Path(shutil.copytree(whole_run.path.parent, tmp_path / "grown"))
    lots = len(list_runs(runs, "texts"))
    grown = make(runs, papers, pairs)
    before, after = list_inputs(PAPERS, PAIRS), list_inputs(papers, pairs)
    touched = [id_ for id_ in after if after[id_] != before.get(id_)]
    assert grown.counts["computed"] == len(touched)
    new = {texts for texts in read_all(papers, pairs) if texts not in read_all(PAPERS, PAIRS)}
    encoded = [record.counts["papers"] for record, _ in list_runs(runs, "texts")[lots:]]
    assert sum(encoded) == len(new)
    assert_same(grown, make(tmp_path / "fresh", papers, pairs))


def read_all(papers: Sequence[Paper], pairs: Sequence[Pair]) -> set[Document]:
    library = make_library(papers, pairs)
    context_texts = [Document("", text) for text in read_texts(library.contexts)[1]]
    return {
        document for document in [*library.documents, *context_texts] if document != Document("")
    }


def test_undoing_a_change_reuses_the_earlier_run(make: Made, tmp_path: Path) -> None:
    first = make(tmp_path)
    assert make(tmp_path, *ADDED).counts["computed"] == 3
    assert make(tmp_path).path == first.path
    assert make(tmp_path, *REMOVED).counts["computed"] <= 12


def test_other_weights_recompute_profiles_but_query_weights_do_not(
    make: Made, whole_run: ProfileRun, tmp_path: Path
) -> None:
    runs = whole_run.path.parent
    assert make(runs, gamma=0.1, delta=0.9).path == whole_run.path
    for weights in ({"alpha": 0.5}, {"beta": 0.0}):
        other = make(tmp_path, *ADDED, **weights)
        assert other.counts["computed"] == 13
    assert make(tmp_path, **weights).counts["computed"] == 2  # p03 and p07 lose a citing paper


def test_profiles_of_another_revision_are_not_reused(
    make: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make(tmp_path)
    monkeypatch.setattr("citescape.runs.directory._REVISIONS", {"profile": 9})
    again = make(tmp_path)
    assert again.run != first.run
    assert again.counts["computed"] == 12


def test_held_out_contexts_do_not_affect_profiles(make: Made, tmp_path: Path) -> None:
    """The run holds neither words nor vectors nor ids of held-out contexts."""
    secret = [(*pair[:3], f"{pair[3]} zzyzx") for pair in PAIRS if pair[1] in ("p02", "p09")]
    training = [pair for pair in PAIRS if pair[1] not in ("p02", "p09")]
    whole = make_library(PAPERS, [*training, *secret])
    citing = whole.contexts.pairs["citing"].to_pylist()
    kept = whole.contexts.filter([paper not in ("p02", "p09") for paper in citing])
    pairs = [tuple(row.values()) for row in kept.pairs.to_pylist()]
    found = make(tmp_path / "split", PAPERS, pairs)
    assert_same(found, make(tmp_path / "never", PAPERS, training))
    assert "zzyzx" not in found.lexicon.words
    assert not set(found.contexts.ids.to_pylist()) & {pair[0] for pair in secret}
    assert len(found.context_vectors) == len(read_texts(found.contexts)[0])


@pytest.mark.parametrize("paper", [1, 6])
def test_a_profile_does_not_depend_on_contexts_of_others(
    paper: int, make: Made, whole_run: ProfileRun, tmp_path: Path
) -> None:
    id_ = f"p{paper:02d}"
    assert whole_run.papers["cited_by"][paper].as_py() > 0
    alone = make(tmp_path, PAPERS, [pair for pair in PAIRS if pair[2] == id_])
    assert (alone.profiles[paper] == whole_run.profiles[paper]).all()


def test_a_library_without_words_has_zero_profiles(make: Made, tmp_path: Path) -> None:
    mute = [(f"p{k}", "", "", "") for k in range(3)]
    found = make(tmp_path, mute, [("c", "p0", "p1", "TARGETCIT")])
    assert not found.profiles.any()
    assert found.counts["wordless_contexts"] == 1
    assert len(found.index.word_profiles) == 3


def test_a_model_that_is_no_encoder_is_refused(tmp_path: Path) -> None:
    config = ProfileConfig(encoder=EmbedConfig("./nowhere"))
    with pytest.raises(ConfigError, match="no pretrained encoder"):
        make_profiles(make_library(PAPERS, PAIRS), config, runs=tmp_path)
    assert list(tmp_path.iterdir()) == []


PLANTED = [
    ("cold", "galaxy comet nebula", "", "2001"),
    ("warm", "harvest straw", "", "2001"),
    *((f"x{k}", " ".join(words), "", "2001") for k, words in enumerate(
        [("soil", "drought"), ("grain", "yield"), ("field", "soil"), ("drought", "grain")])),
]  # fmt: skip
SAID_OF_WARM = [(f"c{k}", f"x{k}", "warm", "orbit flare eclipse TARGETCIT") for k in range(3)]
BY_PROFILES = {"bm25-profile", "profiler", "calibrated", "fused"}


@pytest.fixture(scope="module")
def planted(make: Made, tmp_path_factory: pytest.TempPathFactory) -> ProfileRun:
    return make(tmp_path_factory.mktemp("planted"), PLANTED, SAID_OF_WARM)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_finds_papers_by_the_text_it_uses(
    system: str, planted: ProfileRun, tiny: Path
) -> None:
    """One query has the words of a cold paper, the other those of contexts citing a warm one."""
    runs, index = planted.path.parent, planted.index
    encoder = ResolvedEncoder.from_config(EmbedConfig(str(tiny), max_tokens=32), runs).load()
    texts = ["galaxy comet nebula", "orbit flare eclipse"]
    nobody = [Document("")] * 2
    context_vectors = encoder([Document("", text) for text in texts])
    vectors = compose_queries(
        context_vectors, np.zeros_like(context_vectors), ProfileWeights(gamma=1, delta=0)
    )
    queries = ContextQueries.from_vectors(vectors, index.lexicon.weigh_queries(texts, nobody))
    found = retrieve(index, queries, system, k=6)
    ids = [[planted.ids[int(row)].as_py() for row in rows] for rows in found.papers]
    assert all(sorted(row) == sorted(id_ for id_, *_ in PLANTED) for row in ids)
    assert ids[0][0] == "cold"
    assert (ids[1][0] == "warm") == (system in BY_PROFILES)
