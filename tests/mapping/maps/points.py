"""Papers in clusters of vectors, and atlases of such papers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from citescape.mapping.communities.clustering import Clustering, order_labels
from citescape.mapping.communities.topic_papers import IMPORTANCE
from citescape.mapping.maps.atlas import Atlas, Facts, MapPapers, build_atlas
from citescape.mapping.maps.layout import Layout
from citescape.mapping.maps.placing import LayoutQuality, NeighbourShare
from citescape.search.vectors import Vectors

PLACED = (
    LayoutQuality("UMAP of 15 neighbours", NeighbourShare(0.4, 0.02)),
    LayoutQuality("classical scaling", None),
)
FACTS = Facts("micro", "embed-1", IMPORTANCE, *PLACED, "map-1")
FIELDS = ("Soil", "Law", "Soil", None)
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"quotes\" and 'more' & <b>",
    "\u202eright to left\u202c العربية",
    "😀 rice \u2028 line \x00 null",
    "$title ${data} $$",
    "-->]]>{{ }}",
]
"""Titles that a page must show as they are."""


def name_papers(count: int) -> pa.StringArray:
    return pa.array([f"doi:10.1/{k:06d}" for k in range(count)], pa.string())


def make_vectors(values: np.ndarray) -> Vectors:
    return Vectors(pa.table({"id": name_papers(len(values))}), values.astype(np.float32))


def make_clustered_vectors(
    papers: int, *, groups: int = 8, dimensions: int = 24, seed: int = 0
) -> Vectors:
    """Vectors around `groups` centres in turn, with noise in all dimensions."""
    chance = np.random.default_rng(seed)
    centres = 2 * chance.normal(size=(groups, dimensions))
    noise = chance.normal(size=(papers, dimensions))
    return make_vectors(centres[np.arange(papers) % groups] + noise)


def make_papers(count: int, titles: Sequence[str] = ()) -> MapPapers:
    """Paper k has the year 2000 + k % 20 and receives an importance of k / 4.

    Every seventh paper has no year, every hundredth from the fifth is retracted in 2017.
    """
    ids = name_papers(count)
    years = 2000.0 + np.arange(count) % 20
    years[::7] = np.nan
    named = [titles[k % len(titles)] if titles else f"Paper {k}" for k in range(count)]
    columns = {
        "id": ids,
        "title": pa.array(named, pa.string()),
        "venue": pa.array([f"Journal {k % 3}" for k in range(count)], pa.string()),
        "notice": pa.array(["retracted" if k % 100 == 5 else "" for k in range(count)]),
        "notice_year": np.where(np.arange(count) % 100 == 5, 2017.0, np.nan),
        "year": years,
        "cites": np.zeros(count, np.int64),
        "cited": (np.arange(count) > 0).astype(np.int64),
        "received": np.arange(count) / 4,
    }
    return MapPapers(pa.table(columns), IMPORTANCE)


def describe(members: Clustering, labels: Sequence[str | None] = ()) -> pa.Table:
    """Topics in the format of `platform topics`."""
    count = len(members)
    given = list(labels) or [f"topic {k}" for k in range(count)]
    return pa.table(
        {
            "name": [f"micro-{k}" for k in range(count)],
            "label": pa.array(given, pa.string()),
            "size": members.sizes,
            "field": pa.array([FIELDS[k % len(FIELDS)] for k in range(count)], pa.string()),
            "diversity": np.linspace(0, 0.3, count),
            "mean_year": 2000 + np.linspace(0, 18, count),
            "importance": np.geomspace(1, 300, count),
            "terms": pa.array([["rice", "yield"]] * count, pa.list_(pa.string())),
        }
    )


def make_atlas(
    papers: int = 300,
    topics: int = 12,
    *,
    labels: Sequence[str | None] = (),
    titles: Sequence[str] = (),
    seed: int = 0,
) -> Atlas:
    """Topics of decreasing sizes, each a group of papers on the plane."""
    chance = np.random.default_rng(seed)
    shares = 1 / np.arange(1, topics + 1)
    own = np.sort(chance.choice(topics, papers, p=shares / shares.sum()))
    own[:topics] = np.arange(topics)
    middles = chance.normal(scale=6, size=(topics, 2))
    ids = name_papers(papers)
    members = order_labels(ids, own)
    places = middles[own] + chance.normal(size=(papers, 2))
    described = describe(members, labels)
    names = pa.array(sorted(described["name"].to_pylist()), pa.string())
    spots = chance.normal(scale=3, size=(len(names), 2))
    layouts = (Layout(ids, places, PLACED[0]), Layout(names, spots, PLACED[1]))
    return build_atlas(
        layouts, members, make_papers(papers, titles), described=described, facts=FACTS
    )
