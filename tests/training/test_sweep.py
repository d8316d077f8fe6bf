"""Comparison of samplers, without learning from evaluation anchors."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lxml import etree

from citescape.core.errors import ConfigError, StoreError
from citescape.embeddings.embed import embed
from citescape.embeddings.graph_memory import embed_citations
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import EncoderSettings
from citescape.encoders.graph_config import GraphConfig
from citescape.encoders.saved import hash_document_encoder, write_encoder_settings
from citescape.evaluation.choosing import open_choice_tasks
from citescape.networks.citations import Citations
from citescape.runs.directory import RunRecord, open_run, read_run
from citescape.sampling.config import ImportanceConfig, NeighbourhoodConfig, SamplingConfig
from citescape.sampling.importance import sample_importance
from citescape.sampling.pool import Mask
from citescape.sampling.triplets import Triplets
from citescape.search.vectors import Vectors, write_vectors
from citescape.store.graph_store import GraphStore, open_store
from citescape.training.choosing import to_embeddings
from citescape.training.config import SweepConfig, TrainConfig
from citescape.training.pools import POOLS, PoolNegatives, Pools, compute_pools, draw_negatives
from citescape.training.sweep import (
    UNTRAINED,
    Arm,
    Sampler,
    choose_held_out,
    compare_arms,
    importance_sampler,
    neighbourhood_sampler,
    shuffled_sampler,
    specter_sampler,
    summarise_arms,
)
from citescape.training.sweep_picture import draw_sweep
from citescape.training.sweep_run import PICTURE, TABLE, make_arms, run_sweep
from tests.sampling.conftest import arrays, random_graph
from tests.sampling.test_sample import fill
from tests.training.conftest import WORDS, write_model

PAPERS = 90
QUICK = TrainConfig(tune="adapter", epochs=1, batch=64)
SMALL = ImportanceConfig(3, 1)


@pytest.fixture(scope="module")
def citations() -> Citations:
    return arrays(random_graph(PAPERS, 12, 5, levels=30))


def vectors_of(ids: pa.StringArray, *, without: int = 0) -> Vectors:
    """Random vectors of all papers except the first `without`."""
    some = ids[without:]
    values = np.random.default_rng(0).normal(size=(len(some), 8)).astype(np.float32)
    return Vectors(pa.table({"id": some}), values)


class RecordingSampler:
    """A sampler that records its inputs."""

    def __init__(self) -> None:
        self.seen: list[tuple[Citations, Mask, int]] = []

    def __call__(self, citations: Citations, usable: Mask, seed: int) -> Triplets:
        self.seen.append((citations, usable, seed))
        return sample_importance(
            citations, usable, SMALL, sampling=SamplingConfig(seed=seed)
        ).triplets


def test_held_out_anchors_are_in_no_training_graph(citations: Citations) -> None:
    spy, vectors = RecordingSampler(), vectors_of(citations.ids, without=5)
    rows = compare_arms({"spy": Arm(spy, QUICK)}, citations, vectors, seeds=3, held_out=0.3)
    assert [seed for _, _, seed in spy.seen] == [0, 1, 2]
    usable = vectors.rows(citations.ids) >= 0
    kept = []
    for seed, (seen, mask, _) in enumerate(spy.seen):
        held = choose_held_out(citations, usable, share=0.3, seed=seed)
        names = {citations.ids[int(code)].as_py() for code in held}
        assert not names & set(seen.ids.to_pylist())
        assert seen.ids.equals(citations.without(names).ids)
        assert mask.tolist() == (vectors.rows(seen.ids) >= 0).tolist()
        kept.append(names)
    assert len({frozenset(names) for names in kept}) == 3, "others for each seed"
    assert rows["anchors"].to_pylist() == [len(kept[seed]) for seed in (0, 0, 1, 1, 2, 2)]


def test_all_arms_learn_from_the_same_anchors(citations: Citations) -> None:
    """Anchors have enough references for the largest H, so that arms are comparable."""
    shown: dict[str, set[str]] = {}

    def spy(name: str, config: ImportanceConfig) -> Sampler:
        def sample(seen: Citations, usable: Mask, seed: int) -> Triplets:
            sampled = importance_sampler(config)(seen, usable, seed)
            shown[name] = set(sampled.ids.take(pa.array(sampled.anchor)).to_pylist())
            return sampled

        return sample

    few, many = (ImportanceConfig(3, hard, contradictions="keep") for hard in (0, 3))
    arms = {"few": Arm(spy("few", few), QUICK), "many": Arm(spy("many", many), QUICK)}
    vectors = vectors_of(citations.ids)
    result = compare_arms(arms, citations, vectors, seeds=1, min_references=many.needed).to_pylist()
    assert shown["many"] < shown["few"], "of which the others are left out"
    counts = {row["arm"]: row["triplets"] for row in result}
    assert counts["few"] == 3 * len(shown["many"])
    assert SweepConfig(positives=3, hards=(0, 3)).needed == many.needed == 6


def test_held_out_anchors_have_text_and_seven_references(citations: Citations) -> None:
    usable = np.random.default_rng(1).random(len(citations.ids)) < 0.7
    able = []
    for paper in range(len(citations.ids)):
        cited = citations.cited[citations.indptr[paper] : citations.indptr[paper + 1]]
        if usable[paper] and usable[cited].sum() >= 7:
            able.append(paper)
    held = choose_held_out(citations, usable, share=0.25, seed=0)
    assert set(held.tolist()) <= set(able)
    assert len(held) == round(0.25 * len(able))
    assert (choose_held_out(citations, usable, share=0.25, seed=0) == held).all()
    for share in (0.0, 1.0):
        with pytest.raises(
            ConfigError, match=rf"{len(able)} papers have a vector and 7 references"
        ):
            choose_held_out(citations, usable, share=share, seed=0)


def test_metrics_are_those_of_pools_before_and_after_training(citations: Citations) -> None:
    vectors = vectors_of(citations.ids)
    arms = {"same": Arm(importance_sampler(SMALL), replace(QUICK, learning_rate=1e-12))}
    result = compare_arms(arms, citations, vectors, seeds=2, max_anchors=7).to_pylist()
    assert [row["arm"] for row in result] == [UNTRAINED, "same"] * 2
    for before, after in zip(result[::2], result[1::2], strict=True):
        seed = before["seed"]
        every = np.ones(len(citations.ids), np.bool_)
        held = choose_held_out(citations, every, share=0.2, seed=seed)[:7]
        pools = compute_pools(
            np.asarray(vectors.values), draw_negatives(citations, held, seed=seed)
        )
        assert {name: before[name] for name in POOLS} == pools.as_dict()
        assert before["triplets"] == 0 < after["triplets"]
        assert [after[name] for name in POOLS] == pytest.approx([before[n] for n in POOLS])
        assert before["anchors"] == after["anchors"] <= 7


def test_papers_without_a_vector_get_none(
    citations: Citations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bias term would give them a vector, and they would enter pools."""
    judged: list[np.ndarray] = []

    def remember(given: np.ndarray, negatives: PoolNegatives) -> Pools:
        judged.append(given)
        return compute_pools(given, negatives)

    monkeypatch.setattr("citescape.training.sweep.compute_pools", remember)
    vectors = vectors_of(citations.ids, without=20)
    config = replace(QUICK, loss="softmax", learning_rate=0.05)
    compare_arms({"a": Arm(importance_sampler(SMALL), config)}, citations, vectors, seeds=1)
    before, after = judged
    assert not before[:20].any()
    assert not after[:20].any()
    assert (before[20:] != after[20:]).any(axis=1).all()


