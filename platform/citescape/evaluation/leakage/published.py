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
    SciRepEvalTask,
    read_tasks,
)

_QUERY, _CANDIDATE = "query", "candidate"


def is_scidocs(folder: Path) -> bool:
    """Whether a folder contains tasks of SciDocs."""
    return any((folder / task).is_dir() for task in (*CLASSIFIED, *RANKED, RECOMMENDED))


def read_scidocs(folder: Path) -> PaperList:
    """Papers of the tasks of SciDocs in a folder; titles from `paper_metadata_*.json`.

    Parts are `mag`, `mesh` (queries, except in `train`), and for other tasks `cite query`,
    `cite candidate` and so on.

    Raises:
        SourceError: a file has another format, or there are no papers.
    """
    places = list(_list_scidocs(folder))
    texts = (row for path in sorted(folder.glob(TEXTS)) for row in iterate_texts(path))
    queried = {
        (split, part)
        for (split, part), _ in places
        if split != TRAIN and (part in CLASSIFIED or part.endswith(_QUERY))
    }
    return PaperList(str(folder), list_places(places), _titles(texts), queried=frozenset(queried))


def _list_scidocs(folder: Path) -> Iterator[tuple[Place, pa.Array]]:
    for task in CLASSIFIED:
        for split in (TRAIN, *SPLITS):
            path = folder / task / f"{split}.csv"
            if path.is_file():
                yield (split, task), read_labelled(path).papers
    for task in RANKED:
        for split in SPLITS:
            path = folder / task / f"{split}.qrel"
            if path.is_file():
                qrels = read_qrel(path)
                yield (split, f"{task} {_QUERY}"), qrels.queries
                yield (split, f"{task} {_CANDIDATE}"), qrels.documents
    for split in (TRAIN, *SPLITS):
        path = folder / RECOMMENDED / f"{split}.csv"
        if path.is_file():
            clicks = read_clicks(path)
            shown = [paper for click in clicks for paper in click.shown]
            queries = pa.array([click.query for click in clicks], pa.string())
            yield (split, f"{RECOMMENDED} {_QUERY}"), queries
            yield (split, f"{RECOMMENDED} {_CANDIDATE}"), pa.array(shown, pa.string())


def read_scirepeval(path: Path) -> PaperList:
    """Papers of the tasks of a configuration; parts are tasks, with `query` or `candidate`.

    Titles are from the texts of the tasks.

    Raises:
        SourceError: the configuration or a file has another format.
    """
    tasks = read_tasks(path)
    places = [place for task in tasks for place in _list_task(task)]
    files = dict.fromkeys(task.texts for task in tasks if task.texts)
    texts = (row for file in files for row in scirepeval.iterate_texts(file))
    queried = {
        (split, part)
        for (split, part), _ in places
        if split != TRAIN and not part.endswith(_CANDIDATE)
    }
    return PaperList(str(path), list_places(places), _titles(texts), queried=frozenset(queried))


def _titles(texts: Iterable[tuple[str, object, object]]) -> pa.Table:
    return list_titles((paper, " ".join(str(title or "").split())) for paper, title, _ in texts)


def _list_task(task: SciRepEvalTask) -> Iterator[tuple[Place, pa.Array]]:
    if task.type in (CLASSIFICATION, REGRESSION):
        kind = scirepeval.NUMBER if task.type == REGRESSION else scirepeval.ONE
        kind = scirepeval.MANY if task.multi_label else kind
        for split in (TRAIN, "test"):
            yield (split, task.name), scirepeval.read_labelled(task.data, split, kind=kind).papers
        return
    qrels = scirepeval.read_judged(task.data)
    yield ("test", f"{task.name} {_QUERY}"), qrels.queries
    if task.reviewers is None:
        yield ("test", f"{task.name} {_CANDIDATE}"), qrels.documents
        return
    reviewers = scirepeval.read_reviewers(task.reviewers)
    papers = [paper for own in reviewers.values() for paper in own]
    yield ("test", f"{task.name} {_CANDIDATE}"), pa.array(papers, pa.string())
