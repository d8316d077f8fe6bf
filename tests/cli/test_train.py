"""Output of `platform train` on triplets of `platform sample`."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import citescape
from citescape.encoders.saved import load_document_encoder, read_adapter
from citescape.training import loop
from tests.cli.conftest import GeneratedCorpus, Platform
from tests.training.conftest import write_model


@pytest.fixture(scope="module")
def sampled(generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store and a run of eighty triplets of it."""
    folder = tmp_path_factory.mktemp("sampled")
    shutil.copy(generated.store, folder / "own.lbug")
    with citescape.open(folder / "own.lbug") as corpus:
        corpus.sample.importance(triplets=80)
    return folder


@pytest.fixture
def store_path(sampled: Path, tmp_path: Path) -> Path:
    """A copy of the store to write to."""
    shutil.copytree(sampled, tmp_path, dirs_exist_ok=True)
    return tmp_path / "own.lbug"


@pytest.fixture
def run(store_path: Path) -> str:
    """The id of the run that sampled the triplets."""
    (folder,) = (store_path.parent / "runs").iterdir()
    return folder.name


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("base") / "tiny")


def test_shows_figures_encoder_and_the_next_command(
    platform: Platform, store_path: Path, base: Path, run: str
) -> None:
    words = ("train", "--triplets", run, "--base", base, "--max-tokens", 24, "--store", store_path)
    done = platform(*words, "--epochs", 1, "--out", "mine", "--json")
    assert done.status == 0, done.err
    (result,) = done.json["runs"]
    assert set(result) == {
        "run", "path", "seed", "base", "unchanged", "resumed_after", "triplets", "validation",
        "measured", "papers", "titles_only", "updates", "halved_parts", "history", "kept",
        "throughput", "sampled",
    }  # fmt: skip
    assert result["base"] == str(base)
    assert result["triplets"] + result["validation"] <= 80
    assert result["updates"] == -(-result["triplets"] // 32)
    assert [entry["update"] for entry in result["history"]] == [0, result["updates"]]
    assert set(result["throughput"]) == {
        "tokens", "seconds", "tokens_a_second", "flops_a_second", "peak_flops_a_second",
        "share_of_peak",
    }  # fmt: skip
    copied, kept = (load_document_encoder(str(path)).settings for path in ("mine", result["path"]))
    assert copied == kept
    assert kept.max_tokens == 24
    assert 0 < result["measured"] <= result["validation"]
    shown = platform(*words, "--epochs", 1, "--out", "mine").out
    assert f"\n{result['measured']} held-out triplets " in shown
    assert f"{result['triplets']} triplets of {result['papers']} papers" in shown
    assert "ordered correctly, hard negatives" in shown
    assert f"\nbase: {base}\n" in shown
    assert f"unchanged: {result['path']}" in shown
    assert shown.splitlines()[-1].startswith("next: ")
    assert f" embed --encoder mine --store {store_path}" in shown
    status = platform("status", "--store", store_path).out
    assert result["run"] in status


def test_several_seeds_show_a_spread(
    platform: Platform, store_path: Path, base: Path, run: str
) -> None:
    words = ("train", "--triplets", run, "--base", base, "--tune", "adapter", "--seeds", 2)
    results = platform(*words, "--store", store_path, "--json").json["runs"]
    assert [result["seed"] for result in results] == [0, 1]
    assert all(read_adapter(result["path"]) for result in results)
    shown = platform(*words, "--store", store_path).out
    assert "held-out triplets, 2 seeds, mean ± standard deviation" in shown
    for seed, result in enumerate(results):
        assert f"unchanged, seed {seed}: {result['path']}" in shown
    assert "tokens/s" not in shown, "an adapter reads vectors"


def test_a_file_of_triplets_and_an_encoder_of_the_environment(
    platform: Platform, store_path: Path, base: Path, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITESCAPE_ENCODER", str(base))
    path = store_path.parent / "runs" / run / "triplets.parquet"
    words = ("--tune", "adapter", "--store", store_path, "--runs", "elsewhere", "--json")
    (result,) = platform("train", "--triplets", path, *words).json["runs"]
    assert Path(result["path"]) == Path("elsewhere", result["run"])
    assert load_document_encoder(result["path"]).settings.base == str(base)
    assert not list(store_path.parent.glob("runs/train-*"))


def test_an_output_folder_with_other_files_is_refused_before_training(
    platform: Platform, store_path: Path, base: Path, run: str
) -> None:
    """Also refuses a folder with another encoder; a copy of a trained encoder is replaced."""
    words = ("train", "--triplets", run, "--base", base, "--tune", "adapter", "--store", store_path)
    Path("notes").mkdir()
    Path("notes/thesis.tex").touch()
    shutil.copytree(base, "base")
    Path("base/citescape.json").write_text('{"form": "sep", "pooling": "cls"}')
    for folder in ("notes", "base"):
        before = sorted(path.name for path in Path(folder).iterdir())
        refused = platform(*words, "--out", folder)
        assert refused.status == 1
        assert f"{folder} contains files other than" in refused.err
        assert sorted(path.name for path in Path(folder).iterdir()) == before
    assert not list(store_path.parent.glob("runs/train-*")), "before any work"
    Path("empty").mkdir()
    assert platform(*words, "--out", "empty").status == 0
    assert platform(*words, "--out", "empty", "--margin", 0.5).status == 0
    assert Path("empty/adapter.safetensors").is_file()
    assert not list(Path().glob(".empty.*"))
    several = platform(*words, "--out", "empty", "--seeds", 2)
    assert (several.status, "out with 2 seeds" in several.err) == (2, True)
    Path("file").touch()
    below = platform(*words, "--out", "file/encoder")
    assert (below.status, "file/encoder cannot be written" in below.err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--triplets", "sample-0"), 1, "no triplets 'sample-0': no run 'sample-0' in "),
        (("--triplets", "RUN", "--facet", "method"), 1, "not of the facet method"),
        (("--triplets", "no.txt"), 1, "no.txt: expected triplets as Parquet"),
        (("--triplets", "RUN", "--base", "./absent"), 1, "./absent': no such folder"),
        (("--triplets", "RUN", "--margin", "-1"), 2, "-1.0 is not in the range x>=0"),
        (("--triplets", "RUN", "--learning-rate", "1e38"), 2, "learning_rate is 1e+38; expected"),
        (("--triplets", "RUN", "--temperature", "nan"), 2, "temperature is nan; expected more"),
        (("--triplets", "RUN", "--warmup", "2"), 2, "2.0 is not in the range 0<=x<=1"),
        (("--triplets", "RUN", "--accumulation", "64"), 2, "accumulation is 64 and batch 32"),
        (("--triplets", "RUN", "--store", "absent.lbug"), 1, "no store at absent.lbug"),
        (("--epochs", "1"), 2, "missing option '--triplets'"),
        (("--triplets", "RUN", "--tune", "some"), 2, "'some' is not one of 'all'"),
        (("--triplets", "RUN", "--epochs", "0"), 2, "0 is not in the range x>=1"),
        (("--triplets", "RUN", "--max-tokens", "3"), 2, "3 is not in the range x>=4"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...],
    status: int,
    message: str,
    platform: Platform,
    store_path: Path,
    run: str,
) -> None:
    Path("no.txt").write_text("no triplets")
    words = [run if word == "RUN" else word for word in arguments]
    runs = ("--runs", store_path.parent / "runs")
    store = () if "--store" in arguments else ("--store", store_path)
    failed = platform("train", *words, *runs, *store)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1


def test_help_imports_nothing_heavy() -> None:
    """The module also runs as a program, as `accelerate launch -m` needs it."""
    heavy = ("numpy", "pyarrow", "torch", "transformers", "accelerate", "ladybug")
    code = (
        "import sys, runpy\nsys.argv = ['x', 'train', '--help']\n"
        "try: runpy.run_module('citescape.cli.main', run_name='__main__')\n"
        "except SystemExit: pass\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Train an encoder that gives" in done.stdout
    assert "[all|bias|adapter]" in done.stdout


def test_a_teacher_is_a_run_of_graph_embed(
    platform: Platform, store_path: Path, base: Path, run: str
) -> None:
    embedded = platform(
        "train", "graph", "--dimensions", 8, "--epochs", 1, "--store", store_path, "--json"
    ).json
    words = ("train", "--triplets", run, "--base", base, "--tune", "adapter", "--max-tokens", 24)
    words = (*words, "--epochs", 1, "--store", store_path, "--teacher", embedded["run"])
    done = platform(*words, "--teacher-only", "--teacher-weight", 2, "--json")
    assert done.status == 0, done.err
    (result,) = done.json["runs"]
    assert 0 < result["teacher_papers"] <= result["papers"]
    shown = platform(*words, "--teacher-only", "--teacher-weight", 2).out
    without = result["papers"] - result["teacher_papers"]
    assert f"{without} without a vector of the teacher" in shown
    assert f"unchanged: {result['path']}" in shown
    assert "81.8 with triplets only" in " ".join(platform("train", "--help").out.split())


def test_ctrl_c_keeps_every_update(
    platform: Platform, store_path: Path, base: Path, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no checkpoint other than that of the signal."""
    words = ("train", "--triplets", run, "--base", base, "--tune", "adapter", "--batch", 4)
    words += ("--epochs", 2, "--store", store_path)
    step = loop._step

    def press(work: Any, *arguments: Any) -> None:
        step(work, *arguments)
        if work.state.updates == 4:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(loop, "_step", press)
    stopped = platform(*words)
    monkeypatch.setattr(loop, "_step", step)
    assert (stopped.status, stopped.out) == (130, "")
    match = re.search(r"platform: stopped after update (\d+) of (\d+); run the same", stopped.err)
    assert match, stopped.err
    assert int(match[1]) < int(match[2])
    (line,) = [
        line
        for line in platform("status", "--store", store_path).out.splitlines()
        if ".train-" in line
    ]
    assert line.split()[0].endswith(".unfinished")
    unfinished = platform("status", "--store", store_path, "--json").json["unfinished"]
    assert [(entry["folder"], entry["bytes"] > 0) for entry in unfinished] == [
        (line.split()[0], True)
    ]
    again = platform(*words)
    assert not platform("status", "--store", store_path, "--json").json["unfinished"]
    assert f"trained, resumed after update {int(match[1]):,}: " in again.out


def test_without_held_out_triplets_no_measure_is_shown(
    platform: Platform, store_path: Path, base: Path
) -> None:
    sampled = ("sample", "importance", "--triplets", 40, "--validation", 0, "--store", store_path)
    run = platform(*sampled, "--json").json["run"]
    words = ("--triplets", run, "--base", base, "--tune", "adapter", "--store", store_path)
    shown = platform("train", *words).out
    assert "no validation triplets" in shown
    assert "before" not in shown


@pytest.mark.parametrize("rate", [30.0, 1e-5])
def test_an_encoder_that_did_not_improve_is_reported(
    rate: float, platform: Platform, store_path: Path, base: Path, run: str
) -> None:
    words = ("--triplets", run, "--base", base, "--tune", "adapter", "--store", store_path)
    words += ("--learning-rate", rate, "--epochs", 2, "--warmup", 0)
    (result,) = platform("train", *words, "--json").json["runs"]
    before, *_, after = (entry["loss"] for entry in result["history"])
    assert after >= before or rate < 1, "thrown about"
    shown = platform("train", *words).out
    assert ("no better than before" in shown) == (after >= before)


def test_a_training_that_fails_at_once_leaves_nothing(
    platform: Platform, store_path: Path, base: Path, run: str
) -> None:
    words = ("--triplets", run, "--base", base, "--tune", "adapter", "--store", store_path)
    failed = platform("train", *words, "--learning-rate", 1e9, "--epochs", 9, "--warmup", 0)
    assert failed.status == 1
    assert "held-out triplets is nan; expected numbers" in failed.err
    assert not list(store_path.parent.glob("runs/.*"))
