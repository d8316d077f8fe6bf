"""Embeddings of directed graphs: quality, reproducibility and recovery from kills."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from citescape.core.errors import ConfigError, SourceError, TrainingError  # noqa: E402
from citescape.core.locks import alone  # noqa: E402
from citescape.encoders import graph, graph_checkpoint  # noqa: E402
from citescape.encoders.graph import fit, table_device  # noqa: E402
from citescape.encoders.graph_checkpoint import identify  # noqa: E402
from citescape.encoders.graph_config import GraphConfig, Workplace  # noqa: E402
from citescape.encoders.graph_edges import (  # noqa: E402
    Edges,
    make_edges,
)
from citescape.encoders.graph_tables import EmbeddingTable, make_table  # noqa: E402
from citescape.encoders.link_prediction import evaluate, hold_out  # noqa: E402
from tests.forks import shared_forks  # noqa: E402

CPU = torch.device("cpu")
SMALL = GraphConfig(dimensions=8, epochs=3, batch=64, chunk=16, uniform=4, threads=1)


def communities(groups: int = 10, size: int = 30, degree: int = 10, seed: int = 0) -> Edges:
    """A graph whose edges stay within groups."""
    chance = np.random.default_rng(seed)
    sources = np.repeat(np.arange(groups * size), degree)
    targets = sources // size * size + chance.integers(0, size, len(sources))
    pairs = np.unique(np.stack([sources, targets]), axis=1)
    pairs = pairs[:, pairs[0] != pairs[1]]
    return make_edges(pairs[0], pairs[1], nodes=groups * size)


@pytest.mark.parametrize("tables", ["two", "shared"])
@pytest.mark.parametrize(
    ("loss", "comparator", "max_norm"),
    [("softmax", "dot", None), ("ranking", "dot", 1.0), ("softmax", "cosine", None)],
)
def test_planted_communities_are_found(
    tables: str, loss: str, comparator: str, max_norm: float | None
) -> None:
    split = hold_out(communities(), share=0.05, seed=0)
    config = replace(
        SMALL,
        dimensions=16,
        epochs=15,
        loss=loss,
        comparator=comparator,
        tables=tables,
        max_norm=max_norm,
    )
    embedding = fit(split.train, config)
    figures = evaluate((embedding.sources, embedding.targets), split, comparator=comparator)[0]
    assert len(split.held) > 50
    assert figures["auc"] > 0.9  # .95 at most: a tenth of the papers are in the same group
    vectors = np.concatenate([embedding.sources, embedding.targets])
    if max_norm:
        assert np.linalg.norm(vectors, axis=1).max() <= max_norm + 1e-6
    assert (embedding.sources is embedding.targets) == (tables == "shared")


def are_equal(first: object, second: object) -> bool:
    """Equal to the bit."""
    return all(
        np.array_equal(getattr(first, n), getattr(second, n)) for n in ("sources", "targets")
    )


def test_the_order_of_edges_does_not_matter_and_the_seed_does() -> None:
    edges = communities()
    weights = 1.0 + np.arange(len(edges)) % 3
    order = np.random.default_rng(1).permutation(len(edges))
    first = fit(make_edges(edges.sources, edges.targets, weights, nodes=edges.nodes), SMALL)
    shuffled = (edges.sources[order], edges.targets[order], weights[order])
    assert are_equal(first, fit(make_edges(*shuffled, nodes=edges.nodes), SMALL))
    assert not are_equal(first, fit(edges, SMALL))
    assert not are_equal(fit(edges, SMALL), fit(edges, replace(SMALL, seed=1)))
    assert first.losses[-1] < first.losses[0]


def test_memory_mapped_tables_give_the_same_vectors(tmp_path: Path) -> None:
    edges = communities()
    mapped = fit(edges, SMALL, place=Workplace(tmp_path, memory_map=True))
    assert mapped.mapped
    assert are_equal(mapped, fit(edges, SMALL, place=Workplace(memory_map=False)))
    with pytest.raises(ConfigError, match="need a folder"):
        fit(edges, SMALL, place=Workplace(memory_map=True))


def test_tables_are_memory_mapped_if_memory_is_short(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two tables with a sum of squares per row: 2 * 300 * (8 + 1) floats."""
    size = 2 * 300 * (8 + 1) * 4
    for memory, mapped in ((2 * size, False), (2 * size - 1, True)):
        monkeypatch.setattr(graph, "available_memory", lambda memory=memory: memory)
        embedding = fit(communities(), SMALL, place=Workplace(tmp_path / str(memory)))
        assert embedding.mapped is mapped


