"""Packs a map for a browser: two binary files, one to draw and one to read.

Both are [length of the header, 4 bytes][header, JSON][columns], so that typed arrays are views of
the bytes. `points.bin` has places, codes of colours and communities; `texts.bin` has ids, titles,
journals and notices, which are not needed until a paper is shown. The page of a map holds both; the
explorer serves them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.mapping.maps.atlas import Atlas, MapLevel, stack_places
from citescape.mapping.maps.overlays import OverlayColours, paint_level
from citescape.mapping.maps.palettes import NOTHINGS, ramps
from citescape.networks.network import Floats
from citescape.reports.drawing import CATEGORIES

MOST_PAPERS = 150_000
"""Maximum number of papers of a map in a browser, which holds them in memory."""
_SHADES = 64
"""Number of colours of a scale."""
_MISSING = 255
"""Code of a missing value in a column of an overlay."""
_CLASSES = (0.5, 0.9, 0.99)
"""Quantiles of `received` at which dots get larger."""
_TERMS = 12
"""Maximum number of terms of a community."""
_MOST_YEAR = 65_535
Columns = dict[str, tuple[str, np.ndarray]]


def order_papers(atlas: Atlas, most: int = MOST_PAPERS) -> np.ndarray:
    """(at most `most`,) rows of papers by importance received, the highest last and drawn on top.

    Args:
        atlas: content of the map.
        most: maximum number of papers; those with the most importance received are kept.
    """
    received = atlas.papers["received"].to_numpy()
    return np.asarray(np.argsort(received, kind="stable")[-most:])


def pack_points(
    atlas: Atlas,
    painted: Sequence[OverlayColours],
    left_out: Mapping[str, str],
    order: np.ndarray,
) -> bytes:
    """Packs places, colours and communities.

    Args:
        atlas: content of the map.
        painted: colours of the overlays.
        left_out: title of an overlay -> reason why it is left out.
        order: rows of papers, see `order_papers`.
    """
    facts = atlas.facts
    header: dict[str, Any] = {
        "run": facts.run,
        "papers": len(order),
        "of": len(atlas.papers),
        "weight": facts.weight,
        "how": [
            f"{len(order):,} of {len(atlas.papers):,} papers, those with the most {facts.weight} "
            "received"
            if len(order) < len(atlas.papers)
            else f"{len(order):,} papers",
            f"Papers are placed by {facts.source}: {facts.papers}",
            f"Topics are those of the level {facts.level}, {len(atlas.topics):,} of them",
            f"Run {facts.run}",
        ],
        "nothing": NOTHINGS,
        "ramps": ramps(_SHADES),
        "palette": CATEGORIES,
        "level": facts.level,
        "least": atlas.least,
        "levels": [_list_topics(atlas), *(_list_level(atlas, level) for level in atlas.levels)],
        "overlays": [_describe(overlay) for overlay in painted if overlay.name != "community"],
        "left_out": [{"title": title, "reason": reason} for title, reason in left_out.items()],
    }
    return _join(header, _columns(atlas, painted, order))


def pack_texts(atlas: Atlas, order: np.ndarray) -> bytes:
    """Packs ids, titles and journals: UTF-8 bytes, and their ends.

    Notices are in the header: row of the paper, such as `retracted`, year or null.
    """
    columns: Columns = {}
    for name in ("id", "title", "venue"):
        texts = [text or "" for text in atlas.papers[name].take(pa.array(order)).to_pylist()]
        parts = [text.encode("utf-8", "replace") for text in texts]
        ends = np.cumsum([0, *map(len, parts)])
        columns[f"{name}_ends"] = ("u4", ends)
        columns[name] = ("u1", np.frombuffer(b"".join(parts), np.uint8))
    noted = atlas.papers.select(["notice", "notice_year"]).take(pa.array(order))
    rows = np.flatnonzero(pc.not_equal(noted["notice"], "").to_numpy())
    states, years = noted.take(pa.array(rows)).to_pydict().values()
    notices = [
        [row, state, int(year) if np.isfinite(year) else None]
        for row, state, year in zip(rows.tolist(), states, years, strict=True)
    ]
    return _join({"papers": len(order), "notices": notices}, columns)


def _list_topics(atlas: Atlas) -> dict[str, Any]:
    level = MapLevel(atlas.facts.level, np.empty(0, np.int32), atlas.topics)
    listed = _list_level(atlas, level)
    for entry, row in zip(listed["communities"], atlas.topics.to_pylist(), strict=True):
        entry["field"], entry["terms"] = row["field"], (row["terms"] or [])[:_TERMS]
        for name in ("mean_year", "diversity", "importance"):
            entry[name] = _replace_nan(row[name])
    return listed


def _list_level(atlas: Atlas, level: MapLevel) -> dict[str, Any]:
    places = _scale(atlas, stack_places(level.communities, "paper_x", "paper_y"))
    entries = []
    rows = zip(level.communities.to_pylist(), places.tolist(), paint_level(level), strict=True)
    for row, (x, y), code in rows:
        known = bool(np.isfinite(code))
        entries.append(
            {
                "name": row["name"],
                "label": " ".join((row["label"] or "").split()) or None,
                "size": row["size"],
                "x": x if known else None,
                "y": y if known else None,
                "colour": int(code) if known else None,
            }
        )
    return {"name": level.name, "communities": entries}


def _describe(overlay: OverlayColours) -> dict[str, Any]:
    scale, weight = overlay.scale, overlay.title.split()[0]
    classes = []
    if scale:
        cuts = [
            (round(low * (_SHADES - 1)), round(high * (_SHADES - 1)), text)
            for low, high, text in scale.classes()
        ]
        classes = [
            [low, high - 1 if k < len(cuts) - 1 else _SHADES - 1, text]
            for k, (low, high, text) in enumerate(cuts)
        ]
    return {
        "name": overlay.name,
        "of": overlay.overlay.points,
        "kind": overlay.overlay.kind,
        "title": overlay.title,
        "unit": overlay.unit,
        "more": overlay.overlay.more.format(weight=weight),
        "categories": overlay.categories,
        "classes": classes,
        "nothing": overlay.overlay.nothing,
        "missing": bool(overlay.missing.any()),
    }


def _columns(atlas: Atlas, painted: Sequence[OverlayColours], order: np.ndarray) -> Columns:
    papers = atlas.papers
    at = {name: papers[name].to_numpy()[order] for name in ("topic", "year", "cites", "cited")}
    received = papers["received"].to_numpy()[order]
    places = _scale(atlas, stack_places(papers))[order]
    columns: Columns = {
        "places": ("f4", places.ravel()),
        "received": ("f4", received),
        "cites": ("u4", at["cites"]),
        "cited": ("u4", at["cited"]),
        "year": ("u2", np.nan_to_num(at["year"]).clip(0, _MOST_YEAR)),
        "size": ("u1", _classes(received)),
        f"level_{atlas.facts.level}": ("i4", at["topic"]),
    }
    for level in atlas.levels:
        columns[f"level_{level.name}"] = ("i4", level.members[order])
    for overlay in painted:
        if overlay.name == "community":
            continue
        known = ~overlay.missing
        codes = np.full(len(known), _MISSING)
        codes[known] = np.round(overlay.values[known] * (_SHADES - 1 if overlay.scale else 1))
        if overlay.overlay.points == "topics":
            codes = np.append(codes, _MISSING)[at["topic"]]  # -1 is the last entry
        else:
            codes = codes[order]
        columns[f"overlay_{overlay.name}"] = ("u1", codes)
    return columns


def _scale(atlas: Atlas, places: Floats) -> Floats:
    """Places in a square of side 1 around all papers, y downwards; NaN stays."""
    every = stack_places(atlas.papers)
    if not len(every):
        return places
    low, high = every.min(axis=0), every.max(axis=0)
    side = float((high - low).max()) or 1.0
    scaled: Floats = (places - (low + high) / 2) / side * [1, -1] + 0.5
    return scaled


def _classes(received: np.ndarray) -> np.ndarray:
    """Size classes (papers,) 0 to 3; 3 is the top hundredth by importance received."""
    if not len(received) or received.max() <= 0:
        return np.zeros(len(received))
    cuts = np.quantile(received, _CLASSES)
    return np.searchsorted(cuts, received, side="left").astype(np.uint8)


def _join(header: dict[str, Any], columns: Columns) -> bytes:
    """Header and columns; each column begins at a multiple of 4 bytes."""
    listed: list[list[Any]] = []
    parts: list[bytes] = []
    length = 0
    for name, (kind, values) in columns.items():
        listed.append([name, kind, length, len(values)])
        content = np.ascontiguousarray(values).astype(f"<{kind}").tobytes()
        parts.append(content + b"\0" * (-len(content) % 4))
        length += len(parts[-1])
    text = json.dumps({**header, "columns": listed}, ensure_ascii=False, allow_nan=False).encode(
        "utf-8", "replace"
    )
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + b"".join(parts)


def _replace_nan(value: float | None) -> float | None:
    """None instead of NaN, which JSON does not have."""
    return value if value is not None and np.isfinite(value) else None
