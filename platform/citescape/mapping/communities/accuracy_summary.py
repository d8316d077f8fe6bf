"""What people and programs are shown of the accuracy of networks."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.mapping.communities.judge import AccuracyRun
from citescape.mapping.communities.summary import Line
from citescape.runs.result import Part, Summary, Table, plural


def summarise_accuracy(made: AccuracyRun) -> Summary:
    """A row a network, the best first, then bounds; notes; the picture."""
    counts, config = made.counts, made.record.config
    parts: list[Part] = [
        f"{counts['judged']:,} of {plural(counts['papers'], 'paper')} judged by "
        f"{config['criterion']}; {counts['without_criterion']:,} have none, "
        f"{counts['without_relative']:,} share none with another"
    ]
    if counts.get("labels_without_paper"):
        missing = plural(counts["labels_without_paper"], "label")
        parts.append(f"{missing} of papers not in the store")
    several = config["seeds"] > 1
    spread = f"{config['seeds']} seeds, mean ± deviation" if several else "one seed, so no spread"
    marks = [f"at {mark:.2g}" for mark in counts["marks"]]
    rows = [
        (line.title, line.edges, _relative(line, counts["left_out"]), *line.accuracy)
        for line in made.lines
    ]
    parts += [
        f"{plural(config['resolutions'], 'resolution')}, {spread}",
        "",
        Table(("network", "edges", "relative", "accuracy " + marks[0], *marks[1:]), rows),
        "",
        *(f"note: {note}" for note in counts["notes"]),
        made.describe(),
        f"picture: {made.path / 'accuracy.png'}",
    ]
    figures = {
        "run": made.run,
        "path": str(made.path),
        "unchanged": made.unchanged,
        "criterion": config["criterion"],
        **counts,
    }
    best, networks = made.lines[0], made.record.inputs["networks"]
    compared = best.relative is not None
    steps = [(f"communities of {best.name}", f"cluster --network {networks.get(best.name)}")]
    return Summary(parts, figures, steps if compared else [])


def _relative(line: Line, left_out: Sequence[str]) -> str:
    if line.relative is None:
        return "left out" if line.name in left_out else ""
    spread = "" if line.spread is None else f" ± {line.spread:.4f}"
    return f"{line.relative:.3f}{spread}"