def test_tables_too_large_for_a_gpu_stay_in_main_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = torch.device("cuda", 1)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (1000 * device.index, 9000))
    assert table_device(800, gpu) == gpu
    assert table_device(801, gpu) == CPU
    assert table_device(801, CPU) == CPU


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 3 GiB.\nmore"),
        MemoryError("Unable to allocate 7 PiB"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"),
    ],
)
def test_too_little_memory_is_an_error(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(graph, "compute_loss", fail)
    message = str(error).splitlines()[0].replace("[", r"\[")
    with pytest.raises(TrainingError, match=rf"{message}; lower batch \(now 64\) .*memory_map"):
        fit(communities(), SMALL)


def test_other_errors_are_raised_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("sizes do not match")

    monkeypatch.setattr(graph, "compute_loss", fail)
    with pytest.raises(RuntimeError, match="sizes do not match"):
        fit(communities(), SMALL)


@pytest.mark.parametrize(
    ("config", "rate", "scale", "corrects"),
    [
        (GraphConfig(dimensions=16), 0.4 / 16**0.5, 1.0, True),
        (GraphConfig(dimensions=16, correction=False), 0.2 / 16**0.5, 1.0, False),
        (GraphConfig(dimensions=16, comparator="cosine"), 0.2 / 16**0.5, 0.2, False),
        (GraphConfig(dimensions=16, loss="ranking", max_norm=1.0), 0.2 / 16**0.5, 0.2, False),
    ],
)
def test_settings_include_default_values(
    config: GraphConfig, rate: float, scale: float, corrects: bool
) -> None:
    spelled = replace(config, learning_rate=rate, temperature=scale, correction=corrects)
    assert config.settings() == spelled.settings() == vars(spelled)
    assert GraphConfig(**config.settings()) == spelled
    assert identify(communities(), config) == identify(communities(), spelled)
    assert config.settings() != replace(config, temperature=2 * scale).settings()


def test_undirected_graphs_have_edges_in_both_directions() -> None:
    edges = make_edges(np.array([0, 1]), np.array([1, 2]), nodes=3)
    both = edges.both_ways()
    assert len(both) == 2 * len(edges)
    assert set(zip(both.sources.tolist(), both.targets.tolist(), strict=True)) == {
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 1),
    }
    config = replace(SMALL, undirected=True)
    assert are_equal(fit(edges, config), fit(both, SMALL))


def test_corrected_scores_are_log_probabilities() -> None:
    """If all papers cite alike, corrected scores are log p(j) plus a constant."""
    chance = np.random.default_rng(0)
    fame = np.exp(-np.linspace(0, 4, 400))
    cites = chance.random((1000, 400)) < 10 * fame / fame.sum()
    sources, targets = np.nonzero(cites)
    edges = make_edges(sources + 400, targets, nodes=1400)
    logs = np.log(np.bincount(targets, minlength=400) + 1)
    slopes = {}
    for correction in (True, False):
        config = GraphConfig(dimensions=4, epochs=30, threads=1, correction=correction)
        embedding = fit(edges, config)
        scores = (embedding.sources[400:] @ embedding.targets[:400].T).mean(0)
        slopes[correction] = float(np.polyfit(logs, scores, 1)[0])
    assert slopes[True] == pytest.approx(1, abs=0.25)
    assert slopes[False] == pytest.approx(0, abs=0.15)


def test_adagrad_is_row_wise() -> None:
    config = GraphConfig(dimensions=2, learning_rate=0.5)
    table = EmbeddingTable(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([0.0, 7.0]))
    step(table, 1, [3.0, 1.0], config)
    squares = 7 + (3**2 + 1**2) / 2
    assert table.squares.tolist() == [0, squares]
    moved = [3 - 0.5 * 3 / squares**0.5, 4 - 0.5 * 1 / squares**0.5]
    assert table.vectors[1].tolist() == pytest.approx(moved)
    assert table.vectors[0].tolist() == [1, 2]
    step(table, 0, [0.0, 0.0], config)
    assert table.vectors[0].tolist() == [1, 2]


def step(table: EmbeddingTable, row: int, gradient: list[float], config: GraphConfig) -> None:
    rows = torch.tensor([row])
    leaf = table.gather(rows, CPU).requires_grad_()
    leaf.grad = torch.tensor([gradient])
    table.update(rows, leaf, config)


STEPS = replace(SMALL, batch=256)
"""Ten steps per epoch."""


def fit_killed(folder: str, step: int, how: str) -> None:
    """Die after a step, or while the checkpoint of that step is written."""
    saves = []

    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def count(_: str) -> None:
        saves.append(1)
        if len(saves) == step and how != "writing":
            die()

    if how == "writing":
        sync = graph_checkpoint.sync
        graph_checkpoint.sync = lambda path: die() if len(saves) == step else sync(path)
    place = Workplace(Path(folder), every=0, memory_map=how == "mapped")
    fit(communities(), STEPS, place=place, progress=count)


