from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

import citescape
from tests.cli.conftest import GeneratedCorpus, Platform

WORDS = ("--runs", "runs", "--max-tokens", 32)


@pytest.fixture(scope="module")
def benchmark_runs(generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs with a benchmark of the generated corpus."""
    runs = tmp_path_factory.mktemp("benchmark") / "runs"
    with citescape.open(generated.store, runs=runs, read_only=True) as corpus:
        corpus.benchmark.lcr(validation=0.3)
    return runs


@pytest.fixture
def build(platform: Platform, benchmark_runs: Path) -> str:
    """The id of the benchmark, which is copied to the working directory."""
    shutil.copytree(benchmark_runs, "runs")
    (run,) = Path("runs").glob("benchmark-lcr-*")
    return run.name


def test_building_a_benchmark_reports_candidates_and_skipped_sentences(
    platform: Platform, generated: GeneratedCorpus
) -> None:
    shown = platform("benchmark", "lcr", "--store", generated.store, "--runs", "runs")
    assert shown.status == 0, shown.err
    assert "works are candidates (strict-per-query)" in shown.out
    assert "leaked sentences, papers or works: 0" in shown.out
    assert "platform evaluate lcr" in shown.out
    assert "platform train reranker" in shown.out
    assert "overlap" not in shown.out.partition("leaked sentences")[0]


def test_every_full_text_is_in_a_part_or_counted_as_skipped(
    platform: Platform, generated: GeneratedCorpus
) -> None:
    words = ("benchmark", "lcr", "--store", generated.store, "--runs", "runs", "--year")
    last = platform(*words, 0, "--json").json
    before = platform(*words, last["year"] - 1, "--json").json
    for record in (last, before):
        parts = sum(part["papers"] for part in record["parts"].values())
        assert parts + sum(record["others"].values()) == len(list(generated.papers.rglob("*.xml")))
    later = last["parts"]["test"]["papers"]
    assert before["others"]["later"] == later > 0
    assert f"{later} are from later years" in platform(*words, before["year"]).out


def test_metrics_are_shown_separately_for_warm_and_cold_works(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
    words = ("--store", generated.store, *WORDS)
    shown = platform("evaluate", "lcr", "bm25", "fused", "--compare", *words)
    assert shown.status == 0, shown.err
    assert "warm: works that training sentences cite" in shown.out
    assert f"benchmark: {build} (strict-per-query), test" in shown.out
    assert "except under warm-only" in shown.out
    assert "building, s" in shown.out
    differences = shown.out.partition("difference from bm25")[2]
    rows = {
        tuple(line.split()[1:3]) for line in differences.splitlines() if line.startswith("fused ")
    }
    assert {
        (works, name) for works in ("all", "warm", "warm-only") for name in ("MRR", "R@10")
    } <= rows
    again = platform("evaluate", "lcr", "bm25", "fused", *words, "--json").json
    assert again["unchanged"]
    assert again["systems"] == ["bm25", "fused"]
    assert (again["benchmark"], again["split"]) == (build, "test")
    assert f"{again['citations']:,} citations, {again['warm_citations']:,} of warm" in shown.out
    conditions = {row["condition"] for row in again["figures"]}
    assert conditions == {"all", "warm", "cold", "warm-only"}
    page = platform("evaluate", "report", "--runs", "runs", "--store", generated.store)
    assert page.status == 0, page.err
    text = (Path("runs") / again["run"] / "report.md").read_text(encoding="utf-8")
    (line,) = (entry for entry in text.splitlines() if "platform evaluate lcr bm25 fused" in entry)
    repeated = platform(*shlex.split(line.strip("` ").removeprefix("platform ")), "--json")
    assert repeated.json["run"] == again["run"]


def test_weights_of_words_are_compared(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
    words = ("evaluate", "lcr", "--choose-word-weight", "--store", generated.store, *WORDS)
    shown = platform(*words)
    assert shown.status == 0, shown.err
    assert "weight of words: " in shown.out
    for weight in ("0", "0.2", "1"):
        assert f"\nfused, word weight {weight} " in shown.out
    failed = platform("evaluate", "lcr", "bm25", "--choose-word-weight")
    assert (failed.status, failed.out) == (2, "")
    assert "choose_word_weight with systems, rerank or split" in failed.err


def test_a_sweep_shows_metrics_by_list_length(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
    words = ("evaluate", "lcr", "bm25", "--store", generated.store, *WORDS)
    shown = platform(*words, "--sweep")
    assert shown.status == 0, shown.err
    _, _, table = shown.out.partition("by the length of the list")
    header, *rows = table.splitlines()[1:5]
    assert header.split()[0::2] == ["10", "50", "100", "300", "1000"]
    result = platform(*words, "-k", 1000, "--json").json
    means = {row["metric"]: row["mean"] for row in result["figures"] if row["condition"] == "all"}
    for row, family in zip(rows, ("recall", "ndcg", "mrr"), strict=True):
        assert row.split()[2:] == [f"{100 * means[f'{family}@{k}']:.1f}" for k in result["lengths"]]
    assert result["unchanged"]
    page = platform("evaluate", "report", "--runs", "runs", "--store", generated.store)
    assert page.status == 0, page.err
    text = (Path("runs") / result["run"] / "report.md").read_text(encoding="utf-8")
    assert "## By length of the list" in text
    assert f"| bm25 | nDCG | {100 * means['ndcg@10']:.1f}" in text
    assert "nDCG@100" not in text.partition("## By length")[0]


def test_a_reranker_is_trained_and_compared_with_its_retriever(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
    words = ("--store", generated.store, *WORDS)
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
    record = json.loads((Path("runs") / other["run"] / "run.json").read_text(encoding="utf-8"))
    assert json.loads(record["inputs"]["lists"])["system"] == "dense"
    assert json.loads(record["inputs"]["retriever"])["delta"] == 0.5
    again = platform("train", "reranker", *few, *words, "--json")
    assert again.json["run"] == name
    assert again.json["unchanged"]
    record = ("fused", "--rerank", name, "--depth", 5, "--depth", 10, "-k", 20)
    shown = platform("evaluate", "lcr", *record, "--compare", *words)
    assert shown.status == 0, shown.err
    assert f"fused > {name} @5" in shown.out
    assert f"fused > {name} @10" in shown.out
    for option in (("dense",), ("fused", "--word-weight", 0.5)):
        failed = platform("evaluate", "lcr", *option, "--rerank", name, *words)
        assert failed.status == 1
        assert "change the retriever" in failed.err
    request = ("--context", "Growth follows [?].", "--rerank", name, "--system", "bm25")
    failed = platform("recommend", *request, *words)
    assert failed.status == 1
    assert "a retriever with --system fused; found bm25" in failed.err


def test_a_reranker_that_does_not_improve_is_reported(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
    """With a learning rate near zero, its order is random."""
    words = ("--queries", 20, "--epochs", 1, "--k", 20, "--learning-rate", 1e-12)
    words = ("train", "reranker", *words, "--store", generated.store, *WORDS)
    result = platform(*words, "--json").json
    assert result["mrr"] == result["history"][-1]["mrr"] < result["retriever_mrr"]
    assert f"not better than the retriever: MRR {100 * result['mrr']:.1f}" in platform(*words).out
    kept = Path(result["path"]) / "run.json"
    record = json.loads(kept.read_text(encoding="utf-8"))
    record["counts"]["mrr"] = result["retriever_mrr"] + 0.01
    kept.write_text(json.dumps(record), encoding="utf-8")
    assert "not better than" not in platform(*words).out


def test_a_grid_reports_the_best_weights(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
    shown = platform("evaluate", "lcr", "--grid", 0.5, "--store", generated.store, *WORDS)
    assert shown.status == 0, shown.err
    assert f"benchmark: {build} (strict-per-query), val" in shown.out
    assert "alpha 0.5" in shown.out
    assert "best: --alpha" in shown.out
    weights = "--alpha 0.8 --beta 0.2 --gamma 0.7 --delta 0.3 --word-weight 0.2"
    assert f"difference in MRR from {weights}:" in shown.out
    assert Path(shown.out.partition("picture: ")[2].splitlines()[0]).is_file()


def test_a_benchmark_folder_in_another_format_is_evaluated(
    platform: Platform, generated: GeneratedCorpus, build: str
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
    skipped = platform(*words, other, "--seed", 1)
    assert skipped.status == 0, skipped.err
    assert "benchmark: others (train-union), test" in skipped.out
    assert "skipped 1 record that cannot be read: others/papers.json, 'zzz': " in skipped.out
    result = platform(*words, other, "--seed", 1, "--json").json
    assert result["skipped_records"] == len(result["skipped_examples"]) == 1
    assert shown.json["candidates"] < shown.json["papers"]  # candidates from training only


def test_a_truncated_benchmark_file_is_reported(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
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
def test_impossible_evaluations_are_refused_in_one_line(
    platform: Platform, generated: GeneratedCorpus, build: str, words: tuple[str, ...], message: str
) -> None:
    failed = platform(*words, "--store", generated.store, *WORDS)
    assert failed.status == 1
    assert message in failed.err


ENCODER = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("evaluate", "lcr", "--grid", ".3"), "step is 0.3; expected 1 / N"),
        (("evaluate", "lcr", "--rerank", ENCODER), "is an encoder (BertModel), not a reranker"),
        (("evaluate", "lcr", "--rerank", "no/such"), "no/such is no model"),
        (("evaluate", "lcr", "--encoder", "rerank-0123456789ab"), "no encoder 'rerank-0123456789"),
        (("evaluate", "lcr", "--grid", "1", "--encoder", "no/such"), "no pretrained encoder"),
        (("train", "reranker", "--kind", "davinci", "--base", "no/such"), "no pretrained encoder"),
        (("train", "reranker", "--encoder", "no/such"), "no pretrained encoder"),
    ],
)
def test_system_names_are_checked_before_the_benchmark_is_read(
    platform: Platform, generated: GeneratedCorpus, words: tuple[str, ...], message: str
) -> None:
    """The benchmark does not exist, which would be the message otherwise."""
    failed = platform(*words, "--store", generated.store, *WORDS)
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
def test_invalid_settings_are_refused(
    platform: Platform, generated: GeneratedCorpus, words: tuple[str, ...]
) -> None:
    failed = platform(*words, "--store", generated.store, "--runs", "runs")
    assert failed.status == 2
    assert len(failed.err.strip().splitlines()) == 1


def test_a_missing_benchmark_names_the_command_that_builds_it(
    platform: Platform, generated: GeneratedCorpus
) -> None:
    failed = platform("evaluate", "lcr", "--store", generated.store, *WORDS)
    assert failed.status == 1
    assert "benchmark lcr" in failed.err


def test_a_benchmark_needs_earlier_papers(platform: Platform, generated: GeneratedCorpus) -> None:
    failed = platform(
        "benchmark", "lcr", "--year", 1900, "--store", generated.store, "--runs", "runs"
    )
    assert failed.status == 1
    assert "no full text is from 1900, or none is older; expected some of both" in failed.err


def test_temporal_overlap_is_reported(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
    shown = platform(
        "benchmark", "lcr", "--store", generated.store, "--runs", "runs", "--validation", 0.3
    )
    counts = json.loads((Path("runs") / build / "run.json").read_text(encoding="utf-8"))["counts"]
    newer = counts["temporal_overlap"]["val"]["newer_sentences"]
    assert newer > 0
    assert f"val: warning: temporal overlap: {newer:,} training sentences may be newer" in shown.out
    assert counts["temporal_overlap"]["test"]["newer_sentences"] == 0
    assert "test: 0" not in shown.out


def test_json_contains_all_counts(
    platform: Platform, generated: GeneratedCorpus, build: str
) -> None:
    record = json.loads((Path("runs") / build / "run.json").read_text(encoding="utf-8"))
    assert record["counts"]["leaks"] == {
        "contexts_in_training": 0,
        "citing_in_training": 0,
        "outside": 0,
        "not_older": 0,
    }
    assert set(record["counts"]["parts"]) == {"train", "val", "test"}
