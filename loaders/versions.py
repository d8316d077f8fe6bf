"""The versions of all loaders: papers of other versions are loaded again."""

from __future__ import annotations

from citescape.loaders.datasets import TABLE_FORMATS
from citescape.loaders.document_formats import DOCUMENT_VERSIONS

_TABLES = frozenset(known.version for known in TABLE_FORMATS.values())
VERSIONS = frozenset((*DOCUMENT_VERSIONS, *_TABLES))
"""Loaders of this release."""
