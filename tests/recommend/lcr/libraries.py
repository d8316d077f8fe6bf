"""A small library whose contexts name the use of the cited works."""

from __future__ import annotations

import pyarrow as pa

from citescape.recommend.contexts import Contexts
from citescape.recommend.library import Library

USES = ("alignment", "clustering", "parsing", "segmentation", "translation", "retrieval")


def make_library(papers: int = 24) -> Library:
    """Works w00 to w05 of 2010, one for each of `USES`; papers of 2016 to 2019 that cite them.

    The title of a work does not name its use; citing sentences do.
    """
    works = [(f"w{k:02}", f"Notes of the {k} workshop", "2010") for k in range(len(USES))]
    citing_papers = [
        (f"q{k:02}", f"Experiments of group {k}", f"{2016 + k % 4}-0{1 + k % 9}")
        for k in range(papers)
    ]
    papers_with_dates = sorted([*works, *citing_papers])
    names = ("id", "title", "date")
    table = {
        name: pa.array(column, pa.string())
        for name, column in zip(names, zip(*papers_with_dates, strict=True), strict=True)
    }
    table["abstract"] = pa.array([""] * len(papers_with_dates), pa.string())
    pairs = [
        (f"q{k:02}#{place}", f"q{k:02}", f"w{use:02}", f"We rely on {USES[use]} [TARGETCIT] here.")
        for k in range(papers)
        for place, use in enumerate(((k % 6), ((k + 1 + k // 6) % 6)))
    ]
    columns = zip(*pairs, strict=True)
    keys = ("context", "citing", "cited", "text")
    named = zip(keys, columns, strict=True)
    contexts = pa.table({key: pa.array(column, pa.string()) for key, column in named})
    ordered = pa.table({name: table[name] for name in ("id", "title", "abstract", "date")})
    return Library(ordered, Contexts(contexts))
