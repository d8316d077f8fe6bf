"""Splitting in Python does what the command line does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.namespaces.reading import Reading
from citescape.store.graph_store import open_store
from citescape.text.abstracts.chat import ChatConfig
from citescape.text.abstracts.llm import LlmConfig
from citescape.text.abstracts.train import SplitConfig
from tests.text.abstracts.made import fill, plain, structured
from tests.text.abstracts.server import Json, Reply, serving


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """Twenty structured abstracts and three others."""
    store = open_store(str(tmp_path / "corpus.lbug"))
    abstracts = [*(structured(k) for k in range(20)), *(plain(k) for k in range(20, 23))]
    return Reading(fill(store, abstracts), tmp_path / "runs")


def behave(_: int, request: Json) -> Reply:
    text = request["messages"][1]["content"]
    if text == plain(21).text:
        return Reply("no")
    return Reply(json.dumps({"background": text, "method": "", "result": ""}))


def test_an_llm_is_asked_and_the_model_beside_it(reading: Reading) -> None:
    told: list[str] = []
    with serving(behave) as server:
        asked, config = ChatConfig(server.url, "tiny"), LlmConfig(attempts=1)
        first = reading.label_split(llm=asked, llm_config=config, progress=told.append)
        assert first.sources == {"headings": 20, "llm": 2, "rules": 1}
        assert told[-1] == "labelling: 23 of 23 papers"
        reading.train_split(SplitConfig("position"))
        again = reading.label_split(llm=asked, llm_config=config)
        assert again.sources == {"headings": 20, "llm": 2, "model": 1}
        assert (again.written, len(server.requests)) == (1, 4)
        rules = reading.label_split("rules", llm=asked, llm_config=config)
    assert rules.sources == first.sources


def test_an_evaluation_takes_what_the_command_takes(reading: Reading) -> None:
    told: list[str] = []
    (found,) = reading.evaluate_split(
        kinds=("position",), seeds=(0,), folds=True, progress=told.append
    )
    assert len(found.folds) == 1
    assert told == ["reading: 23 of 23 papers", "position: seed 0"]
    with pytest.raises(ConfigError, match="no pretrained encoder 'no/such'"):
        reading.evaluate_split(kinds=("vectors",), encoder="no/such")


def test_too_few_structured_abstracts_are_told(tmp_path: Path) -> None:
    store = fill(open_store(str(tmp_path / "plain.lbug")), [plain(1)])
    with pytest.raises(ConfigError, match="holds no structured abstract"):
        Reading(store).evaluate_split()
