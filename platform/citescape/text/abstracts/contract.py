"""The instruction of an LLM, and the check of its answers.

The contract of FLeW, section 3.2: JSON with the keys background, method and result; the original
text intact in them, each sentence in exactly one part, a part may be empty. White space is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from citescape.core.errors import CitescapeError
from citescape.core.types import FACETS
from citescape.text.abstracts.facets import Sentences

INSTRUCTION = """You are given the abstract of a scientific paper. Sort its sentences into three \
sections by what each sentence says.

1. background: what was known before, the context of the topic, and the aim of the paper.
2. method: how the work was done: methodology, approach, data, or what the paper contributes.
3. result: what came out of it: findings, outcomes and conclusions.

Answer with one JSON object and nothing else:
{"background": "...", "method": "...", "result": "..."}

Copy every sentence of the abstract, letter by letter, into exactly one section, in the order of the
abstract. Leave nothing out, repeat nothing, change nothing, add nothing. A section to which no
sentence belongs is the empty string."""

_STEPS_PER_SENTENCE = 200
"""Maximum search steps per sentence: identical sentences could make the search endless."""
_SHOWN = 3
"""Number of sentences quoted in an error."""


class AnswerError(CitescapeError):
    """An answer breaks the contract. The message is shown to users and sent to the LLM."""


def read_answer(answer: str, sentences: Sentences) -> tuple[str, ...]:
    """The facet of each sentence, read from the answer of an LLM.

    Raises:
        AnswerError: the answer is not JSON with the three keys, or does not hold each sentence
            exactly once.
    """
    parts = _read_json(answer)
    compact = [_compact(text) for text in sentences]
    path = _assign(compact, [_compact(parts[facet]) for facet in FACETS])
    if path is None:
        raise AnswerError(_explain(sentences, parts))
    return tuple(FACETS[k] for k in path)


def _read_json(answer: str) -> dict[str, str]:
    """The last JSON object of the answer that has the three keys; prose and fences are ignored."""
    decoder = json.JSONDecoder(strict=False)
    at, problem = answer.find("{"), "found no JSON object"
    parts: dict[str, str] | None = None
    while at >= 0:
        try:
            value, end = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError) as error:
            problem = f"the JSON does not parse: {error}" if parts is None else problem
            at = answer.find("{", at + 1)
            continue
        if isinstance(value, dict) and all(isinstance(value.get(f), str) for f in FACETS):
            parts = value
        else:
            problem = f"{answer[at:end][:80]} lacks a text for each of the keys {', '.join(FACETS)}"
        at = answer.find("{", end)
    if parts is None:
        raise AnswerError(
            f'{problem}; expected {{"background": "...", "method": "...", "result": "..."}}'
        )
    return parts


def _assign(sentences: Sequence[str], parts: Sequence[str]) -> list[int] | None:
    """The part of each sentence, such that each part is its sentences joined in order.

    A depth-first search, background before method before result; None if there is no such
    assignment. Texts have no white space; an empty sentence belongs to the part of the sentence
    before it.
    """
    if sum(map(len, sentences)) != sum(map(len, parts)):
        return None
    path: list[int] = []
    at, tried = [0, 0, 0], [0]
    dead: set[tuple[int, ...]] = set()
    steps = _STEPS_PER_SENTENCE * (len(sentences) + 10)
    while len(path) < len(sentences) and steps:
        steps -= 1
        text, k = sentences[len(path)], tried[-1]
        state = (len(path), *at)
        if not text and k == 0:
            k = path[-1] if path else 0
        if state in dead or k > 2:
            dead.add(state)
            tried.pop()
            if not path:
                return None
            at[path[-1]] -= len(sentences[len(path) - 1])
            path.pop()
            continue
        tried[-1] = k + 1 if text else 3
        if parts[k].startswith(text, at[k]):
            at[k] += len(text)
            path.append(k)
            tried.append(0)
    return path if len(path) == len(sentences) else None


def _explain(sentences: Sentences, parts: dict[str, str]) -> str:
    """The error message for parts that do not hold each sentence exactly once."""
    everything = "".join(_compact(parts[facet]) for facet in FACETS)
    expected = [(text.strip(), _compact(text)) for text in sentences if text.strip()]
    missing = [text for text, compact in expected if compact not in everything]
    repeated = [
        text
        for text, compact in expected
        if everything.count(compact) > "".join(c for _, c in expected).count(compact)
    ]
    errors = []
    for error, texts in (("missing or changed", missing), ("more than once", repeated)):
        quotes = [f'"{t[:80]}…"' if len(t) > 80 else f'"{t}"' for t in texts[:_SHOWN]]
        if quotes:
            errors.append(f"{error}: {' | '.join(quotes)}")
    return (
        f"the sections do not hold each sentence of the abstract once ({len(missing)} missing or "
        f"changed, {len(repeated)} repeated"
        + (
            f"; {'; '.join(errors)}"
            if errors
            else "; text was added, or is not in the order of the abstract"
        )
        + ")"
    )


def _compact(text: str) -> str:
    """The text without white space."""
    return "".join(text.split())
