"""Method of a layout, and the share of neighbours that it keeps."""

from __future__ import annotations

from dataclasses import dataclass

AMONG = 10
"""Number of nearest points in the space and on the map that are compared."""


@dataclass(frozen=True)
class Kept:
    """Share of the nearest points that a map keeps near."""

    share: float
    """Share of the 10 nearest in the space that are among the 10 nearest on the map, 0 to 1."""
    chance: float
    """Share expected for random places."""


@dataclass(frozen=True)
class Placing:
    """Layout of a map."""

    method: str
    kept: Kept | None
    """None for few points: every map keeps them."""

    def __str__(self) -> str:
        """Method and share in words."""
        if self.kept is None:
            return f"{self.method}; too few to tell how many of the nearest are kept"
        share, chance = self.kept.share, self.kept.chance
        expected = "< 0.1%"
        if chance >= 0.001:
            expected = f"{chance:.0%}" if chance >= 0.1 else f"{chance:.1%}"
        return f"{self.method}; {share:.0%} of the {AMONG} nearest kept, by chance {expected}"
