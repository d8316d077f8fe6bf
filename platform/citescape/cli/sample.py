"""`platform sample importance|specter|neighbourhood|facet`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import (
    command_line,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_json, echo_table, number, plural, ticking

if TYPE_CHECKING:
    from citescape.graph.store import GraphStore
    from citescape.sampling.leakage import Leakage
    from citescape.sampling.pool import Drawing
    from citescape.sampling.sample import SampleResult

_WORDS = {
    "anchors": "papers that cite anything",
    "anchors_without_text": "anchors left out: no title and no abstract",
    "anchors_skipped_short": "anchors left out: too few references with a text",
    "references_without_text": "references left out: no title and no abstract",
    "hard_as_important": "hard negatives no less important than their positive",
    "hard_cited_by_reference": "hard negatives cited by a reference",
    "hard_cited_beside_reference": "hard negatives cited beside a reference, in place of those",
    "hard_made_random": "hard negatives made random: no other was found",
    "no_random_paper": "triplets left out: no paper left to draw",
    "contradictory_dropped": "triplets dropped: a pair close in one and far in another",
}
Command = Callable[..., Any]


def drawing_options(function: Command) -> Command:
    """What all samplers take: seed, split, size, papers to leave out, stores, output."""
    options = (
        click.option(
            "--triplets", type=click.IntRange(1), default=None, help="Stop at so many triplets."
        ),
        click.option(
            "--share",
            type=click.FloatRange(0, 1, min_open=True),
            default=1.0,
            show_default=True,
            help="Take this share of the anchors, each with all its triplets.",
        ),
        click.option(
            "--validation",
            type=click.FloatRange(0, 1, max_open=True),
            default=0.2,
            show_default=True,
            help="Hold out this share of the anchors, to stop training by.",
        ),
        click.option(
            "--exclude",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="File of papers, one id, DOI or PMID a line: left out of graph and triplets.",
        ),
        click.option(
            "--held-out",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="File of test papers: reports how many of them are in the triplets.",
        ),
        seed_option,
        store_option,
        runs_option,
        output_options,
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.group()
def sample() -> None:
    """Sample triplets (anchor, positive, negative) for an encoder to learn from.

    \b
      importance      important references above perfunctory ones above random papers
      specter         references above works cited by them above random papers
      neighbourhood   near papers of a citation-graph embedding above far ones
      facet           the same in the background, method and result subgraphs

    \b
    First steps:
      platform score                     importance of every citation
      platform sample importance         triplets, as Parquet in a run directory
      platform train --triplets RUN      then an encoder
    """  # noqa: D301 - \b is the character that keeps click from wrapping


@sample.command()
@click.option(
    "-K",
    "--positives",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Triplets an anchor.",
)
@click.option(
    "-H",
    "--hard",
    type=click.IntRange(0),
    default=2,
    show_default=True,
    help="Of these, with a least important reference as negative.",
)
@click.option(
    "--short-anchors",
    type=click.Choice(("skip", "shrink")),
    default="skip",
    show_default=True,
    help="Anchors with fewer than K + H references: leave out, or take what there is.",
)
@click.option(
    "--keep-contradictions",
    is_flag=True,
    help="Keep pairs that are close in one triplet and far in another.",
)
@drawing_options
def importance(
    positives: int,
    hard: int,
    short_anchors: str,
    keep_contradictions: bool,
    **shared: Any,
) -> None:
    """Important references are positives, the least important ones hard negatives.

    Each anchor's references are ranked by importance (`platform score`); the i-th of K triplets
    sets the i-th most important against the i-th least important for i up to H, then against a
    random paper that the anchor does not cite.
    """
    from citescape.sampling.importance import ImportanceConfig

    rule = "keep" if keep_contradictions else "drop"
    _run(ImportanceConfig(positives, hard, short_anchors, rule), shared)


@sample.command()
@click.option(
    "--positives",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Triplets an anchor.",
)
@click.option(
    "--hard",
    type=click.IntRange(0),
    default=2,
    show_default=True,
    help="Of these, with a hard negative.",
)
@click.option(
    "--substitute",
    type=click.Choice(("cited-beside", "none")),
    default="cited-beside",
    show_default=True,
    help="Where references cite nothing: works cited beside one of them by another paper.",
)
@click.option("--both-directions", is_flag=True, help="Papers that cite the anchor are close too.")
@drawing_options
def specter(
    positives: int, hard: int, substitute: str, both_directions: bool, **shared: Any
) -> None:
    """References are positives, what references cite are hard negatives.

    In a corpus of which few cited works have a reference list, such hard negatives hardly exist;
    then works that another paper cites beside one of the references take their place, and the
    figures say how many.
    """
    from citescape.sampling.specter import SpecterConfig

    _run(SpecterConfig(positives, hard, substitute, both_directions), shared)


def _run(config: Any, shared: Mapping[str, Any]) -> None:
    from citescape.graph.store import open_store
    from citescape.sampling.sample import sample_citations

    with closing(open_store(shared["store"], create=False)) as graph, ticking() as ticker:
        made = sample_citations(
            graph,
            config,
            drawing=read_drawing(shared),
            exclude=listed(graph, shared["exclude"]),
            runs=shared["runs"],
            progress=ticker.tell,
        )
        leaks = find_leaks(graph, made, shared["held_out"])
    show(made, leaks, shared)


def read_drawing(shared: Mapping[str, Any]) -> Drawing:
    """Seed, split and size as options gave them."""
    from citescape.sampling.pool import Drawing

    return Drawing(
        seed=shared["seed"],
        validation=shared["validation"],
        share=shared["share"],
        triplets=shared["triplets"],
    )


def listed(graph: GraphStore, path: Path | None) -> tuple[str, ...]:
    """Ids of the papers that a file lists; how many of its lines mean none is told."""
    from citescape.networks.id_lists import find_listed, read_id_list

    if path is None:
        return ()
    found = find_listed(graph, read_id_list(path))
    if found.missing:
        click.echo(
            f"{path}: {number(found.missing)} of {number(found.listed)} lines mean no paper of "
            f"{graph.location}",
            err=True,
        )
    return found.ids


def find_leaks(graph: GraphStore, made: SampleResult, path: Path | None) -> dict[str, Leakage]:
    """How many listed papers are in each file of triplets."""
    from citescape.sampling.leakage import compute_leakage
    from citescape.sampling.triplets import read_triplets

    if path is None:
        return {}
    ids = listed(graph, path)
    return {file: compute_leakage(read_triplets(made.path / file), ids) for file in made.files}


def show(made: SampleResult, leaks: Mapping[str, Leakage], shared: Mapping[str, Any]) -> None:
    """Prints the figures of a sampling, or one line of JSON."""
    from dataclasses import asdict

    if shared["as_json"]:
        told = {"run": made.run, "path": str(made.path), "unchanged": made.unchanged}
        leaked = {file: asdict(found) for file, found in leaks.items()}
        echo_json({**told, "files": made.files, "leakage": leaked})
        return
    for file, figures in made.files.items():
        _print_file(file, figures, several=len(made.files) > 1)
    for file, found in leaks.items():
        where = f" of {file}" if len(leaks) > 1 else ""
        click.echo(
            f"\nheld out: {number(found.leaked)} of {plural(found.held_out, 'listed paper')} are "
            f"among the {number(found.papers)}{where} ({found.share:.1%}), in "
            f"{plural(found.triplets, 'triplet')}: "
            + ", ".join(f"{number(n)} as {role}" for role, n in found.by_role.items())
        )
    click.echo(f"\n{'there already' if made.unchanged else 'kept'} in {made.path}")
    train = command_line(f"train --triplets {made.run}", shared["store"], shared["runs"])
    click.echo(f"next: {train}")


def _print_file(file: str, figures: Mapping[str, Any], *, several: bool) -> None:
    name = f"{file.removesuffix('.parquet')}: " if several else ""
    click.echo(
        f"{name}{plural(figures['triplets'], 'triplet')} of {plural(figures['anchors'], 'anchor')} "
        f"({number(figures['train'])} to train, {number(figures['validation'])} to validate), "
        f"{plural(figures['papers'], 'paper')} in them\n"
    )
    counts = {name: n for name, n in figures["left_out"].items() if n}
    echo_table(("", "count"), [(_WORDS.get(name, name), n) for name, n in counts.items()])
