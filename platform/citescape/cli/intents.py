"""`platform intents train|label|eval`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
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
from citescape.text.intents.config import KINDS, THRESHOLD, IntentConfig

if TYPE_CHECKING:
    from citescape.text.intents.evaluate import HardCase, IntentEvaluation
    from citescape.text.intents.label import LabelledIntents
    from citescape.text.intents.model import TrainedIntents

_WIDTH = 100
_files = click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


def _threshold_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--threshold",
        type=click.FloatRange(0, 1, min_open=True),
        default=THRESHOLD,
        show_default=True,
        help="From this probability on a context has an intent.",
    )(function)


@click.group(cls=InOrder)
def intents() -> None:
    """Tell what each citation is for: background, method, result, several or none.

    Rules need no training. Models are trained on labelled citations in SciCite's format, one JSON
    object a line; a list `labels` in place of `label` names several intents or none:

    \b
      {"string": "We used ... [12].", "sectionName": "Methods", "label": "method"}

    \b
    First steps:
      platform intents train train.jsonl              a linear model, in a minute
      platform intents eval dev.jsonl --model rules --model RUN
      platform intents label                          every citation of your papers
      platform cypher --name explore/facets           what citations are for
    """  # noqa: D301 - \b is the character that keeps click from wrapping


@intents.command()
@_files
@click.option(
    "--kind",
    type=click.Choice(tuple(KINDS)),
    default=IntentConfig.kind,
    show_default=True,
    help="Linear: n-grams, in a minute. Transformer: fine-tuned, some ten minutes on two cores. "
    "Combined: both.",
)
@encoder_option
@click.option(
    "--epochs",
    type=click.IntRange(1),
    default=IntentConfig.epochs,
    show_default=True,
    help="Passes of the transformer over the examples.",
)
@seed_option
@store_option
@runs_option
@output_options
def train(
    files: Sequence[Path],
    kind: str,
    encoder: str,
    epochs: int,
    seed: int,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Train a model on labelled citations in FILES.

    Each intent has a probability of its own, calibrated on examples that were held out. The model
    is kept in a run directory; the store is not touched. Needs `pip install 'citescape[learn]'`.
    """
    from citescape.runs.directory import default_runs
    from citescape.text.intents.model import train as compute
    from citescape.text.intents.scicite import read_examples

    config = IntentConfig(kind=kind, encoder=encoder, epochs=epochs, seed=seed)
    with ticking() as ticker:
        made = compute(
            read_examples(files), config, runs=runs or default_runs(store), progress=ticker.tell
        )
    if as_json:
        echo_json({**asdict(made), "kind": kind})
    else:
        run = made.run if made.unchanged else None
        _print_training(made, label_line("intents", store, runs, run=run))


@intents.command()
@model_option("intents train")
@_threshold_option
@click.option(
    "--again",
    is_flag=True,
    help="Label anew what this model has labelled, from the first paper on: needed once `platform "
    "sections label` has changed types. If it is interrupted, run it without --again to go on.",
)
@store_option
@runs_option
@output_options
def label(
    model: str, threshold: float, again: bool, store: str, runs: Path | None, as_json: bool
) -> None:
    """Label every citation in the text with its intents, and count them for each pair.

    Each context gets a probability for each intent and the intents above the threshold; CITES gets
    n_background, n_method, n_result. Intents that came with a paper are left alone. It may be
    interrupted and run again: what this model has labelled is passed over.
    """
    from citescape.runs.directory import default_runs
    from citescape.store.graph_store import open_store
    from citescape.text.intents.label import label as compute
    from citescape.text.intents.model import resolve_model

    graph = open_store(store, create=False)
    try:
        chosen = resolve_model(runs or default_runs(store), model)
        with ticking() as ticker:
            done = compute(graph, chosen, threshold=threshold, again=again, progress=ticker.tell)
    finally:
        graph.close()
    if as_json:
        echo_json(asdict(done))
    else:
        _print_labels(done, store, threshold=threshold)


