from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

import citescape
from tests.cli.conftest import Made, Platform

WORDS = ("--runs", "runs", "--max-tokens", 32)


@pytest.fixture(scope="module")
def benchmark_runs(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs with a benchmark of the generated corpus."""
    runs = tmp_path_factory.mktemp("benchmark") / "runs"
    with citescape.open(made.store, runs=runs, read_only=True) as corpus:
        corpus.benchmark.lcr(validation=0.3)
    return runs


@pytest.fixture
def build(platform: Platform, benchmark_runs: Path) -> str:
    """The id of the benchmark, which is copied to the working directory."""
    shutil.copytree(benchmark_runs, "runs")
    (run,) = Path("runs").glob("benchmark-lcr-*")
    return run.name


def test_a_benchmark_says_what_may_be_found_and_what_was_left_out(
    platform: Platform, made: Made
) -> None:
    shown = platform("benchmark", "lcr", "--store", made.store, "--runs", "runs")
    assert shown.status == 0, shown.err
    assert "works are candidates (strict-per-query)" in shown.out
    assert "leaked sentences, papers or works: 0" in shown.out
    assert "platform evaluate lcr" in shown.out
    assert "platform train reranker" in shown.out
    assert "overlap" not in shown.out.partition("leaked sentences")[0]


def test_every_full_text_is_in_a_part_or_told(platform: Platform, made: Made) -> None:
    words = ("benchmark", "lcr", "--store", made.store, "--runs", "runs", "--year")
    last = platform(*words, 0, "--json").json
    before = platform(*words, last["year"] - 1, "--json").json
    for told in (last, before):
        parts = sum(part["papers"] for part in told["parts"].values())
        assert parts + sum(told["others"].values()) == len(list(made.papers.rglob("*.xml")))
    later = last["parts"]["test"]["papers"]
    assert before["others"]["later"] == later > 0
    assert f"{later} are from later years" in platform(*words, before["year"]).out


def test_systems_are_measured_on_warm_and_cold_works_apart(
    platform: Platform, made: Made, build: str
) -> None:
    words = ("--store", made.store, *WORDS)
    shown = platform("evaluate", "lcr", "bm25", "fused", "--compare", *words)
    assert shown.status == 0, shown.err
    assert "warm: works that training sentences cite" in shown.out
    assert f"benchmark: {build} (strict-per-query), test" in shown.out
    assert "except under warm-only" in shown.out
    assert "building, s" in shown.out
    told = shown.out.partition("difference from bm25")[2]
    rows = {tuple(line.split()[1:3]) for line in told.splitlines() if line.startswith("fused ")}
    assert {(of, name) for of in ("all", "warm", "warm-only") for name in ("MRR", "R@10")} <= rows
    again = platform("evaluate", "lcr", "bm25", "fused", *words, "--json").json
    assert again["unchanged"]
    assert again["systems"] == ["bm25", "fused"]
    assert (again["benchmark"], again["split"]) == (build, "test")
    assert f"{again['citations']:,} citations, {again['warm_citations']:,} of warm" in shown.out
    conditions = {row["condition"] for row in again["figures"]}
    assert conditions == {"all", "warm", "cold", "warm-only"}
    page = platform("evaluate", "report", "--runs", "runs", "--store", made.store)
    assert page.status == 0, page.err
    text = (Path("runs") / again["run"] / "report.md").read_text(encoding="utf-8")
    (line,) = (one for one in text.splitlines() if "platform evaluate lcr bm25 fused" in one)
    repeated = platform(*shlex.split(line.strip("` ").removeprefix("platform ")), "--json")
    assert repeated.json["run"] == again["run"]


def test_a_sweep_shows_lists_of_all_lengths(platform: Platform, made: Made, build: str) -> None:
    words = ("evaluate", "lcr", "bm25", "--store", made.store, *WORDS)
    shown = platform(*words, "--sweep")
    assert shown.status == 0, shown.err
    _, _, table = shown.out.partition("by the length of the list")
    header, *rows = table.splitlines()[1:5]
    assert header.split()[0::2] == ["10", "50", "100", "300", "1000"]
    told = platform(*words, "-k", 1000, "--json").json
    means = {row["metric"]: row["mean"] for row in told["figures"] if row["condition"] == "all"}
    for row, family in zip(rows, ("recall", "ndcg", "mrr"), strict=True):
        assert row.split()[2:] == [f"{100 * means[f'{family}@{k}']:.1f}" for k in told["lengths"]]
    assert told["unchanged"]
    page = platform("evaluate", "report", "--runs", "runs", "--store", made.store)
    assert page.status == 0, page.err
    text = (Path("runs") / told["run"] / "report.md").read_text(encoding="utf-8")
    assert "## By length of the list" in text
    assert f"| bm25 | nDCG | {100 * means['ndcg@10']:.1f}" in text
    assert "nDCG@100" not in text.partition("## By length")[0]


def test_a_reranker_is_trained_and_measured_beside_its_retriever(
    platform: Platform, made: Made, build: str
) -> None:
    words = ("--store", made.store, *WORDS)
    few = ("--queries", 40, "--epochs", 1, "--k", 20, "--negatives", 2)
    trained = platform("train", "reranker", *few, *words)
    assert trained.status == 0, trained.err
    assert "after update" in trained.out
    assert f"benchmark: {build} (strict-per-query), train" in trained.out
    assert "warning: temporal overlap" in trained.out
    assert "platform evaluate lcr fused --rerank rerank-" in trained.out
    name = next(
        word for word in trained.out.split() if word.startswith("rerank-") and len(word) == 19
    )
    counts = json.loads((Path("runs") / name / "run.json").read_text(encoding="utf-8"))["counts"]
    assert f"{counts['validation_reranked']} with a cited work in the list" in trained.out
    dense = (*few, "--system", "dense")
    other = platform("train", "reranker", *dense, *words, "--delta", 0.5, "--json").json
    told = json.loads((Path("runs") / other["run"] / "run.json").read_text(encoding="utf-8"))
    assert json.loads(told["inputs"]["lists"])["system"] == "dense"
    assert json.loads(told["inputs"]["retriever"])["delta"] == 0.5
    again = platform("train", "reranker", *few, *words, "--json")
    assert again.json["run"] == name
    assert again.json["unchanged"]
    told = ("fused", "--rerank", name, "--depth", 5, "--depth", 10, "-k", 20)
    shown = platform("evaluate", "lcr", *told, "--compare", *words)
    assert shown.status == 0, shown.err
    assert f"fused > {name} @5" in shown.out
    assert f"fused > {name} @10" in shown.out
    for option in (("dense",), ("fused", "--words", 0.5)):
        failed = platform("evaluate", "lcr", *option, "--rerank", name, *words)
        assert failed.status == 1
        assert "change the retriever" in failed.err
    asked = ("--context", "Growth follows [?].", "--rerank", name, "--system", "bm25")
    failed = platform("recommend", *asked, *words)
    assert failed.status == 1
    assert "a retriever with --system fused; found bm25" in failed.err


def test_a_reranker_that_does_not_help_is_said_to(
    platform: Platform, made: Made, build: str
) -> None:
    """At a rate of nearly nothing its order is that of chance."""
    words = ("--queries", 20, "--epochs", 1, "--k", 20, "--learning-rate", 1e-12)
    words = ("train", "reranker", *words, "--store", made.store, *WORDS)
    told = platform(*words, "--json").json
    assert told["mrr"] == told["history"][-1]["mrr"] < told["retriever_mrr"]
    assert f"not better than the retriever: MRR {100 * told['mrr']:.1f}" in platform(*words).out
    kept = Path(told["path"]) / "run.json"
    record = json.loads(kept.read_text(encoding="utf-8"))
    record["counts"]["mrr"] = told["retriever_mrr"] + 0.01
    kept.write_text(json.dumps(record), encoding="utf-8")
    assert "not better than" not in platform(*words).out


def test_a_grid_of_weights_says_which_is_best(platform: Platform, made: Made, build: str) -> None:
    shown = platform("evaluate", "lcr", "--grid", 0.5, "--store", made.store, *WORDS)
    assert shown.status == 0, shown.err
    assert f"benchmark: {build} (strict-per-query), val" in shown.out
    assert "alpha 0.5" in shown.out
    assert "best: --alpha" in shown.out
    given = "--alpha 0.8 --beta 0.2 --gamma 0.7 --delta 0.3 --words 0.2"
    assert f"difference in MRR from {given}:" in shown.out
    assert Path(shown.out.partition("picture: ")[2].splitlines()[0]).is_file()


def test_a_folder_in_the_format_of_others_is_measured(
    platform: Platform, made: Made, build: str
) -> None:
    folder = Path("runs") / build
    (folder / "run.json").rename(folder / "kept.json")
    words = ("evaluate", "lcr", "profiler", *WORDS, "--benchmark")
    shown = platform(*words, folder, "--json")
    assert shown.status == 0, shown.err
    assert shown.json["protocol"] == "train-union"
    other = folder.rename("others")
    papers = json.loads((other / "papers.json").read_text(encoding="utf-8"))
    (other / "papers.json").write_text(json.dumps({**papers, "zzz": 7}), encoding="utf-8")
    odd = platform(*words, other, "--seed", 1)
    assert odd.status == 0, odd.err
    assert "benchmark: others (train-union), test" in odd.out
    assert "skipped 1 record that cannot be read: others/papers.json, 'zzz': " in odd.out
    told = platform(*words, other, "--seed", 1, "--json").json
    assert told["skipped_records"] == len(told["skipped_examples"]) == 1
    assert shown.json["candidates"] < shown.json["papers"]  # as published: of training alone


def test_a_folder_that_is_cut_off_is_told(platform: Platform, made: Made, build: str) -> None:
    folder = Path("runs") / build
    (folder / "run.json").unlink()
    path = folder / "contexts.json"
    path.write_text(path.read_text(encoding="utf-8")[:2000], encoding="utf-8")
    failed = platform("evaluate", "lcr", "bm25", "--benchmark", folder, *WORDS)
    assert failed.status == 1
    assert "contexts.json" in failed.err
    assert len(failed.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("evaluate", "lcr", "--rerank", "rerank-000000000000"), "expected a reranker"),
        (("evaluate", "lcr", "--encoder", "no/such"), "no/such"),
        (("evaluate", "lcr", "--benchmark", "nowhere"), "benchmark-lcr-"),
        (("train", "reranker", "--abstracts"), "abstracts is True; expected False"),
        (("train", "reranker", "--pair-tokens", "80"), "max_tokens is 80; expected 256"),
        (("train", "reranker", "--margin", ".2"), "margin is 0.2; expected 0.1"),
    ],
)
def test_what_cannot_be_measured_is_told_in_a_line(
    platform: Platform, made: Made, build: str, words: tuple[str, ...], message: str
) -> None:
    failed = platform(*words, "--store", made.store, *WORDS)
    assert failed.status == 1
    assert message in failed.err


ENCODER = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("evaluate", "lcr", "--grid", ".3"), "step is 0.3; expected a whole part of 1"),
        (("evaluate", "lcr", "--rerank", ENCODER), "is an encoder (BertModel), not a reranker"),
        (("evaluate", "lcr", "--rerank", "no/such"), "no/such is no model"),
        (("evaluate", "lcr", "--encoder", "rerank-0123456789ab"), "no encoder 'rerank-0123456789"),
        (("evaluate", "lcr", "--grid", "1", "--encoder", "no/such"), "no pretrained encoder"),
        (("train", "reranker", "--kind", "davinci", "--base", "no/such"), "no pretrained encoder"),
        (("train", "reranker", "--encoder", "no/such"), "no pretrained encoder"),
    ],
)
def test_names_are_checked_before_a_benchmark_is_read(
    platform: Platform, made: Made, words: tuple[str, ...], message: str
) -> None:
    """There is none, which would be told else."""
    failed = platform(*words, "--store", made.store, *WORDS)
    assert failed.status == 1
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1
    assert not list(Path("runs").glob("*"))


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "lcr", "bm52"),
        ("evaluate", "lcr", "--split", "none"),
        ("evaluate", "lcr", "--alpha", "0", "--gamma", "0", "--delta", "0"),
        ("evaluate", "lcr", "--grid", "0"),
        ("evaluate", "lcr", "bm25", "--grid", "0.1"),
        ("evaluate", "lcr", "--grid", "0.1", "--compare"),
        ("benchmark", "lcr", "--validation", "1"),
        ("benchmark", "lcr", "--protocol", "none"),
        ("train", "reranker", "--kind", "none"),
        ("train", "reranker", "--folds", "1"),
    ],
)
def test_wrong_settings_are_wrong_usage(
    platform: Platform, made: Made, words: tuple[str, ...]
) -> None:
    failed = platform(*words, "--store", made.store, "--runs", "runs")
    assert failed.status == 2
    assert len(failed.err.strip().splitlines()) == 1


def test_without_a_benchmark_the_way_to_one_is_told(platform: Platform, made: Made) -> None:
    failed = platform("evaluate", "lcr", "--store", made.store, *WORDS)
    assert failed.status == 1
    assert "benchmark lcr" in failed.err


def test_without_earlier_papers_there_is_no_benchmark(platform: Platform, made: Made) -> None:
    failed = platform("benchmark", "lcr", "--year", 1900, "--store", made.store, "--runs", "runs")
    assert failed.status == 1
    assert "there is no full text of 1900, or none before; expected some of both" in failed.err


def test_what_is_lost_or_known_beforehand_is_told(
    platform: Platform, made: Made, build: str
) -> None:
    told = platform(
        "benchmark", "lcr", "--store", made.store, "--runs", "runs", "--validation", 0.3
    )
    counts = json.loads((Path("runs") / build / "run.json").read_text(encoding="utf-8"))["counts"]
    newer = counts["temporal_overlap"]["val"]["newer_sentences"]
    assert newer > 0
    assert f"val: warning: temporal overlap: {newer:,} training sentences may be newer" in told.out
    assert counts["temporal_overlap"]["test"]["newer_sentences"] == 0
    assert "test: 0" not in told.out


def test_json_tells_all_counts(platform: Platform, made: Made, build: str) -> None:
    told = json.loads((Path("runs") / build / "run.json").read_text(encoding="utf-8"))
    assert told["counts"]["leaks"] == {
        "contexts_in_training": 0,
        "citing_in_training": 0,
        "outside": 0,
        "not_older": 0,
    }
    assert set(told["counts"]["parts"]) == {"train", "val", "test"}
