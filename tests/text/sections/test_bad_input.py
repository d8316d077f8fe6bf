"""Unusual input: missing or very long titles, missing or different encoders, invalid settings."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import citescape
from citescape.core.errors import CitescapeError, ConfigError
from citescape.encoders import pretrained
from citescape.encoders.pretrained import PretrainedEncoder
from citescape.store.graph_store import GraphStore, open_store
from citescape.text.model_run import load_model
from citescape.text.sections.evaluate import evaluate
from citescape.text.sections.label import label
from citescape.text.sections.model import SectionModel, read_corpus, train
from citescape.text.sections.sequences import SectionSequences
from citescape.text.sections.steps import METHODS, TrainSections

Build = Callable[..., SectionSequences]
CONFIG = TrainSections(body=False, epochs=1, fewest_steps=1, threads=1)
IMRD = (("Introduction", 1), ("Methods", 1), ("Field", 2), ("Results", 1), ("Discussion", 1))


@pytest.fixture
def store_copy(corpus: Path, tmp_path: Path) -> Iterator[GraphStore]:
    """A copy of the corpus to write to."""
    store = open_store(str(shutil.copy(corpus, tmp_path / "mine.lbug")))
    yield store
    store.close()


@pytest.fixture
def encoder(tiny: Path, tmp_path: Path) -> Path:
    """A copy of the transformer to damage."""
    return Path(shutil.copytree(tiny, tmp_path / "encoder"))


@pytest.fixture
def model(store_copy: GraphStore, encoder: Path, tmp_path: Path) -> SectionModel:
    config = replace(CONFIG, encoder=str(encoder))
    return train(store_copy, config, runs=tmp_path / "runs")


@pytest.mark.parametrize(
    ("name", "value"),
    [("batch", 0), ("hidden_share", 2.0), ("hidden_share", -0.1), ("epochs", 0), ("papers", 0),
     ("papers", -1), ("fewest_steps", 0), ("threads", 0), ("seed", -1), ("learning_rate", 0.0),
     ("learning_rate", float("nan")), ("weight_decay", -1.0)],
)  # fmt: skip
def test_invalid_settings_are_refused(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"{name} is|{name} -1"):
        TrainSections(**{name: value})  # type: ignore[arg-type]


def blank(store: GraphStore) -> None:
    """Removes all titles and types."""
    store.write(
        "MATCH (s:Section) SET s.title = '', s.type = 'other', s.type_source = 'none', "
        "s.type_run = NULL, s.type_probability = NULL"
    )


def test_training_needs_titles(
    store_copy: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blank(store_copy)
    monkeypatch.setattr(PretrainedEncoder, "load", None)  # no encoder is loaded
    with pytest.raises(ConfigError, match=r"type I, M, R, D in fewer than 2 papers"):
        train(store_copy, replace(CONFIG, encoder=str(tmp_path / "nowhere")), runs=tmp_path)
    for method in METHODS:
        with pytest.raises(ConfigError, match=r"type I, M, R, D in fewer than 2 papers"):
            evaluate(read_corpus(store_copy), CONFIG, methods=(method,))


def test_papers_without_titles_are_labelled(store_copy: GraphStore, model: SectionModel) -> None:
    blank(store_copy)
    done = label(store_copy, model)
    assert done.written == done.sections == sum(done.labelled.values()) > 0
    assert done.by_source == {"model": done.sections}


def test_a_corpus_without_subsections_is_refused(build: Build) -> None:
    flat = build(*[[section for section in IMRD if section[1] == 1]] * 8)
    with pytest.raises(ConfigError, match=r"8 papers; expected for SUB"):
        evaluate(flat, methods=("rules",))


def test_titles_without_shared_words_are_refused(build: Build) -> None:
    papers = build(*[(*IMRD[:2], (f"Plot{'abcdefgh'[k]}", 2), *IMRD[3:]) for k in range(8)])
    with pytest.raises(
        ConfigError, match=r"\d+ sections with a known type: .*titles that share words"
    ):
        evaluate(papers, methods=("words",), seeds=(0,))


def test_very_long_titles_and_openings_are_cut(
    store_copy: GraphStore, model: SectionModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretrained, "_SLICE", 64)
    text = "the yield of rice under drought " * 3200
    store_copy.write(
        "MATCH (s:Section) WHERE s.type_source = 'none' SET s.title = $text", text=text
    )
    store_copy.write("MATCH (s:Section) SET s.opening = $text", text=text[::-1])
    done = label(store_copy, model)
    assert done.written == sum(done.labelled.values()) > 0
    result = store_copy.read(
        "MATCH (s:Section) WHERE s.type_run IS NOT NULL RETURN s.title AS title"
    )
    assert set(result["title"].to_pylist()) == {text}


def test_very_long_openings_are_read(store_copy: GraphStore, encoder: Path, tmp_path: Path) -> None:
    text = "x" * 100_000
    store_copy.write("MATCH (s:Section) WHERE s.ordinal = 2 SET s.opening = $text", text=text)
    config = replace(CONFIG, encoder=str(encoder), body=True)
    done = label(store_copy, train(store_copy, config, runs=tmp_path / "runs"))
    assert done.written > 0


def test_full_texts_without_sections_are_skipped(
    store_copy: GraphStore, model: SectionModel
) -> None:
    text = "MATCH (p:Paper)-[:HAS_SECTION]->(:Section) RETURN DISTINCT p.id AS id"
    some = sorted(store_copy.read(text)["id"].to_pylist())[:7]
    for id_ in some:
        store_copy.write("MATCH (:Paper {id: $id})-[:HAS_SECTION]->(s) DETACH DELETE s", id=id_)
    done = label(store_copy, model)
    assert (done.papers, done.sections) == (50, read_corpus(store_copy).table.num_rows)
    assert read_corpus(store_copy).papers == 43
    store_copy.write("MATCH (s:Section) DETACH DELETE s")
    done = label(store_copy, model)
    assert (done.papers, done.sections, done.written) == (50, 0, 0)


def test_a_missing_encoder_is_named(
    store_copy: GraphStore, model: SectionModel, encoder: Path
) -> None:
    encoder.rename(encoder.with_name("elsewhere"))
    with pytest.raises(ConfigError, match=rf"{model.run} .*'{encoder}'.*; restore it, or train again with `platform text sections train`") as caught:  # fmt: skip # noqa: E501
        label(store_copy, model)
    assert "\n" not in str(caught.value)
    assert not read_corpus(store_copy).relabelled.any()


def test_another_encoder_of_the_same_name_is_refused(
    store_copy: GraphStore, model: SectionModel, encoder: Path, tmp_path: Path
) -> None:
    from transformers import AutoModel

    other = AutoModel.from_pretrained(encoder)
    next(other.parameters()).data[0, 0] += 1
    other.save_pretrained(encoder)
    with pytest.raises(ConfigError, match=rf"{model.run} .*'{encoder}'.*SHA-256"):
        label(store_copy, model)
    again = train(store_copy, replace(CONFIG, encoder=str(encoder)), runs=tmp_path / "runs")
    assert (again.run == model.run, again.unchanged) == (False, False)
    assert label(store_copy, again).written > 0


def test_a_relative_encoder_path_is_resolved(
    store_copy: GraphStore, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(encoder.parent)
    config = replace(CONFIG, encoder=encoder.name)
    trained = train(store_copy, config, runs=tmp_path / "runs")
    assert trained.config.encoder == str(encoder)
    monkeypatch.chdir("/")
    assert label(store_copy, trained).written > 0


def test_an_existing_model_is_not_trained_again(
    store_copy: GraphStore, model: SectionModel, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PretrainedEncoder, "load", None)
    again = train(store_copy, replace(CONFIG, encoder=str(encoder)), runs=model.path.parent)
    assert (again.run, again.unchanged) == (model.run, True)


def test_a_model_computes_as_it_was_trained(model: SectionModel) -> None:
    inputs = {**model.record.inputs, "precision": "bfloat16"}
    same = replace(model, record=replace(model.record, inputs=inputs))
    assert same.encoder.config.precision == "bfloat16"
    del inputs["encoder"]
    path = model.path / "run.json"
    path.write_text(path.read_text().replace('"precision"', '"before"'))
    with pytest.raises(CitescapeError, match="no hash of its encoder"):
        load_model(SectionModel, model.path.parent)


def test_rules_are_measured_without_learning_libraries(corpus: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'sklearn'): sys.modules[name] = None\n"
        "from citescape.store.graph_store import open_store\n"
        "from citescape.text.sections.evaluate import evaluate\n"
        "from citescape.text.sections.model import read_corpus\n"
        f"store = open_store({str(corpus)!r}, read_only=True)\n"
        "print(len(evaluate(read_corpus(store), methods=('rules',)).scores))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "3"


def test_evaluation_takes_the_papers_of_its_settings(store_copy: GraphStore) -> None:
    store_copy.close()
    with citescape.open(store_copy.location) as corpus:
        result = corpus.text.sections.evaluate(methods=("rules",), papers=20, seeds=1)
    assert result.papers == 20
