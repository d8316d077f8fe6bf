"""An LLM behind a real HTTP server that keeps the contract, breaks it, fails, hangs and refuses."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from citescape.core.errors import CitescapeError, ConfigError, ServiceError
from citescape.core.types import FACETS
from citescape.store.graph_store import GraphStore
from citescape.text.abstracts.abstract import MainAbstract, cut, sentence_ends
from citescape.text.abstracts.chat import Chat, ChatConfig
from citescape.text.abstracts.contract import INSTRUCTION
from citescape.text.abstracts.facets import FacetLabels, Sentences
from citescape.text.abstracts.label import label
from citescape.text.abstracts.llm import LlmSplitter
from citescape.text.abstracts.rules import RuleSplitter, label_by_rules
from tests.text.abstracts.planted import fill, structured, unstructured
from tests.text.abstracts.server import Json, Reply, Server, serving

TEXT = "Rice is a crop. We sowed it in May. It grew. It was eaten."
SENTENCES = cut(TEXT, sentence_ends(TEXT))
FACETS_OF_IT = ("background", "method", "result", "result")
PARTS = {"background": SENTENCES[0], "method": SENTENCES[1], "result": "".join(SENTENCES[2:])}
RIGHT = json.dumps(PARTS)
KEY = "secret-4711"
Behaviour = Callable[[int, Json], Reply]


def script(*replies: Reply | str) -> Behaviour:
    """Sends one reply after the other, and repeats the last one."""
    answers = [Reply(reply) if isinstance(reply, str) else reply for reply in replies]
    return lambda number, _: answers[min(number, len(answers)) - 1]


def split_abstract(
    server: Server | str, *, attempts: int = 3, timeout: float = 5.0, parallel: int = 4
) -> tuple[LlmSplitter, tuple[str, ...], list[float]]:
    """Splits one abstract; returns the splitter, source and facets, and the pauses."""
    pauses: list[float] = []
    url = server if isinstance(server, str) else server.url
    config = ChatConfig(url, "tiny", timeout=timeout, parallel=parallel)
    chat = Chat(config, sleep=pauses.append)
    try:
        splitter = LlmSplitter(chat, RuleSplitter(), attempts)
        (labels,) = splitter([SENTENCES])
    finally:
        chat.close()
    expected = "llm" if labels.run == splitter.record.id else "rules"
    assert labels.source == expected
    return splitter, (labels.source, *labels.facets), pauses


def broken(**change: str) -> str:
    return json.dumps(PARTS | change)


def test_a_valid_answer_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITESCAPE_LLM_KEY", KEY)
    with serving(script(RIGHT)) as server:
        _, result, pauses = split_abstract(server)
    assert result == ("llm", *FACETS_OF_IT)
    assert pauses == []
    (request,) = server.requests
    assert request["model"] == "tiny"
    assert request["response_format"] == {"type": "json_object"}
    assert [message["content"] for message in request["messages"]] == [INSTRUCTION, TEXT]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_no_key_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CITESCAPE_LLM_KEY", raising=False)
    with serving(script(f"```json\n{RIGHT}\n```")) as server:
        _, result, _ = split_abstract(server)
    assert result == ("llm", *FACETS_OF_IT)
    assert "Authorization" not in server.headers[0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("I would rather not.", "no JSON object"),
        ('{"background": "Rice', "does not parse"),
        (broken(result="It grew."), '"It was eaten."'),
        (broken(method="We sowed it in May. It grew."), "more than once"),
        (broken(background="Rice is a fine crop."), '"Rice is a crop."'),
        ("", "no JSON object"),
    ],
    ids=["no JSON", "cut off", "sentence missing", "sentence twice", "text altered", "empty"],
)
def test_a_broken_contract_is_reported_to_the_llm(wrong: str, message: str) -> None:
    with serving(script(wrong, RIGHT)) as server:
        splitter, result, _ = split_abstract(server)
    assert result == ("llm", *FACETS_OF_IT)
    assert splitter.answers == splitter.chat.requests == len(server.requests) == 2
    assert not splitter.fell_back
    again = server.requests[1]["messages"]
    assert [entry["role"] for entry in again] == ["system", "user", "assistant", "user"]
    assert again[2]["content"] == wrong
    assert message in again[3]["content"]


def test_after_all_attempts_another_splitter_labels() -> None:
    with serving(script(broken(result=""))) as server:
        splitter, result, _ = split_abstract(server, attempts=2)
    assert result == ("rules", *label_by_rules(SENTENCES))
    assert len(server.requests) == splitter.answers == 2
    assert (splitter.fell_back, splitter.messages) == ({"contract": 1}, {})


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=500, body="oops"),
        Reply(status=503),
        Reply(body="<html>not the answer</html>"),
        Reply(status=408),
    ],
    ids=["500", "503", "no JSON", "408"],
)
def test_requests_are_repeated_after_temporary_errors(reply: Reply) -> None:
    with serving(script(reply, reply, RIGHT)) as server:
        _, result, pauses = split_abstract(server)
    assert result == ("llm", *FACETS_OF_IT)
    assert pauses == [1.0, 2.0]


def test_retry_after_sets_the_pause() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    busy = [Reply(status=429, headers={"Retry-After": value}) for value in ("7", date, "900", "x")]
    with serving(script(*busy, RIGHT)) as server:
        _, result, pauses = split_abstract(server)
    assert result == ("llm", *FACETS_OF_IT)
    assert (pauses[0], pauses[2], pauses[3]) == (7, 60, 8)
    assert 25 < pauses[1] <= 30


def test_a_timeout_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.text.abstracts.chat._TRIES", 2)
    with serving(script(Reply(RIGHT, delay=30))) as server:
        splitter, result, pauses = split_abstract(server, timeout=0.2)
    assert result == ("rules", *label_by_rules(SENTENCES))
    assert len(server.requests) == 2
    assert len(pauses) == 1
    assert splitter.fell_back == {"no_answer": 1}
    assert "ReadTimeout" in splitter.messages["no_answer"]


def test_an_unreachable_server_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.text.abstracts.chat._TRIES", 2)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        splitter, result, _ = split_abstract(url)
        assert result[0] == "rules"
        assert "ConnectError" in splitter.messages["no_answer"]
        with pytest.raises(
            ServiceError, match=r"ConnectError.*2 times; expected an OpenAI-compatible"
        ):
            split_abstract(url, parallel=1)


@pytest.mark.parametrize(
    ("status", "help_"),
    [(401, "set CITESCAPE_LLM_KEY"), (403, "set CITE"), (404, "--llm-model tiny")],
)
def test_a_refusal_is_an_immediate_error_without_the_key(
    monkeypatch: pytest.MonkeyPatch, status: int, help_: str
) -> None:
    monkeypatch.setenv("CITESCAPE_LLM_KEY", KEY)
    reply = Reply(status=status, body=f'{{"error": "bad key {KEY}"}}')
    with serving(script(reply)) as server, pytest.raises(ConfigError, match=help_) as caught:
        split_abstract(server)
    assert len(server.requests) == 1
    assert f"status {status}" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", " "])
def test_line_ends_around_a_key_are_removed(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    monkeypatch.setenv("CITESCAPE_LLM_KEY", KEY + end)
    with serving(script(RIGHT)) as server:
        _, result, _ = split_abstract(server)
    assert result[0] == "llm"
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", ["schlüssel-1", "pass\nword", "pass\x00word"])
def test_an_invalid_key_is_not_shown(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    if "\x00" in key:
        monkeypatch.setattr(os, "environ", {"CITESCAPE_LLM_KEY": key})
    else:
        monkeypatch.setenv("CITESCAPE_LLM_KEY", key)
    with pytest.raises(ConfigError, match="CITESCAPE_LLM_KEY holds") as caught:
        Chat(ChatConfig("http://127.0.0.1:1/v1", "tiny"))
    assert key not in str(caught.value)
    assert key[:3] not in str(caught.value)


@pytest.mark.parametrize("status", [401, 400, 500])
@pytest.mark.parametrize("key", [KEY, 'a"b/c d+e'])
def test_no_message_shows_the_key(monkeypatch: pytest.MonkeyPatch, status: int, key: str) -> None:
    """The key is hidden also in truncated messages and as JSON escapes it."""
    monkeypatch.setattr("citescape.text.abstracts.chat._TRIES", 1)
    monkeypatch.setenv("CITESCAPE_LLM_KEY", key)
    for before in (0, 185, 192, 198):
        reply = Reply(status=status, body="x" * before + json.dumps(key))
        with serving(script(reply)) as server:
            chat = Chat(ChatConfig(server.url, "tiny"))
            with pytest.raises(CitescapeError) as caught:
                chat.complete([])
            chat.close()
        assert key[:4] not in str(caught.value)
        assert json.dumps(key)[1:5] not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pw-4711@host/v1",
        "https://host/v1?api_key=pw-4711",
        "user:pw-4711@host",
        "http://user:pw?4711@host/pw-4711@v1",
        "http://host/#pw-4711",
        "http://user:pw-4711%40host/v1",
        "http:user:pw-4711@host/v1",
    ],
)
def test_an_address_with_a_secret_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ConfigError, match=r"\*\*\*.*without user, password or query") as caught:
        ChatConfig(url, "tiny")
    assert "4711" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["sk-4711", "http:user:sk-4711", "http://host:sk-4711/v1", "ftp://host:sk-4711", "4711"]
)
def test_an_invalid_address_may_be_the_key_and_is_not_shown(url: str) -> None:
    with pytest.raises(ConfigError, match="such as http://localhost:8000/v1") as caught:
        ChatConfig(url, "tiny")
    assert "4711" not in str(caught.value)


def test_missing_httpx_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(ConfigError, match=r"httpx not installed; .*citescape\[learn\]"):
        Chat(ChatConfig("http://127.0.0.1:1/v1", "tiny"))


def test_an_answer_with_a_lone_surrogate_is_an_error() -> None:
    half = Reply(body='{"choices": [{"message": {"content": "no \\ud83c"}}]}')
    with serving(script(half, RIGHT)) as server:
        _, result, _ = split_abstract(server)
    assert result == ("llm", *FACETS_OF_IT)
    assert server.requests[1]["messages"][2]["content"] == "no ?"


def test_deeply_nested_answers_are_refused() -> None:
    with serving(script(Reply(body="[" * 100_000), RIGHT)) as server:
        _, result, pauses = split_abstract(server)
    assert (result[0], len(pauses)) == ("llm", 1)


def test_slow_answers_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte arrives in time, but not the answer."""
    monkeypatch.setattr("citescape.text.abstracts.chat._TRIES", 1)
    begun = time.monotonic()
    with serving(script(Reply(RIGHT, trickle=0.05))) as server:
        splitter, result, _ = split_abstract(server, timeout=0.4)
    assert result[0] == "rules"
    assert "no whole answer in 0.4 seconds" in splitter.messages["no_answer"]
    assert time.monotonic() - begun < 5


