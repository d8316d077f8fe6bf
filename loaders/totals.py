"""How many documents there will be, told before they are read where that is cheap."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from citescape.loaders.archives import DOCUMENTS, ends
from citescape.loaders.sources import iter_files


def count_documents(paths: Sequence[Path]) -> int | None:
    """The documents at `paths`; None where only reading tells, as for tar archives.

    A file of several articles counts as one, so there may be more.
    """
    total = 0
    for path in paths:
        for file in iter_files(path, Counter()):
            found = _count(file)
            if found is None:
                return None
            total += found
    return total


def _count(file: Path) -> int | None:
    if ends(file.name, (".zip",)):
        return _count_members(file)
    return 1 if ends(file.name, DOCUMENTS) else None


def _count_members(file: Path) -> int | None:
    """Told by the list at the archive's end; None if that is damaged, which reading will say."""
    try:
        with zipfile.ZipFile(file) as archive:
            return sum(ends(name, DOCUMENTS) for name in archive.namelist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return None
