"""How a benchmark of contexts is made."""

from __future__ import annotations

from dataclasses import dataclass

from citescape.core.errors import ConfigError, invalid_choice
from citescape.recommend.protocol import PROTOCOLS, STRICT_PER_QUERY

ALL, TRAINING = "all", "training"
CANDIDATES = {
    ALL: "every work that is known",
    TRAINING: "the papers of the training contexts, as published benchmarks have it",
}
TRAIN, VALIDATION, TEST = "train", "val", "test"


@dataclass(frozen=True)
class LcrConfig:
    """Which papers ask, which teach, and what may be found."""

    year: int = 0
    """Of the papers that ask; 0 for the last one of which there are any."""
    validation: float = 0.1
    """Share of the earlier papers whose contexts are for validation, so for no profile."""
    protocol: str = STRICT_PER_QUERY
    """One of `PROTOCOLS`."""
    candidates: str = ALL
    """One of `CANDIDATES`."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise invalid_choice("protocol", self.protocol, PROTOCOLS)
        if self.candidates not in CANDIDATES:
            raise invalid_choice("candidates", self.candidates, CANDIDATES)
        if not 0 <= self.validation < 1:
            raise ConfigError(f"validation is {self.validation}; expected a share below 1")
        if self.year < 0:
            raise ConfigError(f"year is {self.year}; expected one of the papers, or 0 for the last")
