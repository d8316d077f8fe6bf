"""Output of `platform train sweep`."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("torch")

import citescape
from citescape.networks.citations import read_citations
from citescape.runs.directory import RunRecord, open_run
from citescape.search.vectors import Vectors, write_vectors
from tests.cli.conftest import GeneratedCorpus, Platform
from tests.evaluation.scidocs.conftest import write_scidocs
from tests.training.conftest import write_model

QUICK = ("--hard", 0, "--hard", 2, "--seeds", 2, "--epochs", 1)
ARMS = [*("untrained", "uniform", "shuffled, H=2", "SPECTER", "importance, H=0", "importance, H=2")]


@pytest.fixture
def store_path(generated: GeneratedCorpus, tmp_path: Path) -> Path:
    """A copy of the store, and a run with random vectors of all its papers."""
    path = tmp_path / "own.lbug"
    shutil.copy(generated.store, path)
    with citescape.open(path, read_only=True) as corpus:
        ids = read_citations(corpus.store, weight="importance").ids
    values = np.random.default_rng(0).normal(size=(len(ids), 8)).astype(np.float32)
    with open_run(tmp_path / "runs", "embed-1") as directory:
        write_vectors(directory.path, Vectors(pa.table({"id": ids}), values))
        config = {"encoder": "org/name"}
        directory.complete(RunRecord("embed-1", "embed", config, {}, started="2026"))
    return path


def test_shows_table_run_and_picture(platform: Platform, store_path: Path) -> None:
    done = platform("train", "sweep", *QUICK, "--store", store_path, "--json")
    assert done.status == 0, done.err
    assert set(done.json) == {"run", "path", "unchanged", "arms"}
    assert [row["arm"] for row in done.json["arms"]] == ARMS
    path = Path(done.json["path"])
    assert {"sweep.parquet", "sweep.svg", "run.json"} == {file.name for file in path.iterdir()}
    assert pq.read_table(path / "sweep.parquet").num_rows == 2 * len(ARMS)
    shown = platform("train", "sweep", *QUICK, "--store", store_path)
    lines = shown.out.splitlines()
    assert lines[0] == "AUC on held-out anchors, 2 seeds, mean ± deviation"
    assert lines[2].split() == ["arm", "triplets", "easy", "hard", "important"]
    for row in done.json["arms"]:
        (line,) = [line for line in lines[:12] if line.startswith(f"{row['arm']} ")]
        for name in ("easy", "hard", "important"):
            assert f"{row[name]:.3f} ± {row[f'{name}_sd']:.3f}" in line
        if row["control"]:
            (line,) = [line for line in lines[12:] if line.startswith(f"{row['arm']} ")]
            for name in ("easy", "hard", "important"):
                assert f"{row[f'{name}_lead']:+.3f} ± {row[f'{name}_lead_se']:.3f}" in line
    assert "lead over uniform, paired by seed, mean ± standard error" in lines
    assert lines[-1] == f"unchanged in {path}"
    assert (
        platform("train", "sweep", *QUICK, "--store", store_path, "--json").json["unchanged"]
        is True
    )
    assert done.json["run"] in platform("status", "--store", store_path).out


def test_margins_bands_and_vectors(platform: Platform, store_path: Path) -> None:
    words = (
        "--hard",
        "1",
        "--margin",
        "0.5",
        "--margin",
        "1",
        "--far",
        "60",
        "--seeds",
        1,
        "--epochs",
        1,
    )
    done = platform(
        "train", "sweep", *words, "--vectors", "embed-1", "--store", store_path, "--json"
    )
    assert done.status == 0, done.err
    names = [row["arm"] for row in done.json["arms"]]
    for margin in ("0.5", "1"):
        assert f"importance, H=1, margin {margin}" in names
        assert f"SciNCL, k=60, margin {margin}" in names
    assert all(row["seeds"] == 1 for row in done.json["arms"])
    assert {row["easy_sd"] for row in done.json["arms"]} == {None}
    shown = platform("train", "sweep", *words, "--vectors", "embed-1", "--store", store_path).out
    assert "one seed, so no spread" in shown
    assert "±" not in shown
    assert "need --seeds 2 or more" in shown


def test_encoders_are_scored_on_tasks(platform: Platform, store_path: Path, tmp_path: Path) -> None:
    (tmp_path / "scidocs").mkdir()
    write_scidocs(tmp_path / "scidocs")
    model = write_model(tmp_path / "tiny")
    words = ("train", "sweep", "-H", 0, "-H", 2, "--margin", 0, "--margin", 1, "--seeds", 2,
             "--epochs", 1, "--encoder", model, "--data", tmp_path / "scidocs", "--task", "cite",
             "--task", "mag", "--store", store_path)  # fmt: skip
    done = platform(*words)
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    named = "SciDocs cite (map, val), SciDocs mag (f1, val)"
    assert lines[1] == f"validation: mean over {named}, in per cent"
    header = "encoder arm triplets easy hard important validation test"
    assert lines[3].split() == header.split()
    result = platform(*words, "--json").json
    (chosen,) = result["chosen"].values()
    assert chosen.startswith("importance, H=")
    assert f"tiny: {chosen} is chosen on validation; test " in done.out
    scored = {row["arm"] for row in result["arms"] if row["test"] is not None}
    assert scored == {"untrained", chosen}


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--task", "cite"), 2, "found tasks without data"),
        (("--vectors", "embed-1", "--encoder", "x"), 2, "found vectors and encoders or data"),
        (("--data", "absent"), 1, "no tasks in absent"),
        (("--store", "absent.lbug"), 1, "no store at absent.lbug"),
        (("--vectors", "absent"), 1, "no run 'absent' in "),
        (("--hard", "6"), 2, "6 hard negatives (H); expected"),
        (("--far", "26"), 2, "near is 25 and far 26: the bands overlap"),
        (("--far", "60", "--far", "100000"), 1, "far is 100000, but only "),
        (("--hard", "0.5"), 2, "'0.5' is not a valid integer"),
        (("--margin", "a"), 2, "'a' is not a valid float"),
        (("--seeds", "0"), 2, "0 is not in the range x>=1"),
        (("--epochs", "0"), 2, "0 is not in the range x>=1"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...], status: int, message: str, platform: Platform, store_path: Path
) -> None:
    store = () if "--store" in arguments else ("--store", store_path)
    failed = platform("train", "sweep", *arguments, *store)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1


def test_vectors_are_needed_first(platform: Platform, store_path: Path, tmp_path: Path) -> None:
    failed = platform("train", "sweep", "--store", store_path, "--runs", tmp_path / "none")
    assert failed.status == 1
    assert f"embed --store {store_path}" in failed.err


def test_help(platform: Platform) -> None:
    shown = platform("train", "sweep", "--help")
    assert shown.status == 0
    assert all(word in shown.out for word in ("--hard", "--margin", "--far", "--seeds"))
