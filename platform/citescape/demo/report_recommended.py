"""What the report page says of recommending citations: profiles beside own texts and controls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from citescape.demo.learning_picture import draw_learning
from citescape.demo.recommended import LEAKED, PLANTED, RELINKED, SHUFFLED
from citescape.recommend.lcr.measure import ALL, COLD, WARM
from citescape.recommend.retriever import SYSTEMS
from citescape.reports.template import Html, Page

if TYPE_CHECKING:
    from citescape.demo.recommended import Recommended


_PICTURED = ((PLANTED, WARM), (PLANTED, COLD), (SHUFFLED, WARM), (RELINKED, WARM))
_COLUMNS = {
    "known": (PLANTED, WARM),
    "new": (PLANTED, COLD),
    "all": (PLANTED, ALL),
    "leaked": (LEAKED, ALL),
}


def show_recommended(page: Page, made: Recommended | None, checks: Html) -> Html:
    """Systems, with and without what was planted; nothing where nothing was asked."""
    if made is None:
        return Html()
    title = "Ways to find what a sentence cites beside each other"
    values = {
        "seeds": made.seeds,
        "picture": draw_learning(
            [made.found[key] for key in _PICTURED], name="recommended", title=title
        ),
        "systems": page.rows("system", _system_rows(made)),
        "checks": checks,
        "remarks": page.rows("remark", ({"text": text} for text in made.remarks)),
    }
    return page.rows("recommended", [values])


def _system_rows(made: Recommended) -> Iterator[Mapping[str, object]]:
    for system, (_, what) in SYSTEMS.items():
        columns = {name: made.found[key] for name, key in _COLUMNS.items()}
        figures = {
            name: f"{one.mean(system):.3f} ± {one.deviation(system):.3f}"
            for name, one in columns.items()
        }
        yield {"name": system, "what": what, **figures}
