"""Triplets from labels: allowed papers, numbers of triplets and the warning of the run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, SourceError
from citescape.sampling.config import LabelConfig, SamplingConfig
from citescape.sampling.contradictions import find_contradictory
from citescape.sampling.labels import (
    LEAKS,
    GoldLabels,
    draw_distinct,
    draw_labelled,
    find_labelled,
    read_labels,
    sample_labels,
)
from citescape.sampling.pool import SampledTriplets
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert
from tests.sampling.conftest import Row, name, rows


def labelled(letters: str) -> GoldLabels:
    """Labels of papers from a text with a letter per paper."""
    names, codes = np.unique(list(letters), return_inverse=True)
    ids = pa.array([name(paper) for paper in range(len(letters))])
    return GoldLabels(ids, tuple(map(str, names)), codes.astype(np.int32), {})


def sample(letters: str, each: int, balanced: bool = False, **sampling: Any) -> SampledTriplets:
    return draw_labelled(
        labelled(letters), LabelConfig(each, balanced), sampling=SamplingConfig(**sampling)
    )


def by_anchor(sampled: SampledTriplets) -> dict[str, list[Row]]:
    result: dict[str, list[Row]] = {}
    for row in rows(sampled.triplets):
        result.setdefault(row.anchor, []).append(row)
    return result


@settings(max_examples=150, deadline=None)
@given(st.text("abcd", min_size=3, max_size=40), st.integers(1, 6), st.integers(0, 2**31 - 1))
def test_positives_share_the_label_of_the_anchor(letters: str, triplets: int, seed: int) -> None:
    """K positives and negatives, all distinct; fewer if other labels have fewer papers than K."""
    sizes, label = Counter(letters), {name(k): letter for k, letter in enumerate(letters)}
    anchors = [paper for paper, letter in label.items() if sizes[letter] > triplets]
    if not anchors or len(sizes) < 2:
        with pytest.raises(ConfigError, match="expected at least two labels"):
            sample(letters, triplets, seed=seed)
        return
    sampled = sample(letters, triplets, seed=seed)
    result, lost = by_anchor(sampled), 0
    assert sorted(result) == anchors
    for anchor, found in result.items():
        others = len(letters) - sizes[label[anchor]]
        assert len(found) == min(triplets, others)
        lost += triplets - len(found)
        near, far = ({getattr(row, role) for row in found} for role in ("positive", "negative"))
        assert len(near) == len(far) == len(found)
        assert {label[paper] for paper in near} == {label[anchor]}
        assert anchor not in near
        assert label[anchor] not in {label[paper] for paper in far}
        assert {(row.positive_reason, row.negative_reason) for row in found} == {
            ("same label", "another label")
        }
    assert not find_contradictory(sampled.triplets).any()
    assert sampled.counts["label_too_rare"] == len(letters) - len(anchors)
    assert sampled.counts["no_random_paper"] == lost
    assert (sampled.counts["labels"], sampled.counts["labelled"]) == (len(sizes), len(letters))


def test_triplets_of_three_papers_by_hand() -> None:
    """With two papers of a and one of b there is no choice."""
    found = rows(sample("aba", 1).triplets)
    expected = [(name(0), name(2), name(1)), (name(2), name(0), name(1))]
    assert [(row.anchor, row.positive, row.negative) for row in found] == expected


def test_papers_are_sampled_uniformly() -> None:
    """Frequencies of 3 positives and 4 negatives over 1,200 seeds, within 5 standard deviations."""
    seeds = 1200
    near, far = Counter[str](), Counter[str]()
    for seed in range(seeds):
        found = by_anchor(sample("abacaba", 2, seed=seed, validation=0.0))[name(0)]
        near.update(row.positive for row in found)
        far.update(row.negative for row in found)
    assert set(near) == {name(k) for k in (2, 4, 6)}
    assert set(far) == {name(k) for k in (1, 3, 5)}
    for counts in (near, far):
        deviation = (seeds * 2 / 3 * 1 / 3) ** 0.5
        assert all(abs(n - seeds * 2 / 3) < 5 * deviation for n in counts.values())


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 12), st.integers(0, 9), st.integers(0, 2**31 - 1))
def test_numbers_are_drawn_without_repetition(count: int, more: int, seed: int) -> None:
    drawn = draw_distinct(count, count + more, (seed, 3, 0)).tolist()
    assert len(set(drawn)) == count
    assert all(0 <= number < count + more for number in drawn)


def test_balanced_labels_have_equal_numbers_of_anchors() -> None:
    """Nine papers of a, five of b and one of c, which is no anchor but may be a negative."""
    letters = "aaaaaaaaabbbbbc"
    plain, balanced = sample(letters, 2), sample(letters, 2, balanced=True)
    label = dict(zip(map(name, range(15)), letters, strict=True))
    assert Counter(label[anchor] for anchor in by_anchor(plain)) == {"a": 9, "b": 5}
    assert Counter(label[anchor] for anchor in by_anchor(balanced)) == {"a": 5, "b": 5}
    assert (plain.counts["balanced_away"], balanced.counts["balanced_away"]) == (0, 4)
    chosen = {
        frozenset(by_anchor(sample(letters, 2, balanced=True, seed=seed))) for seed in range(9)
    }
    assert len(chosen) > 1, "which anchors are left out is drawn"
    same = by_anchor(plain)
    assert all(same[anchor] == found for anchor, found in by_anchor(balanced).items())


def test_seed_size_and_split() -> None:
    letters = "ab" * 50
    whole = sample(letters, 3)
    assert rows(whole.triplets) == rows(sample(letters, 3).triplets)
    assert rows(whole.triplets) != rows(sample(letters, 3, seed=1).triplets)
    assert len(sample(letters, 3, triplets=7).triplets) == 7
    part = by_anchor(sample(letters, 3, share=0.2))
    assert len(part) == 20
    sides = [{row.split for row in found} for found in by_anchor(whole).values()]
    assert all(len(side) == 1 for side in sides)
    assert set.union(*sides) == {"train", "validation"}


PAPERS = [
    *({"id": f"doi:10.1000/p{k}", "doi": f"10.1000/p{k}", "title": "T"} for k in range(6)),
    {"id": "pmid:22", "pmid": "22", "abstract": "A"},
    {"id": "key:textless", "title": " "},
]
GOLD = [
    *((f"10.1000/P{k}", "ab"[k % 2]) for k in range(6)),
    ("pmid:22", "a"),
    ("key:textless", "a"),
    ("10.1000/none", "a"),
]


def test_papers_are_found_by_any_identifier(store: GraphStore) -> None:
    """Duplicate labels count once; papers with two labels are left out."""
    insert(store, "Paper", PAPERS)
    again = [("doi:10.1000/p0", "a"), ("doi:10.1000/p1", "a")]
    found = find_labelled(store, [*GOLD, *again], exclude=["doi:10.1000/p2"])
    kept = {id_: found.names[code] for id_, code in zip(found.ids.to_pylist(), found.codes)}  # noqa: B905
    assert kept == {
        "doi:10.1000/p0": "a",
        "doi:10.1000/p3": "b",
        "doi:10.1000/p4": "a",
        "doi:10.1000/p5": "b",
        "pmid:22": "a",
    }
    assert found.left_out == {
        "labels_without_paper": 1,
        "labels_disagree": 1,
        "papers_without_text": 1,
    }


def test_the_run_records_that_it_is_an_upper_bound(store: GraphStore, tmp_path: Path) -> None:
    """The run does not depend on the order of rows."""
    insert(store, "Paper", PAPERS)
    result = sample_labels(store, GOLD, LabelConfig(1), runs=tmp_path)
    record = json.loads((result.path / "run.json").read_text())
    assert record["config"]["leaks"] == LEAKS == "an upper bound: it has seen the labels"
    assert (record["config"]["sampler"], record["seed"]) == ("labels", 0)
    again = sample_labels(store, GOLD[::-1], LabelConfig(1), runs=tmp_path)
    assert (again.run, again.unchanged) == (result.run, True)
    other = [*GOLD[:6], ("pmid:22", "b")]
    assert sample_labels(store, other, LabelConfig(1), runs=tmp_path).run != result.run
    assert pq.read_table(result.path / "triplets.parquet").num_rows == 7
    named = store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    assert result.run in named


def test_a_single_label_is_refused(store: GraphStore, tmp_path: Path) -> None:
    insert(store, "Paper", PAPERS)
    with pytest.raises(ConfigError, match="no triplets: 3 papers with 1 labels, 3 papers"):
        sample_labels(store, [(id_, "a") for id_, _ in GOLD[:3]], runs=tmp_path)
    with pytest.raises(ConfigError, match="no triplets: 0 papers with 0 labels, 0 papers"):
        sample_labels(store, [("nobody", "a")], runs=tmp_path)
    with pytest.raises(ConfigError, match="positives is 0; expected 1 or more"):
        LabelConfig(0)


def test_files_of_labels_are_read(tmp_path: Path) -> None:
    """Files with other columns, quotes, blanks and a byte order mark."""
    path = tmp_path / "gold.csv"
    path.write_text('label,id,note\r\n"a, b", 10.1/x ,\r\nc,22,why\r\n', encoding="utf-8-sig")
    assert read_labels(path) == [("10.1/x", "a, b"), ("22", "c")]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "found: columns none"),
        (b"id,class\n1,a\n", "found: columns 'id', 'class'"),
        (b"id,label\n", "no rows"),
        (b"id,label\n1,a\n2,\n", "row 2 "),
        (b"id,label\n1\n", "row 1 "),
        (b"id,label\n\xff,a\n", "text that is not UTF-8"),
    ],
)
def test_files_without_labels_are_refused(content: bytes, found: str, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_bytes(content)
    with pytest.raises(SourceError, match=f"expected a CSV file .*`id,label`; .*{found}"):
        read_labels(tmp_path / "gold.csv")
    with pytest.raises(SourceError, match="no-such"):
        read_labels(tmp_path / "no-such.csv")
