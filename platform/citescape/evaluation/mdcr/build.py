"""Builds a benchmark from the citations of a graph, by the method of MDCR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.assemble import (
    count_candidates,
    count_most_cited,
    find_pool,
    join_splits,
    list_candidates,
)
from citescape.evaluation.mdcr.benchmark import MdcrBenchmark
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.files import read_benchmark, write_benchmark, write_texts
from citescape.evaluation.mdcr.negatives import (
    check_lists,
    check_names,
    choose_models,
    measure_jaccard,
    search_lists,
)
from citescape.evaluation.mdcr.queries import TEST, VALIDATION, QuerySplits, choose_queries
from citescape.evaluation.prefilter import prefilter
from citescape.metrics.display import list_figures
from citescape.metrics.evaluation_run import LIBRARIES
from citescape.papers.documents import make_corpus
from citescape.papers.types import describe_other_types
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
)
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table, plural
from citescape.search.ranker import Ranker, SearchResult

COMMAND = "benchmark-mdcr"
SPLITS = {TEST: "mdcr_test.json", VALIDATION: "mdcr_val.json"}
_DROPPED = {
    "no_year": "without a year",
    "no_title": "without a title",
    "short_abstract": "with a short abstract",
    "few_citations": "with few citations",
}
TEXTS = {TEST: "mdcr_test_data.jsonl", VALIDATION: "mdcr_val_data.jsonl"}


@dataclass(frozen=True)
class MdcrRun(KeptRun):
    """A benchmark in its run directory, in the published format.

    mdcr_test.json, mdcr_val.json: candidates; mdcr_test_data.jsonl, mdcr_val_data.jsonl: titles and
    abstracts of all papers in them.
    """

    command = COMMAND
    noun = "benchmarks"

    def read(self, split: str = TEST) -> MdcrBenchmark:
        """Candidates of the split `test` or `val`."""
        return read_benchmark(self.path / SPLITS[split])

    @property
    def arrow(self) -> pa.Table:
        """Candidates of the test split: `field`, `query`, `kind`, `candidate`."""
        return self.read().table

    def summarise(self) -> Summary:
        """Numbers of queries, candidates and dropped papers, and next commands."""
        counts, config = self.counts, self.record.config
        dropped = ", ".join(
            f"{counts['dropped'][name]:,} {reason}" for name, reason in _DROPPED.items()
        )
        parts: list[Part] = [
            f"{counts['eligible']:,} of {plural(counts['papers'], 'paper')} pass the filter; left "
            f"out: {dropped}",
            f"queries of {counts['year']}: {counts['test']['queries']:,} in "
            f"{plural(len(counts['fields']), 'field')} to test, "
            f"{counts['val']['queries']:,} to validate; "
            f"{plural(len(counts['fields_left_out']), 'field')} with fewer than "
            f"{config['fewest']} left out",
        ]
        if counts.get("other_types"):  # runs of older versions lack it
            parts.append(describe_other_types(counts["other_types"], config["types"]))
        if counts["jaccard"]:
            title = "overlap of the lists of rankers (Jaccard)"
            parts += ["", Table(("rankers", "mean"), [*counts["jaccard"].items()], title)]
        parts += ["", f"candidates of: {', '.join(counts['models'])}, graph, most_cited, random"]
        by_field = counts.get("most_cited", {}).values()  # runs of older versions lack it
        if by_field:
            fewer = sum(field["papers"] < config["depth"] for field in by_field)
            few = f" ({plural(fewer, 'field has', 'fields have')} fewer)" if fewer else ""
            least = min(field["least"] for field in by_field)
            parts.append(
                f"most_cited: drawn from the first {config['depth']:,} papers of a field{few}, the "
                f"least cited of which has {plural(least, 'citation')}"
            )
        for split in SPLITS:
            short = counts[split]["short_lists"]
            if short:
                kinds = ", ".join(f"{kind} {count:,}" for kind, count in short.items())
                parts.append(
                    f"{split}: queries with fewer than {config['negatives']} candidates of: {kinds}"
                )
        if config["newer"]:
            newer = counts[TEST]["newer_candidates"]
            parts.append(f"{plural(newer, 'candidate')} newer than the query")
        return Summary(
            [*parts, "", self.describe()],
            list_figures(self),
            [
                ("evaluate rankers on it", f"evaluate mdcr bm25 minilm --benchmark {self.run}"),
                ("train without its queries", f"sample specter --exclude {self.run}"),
            ],
        )


def build_mdcr(
    literature: Literature,
    rankers: Mapping[str, Ranker],
    config: MdcrConfig | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
    clock: Stopwatch | None = None,
) -> MdcrRun:
    """Builds a benchmark: queries of one year by field, with cited papers and hard negatives.

    Args:
        literature: papers, citations, fields.
        rankers: rankers of its papers; of more than three, those whose lists overlap least are
            used (`negatives.choose_models`).
        config: settings.
        runs: folder of run directories.
        progress: receives messages.
        clock: started before work such as the encoding of texts.

    Raises:
        ConfigError: no paper or field has enough citations for queries; the name of a ranker is
            reserved, or it finds nothing for most queries; `runs` is not writable.
    """
    config, clock = config or MdcrConfig(), clock or Stopwatch()
    check_names(list(rankers))
    if not rankers:
        raise ConfigError(
            "no rankers; expected at least one, whose lists candidates are drawn from"
        )

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        eligible = prefilter(literature, config)
        queries = choose_queries(literature, eligible.papers, config)
        with clock.timed("search"):
            lists = _search(literature, rankers, queries, config=config, progress=progress)
        shared, models = _compare_lists(literature, lists)
        counts: dict[str, Any] = {
            "papers": len(literature),
            "eligible": int(eligible.papers.sum()),
            "dropped": {**eligible.dropped, **literature.left_out},
            "year": queries.year,
            "fields": list(queries.by_field[TEST]),
            "fields_left_out": queries.left_out,
            "other_types": queries.other_types,
            "models": models,
            "jaccard": shared,
            "most_cited": count_most_cited(literature, queries, config=config),
        }
        chosen = {name: lists[name] for name in models}
        for split in SPLITS:
            progress(f"choosing candidates of the {split} split")
            table = list_candidates(literature, queries, chosen, split=split, config=config)
            counts[split] = count_candidates(literature, table, list(chosen), config=config)
            if len(table):
                benchmark = MdcrBenchmark(table, split)
                write_benchmark(directory.path / SPLITS[split], benchmark)
                rows = find_rows(benchmark.papers, literature.ids)
                documents = [literature.corpus.documents[row] for row in rows.tolist()]
                corpus = make_corpus(benchmark.papers, documents)
                write_texts(directory.path / TEXTS[split], corpus)
        return counts

    inputs = {
        "literature": literature.fingerprint(),
        "models": {name: ranker.describe() for name, ranker in rankers.items()},
        "order": list(rankers),  # candidates of the first ranker are drawn first
    }
    return compute_run(
        MdcrRun,
        runs,
        asdict(config),
        inputs,
        fill=fill,
        seed=config.seed,
        libraries=LIBRARIES,
        clock=clock,
    )


def _search(
    literature: Literature,
    rankers: Mapping[str, Ranker],
    queries: QuerySplits,
    *,
    config: MdcrConfig,
    progress: Progress,
) -> dict[str, dict[str, SearchResult]]:
    """Model -> field -> first papers of its lists, for queries of both splits."""
    lists: dict[str, dict[str, SearchResult]] = {name: {} for name in rankers}
    for code, field in enumerate(literature.fields.names):
        if field not in queries.by_field[TEST]:
            continue
        pool = find_pool(literature, queries, code, config=config).astype(np.int64)
        own = join_splits(queries, field).astype(np.int64)
        for name, ranker in rankers.items():
            progress(f"searching {len(pool):,} papers of {field} by {name}")
            lists[name][field] = search_lists(
                ranker.among(pool), own, config.depth, keys=literature.keys, seed=config.seed
            )
    return lists


def _compare_lists(
    literature: Literature, lists: Mapping[str, Mapping[str, SearchResult]]
) -> tuple[dict[str, float], list[str]]:
    """Mean Jaccard of each pair of models, and the chosen models."""
    whole = {
        name: SearchResult(
            *(
                np.concatenate([getattr(result, part) for result in by_field.values()])
                for part in ("queries", "papers", "scores")
            )
        )
        for name, by_field in lists.items()
    }
    check_lists(whole)
    pairs = measure_jaccard(whole, literature)
    shared = {f"{first} and {second}": mean for (first, second), mean in pairs}
    return shared, choose_models(whole, literature)
