"""Held-out papers in triplets, counted by hand and with sets."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from citescape.sampling.leakage import compute_leakage
from citescape.sampling.triplets import Triplets, from_table


def triplets(*written: str) -> Triplets:
    """Triplets such as `abc`: anchor a, positive b, negative c."""
    roles = ("anchor", "positive", "negative")
    columns = {role: pa.array([text[k] for text in written]) for k, role in enumerate(roles)}
    return from_table(pa.table({n: column.cast(pa.string()) for n, column in columns.items()}))


def test_leaks_by_hand() -> None:
    found = compute_leakage(triplets("abc", "abd", "bac", "xyz"), ["b", "c", "z", "absent", "b"])
    assert (found.papers, found.held_out, found.leaked) == (7, 4, 3)
    assert found.by_role == {"anchor": 1, "positive": 1, "negative": 2}
    assert found.triplets == 4
    assert found.share == 3 / 7


def test_triplets_without_held_out_papers_have_no_leaks() -> None:
    found = compute_leakage(triplets("abc"), [])
    assert (found.leaked, found.held_out, found.triplets, found.share) == (0, 0, 0, 0.0)
    assert compute_leakage(triplets(), ["a"]).share == 0.0


letters = st.sampled_from("abcdefg")


@given(st.lists(st.tuples(letters, letters, letters).map("".join)), st.sets(letters))
def test_leaks_equal_those_of_sets(written: list[str], held: set[str]) -> None:
    found = compute_leakage(triplets(*written), held)
    assert found.papers == len(set("".join(written)))
    assert found.leaked == len(set("".join(written)) & held)
    assert found.triplets == sum(bool(set(text) & held) for text in written)
    assert list(found.by_role.values()) == [
        len({text[role] for text in written} & held) for role in range(3)
    ]
