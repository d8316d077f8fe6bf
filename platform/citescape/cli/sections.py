"""`platform sections train|label|eval`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import (
    InOrder,
    command_line,
    encoder_option,
    label_line,
    model_option,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_json, echo_table, number, print_confusion
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural
from citescape.text.sections.config import METHODS, SectionConfig

if TYPE_CHECKING:
    from citescape.text.sections.evaluate import HardCase, SectionEvaluation
    from citescape.text.sections.label import LabelledSections
    from citescape.text.sections.model import TrainedSections

_SHOWN_CASES = 8
_WIDTH = 60


def _papers_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--papers`: how much of the corpus to read."""
    return click.option(
        "--papers",
        type=click.IntRange(1),
        default=SectionConfig.papers,
        show_default=True,
        help="Take so many papers at most, drawn at random.",
    )(function)


@click.group(cls=InOrder)
def sections() -> None:
    """Tell what kind of section each citation stands in.

    Types: I introduction, M method, R results, D discussion, other. Rules on titles tell most of
    them when papers are loaded; a model trained on those tells the rest, from title, first words,
    place and length, and from what the sections around it are.

    \b
    First steps:
      platform sections train            learn from what rules know of your papers
      platform sections label            type the sections that rules leave open
      platform score                     bring importance up to date
    """  # noqa: D301 - \b is the character that keeps click from wrapping


