"""Provenance of figures: what was skipped, the run, and how to repeat it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.core.config import DEFAULT_STORE, store_words
from citescape.core.redaction import redact_values
from citescape.evaluation.report.benchmarks import describe
from citescape.runs.directory import RunRecord, default_runs

if TYPE_CHECKING:
    from citescape.metrics.evaluation_run import EvaluationRun

_REASONS = {
    "queries_without_cited": "queries without a cited candidate",
    "title_only": "papers with a title only",
    "without_text": "papers without a title or an abstract, which have no vector",
    "no_year": "papers without a year",
    "no_title": "papers without a title",
    "short_abstract": "papers with a short abstract",
    "few_citations": "papers with few citations",
    "without_score": "candidates without a score, ranked last: {}",
    "fields_left_out": "queries of a field with too few queries: {}",
    "lacking": "papers without a vector or score: {}",
    "skipped_records": "unreadable records of files",
    "wordless_queries": "sentences without words, which count as not found",
    "unknown": "",
    "absent": "missing columns of published tables",
    "missing": "papers without an embedding: {}",
    "missing_others": "other papers without an embedding: {}",
}
"""Name of a count -> label; `{}` is the system."""
_ALWAYS = ("queries_without_cited", "without_text", "without_score", "no_year")
"""Counts that are shown even if they are 0."""
_LOSS = re.compile(r"(.*_)?(without|missing|dropped|skipped|absent|left_out)(_.*)?")
_PAPERS, _TRAITS = "papers", "traits"
_UNKNOWN = 3
"""Length of the path `traits`, system, `unknown`, before the differences of a file."""
_SIZES = {
    "queries": "queries",
    "year": "year of the queries",
    "fields": "fields",
    "pairs": "pairs of query and candidate",
    "citations": "citations to predict",
    "tasks": "tasks",
    _PAPERS: "papers",
    "eligible": "papers that pass the filter",
    "cited": "cited papers",
    "positives": "cited papers per query, mean",
}
"""Name of a count -> label, for the size of an evaluation."""


def describe_size(record: RunRecord) -> list[tuple[str, str]]:
    """Labels and numbers of the evaluated data; years without a comma."""
    sizes = []
    for name, words in _SIZES.items():
        value = record.counts.get(name)
        value = len(value) if isinstance(value, list) else value
        if isinstance(value, int | float) and value:
            sizes.append((words, f"{value}" if name == "year" else f"{value:,}"))
    return sizes


def count_losses(record: RunRecord) -> list[tuple[str, int]]:
    """Labels and counts of skipped or missing data.

    Counts of 0 are shown only for `_ALWAYS`, and not by system.
    """
    losses, zeros = [], dict[str, int]()
    for path, value in _walk(record.counts):
        # the name of a loss is first in the path; last for papers; third for `unknown` of traits
        name = path[-1] if path[0] == _PAPERS else path[0]
        if path[0] == _TRAITS:
            name = path[2] if len(path) > _UNKNOWN else ""
        count = len(value) if isinstance(value, list) else value
        if not isinstance(count, int) or not (name in _REASONS or _LOSS.fullmatch(name)):
            continue
        if count:
            losses.append((_reason(path), count))
        elif path[0] in _ALWAYS or path[-1] in _ALWAYS:
            zeros[_reason(path).partition(",")[0]] = 0
    positive = {label.partition(",")[0] for label, _ in losses}
    return [*losses, *((label, 0) for label in zeros if label not in positive)]


def _walk(values: Mapping[str, Any], *before: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Path and value of all leaves of nested mappings."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _walk(value, *before, name)
        else:
            yield (*before, name), value


def _reason(path: tuple[str, ...]) -> str:
    """Label of a count, with the names of its path."""
    if path[0] == _TRAITS:
        return f"{path[-1]}: {path[1]}"
    if path[0] == _PAPERS:
        return _REASONS[path[-1]].replace("{}", ", ".join(path[1:-1]))
    words = _REASONS.get(path[0], path[0].replace("_", " "))
    if len(path) == 1 or "{}" in words:
        return words.replace("{}", ", ".join(path[1:]))
    plain = _REASONS.get(path[-1], path[-1].replace("_", " "))
    return plain if path[0] == "dropped" else f"{words}, {plain}"


def describe_run(record: RunRecord) -> list[tuple[str, str]]:
    """Id, date, time, memory and versions of a run."""
    timings = ", ".join(f"{name} {seconds:,.1f}" for name, seconds in record.timings.items())
    seconds = f"{record.seconds:,.1f}" + (f" ({timings})" if timings else "")
    return [
        ("run", record.id),
        ("started (UTC)", record.started[:19].replace("T", " ")),
        ("seconds", seconds),
        ("peak memory", f"{record.peak_memory_mb:,} MB"),
        *((name, str(version)) for name, version in record.versions.items()),
    ]


def name_source(record: RunRecord) -> str:
    """The evaluated data; empty if the run does not record them."""
    request, counts = record.request, record.counts
    benchmark = counts.get("benchmark", {}).get("run", "")
    if benchmark:
        return f"{benchmark}, made from {request['store']}"
    known = [request.get(name) for name in ("benchmark", "data", "tasks")]
    return str(next(filter(None, (*known, counts.get("source"), request.get("store"))), ""))


def describe_source(record: RunRecord) -> list[tuple[str, str]]:
    """Prefixes of ids, kind of fields, and the settings of the user's own benchmark."""
    named = {
        name: record.request[name] for name in ("fields", "labels") if record.request.get(name)
    }
    papers = ", ".join(f"{name} {n:,}" for name, n in record.counts.get("ids", {}).items())
    source = {**({"papers by id": papers} if papers else {}), **named}
    return [*_flatten(source), *_flatten(record.counts.get("benchmark", {}))]


