"""The contract with an LLM: JSON with three keys that hold each sentence exactly once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.types import FACETS
from citescape.text.abstracts.abstract import cut, sentence_ends
from citescape.text.abstracts.contract import AnswerError, _assign, read_answer

TEXT = "Rice is a crop. We sowed it in May. It grew. It was eaten."
SENTENCES = cut(TEXT, sentence_ends(TEXT))
RIGHT = {
    "background": "Rice is a crop.",
    "method": "We sowed it in May.",
    "result": "It grew. It was eaten.",
}
FACETS_OF_IT = ("background", "method", "result", "result")


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps(RIGHT),
        f"```json\n{json.dumps(RIGHT, indent=2)}\n```",
        f"<think>A {{set}} of three.</think> Here it is: {json.dumps(RIGHT)} Done {{}}.",
        json.dumps(RIGHT | {"comment": "none"}),
        json.dumps(RIGHT | {"result": "It grew.\n\nIt  was\u00a0eaten. "}),
        json.dumps({**dict.fromkeys(FACETS, "xxx"), "method": ""}) + json.dumps(RIGHT),
    ],
    ids=["plain", "fenced", "prose", "more keys", "white space", "template first"],
)
def test_valid_answers_are_accepted(answer: str) -> None:
    assert read_answer(answer, SENTENCES) == FACETS_OF_IT


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"result": "It grew."}, '1 missing or changed.*"It was eaten."'),
        ({"result": "It grew. It was eaten. It grew."}, '1 repeated.*more than once: "It grew."'),
        ({"method": "We sowed it in June."}, '"We sowed it in May."'),
        ({"method": "We sowed it in May. We watered it."}, "text was added"),
        ({"result": "It was eaten. It grew."}, "0 missing or changed, 0 repeated; .*order"),
        (
            {"method": "We sowed", "result": "it in May. It grew. It was eaten."},
            "0 missing or changed, 0 repeated",
        ),
        ({"method": None}, "keys background, method, result"),
        ({"method": ["We sowed it in May."]}, "keys background, method, result"),
    ],
    ids=["missing", "twice", "changed", "added", "order", "cut in two", "null", "list"],
)
def test_invalid_answers_are_refused_with_a_reason(
    change: dict[str, object], complaint: str
) -> None:
    with pytest.raises(AnswerError, match=complaint):
        read_answer(json.dumps(RIGHT | change), SENTENCES)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot do that.",
        "[1, 2]",
        "{",
        "{" * 5000,
        '{"background": "Rice',
        *('{"a":' * depth + "1" + "}" * depth for depth in range(900, 1100, 3)),
    ],
)
def test_invalid_json_is_refused(answer: str) -> None:
    with pytest.raises(AnswerError, match="expected"):
        read_answer(answer, SENTENCES)


def test_parts_may_be_empty() -> None:
    everything = {"background": "", "method": "", "result": TEXT}
    assert read_answer(json.dumps(everything), SENTENCES) == ("result",) * 4


short = st.lists(st.text("ab", min_size=1, max_size=2), max_size=5)


@given(sentences=short, data=st.data())
def test_an_assignment_is_found_if_it_exists(sentences: list[str], data: st.DataObject) -> None:
    """Compared with all 3^n assignments, for sentences that are easily confused."""
    n = len(sentences)
    if data.draw(st.booleans()):
        labels = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
        parts = join(sentences, labels)
    else:
        parts = data.draw(st.lists(st.text("ab", max_size=4), min_size=3, max_size=3))
    assignment = _assign(sentences, parts)
    every = [path for path in product(range(3), repeat=n) if join(sentences, path) == parts]
    assert (assignment is None) == (not every)
    assert assignment is None or tuple(assignment) == min(every)


def join(sentences: Sequence[str], labels: Sequence[int]) -> list[str]:
    return [
        "".join(s for s, k in zip(sentences, labels, strict=True) if k == part) for part in range(3)
    ]


def test_a_thousand_equal_sentences_take_bounded_time() -> None:
    sentences = ["Rice. "] * 1000
    parts = {"background": "Rice." * 400, "method": "", "result": "Rice." * 600}
    assert read_answer(json.dumps(parts), sentences) == ("background",) * 400 + ("result",) * 600
    wrong = {"background": "Rice." * 400 + "Ric", "method": "", "result": "e." + "Rice." * 599}
    with pytest.raises(AnswerError):
        read_answer(json.dumps(wrong), sentences)
