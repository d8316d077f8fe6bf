"""Calls of steps, and their errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from citescape.corpus import open_corpus


def test_a_call_has_the_figures_of_the_step(client: TestClient, store_file: Path) -> None:
    with open_corpus(store_file, read_only=True) as corpus:
        expected = corpus.find("a", limit=3).summarise().figures
    answer = client.post("/api/find", json={"text": "a", "limit": 3})
    assert (answer.status_code, answer.json()) == (200, expected)


def test_a_citation_is_found_and_explained(client: TestClient, store_file: Path) -> None:
    with open_corpus(store_file, read_only=True) as corpus:
        found = corpus.cypher("MATCH (p:Paper)-[:CITES]->() RETURN p.id AS id LIMIT 1")
    (citing,) = found.arrow["id"].to_pylist()
    around = client.post("/api/neighbours", json={"papers": [citing]}).json()
    edge = next(edge for edge in around["citations"] if edge["citing"] == citing)
    pair = {"citing": edge["citing"], "cited": edge["cited"]}
    explained = client.post("/api/explain", json=pair).json()
    assert explained["score"] == edge["importance"]
    assert {term["component"]: term["weight"] for term in explained["terms"]} == around["weights"]


def test_words_recommend_before_there_are_profiles(client: TestClient, store_file: Path) -> None:
    settings = {"context": "Rust spreads in wheat [?].", "system": "fused", "k": 3}
    answer = client.post("/api/recommend", json=settings)
    assert answer.status_code == 200
    found = answer.json()
    assert (found["system"], found["profiles"]) == ("bm25-profile", None)
    assert found["notes"][0].startswith("found by words alone: ")
    assert "`platform prepare --store " in found["notes"][0]
    assert not [*(store_file.parent / "runs").glob("profile-*")]


@pytest.mark.parametrize(
    ("step", "body", "status", "message"),
    [
        ("explain", '{"citing": "doi:10.9/no", "cited": "doi:10.9/no"}', 400, "no paper"),
        ("find", '{"text": ".,"}', 400, "nothing to search for"),
        ("find", '{"text": {"a": 1}}', 400, "expected a list of texts"),
        ("explain", '{"citing": ["a"], "cited": "b"}', 400, "expected a text"),
        ("explain", '{"citing": "a"}', 400, "explain needs cited"),
        ("recommend", '{"context": "a", "draft": "/etc/passwd"}', 400, "has no setting 'draft'"),
        ("recommend", '{"context": "a", "bibtex": "/tmp/x.bib"}', 400, "has no setting 'bibtex'"),
        ("communities", "{}", 400, "no communities; run `platform cluster"),
        ("find", '{"texts": "a"}', 400, "has no setting 'texts'"),
        ("find", '{"text": "a", "limit": 0}', 400, "limit is 0; expected 1 or more"),
        ("find", "[1]", 400, "JSON object"),
        ("find", "{", 400, "as JSON"),
        ("find", '{"text": "\\ud800"}', 400, "as JSON"),
        ("find", '{"text": "a", "limit": 5001}', 400, "limit is 5,001; expected at most 5,000"),
        ("neighbours", '{"papers": ["a"], "hops": 1000000}', 400, "hops is 1,000,000"),
        ("ingest", '{"sources": ["/etc"]}', 404, "no step 'ingest'"),
        ("cypher", '{"text": "RETURN 1"}', 404, "no step"),
        ("__class__", "{}", 404, "no step"),
    ],
)
def test_errors_are_sentences(
    client: TestClient, step: str, body: str, status: int, message: str
) -> None:
    answer = client.post(f"/api/{step}", content=body)
    assert answer.status_code == status
    assert message in answer.json()["error"]
    assert "Traceback" not in answer.text


def test_pages_have_no_inline_script(client: TestClient) -> None:
    for path in ("/", "/paper/doi%3A10.1%2Fx"):
        page = client.get(path).text
        assert "<script>" not in page
        assert " style=" not in page


def test_an_unknown_address_leads_back_to_the_search(client: TestClient) -> None:
    answer = client.get("/no<b>page")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "no page /no&lt;b&gt;page" in answer.text
    assert '<a href="/">' in answer.text
    assert client.post("/api/no/deeper").json() == {"error": "no call '/api/no/deeper'"}
