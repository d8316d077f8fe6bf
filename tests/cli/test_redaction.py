"""A planted secret appears in no output, file, file name or record."""

from __future__ import annotations

import json
import logging
import warnings
from pathlib import Path
from urllib.parse import quote

import pytest

from citescape.core import redaction
from citescape.evaluation.report.provenance import repeat
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.runs.directory import RunRecord, open_run
from tests.cli.conftest import GeneratedCorpus, Outcome, Platform

SECRET = "Tr0ub4dor-4711"
AWKWARD = "Tr0ub/4d@r: 4711"
ADDRESSES = (
    f"bolt:neo4j:{SECRET}@localhost",
    f"BOLT://neo4j:{SECRET}@localhost:7687",
    f"neo4j+s:/neo4j:{SECRET}@localhost",
    f"bolt://neo4j:{AWKWARD}@localhost",
    f"bolt://neo4j:{quote(AWKWARD, safe='')}@localhost",
    f"bolt://localhost?password={SECRET}",
    f" bolt:neo4j:{SECRET}@localhost ",
)
COMMANDS = (
    ("status",),
    ("doctor",),
    ("runs",),
    ("score",),
    ("ingest", "papers"),
    ("cypher", "RETURN 1 AS n"),
    ("doctor", "--migrate"),
    ("network", "build", "coupling"),
    ("evaluate", "rankers"),
)


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(redaction, "_REMEMBERED", set())
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CITESCAPE_NEO4J_USER", "CITESCAPE_NEO4J_PASSWORD", "NETRC"):
        monkeypatch.delenv(name, raising=False)


