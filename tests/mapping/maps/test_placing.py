"""What is said of how a map was laid out."""

from __future__ import annotations

import pytest

from citescape.mapping.maps.placing import Kept, Placing


@pytest.mark.parametrize(
    ("kept", "text"),
    [
        (Kept(0.413, 0.0005), "UMAP; 41% of the 10 nearest kept, by chance < 0.1%"),
        (Kept(0.413, 0.0047), "UMAP; 41% of the 10 nearest kept, by chance 0.5%"),
        (Kept(1.0, 0.714), "UMAP; 100% of the 10 nearest kept, by chance 71%"),
        (None, "UMAP; too few to tell how many of the nearest are kept"),
    ],
)
def test_in_words(kept: Kept | None, text: str) -> None:
    assert str(Placing("UMAP", kept)) == text