def test_samplers_of_all_arms_give_triplets(citations: Citations) -> None:
    usable = np.ones(len(citations.ids), np.bool_)
    config = GraphConfig(dimensions=8, epochs=2, batch=100, chunk=50, threads=1)
    bands = NeighbourhoodConfig(3, 1, near=6, far=30)
    shown: list[float] = []

    def embed(given: Citations, seed: int) -> Vectors:
        shown.extend(given.weights)
        return embed_citations(given, replace(config, seed=seed))

    samplers = {
        "importance": importance_sampler(SMALL),
        "uniform": shuffled_sampler(ImportanceConfig(3, 0)),
        "SPECTER": specter_sampler(),
        "SciNCL": neighbourhood_sampler(embed, bands),
    }
    for name, sample in samplers.items():
        sampled = sample(citations, usable, 4)
        assert len(sampled) > 0
        assert not sampled.validation.any(), "nothing is held out by the sampler"
        again = sample(citations, usable, 4)
        assert (sampled.positive == again.positive).all()
        other = sample(citations, usable, 5)
        assert sampled.to_table() != other.to_table(), name
        assert set(sampled.ids.to_pylist()) <= set(citations.ids.to_pylist())
    assert set(shown) == {1.0}, "SciNCL's graph has no weights"
    without = usable.copy()
    without[:15] = False
    gone = {citations.ids[k].as_py() for k in range(15)}
    for sample in samplers.values():
        assert not gone & set(sample(citations, without, 0).papers.to_pylist())