def test_refused_fields_are_omitted() -> None:
    def behave(_: int, request: Json) -> Reply:
        if "response_format" in request:
            return Reply(status=400, body='{"error": "unknown field response_format"}')
        if "temperature" in request:
            return Reply(status=422, body='{"error": "temperature is not supported"}')
        return Reply(RIGHT)

    with serving(behave) as server:
        chat = Chat(ChatConfig(server.url, "tiny"))
        result = LlmSplitter(chat, RuleSplitter())([SENTENCES] * 3)
        chat.close()
    assert chat.dropped == {"response_format", "temperature"}
    assert {labels.facets for labels in result} == {FACETS_OF_IT}
    assert {"response_format", "temperature"}.isdisjoint(server.requests[-1])


def test_a_server_that_refuses_everything_is_an_error() -> None:
    """An unknown model, for example: the server refuses a harmless abstract as well."""
    reply = Reply(status=400, body='{"error": "no model tiny"}')
    with (
        serving(script(reply)) as server,
        pytest.raises(ConfigError, match=r"status 400.*no model tiny.*--llm-model tiny"),
    ):
        split_abstract(server)
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 413, 422])
@pytest.mark.parametrize("parallel", [1, 4])
def test_a_refused_abstract_falls_back_alone(status: int, parallel: int) -> None:
    """Also if it is the first abstract, and the refusal quotes the whole request."""

    def behave(number: int, request: Json) -> Reply:
        if request["messages"][1]["content"] == TEXT:
            refusal = {"error": "too many tokens", "request": request}
            return Reply(status=status, body=json.dumps(refusal))
        return obedient(number, request)

    with serving(behave) as server:
        chat = Chat(ChatConfig(server.url, "tiny", parallel=parallel))
        splitter = LlmSplitter(chat, RuleSplitter())
        result = splitter([SENTENCES, *(unstructured(k).sentences for k in range(5))])
        chat.close()
    assert [labels.source for labels in result] == ["rules", *["llm"] * 5]
    assert splitter.fell_back == {"refused": 1}
    assert f"status {status}" in splitter.messages["refused"]
    assert chat.dropped == frozenset()
    whole = {"response_format", "temperature"}
    assert all(whole <= r.keys() for r in server.requests if "Rice is" not in str(r))


