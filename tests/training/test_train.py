"""Complete trainings: saved files, reproducibility and refused input."""

from __future__ import annotations

import json
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import torch
from accelerate import Accelerator
from safetensors.numpy import load_file, save_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from citescape.core.errors import ConfigError, StoreError, TrainingError
from citescape.core.types import Document
from citescape.encoders.saved import load_document_encoder, read_adapter
from citescape.runs.directory import read_run, unfinished_folder
from citescape.sampling.fingerprint import hash_triplets, recode
from citescape.sampling.triplets import from_table, read_triplets
from citescape.store.graph_store import open_store
from citescape.training.checkpoint import STATE, State, load_state, save_state
from citescape.training.config import TrainConfig
from citescape.training.kept import EncoderRun
from citescape.training.run import check_same_state
from citescape.training.session import Session
from citescape.training.train import train
from tests.forks import shared_forks
from tests.training.conftest import PAPERS, Training, paper_id, papers, triplet_table

UPDATES = 5 * 2
"""Two epochs of 75 training triplets in batches of 16."""


def configure(training: Training, **settings: Any) -> TrainConfig:
    plain = {"base": str(training.model), "precision": "float32", "threads": 1}
    return TrainConfig(**{**plain, "batch": 16, "learning_rate": 1e-3, **settings})


def run(training: Training, **settings: Any) -> EncoderRun:
    config = configure(training, **settings)
    return train(training.store, training.triplets, config, runs=training.runs)


def read_files(folder: Path) -> dict[str, bytes]:
    """Files that determine vectors."""
    names = ("*.safetensors", "config.json", "citescape.json", "tokenizer.json")
    return {path.name: path.read_bytes() for name in names for path in folder.glob(name)}


def documents() -> list[Document]:
    return [Document(str(p["title"]), str(p.get("abstract", ""))) for p in papers()]


def compute_accuracy(encoder: Any, triplets: Any) -> float:
    vectors = encoder(documents())
    place = {paper_id(k): k for k in range(PAPERS)}
    rows = np.array([place[id_] for id_ in triplets.ids.to_pylist()])
    near = vectors[rows[triplets.anchor]] - vectors[rows[triplets.positive]]
    far = vectors[rows[triplets.anchor]] - vectors[rows[triplets.negative]]
    return float((np.linalg.norm(near, axis=1) < np.linalg.norm(far, axis=1)).mean())


@pytest.mark.parametrize("tune", ["all", "bias", "adapter"])
def test_a_training_from_store_to_encoder(tune: str, training: Training) -> None:
    """Reported metrics are those of the saved encoder."""
    rate = {"all": 1e-3, "bias": 1e-2, "adapter": 1e-2}[tune]
    result = run(training, tune=tune, learning_rate=rate, epochs=3)
    assert not result.unchanged
    assert result.after["accuracy"] >= result.before["accuracy"]
    assert result.after["loss"] < result.before["loss"]
    held = training.triplets.select_rows(training.triplets.validation)
    encoder = load_document_encoder(str(result.path), precision="float32")
    assert compute_accuracy(encoder, held) == result.after["accuracy"]
    base = load_document_encoder(str(training.model), precision="float32")
    assert compute_accuracy(base, held) == result.before["accuracy"]
    record = read_run(result.path)
    assert (record.command, record.seed, record.counts) == ("train", 0, result.counts)
    assert record.config["learning_rate"] == rate
    figures = result.counts
    assert (figures["triplets"], figures["validation"]) == (75, 15)
    assert (figures["papers"], figures["titles_only"], figures["updates"]) == (PAPERS, 1, 15)
    speed = figures["throughput"]
    assert speed["seconds"] > 0
    assert (speed["tokens"] > 0) == (tune != "adapter")
    assert speed["flops_a_second"] > 0
    runs = training.store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    assert runs == [result.run]
    assert not list(training.runs.glob(".*.unfinished"))


def test_an_adapter_is_applied_to_its_base(training: Training) -> None:
    result = run(training, tune="adapter")
    adapter = read_adapter(result.path)
    assert adapter is not None
    base = load_document_encoder(str(training.model), precision="float32")
    encoder = load_document_encoder(str(result.path), precision="float32")
    expected = base(documents()) @ adapter.weight.T + adapter.bias
    np.testing.assert_allclose(encoder(documents()), expected, atol=1e-6)
    assert not adapter.bias.any()


def test_logs_for_tensorboard_are_written(training: Training) -> None:
    result = run(training)
    logs = EventAccumulator(str(result.path / "tensorboard"))
    logs.Reload()
    assert [event.step for event in logs.Scalars("train/loss")] == list(range(1, UPDATES + 1))
    actual = [(event.step, event.value) for event in logs.Scalars("validation/loss")]
    history = result.counts["history"]
    assert actual == [(entry["update"], pytest.approx(entry["loss"])) for entry in history]
    assert {entry["update"] for entry in history} == {0, 5, 10}


