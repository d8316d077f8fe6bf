"""Labels in the graph: precedence of sources, continued runs, removal of labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.importance.score import score
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.state import read_importance_run
from citescape.text.sections import label as labelling
from citescape.text.sections.label import RULES, find_unsure, label
from citescape.text.sections.model import SectionModel, resolve_model, train
from citescape.text.sections.sequences import TYPES
from citescape.text.sections.steps import TrainSections
from tests.text.sections.conftest import Build

CONFIG = TrainSections(body=False, epochs=6, fewest_steps=1, threads=1)  # encodes few texts
OPEN = "MATCH (s:Section) WHERE s.kind = 'body' AND s.type_source = 'none' RETURN count(*) AS n"
ALL = (
    "MATCH (s:Section) RETURN s.id AS id, s.type AS type, s.type_source AS type_source, "
    "s.type_probability AS type_probability, s.type_run AS type_run ORDER BY id"
)


@pytest.fixture(scope="session")
def model(corpus: Path, tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> SectionModel:
    store = open_store(str(corpus), read_only=True)
    config = replace(CONFIG, encoder=str(tiny))
    trained = train(store, config, runs=tmp_path_factory.mktemp("runs"))
    store.close()
    return trained


def rows(store: GraphStore) -> list[dict[str, object]]:
    result: list[dict[str, object]] = store.read(ALL).to_pylist()
    return result


def test_every_section_is_labelled_and_rules_take_precedence(
    loaded: GraphStore, model: SectionModel
) -> None:
    before = {row["id"]: row for row in rows(loaded)}
    left = loaded.read(OPEN)["n"][0].as_py()
    assert left > 10
    done = label(loaded, model)
    assert done.written == sum(done.labelled.values()) == done.by_source["model"] == left
    assert loaded.read(OPEN)["n"][0].as_py() == 0
    for row in rows(loaded):
        if row["type_run"] is None:
            assert row == before[row["id"]]
        else:
            assert row["type_run"] == model.run
            assert row["type"] in TYPES
            assert row["type_source"] == "model"
            if row["type_probability"] is None:
                assert row["type"] == "other"
            else:
                assert 0 <= float(str(row["type_probability"])) <= 1
    runs = loaded.read("MATCH (r:Run) RETURN r.id AS id, r.command AS command").to_pylist()
    assert runs == [{"id": model.run, "command": "sections train"}]


def test_papers_with_low_confidence_keep_type_other(
    loaded: GraphStore, model: SectionModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for least, unsure in ((0.0, False), (1.1, True)):
        monkeypatch.setattr(labelling, "MIN_CONFIDENCE", least)
        done = label(loaded, model)
        typed = [row for row in rows(loaded) if row["type_source"] == "model"]
        assert done.written == len(typed) > 10
        assert {row["type_probability"] is None for row in typed} == {unsure}
        assert ({row["type"] for row in typed} == {"other"}) == unsure
        assert done.unsure == (len(typed) if unsure else 0)
        assert label(loaded, model).unsure == done.unsure  # counts are repeated, nothing is written
        label(loaded, None)


def test_confidence_is_the_mean_over_sections_without_a_rule(build: Build) -> None:
    """Paper 0: (.9 + .69) / 2 < .8, paper 1: (.9 + .7) / 2 = .8; introductions are ruled."""
    paper = [("Introduction", 1), ("Birds of the Shan hills", 1), ("Snakes", 1)]
    sections = build(paper, paper, [("Introduction", 1)])
    sure = np.array([1, 0.9, 0.69, 0, 0.9, 0.7, 0])
    assert find_unsure(sections, sure).tolist() == [False, True, True, *[False] * 4]


def test_a_second_run_writes_nothing_and_rules_undo_labels(
    loaded: GraphStore, model: SectionModel
) -> None:
    before = rows(loaded)
    first = label(loaded, model)
    after = rows(loaded)
    again = label(loaded, model)
    assert (again.written, again.labelled) == (0, first.labelled)
    assert again.by_source == first.by_source
    assert rows(loaded) == after
    back = label(loaded, None)
    assert (back.run, back.written) == (RULES, first.written)
    assert rows(loaded) == before


def test_an_interrupted_labelling_continues(
    loaded: GraphStore, model: SectionModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling, "_PAPERS", 10)
    messages: list[str] = []

    def stop(text: str) -> None:
        messages.append(text)
        if len(messages) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        label(loaded, model, progress=stop)
    assert messages[-1] == "labelling: 30 of 50 papers"
    some = sum(row["type_run"] is not None for row in rows(loaded))
    done = label(loaded, model)
    assert 0 < some < sum(done.labelled.values())
    assert done.written == sum(done.labelled.values()) - some
    assert loaded.read(OPEN)["n"][0].as_py() == 0


def test_scores_are_out_of_date_until_the_next_scoring(
    loaded: GraphStore, model: SectionModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling, "MIN_CONFIDENCE", 0.0)  # the model is barely trained
    first = score(loaded, runs=tmp_path)
    label(loaded, model)
    assert read_importance_run(loaded) is None
    second = score(loaded, runs=tmp_path)
    assert second.relabelled > 0
    assert second.mentions["other"] < first.mentions["other"]
    assert read_importance_run(loaded) == second.run
    label(loaded, model)
    assert read_importance_run(loaded) == second.run  # nothing changed


def test_a_reloaded_paper_is_labelled_again(
    loaded: GraphStore, model: SectionModel, papers: Path
) -> None:
    done = label(loaded, model)
    ids = [str(row["id"]).split("#")[0] for row in rows(loaded) if row["type_run"]]
    text = "MATCH (p:Paper {id: $id}) RETURN p.path AS path"
    path = Path(loaded.read(text, id=ids[0])["path"][0].as_py())
    changed = path.read_bytes().replace(b"</article>", b"<!-- corrected --></article>")
    copy = papers.parent / "corrected" / path.name
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(changed)
    loaded.write("MATCH (p:Paper {id: $id}) SET p.path = $path", id=ids[0], path=str(copy))
    ingest(loaded, [copy], IngestConfig(workers=1))
    assert loaded.read(OPEN)["n"][0].as_py() > 0
    again = label(loaded, model)
    assert again.written == ids.count(ids[0])
    assert again.labelled == done.labelled


def test_a_store_without_papers_is_not_an_error(store: GraphStore, model: SectionModel) -> None:
    done = label(store, model)
    assert (done.papers, done.sections, done.written) == (0, 0, 0)


def test_models_are_found_by_id_path_or_as_the_latest(model: SectionModel, tmp_path: Path) -> None:
    runs = model.path.parent
    for named in ("", model.run, str(model.path)):
        result = resolve_model(runs, named)
        assert result is not None
        assert result.run == model.run
    assert resolve_model(tmp_path, RULES) is None
    with pytest.raises(ConfigError, match=r"no trained models in .*text sections train"):
        resolve_model(tmp_path, "")
    with pytest.raises(ConfigError, match="no run 'nobody'"):
        resolve_model(runs, "nobody")


def test_a_truncated_model_is_refused(model: SectionModel, tmp_path: Path) -> None:
    copy = tmp_path / model.run
    copy.mkdir()
    for path in model.path.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    tensors = copy / "model.safetensors"
    tensors.write_bytes(tensors.read_bytes()[:1000])
    with pytest.raises(SourceError, match="expected the tensors of a trained model"):
        resolve_model(tmp_path, "")
    tensors.unlink()
    with pytest.raises(SourceError, match="train it again"):
        resolve_model(tmp_path, "")


def test_a_model_of_another_kind_is_refused(model: SectionModel, tmp_path: Path) -> None:
    copy = tmp_path / "other"
    copy.mkdir()
    for path in model.path.iterdir():
        text = path.read_bytes().replace(b"sections train", b"intents train")
        (copy / path.name).write_bytes(text)
    with pytest.raises(ConfigError, match="a run of `platform text intents train`; expected"):
        resolve_model(tmp_path, str(copy))
