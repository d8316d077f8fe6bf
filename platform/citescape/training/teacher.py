"""Graph embeddings as the teacher of a text encoder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import torch

from citescape.core.errors import ConfigError
from citescape.sampling.embedded import find_embeddings, name_embeddings
from citescape.search.vectors import Floats, read_vectors


@dataclass(frozen=True)
class Teacher:
    """Vectors of the citation graph for the papers of a training."""

    run: str
    """Run of `platform train graph`."""
    values: Floats
    """(n, e) vectors of the run; may be memory-mapped."""
    rows: npt.NDArray[np.int64]
    """(papers,) row of each paper's vector; -1 for papers without a trained vector."""

    @property
    def papers(self) -> int:
        """Number of papers with a vector."""
        return int((self.rows >= 0).sum())

    def read(self, papers: npt.NDArray[np.int64]) -> torch.Tensor:
        """Vectors (k, e) of some papers; NaN for those without."""
        rows = self.rows[papers]
        vectors = np.full((len(rows), self.values.shape[1]), np.nan, np.float32)
        vectors[rows >= 0] = self.values[rows[rows >= 0]]
        return torch.from_numpy(vectors)


def find_teacher(runs: Path, named: str, ids: pa.StringArray, *, location: str) -> Teacher:
    """The vectors of a run of `platform train graph` for the papers of a training.

    Args:
        runs: folder of run directories.
        named: id or folder of the run, or a file of vectors.
        ids: (papers,) ids of the papers.
        location: store of the papers.

    Raises:
        ConfigError: there is no such run, or fewer than two of the papers have a vector in it.
    """
    path = find_embeddings(runs, named, location=location)
    vectors = read_vectors(path)
    rows = vectors.rows(ids)
    rows[~vectors.placed[rows]] = -1  # papers without a row have -1 already
    teacher = Teacher(name_embeddings(path), vectors.values, rows)
    if teacher.papers < 2:
        raise ConfigError(
            f"{teacher.papers} of {len(rows):,} papers of the triplets have a vector in "
            f"{path.name}; expected two or more: embed the graph that they were sampled from"
        )
    return teacher
