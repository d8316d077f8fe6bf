"""Where figures come from: what was left out, the run, and how to make it again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from citescape.config import DEFAULT_STORE, store_words
from citescape.evaluation.report.benchmarks import describe
from citescape.ranking.registry import KINDS
from citescape.runs import RunRecord, is_run_id

_REASONS = {
    "queries_without_cited": "queries without a cited candidate",
    "without_text": "papers without a title or an abstract, which have no vector",
    "no_year": "papers without a year",
    "no_title": "papers without a title",
    "short_abstract": "papers with a short abstract",
    "few_citations": "papers with few citations",
    "without_score": "candidates without a score, which come last: {}",
    "fields_left_out": "queries of a field that has too few: {}",
    "lacking": "papers of which it knows nothing: {}",
    "unknown": "",
    "absent": "columns of published tables",
    "missing": "papers without an embedding: {}",
    "missing_others": "other papers without an embedding: {}",
}
"""Count -> in words; `{}` is the system."""
_LOSS = re.compile(r"(.*_)?(without|missing|dropped|skipped|absent|left_out)(_.*)?")
_PAPERS, _TRAITS = "papers", "traits"
_UNKNOWN = 3
"""Names before what a file does not share with the corpus: traits, system, unknown."""
_SIZES = {
    "queries": "queries",
    "year": "year of the queries",
    "fields": "fields",
    "pairs": "pairs of query and candidate",
    "tasks": "tasks",
    _PAPERS: "papers",
    "eligible": "papers that may be found",
    "cited": "papers that are cited",
    "positives": "cited papers of a query, mean",
}
"""Count -> in words: the size of an evaluation."""


def tell_size(record: RunRecord) -> list[tuple[str, str]]:
    """What was measured on, as names and numbers; years without a comma."""
    found = []
    for name, words in _SIZES.items():
        value = record.counts.get(name)
        value = len(value) if isinstance(value, list) else value
        if isinstance(value, int | float) and value:
            found.append((words, f"{value}" if name == "year" else f"{value:,}"))
    return found


def tell_losses(record: RunRecord) -> list[tuple[str, int]]:
    """What was left out or is missing, and how much of it, as the run counted it."""
    found = []
    for path, value in _walk(record.counts):
        name = _name(path)
        count = len(value) if isinstance(value, list) else value
        if not isinstance(count, int) or not (name in _REASONS or _LOSS.fullmatch(name)):
            continue
        if count or path[0] not in (_PAPERS, _TRAITS):
            found.append((_reason(path), count))
    return found


def _name(path: tuple[str, ...]) -> str:
    """What says whether it is a loss: the first name, the last of papers, `unknown` of traits."""
    if path[0] == _TRAITS:
        return path[2] if len(path) > _UNKNOWN else ""
    return path[-1] if path[0] == _PAPERS else path[0]


def _walk(told: Mapping[str, Any], *before: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Path and value of what is no mapping."""
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield from _walk(value, *before, name)
        else:
            yield (*before, name), value


def _reason(path: tuple[str, ...]) -> str:
    """The last name of a path that has words of its own, and the names beside it."""
    if path[0] == _TRAITS:
        return f"{path[-1]}: {path[1]}"
    if path[0] == _PAPERS:
        return _REASONS[path[-1]].replace("{}", ", ".join(path[1:-1]))
    words = _REASONS.get(path[0], path[0].replace("_", " "))
    if len(path) == 1 or "{}" in words:
        return words.replace("{}", ", ".join(path[1:]))
    plain = _REASONS.get(path[-1], path[-1].replace("_", " "))
    return plain if path[0] == "dropped" else f"{words}, {plain}"


def tell_run(record: RunRecord) -> list[tuple[str, str]]:
    """Id, date, time, memory, versions."""
    timings = ", ".join(f"{name} {seconds:,.1f}" for name, seconds in record.timings.items())
    seconds = f"{record.seconds:,.1f}" + (f" ({timings})" if timings else "")
    return [
        ("run", record.id),
        ("started (UTC)", record.started[:19].replace("T", " ")),
        ("seconds", seconds),
        ("peak memory", f"{record.peak_memory_mb:,} MB"),
        *((name, str(version)) for name, version in record.versions.items()),
    ]


def tell_settings(record: RunRecord) -> list[tuple[str, str]]:
    """Settings and inputs, each on a line: `prefilter.abstract`, `systems.bm25.k1`."""
    return [*_flatten(record.config), *_flatten(record.inputs)]


def _flatten(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path, value in _walk(told):
        yield ".".join(path), _text(value)


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        names = (
            one["name"] if isinstance(one, Mapping) and "name" in one else one for one in value
        )
        return ", ".join(map(str, names)) or "by default"
    return str(value)


def repeat(record: RunRecord, location: str = DEFAULT_STORE) -> str:
    """The command that makes the run again, as far as the record tells it.

    An encoder or a file of scores goes by the name that the system has: a run knows what it read,
    not the path it was read from.
    """
    config, systems = record.config, record.inputs.get("systems", {})
    known = describe(record)
    words = ["platform", "evaluate", known.command or str(config.get("benchmark", ""))]
    words += [word for name, told in systems.items() for word in _system(name, told)]
    words += [*known.needs, *_options(record)]
    source = Path(str(record.counts.get("source", "")))
    if source.name:
        run = source.parent.name
        words += ["--benchmark", run if is_run_id(run) else str(source)]
        words += ["--split", "val"] if is_run_id(run) and "val" in source.stem else []
    words += ["--seed", str(record.seed)] if record.seed else []
    return " ".join(map(shlex.quote, words)) + (store_words(location) if known.store else "")


def _options(record: RunRecord) -> Iterator[str]:
    """Settings that are given; 0 and nothing stand for defaults, but of filters."""
    settings = dict(_walk(record.config))
    for name, option in describe(record).options.items():
        path = tuple(name.split("."))
        value = settings.get(path)
        if value or (len(path) > 1 and value is not None):
            told = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            yield from (f"--{option}", told)


def _system(name: str, told: object) -> list[str]:
    """How a system is named on a command line: by a kind of ranker, a run, a file, its name."""
    if not isinstance(told, Mapping):
        return ["--scores", f"{name}=FILE"]
    ranker = str(told.get("ranker", ""))
    if name in KINDS:
        known = name
    elif ranker or told.keys() & {"vectors", "run"}:
        run = _embedded(told.get("vectors") or told.get("run"))
        known = ranker if ranker in KINDS else run or name
    else:  # files and their hashes
        file = next(iter(told), "")
        known = name if len(told) != 1 or name.endswith(file) else file
    return [name if known == name else f"{name}={known}"]


def _embedded(run: object) -> str:
    """Vectors that can be named; those of an encoder are made again by its name."""
    return str(run) if is_run_id(str(run)) and not str(run).startswith("encode-") else ""
