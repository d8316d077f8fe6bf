"""Where figures come from: what was left out, the run, and how to make it again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from citescape.config import DEFAULT_STORE, store_words
from citescape.evaluation.report.benchmarks import describe
from citescape.runs import RunRecord, is_run_id

_REASONS = {
    "queries_without_cited": "queries without a cited candidate",
    "without_text": "papers without a title or an abstract, which have no vector",
    "no_year": "papers without a year",
    "no_title": "papers without a title",
    "short_abstract": "papers with a short abstract",
    "few_citations": "papers with few citations",
    "without_score": "candidates without a score, which come last: {}",
    "without_vector": "papers without a vector: {}",
}
"""Count -> in words; `{}` is the system."""
_LOSS = re.compile(
    r"(without|missing|dropped|skipped|absent|left_out|no)(_|$)|.*_(without|missing)_"
)
_SIZES = {
    "queries": "queries",
    "year": "year of the queries",
    "fields": "fields",
    "pairs": "pairs of query and candidate",
    "papers": "papers",
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
    for name, value in record.counts.items():
        if not (name in _REASONS or _LOSS.match(name)):
            continue
        if isinstance(value, Mapping):
            found += [(_reason(name, key), count) for key, count in value.items()]
        else:
            found.append((_reason(name), value))
    return [(words, count) for words, count in found if isinstance(count, int)]


def _reason(name: str, key: str = "") -> str:
    words = _REASONS.get(name, "")
    if key and "{}" in words:
        return words.format(key)
    plain = [_REASONS.get(part, part.replace("_", " ")) for part in (name, key) if part]
    return plain[-1] if name == "dropped" else ", ".join(plain)


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


def _flatten(told: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", _text(value)


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "by default"
    return str(value)


def repeat(record: RunRecord, location: str = DEFAULT_STORE) -> str:
    """The command that makes the run again, as far as the record tells it.

    An encoder or a file of scores goes by the name that the system has: a run knows what it read,
    not the path it was read from.
    """
    config, systems = record.config, record.inputs.get("systems", {})
    words = ["platform", "evaluate", str(config.get("benchmark", ""))]
    words += [word for name, told in systems.items() for word in _system(name, told)]
    settings = dict(_flatten(config))
    for path, option in describe(record).options.items():
        value = settings.get(path, "").replace(" ", "")
        if value not in ("", "0", "bydefault") or path.startswith("prefilter"):
            words += [f"--{option}", value]
    source = Path(str(record.counts.get("source", "")))
    if source.name:
        run = source.parent.name
        words += ["--benchmark", run if is_run_id(run) else str(source)]
        words += ["--split", "val"] if is_run_id(run) and "val" in source.stem else []
    words += ["--seed", str(record.seed)] if record.seed else []
    return " ".join(map(shlex.quote, words)) + store_words(location)


def _system(name: str, told: object) -> list[str]:
    if not isinstance(told, Mapping):
        return ["--scores", f"{name}=FILE"]
    known = str(told.get("ranker") or _embedded(told.get("vectors")) or name)
    return [name if known == name else f"{name}={known}"]


def _embedded(run: object) -> str:
    """Vectors that can be named; those of an encoder are made again by its name."""
    return str(run) if is_run_id(str(run)) and not str(run).startswith("encode-") else ""
