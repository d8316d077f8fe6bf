"""Word counts, compared with plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.recommend.lexicon import Lexicon, WordWeights
from citescape.recommend.neighbourhoods import InwardNeighbourhoods
from tests.recommend.libraries import make_contexts
from tests.training.conftest import WORDS

TEXT = st.lists(st.sampled_from(WORDS[0][:6]), max_size=6).map(" ".join)
DOCUMENTS = st.lists(st.builds(Document, TEXT, TEXT), min_size=3, max_size=3)
PAPERS, CONTEXTS = ["a", "b", "c"], ["1", "2"]
ENDS = st.tuples(st.sampled_from([*CONTEXTS, "wordless"]), *[st.sampled_from(PAPERS)] * 2)


def count(*texts: str) -> Counter[str]:
    return Counter(" ".join(texts).split())


def make_lexicon(
    documents: list[Document], context_texts: list[str], ends: list[tuple[str, str, str]]
) -> Lexicon:
    contexts = make_contexts([(*end, "") for end in ends])
    ids = (pa.array(named, pa.string()) for named in (PAPERS, CONTEXTS))
    return Lexicon.from_texts(
        documents, context_texts, InwardNeighbourhoods.from_contexts(contexts, *ids)
    )


@given(DOCUMENTS, st.tuples(TEXT, TEXT).map(list), st.lists(ENDS, max_size=8))
def test_words_of_papers_and_of_their_citing_contexts(
    documents: list[Document], context_texts: list[str], ends: list[tuple[str, str, str]]
) -> None:
    """A context counts once for each pair of a citing paper and a cited work."""
    lexicon = make_lexicon(documents, context_texts, ends)
    assert list(lexicon.words) == sorted(
        count(*context_texts, *(f"{d.title} {d.abstract}" for d in documents))
    )
    for row, (paper, document) in enumerate(zip(PAPERS, documents, strict=True)):
        own = count(document.title, document.abstract)
        where = {(citing, context) for context, citing, cited in ends if cited == paper}
        others = [
            context_texts[CONTEXTS.index(context_id)]
            for _, context_id in where
            if context_id in CONTEXTS
        ]
        for counts, wanted in (
            (lexicon.own, own),
            (lexicon.contexts, count(*others)),
            (lexicon.profiles, own + count(*others)),
        ):
            assert counts[[row]].toarray()[0].tolist() == [wanted[word] for word in lexicon.words]


@given(
    DOCUMENTS, st.tuples(TEXT, TEXT, TEXT).map(list), st.tuples(*[st.floats(0, 1, width=32)] * 3)
)
def test_query_words_are_weighted_by_context_title_and_abstract(
    documents: list[Document], context_texts: list[str], weights: tuple[float, float, float]
) -> None:
    lexicon = make_lexicon(
        [Document("wheat"), Document("", "rust barley"), Document("")], ["", ""], []
    )
    assert lexicon.words == ["barley", "rust", "wheat"]  # all other words are unknown
    queries = lexicon.weigh_queries(context_texts, documents, WordWeights(*weights))
    for row, (context, document) in enumerate(zip(context_texts, documents, strict=True)):
        counts = [count(text) for text in (context, document.title, document.abstract)]
        wanted = [
            sum(weight * counter[word] for weight, counter in zip(weights, counts, strict=True))
            for word in lexicon.words
        ]
        assert queries[[row]].toarray()[0] == pytest.approx(wanted, rel=1e-6)


def test_context_has_the_largest_default_weight() -> None:
    lexicon = make_lexicon([Document("wheat rust barley")] * 3, ["", ""], [])
    query_weights = lexicon.weigh_queries(["wheat wheat"], [Document("rust", "barley")]).toarray()[
        0
    ]
    assert dict(zip(lexicon.words, query_weights, strict=True)) == pytest.approx(
        {"wheat": 2 * 1.0, "rust": 0.3, "barley": 0.1}
    )


def test_texts_without_words() -> None:
    empty = make_lexicon([Document("")] * 3, ["", ""], [])
    assert empty.profiles.shape == (3, 0)
    assert empty.weigh_queries(["wheat", ""], [Document("rust")] * 2).shape == (2, 0)
    some = make_lexicon([Document("wheat")] * 3, ["", ""], [])
    assert not some.weigh_queries(["", "the rust"], [Document("")] * 2).toarray().any()
    assert some.count_words([]).shape == (0, 1)
    assert np.array_equal(some.contexts.toarray(), np.zeros((3, 1)))


@pytest.mark.parametrize("weight", [-0.1, 1.5, float("nan")])
def test_weights_out_of_range_are_refused(weight: float) -> None:
    with pytest.raises(ConfigError, match=r"words of the title is .*; expected 0 to 1"):
        WordWeights(title=weight)
