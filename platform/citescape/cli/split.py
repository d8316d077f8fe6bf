"""`platform split train|label|eval`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from citescape.cli.options import (
    InOrder,
    encoder_option,
    label_line,
    model_option,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_json, echo_table, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.text.abstracts.chat import ChatConfig
    from citescape.text.abstracts.evaluate import Evaluation
    from citescape.text.abstracts.facets import Splitter
    from citescape.text.abstracts.label import SplitResult
    from citescape.text.abstracts.llm import LlmSplitter
    from citescape.text.abstracts.train import TrainResult

_KINDS = ("position", "linear", "sequence", "vectors")
"""As `text.abstracts.train.KINDS`, which is not imported for the sake of a fast `--help`."""
_SHOWN_CASES = 8
_SHOWN_HEADINGS = 5


@click.group(cls=InOrder)
def split() -> None:
    """Split abstracts into background, method and result.

    Each sentence goes into exactly one part, as it stands. A structured abstract is split by its
    own headings (conclusions are results), any other by a model that learned from the structured
    ones, by rules, or by an LLM.

    \b
    First steps:
      platform split train                         learn from structured abstracts
      platform split label                         split all abstracts with that model
      platform split label --model rules           without any model
      platform cypher "MATCH (p:Paper) RETURN p.title, p.abstract_method LIMIT 3"
    """  # noqa: D301 - \b is the character that keeps click from wrapping


@split.command()
@click.option(
    "--kind",
    type=click.Choice(_KINDS),
    default="sequence",
    show_default=True,
    help="position: the commonest facet of each tenth, a control; linear: logistic regression on "
    "words and position; sequence: a CRF on the same; vectors: that CRF with the vectors of "
    "--encoder besides.",
)
@encoder_option
@seed_option
@store_option
@runs_option
@output_options
@click.pass_context
def train(
    context: click.Context,
    kind: str,
    encoder: str,
    seed: int,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Train a model on the structured abstracts of the store.

    It learns from abstracts whose headings name background, method and result; the headings
    themselves it never sees. The store is only read; the model is kept in a run directory. Needs
    `pip install 'citescape[learn]'`.
    """
    from citescape.store.graph_store import open_store
    from citescape.text.abstracts.train import SplitConfig
    from citescape.text.abstracts.train import train as compute

    _check_encoder(context, [kind])
    with closing(open_store(store, read_only=True)) as graph, ticking() as ticker:
        made = compute(graph, SplitConfig(kind, seed, encoder), runs=runs, progress=ticker.tell)
    if as_json:
        echo_json({"run": made.record.id, "unchanged": made.known, **made.record.counts})
        return
    _print_training(made)
    run = made.record.id if made.known else None
    echo(f"it is kept in {made.path}", "", f"next: {label_line('split', store, runs, run=run)}")