def test_the_same_training_runs_once(training: Training) -> None:
    first = run(training)
    before = read_files(first.path)
    again = run(training)
    assert (again.run, again.unchanged) == (first.run, True)
    assert again.counts == first.counts
    assert read_files(again.path) == before


def test_the_order_of_rows_in_a_file_does_not_matter(training: Training, tmp_path: Path) -> None:
    """The run and its bytes are the same, also with other chunks and additional columns."""
    first = run(training)
    table = triplet_table()
    mixed = table.take(np.random.default_rng(1).permutation(table.num_rows))
    mixed = pa.concat_tables([mixed.slice(0, 20), mixed.slice(20)]).append_column(
        "note", pa.array(range(table.num_rows))
    )
    pq.write_table(mixed, tmp_path / "mixed.parquet")
    other = replace(
        training,
        triplets=read_triplets(tmp_path / "mixed.parquet"),
        runs=tmp_path / "other",
    )
    second = run(other)
    assert second.run == first.run
    assert read_files(second.path) == read_files(first.path)


def test_the_run_depends_on_settings(training: Training) -> None:
    compact = recode(training.triplets)
    assert hash_triplets(compact) == hash_triplets(recode(compact))
    turned = replace(compact, validation=~compact.validation)
    assert hash_triplets(turned) != hash_triplets(compact)
    settings = ({}, {"seed": 1}, {"margin": 0.5}, {"form": "sep"}, {"base": str(training.still)})
    runs = {run(training, tune="adapter", **options).run for options in settings}
    assert len(runs) == len(settings)


def test_a_moved_folder_is_the_same_base(training: Training, tmp_path: Path) -> None:
    """The base is identified by content, not by name."""
    first = run(training, tune="adapter")
    moved = training.model.rename(tmp_path / "moved")
    try:
        assert run(training, tune="adapter", base=str(moved)).run == first.run
    finally:
        moved.rename(training.model)


@pytest.mark.parametrize(("tune", "form"), [("all", "joined"), ("adapter", "sep")])
def test_killed_trainings_give_the_same_bytes(
    tune: str, form: str, training: Training, tmp_path: Path
) -> None:
    """After kills in both epochs, with dropout, the bytes are the same."""
    training.store.close()
    config = {"base": str(training.model), "precision": "float32", "threads": 1, "seed": 2}
    config |= {"batch": 8, "learning_rate": 1e-3, "epochs": 2, "tune": tune, "form": form}

    def run(runs: str, killed_after: int = 0) -> list[str]:
        """Messages of a training of 20 updates."""
        words = (training.store.location, str(training.file), config, str(tmp_path / runs))
        done = shared_forks().call("tests.training.driver:run_training", *words, killed_after)
        assert done.returncode == (-signal.SIGKILL if killed_after else 0), done.stderr
        return done.stdout.splitlines()

    run("quiet")
    for before, after in ((0, 3), (3, 14), (14, 0)):
        lines = run("killed", after)
        resumed = [line for line in lines if line.startswith("resumed after update")]
        assert len(resumed) == (before > 0)
        assert all(before - 1 <= int(line.split()[3]) < 20 for line in resumed)
        assert any(line.startswith(f"update {after or 20} of 20: ") for line in lines)
    assert_same_run(tmp_path / "quiet", tmp_path / "killed")


def assert_same_run(quiet: Path, killed: Path) -> None:
    (undisturbed,), (resumed,) = (list(runs.glob("train-*")) for runs in (quiet, killed))
    assert undisturbed.name == resumed.name
    assert read_files(undisturbed) == read_files(resumed)
    assert read_run(undisturbed).counts["history"] == read_run(resumed).counts["history"]


def test_two_processes_give_the_same_result_as_one(training: Training, tmp_path: Path) -> None:
    """Two processes share the batches of one training from the command line.

    It is another run, because each process has its own dropout, which is off here. Vectors are
    centred, because a common shift has a gradient of rounding errors only.
    """
    training.store.close()
    given = {
        "--triplets": training.file,
        "--base": training.still,
        "--store": training.store.location,
        "--runs": tmp_path / "two",
        "--out": tmp_path / "out",
        "--batch": 16,
        "--learning-rate": 1e-3,
        "--precision": "float32",
        "--threads": 1,
    }
    words = [str(word) for pair in given.items() for word in pair]
    done = shared_forks().call("tests.training.driver:launch", ["train", *words, "--json"])
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    (messages,) = json.loads(line)["runs"]
    store = open_store(training.store.location)
    alone = run(replace(training, store=store, model=training.still))
    assert messages["run"] != alone.run
    runs = store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    assert sorted(runs) == sorted([messages["run"], alone.run])
    store.close()
    for mine, theirs in zip(messages["history"], alone.counts["history"], strict=True):
        assert mine == pytest.approx(theirs, rel=1e-4)
    assert messages["throughput"]["tokens"] > 0
    vectors = [
        load_document_encoder(str(folder), precision="float32")(documents())
        for folder in (tmp_path / "out", alone.path)
    ]
    centred = [result - result.mean(0) for result in vectors]
    np.testing.assert_allclose(*centred, atol=1e-5)
    assert abs(centred[0]).max() > 0.1


