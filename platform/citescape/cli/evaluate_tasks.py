"""`platform evaluate scidocs` and `platform evaluate scirepeval`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.evaluation_options import compare_option
from citescape.cli.evaluation_output import (
    echo_run,
    print_differences,
    print_page,
    print_run,
    read_figures,
)
from citescape.cli.options import (
    add_options,
    output_options,
    runs_option,
    seed_option,
    tokens_option,
)
from citescape.cli.output import echo_table, number
from citescape.core.config import DEFAULT_STORE
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.metrics.evaluated import EvaluationRun

_DEFAULT_RUNS = Path("runs")
_METRICS = {
    "average": "",
    "f1": "F1",
    "f1_macro": "F1",
    "map": "MAP",
    "ndcg": "nDCG",
    "precision@1": "P@1",
    "P_5": "P@5",
    "P_10": "P@10",
    "kendalltau": "Kendall",
    "recip_rank": "MRR",
}
_OPTIONS = (
    click.argument("systems", metavar="SYSTEM...", nargs=-1),
    compare_option,
    tokens_option,
    seed_option,
    runs_option,
    output_options,
)


@click.command(short_help="Classes, reading, citations and recommendations of papers.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder as published: mag/, mesh/, cite/, cocite/, coread/, coview/, recomm/.",
)
@click.option(
    "--split", type=click.Choice(("test", "val")), default="test", show_default=True, help="Of it."
)
@click.option(
    "--ranker",
    type=click.Choice(("cosine", "features")),
    default="cosine",
    show_default=True,
    help="Of recommendations: cosine alone; or trained on features as published, up to chance.",
)
@add_options(*_OPTIONS)
def scidocs(data: Path, split: str, ranker: str, **asked: Any) -> None:
    """Evaluate embeddings by SciDocs, as its own evaluator does (Cohan et al. 2020).

    SYSTEM is a file of embeddings (JSON Lines with `paper_id` and `embedding`), a folder of
    cls.jsonl, user-citation.jsonl and recomm.jsonl, a run of `platform embed`, or an encoder (a run
    of `platform train`, a folder, a hub id), which reads titles and abstracts of
    paper_metadata_*.json; NAME=SYSTEM names it.

    Figures are in per cent, with 95% intervals from 10,000 bootstrap samples of queries where they
    are means over queries. The average is of twelve columns; it is given if all are there.

    \b
    Examples:
      platform evaluate scidocs --data scidocs/data scincl=scincl/ minilm --compare
      platform evaluate scidocs --data scidocs/data mine.jsonl --ranker features
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.core.cores import usable_cores
    from citescape.evaluation.scidocs import run
    from citescape.metrics.summary import Resampling
    from citescape.runs.directory import Stopwatch

    clock, runs = Stopwatch(), asked["runs"] or _DEFAULT_RUNS
    with ticking() as ticker:
        made = run.measure_scidocs(
            data,
            run.find_systems(
                asked["systems"],
                data,
                runs,
                max_tokens=asked["max_tokens"] or 0,
                progress=ticker.tell,
                clock=clock,
            ),
            run.SciDocsConfig(split, ranker),
            resampling=Resampling(asked["seed"]),
            asked={**_shared_options(asked), "data": str(data)},
            runs=runs,
            cores=usable_cores(),
            progress=ticker.tell,
            clock=clock,
        )
    _tell(made, asked, "SciDocs")


@click.command(short_help="Tasks of four formats, from a configuration.")
@click.option(
    "--tasks",
    "configuration",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="Configuration as published, scirepeval_tasks.jsonl.",
)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder that paths and data sets of the configuration are in, if not its own.",
)
@click.option("--task", "names", multiple=True, metavar="NAME", help="Of one name; repeatable.")
@click.option(
    "--type",
    "types",
    multiple=True,
    type=click.Choice(("classification", "regression", "proximity", "adhoc_search")),
    help="Of one type; repeatable.",
)
@add_options(*_OPTIONS)
def scirepeval(
    configuration: Path,
    data: Path | None,
    names: tuple[str, ...],
    types: tuple[str, ...],
    **asked: Any,
) -> None:
    """Evaluate embeddings by SciRepEval, as its own evaluator does (Singh et al. 2023).

    SYSTEM is a file of embeddings (JSON Lines with `doc_id` and `embedding`), a run of `platform
    embed`, or an encoder, which reads titles and abstracts from the folder `meta` of a task's data;
    NAME=SYSTEM names it. Without any, the files are read that tasks name in `embeddings`.

    Figures are in per cent; the average is of the nineteen tasks of published tables, and is given
    if all are there, as that of each format is.

    \b
    Examples:
      platform evaluate scirepeval --tasks scirepeval_tasks.jsonl --data data/ mine.jsonl
      platform evaluate scirepeval --tasks scirepeval_tasks.jsonl minilm --type proximity
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.core.cores import usable_cores
    from citescape.evaluation.given import SystemSources, find_given
    from citescape.evaluation.scirepeval import run
    from citescape.evaluation.scirepeval.tasks import choose_tasks, read_tasks
    from citescape.metrics.summary import Resampling
    from citescape.runs.directory import Stopwatch

    clock, runs = Stopwatch(), asked["runs"] or _DEFAULT_RUNS
    tasks = choose_tasks(read_tasks(configuration, data), names, types)
    told = {"tasks": str(configuration), "data": str(data or ""), "task": names, "type": types}
    with ticking() as ticker:
        sources = SystemSources(
            runs,
            lambda: run.read_texts(tasks),
            max_tokens=asked["max_tokens"] or 0,
            progress=ticker.tell,
            clock=clock,
        )
        made = run.measure_scirepeval(
            tasks,
            find_given(asked["systems"], sources) if asked["systems"] else (),
            resampling=Resampling(asked["seed"]),
            asked={**_shared_options(asked), **told},
            runs=runs,
            cores=usable_cores(),
            progress=ticker.tell,
            clock=clock,
        )
    _tell(made, asked, "SciRepEval")


def _shared_options(asked: dict[str, Any]) -> dict[str, Any]:
    """What both commands are given, for the record of the run."""
    return {"": asked["systems"], "max-tokens": asked["max_tokens"]}


def _tell(made: EvaluationRun, asked: dict[str, Any], title: str) -> None:
    if asked["as_json"]:
        echo_run(made, figures=made.figures.to_pylist())
        return
    counts = made.counts
    systems, figures = counts["systems"], read_figures(made)
    echo(f"{title}: {plural(len(counts['tasks']), 'task')}, in per cent")
    keys = dict.fromkeys((row["condition"], row["metric"]) for row in made.figures.to_pylist())
    rows = []
    for task, metric in keys:
        shown = [figures.get((one, task, "", metric), "") for one in systems]
        rows += [(task, _METRICS.get(metric, metric), *shown)] if any(shown) else []
    echo_table(("task", "metric", *systems), rows)
    if counts["absent"]:
        lacking = plural(len(counts["absent"]), "column")
        echo(f"no average: {lacking} absent: {', '.join(counts['absent'])}")
    for system in systems:
        _tell_missing(system, counts["papers"][system])
    if asked["compare"]:
        print_differences(made, names=_METRICS, title="task by task")
    print_run(made)
    print_page(made, DEFAULT_STORE, asked["runs"])


def _tell_missing(system: str, papers: dict[str, dict[str, int]]) -> None:
    lost = {task: one["missing"] + one["missing_others"] for task, one in papers.items()}
    told = ", ".join(f"{task} {number(count)}" for task, count in lost.items() if count)
    if told:
        echo(f"{system}: papers without an embedding: {told}")
