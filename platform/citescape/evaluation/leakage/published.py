"""The papers of SciDocs and SciRepEval, by split and task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from citescape.evaluation.leakage.papers import PaperList, Place, list_places, list_titles
from citescape.evaluation.scidocs.classification import TRAIN
from citescape.evaluation.scidocs.evaluate import CLASSIFIED, RANKED, SPLITS
from citescape.evaluation.scidocs.files import (
    read_clicks,
    read_labelled,
    read_qrel,
)
from citescape.evaluation.scidocs.recommendation import FOLDER as RECOMMENDED
from citescape.evaluation.scidocs.run import TEXTS, iterate_texts
from citescape.evaluation.scirepeval import files as scirepeval
from citescape.evaluation.scirepeval.tasks import (
    CLASSIFICATION,
    REGRESSION,
    Task,
    read_tasks,
)
from citescape.metrics.ranked import Qrels

Places = Iterator[tuple[Place, pa.Array]]
_QUERY, _CANDIDATE = "query", "candidate"


def is_scidocs(folder: Path) -> bool:
    """Whether any of its tasks is there."""
    return any((folder / task).is_dir() for task in (*CLASSIFIED, *RANKED, RECOMMENDED))


def read_scidocs(folder: Path) -> PaperList:
    """Papers of all tasks that are there; titles of `paper_metadata_*.json` beside them.

    Parts are `mag`, `mesh` (asked, but for those of `train`), and of the others `cite query`,
    `cite candidate` and the like.

    Raises:
        SourceError: a file is not what it should be, or no task holds papers.
    """
    places = [*_classified(folder), *_ranked(folder), *_recommended(folder)]
    texts = (row for path in sorted(folder.glob(TEXTS)) for row in iterate_texts(path))
    asked = {
        (split, part)
        for (split, part), _ in places
        if split != TRAIN and (part in CLASSIFIED or part.endswith(_QUERY))
    }
    return PaperList(str(folder), list_places(places), _titles(texts), asked=frozenset(asked))


def _classified(folder: Path) -> Places:
    for task in CLASSIFIED:
        for split in (TRAIN, *SPLITS):
            path = folder / task / f"{split}.csv"
            if path.is_file():
                yield (split, task), read_labelled(path).papers


def _ranked(folder: Path) -> Places:
    for task in RANKED:
        for split in SPLITS:
            path = folder / task / f"{split}.qrel"
            if path.is_file():
                yield from _judged(split, task, read_qrel(path))


def _recommended(folder: Path) -> Places:
    for split in (TRAIN, *SPLITS):
        path = folder / RECOMMENDED / f"{split}.csv"
        if path.is_file():
            clicks = read_clicks(path)
            shown = [paper for click in clicks for paper in click.shown]
            queries = pa.array([click.query for click in clicks], pa.string())
            yield (split, f"{RECOMMENDED} {_QUERY}"), queries
            yield (split, f"{RECOMMENDED} {_CANDIDATE}"), pa.array(shown, pa.string())


def _judged(split: str, task: str, qrels: Qrels) -> Places:
    yield (split, f"{task} {_QUERY}"), qrels.queries
    yield (split, f"{task} {_CANDIDATE}"), qrels.documents


def read_scirepeval(path: Path) -> PaperList:
    """Papers of all tasks of a configuration; parts are the tasks, with `query` or `candidate`.

    Titles are those of the texts that tasks name.

    Raises:
        SourceError: the configuration or a file is not what it should be.
    """
    tasks = read_tasks(path)
    places = [place for task in tasks for place in _task(task)]
    named = dict.fromkeys(task.texts for task in tasks if task.texts)
    texts = (row for place in named for row in scirepeval.iterate_texts(place))
    asked = {
        (split, part)
        for (split, part), _ in places
        if split != TRAIN and not part.endswith(_CANDIDATE)
    }
    return PaperList(str(path), list_places(places), _titles(texts), asked=frozenset(asked))


def _titles(texts: Iterable[tuple[str, object, object]]) -> pa.Table:
    return list_titles((paper, " ".join(str(title or "").split())) for paper, title, _ in texts)


def _task(task: Task) -> Places:
    if task.type in (CLASSIFICATION, REGRESSION):
        kind = scirepeval.NUMBER if task.type == REGRESSION else scirepeval.ONE
        for split in (TRAIN, "test"):
            labels = scirepeval.MANY if task.multi_label else kind
            yield (split, task.name), scirepeval.read_labelled(task.data, split, kind=labels).papers
        return
    qrels = scirepeval.read_judged(task.data)
    yield ("test", f"{task.name} {_QUERY}"), qrels.queries
    if task.reviewers is None:
        yield ("test", f"{task.name} {_CANDIDATE}"), qrels.documents
        return
    written = scirepeval.read_reviewers(task.reviewers)
    papers = [paper for reviewer in written.values() for paper in reviewer]
    yield ("test", f"{task.name} {_CANDIDATE}"), pa.array(papers, pa.string())
