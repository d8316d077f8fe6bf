"""Output of `platform train graph`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click
import pyarrow.parquet as pq
import pytest

pytest.importorskip("torch")

from citescape.cli.main import find_command
from citescape.embeddings.steps import TrainGraph
from citescape.encoders.graph_config import WEIGHTS as CHOICES
from citescape.networks.citations import WEIGHTS
from citescape.runs.directory import read_run
from citescape.runs.step import describe
from tests.cli.conftest import GeneratedCorpus, Platform

QUICK: tuple[Any, ...] = ("--dimensions", 8, "--epochs", 2, "--threads", 1)


def test_writes_vectors_and_shows_figures_and_the_next_command(
    run_on_store: Platform, platform: Platform, tmp_path: Path
) -> None:
    done = run_on_store("train", "graph", *QUICK, "--holdout", 0.05, "--runs", "runs")
    assert done.status == 0, done.err
    for text in ("citations held out", "filtered-all", "raw-sampled", "MRR", "AUC", "peak memory"):
        assert text in done.out
    assert "stored in runs/graph-embed-" in done.out
    (line,) = [line for line in done.out.splitlines() if line.startswith("next: ")]
    assert platform(*shlex.split(line)[2:]).status == 0
    again = run_on_store(
        "train", "graph", *QUICK, "--holdout", 0.05, "--runs", "runs", "--json"
    ).json
    assert again["unchanged"] is True
    assert again["papers"] == pq.read_table(tmp_path / again["path"] / "papers.parquet").num_rows
    first = again["link_prediction"][0]
    assert (first["protocol"], first["side"]) == ("filtered-all", "target")
    assert 0 < first["mrr"] <= 1
    assert len(again["losses"]) == 2
    assert again["run"] in done.out
    assert again["run"] in run_on_store("status").out


def test_settings_of_scincl_and_importance_weights(run_on_store: Platform) -> None:
    options = ("--tables", "shared", "--loss", "ranking", "--learning-rate", 0.1, "--max-norm", 1)
    done = run_on_store("train", "graph", *QUICK, *options, "--runs", "runs", "--json")
    assert done.status == 0, done.err
    two = run_on_store(
        "train", "graph", *QUICK, "--weight", "importance", "--runs", "runs", "--json"
    )
    assert two.status == 0, two.err
    assert done.json["citations"] >= two.json["citations"] > 0
    other = run_on_store("train", "graph", *QUICK, "--undirected", "--holdout", 0, "--runs", "runs")
    assert "holdout is 0" in other.out


def test_the_example_is_the_published_configuration() -> None:
    """SciNCL's configuration of PyTorch-BigGraph, with `num_batch_negs` at its default."""
    _, _, example = TrainGraph.examples.partition("Settings of SciNCL")
    words = shlex.split(example.partition(":\n")[2].replace("\\\n", ""))
    assert words[:3] == ["platform", "train", "graph"]
    group = find_command("train")
    assert isinstance(group, click.Group)
    context = group.commands["graph"].make_context("graph", words[3:])
    settings = {item.name: context.params[item.name] for item in describe(TrainGraph)}
    step = TrainGraph(**{name: value for name, value in settings.items() if value is not None})
    published = TrainGraph(
        weight="none",
        vectors="sum",
        holdout=0,
        dimensions=768,
        epochs=20,
        loss="ranking",
        comparator="dot",
        tables="shared",
        undirected=False,
        learning_rate=0.1,
        margin=0.15,
        max_norm=1.0,
        batch=10_000,
        chunk=50,
        uniform=0,
    )
    assert step == published


def test_steps_and_memory_map_are_options(run_on_store: Platform, tmp_path: Path) -> None:
    options = ("--batch", 40, "--chunk", 20, "--negatives", 3, "--temperature", 0.5)
    result = run_on_store(
        "train", "graph", *QUICK, *options, "--memory-map", "--runs", "runs", "--json"
    ).json
    assert result["tables_on_disk"] is True
    config = read_run(tmp_path / result["path"]).config
    assert [config[n] for n in ("batch", "chunk", "uniform", "temperature")] == [40, 20, 3, 0.5]
    again = run_on_store(
        "train", "graph", *QUICK, *options, "--no-memory-map", "--runs", "other", "--json"
    ).json
    assert again["tables_on_disk"] is False
    assert (again["run"], again["losses"]) == (result["run"], result["losses"])


def test_excluded_papers_are_counted(run_on_store: Platform, tmp_path: Path) -> None:
    whole = run_on_store("train", "graph", *QUICK, "--runs", "runs", "--json").json
    ids = pq.read_table(tmp_path / whole["path"] / "papers.parquet")["id"].to_pylist()
    (tmp_path / "left.txt").write_text(f"{ids[0]}\n{ids[1]}\ndoi:10.9/none\n")
    done = run_on_store("train", "graph", *QUICK, "--exclude", "left.txt", "--runs", "runs")
    assert "2 excluded papers left out of the graph" in done.out
    assert "left.txt: 1 of 3 papers not in the store" in done.err


def test_impossible_settings_are_refused(
    run_on_store: Platform, platform: Platform, generated: GeneratedCorpus
) -> None:
    missing = run_on_store("train", "graph", *QUICK, "--weight", "method")
    assert missing.status == 1
    assert "text intents label" in missing.err
    both = run_on_store("train", "graph", *QUICK, "--tables", "shared", "--vectors", "both")
    assert both.status == 2
    assert "one vector" in both.err
    nowhere = run_on_store("train", "graph", *QUICK, "--device", "foo", "--runs", "runs")
    assert (nowhere.status, nowhere.err.count("\n")) == (1, 1)
    assert "no device 'foo'; expected auto, cpu" in nowhere.err
    assert not list(Path().glob("runs/.*")), "before any work"
    hot = run_on_store("train", "graph", *QUICK, "--learning-rate", 1e30, "--runs", "runs")
    assert hot.status == 1
    assert "lower the learning rate" in hot.err
    assert platform("train", "graph", "--store", generated.store, "--loss", "hinge").status == 2


def test_weights_equal_those_of_the_library() -> None:
    assert set(CHOICES) == set(WEIGHTS)
