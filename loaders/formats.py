"""Names of the formats, without other imports, so that the command line loads fast."""

from __future__ import annotations

TABLES = ("aan", "csv")
"""Formats of tables; their readers are in `datasets.TABLE_FORMATS`."""
FORMATS = ("auto", "jats", *TABLES)
"""`auto` detects the format by the content."""
