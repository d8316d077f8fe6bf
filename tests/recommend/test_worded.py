"""Papers and contexts by their words alone."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.types import Document
from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.profiling import ProfileConfig, make_profiles
from citescape.recommend.worded import WordedLibrary
from citescape.search.words import count_words
from tests.recommend.libraries import draw_library, make_library


def count(text: str) -> Counter[str]:
    words, counts = count_words([Document("", text)])
    return Counter(dict(zip(words, counts.toarray()[0].tolist(), strict=True)))


def test_words_and_contexts_are_those_of_profiles(tiny: Path, tmp_path: Path) -> None:
    library = make_library(*draw_library())
    worded = WordedLibrary.from_library(library)
    config = ProfileConfig(encoder=EmbedConfig(str(tiny), max_tokens=32))
    profiles = make_profiles(library, config, runs=tmp_path)
    assert [*worded.lexicon.words] == [*profiles.lexicon.words]
    assert (worded.lexicon.own != profiles.lexicon.own).nnz == 0
    assert (worded.lexicon.contexts != profiles.lexicon.contexts).nnz == 0
    assert worded.contexts.pairs.equals(
        profiles.contexts.pairs.select(worded.contexts.pairs.column_names)
    )
    assert worded.papers.equals(profiles.papers.select(worded.papers.column_names))
    rows = np.arange(len(worded.ids))
    assert (worded.find_citing(rows) == profiles.find_citing(rows)).all()
    assert (worded.latest == profiles.latest).all()
    assert (worded.index.profiled == profiles.index.profiled).all()


@given(st.integers(0, 99), st.text("abw heatrus", max_size=30))
def test_contexts_are_compared_by_the_cosine_of_their_words(seed: int, query: str) -> None:
    """x . y / (|x| |y|), with the counts x and y of words of the library; 0 without words."""
    worded = WordedLibrary.from_library(make_library(*draw_library(seed=seed)))
    query += f" {worded.texts[0]}" if seed % 2 else ""
    (vector,) = worded.count_words([query])
    found = worded.compare(np.arange(len(worded.texts)), vector)
    asked = Counter({word: n for word, n in count(query).items() if word in worded.lexicon.words})
    for text, cosine in zip(worded.texts, found.tolist(), strict=True):
        own = count(text)
        product = sum(n * asked[word] for word, n in own.items())
        lengths = [sqrt(sum(n * n for n in counts.values())) for counts in (own, asked)]
        expected = product / (lengths[0] * lengths[1]) if all(lengths) else 0
        assert cosine == pytest.approx(expected, abs=1e-6)
