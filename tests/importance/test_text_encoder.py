"""Encoders of titles and abstracts, by name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.importance.text_encoder import HASHED, load_text_encoder
from citescape.importance.titles import HashedWords
from tests.small_encoder import write_small_encoder


def test_hashed_words_are_chosen_by_name_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.importance.text_encoder.find_spec", lambda name: None)
    encode = load_text_encoder(HASHED)
    assert isinstance(encode, HashedWords)
    assert encode.name == HashedWords().name
    with pytest.raises(
        ConfigError, match=r"pip install 'citescape\[learn\]', or give hashed-words"
    ):
        load_text_encoder()


def test_the_default_is_a_transformer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not find_spec("transformers"):
        pytest.skip("needs transformers")
    folder = write_small_encoder(tmp_path / "small")
    monkeypatch.setenv("CITESCAPE_ENCODER", str(folder))
    for name in ("", str(folder)):
        encode = load_text_encoder(name)
        vectors = encode(["Stripe rust of wheat", "Graph theory"])
        assert vectors.shape[0] == 2
        assert np.isfinite(vectors).all()
        assert not isinstance(encode, HashedWords)


def test_an_unknown_encoder_is_named() -> None:
    with pytest.raises(ConfigError, match="no-such-folder"):
        load_text_encoder("./no-such-folder")
