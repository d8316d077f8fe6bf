"""Secrets are hidden in output and records, in every spelling."""

from __future__ import annotations

import html
import json
import shlex
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from citescape.core import redaction
from citescape.core.errors import ConfigError, SourceError
from citescape.core.redaction import redact, redact_address, redact_values, remember_secret
from citescape.runs.directory import RunRecord, open_run, read_run

SECRET = "Sw0rd@fi/sh:42"


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "_REMEMBERED", set())


@pytest.mark.parametrize(
    "text",
    [
        f"bolt://neo4j:{SECRET}@host",
        f"BOLT://neo4j:{SECRET}@host:7687/papers",
        f"bolt:neo4j:{SECRET}@host",
        f"bolt:/neo4j:{SECRET}@host",
        f"neo4j+ssc:neo4j:{SECRET}@host",
        f"bolt://neo4j:{quote(SECRET, safe='')}@host",
        f"bolt://neo4j:{quote(SECRET, safe='')}%40host",
        f"https://user:{SECRET}@host/v1",
        f"http://{quote(SECRET, safe='')}@host/v1",
        f"see (http://u:{SECRET}@host), then neo4j:u:{SECRET}@host",
        f"https://host/v1?api_key={quote(SECRET, safe='')}&page=2",
        f"https://host/v1?page=2&Password={quote(SECRET, safe='')}",
        f"https://host/v1#access_token={quote(SECRET, safe='')}",
    ],
)
def test_passwords_in_addresses_are_hidden(text: str) -> None:
    shown = redact(text)
    assert "***" in shown
    for part in ("Sw0rd", "fi", "sh", "42"):
        assert part not in shown
    assert shown.count("host") == text.count("host")


@pytest.mark.parametrize("text", ["bolt:", "http://a:"])
def test_long_text_is_redacted_in_linear_time(text: str) -> None:
    """Without a limit on the length of a password, this would take some ten seconds."""
    started = time.process_time()
    assert redact(text * 10_000) == text * 10_000
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    "text",
    [
        "expected bolt://HOST[:PORT][/DATABASE]",
        "use neo4j:// instead of bolt://",
        "bolt://localhost:7687/papers is Neo4j 4.4; image neo4j:5.26-community",
        "see https://neo4j.com/docs/python-manual/current/#auth and write to a@b.example",
        "https://example.org/@user/data?download=1&page=2",
        "/data/2024: a@b/corpus.lbug, user@host",
        "no paper 'doi:10.1/x' in corpus.lbug",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("variable", ["CITESCAPE_NEO4J_PASSWORD", "CITESCAPE_LLM_KEY", "HF_TOKEN"])
def test_secrets_of_the_environment_are_hidden_in_every_spelling(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    secret = 'it\'s <a "key">\tof 4711'
    monkeypatch.setenv(variable, secret + "\n")
    for spelled in (
        *(secret, json.dumps(secret), repr(secret), quote(secret), quote(secret, safe="")),
        *(shlex.quote(secret), html.escape(secret), " ".join(secret.split())),
    ):
        assert "4711" not in redact(f"found {spelled} there"), spelled
    monkeypatch.delenv(variable)
    assert secret in redact(f"found {secret} there")


def test_a_remembered_secret_is_hidden() -> None:
    remember_secret(SECRET)
    assert redact(f"password={SECRET}, {quote(SECRET)}") == "password=***, ***"


def test_redacting_short_or_common_passwords_keeps_paths_intact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CITESCAPE_NEO4J_PASSWORD", "citescape")
    assert redact("password 'citescape' in /home/citescape/runs") == (
        "password '***' in /home/citescape/runs"
    )
    monkeypatch.setenv("CITESCAPE_NEO4J_PASSWORD", "neo4j")
    assert redact("use neo4j:// instead") == "use neo4j:// instead"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"bolt://u:{SECRET}@host:7/db", "bolt://***@host:7/db"),
        (f"bolt:u:{SECRET}@host", "bolt:***@host"),
        ("neo4j:u:Sw0rd", "neo4j:***"),
        (f"u:{SECRET}@host", "***@host"),
        ("bolt://host:Sw0rd", "bolt://host:***"),
        ("bolt://host?Sw0rd", "bolt://host?***"),
        ("http://host/v1#Sw0rd", "http://host/v1#***"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("ftp://host/a/b", "ftp://host/a/b"),
    ],
)
def test_possible_passwords_in_addresses_are_hidden(address: str, shown: str) -> None:
    assert redact_address(address) == shown


def test_values_of_a_record_are_redacted_and_keep_their_types() -> None:
    values = {"a": [1, None, 0.5, True, f"bolt:u:{SECRET}@h"], "b": {"c": ("x",)}}
    assert redact_values(values) == {"a": [1, None, 0.5, True, "bolt:***@h"], "b": {"c": ["x"]}}


def test_a_run_record_holds_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITESCAPE_LLM_KEY", "4711-key")
    address = f"bolt:u:{SECRET}@host"
    record = RunRecord(
        *("toy-1", "toy", {"from": address}, {"list": [address]}),
        counts={"refused": "bad key 4711-key"},
        request={"store": address},
    )
    with open_run(tmp_path, record.id) as directory:
        path = directory.complete(record)
    text = (path / "run.json").read_text(encoding="utf-8")
    assert "Sw0rd" not in text
    assert "4711" not in text
    assert read_run(path).config == {"from": "bolt:***@host"}


def test_errors_of_citescape_never_hold_a_secret() -> None:
    error = ConfigError(f"no folder bolt:u:{SECRET}@host")
    assert (str(error), error.args) == ("no folder bolt:***@host", ("no folder bolt:***@host",))
    source = SourceError(f"bolt:u:{SECRET}@host", "not-xml", f"see bolt:u:{SECRET}@host")
    assert str(source) == "bolt:***@host: see bolt:***@host"
    assert "Sw0rd" not in repr(source)
