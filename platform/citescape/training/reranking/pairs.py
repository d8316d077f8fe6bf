"""Pairs of query and candidate as a reranker reads them: tokens of both texts, or vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from citescape.core.errors import ConfigError
from citescape.encoders.tokens import padded_width
from citescape.training.reranking.vectors import Floats, PairVectors
from citescape.training.texts import tokenise_texts

Ints = npt.NDArray[Any]


class Pairs(NamedTuple):
    """Token ids of some pairs."""

    ids: torch.Tensor
    """(B, T) token ids."""
    mask: torch.Tensor
    """(B, T): 1 for a token."""
    types: torch.Tensor | None
    """(B, T): 1 from the candidate on, where the model has token types."""


class Frame(NamedTuple):
    """Special tokens around and between two texts."""

    before: Ints
    between: Ints
    after: Ints
    types: tuple[int, ...]
    """Token types of before, query, between, candidate, after."""

    @property
    def size(self) -> int:
        """Number of special tokens of a pair."""
        return len(self.before) + len(self.between) + len(self.after)


class PairTokens:
    """Pairs of texts, joined by special tokens, cut to fit and padded; each text is read once."""

    def __init__(
        self,
        tokenizer: Any,
        texts: tuple[Sequence[str], Sequence[str]],
        *,
        max_tokens: int,
        frame: Frame | None = None,
        name: str = "",
    ) -> None:
        """Tokenises queries and candidates with a fast tokenizer of Hugging Face.

        `max_tokens` of a pair include special tokens: those of `frame`, else of the tokenizer.

        Raises:
            ConfigError: the tokenizer puts nothing between two texts; or there is no room for them.
        """
        self._frame = frame or _find_frame(tokenizer, name)
        self._fill = tokenizer.pad_token_id or 0
        self._typed = "token_type_ids" in tokenizer.model_input_names
        self.most = max_tokens
        self.room = max_tokens - self._frame.size
        if self.room < 2:
            raise ConfigError(
                f"a pair has {max_tokens} tokens; expected more than {self._frame.size + 1}, as "
                f"{self._frame.size} stand around the texts"
            )
        self._sides = tuple(
            tokenise_texts(tokenizer, side, self.room, add_special_tokens=False) for side in texts
        )

    def cut(self, queries: Ints, candidates: Ints) -> tuple[Ints, Ints]:
        """Tokens (B,) that are kept of each query, and of each candidate.

        Where both do not fit, the longer text is cut from its end, but keeps half the room.
        """
        of_query = self._sides[0].lengths(queries)
        of_candidate = self._sides[1].lengths(candidates)
        half = self.room - self.room // 2
        kept = np.minimum(of_query, np.maximum(self.room - of_candidate, half))
        return kept, np.minimum(of_candidate, self.room - kept)

    def lengths(self, queries: Ints, candidates: Ints) -> npt.NDArray[np.int64]:
        """(B,) number of tokens of each pair, special tokens included."""
        of_query, of_candidate = self.cut(queries, candidates)
        total: npt.NDArray[np.int64] = of_query + of_candidate + self._frame.size
        return total

    def pad(
        self, queries: Ints, candidates: Ints, *, width: int = 0, device: torch.device
    ) -> Pairs:
        """The pairs of some rows, padded to the longest, or to a width."""
        frame, kept = self._frame, self.cut(queries, candidates)
        ones = np.ones(len(queries), np.int64)
        sources = (
            (frame.before, 0 * ones, len(frame.before) * ones),
            (self._sides[0].flat, self._sides[0].offsets[queries], kept[0]),
            (frame.between, 0 * ones, len(frame.between) * ones),
            (self._sides[1].flat, self._sides[1].offsets[candidates], kept[1]),
            (frame.after, 0 * ones, len(frame.after) * ones),
        )
        ends = np.cumsum([count for *_, count in sources], axis=0)  # (5, B)
        places = np.arange(width or ends[-1].max())[None]
        ids = np.full((len(queries), places.shape[1]), self._fill, np.int64)
        types = np.zeros_like(ids)
        for k, (flat, begin, count) in enumerate(sources):
            start = (ends[k] - count)[:, None]
            inside = (places >= start) & (places < ends[k][:, None])
            ids[inside] = flat[(begin[:, None] + places - start)[inside]]
            types[inside] = frame.types[k]
        mask = (places < ends[-1][:, None]).astype(np.int64)
        ids_, mask_, types_ = (torch.from_numpy(part).to(device) for part in (ids, mask, types))
        return Pairs(ids_, mask_, types_ if self._typed else None)


class VectorPairs:
    """States (B, (2 parts + 1) d) of pairs of vectors.

    Products of each vector of the query with the candidate's, then the query's vectors, then the
    candidate's, each scaled to length sqrt(d). The sum of a product is d times a cosine, by which
    the retriever ranks.
    """

    most = 1
    """Length of a pair: it counts as one token."""

    def __init__(self, vectors: PairVectors) -> None:
        self._vectors = vectors

    def lengths(self, queries: Ints, candidates: Ints) -> npt.NDArray[np.int64]:
        """(B,) ones."""
        return np.ones(np.broadcast(queries, candidates).shape, np.int64)

    def pad(
        self, queries: Ints, candidates: Ints, *, width: int = 0, device: torch.device
    ) -> torch.Tensor:
        """The states of some pairs; there is nothing to pad."""
        del width
        own = _scale(self._vectors.queries[queries], device)  # (B, parts, d)
        other = _scale(self._vectors.candidates[candidates], device)[:, None]
        return torch.cat([own * other, own, other], 1).flatten(1)


PairReader = PairTokens | VectorPairs
"""`most` tokens per pair, `lengths` of pairs and `pad`, by rows of queries and of candidates."""


def _scale(vectors: Floats, device: torch.device) -> torch.Tensor:
    """Vectors scaled to length sqrt(d); only those in use, as a copy of all would need memory."""
    rows = torch.from_numpy(vectors).to(device)
    lengths = torch.linalg.vector_norm(rows, dim=-1, keepdim=True)
    scaled: torch.Tensor = rows * (vectors.shape[-1] ** 0.5 / lengths.clamp_min(1e-12))
    return scaled


def plan_widths(lengths: Ints, most: int, budget: int) -> Iterator[tuple[int, Ints]]:
    """Padded width and positions of each forward pass.

    The length of a pair alone decides its width, so that its score does not depend, in any
    precision, on the other pairs.
    """
    widths = np.array([padded_width(length, most) for length in range(most + 1)])[lengths]
    for width in np.unique(widths).tolist():
        rows = np.flatnonzero(widths == width)
        size = max(budget // width, 1)
        for start in range(0, len(rows), size):
            yield width, rows[start : start + size]


def _find_frame(tokenizer: Any, name: str) -> Frame:
    """The special tokens that the tokenizer puts around a pair of words."""
    pair = tokenizer("a", "b", return_token_type_ids=True)
    ids, types = np.array(pair["input_ids"]), pair["token_type_ids"]
    side = np.array([2 if text is None else text for text in pair.sequence_ids()])
    own, other = (np.flatnonzero(side == k) for k in (0, 1))
    if not (len(own) and len(other) and own[0] and other[0] - own[-1] > 1):
        raise ConfigError(
            f"the tokenizer of {name or 'this encoder'} puts nothing before or between two texts; "
            "expected one of a model that reads pairs, such as BERT and its kin"
        )
    bounds = (own[0], own[-1] + 1, other[0], other[-1] + 1)
    after = types[bounds[3]] if bounds[3] < len(types) else 0
    read = (types[0], types[own[0]], types[own[-1] + 1], types[other[0]], after)
    return Frame(ids[: bounds[0]], ids[bounds[1] : bounds[2]], ids[bounds[3] :], read)
