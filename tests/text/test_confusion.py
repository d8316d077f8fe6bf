"""Accuracy and F1 compared with scikit-learn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score

from citescape.text.confusion import Confusion

LABELS = ("I", "M", "R", "other")
label = st.sampled_from(LABELS)


@given(st.lists(st.tuples(label, label), min_size=1, max_size=40))
def test_accuracy_and_f1_equal_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    true, given_ = [a for a, _ in pairs], [b for _, b in pairs]
    table = Confusion.from_labels(LABELS, true, given_)
    assert table.counts.tolist() == confusion_matrix(true, given_, labels=LABELS).tolist()
    assert table.accuracy == pytest.approx(accuracy_score(true, given_))
    occurring = sorted(set(true))
    f1 = f1_score(true, given_, labels=occurring, average=None, zero_division=0)
    assert [table.f1[name] for name in occurring] == pytest.approx(f1.tolist())
    macro = f1_score(true, given_, labels=occurring, average="macro", zero_division=0)
    assert table.macro_f1 == pytest.approx(macro)


def test_tables_add_up() -> None:
    first = Confusion.from_labels(LABELS, ["I", "M"], ["I", "R"])
    two = Confusion.from_labels(LABELS, ["R"], ["R"])
    both = Confusion.from_labels(LABELS, ["I", "M", "R"], ["I", "R", "R"])
    assert (first + two).counts.tolist() == both.counts.tolist()


def test_no_labels_are_not_an_error() -> None:
    empty = Confusion.from_labels(LABELS, [], [])
    assert (empty.total, empty.accuracy, empty.macro_f1, empty.f1) == (0, 0.0, 0.0, {})
