"""Splitting in Python is equal to the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.corpus import AbstractSteps
from citescape.runs.context import Context
from citescape.store.graph_store import open_store
from citescape.text.abstracts.abstract import MainAbstract
from tests.text.abstracts.planted import fill, structured, unstructured
from tests.text.abstracts.server import Json, Reply, serving


def open_abstracts(path: Path, filled: list[MainAbstract]) -> AbstractSteps:
    fill(open_store(str(path)), filled).close()
    return AbstractSteps(Context(str(path), path.parent / "runs"))


@pytest.fixture
def abstracts(tmp_path: Path) -> AbstractSteps:
    """Twenty structured abstracts and three others."""
    filled = [*(structured(k) for k in range(20)), *(unstructured(k) for k in range(20, 23))]
    return open_abstracts(tmp_path / "corpus.lbug", filled)


def behave(_: int, request: Json) -> Reply:
    text = request["messages"][1]["content"]
    if text == unstructured(21).text:
        return Reply("no")
    return Reply(json.dumps({"background": text, "method": "", "result": ""}))


def test_an_llm_splits_and_the_model_is_its_fallback(abstracts: AbstractSteps) -> None:
    messages: list[str] = []
    abstracts.context.progress = messages.append
    with serving(behave) as server:
        options: dict[str, Any] = {"llm": server.url, "llm_model": "tiny", "llm_attempts": 1}
        first = abstracts.label(**options)
        assert first.sources == {"headings": 20, "llm": 2, "rules": 1}
        assert messages[-1] == "labelling: 23 of 23 papers"
        abstracts.train("position")
        again = abstracts.label(**options)
        assert again.sources == {"headings": 20, "llm": 2, "model": 1}
        assert (again.written, len(server.requests)) == (1, 4)
        rules = abstracts.label("rules", **options)
    assert rules.sources == first.sources


def test_evaluation_accepts_the_arguments_of_the_command(abstracts: AbstractSteps) -> None:
    messages: list[str] = []
    abstracts.context.progress = messages.append
    results = abstracts.evaluate(("position",), seeds=1, folds=True)
    assert len(results.kinds[0].folds) == 1
    assert messages == ["reading: 0 of 23 papers", "position: seed 0"]
    with pytest.raises(ConfigError, match="no pretrained encoder 'no/such'"):
        abstracts.evaluate(("vectors",), encoder="no/such")


def test_too_few_structured_abstracts_are_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no structured abstract"):
        open_abstracts(tmp_path / "plain.lbug", [unstructured(1)]).evaluate()
