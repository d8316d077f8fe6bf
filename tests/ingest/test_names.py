"""Names in comparable form."""

from __future__ import annotations

import pytest

from citescape.ingest.names import block_names, initials_of


@pytest.mark.parametrize(
    ("given", "initials"),
    [
        ("Ming-Che", "mc"),
        ("J. A.", "ja"),
        ("JA", "ja"),
        ("J.-P.", "jp"),
        ("Élodie", "e"),
        ("Anna Maria", "am"),
        ("MARIA", "m"),
        ("", ""),
        ("李", "李"),
    ],
)
def test_initials(given: str, initials: str):
    assert initials_of([given]) == [initials]


def test_surnames_that_differ_in_case_accents_spaces_and_hyphens_are_one():
    assert (
        len(set(block_names(["van der Berg", "Vander-Berg", "VANDER BERG", "Van Dér Berg"]))) == 1
    )
    assert block_names(["Berg", "Burg"]) == ["berg", "burg"]
