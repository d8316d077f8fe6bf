"""Pairs of query and candidate as input of a reranker: tokens of both texts, or vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from citescape.core.errors import ConfigError
from citescape.encoders.tokens import padded_width
from citescape.training.reranking.vectors import Floats, PairVectors
from citescape.training.texts import join_tokens, tokenise_texts

Ints = npt.NDArray[Any]


class PaddedPairs(NamedTuple):
    """Token ids of some pairs, padded to one length."""

    ids: torch.Tensor
    """(B, T) token ids."""
    mask: torch.Tensor
    """(B, T): 1 for a token."""
    types: torch.Tensor | None
    """(B, T): 1 from the candidate on; None for a model without token types."""


class Frame(NamedTuple):
    """Special tokens before, between and after two texts."""

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
    """Pairs of texts, joined by special tokens, cut and padded; each text is tokenised once."""

    def __init__(
        self,
        tokenizer: Any,
        texts: tuple[Sequence[str], Sequence[str]],
        *,
        max_tokens: int,
        frame: Frame | None = None,
        name: str = "",
    ) -> None:
        """Tokenises queries and candidates.

        Args:
            tokenizer: fast tokenizer of Hugging Face.
            texts: queries, and candidates.
            max_tokens: maximum tokens of a pair, special tokens included.
            frame: special tokens; None for those of the tokenizer.
            name: name of the encoder, for messages.

        Raises:
            ConfigError: the tokenizer does not separate two texts, or `max_tokens` is too small.
        """
        self._frame = frame or _find_frame(tokenizer, name)
        self._fill = tokenizer.pad_token_id or 0
        self._typed = "token_type_ids" in tokenizer.model_input_names
        self.most = max_tokens
        self.room = max_tokens - self._frame.size
        if self.room < 2:
            raise ConfigError(
                f"a pair has {max_tokens} tokens; expected more than {self._frame.size + 1}: "
                f"{self._frame.size} of them are special tokens"
            )
        self._sides = tuple(
            join_tokens(tokenise_texts(tokenizer, side, self.room, add_special_tokens=False))
            for side in texts
        )

    def cut(self, queries: Ints, candidates: Ints) -> tuple[Ints, Ints]:
        """Number of tokens (B,) that each query keeps, and each candidate.

        If a pair is too long, the longer text is cut at its end, but keeps half of the room.
        """
        query_lengths = self._sides[0].lengths(queries)
        candidate_lengths = self._sides[1].lengths(candidates)
        half = self.room - self.room // 2
        kept = np.minimum(query_lengths, np.maximum(self.room - candidate_lengths, half))
        return kept, np.minimum(candidate_lengths, self.room - kept)

    def lengths(self, queries: Ints, candidates: Ints) -> npt.NDArray[np.int64]:
        """(B,) number of tokens of each pair, special tokens included."""
        kept = self.cut(queries, candidates)
        total: npt.NDArray[np.int64] = kept[0] + kept[1] + self._frame.size
        return total

    def pad(
        self, queries: Ints, candidates: Ints, *, width: int = 0, device: torch.device
    ) -> PaddedPairs:
        """Token ids of pairs.

        Args:
            queries: (B,) rows of the queries.
            candidates: (B,) rows of the candidates.
            width: length T to pad to; 0 for the length of the longest pair.
            device: device of the tensors.
        """
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
        positions = np.arange(width or ends[-1].max())[None]
        ids = np.full((len(queries), positions.shape[1]), self._fill, np.int64)
        types = np.zeros_like(ids)
        for k, (flat, begin, count) in enumerate(sources):
            start = (ends[k] - count)[:, None]
            inside = (positions >= start) & (positions < ends[k][:, None])
            ids[inside] = flat[(begin[:, None] + positions - start)[inside]]
            types[inside] = frame.types[k]
        mask = (positions < ends[-1][:, None]).astype(np.int64)
        ids_, mask_, types_ = (torch.from_numpy(part).to(device) for part in (ids, mask, types))
        return PaddedPairs(ids_, mask_, types_ if self._typed else None)


class VectorPairs:
    """States (B, (2 parts + 1) d) of pairs of vectors.

    Elementwise products of each vector of the query and the candidate's vector, then the query's
    vectors, then the candidate's, each scaled to length sqrt(d). The sum of a product is d times a
    cosine, by which the retriever ranks.
    """

    most = 1
    """Maximum tokens of a pair: a pair of vectors counts as one token."""

    def __init__(self, vectors: PairVectors) -> None:
        self._vectors = vectors

    def lengths(self, queries: Ints, candidates: Ints) -> npt.NDArray[np.int64]:
        """(B,) ones."""
        return np.ones(np.broadcast(queries, candidates).shape, np.int64)

    def pad(
        self, queries: Ints, candidates: Ints, *, width: int = 0, device: torch.device
    ) -> torch.Tensor:
        """The states of pairs.

        Args:
            queries: (B,) rows of the queries.
            candidates: (B,) rows of the candidates.
            width: not used.
            device: device of the tensor.
        """
        del width
        own = _scale(self._vectors.queries[queries], device)  # (B, parts, d)
        other = _scale(self._vectors.candidates[candidates], device)[:, None]
        return torch.cat([own * other, own, other], 1).flatten(1)


PairReader = PairTokens | VectorPairs
"""Has `most`, the maximum tokens of a pair, and the methods `lengths` and `pad`."""


def _scale(vectors: Floats, device: torch.device) -> torch.Tensor:
    """Vectors scaled to length sqrt(d), for the rows in use: a copy of all would need memory."""
    rows = torch.from_numpy(vectors).to(device)
    lengths = torch.linalg.vector_norm(rows, dim=-1, keepdim=True)
    scaled: torch.Tensor = rows * (vectors.shape[-1] ** 0.5 / lengths.clamp_min(1e-12))
    return scaled


def plan_widths(lengths: Ints, most: int, budget: int) -> Iterator[tuple[int, Ints]]:
    """Padded width and positions of each forward pass.

    The width of a pair depends on its length alone, so that in any precision its score does not
    depend on the other pairs.

    Args:
        lengths: (pairs,) in tokens.
        most: maximum tokens of a pair.
        budget: tokens of a forward pass, padding included.
    """
    widths = np.array([padded_width(length, most) for length in range(most + 1)])[lengths]
    for width in np.unique(widths).tolist():
        rows = np.flatnonzero(widths == width)
        size = max(budget // width, 1)
        for start in range(0, len(rows), size):
            yield width, rows[start : start + size]


def _find_frame(tokenizer: Any, name: str) -> Frame:
    """The special tokens that the tokenizer adds to a pair of words."""
    pair = tokenizer("a", "b", return_token_type_ids=True)
    ids, types = np.array(pair["input_ids"]), pair["token_type_ids"]
    side = np.array([2 if text is None else text for text in pair.sequence_ids()])
    own, other = (np.flatnonzero(side == k) for k in (0, 1))
    if not (len(own) and len(other) and own[0] and other[0] - own[-1] > 1):
        raise ConfigError(
            f"the tokenizer of {name or 'this encoder'} has no special tokens before or between "
            "two texts; expected that of a model that reads pairs, such as BERT"
        )
    bounds = (own[0], own[-1] + 1, other[0], other[-1] + 1)
    after = types[bounds[3]] if bounds[3] < len(types) else 0
    frame_types = (types[0], types[own[0]], types[own[-1] + 1], types[other[0]], after)
    return Frame(ids[: bounds[0]], ids[bounds[1] : bounds[2]], ids[bounds[3] :], frame_types)
