"""The names of the formats that are read; nothing else, so that a command line may ask for them."""

from __future__ import annotations

TABLES = ("aan", "csv")
"""Formats of tables; what reads each is in `datasets.TABLE_FORMATS`."""
FORMATS = ("auto", "jats", *TABLES)
"""`auto` looks into the files."""
