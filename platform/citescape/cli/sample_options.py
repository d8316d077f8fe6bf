"""Options of the samplers, and how their figures are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import (
    Command,
    add_options,
    output_options,
    runs_option,
    seed_option,
    store_option,
)

if TYPE_CHECKING:
    from citescape.sampling.bands import NeighbourhoodConfig
    from citescape.sampling.pool import Drawing


positives_option = click.option(
    "-K",
    "--per-anchor",
    "positives",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Triplets an anchor, each with a positive of its own.",
)
_DRAWING = (
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
        multiple=True,
        metavar="RUN|FILE",
        help="Left out of graph and triplets: a benchmark's queries (`platform benchmark mdcr`, "
        "`platform evaluate pool`, files of MDCR, SciDocs, SciRepEval), or a file with an id, DOI "
        "or PMID a line. Several are left out together.",
    ),
    click.option(
        "--held-out",
        multiple=True,
        metavar="RUN|FILE",
        help="Such papers: reports how many of them are in the triplets.",
    ),
    click.option(
        "--with-candidates",
        is_flag=True,
        help="Of a benchmark take its candidates too, not only its queries.",
    ),
    seed_option,
    store_option,
    runs_option,
    output_options,
)
_BANDS = (
    click.option(
        "--near",
        type=click.IntRange(1),
        default=25,
        show_default=True,
        help="k+: positives are the neighbours up to this rank.",
    ),
    click.option(
        "--far",
        type=click.IntRange(1),
        default=None,
        show_default="4,000 scaled to the corpus",
        help="k: hard negatives are the neighbours up to this rank.",
    ),
    click.option(
        "--width",
        type=click.IntRange(0),
        default=0,
        show_default="no wider than needed",
        help="Draw from bands this wide.",
    ),
    click.option(
        "--positives",
        type=click.Choice(("band", "threshold", "sorted")),
        default="band",
        show_default=True,
        help="By rank, closest above --near-threshold, or closest of a random --sample.",
    ),
    click.option(
        "--negatives",
        type=click.Choice(("band", "threshold")),
        default="band",
        show_default=True,
        help="By rank, or closest above --far-threshold.",
    ),
    click.option("--near-threshold", type=float, default=0.9, show_default=True, help="Cosine."),
    click.option("--far-threshold", type=float, default=0.3, show_default=True, help="Cosine."),
    click.option(
        "--easy",
        type=click.Choice(("filtered", "random", "sorted", "clusters")),
        default="filtered",
        show_default=True,
        help="Random but none of the k nearest; any; furthest of a sample; of a far cluster.",
    ),
    click.option(
        "--sample",
        type=click.IntRange(1),
        default=50,
        show_default=True,
        help="Random papers of which `sorted` takes the closest or, with --easy, the furthest.",
    ),
    click.option(
        "--clusters",
        type=click.IntRange(2),
        default=100,
        show_default=True,
        help="Clusters of papers for --easy clusters.",
    ),
    click.option(
        "--cluster-distance",
        type=click.FloatRange(0, 1),
        default=1.0,
        show_default=True,
        help="Of these, draw from the nearest other (0) to the farthest (1).",
    ),
    click.option(
        "--drop-contradictions",
        is_flag=True,
        help="Leave out pairs that are close in one triplet and far in another.",
    ),
    click.option(
        "--queries",
        type=click.Choice(("citing", "all")),
        default="citing",
        show_default=True,
        help="Anchors: papers with references, or every paper.",
    ),
)


def hard_option(negative: str, default: int = 2) -> Callable[[Command], Command]:
    """How many of an anchor's triplets have a hard negative, which is named."""
    return click.option(
        "-H",
        "--hard",
        type=click.IntRange(0),
        default=None,
        show_default=f"{default}, or K if that is less",
        help=f"Of these, with {negative} as negative.",
    )


def choose_hard(hard: int | None, triplets: int, default: int = 2) -> int:
    """Hard triplets an anchor: as many as given, else the default if there are so many at all."""
    return min(default, triplets) if hard is None else hard


def drawing_options(function: Command) -> Command:
    """What all samplers take: seed, split, size, papers to leave out, stores, output."""
    return add_options(*_DRAWING)(function)


def band_options(triplets: int, hard: int) -> Callable[[Command], Command]:
    """What samplers of neighbourhoods take."""
    counts = (
        click.option(
            "-K",
            "--per-anchor",
            "per_anchor",
            type=click.IntRange(1),
            default=triplets,
            show_default=True,
            help="Triplets an anchor, each with a positive of its own (c+).",
        ),
        hard_option("a far neighbour", hard),
    )
    return add_options(*(counts + _BANDS))


def read_bands(given: Mapping[str, Any], *, hard: int) -> NeighbourhoodConfig:
    """Bands and strategies as options gave them; `hard` is the default of that option."""
    from citescape.sampling.bands import NeighbourhoodConfig

    ranks, strategies = ("near", "far", "width"), ("positives", "negatives", "easy")
    easy = ("sample", "clusters", "cluster_distance")
    names = (*ranks, *strategies, "near_threshold", "far_threshold", *easy)
    rule = "drop" if given["drop_contradictions"] else "keep"
    chosen = {name: given[name] for name in names}
    triplets = given["per_anchor"]
    chosen["hard"] = choose_hard(given["hard"], triplets, hard)
    return NeighbourhoodConfig(triplets=triplets, contradictions=rule, **chosen)


def read_drawing(shared: Mapping[str, Any]) -> Drawing:
    """Seed, split and size as options gave them."""
    from citescape.sampling.pool import Drawing

    return Drawing(
        seed=shared["seed"],
        validation=shared["validation"],
        share=shared["share"],
        triplets=shared["triplets"],
    )