@split.command()
@model_option("split train")
@click.option(
    "--llm",
    metavar="URL",
    help="Ask an instruction-tuned LLM at this OpenAI-compatible address instead, such as "
    "http://localhost:8000/v1; the key, if it wants one, from CITESCAPE_LLM_KEY. What it fails to "
    "split is split by --model.",
)
@click.option("--llm-model", default="", metavar="NAME", help="Which model to ask there.")
@click.option(
    "--llm-parallel",
    type=click.IntRange(1, 256),
    default=4,
    show_default=True,
    help="Requests at once.",
)
@click.option(
    "--llm-attempts",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Answers to ask for until one keeps every sentence.",
)
@click.option(
    "--llm-timeout",
    type=click.FloatRange(0, min_open=True),
    default=120,
    show_default=True,
    help="Seconds for one answer.",
)
@store_option
@runs_option
@output_options
def label(
    model: str,
    llm: str | None,
    llm_model: str,
    llm_parallel: int,
    llm_attempts: int,
    llm_timeout: float,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Split the abstract of every paper and keep the parts on it.

    Writes abstract_background, abstract_method and abstract_result, where each sentence ends and
    its facet, what split it (headings, model, rules, llm) and the run. It may be interrupted and
    run again: papers that are done are passed over.
    """
    from citescape.runs.directory import default_runs
    from citescape.store.graph_store import open_store
    from citescape.text.abstracts.chat import ChatConfig
    from citescape.text.abstracts.label import label as compute

    if llm_model and not llm:
        raise click.UsageError("--llm-model names a model of a server; expected --llm URL too")
    asked = None
    if llm is not None:
        asked = ChatConfig(llm, llm_model, timeout=llm_timeout, parallel=llm_parallel)
    chosen = _choose(model, runs or default_runs(store), with_llm=asked is not None)
    with ExitStack() as stack:
        splitter, speaker = chosen, None
        if asked:
            splitter = speaker = _open_llm(asked, chosen, stack, attempts=llm_attempts)
        graph = stack.enter_context(closing(open_store(store, create=False)))
        ticker = stack.enter_context(ticking())
        done = compute(graph, splitter, progress=ticker.tell)
    if as_json:
        echo_json({**_result_json(done), **_model_json(chosen), **_llm_json(speaker)})
    else:
        _print_result(done)
        _print_fallen(done, speaker)
        echo("", f"run {done.run}", _model_line(chosen, beside=speaker))


@split.command(name="eval")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(("rules", *_KINDS)),
    help="Only these; may be repeated.  [default: all but vectors, which needs an encoder]",
)
@encoder_option
@click.option(
    "--seeds", type=click.IntRange(1), default=3, show_default=True, help="How many splits."
)
@store_option
@output_options
@click.pass_context
def evaluate(
    context: click.Context,
    kinds: Sequence[str],
    encoder: str,
    seeds: int,
    store: str,
    as_json: bool,
) -> None:
    """Measure how well sentences are told apart.

    Each kind learns from one half of the structured abstracts and is tested on the other, headings
    hidden. "In-text F1" is of abstracts whose headings are printed in the text (and hidden there);
    they are of other journals. Abstracts without any headings are less orderly, and these figures
    too good for them.
    """
    from citescape.store.graph_store import open_store
    from citescape.text.abstracts.evaluate import EVALUATED
    from citescape.text.abstracts.evaluate import evaluate as compute
    from citescape.text.abstracts.gold import check_gold, collect_gold
    from citescape.text.abstracts.train import read_abstracts

    _check_encoder(context, kinds or EVALUATED)
    with closing(open_store(store, read_only=True)) as graph, ticking() as ticker:
        gold = collect_gold(read_abstracts(graph, ticker.tell))
        check_gold(gold, graph.location)
        found = compute(
            gold,
            kinds=kinds or EVALUATED,
            seeds=range(seeds),
            encoder=encoder,
            progress=ticker.tell,
        )
    if as_json:
        echo_json({"abstracts": len(gold.complete), "kinds": [one.as_dict() for one in found]})
        return
    echo(
        f"{plural(len(gold.complete), 'structured abstract')}, {plural(seeds, 'split')} into "
        "halves; mean ± standard deviation",
        "in-text F1: macro-F1 on "
        f"{plural(len(gold.written), 'other abstract')} with headings printed in the text",
        "",
    )
    _print_evaluations(found)


def _check_encoder(context: click.Context, kinds: Sequence[str]) -> None:
    """Says that an encoder was named for nothing; the one of the environment may be for others."""
    given = context.get_parameter_source("encoder") is ParameterSource.COMMANDLINE
    if given and "vectors" not in kinds:
        echo(
            f"--encoder is not used: only the kind vectors has one, and this is {', '.join(kinds)}",
            err=True,
        )


def _choose(model: str, runs: Path, *, with_llm: bool) -> Splitter:
    """The model that is named; beside an LLM the rules will do where none is trained."""
    from citescape.text.abstracts.train import any_trained, load_splitter

    if with_llm and not model and not any_trained(runs):
        echo(f"no model in {runs}: what the LLM does not split is split by rules", err=True)
        model = "rules"
    return load_splitter(model, runs)


def _model_json(chosen: Splitter) -> dict[str, object]:
    record = chosen.record
    return {"model": record.id, "model_trained": record.started or None}


def _model_line(chosen: Splitter, *, beside: LlmSplitter | None) -> str:
    """Which model was taken."""
    record, config = chosen.record, chosen.record.config
    trained = f", trained {record.started}" if record.command == "split train" else ""
    what = f"{record.id} ({config.get('kind', 'rules')}{trained})"
    return f"the LLM is {beside.record.config['llm']}, beside it {what}" if beside else f"by {what}"


def _open_llm(
    asked: ChatConfig, fallback: Splitter, stack: ExitStack, *, attempts: int
) -> LlmSplitter:
    from citescape.text.abstracts.chat import Chat
    from citescape.text.abstracts.llm import LlmConfig, LlmSplitter

    chat = stack.enter_context(closing(Chat(asked)))
    return LlmSplitter(chat, fallback, LlmConfig(attempts=attempts))


def _print_training(made: TrainResult) -> None:
    counts = made.record.counts
    facets = ", ".join(f"{number(n)} {facet}" for facet, n in counts["sentences"].items())
    echo(
        f"{'there already' if made.known else 'trained'}: {made.record.id}, on "
        f"{plural(counts['abstracts'], 'structured abstract')} (sentences: {facets})"
    )
    left = made.gold.left_out
    common = ", ".join(repr(name or "no heading") for name, _ in left.most_common(_SHOWN_HEADINGS))
    echo(
        f"not learned from: {plural(counts['incomplete'], 'structured abstract')} without a "
        f"heading for one of the facets, and {plural(sum(left.values()), 'sentence')} under "
        f"headings that name none{f' ({common}, ...)' if common else ''}"
    )


def _result_json(done: SplitResult) -> dict[str, object]:
    return {
        "run": done.run,
        "papers": done.papers,
        "abstracts": done.abstracts,
        "without_abstract": done.without,
        "written": done.written,
        "sources": dict(done.sources),
        "sentences": dict(done.sentences),
        "sentences_under_other_headings": done.unmapped,
        "fell_back": done.fell_back,
    }


def _llm_json(speaker: LlmSplitter | None) -> dict[str, object]:
    if not speaker:
        return {"requests": 0}
    return {
        "requests": speaker.chat.requests,
        "answers": speaker.answers,
        "fell_back_by_reason": dict(speaker.fell_back),
        "fields_not_taken": sorted(speaker.chat.dropped),
    }


def _print_result(done: SplitResult) -> None:
    change = "nothing changed" if not done.written else f"{plural(done.written, 'paper')} written"
    echo(
        f"{plural(done.abstracts, 'abstract')} split, {change}; "
        f"{plural(done.without, 'paper')} without an abstract",
        "",
    )
    echo_table(("split by", "abstracts"), done.sources.most_common())
    echo()
    echo_table(("facet", "sentences"), done.sentences.most_common())
    if done.unmapped:
        echo(
            "",
            f"{plural(done.unmapped, 'sentence')} of structured abstracts "
            f"{'stands' if done.unmapped == 1 else 'stand'} under headings that name no facet, "
            "and were told as in other abstracts",
        )


def _print_fallen(done: SplitResult, speaker: LlmSplitter | None) -> None:
    """What the LLM did not split, and why."""
    from citescape.text.abstracts.llm import REASONS

    if not speaker:
        return
    if speaker.chat.dropped:
        names = " and ".join(sorted(speaker.chat.dropped))
        echo("", f"the server takes no {names}: it was asked without")
    if not done.fell_back:
        return
    echo(
        "",
        f"{plural(done.fell_back, 'abstract')} fell back to {speaker.fallback.record.id}; the "
        "same command asks again, save for those too long:",
    )
    for reason, count in speaker.fell_back.most_common():
        said = f" ({speaker.said[reason]})" if reason in speaker.said else ""
        echo(f"  {number(count)}: {REASONS[reason]}{said}")


def _print_evaluations(found: Sequence[Evaluation]) -> None:
    rows = []
    for one in found:
        figures = one.as_dict()
        names = ("macro_f1", "accuracy", "written_macro_f1")
        cells = [
            f"{figures[name]:.3f} ± {figures[f'{name}_spread']:.3f}" if name in figures else "-"
            for name in names
        ]
        rows.append((one.kind, *cells, f"{one.seconds:.1f}"))
    echo_table(("kind", "macro-F1", "accuracy", "in-text F1", "CPU s"), rows)
    last = found[-1]
    table = last.confusion
    echo("", f"{last.kind}, all splits: rows are true, columns given")
    counts = [
        (facet, *table.counts[k].tolist(), table.f1.get(facet))
        for k, facet in enumerate(table.labels)
    ]
    echo_table(("", *table.labels, "F1"), counts)
    if last.hard:
        echo("", "mistakes of the first split")
        rows = [
            (case.true, case.given, textwrap.shorten(case.sentence, 70, placeholder="…"))
            for case in last.hard[:_SHOWN_CASES]
        ]
        echo_table(("true", "given", "sentence"), rows)
