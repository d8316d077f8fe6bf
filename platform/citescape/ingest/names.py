"""Names of people as printed: surnames without spelling variants, initials, full given names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import Hashes, hash_texts
from citescape.ingest.identity import fold

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Letters = npt.NDArray[np.uint32]

INITIALS = 4
"""Number of initials that are compared."""
_CAPITALS = re.compile(r"^[A-Z]{1,4}$")
_NAME_PART = re.compile(r"[^\W\d_]+")

CONTRADICTION, UNKNOWN, SAME_INITIALS, SAME_FIRST, SAME_NAME = range(5)
"""How two given names compare, see `GivenNames.compare`."""


def block_names(surnames: Sequence[str]) -> list[str]:
    """Surnames without case, accents, punctuation and spaces: `van der Berg` = `Vander-Berg`."""
    return [fold(surname).replace(" ", "") for surname in surnames]


def initials_of(givens: Sequence[str]) -> list[str]:
    """First letters of given names: `Ming-Che` -> `mc`, `J. A.` -> `ja`, `JA` -> `ja`."""
    return [split_given(given)[0] for given in givens]


def split_given(given: str) -> tuple[str, tuple[str, ...]]:
    """Initials, and the names before the first initial: `Anna Maria K.` -> amk, (anna, maria)."""
    compact = given.replace(".", "").replace(" ", "").replace("-", "")
    if _CAPITALS.match(compact):
        return compact.lower(), ()
    parts = [fold(part).replace(" ", "") for part in _NAME_PART.findall(given)]
    short = next((i for i, part in enumerate(parts) if len(part) < 2), len(parts))
    return "".join(part[:1] for part in parts), tuple(parts[:short])


@dataclass(frozen=True)
class GivenNames:
    """Distinct given names as arrays; g names."""

    initials: Letters
    """Code points of the initials, (g, 4), padded with 0."""
    full: Ints
    """Code of the full names without spaces, (g,); `Zi-chao` and `Zichao` have one."""
    first: Ints
    """Code of the first full name, (g,)."""
    parts: Ints
    """Number of names printed in full, (g,); 0 for initials."""
    full_key: Hashes
    """Hash of the full names, (g,), see `author_statistics.count_names`."""
    first_key: Hashes
    """Hash of the first full name, (g,)."""

    def compare(self, a: Ints, b: Ints) -> Ints:
        """How names `a` and `b` compare.

        Returns:
            `CONTRADICTION`: initials or full names differ, also Jun and Junping (or Dan and
            Daniel): of such pairs with ORCIDs in the crops archive, 13 are two people and none is
            one. `UNKNOWN`: one of them has only a first initial. `SAME_INITIALS`: two or more
            initials are equal, or as many as both have. `SAME_FIRST`: first names are equal, and
            one has no other. `SAME_NAME`: full names are equal.
        """
        fits = _begins(self.initials[a], self.initials[b])
        several = (self.initials[a, 1] > 0) & (self.initials[b, 1] > 0)
        full = (self.parts[a] > 0) & (self.parts[b] > 0)
        found = np.where(several, SAME_INITIALS, UNKNOWN)
        found[full] = CONTRADICTION
        one = (self.parts[a] == 1) | (self.parts[b] == 1)
        found[full & one & (self.first[a] == self.first[b])] = SAME_FIRST
        found[full & (self.full[a] == self.full[b])] = SAME_NAME
        found[~fits] = CONTRADICTION
        return found


def _begins(a: Letters, b: Letters) -> Bools:
    """Whether one of two padded texts begins the other, row by row."""
    return np.asarray(((a == b) | (a == 0) | (b == 0)).all(axis=1))


def read_given_names(givens: Sequence[str]) -> GivenNames:
    """Arrays of distinct given names as printed."""
    split = [split_given(given) for given in givens]
    joined = ["".join(parts) for _, parts in split]
    firsts = [parts[0] if parts else "" for _, parts in split]
    return GivenNames(
        initials=_code_points([initials for initials, _ in split], INITIALS),
        full=code_texts(joined),
        first=code_texts(firsts),
        parts=np.array([len(parts) for _, parts in split], dtype=np.int64),
        full_key=hash_names(FULL, pa.chunked_array([pa.array(joined, pa.string())])),
        first_key=hash_names(FIRST, pa.chunked_array([pa.array(firsts, pa.string())])),
    )


FULL, FIRST = "full", "first"


def hash_names(kind: str, texts: pa.ChunkedArray) -> Hashes:
    """Hashes of names of a kind, such as full names; those of other kinds are different."""
    return hash_texts(pc.binary_join_element_wise(kind, texts, ":"))


def code_texts(texts: Sequence[str]) -> Ints:
    """Code of each text, from 0 in the order of their first positions."""
    return np.asarray(pa.array(texts, pa.string()).dictionary_encode().indices, dtype=np.int64)


def _code_points(texts: Sequence[str], width: int) -> Letters:
    padded = np.array(texts, dtype=f"<U{width}")
    return padded.view(np.uint32).reshape(len(texts), width)
