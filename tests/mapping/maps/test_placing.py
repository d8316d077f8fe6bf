"""Description of a layout."""

from __future__ import annotations

import pytest

from citescape.mapping.maps.placing import LayoutQuality, NeighbourShare


@pytest.mark.parametrize(
    ("kept", "text"),
    [
        (NeighbourShare(0.413, 0.0005), "UMAP; 41% of the 10 nearest kept, by chance < 0.1%"),
        (NeighbourShare(0.413, 0.0047), "UMAP; 41% of the 10 nearest kept, by chance 0.5%"),
        (NeighbourShare(1.0, 0.714), "UMAP; 100% of the 10 nearest kept, by chance 71%"),
        (None, "UMAP; too few points to measure how many neighbours are kept"),
    ],
)
def test_description_of_a_layout(kept: NeighbourShare | None, text: str) -> None:
    assert str(LayoutQuality("UMAP", kept)) == text
