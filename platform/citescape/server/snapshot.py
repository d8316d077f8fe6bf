"""A copy of a ladybug file to read from, because readers beside a writer fail."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from citescape.store.graph_store import open_store


def take_snapshot(location: str, folder: Path) -> tuple[Path, datetime]:
    """Copies a store that is a file, as it is now.

    The store is open for reading meanwhile, so that no other process can write to it.

    Args:
        location: path of the store.
        folder: folder of the copy.

    Returns:
        The copy, and the time (UTC) of its content.

    Raises:
        StoreError: no such store, or another process writes to it.
    """
    path, copy = Path(location), folder / Path(location).name
    with closing(open_store(location, read_only=True)):
        for source in (path, path.with_name(f"{path.name}.wal")):
            if source.exists():
                shutil.copyfile(source, folder / source.name)
        return copy, datetime.now(UTC)
