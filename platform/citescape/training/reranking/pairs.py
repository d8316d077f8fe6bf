"""Query and candidate as one text of a transformer: tokens joined, cut to fit, and padded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch

from citescape.core.errors import ConfigError
from citescape.encoders.tokens import padded_width
from citescape.training.texts import Tokens

Ints = npt.NDArray[Any]
_SLICE = 4096
"""Texts that are Python lists of tokens at one time."""


class Pairs(NamedTuple):
    """Some pairs as a model reads them."""

    ids: torch.Tensor
    """(B, T) token ids."""
    mask: torch.Tensor
    """(B, T): 1 for a token."""
    types: torch.Tensor | None
    """(B, T): 1 from the candidate on, where the model tells the two apart."""


class Frame(NamedTuple):
    """What stands around and between two texts; ids and types of each part."""

    before: Ints
    between: Ints
    after: Ints
    types: tuple[int, ...]
    """Of before, query, between, candidate, after."""

    @property
    def size(self) -> int:
        """Tokens of a pair beside those of its texts."""
        return len(self.before) + len(self.between) + len(self.after)


class PairReader(Protocol):
    """What a model reads of queries and candidates, by their rows."""

    @property
    def most(self) -> int:
        """Tokens of a pair, at most."""
        ...

    def lengths(self, queries: Ints, candidates: Ints) -> npt.NDArray[np.int64]:
        """(B,) tokens of each pair."""
        ...

    def pad(
        self, queries: Ints, candidates: Ints, *, width: int = 0, device: torch.device
    ) -> Pairs | torch.Tensor:
        """The pairs of some rows; those of tokens padded to the longest, or to a width."""
        ...


class PairTokens:
    """Tokens of queries and candidates, each read once, in whatever pairs they are needed."""

    def __init__(
        self,
        tokenizer: Any,
        texts: tuple[Sequence[str], Sequence[str]],
        *,
        max_tokens: int,
        frame: Frame | None = None,
        name: str = "",
    ) -> None:
        """Reads the texts.

        Args:
            tokenizer: a fast one of Hugging Face.
            texts: queries, candidates.
            max_tokens: of a pair, special ones included.
            frame: what stands around the texts; None for what the tokenizer puts there.
            name: of the model, for errors.

        Raises:
            ConfigError: the tokenizer puts nothing between two texts; or these have no room.
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
        self._sides = tuple(_tokenise(tokenizer, side, self.room) for side in texts)

    def cut(self, queries: Ints, candidates: Ints) -> tuple[Ints, Ints]:
        """Tokens (B,) that stay of each query, and of each candidate.

        Where both do not fit, the longer is cut from its end until they do or are alike, so that
        each keeps half the room at least, if it fills that.
        """
        of_query = self._sides[0].lengths(queries)
        of_candidate = self._sides[1].lengths(candidates)
        half = self.room - self.room // 2
        kept = np.minimum(of_query, np.maximum(self.room - of_candidate, half))
        return kept, np.minimum(of_candidate, self.room - kept)

    def lengths(self, queries: Ints, candidates: Ints) -> npt.NDArray[np.int64]:
        """(B,) tokens of each pair, special ones included."""
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
        made = [torch.from_numpy(array).to(device) for array in (ids, mask, types)]
        return Pairs(made[0], made[1], made[2] if self._typed else None)


def plan_widths(lengths: Ints, most: int, budget: int) -> Iterator[tuple[int, Ints]]:
    """Padded width and positions of each pass: a pair's own length alone decides its width.

    So its score does not depend, in any precision, on what stands beside it.
    """
    widths = np.array([padded_width(length, most) for length in range(most + 1)])[lengths]
    for width in np.unique(widths).tolist():
        rows = np.flatnonzero(widths == width)
        size = max(budget // width, 1)
        for start in range(0, len(rows), size):
            yield width, rows[start : start + size]


def _find_frame(tokenizer: Any, name: str) -> Frame:
    """From a pair of words: what stands before the first, between them, and after the second."""
    told = tokenizer("a", "b", return_token_type_ids=True)
    ids, types = np.array(told["input_ids"]), told["token_type_ids"]
    side = np.array([2 if of is None else of for of in told.sequence_ids()])
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


def _tokenise(tokenizer: Any, texts: Sequence[str], most: int) -> Tokens:
    parts: list[npt.NDArray[np.int32]] = [np.empty(0, np.int32)]
    lengths: list[int] = []
    for start in range(0, len(texts), _SLICE):
        found = tokenizer(
            list(texts[start : start + _SLICE]),
            add_special_tokens=False,
            truncation=True,
            max_length=most,
        )["input_ids"]
        lengths += map(len, found)
        parts += [np.asarray(row, np.int32) for row in found]
    return Tokens(np.concatenate(parts), np.append(0, np.cumsum(lengths)).astype(np.int64))
