"""Writes an interactive map as one self-contained HTML file.

Style, scripts and data are in the file; a content security policy forbids all other sources. Data
are base64 of gzip, so that titles are never parsed as HTML or script.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from citescape.mapping.maps.atlas import Atlas, stack_places
from citescape.mapping.maps.overlays import OVERLAYS, OverlayColours
from citescape.mapping.maps.palettes import NOTHINGS, ramps
from citescape.networks.network import Floats

_SCRIPTS = ("data", "draw", "view", "cards", "panel", "input")
_FONT = '"Inter", "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif'
MOST_PAPERS = 150_000
"""Maximum number of papers on a page, which a browser holds in memory."""
_SIDE = 65_535
"""Number of steps along the longer side of a map."""
_SHADES = 64
"""Number of colours of a scale."""
_MISSING = 255
"""Code of a missing value in a column of an overlay."""
_CLASSES = (0.5, 0.9, 0.99)
"""Quantiles of `received` at which dots get larger."""
_TERMS = 12
"""Maximum number of terms of a topic."""
Columns = dict[str, tuple[str, np.ndarray]]


def build_page(
    atlas: Atlas,
    painted: list[OverlayColours],
    *,
    title: str = "Map of papers",
    most: int = MOST_PAPERS,
) -> str:
    """Builds the page of an atlas.

    Args:
        atlas: content of the map.
        painted: colours of the overlays.
        title: title of the page.
        most: maximum number of papers; those with the most importance received are shown.
    """
    # One function around all scripts keeps their names out of the global scope.
    scripts = "\n".join([*(_read(f"map-{name}.js") for name in _SCRIPTS), _read("map.js")])
    style, script = _read("map.css"), f'(() => {{\n"use strict";\n{scripts}}})();\n'
    values = {
        "title": escape(title),
        "facts": escape(_facts(atlas, most)),
        "how": escape(f"Papers: {atlas.facts.papers}. Topics: {atlas.facts.topics}."),
        "style": style,
        "script": script,
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "data": _pack(atlas, painted, most),
    }
    return Template(_read("map.html")).substitute(values)


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Hash of a style or a script for the content security policy."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _facts(atlas: Atlas, most: int) -> str:
    facts, papers = atlas.facts, len(atlas.papers)
    shown = f"{papers:,} papers"
    if papers > most:
        shown = f"{most:,} of {shown}, those with the most {facts.weight} received"
    counts = f"{shown}, {len(atlas.topics):,} topics ({facts.level})"
    return ", ".join(part for part in (counts, facts.source, facts.run) if part)


def _pack(atlas: Atlas, painted: list[OverlayColours], most: int) -> str:
    """Packs length of the header, header (JSON) and columns as base64 of gzip."""
    order = np.argsort(atlas.papers["received"].to_numpy(), kind="stable")[-most:]
    papers = atlas.papers.take(order)
    topics = [
        {
            "name": row["name"],
            "label": " ".join((row["label"] or row["name"]).split()),
            "size": row["size"],
            "placed": bool(np.isfinite(row["x"])),
            "papers": row["placed"],
            "field": row["field"],
            "year": _replace_nan(row["mean_year"]),
            "diversity": _replace_nan(row["diversity"]),
            "importance": _replace_nan(row["importance"]),
            "terms": (row["terms"] or [])[:_TERMS],
        }
        for row in atlas.topics.to_pylist()
    ]
    overlays = [
        {
            "name": overlay.name,
            "of": OVERLAYS[overlay.name].points,
            "kind": overlay.overlay.kind,
            "title": overlay.title,
            "unit": overlay.unit,
            "categories": overlay.categories,
            "ticks": overlay.scale.marks if overlay.scale else [],
            "nothing": overlay.overlay.nothing,
            "missing": bool(overlay.missing.any()),
        }
        for overlay in painted
    ]
    header = {
        "facts": _facts(atlas, most),
        "weight": atlas.facts.weight,
        "font": _FONT,
        "nothing": NOTHINGS,
        "ramps": ramps(_SHADES),
        "least": atlas.least,
        "topics": topics,
        "overlays": overlays,
        "ids": papers["id"].to_pylist(),
        "titles": [title or "" for title in papers["title"].to_pylist()],
    }
    places, body = _lay_out(_columns(atlas, painted, order))
    text = json.dumps({**header, "columns": places}, ensure_ascii=False, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    content = len(text).to_bytes(4, "little") + text + body
    return b64encode(gzip.compress(content, compresslevel=6, mtime=0)).decode()


def _columns(atlas: Atlas, painted: list[OverlayColours], order: np.ndarray) -> Columns:
    papers, topics = atlas.papers, atlas.topics
    at = {name: papers[name].to_numpy()[order] for name in papers.column_names if name != "title"}
    on_papers = _steps(stack_places(papers, "x", "y"), stack_places(topics, "paper_x", "paper_y"))
    (on_topics,) = _steps(stack_places(topics, "x", "y"))
    columns: Columns = {
        **_position_columns("paper_", on_papers[0][order]),
        **_position_columns("middle_", on_papers[1]),
        **_position_columns("topic_", on_topics),
        "topic": ("i4", at["topic"]),
        "year": ("u2", np.nan_to_num(at["year"]).clip(0, _SIDE)),
        "cites": ("u4", at["cites"]),
        "cited": ("u4", at["cited"]),
        "received": ("f4", at["received"]),
        "size": ("u1", _classes(at["received"])),
    }
    for overlay in painted:  # rows of the table of colours
        known = ~overlay.missing
        rows = np.full(len(known), _MISSING)
        rows[known] = np.round(overlay.values[known] * (_SHADES - 1 if overlay.scale else 1))
        own = rows[order] if overlay.overlay.points == "papers" else rows
        columns[f"overlay_{overlay.name}"] = ("u1", own)
    return columns


def _steps(first: Floats, *others: Floats) -> list[np.ndarray]:
    """Scales places to integers 0 to 65,535, y downwards; missing places are 0.

    The map is centred in a square with the longer side of `first`.
    """
    known = first[np.isfinite(first[:, 0])]
    if not len(known):
        return [np.zeros(places.shape, np.uint16) for places in (first, *others)]
    low, high = known.min(axis=0), known.max(axis=0)
    side = float((high - low).max()) or 1.0
    middle = (low + high) / 2
    shares = [((p - middle) / side * [1, -1] + 0.5).clip(0, 1) for p in (first, *others)]
    return [np.round(np.nan_to_num(share) * _SIDE).astype(np.uint16) for share in shares]


def _position_columns(name: str, places: np.ndarray) -> Columns:
    return {f"{name}x": ("u2", places[:, 0]), f"{name}y": ("u2", places[:, 1])}


def _classes(received: np.ndarray) -> np.ndarray:
    """Size classes (papers,) 0 to 3; 3 is the top hundredth by importance received."""
    if not len(received) or received.max() <= 0:
        return np.zeros(len(received))
    cuts = np.quantile(received, _CLASSES)
    return np.searchsorted(cuts, received, side="left").astype(np.uint8)


def _lay_out(columns: Columns) -> tuple[list[list[Any]], bytes]:
    """Name, type, start and length of each column, and their bytes, aligned to multiples of 4."""
    places: list[list[Any]] = []
    parts: list[bytes] = []
    length = 0
    for name, (kind, values) in columns.items():
        places.append([name, kind, length, len(values)])
        content = np.ascontiguousarray(values).astype(f"<{kind}").tobytes()
        parts.append(content + b"\0" * (-len(content) % 4))
        length += len(parts[-1])
    return places, b"".join(parts)


def _replace_nan(value: float | None) -> float | None:
    """None instead of NaN, which JSON does not have."""
    return value if value is not None and np.isfinite(value) else None
