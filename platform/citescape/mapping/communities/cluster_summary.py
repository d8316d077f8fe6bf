"""Summary of communities."""

from __future__ import annotations

from dataclasses import asdict

from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.lineage import EVENTS
from citescape.runs.result import Part, Summary, Table, plural

_COLUMNS = {
    "communities": "communities",
    "largest": "largest",
    "median": "median",
    "weighted_mean": "weighted mean",
    "singletons": "singletons",
    "granularity": "granularity",
    "quality": "quality",
}
"""Columns of levels.parquet -> header."""


def summarise_clustering(run: ClusterRun) -> Summary:
    """Sizes and quality of each level, agreement of seeds, names, and counts of the graph."""
    counts, config, levels = run.counts, run.record.config, run.figures().to_pylist()
    skip = 0 if counts["nested"] else 1
    rows = []
    for level in levels:
        rounded = {name: round(level[name]) for name in ("median", "weighted_mean")}
        cells = [{**level, **rounded}[name] for name in _COLUMNS]
        rows.append((level["level"], f"{level['resolution']:g}", *cells)[skip:])
    parts: list[Part] = [
        f"{plural(counts['core'], 'paper')} of {run.network} ({run.record.inputs['kind']}), "
        f"{counts['isolated']:,} without edges; {config['quality']} by {config['engine']}",
        "",
        Table(("level", "resolution", *_COLUMNS.values())[skip:], rows),
        "",
    ]
    for level in levels:
        if level["ari"] is not None:
            spread = "" if level["ari_sd"] is None else f" ± {level['ari_sd']:.3f}"
            parts.append(
                f"{level['level']}: {config['seeds']} seeds agree by an adjusted Rand index of "
                f"{level['ari']:.3f}{spread}; consensus after {plural(level['rounds'], 'round')}"
            )
    for level in levels:
        if level["reassigned"]:
            papers = plural(level["reassigned"], "paper")
            parts.append(
                f"{level['level']}: {papers} of small communities merged into larger communities"
            )
    events = counts["lineage"]
    if events:
        ordered = dict.fromkeys((*EVENTS, *events))  # early runs have events of other names
        listed = ", ".join(f"{events[event]:,} {event}" for event in ordered if event in events)
        parts.append(f"named after {run.record.inputs['previous']}: {listed}")
    parts += [f"warning: {line}" for line in counts["warnings"]]
    parts += [run.describe(), *_describe_graph(run)]

    figures = {
        "run": run.run,
        "path": str(run.path),
        "unchanged": run.unchanged,
        "network": run.network,
        "papers": counts["core"],
        "isolated": counts["isolated"],
        "levels": levels,
        "previous": run.record.inputs["previous"] or None,
        "lineage": events,
        "warnings": counts["warnings"],
        "graph": asdict(run.graph) if run.graph else None,
    }
    steps = [
        ("topics of the communities", "topics"),
        ("agreement with a criterion", "evaluate accuracy"),
        ("a map", "map"),
    ]
    names = run.communities()["name"].to_pylist() if run.graph else []
    if names:
        command = f"cypher explore/community --param name={names[0]}"
        steps.insert(0, ("papers of one community", command))
    return Summary(parts, figures, steps)


def _describe_graph(run: ClusterRun) -> list[str]:
    graph = run.graph
    if graph is None:
        several = len(run.levels) > 1 and not run.counts["nested"]
        levels = ", ".join(run.levels)
        return [f"graph: no level written; --write-level LEVEL writes one of {levels}"] * several
    lines = [
        f"graph: {plural(graph.communities, 'community', 'communities')} written, "
        f"{plural(graph.memberships, 'membership')}; {graph.removed:,} of earlier runs removed"
    ]
    if graph.not_in_graph:
        lines.append(
            f"       {plural(graph.not_in_graph, 'paper')} of the run are not in the graph"
        )
    return lines
