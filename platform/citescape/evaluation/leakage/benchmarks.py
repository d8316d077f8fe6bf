"""The papers of benchmarks, by split and part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.evaluation.leakage.files import iterate_titles, read_list
from citescape.evaluation.leakage.papers import (
    PaperList,
    join_lists,
    list_pairs,
    list_places,
    list_titles,
)
from citescape.evaluation.leakage.published import is_scidocs, read_scidocs, read_scirepeval
from citescape.evaluation.mdcr.benchmark import TRUE, MdcrBenchmark
from citescape.evaluation.mdcr.build import SPLITS, TEXTS, MdcrRun
from citescape.evaluation.mdcr.files import read_benchmark
from citescape.metrics.evaluation_run import QUERIES, EvaluationRun
from citescape.runs.directory import command_words, find_run, read_command, read_run

QUERY, CITED, CANDIDATE = "query", "cited", "candidate"
_POOLS = ("pool", "field pools")


def read_benchmark_list(runs: Path, named: str, texts: Path | None = None) -> PaperList:
    """The papers of a benchmark.

    Args:
        runs: folder of run directories.
        named: run of `platform benchmark mdcr` or `platform evaluate pool`; published file
            `mdcr_test.json`, with titles if `mdcr_test_data.jsonl` is beside it; folder of SciDocs;
            `scirepeval_tasks.jsonl`, see `read_tasks`; or a list, see `files.read_list`.
        texts: file of records with an id and a title, in place of the titles of the benchmark.

    Raises:
        ConfigError: none of these.
        SourceError: a file has another format.
    """
    papers = _read(runs, named)
    return replace(papers, titles=list_titles(iterate_titles(texts))) if texts else papers


def _read(runs: Path, named: str) -> PaperList:
    path = find_run(runs, named) or Path(named)
    command = read_command(path)
    if command:
        return _read_run(path, command)
    if path.is_dir():
        if is_scidocs(path):
            return read_scidocs(path)
        raise ConfigError(f"{named} is a folder without a benchmark; expected {_EXPECTED}")
    if path.suffix == ".json":  # a published file
        texts = path.with_name(f"{path.stem}_data.jsonl")
        split = next((split for split, file in SPLITS.items() if file == path.name), "")
        return list_benchmark(read_benchmark(path), split, texts if texts.is_file() else None)
    if path.suffix == ".jsonl" and path.is_file():
        with path.open(encoding="utf-8", errors="replace") as file:
            line = next((line for line in file if line.strip()), "")
        if all(key in line for key in ('"type"', '"data"', '"metrics"')):  # tasks, not papers
            return read_scirepeval(path)
    return read_list(path)


def _read_run(path: Path, command: str) -> PaperList:
    record = read_run(path)
    if command == MdcrRun.command:  # a benchmark may have no validation split
        run = MdcrRun(path, record)
        splits = [split for split, file in SPLITS.items() if (path / file).is_file()]
        lists = [list_benchmark(run.read(split), split, path / TEXTS[split]) for split in splits]
        return join_lists(run.run, lists)
    if command == EvaluationRun.command and record.config.get("benchmark") in _POOLS:
        queries = EvaluationRun(path, record).read_table(QUERIES, "query")["query"]
        rows = list_places([(("", QUERY), pc.unique(queries))])
        return PaperList(record.id, rows, queried=frozenset({("", QUERY)}))
    raise ConfigError(
        f"{path.name} is a run of `platform {command_words(command)}` and has no papers of a "
        f"benchmark; expected {_EXPECTED}"
    )


def list_benchmark(benchmark: MdcrBenchmark, split: str, texts: Path | None = None) -> PaperList:
    """Queries, cited papers and other candidates of a split; a paper may have several parts.

    Args:
        benchmark: candidates of a split.
        split: name of the split.
        texts: file of records with an id and a title.
    """
    table = benchmark.table
    cited = table.filter(pc.equal(table["kind"], TRUE))
    others = table.filter(pc.not_equal(table["kind"], TRUE))
    parts = {QUERY: table["query"], CITED: cited["candidate"], CANDIDATE: others["candidate"]}
    return PaperList(
        benchmark.source,
        list_places(((split, part), pc.unique(ids)) for part, ids in parts.items()),
        list_titles(iterate_titles(texts) if texts else ()),
        list_pairs(cited["query"], cited["candidate"]),
        frozenset({(split, QUERY)}),
    )


_EXPECTED = (
    "a run of `platform benchmark mdcr` or `platform evaluate pool`, mdcr_test.json, the folder of "
    "SciDocs, scirepeval_tasks.jsonl, or a list of papers"
)
