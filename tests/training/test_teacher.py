"""Encoders that learn from graph embeddings: papers, learning and identity of runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch
from accelerate import Accelerator

from citescape.core.errors import ConfigError, TrainingError
from citescape.encoders.saved import load_document_encoder, read_adapter
from citescape.runs.directory import RunRecord, open_run, read_run
from citescape.search.vectors import Vectors, write_vectors
from citescape.training.checkpoint import State, load_state
from citescape.training.config import TrainConfig
from citescape.training.kept import EncoderRun
from citescape.training.session import Session
from citescape.training.teacher import Teacher, find_teacher
from citescape.training.towers import AdapterTower
from citescape.training.train import train
from citescape.training.triplet_task import train_tower
from tests.training.conftest import PAPERS, Training, paper_id
from tests.training.loops import LimitedMemoryTower, PowerCutError, points, some_triplets
from tests.training.test_train import documents

GRAPH = np.random.default_rng(8).normal(size=(PAPERS, 5)).astype(np.float32)
UNKNOWN, NOTHING = 3, 6
"""Papers missing from the graph, and papers with a zero vector."""


def embed(runs: Path, name: str = "graph-embed-1", papers: range = range(PAPERS)) -> str:
    """Save a run of graph vectors that includes other papers."""
    known = [paper for paper in papers if paper != UNKNOWN]
    values = np.where(np.arange(PAPERS)[:, None] == NOTHING, 0, GRAPH)[known].astype(np.float32)
    ids = pa.table({"id": [paper_id(paper) for paper in known] + ["zz"]})
    with open_run(runs, name) as directory:
        write_vectors(directory.path, Vectors(ids, np.vstack([values, np.ones(5, np.float32)])))
        directory.complete(RunRecord(id=name, command="graph-embed", config={}, inputs={}))
    return name


def run(training: Training, **settings: Any) -> EncoderRun:
    plain = {"base": str(training.still), "precision": "float32", "threads": 1, "tune": "adapter"}
    config = TrainConfig(**{**plain, "batch": 16, "learning_rate": 1e-2, **settings})
    return train(training.store, training.triplets, config, runs=training.runs)


def test_papers_are_matched_by_id_and_missing_vectors_are_nan(tmp_path: Path) -> None:
    ids = pa.array([paper_id(paper) for paper in range(PAPERS)])
    result = find_teacher(tmp_path, embed(tmp_path), ids, location="a.lbug")
    assert result.papers == PAPERS - 2
    read = result.read(np.array([4, UNKNOWN, 0, NOTHING])).numpy()
    np.testing.assert_array_equal(read[[0, 2]], GRAPH[[4, 0]])
    assert np.isnan(read[[1, 3]]).all()


def difference(result: EncoderRun) -> float:
    """Mean squared difference of cosines over pairs of papers that have a graph vector."""
    known = [paper for paper in range(PAPERS) if paper not in (UNKNOWN, NOTHING)]
    text = load_document_encoder(str(result.path), precision="float32")(documents())
    cosines = []
    for vectors in (text[known], GRAPH[known]):
        units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        cosines.append(units @ units.T)
    return float(((cosines[0] - cosines[1]) ** 2).mean())


@pytest.mark.parametrize("tune", ["adapter", "all"])
def test_an_encoder_follows_its_teacher(tune: str, training: Training) -> None:
    """The effect is strongest without triplets and absent without a teacher."""
    teacher, shared = embed(training.runs), {"tune": tune, "epochs": 6}
    alone = run(training, teacher=teacher, teacher_only=True, **shared)
    joint = run(training, teacher=teacher, teacher_weight=10.0, **shared)
    without = run(training, **shared)
    assert difference(alone) < difference(joint) < difference(without)
    assert alone.counts["teacher_papers"] == joint.counts["teacher_papers"] == PAPERS - 2
    assert "teacher_papers" not in without.counts
    assert joint.after["loss"] < alone.after["loss"], "only the joint loss sees triplets"


def test_cosines_depend_on_the_shift_of_an_adapter(training: Training) -> None:
    adapter = read_adapter(run(training, teacher=embed(training.runs)).path)
    assert adapter is not None
    assert adapter.bias.any()


def test_a_teacher_with_weight_zero_changes_nothing(training: Training) -> None:
    """It is another run with equal weights; uses `all`, because adapters would learn a shift."""
    shared = {"tune": "all", "epochs": 1}
    with_teacher = run(training, teacher=embed(training.runs), teacher_weight=0.0, **shared)
    without_teacher = run(training, **shared)
    assert with_teacher.run != without_teacher.run
    assert with_teacher.after == without_teacher.after


def test_the_run_depends_on_teacher_settings(training: Training) -> None:
    """The run depends on the run of the teacher, its weight and the use of triplets."""
    first, second = embed(training.runs), embed(training.runs, "graph-embed-2")
    base_run = run(training, teacher=first, epochs=1)
    again = run(training, teacher=str(training.runs / first), epochs=1)
    assert (again.run, again.unchanged) == (base_run.run, True)
    assert read_run(base_run.path).inputs["teacher"] == first
    others = [
        run(training, epochs=1, **settings).run
        for settings in (
            {},
            {"teacher": second},
            {"teacher": first, "teacher_weight": 2.0},
            {"teacher": first, "teacher_only": True},
        )
    ]
    assert len({base_run.run, *others}) == 5


def test_a_training_without_a_teacher_keeps_its_id() -> None:
    assert not {name for name in TrainConfig().settings() if "teacher" in name}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session("train-1", Accelerator(cpu=True), tmp_path / "checkpoint")


CONFIG = TrainConfig(
    tune="adapter", batch=8, learning_rate=1e-2, epochs=1, teacher="run", teacher_only=True
)
TEACHER = Teacher("run", GRAPH, np.where(np.arange(PAPERS) == UNKNOWN, -1, np.arange(PAPERS)))


def test_a_training_with_a_teacher_resumes_from_its_checkpoint(session: Session) -> None:
    def stop_after(text: str) -> None:
        if text.startswith("update 5 of"):
            raise PowerCutError

    whole, cut, resumed = (AdapterTower(points()) for _ in range(3))
    messages: list[float] = []
    logged = replace(session, log=lambda _, figures: messages.append(figures.get("train/loss", 0)))
    given = {"teacher": TEACHER}
    train_tower(whole, some_triplets(), CONFIG, session=logged, state=State("train-1"), **given)
    often = replace(session, checkpoint_seconds=0.0, progress=stop_after)
    with pytest.raises(PowerCutError):
        train_tower(cut, some_triplets(), CONFIG, session=often, state=State("train-1"), **given)
    state = load_state(session.folder, "train-1")
    assert state is not None
    assert state.updates == 4
    train_tower(resumed, some_triplets(), CONFIG, session=session, state=state, **given)
    assert torch.equal(whole.module.weight, resumed.module.weight)
    assert torch.equal(whole.module.bias, resumed.module.bias)
    losses = [loss for loss in messages if loss]
    assert losses[-1] < losses[0]


def test_updates_with_a_teacher_are_not_halved(session: Session) -> None:
    tower = LimitedMemoryTower(points(), most=11)
    with pytest.raises(TrainingError, match="8 triplets in 1 parts"):
        train_tower(
            tower, some_triplets(), CONFIG, session=session, state=State("train-1"), teacher=TEACHER
        )


def test_a_teacher_without_vectors_is_refused(session: Session) -> None:
    with pytest.raises(ConfigError, match="names a teacher; found no vectors"):
        train_tower(
            AdapterTower(points()), some_triplets(), CONFIG, session=session, state=State("train-1")
        )


def test_a_teacher_of_other_papers_is_refused(training: Training) -> None:
    with pytest.raises(ConfigError, match=r"0 of 24 papers of the triplets have a vector"):
        run(training, teacher=embed(training.runs, papers=range(0)))
    with pytest.raises(ConfigError, match="no run 'nobody'"):
        run(training, teacher="nobody")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"teacher": "run", "teacher_weight": -1.0}, "teacher_weight is -1.0; expected 0 or more"),
        ({"teacher": "run", "teacher_weight": float("nan")}, "teacher_weight is nan"),
        ({"teacher": "run", "teacher_weight": float("inf")}, "teacher_weight is inf"),
        ({"teacher_only": True}, "teacher_only; expected a teacher"),
        (
            {"teacher": "run", "teacher_only": True, "teacher_weight": 0.0},
            "teacher_only; expected a teacher",
        ),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TrainConfig(**settings)