def test_mean_and_deviation_of_each_arm() -> None:
    rows = [
        {"arm": arm, "seed": seed, "triplets": 10 + seed, **dict.fromkeys(POOLS, auc)}
        | {"control": "" if arm == "b" else "b"}
        for seed, pair in enumerate(((0.5, 0.4), (0.8, 0.9), (0.8, 0.5)))
        for arm, auc in zip("ab", pair, strict=True)
    ]
    first, second = summarise_arms(pa.Table.from_pylist(rows)).to_pylist()
    mean = (0.5 + 0.8 + 0.8) / 3
    deviation = math.sqrt(((0.5 - mean) ** 2 + 2 * (0.8 - mean) ** 2) / 2)
    assert (first["arm"], first["seeds"], first["triplets"]) == ("a", 3, 11)
    assert (first["hard"], first["hard_sd"]) == pytest.approx((mean, deviation))
    assert (second["arm"], second["easy"]) == ("b", pytest.approx(0.6))
    leads = [0.1, -0.1, 0.3]
    error = math.sqrt(sum((lead - 0.1) ** 2 for lead in leads) / 2 / 3)
    assert (first["easy_lead"], first["easy_lead_se"]) == pytest.approx((0.1, error))
    assert (second["easy_lead"], second["easy_lead_se"]) == (None, None)


def test_a_pool_without_anchors_is_null() -> None:
    row = {"arm": "a", "control": "", "seed": 0, "triplets": 1, **dict.fromkeys(POOLS, math.nan)}
    (result,) = summarise_arms(pa.Table.from_pylist([row])).to_pylist()
    assert {result[name] for name in POOLS} == {None}


def test_an_arm_without_triplets_is_an_error(citations: Citations) -> None:
    arms = {"greedy": Arm(importance_sampler(ImportanceConfig(300, 300)), QUICK)}
    with pytest.raises(ConfigError, match="greedy gives no triplets"):
        compare_arms(arms, citations, vectors_of(citations.ids), seeds=1)


def test_each_combination_is_an_arm() -> None:
    config = SweepConfig(hards=(0, 2), margins=(0.5, 1.0), fars=(60,))
    arms = make_arms(config)
    ways = ("uniform", "shuffled, H=2", "SPECTER", "importance, H=0", "importance, H=2")
    ways += ("SciNCL, k=60",)
    assert list(arms) == [f"{way}, margin {m}" for m in ("0.5", "1") for way in ways]
    assert arms["SPECTER, margin 0.5"].config.margin == 0.5
    assert list(make_arms(SweepConfig(hards=(1,)))) == [
        *("uniform", "shuffled, H=1", "SPECTER", "importance, H=1")
    ]
    assert SweepConfig(positives=3).hards == (0, 1, 2, 3)
    for bad, messages in (({"margins": ()}, "no margins to try"), ({"seeds": 0}, "seeds is 0")):
        with pytest.raises(ConfigError, match=messages):
            SweepConfig(**bad)
    with pytest.raises(ConfigError, match="the bands overlap"):
        SweepConfig(fars=(20,))


SWEEP = SweepConfig(positives=3, hards=(1,), fars=(45,), seeds=2, epochs=1, graph_dimensions=8)


