"""Papers to vectors: title and abstract as one text, in the form that an encoder was trained with.

`sep`: `title [SEP] abstract`, the state of [CLS] (SPECTER, SciNCL, FLeW); `joined`: title, space,
abstract, the mean over all tokens (CIA, section 3.3). A paper without an abstract is its title: in
the form `sep` with an empty abstract, as its authors have it; one without a title its abstract.
Vectors are as the encoder has them, not normalised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.types import Document
from citescape.encoders.pretrained import POOLINGS, Encoded, Vectors

MAX_TOKENS = 512
"""Of title and abstract together; longer ones are cut."""


@dataclass(frozen=True)
class Form:
    """How title and abstract become one text."""

    join: Callable[[Document, str], str]
    """Of a document and the tokenizer's separator; both parts are there, or the title alone."""
    pooling: str
    """What such texts are pooled by, unless an encoder's settings say otherwise."""


def _separated(document: Document, separator: str) -> str:
    return f"{document.title}{separator}{document.abstract}"


def _joined(document: Document, _: str) -> str:
    return f"{document.title} {document.abstract}".rstrip()


FORMS = {"sep": Form(_separated, "cls"), "joined": Form(_joined, "mean")}


@dataclass(frozen=True)
class EncoderSettings:
    """How an encoder reads documents."""

    form: str
    """One of `FORMS`."""
    pooling: str
    """`cls` or `mean`."""
    max_tokens: int = MAX_TOKENS
    """Longer texts are cut; at what the encoder has positions for, if those are fewer."""
    base: str = ""
    """Of an adapter: the frozen encoder below it, folder or hub id."""
    parts: tuple[str, ...] = ()
    """Of a weighted sum: the encoders it is made of."""
    weights: tuple[float, ...] = ()
    """One a part, positive, with the sum 1."""

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

        What papers are computed together decides the last bits of the sums, and so, of some ten
        million numbers, the last bit of one.
        """
        mapped = vectors.astype(np.float64) @ self.weight.T.astype(np.float64) + self.bias
        return mapped.astype(np.float32)


class TextEncoder(Protocol):
    """Turns texts into vectors of `dimensions` numbers."""

    dimensions: int
    tokenizer: Any

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Vectors (texts, d) and the tokens read for them."""
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
        """The text that is read of a document.

        Raises:
            ConfigError: there is none.
        """
        return document_text(document, self.settings.form, self._separator)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Vectors of such texts, and the tokens read for them."""
        found = self.encoder.encode(texts)
        if self.adapter is None:
            return found
        return Encoded(self.adapter(found.vectors), found.tokens)


def document_text(document: Document, form: str, separator: str) -> str:
    """A document in one of the `FORMS`; white space is made one blank.

    Args:
        document: title and abstract.
        form: one of `FORMS`.
        separator: of the tokenizer; needed for `sep` only.

    Raises:
        ConfigError: neither title nor abstract.
    """
    title, abstract = (" ".join(part.split()) for part in (document.title, document.abstract))
    if not title and not abstract:
        raise ConfigError("a document without title and abstract has no vector; leave it out")
    if not title:
        return abstract
    return FORMS[form].join(Document(title, abstract), separator)


def separator(tokenizer: Any) -> str:
    """The token between two texts, as the tokenizer reads it in a text: `[SEP]`, `</s>`.

    Raises:
        ConfigError: it has none.
    """
    token = getattr(tokenizer, "sep_token", None)
    if not token:
        raise ConfigError(
            "the encoder's tokenizer has no separator token; expected one for the form `sep`; use "
            "the form `joined`"
        )
    return str(token)
