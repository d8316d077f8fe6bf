"""What the report page says of learning: an encoder of the corpus, and the planted proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from citescape.demo.learning_picture import draw_learning
from citescape.demo.proof import Comparison, Proof
from citescape.reports.template import Html, Page

if TYPE_CHECKING:
    from citescape.demo.learn import Learned


def show_learned(page: Page, learned: Learned | None) -> Html:
    """What was sampled, trained and found near one paper; nothing where nothing was learned."""
    if learned is None:
        return Html()
    figures = learned.sampled.files["triplets.parquet"]
    rows = (
        {
            "similarity": f"{paper.similarity:.3f}",
            "title": paper.title,
            "year": paper.year or "",
            "cited": "cited" if paper.cites else "",
        }
        for paper in learned.example.papers
    )
    values = {
        "triplets": f"{figures['triplets']:,}",
        "papers": f"{learned.papers:,}",
        "base": learned.base,
        "before": f"{learned.trained.before['accuracy']:.1%}",
        "after": f"{learned.trained.after['accuracy']:.1%}",
        "paper": learned.example.paper.title,
        "nearest": page.rows("near", rows),
    }
    return page.rows("nearest", [values])


def show_proof(page: Page, proof: Proof | None, checks: Html) -> Html:
    """Ways to learn beside each other; nothing where none were compared."""
    if proof is None:
        return Html()
    values = {
        "seeds": len(next(iter(proof.comparisons[0].values.values()))),
        "picture": draw_learning(proof.comparisons),
        "ways": page.rows("way", _way_rows(proof.comparisons)),
        "checks": checks,
        "remarks": page.rows("remark", ({"text": text} for text in proof.remarks)),
    }
    return page.rows("learning", [values])


def _way_rows(comparisons: Iterable[Comparison]) -> Iterable[Mapping[str, object]]:
    for comparison in comparisons:
        for way in comparison.values:
            yield {
                "figure": comparison.figure,
                "way": way,
                "mean": f"{comparison.mean(way):.3f}",
                "deviation": f"{comparison.deviation(way):.3f}",
            }