@pytest.fixture
def corpus(tmp_path: Path) -> Any:
    """A scored store with vectors of `platform embed`."""
    store = open_store(str(tmp_path / "corpus.lbug"))
    graph = random_graph(PAPERS, 12, 5, levels=30)
    fill(store, graph)
    write_run(tmp_path, arrays(graph).ids)
    yield store
    store.close()


def write_run(runs: Path, ids: pa.StringArray) -> None:
    with open_run(runs, "embed-1") as directory:
        write_vectors(directory.path, vectors_of(ids))
        config = {"encoder": "org/name"}
        directory.complete(RunRecord("embed-1", "embed", config, {}, started="2026"))


def test_a_sweep_has_a_table_and_a_figure(corpus: GraphStore, tmp_path: Path) -> None:
    messages: list[str] = []
    sweep = run_sweep(corpus, SWEEP, runs=tmp_path, progress=messages.append)
    assert messages[0] == "reading citations and vectors"
    assert "importance, H=1, seed 2 of 2" in messages
    rows = pq.read_table(sweep.path / TABLE)
    assert rows.equals(sweep.rows)
    arms = [UNTRAINED, *make_arms(SWEEP)]
    assert rows["arm"].to_pylist() == arms * 2
    record = read_run(sweep.path)
    assert record.counts["arms"] == sweep.summary.to_pylist()
    assert record.inputs["vectors"] == "embed-1"
    picture = etree.parse(sweep.path / PICTURE)
    assert etree.QName(picture.getroot()).localname == "svg"
    names = corpus.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    assert names == [sweep.run]


