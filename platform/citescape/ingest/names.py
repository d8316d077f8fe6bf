"""Names of people in comparable form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citescape.ingest.identity import fold

_CAPITALS = re.compile(r"^[A-Z]{1,4}$")
_PART = re.compile(r"[^\W\d_]+")


def block_names(surnames: Sequence[str]) -> list[str]:
    """Surnames without case, accents, punctuation and spaces: `van der Berg` = `Vander-Berg`."""
    return [fold(surname).replace(" ", "") for surname in surnames]


def initials_of(givens: Sequence[str]) -> list[str]:
    """First letters of given names: `Ming-Che` -> `mc`, `J. A.` -> `ja`, `JA` -> `ja`."""
    return [_initials(given) for given in givens]


def _initials(given: str) -> str:
    compact = given.replace(".", "").replace(" ", "").replace("-", "")
    if _CAPITALS.match(compact):
        return compact.lower()
    return "".join(fold(part)[:1] for part in _PART.findall(given))
