"""The versions of all loaders: what another one read is read again."""

from __future__ import annotations

from citescape.loaders.datasets import TABLE_FORMATS
from citescape.loaders.formats import TABLES
from citescape.loaders.jats import VERSION

_TABLES = frozenset(known.version for known in TABLE_FORMATS.values())
VERSIONS = frozenset((VERSION, *_TABLES))
"""Of this release."""


def is_table(loader: str) -> bool:
    """Whether a loader, of whatever version, reads tables, where papers have no text."""
    return loader.partition("-")[0] in TABLES
