"""SciDocs as a whole: its twelve columns, and their average."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError, SourceError, invalid_choice
from citescape.core.progress import Progress, silent
from citescape.embeddings.encoded import Encoded, read_encoded
from citescape.evaluation.scidocs.classification import classify
from citescape.evaluation.scidocs.ranking import rank_candidates
from citescape.evaluation.scidocs.recommendation import FOLDER, RANKERS, recommend
from citescape.metrics.figures import Figure, Figures, mean

SPLITS = ("val", "test")
CLASSIFIED, RANKED = ("mag", "mesh"), ("coview", "coread", "cite", "cocite")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "cls": CLASSIFIED,
    "user-citation": RANKED,
    "recomm": (FOLDER,),
}
"""Embeddings are published as three files, cls.jsonl, ...; the tasks that each is for."""
COLUMNS: tuple[tuple[str, str], ...] = (
    *((task, "f1") for task in CLASSIFIED),
    *((task, metric) for task in RANKED for metric in ("map", "ndcg")),
    (FOLDER, "ndcg"),
    (FOLDER, "precision@1"),
)
"""Tasks and metrics in the order of the published tables (SciNCL, Table 1)."""
TASKS = tuple(dict.fromkeys(task for task, _ in COLUMNS))
"""Folders of the data."""


@dataclass(frozen=True, eq=False)
class SciDocsResult:
    """Figures of SciDocs."""

    split: str
    figures: Figures
    ranker: str
    """Which one recommended: `cosine`, `features`; none: there were no clicks."""

    @property
    def table(self) -> pa.Table:
        """A row a figure, see `Figures.table`."""
        return self.figures.table

    @property
    def columns(self) -> dict[tuple[str, str], float]:
        """Those of the published tables that are there, (task, metric) -> percentage."""
        found = {key: self.figures.find(*key) for key in COLUMNS}
        return {
            key: one.value
            for key, one in found.items()
            if one is not None and np.isfinite(one.value)
        }

    @property
    def absent(self) -> tuple[tuple[str, str], ...]:
        """Columns that are not there: no data, nothing ranked, or a figure of another kind."""
        columns = self.columns
        return tuple(key for key in COLUMNS if key not in columns)

    @property
    def average(self) -> float:
        """Plain mean of all twelve columns, which published averages are; NaN if one is absent."""
        return float("nan") if self.absent else mean(list(self.columns.values()))

    @property
    def mean_of_present(self) -> float:
        """Plain mean of the columns that are there: not comparable with a published average."""
        return mean(list(self.columns.values()))


def evaluate_scidocs(
    folder: Path,
    encoded: Encoded | Mapping[str, Encoded],
    *,
    split: str = "test",
    ranker: str = "cosine",
    seed: int = 42,
    cores: int = 1,
    progress: Progress = silent,
) -> SciDocsResult:
    """Evaluates embeddings as SciDocs' own evaluator does (Cohan et al. 2020).

    Tasks whose folder is not there are left out and told of by `SciDocsResult.absent`.

    Args:
        folder: as published: mag/, mesh/, cite/, cocite/, coread/, coview/, recomm/.
        encoded: of all papers; or those of `cls`, `user-citation` and `recomm`, of which any may be
            missing, see `GROUPS`.
        split: `test`, which is published; `val`, to choose settings by.
        ranker: of recommendations, see `recommendation.recommend`. By `cosine` there is no figure
            to stand in the published column, hence no average.
        seed: of the classifiers; the ranker has its own.
        cores: processes that fit classifiers.
        progress: told of each task.

    Raises:
        ConfigError: no such split, ranker or group of embeddings, or none of the tasks is there.
        SourceError: a file is missing or not what it should be.
    """
    given = encoded if isinstance(encoded, Mapping) else dict.fromkeys(GROUPS, encoded)
    chosen = (("split", split, SPLITS), ("ranker", ranker, RANKERS))
    for name, value, valid in (*chosen, *(("encoded", group, GROUPS) for group in given)):
        if value not in valid:
            raise invalid_choice(name, value, valid)
    vectors = {task: of for group, of in given.items() for task in GROUPS[group]}
    tasks = [task for task in TASKS if task in vectors and (folder / task).is_dir()]
    if not tasks:
        there = ", ".join(TASKS)
        raise ConfigError(f"no task of SciDocs in {folder}; expected folders: {there}")
    found: list[Figure] = []
    for task in tasks:
        progress(f"{task}: {split}")
        path, of = folder / task, vectors[task]
        if task in CLASSIFIED:
            found.append(classify(path, of, split=split, seed=seed, cores=cores))
        elif task in RANKED:
            found += rank_candidates(path, of, split=split)
        else:
            found += recommend(folder, of, split=split, ranker=ranker)
    return SciDocsResult(split, Figures(tuple(found)), ranker if FOLDER in tasks else "")


def read_groups(folder: Path) -> dict[str, Encoded]:
    """Embeddings as they are published: cls.jsonl, user-citation.jsonl, recomm.jsonl, or .gz.

    Raises:
        SourceError: none of them is there, or one is not what it should be.
    """
    found = {group: read_encoded(path) for group, path in _group_files(folder)}
    if not found:
        names = ", ".join(f"{group}.jsonl" for group in GROUPS)
        raise SourceError(str(folder), "no-embeddings", f"expected one or more of {names}")
    return found


def has_groups(folder: Path) -> bool:
    """Whether a folder has one of the files that `read_groups` reads."""
    return any(_group_files(folder))


def _group_files(folder: Path) -> Iterator[tuple[str, Path]]:
    for group in GROUPS:
        paths = [folder / f"{group}.jsonl{ending}" for ending in ("", ".gz")]
        yield from [(group, path) for path in paths if path.is_file()][:1]
