"""How points came to their places, and how well these keep what is near together."""

from __future__ import annotations

from dataclasses import dataclass

AMONG = 10
"""Nearest points in the space that are compared with as many on the map."""


@dataclass(frozen=True)
class Kept:
    """How many of the nearest points a map keeps near."""

    share: float
    """Of the 10 nearest in the space, of those among the 10 nearest on the map, 0 to 1."""
    chance: float
    """What points put anywhere would keep."""


@dataclass(frozen=True)
class Placing:
    """How a map was laid out."""

    method: str
    kept: Kept | None
    """None: hardly more points than are compared, so that any map keeps them."""

    def __str__(self) -> str:
        """For people."""
        if self.kept is None:
            return f"{self.method}; too few to tell how many of the nearest are kept"
        share, chance = self.kept.share, self.kept.chance
        told = (
            f"{chance:.0%}" if chance >= 0.1 else f"{chance:.1%}" if chance >= 0.001 else "< 0.1%"
        )
        return f"{self.method}; {share:.0%} of the {AMONG} nearest kept, by chance {told}"