def obedient(_: int, request: Json) -> Reply:
    """Labels every sentence as result, slowly enough that requests overlap."""
    text = request["messages"][1]["content"]
    return Reply(json.dumps({"background": "", "method": "", "result": text}), delay=0.05)


def test_parallel_requests_keep_the_order() -> None:
    abstracts = [unstructured(k).sentences for k in range(12)]
    with serving(obedient) as server:
        chat = Chat(ChatConfig(server.url, "tiny", parallel=4))
        result = LlmSplitter(chat, RuleSplitter())([*abstracts, [], ["  "]])
        chat.close()
    assert [len(labels.facets) for labels in result] == [*map(len, abstracts), 0, 1]
    assert [labels.source for labels in result] == ["llm"] * 12 + ["rules"] * 2
    assert 2 <= server.most_at_once <= 4
    assert sorted(server.abstracts()) == sorted("".join(labels).strip() for labels in abstracts)


def test_too_long_abstracts_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.text.abstracts.llm._LONGEST", 20)
    with serving(obedient) as server:
        splitter, result, _ = split_abstract(server)
    assert result[0] == "rules"
    assert splitter.fell_back == {"too_long": 1}
    assert server.requests == []


def test_a_server_that_keeps_failing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.text.abstracts.chat._TRIES", 1)
    monkeypatch.setattr("citescape.text.abstracts.llm._PATIENCE", 5)
    alive = 3

    def behave(number: int, request: Json) -> Reply:
        return obedient(number, request) if number <= alive else Reply(status=502)

    with serving(behave) as server:
        chat = Chat(ChatConfig(server.url, "tiny", parallel=1))
        splitter = LlmSplitter(chat, RuleSplitter())
        with pytest.raises(ServiceError, match="status 502"):
            splitter([SENTENCES] * 50)
        chat.close()
    assert alive + 5 <= len(server.requests) <= alive + 6  # the thread may have started the next


