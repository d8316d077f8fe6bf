"""Tasks of SciRepEval as its configuration lists them: one JSON object a line."""

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
    """Learning from parts of the papers there are to learn from."""

    size: int
    """Papers of a part; of each label where papers have several."""
    iterations: int
    """Parts."""


@dataclass(frozen=True)
class SciRepEvalTask:
    """One task."""

    name: str
    type: str
    """One of `TYPES`."""
    data: Path
    """Folder of the labelled papers or judgements."""
    metrics: tuple[str, ...]
    multi_label: bool = False
    few_shot: tuple[FewShot, ...] = ()
    reviewers: Path | None = None
    """File or folder of what reviewers wrote, where candidates are reviewers."""
    embeddings: Path | None = None
    """File that its configuration names, to load or else to save embeddings."""
    texts: Path | None = None
    """File or folder of titles and abstracts."""


def read_tasks(path: Path, data: Path | None = None) -> list[SciRepEvalTask]:
    """Reads a configuration such as the published scirepeval_tasks.jsonl.

    Data are local: a path is taken as it is, from `data` on if relative; a data set of a hub, given
    by `name` and `config`, is expected in the folder `config`, in Parquet as the hub has it, in CSV
    or in JSON lines.

    Args:
        path: of the configuration. Paths of embeddings in it start from its folder.
        data: folder that data are in; None: that of the configuration.

    Raises:
        SourceError: there is no such file, a line is not what it should be, or a name is there
            twice.
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
            raise SourceError(where, "repeated", f"{task.name!r} again")
        tasks[task.name] = task
    return list(tasks.values())


def choose_tasks(
    tasks: Sequence[SciRepEvalTask], names: Sequence[str] = (), types: Sequence[str] = ()
) -> list[SciRepEvalTask]:
    """Tasks with one of the names or types; all without names and types.

    Raises:
        ConfigError: there is no task of a name, or no such type.
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
        raise TypeError(f"{value!r} is no text")
    return value


def _read_count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise TypeError(f"{value!r} is no number of papers or parts")
    return value
