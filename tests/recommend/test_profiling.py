"""Profiles of a library as a run: by definition, of nothing else, and made anew where touched."""

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
def made(make: Made, tmp_path_factory: pytest.TempPathFactory) -> ProfileRun:
    """The run of the whole library; nothing is written beside it."""
    return make(tmp_path_factory.mktemp("whole"))


def assert_same(one: ProfileRun, other: ProfileRun) -> None:
    """All that queries are held against, to the bit."""
    for name in (BASE, CONTEXTS, PROFILES):
        assert (one.path / name).read_bytes() == (other.path / name).read_bytes(), name
    for name in (PAPER_WORDS, CONTEXT_WORDS):
        matrices = [load_npz(run.path / name) for run in (one, other)]
        assert (matrices[0] != matrices[1]).nnz == 0, name
    assert one.papers == other.papers
    assert one.lexicon.words == other.lexicon.words


def test_a_run_is_what_is_defined(made: ProfileRun) -> None:
    ids, _ = read_texts(make_library(PAPERS, PAIRS).contexts)
    base = dict(zip(made.ids.to_pylist(), np.float64(made.base), strict=True))
    said = dict(zip(ids.to_pylist(), np.float64(made.context_vectors), strict=True))
    wanted = [define_profile(paper, base, said, pairs=PAIRS) for paper in base]
    assert made.profiles == pytest.approx(np.array(wanted), rel=1e-5, abs=1e-6)
    assert not made.base[0].any()  # it has no text
    assert made.base[1:].any(axis=1).all()
    citing = {id_: {j for _, j, i, _ in PAIRS if i == id_} for id_ in base}
    assert made.papers["cited_by"].to_pylist() == [len(citing[id_]) for id_ in base]
    assert not made.unchanged
    assert dict(made.counts) == {
        "papers": 12,
        "profiled": sum(map(bool, citing.values())),
        "computed": 12,
        "contexts": 30,
        "wordless_contexts": len({c for c, *_, t in PAIRS if not t.split("CIT")[-1].strip()}),
        "citing": len({j for _, j, _, _ in PAIRS}),
        "dimensions": 32,
    }


def test_the_same_library_in_any_order_is_the_same_run(
    make: Made, made: ProfileRun, tmp_path: Path
) -> None:
    mixed = [PAIRS[k] for k in np.random.default_rng(0).permutation(len(PAIRS))]
    assert_same(make(tmp_path, PAPERS[::-1], mixed), made)
    again = make(made.path.parent, PAPERS, mixed)
    assert again.unchanged
    assert again.path == made.path


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


def tell_material(papers: Sequence[Paper], pairs: Sequence[Pair]) -> dict[str, object]:
    """All that the profile of each paper is made of."""
    texts = {id_: (title, abstract) for id_, title, abstract, _ in papers}
    words = {pair[0]: pair[3].replace("TARGETCIT", "").replace("OTHERCIT", "") for pair in pairs}
    return {
        id_: (own, {(j, texts[j], c, words[c]) for c, j, i, _ in pairs if i == id_})
        for id_, own in texts.items()
    }


@pytest.mark.parametrize("change", CHANGES)
def test_only_what_a_change_touches_is_made_anew(
    change: str, make: Made, made: ProfileRun, tmp_path: Path
) -> None:
    """And only what was never read is encoded; the result is that of a build from nothing."""
    papers, pairs = CHANGES[change]
    runs = Path(shutil.copytree(made.path.parent, tmp_path / "grown"))
    lots = len(list_runs(runs, "texts"))
    grown = make(runs, papers, pairs)
    before, after = tell_material(PAPERS, PAIRS), tell_material(papers, pairs)
    touched = [id_ for id_ in after if after[id_] != before.get(id_)]
    assert grown.counts["computed"] == len(touched)
    new = {texts for texts in read_all(papers, pairs) if texts not in read_all(PAPERS, PAIRS)}
    encoded = [record.counts["papers"] for record, _ in list_runs(runs, "texts")[lots:]]
    assert sum(encoded) == len(new)
    assert_same(grown, make(tmp_path / "fresh", papers, pairs))


def read_all(papers: Sequence[Paper], pairs: Sequence[Pair]) -> set[Document]:
    library = make_library(papers, pairs)
    said = [Document("", text) for text in read_texts(library.contexts)[1]]
    return {document for document in [*library.documents, *said] if document != Document("")}


