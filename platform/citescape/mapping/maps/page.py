"""Writes an interactive map as one self-contained HTML file.

Style, script and data are in the file; a content security policy forbids all other sources. Data
are base64 of gzip, so that titles are never parsed as HTML or script. Style and script are those
of the explorer's map, which reads its data from the page if they are embedded.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

_BUNDLES = files("citescape") / "static"


def build_page(points: bytes, texts: bytes, *, title: str = "Map of papers") -> str:
    """Builds the page of a map.

    Args:
        points: places and colours, see `packing.pack_points`.
        texts: ids, titles and journals, see `packing.pack_texts`.
        title: title of the page.
    """
    style = _BUNDLES.joinpath("map.css").read_text("utf-8")
    licences = _BUNDLES.joinpath("map.licences.txt").read_text("utf-8").replace("*/", "* /")
    script = f"{_BUNDLES.joinpath('map.js').read_text('utf-8')}/*!\n{licences}*/\n"
    script = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    values = {
        "title": escape(title),
        "style": style,
        "script": script,
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "points": _pack(points),
        "texts": _pack(texts),
    }
    template = files(__package__).joinpath("map.html").read_text("utf-8")
    return Template(template).substitute(values)


def _hash(text: str) -> str:
    """Hash of a style or a script for the content security policy."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _pack(content: bytes) -> str:
    return b64encode(gzip.compress(content, compresslevel=6, mtime=0)).decode()
