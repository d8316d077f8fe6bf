"""Vectors of papers: title and abstract as one text, in the form that an encoder was trained with.

`sep`: `title [SEP] abstract`, the state of [CLS] (SPECTER, SciNCL, FLeW); `joined`: title, space,
abstract, the mean over all tokens (CIA, section 3.3). A paper without an abstract is its title, in
the form `sep` followed by the separator, as its authors do; a paper without a title is its
abstract. Vectors are not normalised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.types import Document
from citescape.encoders.pretrained import POOLINGS, Encoded, Vectors

MAX_TOKENS = 512
"""Maximum tokens of title and abstract together; longer texts are cut."""
FORMS = {"sep": "cls", "joined": "mean"}
"""Form of a text -> its default pooling."""


@dataclass(frozen=True)
class EncoderSettings:
    """How an encoder reads documents."""

    form: str
    """One of `FORMS`."""
    pooling: str
    """`cls` or `mean`."""
    max_tokens: int = MAX_TOKENS
    """Longer texts are cut, at the latest after the encoder's number of positions."""
    base: str = ""
    """For an adapter: the frozen encoder below it, folder or hub id."""
    parts: tuple[str, ...] = ()
    """For a weighted sum: its encoders."""
    weights: tuple[float, ...] = ()
    """One per part, positive, with the sum 1."""

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise invalid_choice("form", self.form, FORMS)
        if self.pooling not in POOLINGS:
            raise invalid_choice("pooling", self.pooling, POOLINGS)
        if self.max_tokens < 4:
            raise ConfigError(f"max_tokens is {self.max_tokens}; expected 4 or more")


@dataclass(frozen=True)
class Adapter:
    """A linear map on top of a frozen encoder: weight @ vector + bias."""

    weight: npt.NDArray[np.float32]
    """(d_out, d_in)."""
    bias: npt.NDArray[np.float32]
    """(d_out,)."""

    def __call__(self, vectors: Vectors) -> Vectors:
        """(n, d_in) -> (n, d_out), float32, summed in double precision.

        The last bits of the sums depend on the batch: about one number in ten million changes in
        its last bit.
        """
        mapped = vectors.astype(np.float64) @ self.weight.T.astype(np.float64) + self.bias
        return mapped.astype(np.float32)


class TextEncoder(Protocol):
    """Turns texts into vectors (texts, dimensions)."""

    dimensions: int
    tokenizer: Any

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Vectors (texts, d) and their number of tokens."""
        ...


class DocumentEncoder:
    """Raw vectors of documents; `dimensions` is their length."""

    def __init__(
        self, encoder: TextEncoder, settings: EncoderSettings, adapter: Adapter | None = None
    ) -> None:
        self.encoder = encoder
        self.settings = settings
        self.adapter = adapter
        self.dimensions = len(adapter.bias) if adapter else encoder.dimensions
        self._separator = separator(encoder.tokenizer) if settings.form == "sep" else ""

    def __call__(self, documents: Sequence[Document]) -> Vectors:
        """Vectors (len(documents), dimensions) float32.

        Raises:
            ConfigError: a document has neither title nor abstract.
        """
        return self.encode([self.text(document) for document in documents]).vectors

    def text(self, document: Document) -> str:
        """The text of a document, see `document_text`."""
        return document_text(document, self.settings.form, self._separator)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Vectors of such texts, and their number of tokens."""
        encoded = self.encoder.encode(texts)
        if self.adapter is None:
            return encoded
        return Encoded(self.adapter(encoded.vectors), encoded.tokens)


def document_text(document: Document, form: str, separator: str) -> str:
    """A document as one text, with single spaces.

    Args:
        document: title and abstract.
        form: one of `FORMS`.
        separator: separator token, for the form `sep`; see `separator`.

    Raises:
        ConfigError: neither title nor abstract.
    """
    title, abstract = (" ".join(part.split()) for part in (document.title, document.abstract))
    if not title and not abstract:
        raise ConfigError("a document without title and abstract has no vector; leave it out")
    if not title:
        return abstract
    return f"{title}{separator}{abstract}" if form == "sep" else f"{title} {abstract}".rstrip()


def separator(tokenizer: Any) -> str:
    """The separator token of a tokenizer: `[SEP]`, `</s>`.

    Raises:
        ConfigError: the tokenizer has none.
    """
    token = getattr(tokenizer, "sep_token", None)
    if not token:
        raise ConfigError(
            "the encoder's tokenizer has no separator token; expected one for the form `sep`; use "
            "the form `joined`"
        )
    return str(token)
