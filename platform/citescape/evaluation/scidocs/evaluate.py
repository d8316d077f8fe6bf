"""Evaluation on SciDocs: twelve columns and their average."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError, SourceError, invalid_choice
from citescape.core.progress import Progress, silent
from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings
from citescape.evaluation.nearest import measure, rank_nearest
from citescape.evaluation.scidocs.classification import classify
from citescape.evaluation.scidocs.files import read_qrel
from citescape.evaluation.scidocs.recommendation import FOLDER, RANKERS, recommend
from citescape.metrics.figures import Figure, Figures, mean

SPLITS = ("val", "test")
CLASSIFIED, RANKED = ("mag", "mesh"), ("coview", "coread", "cite", "cocite")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "cls": CLASSIFIED,
    "user-citation": RANKED,
    "recomm": (FOLDER,),
}
"""Name of a published file of embeddings, cls.jsonl and so on -> its tasks."""
COLUMNS: tuple[tuple[str, str], ...] = (
    *((task, "f1") for task in CLASSIFIED),
    *((task, metric) for task in RANKED for metric in ("map", "ndcg")),
    (FOLDER, "ndcg"),
    (FOLDER, "precision@1"),
)
"""(task, metric) in the order of published tables (SciNCL, Table 1)."""
TASKS = tuple(dict.fromkeys(task for task, _ in COLUMNS))
"""Folders of the data."""
DECIMALS = 5
"""Decimals to which the published evaluator rounds distances before ranking."""


@dataclass(frozen=True, eq=False)
class SciDocsResult:
    """Figures of SciDocs."""

    split: str
    figures: Figures
    ranker: str
    """Ranker of the recommendations: `cosine` or `features`; empty without clicks."""

    @property
    def table(self) -> pa.Table:
        """One row per figure, see `Figures.table`."""
        return self.figures.table

    @property
    def columns(self) -> dict[tuple[str, str], float]:
        """Columns of the published tables that have a figure, (task, metric) -> percentage."""
        figures = {key: self.figures.find(*key) for key in COLUMNS}
        return {
            key: figure.value
            for key, figure in figures.items()
            if figure is not None and np.isfinite(figure.value)
        }

    @property
    def absent(self) -> tuple[tuple[str, str], ...]:
        """Missing columns: no data, nothing ranked, or a figure of another kind."""
        columns = self.columns
        return tuple(key for key in COLUMNS if key not in columns)

    @property
    def average(self) -> float:
        """Mean of all twelve columns, as in published tables; NaN if one is absent."""
        return float("nan") if self.absent else mean(list(self.columns.values()))

    @property
    def mean_of_present(self) -> float:
        """Mean of the present columns; not comparable with published averages."""
        return mean(list(self.columns.values()))


def evaluate_scidocs(
    folder: Path,
    embeddings: PaperEmbeddings | Mapping[str, PaperEmbeddings],
    *,
    split: str = "test",
    ranker: str = "cosine",
    seed: int = 42,
    cores: int = 1,
    progress: Progress = silent,
) -> SciDocsResult:
    """Evaluates embeddings as SciDocs' own evaluator does (Cohan et al. 2020).

    Tasks without a folder are skipped and listed by `SciDocsResult.absent`.

    Args:
        folder: folder as published: mag/, mesh/, cite/, cocite/, coread/, coview/, recomm/.
        embeddings: embeddings of all papers, or of some `GROUPS` by name.
        split: `test`, as in published tables; or `val`, for choosing settings.
        ranker: ranker of recommendations, see `recommendation.recommend`. With `cosine` the
            published column is absent, and so is the average.
        seed: random seed of classifiers.
        cores: number of processes that fit classifiers.
        progress: receives the name of each task.

    Raises:
        ConfigError: no such split, ranker or group of embeddings, or all tasks are missing.
        SourceError: a file is missing or has another format.
    """
    groups = embeddings if isinstance(embeddings, Mapping) else dict.fromkeys(GROUPS, embeddings)
    chosen = (("split", split, SPLITS), ("ranker", ranker, RANKERS))
    for name, value, valid in (*chosen, *(("embeddings", group, GROUPS) for group in groups)):
        if value not in valid:
            raise invalid_choice(name, value, valid)
    by_task = {task: groups[group] for group in groups for task in GROUPS[group]}
    tasks = [task for task in TASKS if task in by_task and (folder / task).is_dir()]
    if not tasks:
        raise ConfigError(f"no task of SciDocs in {folder}; expected folders: {', '.join(TASKS)}")
    figures: list[Figure] = []
    for task in tasks:
        progress(f"{task}: {split}")
        path, own = folder / task, by_task[task]
        if task in CLASSIFIED:
            figures.append(classify(path, own, split=split, seed=seed, cores=cores))
        elif task in RANKED:
            figures += rank_candidates(path, own, split=split)
        else:
            figures += recommend(folder, own, split=split, ranker=ranker)
    return SciDocsResult(split, Figures(tuple(figures)), ranker if FOLDER in tasks else "")


def rank_candidates(folder: Path, embeddings: PaperEmbeddings, *, split: str) -> list[Figure]:
    """MAP and nDCG of candidates by negative Euclidean distance, rounded to 5 decimals.

    Each query has 30 candidates, 5 of which are relevant: cited, co-cited, read or viewed together.
    Ties are in descending order of ids, as in trec_eval. Queries and candidates without an
    embedding are skipped and counted; a skipped relevant candidate counts as not retrieved.

    Args:
        folder: folder of the task, with the .qrel file of the split.
        embeddings: embeddings.
        split: `val` or `test`.

    Raises:
        SourceError: the file is missing or has another format.
    """
    qrels = read_qrel(folder / f"{split}.qrel")
    nearest = rank_nearest(qrels, embeddings, decimals=DECIMALS)
    return measure(folder.name, nearest, qrels, metrics=("map", "ndcg"))


def read_groups(folder: Path) -> dict[str, PaperEmbeddings]:
    """Reads published embeddings: cls.jsonl, user-citation.jsonl, recomm.jsonl, or .gz.

    Raises:
        SourceError: all files are missing, or one has another format.
    """
    groups = {group: read_paper_embeddings(path) for group, path in find_groups(folder).items()}
    if not groups:
        names = ", ".join(f"{group}.jsonl" for group in GROUPS)
        raise SourceError(str(folder), "no-embeddings", f"expected one or more of {names}")
    return groups


def find_groups(folder: Path) -> dict[str, Path]:
    """Group -> file, for the files that `read_groups` reads."""
    paths = {}
    for group in GROUPS:
        for path in (folder / f"{group}.jsonl.gz", folder / f"{group}.jsonl"):
            if path.is_file():
                paths[group] = path
    return paths