@pytest.mark.parametrize(("step", "how"), [(13, "mapped"), (21, "writing")])
def test_a_killed_and_resumed_training_gives_the_same_bits(
    tmp_path: Path, step: int, how: str
) -> None:
    done = shared_forks().call("tests.encoders.test_graph:fit_killed", str(tmp_path), step, how)
    assert done.returncode == -signal.SIGKILL, done.stderr
    place = Workplace(tmp_path, memory_map=how == "mapped")
    again, whole = fit(communities(), STEPS, place=place), fit(communities(), STEPS)
    assert are_equal(again, whole)
    assert again.losses == whole.losses
    assert again.steps == whole.steps - step
    finished = fit(communities(), STEPS, place=place)
    assert finished.steps == 0
    assert are_equal(finished, whole)
    assert len(list(tmp_path.glob("checkpoint-*"))) == 1


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    place = Workplace(tmp_path)
    fit(communities(), SMALL, place=place)
    with pytest.raises(ConfigError, match=r"epochs 3 \(expected 4\)"):
        fit(communities(), replace(SMALL, epochs=4), place=place)
    with pytest.raises(ConfigError, match="graph"):
        fit(communities(seed=1), SMALL, place=place)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("state.json", cut),
        ("vectors-0.npy", cut),
        ("squares-1.npy", Path.unlink),
        ("state.json", lambda path: path.write_text("[]")),
    ],
)
def test_a_damaged_checkpoint_is_reported(
    tmp_path: Path, name: str, harm: Callable[[Path], object]
) -> None:
    place = Workplace(tmp_path)
    fit(communities(), SMALL, place=place)
    (checkpoint,) = tmp_path.glob("checkpoint-*")
    harm(checkpoint / name)
    with pytest.raises(SourceError, match=f"remove {re.escape(str(tmp_path))} "):
        fit(communities(), SMALL, place=place)


def test_concurrent_trainings_in_a_folder_are_refused(tmp_path: Path) -> None:
    with alone(tmp_path), pytest.raises(ConfigError, match="another process"):
        fit(communities(), SMALL, place=Workplace(tmp_path))


def test_a_nan_loss_stops_the_training() -> None:
    with pytest.raises(TrainingError, match="lower the learning rate"):
        fit(communities(), replace(SMALL, learning_rate=1e30))


def test_no_vector_is_ever_longer_than_max_norm() -> None:
    config = replace(SMALL, comparator="cosine", max_norm=0.5, epochs=1)
    lonely = make_edges(np.array([0, 1]), np.array([1, 0]), nodes=50)
    for edges in (lonely, communities()):
        embedding = fit(edges, config)
        lengths = np.linalg.norm(np.concatenate([embedding.sources, embedding.targets]), axis=1)
        assert lengths.max() <= 0.5 + 1e-6


def test_the_number_of_threads_is_restored() -> None:
    before = torch.get_num_threads()
    fit(communities(), replace(SMALL, epochs=1, threads=3 - min(before, 2)))
    assert torch.get_num_threads() == before


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"loss": "hinge"}, "expected one of: ranking, softmax"),
        ({"comparator": "l2"}, "expected one of: cosine, dot"),
        ({"tables": "one"}, "expected one of: shared, two"),
        ({"epochs": 0}, "expected 1 or more"),
        ({"learning_rate": float("nan")}, "learning_rate is nan; expected"),
        ({"max_norm": 0}, "max_norm is 0; expected"),
        ({"chunk": 1, "uniform": 0}, "no negatives"),
        ({"loss": "ranking", "correction": True}, "expected --loss softmax"),
    ],
)
def test_invalid_settings_are_refused(change: dict[str, object], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        replace(SMALL, **change)  # type: ignore[arg-type]


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(ConfigError, match="no device 'nothing'"):
        fit(communities(), SMALL, place=Workplace(device="nothing"))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_gpu_and_cpu_give_the_same_vectors() -> None:
    on_gpu = fit(communities(), SMALL, place=Workplace(device="cuda"))
    on_cpu = fit(communities(), SMALL, place=Workplace(device="cpu"))
    np.testing.assert_allclose(on_gpu.losses, on_cpu.losses, rtol=1e-3)


def test_initial_vectors_do_not_depend_on_memory_mapping(tmp_path: Path) -> None:
    first = make_table(9, SMALL, number=0, folder=None, device=CPU)
    second = make_table(9, SMALL, number=1, folder=None, device=CPU)
    disk = make_table(9, SMALL, number=0, folder=tmp_path, device=CPU)
    assert not torch.equal(first.vectors, second.vectors)
    assert torch.equal(first.vectors, disk.vectors)