def test_splitting_a_store_continues_after_a_failure(store: GraphStore) -> None:
    """Abstracts with headings are not sent; the next run sends those that fell back again."""
    stubborn = unstructured(2).text

    def behave(number: int, request: Json) -> Reply:
        if request["messages"][1]["content"] == stubborn:
            return Reply("no")
        return obedient(number, request)

    fill(store, [*(unstructured(k) for k in range(4)), structured(9)])
    rules = RuleSplitter()
    with serving(behave) as server:
        chat = Chat(ChatConfig(server.url, "tiny"))
        first = label(store, LlmSplitter(chat, rules))
        assert (first.sources, first.fell_back) == ({"llm": 3, "rules": 1, "headings": 1}, 1)
        assert len(server.requests) == 3 + 3
        assert structured(9).text not in server.abstracts()
        again = label(store, LlmSplitter(chat, rules))
        assert (again.written, again.fell_back) == (0, 1)
        stubborn = ""
        last = label(store, LlmSplitter(chat, rules))
        chat.close()
    assert (last.written, last.sources) == (1, {"llm": 4, "headings": 1})
    text = "MATCH (p:Paper) WHERE p.split_source = 'llm' RETURN p.abstract_result AS result"
    assert sorted(store.read(text)["result"].to_pylist()) == sorted(
        unstructured(k).text for k in range(4)
    )


