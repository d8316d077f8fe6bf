"""Abstracts with planted facets, and stores that hold papers with given abstracts."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pyarrow as pa

from citescape.core.types import FACETS
from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE
from citescape.text.abstracts.abstract import MainAbstract
from citescape.text.abstracts.gold import GoldAbstract

HEADINGS = ("Background", "Methods", "Results")
_WORDS = {
    "background": ("known", "crop", "worldwide", "important", "unclear"),
    "method": ("sowed", "measured", "sampled", "plots", "sequenced"),
    "result": ("rose", "significantly", "suggest", "higher", "conclude"),
}
_COMMON = ("rice", "millet", "yield", "roots", "soil", "water", "leaves", "drought")


def draw_sentences(chance: random.Random, *, longest: int = 3) -> list[tuple[str, str]]:
    """One to `longest` sentences of each facet, each marked by one of its words."""
    return [
        (facet, _sentence(chance, facet))
        for facet in FACETS
        for _ in range(chance.randint(1, longest))
    ]


def _sentence(chance: random.Random, facet: str) -> str:
    words = [*chance.sample(_WORDS[facet], 2), *chance.choices(_COMMON, k=2)]
    chance.shuffle(words)
    return " ".join(words).capitalize() + "."


def structured(number: int, seed: int = 0) -> MainAbstract:
    """A structured abstract of three headed parts."""
    chance = random.Random(f"{seed} {number}")
    sentences = draw_sentences(chance)
    parts = tuple(" ".join(s for f, s in sentences if f == facet) for facet in FACETS)
    return MainAbstract(f"doi:10.1/{number:03}", " ".join(parts), HEADINGS, parts)


def unstructured(number: int, seed: int = 0) -> MainAbstract:
    """The same abstract without headings."""
    abstract = structured(number, seed)
    return MainAbstract(abstract.id, abstract.text)


def gold(papers: int, seed: int = 0) -> list[GoldAbstract]:
    """Sentences of structured abstracts with their facets."""
    chance = random.Random(seed)
    abstracts = [draw_sentences(chance) for _ in range(papers)]
    return [
        GoldAbstract(f"p{k:03}", tuple(s for _, s in abstract), tuple(f for f, _ in abstract))
        for k, abstract in enumerate(abstracts)
    ]


def fill(store: GraphStore, abstracts: Iterable[MainAbstract | str]) -> GraphStore:
    """Loads full texts with these abstracts; a string is the id of a paper without an abstract."""
    rows = [
        {"id": abstract}
        if isinstance(abstract, str)
        else {
            "id": abstract.id,
            "abstract": abstract.text,
            "abstract_labels": list(abstract.labels),
            "abstract_parts": list(abstract.parts),
        }
        for abstract in abstracts
    ]
    schema = TABLE["Paper"].arrow
    columns = {
        name: pa.array([row.get(name) for row in rows], schema.field(name).type)
        for name in schema.names
    }
    table = pa.table(columns)
    full = table.set_column(
        table.schema.get_field_index("fulltext"), "fulltext", pa.array([True] * len(rows))
    )
    store.apply([Change("insert", "Paper", full)])
    return store
