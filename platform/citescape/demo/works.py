"""The works of the generated world: titles, by-lines, identifiers, layout of full texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from citescape.demo.citations import (
    DISCUSSION,
    INTRODUCTION,
    METHOD,
    OTHER,
    RESULTS,
    SECTIONS,
    Catalogue,
)
from citescape.demo.people import Society
from citescape.demo.text import Voice, write_title

Layout = Literal["plain", "combined", "methods-last", "lead", "review", "letter"]
"""Sections of a full text: I M R D; I M R&D; I R D M; I without a heading; I in two sections;
no headings at all, so that every citation is in section type `other`."""
LAYOUTS: dict[Layout, float] = {
    "plain": 0.43,
    "combined": 0.15,
    "methods-last": 0.15,
    "lead": 0.1,
    "review": 0.15,
    "letter": 0.02,
}
"""Share of each layout."""
PRINTED: dict[Layout, tuple[int, ...]] = {
    **dict.fromkeys(LAYOUTS, (INTRODUCTION, METHOD, RESULTS, DISCUSSION, OTHER)),
    "combined": (INTRODUCTION, METHOD, RESULTS, RESULTS, OTHER),
    "letter": (OTHER,) * len(SECTIONS),
}
"""Section in which a layout prints mentions of role I, M, R, D, other."""

_BOOKS = 0.06
_GUESTS = 0.12
"""Share of works with an author from another group of the field."""
_GROUP_SIGNED = 0.02


@dataclass(frozen=True)
class GeneratedWork:
    """A paper of the corpus, or a work that is only cited. Indices point into the world."""

    index: int
    title: str
    book: bool
    year: int
    topic: int
    field: int
    venue: int
    authors: tuple[int, ...]
    group: str
    """Group author, beside persons or (without full text) alone; often empty."""
    doi: str | None
    pmid: str | None
    pmcid: str | None
    foundational: bool
    facets: tuple[int, ...]
    layout: Layout | None
    """Layout of the full text; None for a work without full text."""


def make_works(
    catalogue: Catalogue, layouts: list[Layout], society: Society, *, rng: np.random.Generator
) -> tuple[GeneratedWork, ...]:
    """All works of the catalogue; `layouts` has one entry per paper of the corpus."""
    taken: set[str] = set()
    works = []
    for index in range(len(catalogue.topic)):
        layout = layouts[index] if index < catalogue.papers else None
        work = _make_work(catalogue, index, layout, society=society, rng=rng)
        voice = Voice(society.vocabulary, work.topic, work.venue, work.facets)
        title = write_title(voice, taken, rng, book=work.book)
        taken.add(title.casefold())
        works.append(replace(work, title=title))
    return tuple(works)


def _make_work(
    catalogue: Catalogue,
    index: int,
    layout: Layout | None,
    *,
    society: Society,
    rng: np.random.Generator,
) -> GeneratedWork:
    """One work, without its title."""
    year = int(catalogue.year[index])
    book = layout is None and bool(rng.random() < _BOOKS)
    groups = society.vocabulary.groups
    group = groups[rng.integers(len(groups))] if rng.random() < _GROUP_SIGNED else ""
    # DOI and PMID from blocks that real works do not use: prefix 10.5555, from 90,000,000
    has_doi, has_pmid = rng.random(2) < ((1.0, 0.6) if layout else (0.8, 0.5))
    return GeneratedWork(
        index=index,
        title="",
        book=book,
        year=year,
        topic=int(catalogue.topic[index]),
        field=int(catalogue.field[index]),
        venue=int(catalogue.venue[index]),
        authors=() if group and layout is None else _authors(society, catalogue.lab[index], rng),
        group=group,
        doi=f"10.5555/demo.{year}.{index:05d}" if has_doi and not book else None,
        pmid=str(90_000_000 + index) if has_pmid and not book else None,
        pmcid=f"PMC{99_000_000 + index}" if layout else None,
        foundational=bool(catalogue.foundational[index]),
        facets=tuple(catalogue.facets[index].tolist()),
        layout=layout,
    )


def _authors(society: Society, lab: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Two to six members, senior members more often, and sometimes a guest."""
    home = society.labs[lab]
    weight = 1.0 / (np.arange(len(home.members)) + 1)
    count = min(len(home.members), int(rng.integers(2, 7)))
    chosen = rng.choice(home.members, count, replace=False, p=weight / weight.sum()).tolist()
    if rng.random() < _GUESTS:
        host = society.neighbour(int(lab), rng)
        chosen.append(host.members[rng.integers(len(host.members))])
    return tuple(chosen)
