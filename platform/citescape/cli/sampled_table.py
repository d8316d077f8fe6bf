"""What `platform sample` prints: figures of triplets, what was left out, leakage."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from citescape.cli.options import command_line
from citescape.cli.output import echo_json, echo_table, number
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.sampling.leakage import Leakage
    from citescape.sampling.sample import SampleResult

_WORDS = {
    "anchors": "papers that cite anything",
    "anchors_without_text": "anchors left out: no title and no abstract",
    "anchors_skipped_short": "anchors left out: too few references with a text",
    "references_without_text": "references left out: no title and no abstract",
    "hard_as_important": "hard negatives no less important than their positive",
    "hard_cited": "hard negatives that the anchor cites",
    "hard_cited_by_reference": "hard negatives cited by a reference",
    "hard_cited_beside_reference": "hard negatives cited beside a reference, in place of those",
    "hard_made_random": "hard negatives made random: no other was found",
    "no_random_paper": "triplets left out: no paper left to draw",
    "contradictory_dropped": "triplets dropped: a pair close in one and far in another",
    "papers_without_text": "papers left out: no title and no abstract",
    "papers_without_vector": "papers left out: no place in this embedding",
    "papers": "papers searched for neighbours",
    "far": "rank of the last hard negative (k)",
    "queries": "papers that are anchors",
    "no_positive_above": "triplets left out: no positive above the threshold",
    "no_negative_above": "triplets left out: no hard negative farther than the positives",
    "threshold_beyond_reach": "anchors whose k neighbours all lie above the threshold",
    "labels_without_paper": "labels left out: of no paper here",
    "labels_disagree": "papers left out: of more than one label",
    "labels": "labels",
    "labelled": "papers with a label",
    "label_too_rare": "anchors left out: too few papers of their label",
    "balanced_away": "anchors left out: their label has enough",
    "contradictory": "triplets with a pair close in one and far in another",
}


def find_leaks(made: SampleResult, held_out: Collection[str]) -> dict[str, Leakage]:
    """How many papers that were to be held out are in each file of triplets."""
    from citescape.sampling.leakage import compute_leakage
    from citescape.sampling.triplets import read_triplets

    return {file: compute_leakage(read_triplets(made.path / file), held_out) for file in made.files}


def show(
    made: SampleResult,
    leaks: Mapping[str, Leakage],
    shared: Mapping[str, Any],
    *,
    proof: Mapping[str, Leakage],
    warning: str = "",
) -> None:
    """Prints the figures of a sampling, or one line of JSON, with a warning if there is one.

    `leaks` are of papers that were to be held out, `proof` of those that were left out.
    """
    if shared["as_json"]:
        told = {"run": made.run, "path": str(made.path), "unchanged": made.unchanged}
        told |= {"warning": warning} if warning else {}
        shown = {"leakage": _as_json(leaks), "excluded": _as_json(proof)}
        echo_json({**told, "files": made.files, **shown})
        return
    if near := _neighbours(made):
        echo(f"neighbours by {near}")
    for file, figures in made.files.items():
        _print_file(file, figures, several=len(made.files) > 1)
    _print_leaks(leaks)
    for file, found in proof.items():
        where = f" in {file}" if len(proof) > 1 else ""
        echo("", f"{found.line}{where}")
    if warning:
        echo("", warning)
    echo("", f"{'there already' if made.unchanged else 'kept'} in {made.path}")
    train = command_line(f"train --triplets {made.run}", shared["store"], shared["runs"])
    echo(f"next: {train}")


def _as_json(leaks: Mapping[str, Leakage]) -> dict[str, Any]:
    return {file: {**asdict(found), "share": found.share} for file, found in leaks.items()}


def _print_leaks(leaks: Mapping[str, Leakage]) -> None:
    for file, found in leaks.items():
        where = f" of {file}" if len(leaks) > 1 else ""
        echo(
            "",
            f"held out: {number(found.leaked)} of {plural(found.held_out, 'listed paper')} are "
            f"among the {number(found.papers)}{where} ({found.share:.1%}), in "
            f"{plural(found.triplets, 'triplet')}: "
            + ", ".join(f"{number(n)} as {role}" for role, n in found.by_role.items()),
        )


def _neighbours(made: SampleResult) -> str:
    """The graph embeddings that were sampled from; empty for other samplers."""
    from citescape.runs.directory import read_run

    named = read_run(made.path).inputs.get("embeddings", "")
    return named if isinstance(named, str) else ", ".join(named.values())


def _print_file(file: str, figures: Mapping[str, Any], *, several: bool) -> None:
    name = f"{file.removesuffix('.parquet')}: " if several else ""
    echo(
        f"{name}{plural(figures['triplets'], 'triplet')} of {plural(figures['anchors'], 'anchor')} "
        f"({number(figures['train'])} to train, {number(figures['validation'])} to validate), "
        f"{plural(figures['papers'], 'paper')} in them",
        "",
    )
    counts = {name: n for name, n in figures["left_out"].items() if n}
    echo_table(("", "count"), [(_WORDS.get(name, name), n) for name, n in counts.items()])
