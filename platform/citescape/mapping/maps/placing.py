"""Method and quality of a layout: the share of neighbours that it keeps."""

from __future__ import annotations

from dataclasses import dataclass

AMONG = 10
"""Number of nearest points in the space and on the map that are compared."""


@dataclass(frozen=True)
class NeighbourShare:
    """Share of nearest points that are also nearest on a map."""

    share: float
    """Share of the 10 nearest in the space that are among the 10 nearest on the map, 0 to 1."""
    chance: float
    """Share expected for random places."""


@dataclass(frozen=True)
class LayoutQuality:
    """Method of a layout, and its share of neighbours."""

    method: str
    kept: NeighbourShare | None
    """None for few points, where every map keeps all neighbours."""

    def __str__(self) -> str:
        """Method and share in words."""
        if self.kept is None:
            return f"{self.method}; too few points to measure how many neighbours are kept"
        share, chance = self.kept.share, self.kept.chance
        expected = "< 0.1%"
        if chance >= 0.001:
            expected = f"{chance:.0%}" if chance >= 0.1 else f"{chance:.1%}"
        return f"{self.method}; {share:.0%} of the {AMONG} nearest kept, by chance {expected}"