@intents.command(name="eval")
@_files
@click.option(
    "--model",
    "models",
    multiple=True,
    default=("",),
    show_default="the last of `platform intents train`",
    metavar="RUN|FOLDER|rules",
    help="Run id or folder of a trained model, or `rules`; repeat it to compare.",
)
@_threshold_option
@click.option(
    "--cases", type=click.IntRange(0), default=5, show_default=True, help="Mistakes to show."
)
@store_option
@runs_option
@output_options
def evaluate(
    files: Sequence[Path],
    models: Sequence[str],
    threshold: float,
    cases: int,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Measure models on labelled citations in FILES, other than those they learned from.

    Macro-F1 and the confusion table take the most probable intent of each citation; ECE is the
    expected calibration error of all probabilities; the surest mistakes are shown.
    """
    from citescape.runs.directory import default_runs
    from citescape.text.intents.evaluate import evaluate as compute
    from citescape.text.intents.model import learned_from, resolve_model
    from citescape.text.intents.scicite import read_examples

    examples = read_examples(files)
    found: dict[str, IntentEvaluation] = {}
    known: list[str] = []
    with ticking() as ticker:
        for named in models:
            chosen = resolve_model(runs or default_runs(store), named)
            name = f"{chosen.name} ({chosen.record.id})"
            ticker.tell(f"judging with {name}")
            found[name] = compute(chosen.judge, examples, threshold=threshold, hard_cases=cases)
            if learned_from(chosen.record, examples):
                known.append(name)
    for name in known:
        echo(
            f"{name} learned from these very citations: its figures say nothing of others", err=True
        )
    if as_json:
        echo_json({name: one.as_dict() for name, one in found.items()})
    else:
        _print_evaluations(found)


def _print_training(made: TrainedIntents, following: str) -> None:
    known = ", ".join(f"{number(n)} {name}" for name, n in made.intents.items())
    echo(
        f"{'there already' if made.unchanged else 'trained'}: {made.run}, {made.config.kind}, on "
        f"{plural(made.examples, 'citation')} ({known}) in {made.seconds:.0f} s"
    )
    held = made.held_out
    echo(
        f"on {number(int(held['n']))} that were held out: macro-F1 {held['macro_f1']:.3f}, "
        f"calibration error {held['calibration_error']:.3f}"
    )
    echo(f"it is kept in {made.path}", "", f"next: {following}")


def _print_labels(done: LabelledIntents, store: str, *, threshold: float) -> None:
    change = f"{plural(done.written, 'label')} written" if done.written else "nothing changed"
    echo(
        f"{plural(done.contexts, 'citation')} in the text of {plural(done.papers, 'paper')}, "
        f"{change}, counts of {plural(done.pairs_written, 'pair')} written ({done.run})",
        "",
    )
    rows = [*done.intents.items(), (f"none above {threshold:g}", done.without_intent)]
    echo_table(("intent", "citations"), [*rows, ("several", done.several_intents)])
    if done.from_sources:
        echo("", f"{plural(done.from_sources, 'citation')} came with intents and kept them")
    echo("", f"next: {command_line('cypher --name explore/facets', store)}")


def _print_evaluations(found: dict[str, IntentEvaluation]) -> None:
    from citescape.text.intents.contexts import INTENTS

    rows = [
        (
            name,
            one.confusion.macro_f1,
            one.confusion.accuracy,
            *(one.confusion.f1.get(intent) for intent in INTENTS),
            one.calibration_error,
        )
        for name, one in found.items()
    ]
    echo_table(("model", "macro-F1", "accuracy", *INTENTS, "ECE"), rows)
    for name, one in found.items():
        echo("", f"{name}: {plural(one.examples, 'citation')}; rows are true, columns given")
        print_confusion(one.confusion)
        echo(
            f"{number(one.without_intent)} with no intent above the threshold, "
            f"{number(one.several_intents)} with several"
        )
        if one.hard_cases:
            echo("", "surest mistakes")
            _print_cases(one.hard_cases)


def _print_cases(cases: Sequence[HardCase]) -> None:
    for case in cases:
        text, title = case.context.text, case.context.title or "untitled section"
        true = "+".join(case.true) or "none"
        echo(f"  {true}, taken for {case.given} ({case.probability:.2f}), in {title[:40]}")
        echo(f"    {text if len(text) <= _WIDTH else text[: _WIDTH - 1] + '…'}")
