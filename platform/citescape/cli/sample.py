"""`platform sample importance|specter|neighbourhood|facet|labels`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.listed import held_out
from citescape.cli.options import InOrder
from citescape.cli.output import echo_json, echo_table
from citescape.cli.sample_options import (
    band_options,
    choose_hard,
    drawing_options,
    hard_option,
    positives_option,
    read_bands,
    read_drawing,
)
from citescape.cli.sampled_table import find_leaks, show
from citescape.core.progress import ticking
from citescape.core.types import FACETS

if TYPE_CHECKING:
    from citescape.sampling.sample import SampleResult


_HARD = {"neighbourhood": 2, "facet": 4}
"""Hard triplets an anchor where none are asked for: of 5, and of 10."""


@click.group(cls=InOrder)
def sample() -> None:
    """Sample triplets (anchor, positive, negative) for an encoder to learn from.

    \b
    First steps:
      platform score                     importance of every citation
      platform sample importance         triplets, as Parquet in a run directory
      platform train --triplets RUN      then an encoder
    """  # noqa: D301 - \b is the character that keeps click from wrapping


@sample.command(short_help="Important references above perfunctory ones and random papers.")
@positives_option
@hard_option("a least important reference")
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
    hard: int | None,
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
    hards = choose_hard(hard, positives)
    _sample_citations(ImportanceConfig(positives, hards, short_anchors, rule), shared)


@sample.command(short_help="References above works that they cite and random papers.")
@positives_option
@hard_option("a work that a reference cites")
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
    positives: int, hard: int | None, substitute: str, both_directions: bool, **shared: Any
) -> None:
    """References are positives, what references cite are hard negatives.

    In a corpus of which few cited works have a reference list, such hard negatives hardly exist;
    then works that another paper cites beside one of the references take their place, and the
    figures say how many.
    """
    from citescape.sampling.specter import SpecterConfig

    _sample_citations(
        SpecterConfig(positives, choose_hard(hard, positives), substitute, both_directions), shared
    )


@sample.command(short_help="Near papers of a citation-graph embedding above far ones.")
@click.option(
    "--embeddings",
    default="",
    metavar="RUN",
    show_default="the last of `platform graph-embed` with --weight none",
    help="Vectors of the citation graph.",
)
@click.option(
    "--collisions",
    is_flag=True,
    help="Only count pairs that are both close and far, for several distances of the bands.",
)
@band_options(5, _HARD["neighbourhood"])
@drawing_options
def neighbourhood(collisions: bool, **given: Any) -> None:
    """Near neighbours in the citation graph are positives, far ones hard negatives.

    Neighbours by cosine of graph embeddings (`platform graph-embed`): positives have the ranks just
    below --near, hard negatives those just below --far, easy negatives are random papers that are
    none of the nearest --far. The closer the bands, the more pairs are called both close and far:
    `--collisions` counts them.
    """
    from citescape.sampling.embedded import sample_neighbours

    if collisions:
        _print_collisions(given)
        return
    chosen = {"embeddings": given["embeddings"], "queries": given["queries"]}
    config = read_bands(given, hard=_HARD["neighbourhood"])
    _sample(partial(sample_neighbours, config=config, **chosen), given)


def _print_collisions(given: Mapping[str, Any]) -> None:
    from dataclasses import asdict

    from citescape.sampling.embedded import compare_bands
    from citescape.store.graph_store import open_store

    with closing(open_store(given["store"], create=False)) as graph:
        found = compare_bands(
            graph,
            read_bands(given, hard=_HARD["neighbourhood"]),
            embeddings=given["embeddings"],
            queries=given["queries"],
            runs=given["runs"],
        )
    if given["as_json"]:
        echo_json({"collisions": [{**asdict(row), "share": row.share} for row in found]})
        return
    header = ("near", "far", "pairs", "collisions", "of one anchor", "share")
    echo_table(
        header,
        [(r.near, r.far, r.pairs, r.collisions, r.within, f"{r.share:.2%}") for r in found],
    )


@sample.command(short_help="Near above far papers in the subgraphs of background, method, result.")
@click.option(
    "--embeddings",
    multiple=True,
    metavar="FACET=RUN",
    show_default="the last of `platform graph-embed --weight FACET`",
    help="Vectors of a facet's subgraph; may be repeated.",
)
@band_options(10, _HARD["facet"])
@drawing_options
def facet(embeddings: tuple[str, ...], **given: Any) -> None:
    """Near neighbours are positives, far ones negatives, in each facet's subgraph.

    As `platform sample neighbourhood`, once each in the background, method and result subgraphs,
    with a file of triplets each. A facet's subgraph has the citations with a context of that
    intent, weighted by their number; papers isolated in it are left out.

    \b
    First steps:
      platform text intents label              what each citation is for
      platform graph-embed --weight method     and so for background and result
      platform sample facet
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.sampling.embedded import sample_facets

    chosen = {
        "embeddings": dict(_split_facet(text) for text in embeddings),
        "queries": given["queries"],
    }
    config = read_bands(given, hard=_HARD["facet"])
    _sample(partial(sample_facets, config=config, **chosen), given)


@sample.command(short_help="Papers of one gold label above others: an upper bound.")
@click.option(
    "--labels",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="CSV file headed id,label; an id, DOI, PMID or PMCID and a label a row.",
)
@positives_option
@click.option(
    "--balanced",
    is_flag=True,
    help="As many anchors of each label as the rarest that has any.",
)
@drawing_options
def labels(labels: Path, positives: int, balanced: bool, **given: Any) -> None:
    """Papers of the anchor's gold label are positives, papers of other labels negatives.

    An upper bound of what triplets can teach an encoder for a task, and nothing else: it has seen
    the labels that the task asks for (SciNCL, section 4.4, Oracle SciDocs).
    """
    from citescape.sampling.labels import LEAKS, LabelConfig, read_labels, sample_labels

    config = LabelConfig(positives, balanced)
    sampler = partial(sample_labels, rows=read_labels(labels), config=config)
    _sample(sampler, given, warning=LEAKS)


def _split_facet(text: str) -> tuple[str, str]:
    name, _, run = text.partition("=")
    if name not in FACETS or not run:
        raise click.UsageError(
            f"--embeddings {text!r}; expected background=RUN, method=RUN or result=RUN"
        )
    return name, run


def _sample_citations(config: Any, given: Mapping[str, Any]) -> None:
    from citescape.sampling.sample import sample_citations

    _sample(partial(sample_citations, config=config), given)


def _sample(
    sampler: Callable[..., SampleResult], given: Mapping[str, Any], *, warning: str = ""
) -> None:
    """Runs a sampler with what all of them take, and prints its figures."""
    from citescape.store.graph_store import open_store

    with closing(open_store(given["store"], create=False)) as graph, ticking() as ticker:
        ticker.tell("reading papers to hold out")
        find = partial(held_out, graph, given["runs"], candidates=given["with_candidates"])
        exclude, held = find(given["exclude"]), find(given["held_out"])
        made = sampler(
            graph,
            exclude=exclude,
            drawing=read_drawing(given),
            runs=given["runs"],
            progress=ticker.tell,
        )
    leaks = find_leaks(made, held) if given["held_out"] else {}
    proof = find_leaks(made, exclude) if given["exclude"] else {}
    show(made, leaks, given, proof=proof, warning=warning)
