"""Small libraries, and a reference implementation of profiles in plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.recommend.contexts import COLUMNS, TEXT, Contexts
from citescape.recommend.library import PAPER_COLUMNS, Library
from tests.training.conftest import WORDS

Pair = tuple[str, str, str, str]
"""Context, citing, cited, text."""
Paper = tuple[str, str, str, str]
"""Id, title, abstract, date."""
Vector = npt.NDArray[np.float64]


def make_contexts(pairs: Iterable[Pair]) -> Contexts:
    """Contexts of pairs, in this order."""
    columns = list(zip(*pairs, strict=True)) or [()] * 4
    names = [*COLUMNS, TEXT]
    return Contexts(pa.table([pa.array(column, pa.string()) for column in columns], names))


def make_library(papers: Iterable[Paper], pairs: Iterable[Pair]) -> Library:
    """Library of papers and pairs."""
    columns = list(zip(*sorted(papers), strict=True))
    arrays = [pa.array(column, pa.string()) for column in columns]
    return Library(pa.table(arrays, list(PAPER_COLUMNS)), make_contexts(pairs))


def draw_library(
    size: int = 12, contexts: int = 30, *, seed: int = 0
) -> tuple[list[Paper], list[Pair]]:
    """Papers with random words, and contexts that cite one or two works.

    Every seventh context has no words.
    """
    chance, words = np.random.default_rng(seed), list(chain(*WORDS))
    papers = [
        (f"p{number:02d}", *(" ".join(chance.choice(words, length)) for length in (3, 6)), "")
        for number in range(size)
    ]
    papers[0] = ("p00", "", "", "")
    pairs = []
    for number in range(contexts):
        citing, *cited = (f"p{k:02d}" for k in chance.choice(size, 3, replace=False))
        words_of_context = "" if number % 7 == 6 else f" {' '.join(chance.choice(words, 5))}"
        pairs.append((f"c{number:02d}", citing, cited[0], f"TARGETCIT{words_of_context}"))
        if number % 3 == 0:
            pairs[-1] = (*pairs[-1][:3], f"TARGETCIT OTHERCIT{words_of_context}")
            pairs.append(
                (f"c{number:02d}", citing, cited[1], f"OTHERCIT TARGETCIT{words_of_context}")
            )
    return papers, pairs


def define_profile(
    paper: str,
    base: Mapping[str, Vector],
    context_vectors: Mapping[str, Vector],
    *,
    pairs: Iterable[Pair],
    alpha: float = 0.8,
    beta: float = 0.2,
    several: str = "mean",
) -> Vector:
    """v_i + 1 / |N_in| sum over citing papers j of (alpha v_context(j, i) + beta v_j), Eq. 3.

    Args:
        paper: i.
        base: v of papers.
        context_vectors: v of contexts that have words.
        pairs: context, citing paper, cited paper and text.
        alpha, beta: weights.
        several: how several contexts of one citing paper are combined.
    """
    cited_in: dict[str, set[str]] = {}
    for context, citing, cited, _ in pairs:
        if cited == paper:
            cited_in.setdefault(citing, set()).add(context)
    total = np.zeros_like(base[paper], np.float64)
    for citing, contexts in cited_in.items():
        own = [
            context_vectors[context] for context in sorted(contexts) if context in context_vectors
        ]
        if several == "first":
            own = own[:1]
        joined = np.sum(own, axis=0) if own else np.zeros_like(total)
        if several == "mean" and own:
            joined = joined / len(own)
        total += alpha * joined + beta * base[citing]
    return base[paper] + total / max(len(cited_in), 1)
