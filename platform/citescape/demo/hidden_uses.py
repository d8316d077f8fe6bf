"""A generated literature in which only citing sentences name the use of a work, and its controls.

A title names the topic of a work: a factor and an outcome. Its use, a mechanism or a method of the
topic, is named only in the sentences that cite it. A query sentence therefore matches a work
through earlier citing sentences, and through the title only by topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.demo.citations import Ints
from citescape.demo.planted import paper_ids
from citescape.demo.text import capitalise
from citescape.demo.vocabulary import Topic, read_vocabulary
from citescape.recommend.contexts import COLUMNS, TEXT, Contexts
from citescape.recommend.library import PAPER_COLUMNS, Library

KNOWN, NEW, TRAINING, QUERY = "known", "new", "teaching", "asking"
_GROUPS = {KNOWN: (11, "2010"), TRAINING: (5, "2017"), NEW: (4, "2018"), QUERY: (6, "2019")}
"""Group -> its number of papers in each topic, and their date. New works appear after the training
papers, which therefore cannot cite them."""
_REFERENCES = {TRAINING: 9, QUERY: 8}
_WITHIN = 0.8
"""Share of citations within the topic."""


@dataclass(frozen=True)
class _Paper:
    title: str
    topic: int
    group: str
    use: str


@dataclass(frozen=True, eq=False)
class HiddenUses:
    """A generated literature with the use of each work."""

    library: Library
    """All papers; contexts of the training papers, which cite known works."""
    queries: Contexts
    """Contexts of the query papers, which cite known and new works."""
    uses: Mapping[str, str]
    """Id of a work -> its use."""


def generate_hidden_uses(seed: int) -> HiddenUses:
    """Generates a literature of twelve topics, the same for the same seed."""
    rng = np.random.default_rng([seed, 41])
    topics = read_vocabulary().topics
    written = [paper for k, topic in enumerate(topics) for paper in _write(k, topic, rng)]
    papers = [written[row] for row in rng.permutation(len(written)).tolist()]
    ids = paper_ids(len(papers))
    rows = [(paper.title, "", _GROUPS[paper.group][1]) for paper in papers]
    columns = (pa.array(column, pa.string()) for column in zip(*rows, strict=True))
    table = pa.table([ids, *columns], list(PAPER_COLUMNS))
    training = _cite(papers, TRAINING, (KNOWN,), rng=rng)
    queries = _cite(papers, QUERY, (KNOWN, NEW), rng=rng)
    uses = {id_: paper.use for id_, paper in zip(ids.to_pylist(), papers, strict=True) if paper.use}
    return HiddenUses(Library(table, training), queries, uses)


def shuffle_words(contexts: Contexts, *, seed: int) -> Contexts:
    """Control: the same citations, their sentences permuted at random."""
    return _permute(contexts, TEXT, seed)


def relink(contexts: Contexts, *, seed: int) -> Contexts:
    """Control: the same sentences of the same papers, their cited works permuted at random.

    The number of sentences that cite a work does not change.
    """
    return _permute(contexts, "cited", seed)


def _permute(contexts: Contexts, column: str, seed: int) -> Contexts:
    pairs = contexts.pairs
    order = np.random.default_rng([seed, 43]).permutation(pairs.num_rows)
    place = pairs.column_names.index(column)
    return Contexts(pairs.set_column(place, column, pairs[column].take(pa.array(order))))


def _write(number: int, topic: Topic, rng: np.random.Generator) -> Iterator[_Paper]:
    """Papers of one topic; no two have the same title."""
    phrases = topic.phrases
    subjects = [(factor, outcome) for factor in phrases["factor"] for outcome in phrases["outcome"]]
    uses = [*phrases["mechanism"], *phrases["method"]]
    groups = [group for group, (count, _) in _GROUPS.items() for _ in range(count)]
    for group, place in zip(groups, rng.permutation(len(subjects)).tolist(), strict=False):
        use = uses[int(rng.integers(len(uses)))] if group in (KNOWN, NEW) else ""
        yield _Paper(capitalise(" and ".join(subjects[place])), number, group, use)


def _cite(
    papers: list[_Paper], group: str, cited: tuple[str, ...], *, rng: np.random.Generator
) -> Contexts:
    """One sentence per citation by the papers of a group."""
    templates, ids = read_vocabulary().phrases[f"uses.{group}"], paper_ids(len(papers)).to_pylist()
    topic = np.array([paper.topic for paper in papers])
    works = np.flatnonzero([paper.group in cited for paper in papers])
    rows: list[tuple[str, ...]] = []
    for citing in np.flatnonzero([paper.group == group for paper in papers]).tolist():
        for work in _choose(works, topic[works] == topic[citing], _REFERENCES[group], rng=rng):
            use, template = papers[work].use, templates[int(rng.integers(len(templates)))]
            text = template.format(use=use, Use=capitalise(use))
            rows.append((f"{group}-{len(rows):04d}", ids[citing], ids[work], text))
    columns = (pa.array(column, pa.string()) for column in zip(*rows, strict=True))
    return Contexts(pa.table(list(columns), [*COLUMNS, TEXT]))


def _choose(works: Ints, own: Ints, count: int, *, rng: np.random.Generator) -> list[int]:
    """Draws distinct works, most of them of the paper's own topic."""
    within = int(rng.binomial(count, _WITHIN))
    near, far = rng.permutation(works[own])[:within], rng.permutation(works[~own])
    chosen: list[int] = np.concatenate([near, far[: count - len(near)]]).tolist()
    return chosen
