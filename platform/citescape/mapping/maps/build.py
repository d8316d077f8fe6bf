"""Builds maps of papers and of topics and stores them as runs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, SourceError
from citescape.core.extras import require
from citescape.core.pairs import fingerprint_ids
from citescape.core.progress import Progress, silent
from citescape.mapping.maps.atlas import (
    Atlas,
    Facts,
    MapPapers,
    build_atlas,
    read_map_papers,
    stack_places,
)
from citescape.mapping.maps.config import MapConfig
from citescape.mapping.maps.layout import CLASSICAL, Layout, place
from citescape.mapping.maps.map_run import (
    COMMAND,
    PAGE,
    PAPERS,
    POINTS,
    TEXTS,
    TOPICS,
    MapRun,
)
from citescape.mapping.maps.overlays import find_missing, find_shallow, paint
from citescape.mapping.maps.packing import order_papers, pack_points, pack_texts
from citescape.mapping.maps.page import build_page
from citescape.mapping.maps.placing import LayoutQuality
from citescape.mapping.maps.sources import MapSources, find_sources
from citescape.mapping.maps.static import draw_map
from citescape.reports.drawing import save
from citescape.runs.directory import (
    RunDirectory,
    RunRecord,
    Stopwatch,
    check_writable,
    default_runs,
    run_id,
)
from citescape.runs.kept import keep_run, list_kept
from citescape.store.graph_store import GraphStore

_TOPIC_DISTANCE = 0.5
"""Minimum distance of topics, so that circles do not overlap."""
_LAYOUT, _DRAWING = 4, 6
"""Revisions of places, and of pictures and pages: increased if results of equal settings change."""
_LIBRARIES = ("citescape", "numpy", "scipy", "numba", "matplotlib", "pyarrow")


def build_map(
    store: GraphStore,
    config: MapConfig | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = silent,
) -> MapRun:
    """Places the papers of a clustering and its topics, and stores the map as a run.

    The same communities, vectors and settings give the same run, which is computed once. If only
    the drawing differs, places are taken from an earlier map.

    Args:
        store: store to read.
        config: settings.
        runs: folder of runs; by default `runs` beside the store.
        progress: receives the current stage.

    Raises:
        ConfigError: matplotlib is not installed; no such run or setting; no paper can be placed;
            `runs` is not writable.
    """
    config, clock = config or MapConfig(), Stopwatch()
    runs = runs or default_runs(store.location)
    require("matplotlib")
    check_writable(runs)
    with clock.timed("read"):
        progress("reading papers and citations")
        sources = find_sources(store, runs, config)
        papers = read_map_papers(store, sources.space.ids)
    unavailable = find_missing(sources.described, papers.table)
    missing = [name for name in config.overlays if name in unavailable]
    if missing:  # other overlays without values are omitted
        described = f"--clustering {sources.clustering.run} --level {sources.level}"
        topics = quote_command(f"topics {described}", store.location)
        score = quote_command("score", store.location)
        hint = f"describe the topics with {topics}, " if sources.topics is None else ""
        hint += f"score citations with {score}, " if "importance" in missing else ""
        raise ConfigError(f"no values for the overlay {', '.join(missing)}; {hint}or omit it")
    record = _record(config, sources, papers)

    def fill(directory: RunDirectory) -> dict[str, Any]:
        with clock.timed("place"):
            known = _find_places(runs, record, sources)
            places = known or place(sources.space, config.layout, progress=progress)
            topics = _place_topics(sources, config)
        facts = Facts(
            level=sources.level,
            source=sources.source,
            weight=papers.weight,
            papers=places.placing,
            topics=topics.placing,
            run=record.id,
            without_field=sources.topics.counts["without_field"] if sources.topics else 0,
        )
        atlas = build_atlas(
            (places, topics),
            sources.members,
            papers,
            described=sources.described,
            facts=facts,
            levels=sources.others,
        )
        with clock.timed("draw"):
            overlays, left_out = _write(atlas, config, directory.path, progress=progress)
        return {
            "papers": len(atlas.papers),
            **sources.excluded,
            "topics": len(atlas.topics),
            "topics_placed": int(np.isfinite(atlas.topics["x"].to_numpy()).sum()),
            "papers_placed_by": _list_placing(places.placing),
            "topics_placed_by": _list_placing(topics.placing),
            "weight": papers.weight,
            "places_reused": known is not None,
            "lacking": unavailable,
            "overlays": overlays,
            "left_out": left_out,
        }

    return keep_run(MapRun, record, runs, fill, clock=clock)


def _record(config: MapConfig, sources: MapSources, papers: MapPapers) -> RunRecord:
    layout = asdict(config.layout)
    drawn = {"overlays": list(config.overlays), "size": asdict(config.picture)}
    settings = {"level": sources.level, **layout, **drawn}
    placed = {
        "of": sources.source,
        "nearest": sources.nearest,
        "ids": fingerprint_ids(sources.space.ids),
    }
    inputs = {
        "clustering": sources.clustering.run,
        "topics": sources.topics.run if sources.topics else "",
        "named_by": dict(sources.named_by),
        "source": sources.source,
        "nearest": sources.nearest,
        "layout": run_id("layout", {**layout, "revision": _LAYOUT}, placed),
        "drawing": _DRAWING,
        "papers": papers.fingerprint(),
        "weight": papers.weight,
    }
    return RunRecord.create(COMMAND, settings, inputs, seed=config.seed, libraries=_LIBRARIES)


def _find_places(runs: Path, record: RunRecord, sources: MapSources) -> Layout | None:
    """Reads places of the same papers from an earlier map with the same layout."""
    for earlier in list_kept(MapRun, runs):
        if earlier.record.inputs.get("layout") == record.inputs["layout"]:
            with suppress(SourceError):  # damaged: places are computed again
                positions = stack_places(earlier.read_papers())
                return Layout(sources.space.ids, positions, earlier.placing("papers"))
    return None


def _place_topics(sources: MapSources, config: MapConfig) -> Layout:
    members, names = sources.members, sources.described["name"].to_pylist()
    space = sources.space.group(members.ids, members.labels, names)
    if not len(space.ids):  # the vectors of each topic sum to zero
        return Layout(space.ids, np.empty((0, 2)), LayoutQuality(CLASSICAL, None))
    return place(space, replace(config.layout, min_dist=_TOPIC_DISTANCE))


def _list_placing(placing: LayoutQuality) -> dict[str, str | float | None]:
    """Figures of `MapRun.placing` for the record of the run."""
    kept = placing.kept
    return {
        "method": placing.method,
        "kept": round(kept.share, 4) if kept else None,
        "chance": round(kept.chance, 4) if kept else None,
    }


def _write(
    atlas: Atlas, config: MapConfig, folder: Path, *, progress: Progress
) -> tuple[list[str], dict[str, str]]:
    """Writes tables, pictures and page.

    Returns:
        Names of the drawn overlays; title -> reason of those that are left out.
    """
    names, labels = (atlas.topics[name].combine_chunks() for name in ("name", "label"))
    topics = atlas.papers["topic"].to_numpy()
    rows = pa.array(topics, mask=topics < 0)
    papers = atlas.papers.drop_columns(["title", "venue", "notice", "notice_year", "topic"])
    papers = papers.append_column("community", names.take(rows))
    papers = papers.append_column("label", labels.take(rows))
    first = ["id", "x", "y", "community", "label"]
    rest = [name for name in papers.column_names if name not in first]
    pq.write_table(papers.select([*first, *rest]), folder / PAPERS, compression="zstd")
    pq.write_table(atlas.topics, folder / TOPICS, compression="zstd")

    painted = {overlay.name: overlay for overlay in paint(atlas)}
    shallow = find_shallow(atlas, list(painted.values()))
    shown = [overlay for name, overlay in painted.items() if name not in shallow]
    left_out = {
        f"{overlay.title} of {overlay.overlay.points}": shallow[name]
        for name, overlay in painted.items()
        if name in shallow
    }
    drawn = list(config.overlays or (overlay.name for overlay in shown))
    for name in drawn:
        progress(f"drawing {painted[name].title}")
        figure = draw_map(atlas, painted[name], config.picture)
        for ending in ("png", "svg"):
            save(figure, folder / f"map-{name}.{ending}")
    progress("writing the page")
    order = order_papers(atlas)
    packed = pack_points(atlas, shown, left_out, order), pack_texts(atlas, order)
    for name, content in zip((POINTS, TEXTS), packed, strict=True):
        (folder / name).write_bytes(content)
    (folder / PAGE).write_text(build_page(*packed), encoding="utf-8")
    return drawn, left_out
