"""What the server refuses, and the headers of its answers."""

from __future__ import annotations

import logging

import pytest
from starlette.testclient import TestClient

from citescape.server.security import COOKIE, LARGEST_BODY
from tests.server.conftest import TOKEN

PATHS = ("/", "/paper/doi%3A10.1%2Fx", "/static/paper.js", "/static/absent.js")


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_served_without_a_session(stranger: TestClient, path: str) -> None:
    assert stranger.get(path).status_code == 401
    assert stranger.post("/api/find", json={"text": "a"}).status_code == 401


def test_the_token_is_exchanged_for_a_cookie_and_removed_from_the_address(
    stranger: TestClient,
) -> None:
    answer = stranger.get(f"/paper/a?edge=b&token={TOKEN}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/paper/a?edge=b")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie
    assert stranger.get("/").status_code == 200


def test_a_wrong_token_is_refused(stranger: TestClient) -> None:
    answer = stranger.get("/?token=wrong", follow_redirects=False)
    assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)
    stranger.cookies.set(COOKIE.format(port=80), "guess")
    assert stranger.get("/").status_code == 401


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org", "", "[::1"])
def test_other_hosts_are_refused(client: TestClient, host: str) -> None:
    """A page of another site, whose name was pointed to this machine, has its own Host header."""
    assert client.get("/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_calls_of_other_sites_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/find", json={"text": "a"}, headers=headers).status_code == 403


def test_a_form_of_another_site_cannot_call(client: TestClient) -> None:
    del client.headers["X-Citescape"]
    assert client.post("/api/find", data={"text": "a"}).status_code == 403


def test_large_bodies_are_refused(client: TestClient) -> None:
    body = b'{"text": "' + b"a" * LARGEST_BODY + b'"}'
    assert client.post("/api/find", content=body).status_code == 413
    parts = (body[start : start + 1000] for start in range(0, len(body), 1000))
    assert client.post("/api/find", content=parts).status_code == 413  # without a length


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_other_methods_are_refused(client: TestClient) -> None:
    assert client.delete("/").status_code == 405
    assert client.options("/api/find").status_code == 405


def test_no_secret_is_logged(stranger: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    stranger.get(f"/?token={TOKEN}")
    own = [record for record in caplog.records if not record.name.startswith("httpx")]
    assert TOKEN not in "".join(record.getMessage() for record in own)
