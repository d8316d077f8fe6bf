"""Tasks in the configuration of SciRepEval: one JSON object per line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citescape.core.errors import ConfigError, SourceError, invalid_choice
from citescape.core.records import read_records

CLASSIFICATION, REGRESSION = "classification", "regression"
PROXIMITY, SEARCH = "proximity", "adhoc_search"
TYPES = (CLASSIFICATION, REGRESSION, PROXIMITY, SEARCH)
_FORMAT = '{"name": "...", "type": "...", "data": {"test": "folder"}, "metrics": ["..."]}'


@dataclass(frozen=True)
class FewShot:
    """Settings of few-shot runs, which learn from parts of the training papers."""

    size: int
    """Papers per part; with several labels, papers per label."""
    iterations: int
    """Number of parts."""


@dataclass(frozen=True)
class SciRepEvalTask:
    """A task of SciRepEval."""

    name: str
    type: str
    """One of `TYPES`."""
    data: Path
    """Folder of the labelled papers or judgements."""
    metrics: tuple[str, ...]
    multi_label: bool = False
    few_shot: tuple[FewShot, ...] = ()
    reviewers: Path | None = None
    """File or folder of papers of reviewers, if candidates are reviewers."""
    embeddings: Path | None = None
    """File of embeddings in the configuration, to load or to save."""
    texts: Path | None = None
    """File or folder of titles and abstracts."""


def read_tasks(path: Path, data: Path | None = None) -> list[SciRepEvalTask]:
    """Reads a configuration such as the published scirepeval_tasks.jsonl.

    Data are local. Relative paths start from `data`. A data set of a hub, with `name` and `config`,
    is expected in the folder `config`, as Parquet, CSV or JSON Lines.

    Args:
        path: the configuration; its paths of embeddings start from its folder.
        data: folder of the data; None for the folder of the configuration.

    Raises:
        SourceError: the file is missing, a line is invalid, or two tasks have the same name.
    """
    tasks: dict[str, SciRepEvalTask] = {}
    for where, record in read_records([path]):
        try:
            task = _read_task(record, path.parent, data or path.parent)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise SourceError(where, "not-a-task", f"{error!r}; expected {_FORMAT}") from error
        except ConfigError as error:
            raise SourceError(where, "not-a-task", str(error)) from error
        if task.name in tasks:
            raise SourceError(
                where, "repeated", f"found a second task {task.name!r}; expected unique names"
            )
        tasks[task.name] = task
    return list(tasks.values())


def choose_tasks(
    tasks: Sequence[SciRepEvalTask], names: Sequence[str] = (), types: Sequence[str] = ()
) -> list[SciRepEvalTask]:
    """Tasks with one of the names or types; all tasks without names and types.

    Args:
        tasks: tasks to choose from.
        names: names of tasks.
        types: types of tasks, see `TYPES`.

    Raises:
        ConfigError: no task with a name, or no such type.
    """
    for name in names:
        if name not in {task.name for task in tasks}:
            raise invalid_choice("task", name, [task.name for task in tasks])
    for kind in types:
        if kind not in TYPES:
            raise invalid_choice("type", kind, TYPES)
    chosen = [task for task in tasks if task.name in names or task.type in types]
    return chosen if names or types else list(tasks)


def _read_task(record: Mapping[str, Any], folder: Path, data: Path) -> SciRepEvalTask:
    if record["type"] not in TYPES:
        raise invalid_choice("type", record["type"], TYPES)
    if record.get("few_shot") and record["type"] != CLASSIFICATION:
        raise ConfigError(f"few_shot of a {record['type']}; expected it of a classification only")
    paths, files = record["data"], record.get("embeddings") or {}
    embeddings = files.get("load") or files.get("save")
    reviewers = paths.get("reviewers")
    return SciRepEvalTask(
        _read_text(record["name"]),
        record["type"],
        _locate(paths.get("test") or paths["meta"], data),
        tuple(map(_read_text, record["metrics"])),
        multi_label=bool(record.get("multi_label")),
        few_shot=tuple(
            FewShot(_read_count(few["sample_size"]), _read_count(few["iterations"]))
            for few in record.get("few_shot") or ()
        ),
        reviewers=_locate(reviewers, data) if reviewers else None,
        embeddings=folder / embeddings if embeddings else None,
        texts=_locate(paths["meta"], data) if "meta" in paths else None,
    )


def _locate(value: object, data: Path) -> Path:
    return data / _read_text(value["config"] if isinstance(value, dict) else value)


def _read_text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{value!r} is not a text")
    return value


def _read_count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise TypeError(f"{value!r} is not a number of papers or parts")
    return value
