"""Vectors of Semantic Scholar's data sets `embeddings-specter_v1` and `embeddings-specter_v2`.

JSON Lines with `corpusid`, `model` and `vector`, a list of numbers or the same as JSON text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_corpus_id
from citescape.loaders.lines import TextLines
from citescape.loaders.record_values import to_list, to_text
from citescape.loaders.s2ag_tables import kind_of, parse_line
from citescape.loaders.sources import check_exists

_EXPECTED = "JSON Lines with corpusid and vector, or a folder of such files"


class PaperVector(NamedTuple):
    """The vector of one paper."""

    corpus_id: str
    model: str
    """Name of the model as the file has it; empty if missing."""
    vector: npt.NDArray[np.float32]
    """(d,) finite numbers."""


def find_vector_files(path: Path) -> list[Path]:
    """The file, or the files of a folder that hold vectors, in name order.

    Raises:
        SourceError: no such path, or no vectors in it.
    """
    check_exists(path)
    files = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
    found = [file for file in files if "embeddings" in map(kind_of, TextLines(file).head(2))]
    if not found:
        raise SourceError(str(path), "no-vectors", f"no vectors in it; expected {_EXPECTED}")
    return found


def read_paper_vectors(path: Path) -> Iterator[PaperVector | None]:
    """The vector of each line; None for a line that is damaged or lacks an id or a vector.

    Raises:
        SourceError: the file cannot be read to its end.
    """
    for line in TextLines(path):
        if not line.isspace():
            yield _read(line)


def _read(line: str) -> PaperVector | None:
    record = parse_line(line)
    id_ = normalise_corpus_id(record.get("corpusid"))
    numbers = to_list(record.get("vector"))
    if not id_ or not numbers or not {*map(type, numbers)} <= {int, float}:
        return None
    with np.errstate(over="ignore"):
        vector = np.array(numbers, np.float64).astype(np.float32)
    if not np.isfinite(vector).all():
        return None
    return PaperVector(id_, to_text(record.get("model")), vector)
