"""Output of `platform evaluate leakage`, and samplers that exclude a benchmark."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import citescape
from citescape.evaluation.mdcr.build import TEXTS, MdcrRun
from citescape.evaluation.mdcr.files import read_texts
from citescape.runs.directory import read_run
from tests.cli.conftest import GeneratedCorpus, Platform


@pytest.fixture(scope="module")
def benchmark_folder(generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, and a benchmark in its runs."""
    from citescape.evaluation.literature import read_literature
    from citescape.evaluation.mdcr.build import build_mdcr
    from citescape.evaluation.mdcr.config import MdcrConfig
    from citescape.ranking.random import Random

    folder = tmp_path_factory.mktemp("benched")
    shutil.copy(generated.store, folder / "corpus.lbug")
    with citescape.open(folder / "corpus.lbug", read_only=True) as corpus:
        literature = read_literature(corpus.store)
    config = MdcrConfig(queries=4, validation=3, fewest=1, min_abstract=0, min_citations=0)
    build_mdcr(literature, {"chance": Random()}, config, runs=folder / "runs")
    return folder


@pytest.fixture
def store_path(benchmark_folder: Path, tmp_path: Path) -> Path:
    """A copy of that folder to write to."""
    shutil.copytree(benchmark_folder, tmp_path / "own")
    return tmp_path / "own" / "corpus.lbug"


@pytest.fixture
def bench(store_path: Path) -> str:
    """The id of the benchmark's run."""
    (run,) = (store_path.parent / "runs").glob("benchmark-mdcr-*")
    return run.name


def test_queries_leak_until_they_are_excluded(
    platform: Platform, store_path: Path, bench: str
) -> None:
    words = ("sample", "importance", "--short-anchors", "shrink", "--store", store_path)
    leaky = platform(*words, "--held-out", bench, "--json")
    held = leaky.json["leakage"]["triplets.parquet"]
    assert (held["leaked"], held["by_role"]["anchor"]) == (held["held_out"], held["held_out"])
    shown = platform(
        "evaluate", "leakage", leaky.json["run"], "--benchmark", bench, "--store", store_path
    )
    assert shown.status == 0, shown.err
    assert shown.out.startswith(
        f"leakage: {held['held_out']} of {held['held_out']} queries (100.0%)"
    )
    assert "test query" in shown.out
    assert "as anchor" in shown.out
    clean = platform(*words, "--exclude", bench)
    assert f"\nleakage: none of {held['held_out']} papers\n" in clean.out
    result = platform(*words, "--exclude", bench, "--json").json
    assert result["unchanged"]
    proof = result["files"]["triplets.parquet"]["leakage"]
    assert proof == f"leakage: none of {held['held_out']} papers"
    assert result["excluded"]["triplets.parquet"]["leaked"] == 0
    again = (
        "evaluate",
        "leakage",
        result["run"],
        "--benchmark",
        bench,
        "--store",
        store_path,
        "--json",
    )
    report = platform(*again).json
    assert (report["queries"]["leaked"], report["citations"], report["pairs"]["leaked"]) == (
        0,
        0,
        0,
    )
    assert platform(*again).json["unchanged"]
    every = platform(*words, "--held-out", bench, "--with-candidates", "--json").json
    assert every["leakage"]["triplets.parquet"]["held_out"] > held["held_out"]


def test_lists_need_no_store(platform: Platform) -> None:
    Path("trained.csv").write_text("paper_id,title\n1,Of dry and wet years in the north\n2,B\n")
    Path("test.jsonl").write_text('{"corpusid": 9, "title": "of DRY and wet years, in the North"}')
    shown = platform("evaluate", "leakage", "trained.csv", "--benchmark", "test.jsonl")
    assert shown.status == 0, shown.err
    expected = "leakage: 1 of 1 papers (100.0%) of the benchmark, 1 of 2 training papers (50.0%)\n"
    assert shown.out.startswith(expected)
    assert "citations of queries" not in shown.out
    Path("ids.txt").write_text("2\n")
    shown = platform("evaluate", "leakage", "trained.csv", "--benchmark", "ids.txt", "--json")
    assert (shown.json["citations"], shown.json["benchmark"]["by_id"]) == (None, 1)
    assert shown.json["without_title"] == {"training": 0, "benchmark": 1}


