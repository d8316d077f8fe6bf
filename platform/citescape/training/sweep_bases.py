"""Frozen encoders of a sweep, and figures of their adapters on published tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, prefix
from citescape.embeddings.embed import embed
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import Adapter
from citescape.encoders.saved import find_document_encoder, find_trained, hash_document_encoder
from citescape.papers.documents import DocumentCorpus
from citescape.search.vectors import Floats, Vectors
from citescape.training.base import CACHE
from citescape.training.choosing import ENCODE, ChoiceTask, to_embeddings
from citescape.training.sweep import Row

SCORED = "importance"
"""Beginning of the names of the arms of which the best is chosen."""
Judge = Callable[[Adapter | None], float]


@dataclass(frozen=True, eq=False)
class SweepBase:
    """A frozen encoder whose adapters are compared."""

    name: str
    """Label of its rows; empty for vectors of a run."""
    run: str
    """Run of its vectors of the store's papers."""
    vectors: Vectors
    encoder: EmbedConfig | None = None
    """How it reads the texts of tasks; None for vectors of a run."""


def find_encoders(names: Sequence[str], runs: Path) -> dict[str, str]:
    """Label -> folder or hub id of encoders, checked before any work.

    Raises:
        ConfigError: no such encoder; two with one label; or one that was trained in `runs`, which
            may have learned from held-out papers.
    """
    found: dict[str, str] = {}
    for named in names:
        name = find_document_encoder(runs, named)
        label = Path(name).name
        if label in found:
            raise ConfigError(f"two encoders are named {label}; expected different names")
        if trained := find_trained(runs, hash_document_encoder(name)):
            raise ConfigError(
                f"{named} is {trained}, which was trained on papers of this store, possibly "
                "held-out anchors; expected an encoder before training"
            )
        found[label] = name
    return found


def encode_bases(
    corpus: DocumentCorpus,
    encoders: Mapping[str, str],
    *,
    max_tokens: int = 0,
    runs: Path,
    progress: Progress,
) -> list[SweepBase]:
    """Vectors of the store's papers by each encoder; those of an earlier run are used.

    Args:
        corpus: papers of the store.
        encoders: result of `find_encoders`.
        max_tokens: maximum tokens per text; 0 for the limit of the encoder.
        runs: folder of run directories.
        progress: reports the progress.
    """
    bases = []
    for label, name in encoders.items():
        config = EmbedConfig(encoder=name, max_tokens=max_tokens)
        run = embed(corpus, config, runs=runs, command=CACHE, progress=prefix(progress, label))
        bases.append(SweepBase(label, run.run, run.vectors, config))
    return bases


def make_judges(
    base: SweepBase, tasks: Sequence[ChoiceTask], *, runs: Path, progress: Progress
) -> tuple[Judge, Judge]:
    """Functions of an adapter: the mean figure of tasks on validation, and on their test parts.

    The frozen encoder reads the texts of each task once; adapters map its vectors.
    """
    assert base.encoder is not None, "tasks need an encoder for their texts"
    encoded: list[tuple[ChoiceTask, pa.Table, Floats]] = []
    for task in tasks:
        run = embed(
            task.corpus,
            base.encoder,
            runs=runs,
            command=ENCODE,
            progress=prefix(progress, f"{base.name}, {task.name}"),
        )
        encoded.append((task, task.corpus.papers, np.asarray(run.vectors.values)))

    def judge(adapter: Adapter | None, *, test: bool = False) -> float:
        figures = []
        for task, papers, values in encoded:
            mapped = adapter(values) if adapter else values
            embeddings = to_embeddings(papers, mapped, base.name)
            figures.append(task.test(embeddings) if test else task.validate(embeddings))
        return float(np.mean(figures))

    return judge, lambda adapter: judge(adapter, test=True)


def choose_arm(rows: Sequence[Row]) -> str:
    """The arm of importance sampling with the highest mean validation figure; ties: the first."""
    values: dict[str, list[float]] = {}
    for row in rows:
        if row["arm"].startswith(SCORED):
            values.setdefault(row["arm"], []).append(row["validation"])
    return max(values, key=lambda arm: float(np.mean(values[arm])))


def add_test(rows: pa.Table, tested: pa.Table) -> pa.Table:
    """Rows with a column `test`, null in rows of arms that were not tested.

    Args:
        rows: result of `compare_arms`.
        tested: result for the chosen arm, whose `validation` is the figure of the test parts.
    """
    figures = {(row["arm"], row["seed"]): row["validation"] for row in tested.to_pylist()}
    values = [figures.get((row["arm"], row["seed"])) for row in rows.to_pylist()]
    return rows.append_column("test", pa.array(values, pa.float64()))