def test_all_processes_stop_after_the_same_update(training: Training, tmp_path: Path) -> None:
    """One of two processes receives a signal in its second update."""
    training.store.close()
    words = ["train", "--triplets", training.file, "--base", training.still, "--tune", "adapter"]
    words += ["--store", training.store.location, "--runs", tmp_path / "runs", "--batch", "8"]
    done = shared_forks().call("tests.training.driver:launch", list(map(str, words)), 2)
    assert done.returncode != 0
    assert done.stderr.count("platform: stopped after update 2 of ") == 1, done.stderr
    (folder,) = (tmp_path / "runs").glob(".train-*.unfinished")
    state = load_state(folder, folder.name.removeprefix(".").removesuffix(".unfinished"))
    assert state is not None
    assert state.updates == 2


def test_processes_at_different_updates_are_refused(tmp_path: Path) -> None:
    class DivergedAccelerator(Accelerator):
        """The other process found no checkpoint."""

        def gather(self, tensor: torch.Tensor) -> torch.Tensor:
            return torch.cat([tensor, tensor - torch.tensor([0, 5])])

    session = Session("train-1", DivergedAccelerator(cpu=True), tmp_path)
    with pytest.raises(TrainingError, match="a folder that all of them share with --runs"):
        check_same_state(session, State("train-1", updates=5))


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"cut", "state.pt cannot be read"), (None, "belongs to train-0, which has another")],
)
def test_a_checkpoint_of_another_training_is_refused(
    content: bytes | None, training: Training, message: str
) -> None:
    """After its removal the training runs."""
    first = run(training, tune="adapter")
    shutil.rmtree(first.path)
    folder = unfinished_folder(training.runs, first.run)
    save_state(folder, State("train-0"))
    if content is not None:
        (folder / STATE).write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        run(training, tune="adapter")
    shutil.rmtree(folder)
    assert run(training, tune="adapter").after == first.after


def test_facets_are_trained_on_their_part_of_the_abstract(training: Training) -> None:
    """Every second abstract has a method part; otherwise only the title is read."""
    config = configure(training, tune="adapter", form="sep")
    result = train(training.store, training.triplets, config, facet="method", runs=training.runs)
    assert result.counts["titles_only"] == PAPERS / 2
    whole = train(training.store, training.triplets, config, runs=training.runs)
    assert whole.run != result.run
    assert whole.before["loss"] != result.before["loss"]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_base_with_damaged_weights_is_refused(
    value: float, training: Training, tmp_path: Path
) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(training.model, folder)
    tensors = load_file(folder / "model.safetensors")
    tensors["encoder.layer.1.output.dense.weight"][0, 0] = value
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(TrainingError, match="at update 1 the loss is nan"):
        run(training, base=str(folder))
    assert not list(training.runs.glob("train-*"))


def test_an_encoder_trained_on_labels_reports_it(training: Training) -> None:
    table = triplet_table()
    same = pa.array(["same label"] * len(table))
    taught = from_table(table.append_column("positive_reason", same))
    result = run(replace(training, triplets=taught), tune="adapter", epochs=1)
    assert result.counts["leaks"] == "an upper bound: it has seen the labels"
    assert read_run(result.path).inputs["leaks"] == result.counts["leaks"]
    other = run(training, tune="adapter", epochs=1)
    assert "leaks" not in other.counts
    assert other.run != result.run


def test_early_stopping_keeps_the_best_epoch(training: Training) -> None:
    """A too high rate makes later epochs worse; the saved encoder is that of the best epoch."""
    result = run(training, learning_rate=0.05, epochs=6, patience=2, warmup=0.0)
    history = result.counts["history"]
    losses = [entry["loss"] for entry in history]
    best = losses.index(min(losses[1:]), 1)
    assert result.counts["kept"] == best
    assert result.after == history[best]
    held = training.triplets.select_rows(training.triplets.validation)
    encoder = load_document_encoder(str(result.path), precision="float32")
    assert compute_accuracy(encoder, held) == pytest.approx(result.after["accuracy"], abs=1e-9)


def test_invalid_settings_are_refused_before_training(training: Training, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no pretrained encoder 'no/such'"):
        run(training, base="no/such")
    table = triplet_table()
    held = table.set_column(
        table.schema.get_field_index("split"), "split", pa.array(["validation"] * len(table))
    )
    with pytest.raises(ConfigError, match="all 90 triplets are for validation; expected some"):
        run(replace(training, triplets=from_table(held)))
    with pytest.raises(ConfigError, match="patience is 2, but none of the 90 triplets"):
        run(replace(training, triplets=from_table(table.drop_columns("split"))), patience=2)
    strange = pc.replace_substring(table["anchor"], "p0", "q0")
    other = from_table(table.set_column(0, "anchor", strange))
    with pytest.raises(StoreError, match=r"papers of the triplets are not in .*q00; expected"):
        run(replace(training, triplets=other))
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot write run directories"):
        run(replace(training, runs=tmp_path / "file"))
    assert list(training.runs.iterdir()) == []