@pytest.mark.parametrize(
    ("trained", "benchmark", "message"),
    [
        ("absent", "ids.txt", "no file or run 'absent'; expected a file of papers"),
        ("minilm", "ids.txt", "minilm was not trained by a run"),
        ("allenai/specter", "ids.txt", "allenai/specter was not trained by a run"),
        ("ids.txt", "absent", "no file or run 'absent'; expected a file of papers"),
        ("ids.txt", "empty.txt", "empty.txt: expected a text file with an id per line; found none"),
        (".", "ids.txt", ". is a folder, but not a run; expected a run of `platform sample`"),
        ("BENCH", "ids.txt", "is a run of `platform benchmark mdcr`"),
    ],
)
def test_error_messages_name_the_next_step(
    trained: str, benchmark: str, message: str, platform: Platform, store_path: Path, bench: str
) -> None:
    Path("ids.txt").write_text("a\n")
    Path("empty.txt").write_text("# none\n")
    before = sorted((store_path.parent / "runs").iterdir())
    named = bench if trained == "BENCH" else trained
    failed = platform("evaluate", "leakage", named, "--benchmark", benchmark, "--store", store_path)
    assert (failed.status, failed.out) == (1, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1
    assert sorted((store_path.parent / "runs").iterdir()) == before


def test_a_named_store_must_exist(platform: Platform) -> None:
    Path("ids.txt").write_text("a\n")
    words = ("evaluate", "leakage", "ids.txt", "--benchmark", "ids.txt")
    failed = platform(*words, "--store", "absent.lbug")
    assert failed.status == 1
    assert "no store at absent.lbug" in failed.err


def test_leakage_in_python(store_path: Path, bench: str) -> None:
    with citescape.open(store_path) as corpus:
        leaky = corpus.sample.importance(short_anchors="shrink", held_out=(bench,))
        folder = corpus.context.runs / bench
        clean = corpus.sample.importance(
            short_anchors="shrink", exclude=(bench,), held_out=(folder,)
        )
        assert leaky.leakage["triplets.parquet"].leaked > 0
        assert clean.leakage["triplets.parquet"].leaked == 0
        assert corpus.evaluate.leakage(clean, bench).counts["queries"]["leaked"] == 0
        assert corpus.evaluate.leakage(leaky, bench).counts["queries"]["share"] == 1


def test_training_data_of_encoders_is_traced(
    platform: Platform, store_path: Path, bench: str
) -> None:
    """Records of trained encoders hold their triplets' hash, of combined encoders their parts."""
    pytest.importorskip("torch")
    from tests.training.conftest import write_model

    base = write_model(store_path.parent / "tiny")
    with citescape.open(store_path) as corpus:
        sampled = corpus.sample.importance(triplets=60)
        results = corpus.train(sampled, base=base, tune="adapter", max_tokens=16, epochs=1, seeds=2)
        trained = tuple(entry.run for entry in results)
        mixed = corpus.train.combine(trained, weights=(0.5, 0.5)).run
        chosen = corpus.train.combine(trained, triplets=sampled, step=0.5).run
    words = ("--benchmark", bench, "--store", store_path, "--json")
    results = [
        platform("evaluate", "leakage", run, *words).json
        for run in (sampled.run, trained[0], mixed, chosen)
    ]
    assert [entry["training"] for entry in results[1:]] == [results[0]["training"]] * 3
    assert results[0]["unknown"] == []
    assert results[1]["unknown"] == results[2]["unknown"] == [str(base)]
    shutil.rmtree(store_path.parent / "runs" / sampled.run)
    failed = platform("evaluate", "leakage", trained[0], *words)
    assert failed.status == 1
    assert "no run of `platform sample` in" in failed.err


def test_evaluations_mark_encoders_trained_on_their_queries(
    platform: Platform, store_path: Path, bench: str
) -> None:
    """Also encoders smoothed over citations, and encoders whose triplets are deleted."""
    pytest.importorskip("torch")
    from tests.training.conftest import write_model

    base = write_model(store_path.parent / "tiny")
    with citescape.open(store_path) as corpus:
        samples = (
            corpus.sample.importance(short_anchors="shrink"),
            corpus.sample.importance(short_anchors="shrink", exclude=(bench,)),
        )
        leaky, clean = (
            corpus.train(sampled, base=base, tune="adapter", max_tokens=16, epochs=1)
            for sampled in samples
        )
        learned = set(samples[0].triplets().papers.to_pylist())
    runs = store_path.parent / "runs"
    benchmark = MdcrRun(runs / bench, read_run(runs / bench))
    texts = set(read_texts(benchmark.path / TEXTS["test"]).papers["id"].to_pylist())
    queries = set(benchmark.read().table["query"].to_pylist())  # too few queries for validation
    seen = len(queries & texts & learned)
    assert seen > 0
    named = (f"leaky={leaky.run}", f"clean={clean.run}", f"s=sgc:{leaky.run}", "bm25")
    where = ("--max-tokens", 16, "--store", store_path)
    shown = platform("evaluate", "mdcr", *named, *where)
    assert shown.status == 0, shown.err
    for name in ("leaky", "s"):
        assert f"\n{name}: trained on {seen} quer" in shown.out
    assert shown.out.count(": trained on ") == 2
    traits = platform("evaluate", "mdcr", *named, *where, "--json").json["traits"]
    assert {name: trait["seen"] for name, trait in traits.items()} == {
        "leaky": seen, "clean": 0, "s": seen, "bm25": 0,
    }  # fmt: skip
    page = Path(
        platform("evaluate", "report", "--store", store_path, "--json").json["page"]
    ).read_text()
    assert f"The training data of leaky contain {seen} of the queries" in page
    pools = ("--min-abstract", 0, "--min-citations", 0, *where)
    assert "leaky: trained on " in platform("evaluate", "pool", *named[::3], *pools).out
    shutil.rmtree(runs / samples[0].run)
    shown = platform("evaluate", "mdcr", *named, *where, "--seed", 1)
    assert "\nleaky: its triplets were removed" in shown.out
