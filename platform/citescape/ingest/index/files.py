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
from pathlib import Path
from uuid import uuid4

import pyarrow as pa

from citescape import __version__
from citescape.core.config import is_address
from citescape.core.files import sync
from citescape.ingest.index.rows import IndexedRows
from citescape.ingest.index.works import ENTRY_HASHERS, PAPER_HASHERS, WorkIndex
from citescape.store.graph_store import GraphStore

_FORMAT = [1, __version__, pa.__version__]
"""An index that another release wrote is not used: texts may be compared differently."""
_STATE = "index.json"
_TABLES = {"entries": ENTRY_HASHERS, "papers": PAPER_HASHERS}


def index_folder(store: GraphStore) -> Path:
    """The folder of the index of a store."""
    if not is_address(store.location):
        return Path(f"{store.location}.index")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.blake2b(store.location.encode(), digest_size=8).hexdigest()
    return cache / "citescape" / name


def open_index(store: GraphStore, stamp: str | None) -> WorkIndex | None:
    """The index of a store, if it is that of the state with this stamp."""
    folder = index_folder(store)
    try:
        state = json.loads((folder / _STATE).read_text())
        if not stamp or state["stamp"] != stamp or state["format"] != _FORMAT:
            return None
        tables = [
            IndexedRows.open(folder / state["base"] / name, folder / stamp / name, hashers)
            for name, hashers in _TABLES.items()
        ]
    except (OSError, ValueError, KeyError, pa.ArrowInvalid):
        return None
    return WorkIndex(*tables, base=state["base"])


def save_index(store: GraphStore, index: WorkIndex) -> str:
    """Writes the index of the present state; returns its stamp.

    An index that cannot be written, such as beside a store in a folder that is read-only, is left
    out.
    """
    stamp = uuid4().hex
    try:
        _save(index_folder(store), index, stamp)
    except OSError:
        return "yes"
    return stamp


def _save(folder: Path, index: WorkIndex, stamp: str) -> None:
    base = index.base or f"base-{stamp}"
    for name in _TABLES:
        table: IndexedRows = getattr(index, name)
        if not index.base:
            table.save_base(folder / base / name)
        table.save_additions(folder / stamp / name)
    aside = folder / f"{_STATE}.{stamp}"
    aside.write_text(json.dumps({"stamp": stamp, "base": base, "format": _FORMAT}))
    sync(aside)
    aside.replace(folder / _STATE)
    for other in folder.iterdir():
        if other.name not in (_STATE, base, stamp):
            shutil.rmtree(other, ignore_errors=True) if other.is_dir() else other.unlink()
