"""Output of `platform train combine` on encoders of `platform train`."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch")

from citescape.encoders.saved import load_document_encoder
from tests.cli.conftest import GeneratedCorpus, Platform
from tests.evaluation.scidocs.conftest import write_scidocs
from tests.training.conftest import write_model


@pytest.fixture(scope="module")
def trained(
    generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str, list[str]]:
    """A store, a run of triplets, and three encoders trained on them."""
    import citescape

    folder = tmp_path_factory.mktemp("trained")
    base = write_model(folder / "tiny")
    shutil.copy(generated.store, folder / "corpus.lbug")
    with citescape.open(folder / "corpus.lbug") as corpus:
        task = corpus.sample.importance(triplets=120).run
        results = corpus.train(task, base=base, tune="adapter", max_tokens=24, epochs=1, seeds=3)
        runs = [result.run for result in results]
    return folder / "corpus.lbug", task, runs


@pytest.fixture
def store_path(trained: tuple[Path, str, list[str]], tmp_path: Path) -> Path:
    """Copies of the store and of the runs to write to."""
    shutil.copytree(trained[0].parent, tmp_path / "own")
    return tmp_path / "own" / "corpus.lbug"


def test_shows_weights_figures_and_the_next_command(
    platform: Platform, store_path: Path, trained: tuple[Path, str, list[str]]
) -> None:
    _, task, encoders = trained
    words = ("train", "combine", *encoders, "--triplets", task, "--store", store_path)
    done = platform(*words, "--json")
    assert done.status == 0, done.err
    result = done.json
    assert set(result) == {"run", "path", "parts", "weights", "figures", "unchanged"}
    assert result["parts"] == [
        str((store_path.parent / "runs" / run).resolve()) for run in encoders
    ]
    assert sum(result["weights"]) == pytest.approx(1)
    assert min(result["weights"]) >= 0.1 - 1e-9
    assert set(result["figures"]) == {
        *("score", "equal_weights", "alone", "tied", "points", "triplets")
    }
    assert result["figures"]["points"] == 36
    assert load_document_encoder(result["path"]).settings.weights == tuple(result["weights"])
    shown = platform(*words)
    assert shown.out.splitlines()[0].split() == ["encoder", "weight", "alone"]
    assert all(run in shown.out for run in encoders)
    assert f"ordered correctly of {result['figures']['triplets']} validation triplets" in shown.out
    assert f"unchanged in {result['path']}" in shown.out
    (command,) = [line for line in shown.out.splitlines() if line.startswith("next: ")]
    words = shlex.split(command.partition("platform ")[2])
    assert words == ["embed", "--encoder", result["run"], "--store", str(store_path)]
    embedded = platform(*words, "--papers", "fulltext", "--json")
    assert embedded.status == 0, embedded.err
    assert result["run"] in platform("status", "--store", store_path).out


def test_weights_may_be_given(
    platform: Platform, store_path: Path, trained: tuple[Path, str, list[str]]
) -> None:
    _, task, encoders = trained
    done = platform(
        "train", "combine", *encoders[:2], "--weights", "0.25,.75", "--store", store_path
    )
    assert done.status == 0, done.err
    assert "0.75" in done.out
    assert "ordered correctly" not in done.out
    finer = (
        "train",
        "combine",
        *encoders,
        "--triplets",
        task,
        "--step",
        0.05,
        "--store",
        store_path,
        "--json",
    )
    assert platform(*finer, "--json").json["figures"]["points"] == 171


@pytest.fixture
def scidocs(tmp_path: Path) -> Path:
    folder = tmp_path / "scidocs"
    folder.mkdir()
    write_scidocs(folder)
    return folder


def test_weights_for_a_task(
    platform: Platform, store_path: Path, trained: tuple[Path, str, list[str]], scidocs: Path
) -> None:
    words = ("train", "combine", *trained[2], "--task", "cite", "--data", scidocs, "--step", ".2")
    done = platform(*words, "--store", store_path)
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "SciDocs cite, map in per cent; weights chosen on: val"
    assert lines[2].split() == ["encoder", "weight", "validation", "test"]
    assert [line.split()[0] for line in lines[3:6]] == trained[2]
    assert [line.rsplit(maxsplit=2)[0] for line in lines[6:8]] == [
        "equal weights",
        "chosen weights",
    ]
    assert "best of 6 points on validation" in done.out
    failed = platform("train", "combine", *trained[2], "--task", "rice", "--data", scidocs,
                      "--store", store_path)  # fmt: skip
    assert failed.status == 1
    assert "task is 'rice'; expected one of: cite, cocite, coread" in failed.err


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("ONE", "TWO"), 2, "expected one of triplets or task, to search weights, or weights"),
        (("ONE", "TWO", "--triplets", "TASK", "--weights", ".5,.5"), 2, "expected one of"),
        (("ONE", "TWO", "--task", "cite"), 2, "expected task and data together"),
        (("ONE", "TWO", "--weights", "a,b"), 2, "weights is 'a,b'; expected numbers"),
        (("--weights", ".5,.5"), 2, "missing argument 'ENCODER ENCODER...'"),
        (("ONE",), 2, "1 encoder to combine; expected two or more"),
        (("ONE", "TWO", "--weights", ".5,.6"), 1, "weights are 0.5, 0.6; expected 2, each more"),
        (("ONE", "TWO", "--weights", "1,0"), 1, "weights are 1, 0; expected 2, each more than 0"),
        (("ONE", "TWO", "--triplets", "TASK", "--step", ".3"), 1, "step is 0.3; expected a share"),
        (("ONE", "TWO", "--triplets", "absent"), 1, "no triplets 'absent': no run 'absent' in "),
        (("ONE", "TWO", "--triplets", "TASK", "--facet", "method"), 1, "not of the facet method"),
        (("ONE", "./absent", "--weights", ".5,.5"), 1, "./absent"),
        (("ONE", "TWO", "--weights", ".5,.5", "--store", "no.lbug"), 1, "no store at no.lbug"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...],
    status: int,
    message: str,
    platform: Platform,
    store_path: Path,
    trained: tuple[Path, str, list[str]],
) -> None:
    _, task, encoders = trained
    names = {"ONE": encoders[0], "TWO": encoders[1], "TASK": task}
    words = [names.get(word, word) for word in arguments]
    store = () if "--store" in arguments else ("--store", store_path)
    failed = platform("train", "combine", *words, *store)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1


def test_help(platform: Platform) -> None:
    shown = platform("train", "combine", "--help")
    assert shown.status == 0
    assert all(word in shown.out for word in ("--triplets", "--weights", "--step", "--task"))
