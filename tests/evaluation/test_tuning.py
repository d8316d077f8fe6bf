from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.evaluation.tuning import Grid, tune_bm25
from citescape.search.bm25 import Bm25

WORDS = Bm25(csr_array(np.eye(2, dtype=np.float32)))


@given(st.lists(st.integers(0, 3), min_size=9, max_size=9), st.permutations([0.5, 1.0, 2.0]))
def test_the_lowest_of_equally_good_settings_wins(figures: list[int], k1: list[float]) -> None:
    settings = [(saturation, b) for saturation in (0.5, 1.0, 2.0) for b in (0.0, 0.5, 1.0)]
    known = dict(zip(settings, figures, strict=True))
    grid = Grid(tuple(k1), (1.0, 0.0, 0.5))
    found = tune_bm25(WORDS, lambda ranker: known[ranker.k1, ranker.b], grid)
    best = [setting for setting in settings if known[setting] == max(figures)]
    assert (found.k1, found.b) == min(best)
    assert found.trials == tuple((*setting, known[setting]) for setting in settings)
    assert found.traits.trials == found.trials
    assert found.counts is WORDS.counts


def test_an_empty_grid_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"k1 is \(\) and b is \(0\.5,\)"):
        Grid((), (0.5,))
    with pytest.raises(ConfigError, match="expected k1 >= 0 and 0 <= b <= 1"):
        tune_bm25(WORDS, lambda _: 0.0, Grid((1.0,), (2.0,)))
