"""Files of maps: which there are, and what a browser draws them from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from citescape.mapping.maps.map_run import POINTS, TEXTS, MapRun
from citescape.runs.kept import list_kept


def map_routes(runs: Path) -> list[Route]:
    """Addresses of the maps that `platform map` has stored.

    `/api/map/runs` lists them, the latest first. `/api/map/points` and `/api/map/texts` are the
    files of one of them, `?run=ID`, by default of the latest; empty without a map.

    Args:
        runs: folder of run directories.
    """

    def list_runs(_: Request) -> Response:
        return JSONResponse([_describe(run) for run in _list_maps(runs)])

    return [
        Route("/api/map/runs", list_runs),
        Route("/api/map/points", _sender(runs, POINTS)),
        Route("/api/map/texts", _sender(runs, TEXTS)),
    ]


def _list_maps(runs: Path) -> list[MapRun]:
    return list(reversed(list_kept(MapRun, runs)))


def _describe(run: MapRun) -> dict[str, Any]:
    """Figures of a map; `drawn` is false for maps of versions without the files of a page."""
    return {
        "run": run.run,
        "level": run.level,
        "papers": run.counts["papers"],
        "topics": run.counts["topics"],
        "started": run.record.started,
        "drawn": (run.path / POINTS).is_file() and (run.path / TEXTS).is_file(),
    }


def _sender(runs: Path, name: str) -> Callable[[Request], Response]:
    def send(request: Request) -> Response:
        named = request.query_params.get("run", "")
        for run in _list_maps(runs):
            path = run.path / name
            if run.run == (named or run.run) and path.is_file():
                return FileResponse(path, media_type="application/octet-stream")
        if not named:
            return Response(status_code=204)  # the page names the commands that draw a map
        return JSONResponse({"error": f"no map {named!r}; draw one with `platform map`"}, 404)

    return send
