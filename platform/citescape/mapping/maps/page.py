"""Writes an interactive map as one self-contained HTML file.

Style, script and data are in the file; a content security policy forbids all other sources. Data
are base64 of gzip, so that titles are never parsed as HTML or script. The script is that of the
explorer's map, bundled from `server/web/src/map-page.tsx`.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template


def build_page(points: bytes, texts: bytes, *, title: str = "Map of papers") -> str:
    """Builds the page of a map.

    Args:
        points: places and colours, see `packing.pack_points`.
        texts: ids, titles and journals, see `packing.pack_texts`.
        title: title of the page.
    """
    style = _read("map-page.css")
    script = _read("map-page.js").replace("</script", "<\\/script").replace("<!--", "<\\!--")
    values = {
        "title": escape(title),
        "style": style,
        "script": script,
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "points": _pack(points),
        "texts": _pack(texts),
    }
    return Template(_read("map.html")).substitute(values)


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Hash of a style or a script for the content security policy."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _pack(content: bytes) -> str:
    return b64encode(gzip.compress(content, compresslevel=6, mtime=0)).decode()
