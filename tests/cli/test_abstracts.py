"""Output of `platform text abstracts`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citescape.core.types import FACETS
from citescape.store.graph_store import open_store
from tests.text.abstracts.planted import fill, structured, unstructured
from tests.text.abstracts.server import Json, Reply, serving

Platform = Callable[..., Any]


@pytest.fixture
def corpus(platform: Platform) -> Path:
    """Thirty structured abstracts, five others and a paper without an abstract."""
    abstracts = [*(structured(k) for k in range(30)), *(unstructured(k) for k in range(30, 35))]
    path = Path("citescape.lbug").absolute()
    fill(open_store(str(path)), [*abstracts, "doi:10.1/none"]).close()
    return path


def test_train_and_label_and_a_second_label_writes_nothing(
    platform: Platform, corpus: Path
) -> None:
    shown = platform("text", "abstracts", "train").out
    assert "on 30 structured abstracts" in shown
    run = shown.split()[1].rstrip(",")
    assert f"model: {Path('runs') / run}" in shown
    assert "text abstracts label" in shown.splitlines()[-1]
    assert "unchanged: " in platform("text", "abstracts", "train").out
    result = platform("text", "abstracts", "label", "--json").json
    assert (result["run"], result["papers"], result["abstracts"]) == (run, 36, 35)
    assert (result["model"], result["model_trained"][:2]) == (run, "20")
    assert (result["written"], result["without_abstract"]) == (35, 1)
    assert result["sources"] == {"headings": 30, "model": 5}
    assert sum(result["sentences"].values()) == sum(len(structured(k).ends) for k in range(35))
    again = platform("text", "abstracts", "label")
    assert "35 abstracts split, no changes; 1 paper without an abstract" in again.out
    text = f"MATCH (p:Paper) WHERE p.split_run = '{run}' RETURN count(*) AS n"
    assert platform("cypher", text, "--json").json[0]["n"] == 35


def test_a_model_with_vectors_is_trained_and_labels(platform: Platform, corpus: Path) -> None:
    """Most abstracts have headings; some batches leave nothing for the model."""
    run = platform("text", "abstracts", "train", "--kind", "vectors").out.split()[1].rstrip(",")
    result = platform("text", "abstracts", "label", "--json").json
    assert (result["run"], result["abstracts"]) == (run, 35)
    assert result["sources"] == {"headings": 30, "model": 5}
    fill(open_store("headed.lbug"), [structured(k) for k in range(3)]).close()
    headed = platform(
        "text", "abstracts", "label", "--store", "headed.lbug", "--model", run, "--json"
    )
    assert headed.json["sources"] == {"headings": 3}


def test_the_next_command_names_the_trained_model(platform: Platform, corpus: Path) -> None:
    """Also after a later model was trained, and for a model in a named folder."""
    where = ("--runs", "my runs")
    first = platform("text", "abstracts", "train", "--kind", "position", *where).out.splitlines()
    assert "--model" not in first[-1]
    assert first[-1].endswith("text abstracts label --runs 'my runs'")
    folder = Path("my runs")
    (path,) = folder.iterdir()
    record = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(record | {"started": "2020-01-01T00:00:00+00:00"}))
    second = platform("text", "abstracts", "train", "--kind", "linear", *where).out.splitlines()
    assert "--model" not in second[-1]
    again = platform("text", "abstracts", "train", "--kind", "position", *where).out.splitlines()
    assert again[-1].endswith(f"text abstracts label --model {path.name} --runs 'my runs'")
    shown = platform("text", "abstracts", "label", "--model", path.name, *where).out
    assert f"model: {path.name} (position, trained 2020-01-01T00:00:00+00:00)" in shown


def test_a_model_that_does_not_load_is_not_replaced_by_rules(
    platform: Platform, corpus: Path
) -> None:
    """With an LLM, rules are the fallback if no model is trained; otherwise a model is required."""
    run = platform("text", "abstracts", "train", "--kind", "position").out.split()[1].rstrip(",")
    (Path("runs") / run / "model.safetensors").write_bytes(b"cut")
    failed = platform(
        "text", "abstracts", "label", "--llm", "http://127.0.0.1:1/v1", "--llm-model", "x"
    )
    assert (failed.status, "train it again" in failed.err) == (1, True)


def test_without_a_model_the_error_names_the_next_step(platform: Platform, corpus: Path) -> None:
    failed = platform("text", "abstracts", "label")
    assert failed.status == 1
    assert "text abstracts train" in failed.err
    assert "--model rules" in failed.err
    rules = platform("text", "abstracts", "label", "--model", "rules")
    assert rules.status == 0
    assert "run split-rules-" in rules.out


def test_a_store_without_structured_abstracts(platform: Platform) -> None:
    fill(open_store("plain.lbug"), [unstructured(1), unstructured(2)]).close()
    for command in ("train", "evaluate"):
        failed = platform("text", "abstracts", command, "--store", "plain.lbug")
        assert failed.status == 1
        assert "plain.lbug holds no structured abstract" in failed.err
        assert "--llm" in failed.err


def test_eval_shows_figures_confusion_and_mistakes(platform: Platform, corpus: Path) -> None:
    kinds = ("--kind", "position", "--kind", "linear", "--seeds", "2")
    shown = platform("text", "abstracts", "evaluate", *kinds).out
    assert "30 structured abstracts, 2 splits into halves" in shown
    assert "in-text F1: macro-F1 on 0 other abstracts with headings printed in the text" in shown
    assert "CPU s" in shown
    assert "linear, all splits: rows are true, columns predicted" in shown
    result = platform("text", "abstracts", "evaluate", *kinds, "--json").json
    assert [row["kind"] for row in result["kinds"]] == ["position", "linear"]
    assert all(len(row["confusion"]) == len(FACETS) for row in result["kinds"])
    assert result["kinds"][0]["macro_f1"] < result["kinds"][1]["macro_f1"] <= 1


def everything_is_background(_: int, request: Json) -> Reply:
    text = request["messages"][1]["content"]
    if text == unstructured(33).text:
        return Reply("no")
    return Reply(json.dumps({"background": text, "method": "", "result": ""}))


def test_an_llm_splits_and_the_rest_falls_back(platform: Platform, corpus: Path) -> None:
    with serving(everything_is_background) as server:
        command = (
            "text",
            "abstracts",
            "label",
            "--llm",
            server.url,
            "--llm-model",
            "tiny",
            "--llm-attempts",
            "2",
        )
        shown = platform(*command)
        assert len(server.requests) == 6
        assert "1 abstract fell back to split-rules-" in shown.out
        assert "  1: answers that broke the contract\n" in shown.out
        assert "LLM: tiny; fallback: split-rules-" in shown.out
        result = platform(*command, "--json").json
    assert (result["written"], result["fell_back"], result["requests"]) == (0, 1, 2)
    assert result["fell_back_by_reason"] == {"contract": 1}
    assert result["sources"] == {"headings": 30, "llm": 4, "rules": 1}


def test_wrong_usage_of_an_llm(platform: Platform, corpus: Path) -> None:
    failed = platform("text", "abstracts", "label", "--llm-model", "x")
    assert (failed.status, "expected --llm URL" in failed.err) == (2, True)
    failed = platform("text", "abstracts", "label", "--llm", "http://127.0.0.1:1/v1")
    assert (failed.status, "--llm-model NAME" in failed.err) == (1, True)
    failed = platform("text", "abstracts", "label", "--llm", "localhost", "--llm-model", "x")
    assert (failed.status, "expected the address" in failed.err) == (1, True)