def test_an_interrupted_sweep_continues(
    corpus: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows equal those of an uninterrupted sweep, even after a kill in the middle of a line."""
    quick = replace(SWEEP, seeds=2, fars=())
    expected = run_sweep(corpus, quick, runs=tmp_path / "whole", vectors=str(tmp_path / "embed-1"))
    messages: list[str] = []

    def die(text: str) -> None:
        messages.append(text)
        if text == "SPECTER, seed 2 of 2":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sweep(corpus, quick, runs=tmp_path, progress=die)
    (path,) = tmp_path.glob(".*.unfinished/rows.jsonl")
    path.write_text(path.read_text() + '{"arm": "SPEC')
    messages.clear()
    sweep = run_sweep(corpus, quick, runs=tmp_path, progress=messages.append)
    assert sweep.rows.equals(expected.rows)
    assert messages[1:] == ["SPECTER, seed 2 of 2", "importance, H=1, seed 2 of 2"]
    assert not path.exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("graph-embed", "embed-2 is a run of `platform train graph`; expected"),
        ("embed", "embed-2 has vectors of train-1, which was trained on papers of this store"),
    ],
)
def test_vectors_trained_on_held_out_citations_are_refused(
    corpus: GraphStore, tmp_path: Path, command: str, message: str
) -> None:
    """Vectors of a copy of the encoder are refused too: encoders are recognised by content."""
    with open_run(tmp_path, "train-1") as directory:
        write_model(directory.path)
        write_encoder_settings(directory.path, EncoderSettings("joined", "mean", 32))
        directory.complete(RunRecord("train-1", "train", {}, {}))
    with open_run(
        tmp_path, "combine-1"
    ) as directory:  # its parts are missing, which does not matter
        gone = EncoderSettings(
            "joined", "mean", 32, parts=("/gone/a", "/gone/b"), weights=(0.5, 0.5)
        )
        write_encoder_settings(directory.path, gone)
        directory.complete(RunRecord("combine-1", "combine", {}, {}))
    copied = shutil.copytree(tmp_path / "train-1", tmp_path / "elsewhere" / "mine")
    with open_run(tmp_path, "embed-2") as directory:
        write_vectors(directory.path, vectors_of(pa.array(["a", "b"])))
        inputs = {"encoder": hash_document_encoder(str(copied))}
        directory.complete(RunRecord("embed-2", command, {"encoder": str(copied)}, inputs))
    with pytest.raises(ConfigError, match=message):
        run_sweep(corpus, SWEEP, runs=tmp_path, vectors="embed-2")


def test_sweeping_again_changes_nothing(
    corpus: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = replace(SWEEP, seeds=1, fars=())
    first = run_sweep(corpus, quick, runs=tmp_path)
    before = {path.name: path.read_bytes() for path in first.path.iterdir()}
    monkeypatch.setattr("citescape.training.sweep_run.compare_arms", None)
    again = run_sweep(corpus, quick, runs=tmp_path, vectors="embed-1")
    assert (again.run, again.unchanged, first.unchanged) == (first.run, True, False)
    assert again.rows.equals(first.rows)
    assert {path.name: path.read_bytes() for path in again.path.iterdir()} == before


def test_a_sweep_without_inputs_is_refused(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "corpus.lbug"))
    graph = random_graph(PAPERS, 12, 5)
    fill(store, graph, scored=False)
    with pytest.raises(StoreError, match=r"corpus\.lbug lacks importance .*`platform score"):
        run_sweep(store, SWEEP, runs=tmp_path / "runs")
    store.close()
    store = open_store(str(tmp_path / "scored.lbug"))
    fill(store, graph)
    with pytest.raises(ConfigError, match=r"no vectors of papers .*embed"):
        run_sweep(store, SWEEP, runs=tmp_path / "runs")
    with pytest.raises(ConfigError, match="no run 'absent'"):
        run_sweep(store, SWEEP, runs=tmp_path / "runs", vectors="absent")
    write_run(tmp_path / "runs", pa.array(["p000", "p001"]))
    with pytest.raises(ConfigError, match="0 papers have a vector and 7 references with one"):
        run_sweep(store, replace(SWEEP, fars=()), runs=tmp_path / "runs")
    store.close()


def test_without_matplotlib_there_is_no_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    rows = pa.Table.from_pylist([{"arm": "a", **dict.fromkeys(POOLS, 0.5)}])
    assert draw_sweep(rows, tmp_path / "sweep.png")
    plain = (tmp_path / "sweep.png").read_bytes()
    with matplotlib.rc_context({"lines.markersize": 20, "axes.grid": True}):
        draw_sweep(rows, tmp_path / "sweep.png")
    assert (tmp_path / "sweep.png").read_bytes() == plain
    monkeypatch.setattr("citescape.core.extras.find_spec", lambda _: None)
    assert not draw_sweep(rows, tmp_path / "other.png")
    assert [path.name for path in tmp_path.iterdir()] == ["sweep.png"]


@pytest.fixture
def encoders(corpus: GraphStore, tmp_path: Path) -> list[str]:
    """Two encoders, and titles of the papers that they can read."""
    ids = corpus.read("MATCH (p:Paper) RETURN p.id AS id ORDER BY id")["id"].to_pylist()
    for k, id_ in enumerate(ids):
        title = f"{WORDS[k % 2][k % 10]} {WORDS[k % 2][k // 10]}"
        corpus.write("MATCH (p:Paper {id: $id}) SET p.title = $title", id=id_, title=title)
    widths = {"one": 16, "two": 32}
    return [str(write_model(tmp_path / "models" / n, hidden=width)) for n, width in widths.items()]


@pytest.fixture
def scidocs(tmp_path: Path) -> Path:
    folder = tmp_path / "scidocs"
    (folder / "cite").mkdir(parents=True)
    names = [f"s{k}" for k in range(40)]
    texts = {n: {"title": f"{WORDS[k % 2][k % 10]} x", "abstract": ""} for k, n in enumerate(names)}
    (folder / "paper_metadata_all.json").write_text(json.dumps(texts))
    for split, first in (("val", 0), ("test", 20)):
        lines = [
            f"{names[query]} 0 {names[paper]} {int(paper % 4 == query % 4)}"
            for query in range(first, first + 12)
            for paper in range(40)
            if paper != query
        ]
        (folder / "cite" / f"{split}.qrel").write_text("\n".join(lines) + "\n")
    return folder


def test_settings_are_chosen_on_validation_for_each_encoder(
    corpus: GraphStore, tmp_path: Path, encoders: list[str], scidocs: Path
) -> None:
    grid = replace(SWEEP, hards=(0, 1), margins=(0.0, 1.0), fars=())
    tasks = open_choice_tasks(scidocs)
    sweep = run_sweep(corpus, grid, runs=tmp_path, encoders=encoders, tasks=tasks)
    rows = sweep.rows.to_pylist()
    arms = [UNTRAINED, *make_arms(grid)]
    assert len(rows) == 2 * 2 * len(arms)
    for name in ("one", "two"):
        own = [row for row in rows if row["encoder"] == name]
        assert {row["arm"] for row in own} == set(arms)
        means = {
            arm: np.mean([row["validation"] for row in own if row["arm"] == arm])
            for arm in arms
            if arm.startswith("importance")
        }
        assert len(means) == 4
        chosen = sweep.counts["chosen"][name]
        assert means[chosen] == max(means.values())
        tested = {row["arm"] for row in own if row["test"] is not None}
        assert tested == {UNTRAINED, chosen}

    embedded = embed(tasks[0].corpus, EmbedConfig(encoder=encoders[0]), runs=tmp_path)
    plain = to_embeddings(tasks[0].corpus.papers, np.asarray(embedded.vectors.values), "plain")
    first = next(row for row in rows if (row["encoder"], row["arm"]) == ("one", UNTRAINED))
    assert first["validation"] == pytest.approx(tasks[0].validate(plain))
    assert first["test"] == pytest.approx(tasks[0].test(plain))
    for row in sweep.summary.to_pylist():
        values = [
            r["validation"]
            for r in rows
            if (r["encoder"], r["arm"]) == (row["encoder"], row["arm"])
        ]
        assert row["validation"] == pytest.approx(np.mean(values))
        assert row["validation_sd"] == pytest.approx(np.std(values, ddof=1))
    titles = etree.parse(sweep.path / PICTURE).xpath("//comment()")
    assert any("one: importance, H=1, margin 1" in title.text for title in titles)
    assert any("validation" in title.text for title in titles)


def test_an_interrupted_sweep_over_encoders_continues(
    corpus: GraphStore, tmp_path: Path, encoders: list[str], scidocs: Path
) -> None:
    tasks, quick = open_choice_tasks(scidocs), replace(SWEEP, fars=(), seeds=1)
    whole = run_sweep(corpus, quick, runs=tmp_path / "whole", encoders=encoders, tasks=tasks)

    def die(text: str) -> None:
        if text == "two: SPECTER, seed 1 of 1":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sweep(corpus, quick, runs=tmp_path, encoders=encoders, tasks=tasks, progress=die)
    messages: list[str] = []
    again = run_sweep(
        corpus, quick, runs=tmp_path, encoders=encoders, tasks=tasks, progress=messages.append
    )
    assert again.rows.equals(whole.rows)
    trained = [text for text in messages if "seed" in text]
    assert trained == [
        *("two: SPECTER, seed 1 of 1", "two: importance, H=1, seed 1 of 1"),
        *("two: untrained, seed 1 of 1", "two: importance, H=1, seed 1 of 1"),
    ], "the last two compute test figures"


def test_encoders_are_checked_before_any_work(
    corpus: GraphStore, tmp_path: Path, encoders: list[str], scidocs: Path
) -> None:
    with pytest.raises(ConfigError, match="two encoders are named one"):
        run_sweep(corpus, SWEEP, runs=tmp_path, encoders=[encoders[0], encoders[0]])
    with pytest.raises(ConfigError, match="tasks without encoders"):
        run_sweep(corpus, SWEEP, runs=tmp_path, tasks=open_choice_tasks(scidocs))
    with open_run(tmp_path, "train-9") as directory:
        shutil.copytree(encoders[0], directory.path, dirs_exist_ok=True)
        write_encoder_settings(directory.path, EncoderSettings("joined", "mean", 32))
        directory.complete(RunRecord("train-9", "train", {}, {}))
    with pytest.raises(ConfigError, match="train-9 is train-9, which was trained on papers"):
        run_sweep(corpus, SWEEP, runs=tmp_path, encoders=["train-9"])