@pytest.mark.parametrize(
    ("url", "model"), [("localhost:8000", "x"), ("", "x"), ("http://h/v1", "")]
)
def test_invalid_addresses_and_models_are_refused(url: str, model: str) -> None:
    with pytest.raises(ConfigError, match="expected"):
        ChatConfig(url, model)


def test_answers_before_an_error_are_kept(store: GraphStore) -> None:
    """Answers of one batch are kept, so that no answer is paid for twice."""
    alive = 6

    def behave(number: int, request: Json) -> Reply:
        return obedient(number, request) if number <= alive else Reply(status=401)

    fill(store, [*(unstructured(k) for k in range(12)), structured(13)])
    with serving(behave) as server:
        chat = Chat(ChatConfig(server.url, "tiny", parallel=2))
        with pytest.raises(ConfigError, match="status 401"):
            label(store, LlmSplitter(chat, RuleSplitter()))
        result = store.read("MATCH (p:Paper) WHERE p.split_source = 'llm' RETURN p.id AS id")
        assert alive - 1 <= result.num_rows <= alive  # the last one may be in progress
        assert "split-llm" in store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()[0]
        alive, before = 100, len(server.requests)
        done = label(store, LlmSplitter(chat, RuleSplitter()))
        chat.close()
    assert done.sources == {"llm": 12, "headings": 1}
    assert len(server.requests) - before == 12 - result.num_rows


def test_another_fallback_with_the_same_llm(store: GraphStore) -> None:
    """Labels sentences without headings again; no answer of the LLM is paid for twice."""

    class Background(RuleSplitter):
        def __init__(self) -> None:
            super().__init__()
            self.record = replace(self.record, id="split-background")

        def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
            result = super().__call__(abstracts)
            return [
                FacetLabels(("background",) * len(item.facets), "rules", self.record.id)
                for item in result
            ]

    labels = ("Aim", "Methods", "Trial registration")
    parts = ("Rice is old.", "We sowed it.", "Yields were higher by 3%.")
    fill(store, [unstructured(1), MainAbstract("doi:10.1/headed", " ".join(parts), labels, parts)])
    text = "MATCH (p:Paper {id: 'doi:10.1/headed'}) RETURN p.abstract_result AS r, p.split_run AS s"
    with serving(obedient) as server:
        chat = Chat(ChatConfig(server.url, "tiny"))
        label(store, LlmSplitter(chat, RuleSplitter()))
        assert store.read(text).to_pylist() == [{"r": parts[2], "s": RuleSplitter().record.id}]
        again = label(store, LlmSplitter(chat, Background()))
        chat.close()
    assert store.read(text).to_pylist() == [{"r": "", "s": "split-background"}]
    assert (again.written, again.fell_back, len(server.requests)) == (1, 0, 1)
    nodes = store.read("MATCH (r:Run) RETURN r.id AS id, r.started AS started").to_pylist()
    assert {node["id"] for node in nodes} == {
        LlmSplitter(chat, RuleSplitter()).record.id,
        RuleSplitter().record.id,
        "split-background",
    }
    assert all(node["started"] for node in nodes)


def test_model_and_instruction_decide_the_run() -> None:
    def run(model: str, url: str = "http://a/v1") -> str:
        return LlmSplitter(Chat(ChatConfig(url, model)), RuleSplitter()).record.id

    assert run("x") == run("x", "http://b/v1") != run("y")
    assert set(FACETS) <= set(INSTRUCTION.replace(":", " ").split())
