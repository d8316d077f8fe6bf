"""What the report page says of mapping: networks beside the planted topics, and a map."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from citescape.demo.mapped import VECTORS
from citescape.networks.kinds import KINDS
from citescape.reports.template import Html, Page

if TYPE_CHECKING:
    from citescape.demo.mapped import Charted, RecoveredTopics


def show_mapping(page: Page, mapped: RecoveredTopics | None, checks: Html, *, folder: Path) -> Html:
    """Networks, their agreement with the topics, and a map; nothing where none were made.

    Args:
        page: the template.
        mapped: what is shown.
        checks: rows of what must hold.
        folder: that the report is in: links are relative to it.
    """
    if mapped is None:
        return Html()
    values = {
        "topics": mapped.topics,
        "seeds": len(mapped.networks[0].agreement),
        "networks": page.rows("network", _network_rows(mapped)),
        "picture": _show_chart(page, mapped.chart, folder),
        "checks": checks,
    }
    return page.rows("mapping", [values])


def _network_rows(mapped: RecoveredTopics) -> Iterator[Mapping[str, object]]:
    for network in mapped.networks:
        yield {
            "kind": network.kind,
            "meaning": KINDS[network.kind].meaning,
            "edges": f"{network.edges:,}",
            "agreement": f"{network.mean:.3f} ± {network.deviation:.3f}",
        }


def _show_chart(page: Page, chart: Charted | None, folder: Path) -> Html:
    if chart is None:
        return Html()
    image = b64encode(chart.picture.read_bytes()).decode("ascii")
    values = {
        "kind": chart.kind,
        "placed": "their vectors" if chart.kind == VECTORS else "the edges of the network",
        "link": quote(Path(relpath(chart.page, folder)).as_posix()),
        "image": f"data:image/png;base64,{image}",
        "labels": ", ".join(chart.labels),
    }
    return page.rows("atlas", [values])
