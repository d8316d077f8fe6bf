from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from citescape.ranking.published import PUBLISHED, UNKNOWN, read_traits
from citescape.runs.directory import RunRecord, open_run, run_id
from citescape.search.traits import Traits


def keep(runs: Path, command: str, *, config: Any = None, inputs: Any = None, **counts: Any) -> str:
    """Save a run as recorded by its command."""
    id_ = run_id(command, config or {}, inputs or {})
    with open_run(runs, id_) as directory:
        directory.complete(RunRecord(id_, command, config or {}, inputs or {}, counts=counts))
    return id_


def train(
    runs: Path, sampler: str, *, base: str, inputs: Mapping[str, Any] | None = None, facet: str = ""
) -> str:
    sampled = keep(runs, "sample", config={"sampler": sampler}, inputs=inputs or {})
    own = {"triplets": f"{sampler} {inputs}", "facet": facet}
    return keep(runs, "train", config={"base": base}, inputs=own, sampled=sampled)


def flags(traits: Traits) -> tuple[bool | None, ...]:
    return traits.citations, traits.contrast, traits.importance


SCIBERT = "allenai/scibert_scivocab_uncased"


@pytest.mark.parametrize(
    ("sampler", "expected"),
    [
        ("importance", (True, True, True)),
        ("specter", (True, True, False)),
        ("neighbourhood", (True, True, False)),
        ("facet", (True, True, False)),
        ("labels", (False, True, False)),
        ("of tomorrow", (None, True, None)),
    ],
)
def test_traits_of_a_training_follow_from_its_sampler(
    tmp_path: Path, sampler: str, expected: tuple[bool | None, ...]
) -> None:
    run = train(tmp_path, sampler, base=SCIBERT)
    assert flags(read_traits(tmp_path, run)) == expected
    assert read_traits(tmp_path, str(tmp_path / run)) == read_traits(tmp_path, run)


def test_traits_of_vectors_are_inherited_by_trainings(tmp_path: Path) -> None:
    for weight, expected in (("importance", True), ("none", False)):
        graph = keep(tmp_path, "graph-embed", config={"weight": weight})
        assert flags(read_traits(tmp_path, graph)) == (True, False, expected)
        run = train(tmp_path, "neighbourhood", base=SCIBERT, inputs={"embeddings": graph})
        assert flags(read_traits(tmp_path, run)) == (True, True, expected)
    lost = train(tmp_path, "neighbourhood", base=SCIBERT, inputs={"embeddings": "graph-embed-0"})
    assert flags(read_traits(tmp_path, lost)) == (True, True, None)


def test_traits_include_base_and_teacher(tmp_path: Path) -> None:
    first = train(tmp_path, "importance", base=SCIBERT)
    second = train(tmp_path, "labels", base=str(tmp_path / first), facet="method")
    assert flags(read_traits(tmp_path, second)) == (True, True, True)
    assert read_traits(tmp_path, second).facet == "method"
    graph = keep(tmp_path, "graph-embed", config={"weight": "importance"})
    inputs = {"teacher": graph, "facet": ""}
    taught = keep(tmp_path, "train", config={"base": SCIBERT}, inputs=inputs, sampled="")
    assert flags(read_traits(tmp_path, taught)) == (True, True, True)


def test_traits_of_weighted_sums_and_vectors(tmp_path: Path) -> None:
    parts = [
        str(tmp_path / train(tmp_path, "facet", base=SCIBERT, facet=facet))
        for facet in ("method", "result")
    ]
    whole = keep(tmp_path, "combine", config={"parts": parts})
    assert flags(read_traits(tmp_path, whole)) == (True, True, False)
    assert read_traits(tmp_path, whole).facet == "method, result"
    embedded = keep(tmp_path, "embed", config={"encoder": str(tmp_path / whole)})
    assert read_traits(tmp_path, embedded) == read_traits(tmp_path, whole)
    plain = keep(tmp_path, "encode", config={"encoder": SCIBERT})
    assert read_traits(tmp_path, plain) == Traits()


def test_traits_of_unknown_models_are_missing(tmp_path: Path) -> None:
    assert read_traits(tmp_path, "someone/encoder") == UNKNOWN
    assert read_traits(tmp_path, "") == UNKNOWN
    assert read_traits(tmp_path, keep(tmp_path, "map")) == UNKNOWN
    old = keep(tmp_path, "train", config={"base": "allenai/specter"}, inputs={"facet": ""})
    assert flags(read_traits(tmp_path, old)) == (
        True,
        True,
        None,
    )  # the record does not name its triplets
    assert all(flags(traits)[2] is False for traits in PUBLISHED.values())
