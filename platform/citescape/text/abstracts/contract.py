"""What an LLM is asked, and what of its answer is accepted.

The contract of FLeW, section 3.2: JSON with the keys background, method and result; the original
text intact in them, each sentence in exactly one part, a part may be empty. White space is free.
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

_STEPS_A_SENTENCE = 200
"""How long to search for the sentences of an answer; identical ones could take for ever."""
_SHOWN = 3
"""Sentences quoted in a complaint."""


class AnswerError(CitescapeError):
    """An answer breaks the contract; the message says how, to a person and to the LLM."""


def read_answer(answer: str, sentences: Sentences) -> tuple[str, ...]:
    """The facet of each sentence by an LLM's answer.

    Raises:
        AnswerError: it is no JSON of that form, or does not hold each sentence exactly once.
    """
    parts = _read_json(answer)
    compact = [_compact(text) for text in sentences]
    found = _assign(compact, [_compact(parts[facet]) for facet in FACETS])
    if found is None:
        raise AnswerError(_complaint(sentences, parts))
    return tuple(FACETS[k] for k in found)


def _read_json(answer: str) -> dict[str, str]:
    """The last JSON object of the answer that has the three keys; prose and fences are ignored."""
    decoder = json.JSONDecoder(strict=False)
    at, problem = answer.find("{"), "found no JSON object"
    found: dict[str, str] | None = None
    while at >= 0:
        try:
            value, end = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError) as error:
            problem = f"the JSON does not parse: {error}" if found is None else problem
            at = answer.find("{", at + 1)
            continue
        if isinstance(value, dict) and all(isinstance(value.get(f), str) for f in FACETS):
            found = value
        else:
            problem = f"{answer[at:end][:80]} has not the keys {', '.join(FACETS)} with texts"
        at = answer.find("{", end)
    if found is None:
        raise AnswerError(
            f'{problem}; expected {{"background": "...", "method": "...", "result": "..."}}'
        )
    return found


def _assign(sentences: Sequence[str], parts: Sequence[str]) -> list[int] | None:
    """Which part each sentence is in, such that each part is its sentences joined in order.

    Depth first, background before method before result; None if there is no such assignment. The
    texts are without white space; empty sentences go with the one before.
    """
    if sum(map(len, sentences)) != sum(map(len, parts)):
        return None
    path: list[int] = []
    at, tried = [0, 0, 0], [0]
    dead: set[tuple[int, ...]] = set()
    steps = _STEPS_A_SENTENCE * (len(sentences) + 10)
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


def _complaint(sentences: Sentences, parts: dict[str, str]) -> str:
    """What is wrong with parts that do not hold each sentence once."""
    everything = "".join(_compact(parts[facet]) for facet in FACETS)
    wanted = [(text.strip(), _compact(text)) for text in sentences if text.strip()]
    missing = [text for text, compact in wanted if compact not in everything]
    repeated = [
        text
        for text, compact in wanted
        if everything.count(compact) > "".join(c for _, c in wanted).count(compact)
    ]
    said = [
        f"{what}: {' | '.join(_quote(text) for text in texts[:_SHOWN])}"
        for what, texts in (("missing or changed", missing), ("more than once", repeated))
        if texts
    ]
    return (
        f"the sections are not the abstract's sentences, each once ({len(missing)} missing or "
        f"changed, {len(repeated)} repeated"
        + (f"; {'; '.join(said)}" if said else "; text was added, or moved out of its order")
        + ")"
    )


def _quote(text: str) -> str:
    return f'"{text[:80]}…"' if len(text) > 80 else f'"{text}"'


def _compact(text: str) -> str:
    """Without white space."""
    return "".join(text.split())
