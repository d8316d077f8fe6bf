"""Training on a store: a run, which is found again; too few training data are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from citescape.core.errors import ConfigError, SourceError, StoreError
from citescape.store.graph_store import GraphStore, open_store
from citescape.text.model_run import load_model
from citescape.text.sections.model import SectionModel, read_corpus, train
from citescape.text.sections.steps import TrainSections

CONFIG = TrainSections(body=False, epochs=1, fewest_steps=1, threads=1)


def test_a_training_is_a_run(corpus: Path, tmp_path: Path) -> None:
    store = open_store(str(corpus), read_only=True)
    messages: list[str] = []
    trained = train(store, CONFIG, runs=tmp_path, progress=messages.append)
    again = train(store, CONFIG, runs=tmp_path)
    store.close()
    assert "training: epoch 1 of 1" in messages
    assert (trained.unchanged, again.unchanged) == (False, True)
    assert again.run == trained.run
    record = json.loads((trained.path / "run.json").read_text())
    assert record["command"] == "sections train"
    assert record["config"]["encoder"] == "sentence-transformers/all-MiniLM-L6-v2"
    assert record["seed"] == 0
    assert set(record["versions"]) >= {"torch", "transformers", "citescape"}
    assert record["counts"] == dict(trained.counts)
    stored = torch.tensor(trained.tensors["crf.transitions"])
    assert torch.equal(trained.network.crf.transitions, stored)


def test_another_seed_is_another_run(corpus: Path, tiny: Path, tmp_path: Path) -> None:
    store = open_store(str(corpus), read_only=True)
    config = replace(CONFIG, encoder=str(tiny))
    runs = {train(store, replace(config, seed=seed), runs=tmp_path).run for seed in (0, 1)}
    store.close()
    assert len(runs) == 2


def test_the_seed_decides_the_sample_of_papers(corpus: Path) -> None:
    store = open_store(str(corpus), read_only=True)
    some = [read_corpus(store, papers=10, seed=seed) for seed in (0, 0, 1)]
    whole = read_corpus(store, papers=1000)
    store.close()
    assert [part.papers for part in some] == [10, 10, 10]
    prints = [part.fingerprint() for part in some]
    assert prints[0] == prints[1] != prints[2]
    assert whole.papers == 50


def test_training_needs_sections(store: GraphStore, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="holds no sections; expected papers with full text"):
        train(store, CONFIG, runs=tmp_path)


def test_a_missing_encoder_is_named(corpus: Path, tmp_path: Path) -> None:
    store = open_store(str(corpus), read_only=True)
    with pytest.raises(ConfigError, match=r"no pretrained encoder '.*nowhere'.*--encoder"):
        train(store, TrainSections(encoder=str(tmp_path / "nowhere")), runs=tmp_path)
    store.close()


def test_a_model_of_another_shape_is_refused_by_name(
    corpus: Path, tiny: Path, tmp_path: Path
) -> None:
    store = open_store(str(corpus), read_only=True)
    path = train(store, replace(CONFIG, encoder=str(tiny)), runs=tmp_path).path
    store.close()
    record = json.loads((path / "run.json").read_text())
    record["config"]["body"] = True
    (path / "run.json").write_text(json.dumps(record))
    with pytest.raises(SourceError, match=r"of this version of citescape.*train it again"):
        _ = load_model(SectionModel, tmp_path).network
    record["config"]["unheard_of"] = 1
    (path / "run.json").write_text(json.dumps(record))
    with pytest.raises(SourceError, match="unheard_of"):
        load_model(SectionModel, tmp_path)
