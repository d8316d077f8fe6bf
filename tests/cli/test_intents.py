"""Output of `platform text intents`."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import GeneratedCorpus, Platform

_CASES = (
    ("Rice is a staple of many [{n}].", "Introduction", "background"),
    ("We measured height as described [{n}].", "Methods", "method"),
    ("Our yields agree with those of Li (20{n}).", "Discussion", "result"),
)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Sixty citations in SciCite's format."""
    path = tmp_path / "train.jsonl"
    records = [
        {"string": text.format(n=10 + k), "sectionName": title, "label": intent}
        for k in range(20)
        for text, title, intent in _CASES
    ]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


@pytest.fixture
def store_path(generated: GeneratedCorpus, tmp_path: Path) -> Path:
    """A copy of the store to write to."""
    path = tmp_path / "own.lbug"
    shutil.copy(generated.store, path)
    return path


def test_train_label_and_evaluate(platform: Platform, store_path: Path, labelled: Path) -> None:
    trained = platform("text", "intents", "train", labelled, "--store", store_path, "--json")
    assert trained.status == 0, trained.err
    assert trained.json["intents"] == {"background": 20, "method": 20, "result": 20}
    run = trained.json["run"]
    assert (store_path.parent / "runs" / run / "model.safetensors").is_file()
    again = platform("text", "intents", "train", labelled, "--store", store_path)
    assert again.out.startswith(f"unchanged: {run}, on 60 citations")
    assert f"platform text intents label --model {run} --store {store_path}\n" in again.out

    done = platform("text", "intents", "label", "--store", store_path, "--json")
    assert done.json["run"] == run
    assert done.json["written"] == done.json["contexts"] > 0
    nothing = platform("text", "intents", "label", "--store", store_path)
    assert "no changes, counts of 0 pairs written" in nothing.out
    overview = platform("cypher", "explore/facets", "--store", store_path, "--json")
    assert overview.status == 0, overview.err

    models = ("--model", run, "--model", "rules")
    result = platform(
        "text", "intents", "evaluate", labelled, *models, "--store", store_path, "--json"
    ).json
    (first, second) = result.values()
    assert first["macro_f1"] == 1.0
    assert first["n"] == second["n"] == 60
    shown = platform("text", "intents", "evaluate", labelled, *models, "--store", store_path).out
    assert f"linear ({run})" in shown
    assert "rows true, columns predicted" in shown


def test_the_next_command_finds_the_model(
    platform: Platform, store_path: Path, labelled: Path, tmp_path: Path
) -> None:
    where = ("--store", store_path, "--runs", tmp_path / "my runs")
    first = platform("text", "intents", "train", labelled, *where)
    assert f"text intents label --runs '{tmp_path}/my runs' --store {store_path}\n" in first.out
    other = platform("text", "intents", "train", labelled, "--seed", 1, *where)
    assert "--model" not in other.out
    back = platform("text", "intents", "train", labelled, *where, "--epochs", 9)
    (command,) = [line for line in back.out.splitlines() if line.startswith("next: ")]
    done = platform(*shlex.split(command.partition("platform ")[2]), "--json")
    assert done.status == 0, done.err
    assert first.out.startswith(f"trained: {done.json['run']}, ")


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ((), "no trained models in runs; expected a run of `platform text intents train`"),
        (("--model", "intents-0"), "no run 'intents-0'"),
    ],
)
def test_a_missing_model_names_the_command_that_trains_it(
    named: tuple[str, ...], message: str, platform: Platform, store_path: Path
) -> None:
    failed = platform("text", "intents", "label", "--store", store_path, "--runs", "runs", *named)
    assert (failed.status, message in failed.err) == (1, True)


def test_evaluation_on_training_data_gives_a_warning(
    platform: Platform, store_path: Path, labelled: Path, tmp_path: Path
) -> None:
    platform("text", "intents", "train", labelled, "--store", store_path)
    same = platform(
        "text",
        "intents",
        "evaluate",
        labelled,
        "--model",
        "rules",
        "--model",
        "",
        "--store",
        store_path,
    )
    assert same.out.startswith("warning: linear (intents-")
    some = tmp_path / "some.jsonl"
    some.write_text("".join(labelled.read_text().splitlines(keepends=True)[:-1]))
    other = platform("text", "intents", "evaluate", some, "--store", store_path)
    assert "warning" not in other.out


def test_help_of_the_group_imports_nothing_heavy() -> None:
    heavy = ("numpy", "pyarrow", "scipy", "sklearn", "torch", "ladybug")
    code = (
        "import sys\nfrom citescape.cli.main import main\n"
        "try: main(['text', 'intents', 'train', '--help'])\nexcept SystemExit: pass\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "[linear|transformer|combined]" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("label",), "no store at citescape.lbug"),
        (("label", "--model", "rules"), "platform ingest"),
        (("evaluate", "absent.jsonl"), "absent.jsonl"),
        (("train", "cut.jsonl"), "cut.jsonl:1: found not JSON"),
        (("train", "one.jsonl"), "method, result missing or rare"),
        (("train", "one.jsonl", "--kind", "svm"), "'svm' is not one of"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...], message: str, platform: Platform, tmp_path: Path
) -> None:
    example = {"string": "Rice is a staple [1].", "label": "background"}
    (tmp_path / "one.jsonl").write_text("\n".join([json.dumps(example)] * 30), encoding="utf-8")
    (tmp_path / "cut.jsonl").write_text('{"string": "Rice', encoding="utf-8")
    failed = platform("text", "intents", *arguments)
    assert failed.status in (1, 2)
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1
