"""Citing papers and contexts of each paper, compared with Python sets."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from citescape.recommend.neighbourhoods import InwardNeighbourhoods
from citescape.search.ranker import NONE
from tests.recommend.libraries import Pair, make_contexts

PAPERS, TEXTS = ["a", "b", "c", "d"], ["1", "2", "3"]
PAIRS = st.lists(
    st.tuples(
        st.sampled_from([*TEXTS, "wordless", "mute"]),
        *[st.sampled_from([*PAPERS, "strange"])] * 2,
        st.just(""),
    )
)


def find(pairs: list[Pair]) -> InwardNeighbourhoods:
    ids = (pa.array(named, pa.string()) for named in (PAPERS, TEXTS))
    return InwardNeighbourhoods.from_contexts(make_contexts(pairs), *ids)


@given(PAIRS)
def test_neighbourhoods_are_sets_of_citing_papers_and_contexts(pairs: list[Pair]) -> None:
    """Pairs with papers outside the library are ignored."""
    found = find(pairs)
    assert len(found) == len(PAPERS)
    for row, paper in enumerate(PAPERS):
        part = slice(found.indptr[row], found.indptr[row + 1])
        edges = list(zip(found.citing[part].tolist(), found.contexts[part].tolist(), strict=True))
        wanted = {
            (PAPERS.index(citing), TEXTS.index(context) if context in TEXTS else NONE)
            for context, citing, cited, _ in pairs
            if cited == paper and citing in PAPERS
        }
        assert edges == sorted(wanted)
        citing = {
            paper_id for _, paper_id, cited, _ in pairs if cited == paper and paper_id in PAPERS
        }
        assert found.count_citing()[row] == len(citing)
        assert found.profiled[row] == bool(citing)


def test_a_library_without_citations() -> None:
    found = find([])
    assert found.indptr.tolist() == [0] * 5
    assert not found.profiled.any()
    assert found.count_citing().tolist() == [0] * 4
    assert found.count_citing().dtype == np.int64
