"""Triplets as texts on disk, for the data loaders of PyTorch."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pyarrow as pa
from torch.utils.data import Dataset

from citescape.core.errors import ConfigError
from citescape.encoders.documents import document_text
from citescape.runs.directory import RunDirectory, Stopwatch, check_writable
from citescape.runs.kept import KeptRun, compute_run
from citescape.sampling.triplets import SIDES, Triplets, recode_triplets
from citescape.store.graph_store import GraphStore
from citescape.training.texts import read_texts

_ROLES = ("anchor", "positive", "negative")
_TEXTS, _TRIPLETS = "texts.arrow", "triplets.arrow"
_TEXT_SCHEMA = pa.schema({"id": pa.string(), "text": pa.string()})


class TripletDataset(Dataset[dict[str, str]]):
    """`dataset[i]` is `{"anchor": ..., "positive": ..., "negative": ...}`, three texts.

    These are the columns that trainers of sentence-transformers expect. Arrow files are mapped into
    memory: a dataset larger than memory is read as it is used, and workers of a `DataLoader` get
    only the path.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        texts, self._rows = (
            pa.ipc.open_file(pa.memory_map(str(path / name))).read_all()
            for name in (_TEXTS, _TRIPLETS)
        )
        self._texts = texts["text"]

    def __len__(self) -> int:
        return int(self._rows.num_rows)

    def __getitem__(self, row: int) -> dict[str, str]:
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        position = row % len(self)
        return {role: self._texts[self._rows[role][position].as_py()].as_py() for role in _ROLES}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path,)


@dataclass(frozen=True)
class DatasetRun(KeptRun):
    """Triplets as texts: texts.arrow, triplets.arrow (rows of the texts), run.json."""

    command: ClassVar[str] = "dataset"
    noun: ClassVar[str] = "datasets"


def write_dataset(
    store: GraphStore,
    triplets: Triplets,
    runs: Path,
    *,
    side: Literal["train", "validation", "all"] = "train",
    facet: str = "",
    separator: str = " ",
) -> TripletDataset:
    """Writes triplets, in their order, with the texts of their papers, or opens a finished run.

    Args:
        store: holds titles and abstracts.
        triplets: triplets of a sampler or of a file.
        runs: folder of run directories.
        side: triplets to train on, those held out for validation, or all.
        facet: title and this part of the abstract only; empty for all of it.
        separator: separator of title and abstract: that of your encoder's tokenizer, or a space.

    Raises:
        ConfigError: no triplets on this side, or `runs` cannot be written.
        OutputError: the disk is full.
        StoreError: papers of the triplets are not in the store, or have no text.
    """
    selected = (
        triplets
        if side == "all"
        else triplets.select_rows(triplets.validation == SIDES.index(side))
    )
    if not len(selected):
        raise ConfigError(
            f"{len(triplets):,} triplets, but none with split {side!r}; expected one or more: use "
            "another side, or sample with another --validation"
        )
    check_writable(runs)
    compact = recode_triplets(selected, selected.papers)
    codes = np.stack([getattr(compact, role) for role in _ROLES]).astype(np.int32)
    texts = read_texts(store, compact.ids, runs, facet)

    def fill(directory: RunDirectory, _clock: Stopwatch) -> dict[str, int]:
        form = "sep" if separator.strip() else "joined"
        written = 0
        with pa.ipc.new_file(str(directory.path / _TEXTS), _TEXT_SCHEMA) as writer:
            for documents in texts.slices():
                strings = [document_text(document, form, separator) for document in documents]
                ids = texts.ids[written : written + len(strings)]
                writer.write_batch(pa.record_batch([ids, strings], schema=_TEXT_SCHEMA))
                written += len(strings)
        rows = pa.table(dict(zip(_ROLES, codes, strict=True)))
        with pa.ipc.new_file(str(directory.path / _TRIPLETS), rows.schema) as writer:
            writer.write_table(rows)
        return {"triplets": len(compact), "papers": len(texts)}

    settings = {"side": side, "separator": separator}
    inputs = {
        "triplets": hashlib.sha256(codes.tobytes()).hexdigest(),
        "texts": texts.sha256,
        "facet": facet,
    }
    return TripletDataset(compute_run(DatasetRun, runs, settings, inputs, fill=fill).path)
