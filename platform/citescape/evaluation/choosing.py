"""Tasks of SciDocs and SciRepEval to choose settings on, apart from their test part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, SourceError, invalid_choice
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.linear import HELD_OUT
from citescape.evaluation.scidocs.classification import TRAIN, classify
from citescape.evaluation.scidocs.evaluate import (
    CLASSIFIED,
    COLUMNS,
    RANKED,
    TASKS,
    rank_candidates,
)
from citescape.evaluation.scidocs.files import read_clicks, read_labelled, read_qrel
from citescape.evaluation.scidocs.recommendation import recommend
from citescape.evaluation.scidocs.run import read_texts as read_scidocs_texts
from citescape.evaluation.scirepeval.evaluate import PREDICTED
from citescape.evaluation.scirepeval.files import find_files
from citescape.evaluation.scirepeval.prediction import predict
from citescape.evaluation.scirepeval.retrieval import retrieve
from citescape.evaluation.scirepeval.run import hash_place
from citescape.evaluation.scirepeval.run import read_texts as read_scirepeval_texts
from citescape.evaluation.scirepeval.summary import COLUMNS as SCIREPEVAL_COLUMNS
from citescape.evaluation.scirepeval.tasks import SciRepEvalTask, choose_tasks, read_tasks
from citescape.evaluation.systems import hash_files
from citescape.metrics.figures import Figure
from citescape.papers.documents import DocumentCorpus, make_corpus

CONFIGURATION = "scirepeval_tasks.jsonl"
VALIDATION, TEST = ("val", "validation", "dev"), "test"
"""Names of parts of the data; the first validation part that exists is used."""
_ERROR = "mse"
"""The only metric of which less is better."""


@dataclass(frozen=True, eq=False)
class ChoiceTask:
    """A task with a part to choose settings on, and a test part for the chosen ones."""

    benchmark: str
    name: str
    metric: str
    split: str
    """Part of the data to choose on: a validation part; `train`, if the task learns nothing from
    it; or `linear.HELD_OUT`."""
    corpus: DocumentCorpus
    """Titles and abstracts of the papers."""
    sha256: str
    """Hash of the files, the texts and the settings."""
    measure: Callable[[PaperEmbeddings, str], Sequence[Figure]]
    """Computes the figures of a part of the data."""

    def validate(self, embeddings: PaperEmbeddings) -> float:
        """The figure to choose by, in per cent; higher is better."""
        return self._find(embeddings, self.split)

    def test(self, embeddings: PaperEmbeddings) -> float:
        """The figure of the test part."""
        return self._find(embeddings, TEST)

    def _find(self, embeddings: PaperEmbeddings, split: str) -> float:
        figures = self.measure(embeddings, split)
        value = next(figure.value for figure in figures if figure.metric == self.metric)
        return -value if self.metric == _ERROR else value


def open_choice_tasks(
    place: Path, names: Sequence[str] = (), *, seed: int = 42, cores: int = 1
) -> list[ChoiceTask]:
    """Opens tasks of SciDocs or SciRepEval to choose settings on.

    The figure is the first column of the task in published tables: F1, MAP, nDCG of the
    recommendations by cosine, Kendall's tau; else the first metric of the configuration.

    Args:
        place: folder of SciDocs; a configuration of tasks of SciRepEval, or the folder of a
            `scirepeval_tasks.jsonl`.
        names: names of tasks; all tasks if empty.
        seed: random seed of classifiers and of held-out training papers.
        cores: number of processes that fit classifiers.

    Raises:
        ConfigError: no such task; or a task without a validation part and without training data.
        SourceError: no test part, no texts, or a file of another format.
    """
    configuration = place / CONFIGURATION if place.is_dir() else place
    if configuration.is_file():
        tasks = choose_tasks(read_tasks(configuration), names)
        return [_open_scirepeval(task, seed=seed, cores=cores) for task in tasks]
    present = [task for task in TASKS if (place / task).is_dir()]
    if not present:
        raise ConfigError(
            f"no tasks in {place}; expected folders of SciDocs ({', '.join(TASKS)}), or a "
            f"configuration of SciRepEval ({CONFIGURATION})"
        )
    for name in names:
        if name not in present:
            raise invalid_choice("task", name, present)
    texts = read_scidocs_texts(place)
    return [_open_scidocs(place, name, texts, seed=seed, cores=cores) for name in names or present]


def _open_scidocs(
    folder: Path, name: str, texts: DocumentCorpus, *, seed: int, cores: int
) -> ChoiceTask:
    path, learns = folder / name, name in CLASSIFIED
    ending = ".qrel" if name in RANKED else ".csv"
    split = _find_split(
        f"SciDocs {name}", {file.stem for file in path.glob(f"*{ending}")}, learns=learns
    )

    def measure(embeddings: PaperEmbeddings, part: str) -> Sequence[Figure]:
        if learns:
            return [classify(path, embeddings, split=part, seed=seed, cores=cores)]
        if name in RANKED:
            return rank_candidates(path, embeddings, split=part)
        return recommend(folder, embeddings, split=part)

    parts = {split, TEST} - {HELD_OUT} | ({TRAIN} if learns else set())
    ids = set().union(*(_list_ids(path / f"{part}{ending}", name) for part in parts))
    hashes = hash_files([file for file in sorted(path.iterdir()) if file.is_file()], folder)
    metric = dict(reversed(COLUMNS))[name]
    corpus = _select(texts, pa.array(sorted(ids), pa.string()))
    sha256 = _hash(hashes, corpus, name, metric, split, seed)
    return ChoiceTask("SciDocs", name, metric, split, corpus, sha256, measure)


def _open_scirepeval(task: SciRepEvalTask, *, seed: int, cores: int) -> ChoiceTask:
    learns = task.type in PREDICTED
    published = {name: c.metrics[0] for c in SCIREPEVAL_COLUMNS for name in c.tasks}
    metric = published.get(task.name, "")
    metric = metric if metric in task.metrics else task.metrics[0]
    full = replace(task, metrics=(metric,), few_shot=())  # few-shot runs take hours on a grid

    split = _find_split(
        f"SciRepEval {task.name}",
        {part for part in (*VALIDATION, TRAIN) if _has(task, part)},
        learns=learns,
    )
    find_files(task.data, *_name_files(task, TEST))  # raises an error before any work

    def measure(embeddings: PaperEmbeddings, part: str) -> Sequence[Figure]:
        if learns:
            return predict(full, embeddings, split=part, seed=seed, cores=cores)
        return retrieve(full, embeddings, split=part)

    hashes = [hash_place(place) for place in (task.data, task.reviewers) if place]
    corpus, kind = read_scirepeval_texts([task]), (task.type, task.multi_label)
    return ChoiceTask(
        "SciRepEval",
        task.name,
        metric,
        split,
        corpus,
        _hash(hashes, corpus, task.name, metric, *kind, split, seed),
        measure,
    )


def _name_files(task: SciRepEvalTask, part: str) -> tuple[str, ...]:
    return (part,) if task.type in PREDICTED else (f"{part}_qrel", part)


def _has(task: SciRepEvalTask, part: str) -> bool:
    try:
        return bool(find_files(task.data, *_name_files(task, part)))
    except SourceError:
        return False


def _find_split(task: str, parts: Collection[str], *, learns: bool) -> str:
    """The part of a task to choose on.

    Args:
        task: name for messages.
        parts: names of the parts of its data.
        learns: whether a model is trained on the training part, of which a share is held out then.
    """
    for part in VALIDATION:
        if part in parts:
            return part
    if TRAIN not in parts:
        raise ConfigError(
            f"{task} has neither a validation part ({', '.join(VALIDATION)}) nor training data; "
            "expected one of them, because settings are not chosen on the test part: add it, or "
            "name another task"
        )
    return HELD_OUT if learns else TRAIN


def _list_ids(path: Path, task: str) -> set[str]:
    """Ids of the papers in a file of SciDocs."""
    if task in CLASSIFIED:
        return set(read_labelled(path).papers.to_pylist())
    if task in RANKED:
        qrels = read_qrel(path)
        return {*qrels.queries.to_pylist(), *qrels.documents.to_pylist()}
    return {paper for click in read_clicks(path) for paper in (click.query, *click.shown)}


def _select(texts: DocumentCorpus, ids: pa.StringArray) -> DocumentCorpus:
    """The texts of some papers."""
    known = texts.papers["id"].combine_chunks()
    rows = pc.is_in(known, value_set=ids).to_numpy(zero_copy_only=False).nonzero()[0]
    documents = [texts.documents[row] for row in rows.tolist()]
    return make_corpus(known.take(pa.array(rows)), documents, left_out=len(ids) - len(rows))


def _hash(hashes: object, corpus: DocumentCorpus, *settings: object) -> str:
    content = json.dumps([hashes, corpus.hash(), *settings])
    return hashlib.sha256(content.encode()).hexdigest()