@sections.command()
@encoder_option
@click.option("--titles-only", is_flag=True, help="Leave out the first words of each section.")
@click.option(
    "--epochs",
    type=click.IntRange(1),
    default=None,
    show_default=f"{SectionConfig.epochs}, more where papers are few",
    help="Passes over the papers.",
)
@_papers_option
@seed_option
@store_option
@runs_option
@output_options
def train(
    encoder: str,
    titles_only: bool,
    epochs: int | None,
    papers: int,
    seed: int,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Train a model on the sections whose type rules know.

    A BiLSTM-CRF over the sections of a paper. Titles that tell the type are hidden in part, so
    that it learns from the rest. Two thousand papers take seven minutes on two cores. The store is
    only read; the model is kept in a run directory. Needs `pip install 'citescape[learn]'`.
    """
    from citescape.store.graph_store import open_store
    from citescape.text.sections.model import train as compute

    config = SectionConfig(encoder=encoder, body=not titles_only, papers=papers, seed=seed)
    if epochs is not None:
        config = replace(config, epochs=epochs, fewest_steps=1)
    graph = open_store(store, read_only=True)
    try:
        with ticking() as ticker:
            made = compute(graph, config, runs=runs, progress=ticker.tell)
    finally:
        graph.close()
    if as_json:
        echo_json(
            {
                "run": made.run,
                "papers": made.papers,
                "sections": made.sections,
                "known": made.known,
                "unchanged": made.unchanged,
            }
        )
        return
    _print_training(made)
    run = made.run if made.unchanged else None
    echo("", f"next: {label_line('sections', store, runs, run=run)}")


def _print_training(made: TrainedSections) -> None:
    known = ", ".join(f"{number(n)} {kind}" for kind, n in made.known.items())
    echo(
        f"{'there already' if made.unchanged else 'trained'}: {made.run}, on "
        f"{plural(made.sections, 'section')} of {plural(made.papers, 'paper')} (known: {known})"
    )
    echo(f"it is kept in {made.path}")


@sections.command()
@model_option("sections train")
@store_option
@runs_option
@output_options
def label(model: str, store: str, runs: Path | None, as_json: bool) -> None:
    """Type the sections that rules leave open.

    Each section keeps its type, what told it (sec-type, title, parent, lead, model) and the
    model's probability. In papers of which the model is unsure on the whole, such as floras and
    proceedings, they stay `other`. It may be interrupted and run again: papers that are done are
    passed over.
    `--model rules` takes back what models said.
    """
    from dataclasses import asdict

    from citescape.runs.directory import default_runs
    from citescape.store.graph_store import open_store
    from citescape.text.sections.label import has_intents, resolve_model
    from citescape.text.sections.label import label as compute

    graph = open_store(store, create=False)
    try:
        chosen = resolve_model(runs or default_runs(store), model)
        with ticking() as ticker:
            done = compute(graph, chosen, progress=ticker.tell)
        judged = has_intents(graph)
    finally:
        graph.close()
    if as_json:
        echo_json(asdict(done))
        return
    _print_labels(done)
    if done.written:
        echo(f"next: {command_line('score', store, runs)}")
    if done.written and judged:
        again = command_line("intents label --again", store, runs)
        echo(f"intents were judged by the types before; to judge them anew: {again}")


def _print_labels(done: LabelledSections) -> None:
    change = "nothing changed" if not done.written else f"{plural(done.written, 'section')} written"
    echo(f"{plural(done.sections, 'section')} of {plural(done.papers, 'paper')}, {change}", "")
    by_source = sorted((-count, source) for source, count in done.by_source.items())
    echo_table(("told by", "sections"), [(source, -count) for count, source in by_source])
    found = ", ".join(f"{number(n)} {kind}" for kind, n in sorted(done.labelled.items()))
    echo("", f"those that rules leave open: {found or 'none'} ({done.run})")
    if done.unsure:
        unsure = plural(done.unsure, "section")
        echo(f"{unsure} of them other as the model is unsure of their papers")


@sections.command(name="eval")
@encoder_option
@click.option(
    "--method",
    "methods",
    type=click.Choice(tuple(METHODS)),
    multiple=True,
    help="Only these of the ways compared; may be repeated.",
)
@_papers_option
@click.option(
    "--seeds", type=click.IntRange(1), default=3, show_default=True, help="How many splits."
)
@store_option
@output_options
def evaluate(
    encoder: str, methods: Sequence[str], papers: int, seeds: int, store: str, as_json: bool
) -> None:
    """Measure how well types are told where rules cannot.

    Trains on one half of the papers and tests on the other. TOP: sections at the top level, all
    their titles hidden. SUB: subsections with their parent's title hidden. Rules, words alone,
    a linear CRF and the model, with and without the first words of each section; `strict` hides
    every title that rules can read, also where it is not the answer.
    """
    from citescape.store.graph_store import open_store
    from citescape.text.sections.evaluate import evaluate as compute
    from citescape.text.sections.model import read_corpus

    config = SectionConfig(encoder=encoder, papers=papers)
    graph = open_store(store, read_only=True)
    try:
        read = read_corpus(graph, papers=config.papers, seed=config.seed)
    finally:
        graph.close()
    with ticking() as ticker:
        found = compute(
            read,
            config,
            methods=methods or tuple(METHODS),
            seeds=range(seeds),
            progress=ticker.tell,
        )
    if as_json:
        echo_json(_as_json(found))
    else:
        _print_evaluation(found)


def _as_json(found: SectionEvaluation) -> dict[str, object]:
    from dataclasses import asdict

    return {
        "papers": found.papers,
        "scores": [
            {
                "method": scores.method,
                "seed": scores.seed,
                "top": scores.top.as_dict(),
                "sub": scores.sub.as_dict(),
                "cpu_seconds": scores.cpu_seconds,
            }
            for scores in found.scores
        ],
        "hard": [asdict(case) for case in found.hard],
    }


def _print_evaluation(found: SectionEvaluation) -> None:
    from citescape.text.sections.evaluate import FULL

    methods = list(dict.fromkeys(scores.method for scores in found.scores))
    rows = []
    for method in methods:
        each = found.of(method)
        rows.append(
            (
                method,
                _spread([s.top.macro_f1 for s in each]),
                _spread([s.top.accuracy for s in each]),
                _spread([s.sub.macro_f1 for s in each]),
                _spread([s.sub.accuracy for s in each]),
                f"{mean(s.cpu_seconds for s in each):,.1f}",
            )
        )
    splits = len(found.of(methods[0]))
    mean_of = "; mean ± standard deviation" if splits > 1 else ""
    halves = f"{plural(splits, 'split')} into halves{mean_of}"
    echo(f"{plural(found.papers, 'paper')}, {halves}", "")
    header = ("method", "TOP F1", "TOP accuracy", "SUB F1", "SUB accuracy", "CPU s")
    echo_table(header, rows)
    last = found.of(FULL if FULL in methods else methods[-1])[-1]
    for name, table in (("TOP", last.top), ("SUB", last.sub)):
        echo("", f"{name}, {last.method}, split {last.seed}: rows are true, columns given")
        print_confusion(table)
    if found.hard:
        echo("", "surest mistakes")
        _print_cases(found.hard[:_SHOWN_CASES])


def _print_cases(cases: Sequence[HardCase]) -> None:
    rows = [
        (case.true, case.given, case.probability, _cut(case.title), _cut(case.opening))
        for case in cases
    ]
    echo_table(("true", "given", "p", "title", "first words"), rows)


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def _spread(values: Sequence[float]) -> str:
    spread = f" ± {stdev(values):.3f}" if len(values) > 1 else ""
    return f"{mean(values):.3f}{spread}"
