"""Reference files over HTTP: their content is sent, and no path is ever opened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from citescape.corpus import open_corpus
from citescape.server import app
from citescape.server.calls import LARGEST

BIB = "@article{secret, title={A secret of this machine}, year={2001}}"


@pytest.fixture
def known(store_file: Path) -> dict[str, Any]:
    """The work with the most citing papers: id, title, year."""
    with open_corpus(store_file, read_only=True) as corpus:
        rows = corpus.cypher("explore/most_cited", limit=1).to_dicts()
    return dict(rows[0])


def test_a_dropped_list_is_checked(
    client: TestClient, store_file: Path, known: dict[str, Any]
) -> None:
    """The answer is that of the step."""
    texts = {"": known["id"], "refs.bib": BIB}
    answer = client.post("/api/check", json={"texts": texts, "sentences": 1})
    with open_corpus(store_file, read_only=True) as corpus:
        expected = corpus.check(texts=texts, sentences=1).summarise().figures
    assert (answer.status_code, answer.json()) == (200, expected)
    assert [row["paper"] for row in expected["references"]] == [known["id"], None]


def test_related_papers_of_pasted_identifiers(client: TestClient, known: dict[str, Any]) -> None:
    answer = client.post("/api/related", json={"texts": {"": f"{known['id']}, 10.1038/none1"}})
    found = answer.json()
    assert [seed["id"] for seed in found["seeds"]] == [known["id"]]
    assert [entry["key"] for entry in found["missing"]] == ["10.1038/none1"]
    assert found["derivative"]["works"] == known["cited_by"]


def test_sentences_that_cite_a_work(client: TestClient, known: dict[str, Any]) -> None:
    found = client.post("/api/contexts", json={"paper": known["id"], "limit": 1}).json()
    assert len(found["contexts"]) == 1
    assert found["sentences"] >= found["papers"] >= 1
    refused = client.post("/api/contexts", json={"paper": known["id"], "direction": "citing"})
    assert "contexts has no setting 'direction'" in refused.json()["error"]


@pytest.mark.parametrize("step", ["check", "related"])
def test_a_path_is_refused_or_taken_as_text(client: TestClient, tmp_path: Path, step: str) -> None:
    """A browser names files that are not opened, wherever it puts the name."""
    secret = tmp_path / "refs.bib"
    secret.write_text(BIB)
    refused = client.post(f"/api/{step}", json={"papers": [str(secret)]})
    assert refused.status_code == 400
    assert f"{step} has no setting 'papers'" in refused.json()["error"]
    tex = rf"\input{{{secret}}}\cite{{secret}}\bibliography{{{secret}}}"
    for texts in (
        {"": str(secret)},
        {str(secret): "10.1038/none1"},
        {"draft.tex": tex},
        {str(tmp_path / "draft.tex"): tex},
        {"list.txt": f"{secret}\nfile://{secret}"},
    ):
        answer = client.post(f"/api/{step}", json={"texts": texts})
        assert answer.status_code in (200, 400)
        assert "A secret of this machine" not in answer.text


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "found no paper and no file"),
        ({"texts": {}}, "found no paper and no file"),
        ({"texts": "10.1038/a1"}, "texts is '10.1038/a1'; expected texts by name"),
        ({"texts": ["10.1038/a1"]}, "expected texts by name"),
        ({"texts": {"a.bib": {"b": 1}}}, "expected texts by name"),
        ({"texts": {"a.bib": None}}, "expected texts by name"),
        ({"texts": {"a.bib": ""}}, "a.bib has no reference"),
        ({"texts": {"": " \n "}}, "has no reference"),
    ],
    ids=str,
)
def test_errors_are_sentences(client: TestClient, settings: dict[str, Any], message: str) -> None:
    answer = client.post("/api/check", json=settings)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


@pytest.mark.parametrize(
    "text",
    [
        "@article{a, title={never closed, " + "{" * 10_000,
        "@" * 10_000,
        r"\cite{" * 5_000,
        r"\section{" * 5_000 + r"\cite{a}",
        "TY  - \n" * 5_000,
        "\x00\x01\ud7ff" + "10.1038/a1",
        '"' * 9_999 + ",doi\n",
        "10." + "1" * 50_000 + "/x",
        "%" * 50_000,
    ],
    ids=lambda text: repr(text[:12]),
)
@pytest.mark.parametrize("name", ["a.bib", "a.ris", "a.tex", "a.csv", "a.txt"])
def test_hostile_files_end_in_an_answer_or_a_sentence(
    client: TestClient, name: str, text: str
) -> None:
    answer = client.post("/api/check", json={"texts": {name: text}, "sentences": 0, "limit": 0})
    assert answer.status_code in (200, 400)
    assert "Traceback" not in answer.text


def test_files_may_be_larger_than_other_requests(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cap is said; other calls keep theirs."""
    body = json.dumps({"texts": {"a.bib": BIB + " " * (2 << 20)}})
    assert client.post("/api/check", content=body).status_code == 200
    assert client.post("/api/find", content=body).status_code == 413
    monkeypatch.setattr(app, "LARGEST", {**LARGEST, "check": 1 << 20})
    refused = client.post("/api/check", content=body)
    assert refused.status_code == 413
    assert "1,024 KB" in refused.json()["error"]