def test_a_change_taken_back_is_the_run_from_before(make: Made, tmp_path: Path) -> None:
    first = make(tmp_path)
    assert make(tmp_path, *ADDED).counts["computed"] == 3
    assert make(tmp_path).path == first.path
    assert make(tmp_path, *REMOVED).counts["computed"] <= 12


def test_other_weights_are_made_anew_and_queries_are_not_part_of_it(
    make: Made, made: ProfileRun, tmp_path: Path
) -> None:
    runs = made.path.parent
    assert make(runs, gamma=0.1, delta=0.9).path == made.path
    for weights in ({"alpha": 0.5}, {"beta": 0.0}):
        other = make(tmp_path, *ADDED, **weights)
        assert other.counts["computed"] == 13
    assert make(tmp_path, **weights).counts["computed"] == 2  # p03 and p07 lose a citing paper


def test_profiles_of_another_revision_are_not_taken_over(
    make: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make(tmp_path)
    monkeypatch.setattr("citescape.runs.directory._REVISIONS", {"profile": 9})
    again = make(tmp_path)
    assert again.run != first.run
    assert again.counts["computed"] == 12


def test_profiles_are_made_of_nothing_but_what_is_given(make: Made, tmp_path: Path) -> None:
    """Of contexts that are to be found out neither words nor vectors nor ids are in the run."""
    secret = [(*pair[:3], f"{pair[3]} zzyzx") for pair in PAIRS if pair[1] in ("p02", "p09")]
    training = [pair for pair in PAIRS if pair[1] not in ("p02", "p09")]
    whole = make_library(PAPERS, [*training, *secret])
    citing = whole.contexts.pairs["citing"].to_pylist()
    kept = whole.contexts.filter([one not in ("p02", "p09") for one in citing])
    pairs = [tuple(row.values()) for row in kept.pairs.to_pylist()]
    found = make(tmp_path / "split", PAPERS, pairs)
    assert_same(found, make(tmp_path / "never", PAPERS, training))
    assert "zzyzx" not in found.lexicon.words
    assert not set(found.contexts.ids.to_pylist()) & {pair[0] for pair in secret}
    assert len(found.context_vectors) == len(read_texts(found.contexts)[0])


@pytest.mark.parametrize("paper", [1, 6])
def test_a_profile_does_not_depend_on_contexts_of_others(
    paper: int, make: Made, made: ProfileRun, tmp_path: Path
) -> None:
    id_ = f"p{paper:02d}"
    assert made.papers["cited_by"][paper].as_py() > 0
    alone = make(tmp_path, PAPERS, [pair for pair in PAIRS if pair[2] == id_])
    assert (alone.profiles[paper] == made.profiles[paper]).all()


def test_a_library_without_words_has_profiles_of_zeros(make: Made, tmp_path: Path) -> None:
    mute = [(f"p{k}", "", "", "") for k in range(3)]
    found = make(tmp_path, mute, [("c", "p0", "p1", "TARGETCIT")])
    assert not found.profiles.any()
    assert found.counts["wordless_contexts"] == 1
    assert len(found.index.word_profiles) == 3


def test_weights_of_no_encoder(tmp_path: Path) -> None:
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
def test_every_system_finds_what_it_reads(system: str, planted: ProfileRun, tiny: Path) -> None:
    """One query has the words of a cold paper, one those in which others cite a warm one."""
    runs, index = planted.path.parent, planted.index
    encoder = ResolvedEncoder.from_config(EmbedConfig(str(tiny), max_tokens=32), runs).load()
    texts = ["galaxy comet nebula", "orbit flare eclipse"]
    nobody = [Document("")] * 2
    said = encoder([Document("", text) for text in texts])
    vectors = compose_queries(said, np.zeros_like(said), ProfileWeights(gamma=1, delta=0))
    asked = ContextQueries.from_vectors(vectors, index.lexicon.weigh_queries(texts, nobody))
    found = retrieve(index, asked, system, k=6)
    ids = [[planted.ids[int(row)].as_py() for row in rows] for rows in found.papers]
    assert all(sorted(row) == sorted(id_ for id_, *_ in PLANTED) for row in ids)
    assert ids[0][0] == "cold"
    assert (ids[1][0] == "warm") == (system in BY_PROFILES)
