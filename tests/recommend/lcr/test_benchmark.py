from __future__ import annotations

import json
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.recommend.lcr.benchmark import build_lcr, count_task, make_task, open_lcr
from citescape.recommend.protocol import PROTOCOLS
from citescape.recommend.steps import BenchmarkLcr
from tests.recommend.lcr.libraries import make_library


def test_a_saved_benchmark_equals_the_original(tmp_path: Path) -> None:
    library, config = make_library(), BenchmarkLcr(validation=0.2)
    benchmark = build_lcr(library, config, runs=tmp_path)
    task = open_lcr(benchmark.path, BenchmarkLcr(**benchmark.record.config))
    assert task.library.papers.equals(library.papers)
    assert len(task.inductive.training) == benchmark.counts["training"]
    assert {name: len(part) for name, part in task.inductive.splits.items()} == benchmark.counts[
        "splits"
    ]
    assert benchmark.counts["leaks"] == {
        "contexts_in_training": 0,
        "citing_in_training": 0,
        "outside": 0,
        "not_older": 0,
    }


def test_an_invalid_record_is_skipped_and_reported(tmp_path: Path) -> None:
    benchmark = build_lcr(make_library(), BenchmarkLcr(validation=0.2), runs=tmp_path)
    whole = count_task(open_lcr(benchmark.path, BenchmarkLcr(**benchmark.record.config)))
    path = benchmark.path / "contexts.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    used = json.loads((benchmark.path / "train.json").read_text(encoding="utf-8"))[0]["context_id"]
    entries[used]["masked_text"] = 7
    path.write_text(json.dumps(entries), encoding="utf-8")
    counts = count_task(open_lcr(benchmark.path, BenchmarkLcr(**benchmark.record.config)))
    assert counts["training"] == whole["training"] - 1
    assert counts["splits"] == whole["splits"]
    assert (whole["skipped_records"], whole["skipped_examples"]) == (0, [])
    assert counts["skipped_records"] == 2  # the record and its entry in train.json
    assert all(repr(used) in message for message in counts["skipped_examples"])


def test_the_same_benchmark_is_built_once(tmp_path: Path) -> None:
    library = make_library()
    first, again = (build_lcr(library, runs=tmp_path) for _ in range(2))
    assert (first.run, first.unchanged, again.unchanged) == (again.run, False, True)
    assert build_lcr(library, BenchmarkLcr(seed=1), runs=tmp_path).run != first.run


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_training_contexts_exclude_evaluation_papers(protocol: str, tmp_path: Path) -> None:
    benchmark = build_lcr(make_library(), BenchmarkLcr(protocol=protocol), runs=tmp_path)
    task = open_lcr(benchmark.path, BenchmarkLcr(**benchmark.record.config))
    asking = {id_ for part in task.inductive.splits.values() for id_ in part.citing.to_pylist()}
    assert not asking & set(task.library.contexts.citing.to_pylist())
    assert task.dated == (protocol != "train-union")


def test_train_union_has_fewer_candidates(tmp_path: Path) -> None:
    every = build_lcr(make_library(), runs=tmp_path)
    few = build_lcr(make_library(), BenchmarkLcr(candidates="training"), runs=tmp_path)
    assert few.counts["candidates"] < every.counts["candidates"] == every.counts["papers"]


def test_a_benchmark_without_training_contexts_is_refused(tmp_path: Path) -> None:
    """A validation share that rounds to all earlier papers leaves no training papers."""
    library, config = make_library(), BenchmarkLcr(validation=0.99)
    with pytest.raises(ConfigError, match=r"of val, test only; expected .* smaller share"):
        build_lcr(library, config, runs=tmp_path)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ConfigError, match=r"of test only; expected training .* train\.json"):
        make_task(library, {"test": library.contexts}, config)
