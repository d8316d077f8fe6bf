"""Encoders of titles and abstracts, by name."""

from __future__ import annotations

from importlib.util import find_spec

from citescape.core.errors import ConfigError
from citescape.importance.titles import Encode, HashedWords

HASHED = "hashed-words"
"""Name of `HashedWords`."""


def load_text_encoder(name: str = "") -> Encode:
    """A function of texts to vectors.

    Args:
        name: folder or hub id; `hashed-words` for words and word parts, which needs no model; empty
            for $CITESCAPE_ENCODER or MiniLM.

    Raises:
        ConfigError: there is no such encoder, or torch or transformers are not installed.
    """
    if name == HASHED:
        return HashedWords()
    if not (find_spec("torch") and find_spec("transformers")):
        raise ConfigError(
            "similarity of texts needs an encoder: pip install 'citescape[learn]', or give "
            f"{HASHED}, which compares words and word parts"
        )
    from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder

    return PretrainedEncoder.load(EncoderConfig(name))
