"""`platform train graph` as a user meets it."""

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
from tests.cli.conftest import Made, Platform

QUICK: tuple[Any, ...] = ("--dimensions", 8, "--epochs", 2, "--threads", 1)


def test_vectors_figures_and_the_next_command(
    ask: Platform, platform: Platform, tmp_path: Path
) -> None:
    done = ask("train", "graph", *QUICK, "--holdout", 0.05, "--runs", "runs")
    assert done.status == 0, done.err
    for text in ("citations held out", "filtered-all", "raw-sampled", "MRR", "AUC", "peak memory"):
        assert text in done.out
    assert "stored in runs/graph-embed-" in done.out
    (line,) = [line for line in done.out.splitlines() if line.startswith("next: ")]
    assert platform(*shlex.split(line)[2:]).status == 0
    again = ask("train", "graph", *QUICK, "--holdout", 0.05, "--runs", "runs", "--json").json
    assert again["unchanged"] is True
    assert again["papers"] == pq.read_table(tmp_path / again["path"] / "papers.parquet").num_rows
    first = again["link_prediction"][0]
    assert (first["protocol"], first["side"]) == ("filtered-all", "target")
    assert 0 < first["mrr"] <= 1
    assert len(again["losses"]) == 2
    assert again["run"] in done.out
    assert again["run"] in ask("status").out


def test_as_scincl_set_it_and_by_importance(ask: Platform) -> None:
    options = ("--tables", "shared", "--loss", "ranking", "--learning-rate", 0.1, "--max-norm", 1)
    one = ask("train", "graph", *QUICK, *options, "--runs", "runs", "--json")
    assert one.status == 0, one.err
    two = ask("train", "graph", *QUICK, "--weight", "importance", "--runs", "runs", "--json")
    assert two.status == 0, two.err
    assert one.json["citations"] >= two.json["citations"] > 0
    other = ask("train", "graph", *QUICK, "--undirected", "--holdout", 0, "--runs", "runs")
    assert "holdout is 0" in other.out


def test_the_example_is_the_published_configuration() -> None:
    """SciNCL's configuration of PyTorch-BigGraph, with `num_batch_negs` at its default."""
    _, _, example = TrainGraph.examples.partition("Settings of SciNCL")
    words = shlex.split(example.partition(":\n")[2].replace("\\\n", ""))
    assert words[:3] == ["platform", "train", "graph"]
    group = find_command("train")
    assert isinstance(group, click.Group)
    context = group.commands["graph"].make_context("graph", words[3:])
    given = {item.name: context.params[item.name] for item in describe(TrainGraph)}
    step = TrainGraph(**{name: value for name, value in given.items() if value is not None})
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


def test_steps_and_place_are_options(ask: Platform, tmp_path: Path) -> None:
    options = ("--batch", 40, "--chunk", 20, "--negatives", 3, "--temperature", 0.5)
    made = ask("train", "graph", *QUICK, *options, "--memory-map", "--runs", "runs", "--json").json
    assert made["tables_on_disk"] is True
    config = read_run(tmp_path / made["path"]).config
    assert [config[n] for n in ("batch", "chunk", "uniform", "temperature")] == [40, 20, 3, 0.5]
    again = ask(
        "train", "graph", *QUICK, *options, "--no-memory-map", "--runs", "other", "--json"
    ).json
    assert again["tables_on_disk"] is False
    assert (again["run"], again["losses"]) == (made["run"], made["losses"])


def test_excluded_papers_are_counted(ask: Platform, tmp_path: Path) -> None:
    whole = ask("train", "graph", *QUICK, "--runs", "runs", "--json").json
    ids = pq.read_table(tmp_path / whole["path"] / "papers.parquet")["id"].to_pylist()
    (tmp_path / "left.txt").write_text(f"{ids[0]}\n{ids[1]}\ndoi:10.9/none\n")
    done = ask("train", "graph", *QUICK, "--exclude", "left.txt", "--runs", "runs")
    assert "2 excluded papers left out of the graph" in done.out
    assert "left.txt: 1 of 3 papers not in the store" in done.err


def test_what_cannot_be_done_is_said(ask: Platform, platform: Platform, made: Made) -> None:
    missing = ask("train", "graph", *QUICK, "--weight", "method")
    assert missing.status == 1
    assert "text intents label" in missing.err
    both = ask("train", "graph", *QUICK, "--tables", "shared", "--vectors", "both")
    assert both.status == 2
    assert "one vector" in both.err
    nowhere = ask("train", "graph", *QUICK, "--device", "foo", "--runs", "runs")
    assert (nowhere.status, nowhere.err.count("\n")) == (1, 1)
    assert "no device 'foo'; expected auto, cpu" in nowhere.err
    assert not list(Path().glob("runs/.*")), "before any work"
    hot = ask("train", "graph", *QUICK, "--learning-rate", 1e30, "--runs", "runs")
    assert hot.status == 1
    assert "lower the learning rate" in hot.err
    assert platform("train", "graph", "--store", made.store, "--loss", "hinge").status == 2


def test_weights_are_those_of_the_library() -> None:
    assert set(CHOICES) == set(WEIGHTS)