def describe_settings(record: RunRecord) -> list[tuple[str, str]]:
    """Settings and inputs by name: `resampling.level`, `systems.bm25.k1`.

    A setting without a value shows the value that the run chose.
    """
    chosen = {
        name: f"{_text(record.counts[name])} (by default)"
        for name, value in record.config.items()
        if not value and name in record.counts
    }
    return [*_flatten({**record.config, **chosen}), *_flatten(record.inputs)]


def _flatten(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path, value in _walk(values):
        yield ".".join(path), _text(value)


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        names = [
            item["name"] if isinstance(item, Mapping) and "name" in item else item for item in value
        ]
        return ", ".join(map(str, names)) or "none"
    return str(value)


def repeat(run: EvaluationRun) -> str:
    """The command that repeats the run; empty if the run does not record its request.

    Paths are as in the request, relative to the folder that it ran in.
    """
    record, request = run.record, redact_values(run.record.request)
    if not {"", "command"} & request.keys():
        return ""
    store = str(request.pop("store", DEFAULT_STORE))
    runs = str(request.pop("runs", run.path.parent))
    if "command" in request:
        arguments = shlex.split(f"platform {request['command']}")
    elif record.config["benchmark"] != "lcr":  # older runs do not record their command
        return ""
    else:
        arguments = ["platform", "evaluate", "lcr", *request.pop("")]
        for name, values in request.items():  # an option with several values is repeated
            for value in values if isinstance(values, list | tuple) else [values]:
                arguments += [f"--{name}", str(value)] if value else []
        arguments += _list_options(record)
        arguments += ["--seed", str(record.seed)] if record.seed else []
    arguments += ["--runs", runs] if Path(runs) != default_runs(store) else []
    return shlex.join(arguments) + store_words(store)


def _list_options(record: RunRecord) -> Iterator[str]:
    """Options of settings with a value; 0 and empty are defaults, except in nested settings."""
    settings = dict(_walk(record.config))
    for name, option in describe(record).options.items():
        path = tuple(name.split("."))
        value = settings.get(path)
        if value or (len(path) > 1 and value is not None):
            text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            yield from (f"--{option}", text)