def check_absent(done: Outcome, folder: Path) -> None:
    """Neither output nor files contain the secret or a part of it."""
    shown = [done.out, done.err]
    for path in folder.rglob("*"):
        shown.append(str(path.relative_to(folder)))
        if path.is_file() and path.name != ".netrc":
            shown.append(path.read_bytes().decode("utf-8", "replace"))
    for text in shown:
        assert "4711" not in text
        assert "Tr0ub" not in text


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_shows_or_stores_a_password_of_a_store_address(
    platform: Platform, tmp_path: Path, command: tuple[str, ...], address: str
) -> None:
    (tmp_path / "papers").mkdir()
    for more in ((), ("--debug",)):
        done = platform(*command, "--store", address, *more)
        assert done.status == 1
        assert "leave user and password out" in done.err or "***" in done.err
        check_absent(done, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["papers"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_citescape_store_is_checked_for_passwords(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str
) -> None:
    monkeypatch.setenv("CITESCAPE_STORE", address)
    for arguments in (("status", "--debug"), ("status", address), ("score", "--runs", address)):
        done = platform(*arguments)
        assert done.status in (1, 2)
        check_absent(done, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("status", "{}"),
        ("{}",),
        ("status", "--{}"),
        ("ingest", "{}"),
        ("ingest", "{}", "--strict", "--debug"),
        ("runs", "{}", "--runs", "{}"),
        ("cypher", "--file", "{}"),
        ("cypher", "{}"),
        ("cypher", "--param", "{}", "RETURN 1 AS n"),
        ("text", "abstracts", "label", "--llm", "{}", "--llm-model", "tiny"),
        ("text", "abstracts", "label", "--llm", "{}", "--llm-model", "tiny", "--debug"),
        ("embed", "--encoder", "{}"),
        ("explain", "{}", "doi:10.1/x"),
        ("similar", "{}"),
        ("evaluate", "mdcr", "--benchmark", "{}"),
        ("recommend", "{}"),
    ],
    ids=" ".join,
)
def test_passwords_in_misplaced_addresses_are_hidden(
    platform: Platform,
    generated: GeneratedCorpus,
    tmp_path: Path,
    arguments: tuple[str, ...],
    address: str,
) -> None:
    words = [argument.replace("{}", address) for argument in arguments]
    done = platform(*words, "--store", generated.store)
    assert done.status in (1, 2) or words[0] == "runs"
    check_absent(done, tmp_path)


@pytest.mark.parametrize("source", ["environment", "netrc"])
@pytest.mark.parametrize("secret", [SECRET, AWKWARD.replace(" ", "")])
def test_a_driver_that_cannot_connect_shows_no_password(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, secret: str
) -> None:
    if source == "environment":
        monkeypatch.setenv("CITESCAPE_NEO4J_PASSWORD", secret)
    else:
        netrc = tmp_path / ".netrc"
        netrc.write_text(f'machine 127.0.0.1 login neo4j password "{secret}"\n')
        netrc.chmod(0o600)
    done = platform("status", "--store", "bolt://127.0.0.1:1", "--debug")
    assert done.status == 1
    assert "cannot reach Neo4j" in done.err
    assert "Traceback" in done.err
    check_absent(done, tmp_path)


def test_errors_warnings_and_logs_of_libraries_are_redacted(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CITESCAPE_NEO4J_PASSWORD", SECRET)
    heard: list[logging.LogRecord] = []

    class Listening(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record)

    def fail(*_: object, **__: object) -> None:
        logger = logging.getLogger("some.library")
        logger.warning("logged in as %s with %s", "neo4j", SECRET)
        logger.warning("deprecated", SECRET)  # an argument too many
        try:
            raise ValueError(f"cause {SECRET}")
        except ValueError as error:
            logger.exception("failed")
            warnings.warn(f"password {SECRET} is weak", stacklevel=1)
            raise RuntimeError(f"bolt://neo4j:{SECRET}@localhost") from error

    monkeypatch.setattr("citescape.runs.context.Context._open", fail)
    listening = Listening()
    logging.getLogger("some.library").addHandler(listening)
    try:
        for more in ((), ("--debug",)):
            done = platform("status", *more)
            assert done.status == 1
            assert "bolt://***@localhost" in done.err
            assert "password *** is weak" in done.err
            check_absent(done, tmp_path)
    finally:
        logging.getLogger("some.library").removeHandler(listening)
    texts = [logging.Formatter().format(record) for record in heard]
    assert "logged in as neo4j with ***" in texts
    assert any(text.startswith("deprecated") and "***" in text for text in texts)
    assert any("ValueError: cause ***" in text for text in texts)
    assert SECRET not in "".join(texts)
    assert logging.getLogRecordFactory() is logging.LogRecord


def test_records_are_written_and_listed_without_passwords(
    platform: Platform, tmp_path: Path
) -> None:
    config = {"encoder": ADDRESSES[0]}
    with open_run(tmp_path / "runs", "embed-1") as folder:
        folder.complete(RunRecord("embed-1", "embed", config, {}, request={"": [ADDRESSES[1]]}))
    done = platform("runs", "--json")
    assert done.json["runs"][0]["config"] == {"encoder": "bolt:***@localhost"}
    check_absent(done, tmp_path)


def test_records_of_older_versions_are_listed_without_passwords(
    platform: Platform, tmp_path: Path
) -> None:
    """Older versions stored the address unchanged."""
    folder = tmp_path / "runs" / "embed-1"
    folder.mkdir(parents=True)
    config = {"encoder": f"bolt:neo4j:{SECRET}@localhost"}
    record = {"id": "embed-1", "command": "embed", "config": config, "inputs": {}}
    (folder / "run.json").write_text(json.dumps(record))
    for more in ((), ("--json",)):
        done = platform("runs", *more)
        assert done.status == 0
        assert "***" in done.out
        assert "4711" not in done.out


def test_a_page_of_an_older_evaluation_shows_no_password(tmp_path: Path) -> None:
    request = {"command": "evaluate mdcr bm25", "store": f"bolt:neo4j:{SECRET}@localhost"}
    record = RunRecord("evaluate-1", "evaluate", {"benchmark": "mdcr"}, {}, request=request)
    assert repeat(EvaluationRun(tmp_path, record)).endswith("--store 'bolt:***@localhost'")
