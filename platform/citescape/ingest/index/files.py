"""Where the index of a store is kept, and whether it fits the store.

The index of `corpus.lbug` is the folder `corpus.lbug.index` beside it, that of a server is in the
cache folder of the user. It holds nothing that the graph does not have: if it is missing, damaged,
or not of the present state of the graph, everything is resolved again and it is written anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4
from zipfile import BadZipFile

import numpy as np
import pyarrow as pa

from citescape import __version__
from citescape.core.config import is_address
from citescape.core.counts import Counts
from citescape.core.files import sync
from citescape.ingest.author_statistics import NameCounts, PairCounts, Statistics
from citescape.ingest.index.by_lines import BY_LINES
from citescape.ingest.index.rows import IndexedRows
from citescape.ingest.index.works import ENTRIES, PAPERS, WorkIndex
from citescape.store.graph_store import GraphStore

_FORMAT = [4, __version__, pa.__version__]
"""An index that another release wrote is not used: texts may be compared differently."""
_STATE = "index.json"
_HASHERS = {"entries": ENTRIES, "papers": PAPERS, "by_lines": BY_LINES}
_STATISTICS = "statistics.npz"


@dataclass
class StoreIndex:
    """What a store was resolved from."""

    works: WorkIndex
    by_lines: IndexedRows | None = None
    """By-lines with authors; None if another `AuthorResolver` found these."""
    statistics: Statistics | None = None

    @property
    def tables(self) -> dict[str, IndexedRows]:
        """The tables by name."""
        found = {"entries": self.works.entries, "papers": self.works.papers}
        return found if self.by_lines is None else {**found, "by_lines": self.by_lines}


def index_folder(store: GraphStore) -> Path:
    """The folder of the index of a store."""
    if not is_address(store.location):
        return Path(f"{store.location}.index")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.blake2b(store.location.encode(), digest_size=8).hexdigest()
    return cache / "citescape" / name


def remove_index(location: str) -> None:
    """Removes the index of a store file."""
    shutil.rmtree(f"{location}.index", ignore_errors=True)


def open_index(store: GraphStore, stamp: str | None) -> StoreIndex | None:
    """The index of a store, if it is that of the state with this stamp."""
    folder = index_folder(store)
    try:
        state = json.loads((folder / _STATE).read_text())
        if not stamp or state["stamp"] != stamp or state["format"] != _FORMAT:
            return None
        tables = {
            name: IndexedRows.open(folder / base, folder / stamp / name, _HASHERS[name])
            for name, base in state["bases"].items()
        }
        index = StoreIndex(WorkIndex(tables["entries"], tables["papers"]))
        if "by_lines" in tables:
            index.by_lines = tables["by_lines"]
            index.statistics = _read_statistics(folder / stamp / _STATISTICS)
    except (OSError, EOFError, ValueError, TypeError, LookupError, BadZipFile, pa.ArrowInvalid):
        return None
    return index


def _read_statistics(path: Path) -> Statistics:
    with np.load(path) as found:
        names = NameCounts(
            Counts(found["values"], found["value_counts"]),
            Counts(found["sums"], found["sum_counts"]),
        )
        fitting = Counts(found["fitting"], found["fitting_counts"])
        papers, signatures = found["sizes"].tolist()
        pairs = PairCounts(signatures, fitting, found["chance"], found["contradictions"])
    return Statistics(papers, names, pairs)


def _save_statistics(path: Path, statistics: Statistics) -> None:
    names, pairs = statistics.names, statistics.pairs
    np.savez(
        path,
        values=names.values.keys,
        value_counts=names.values.numbers,
        sums=names.sums.keys,
        sum_counts=names.sums.numbers,
        fitting=pairs.fitting.keys,
        fitting_counts=pairs.fitting.numbers,
        chance=pairs.chance,
        contradictions=pairs.contradictions,
        sizes=np.array([statistics.papers, pairs.signatures]),
    )


def save_index(store: GraphStore, index: StoreIndex) -> str:
    """Writes the index of the present state; returns its stamp.

    An index that cannot be written, such as beside a store in a folder that is read-only, is left
    out.
    """
    stamp = uuid4().hex
    try:
        _keep_bases(store, index)
        _save(index_folder(store), index, stamp)
    except OSError:
        return "yes"
    return stamp


def _keep_bases(store: GraphStore, index: StoreIndex) -> None:
    """Writes the tables that are in memory only; they are mapped from their files then."""
    for name, table in index.tables.items():
        if not table.base:
            table.keep_base(index_folder(store) / f"{name}-{uuid4().hex}")


def _save(folder: Path, index: StoreIndex, stamp: str) -> None:
    bases = {name: table.base for name, table in index.tables.items()}
    for name, table in index.tables.items():
        table.save_additions(folder / stamp / name)
    if index.statistics is not None:
        _save_statistics(folder / stamp / _STATISTICS, index.statistics)
    for part in (*bases.values(), stamp):
        for path in (folder / part).rglob("*"):
            sync(path)
    state = {"stamp": stamp, "bases": bases, "format": _FORMAT}
    aside = folder / f"{_STATE}.{stamp}"
    aside.write_text(json.dumps(state))
    sync(aside)
    aside.replace(folder / _STATE)
    for other in folder.iterdir():
        if other.name not in (_STATE, stamp, *bases.values()):
            shutil.rmtree(other, ignore_errors=True) if other.is_dir() else other.unlink()
